// Ends the program after an error. die() reports an error of the machine or its operator and exits with code 2. BUG()
// reports an error in the grader and aborts. A defect in a student's kernel does not end the program; the grader
// reports the defect as a struct finding.
#ifndef BASE_DIE_H
#define BASE_DIE_H

// EXIT_NOT_GRADED is the exit code of the grader if a submission could not be graded. The exit code EXIT_NOT_GRADED
// never means that a submission earned zero points.
#define EXIT_NOT_GRADED 2

// Prints "grade: <message>" to stderr in the reader's language and exits with EXIT_NOT_GRADED. A message of die()
// starts with a lower-case letter and puts quotes around names, such as names of files.
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints a message about a bug in the grader, with source file and line number, to stderr and aborts.
#define BUG(...) die_bug(__FILE__, __LINE__, __VA_ARGS__)
#define BUG_ON(condition)                                                                                              \
    do {                                                                                                               \
        if (condition) BUG("%s", #condition);                                                                          \
    } while (0)
_Noreturn void die_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
