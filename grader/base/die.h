// The three ways to fail, two of which are here: die() for what the machine or the operator got wrong (exit 2),
// BUG() for what we got wrong (abort). A defect of a student's kernel is neither: it is data, a struct finding.
#ifndef BASE_DIE_H
#define BASE_DIE_H

// The exit code of "not graded: our or the machine's fault"; never a zero mark.
#define EXIT_NOT_GRADED 2

// Prints "grade: <message>" to stderr and exits with EXIT_NOT_GRADED. Messages start lower case, subjects in quotes.
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints "warning: <message>" to stderr and goes on.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Says that the fault is ours, where, and aborts.
#define BUG(...) base_bug(__FILE__, __LINE__, __VA_ARGS__)
#define BUG_ON(condition)                                                                                              \
    do {                                                                                                               \
        if (condition) BUG("%s", #condition);                                                                          \
    } while (0)
_Noreturn void base_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
