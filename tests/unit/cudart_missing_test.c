// Functions of the CUDA runtime that are not implemented (missing.def): a call prints the function's name and ends the
// program.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OLD(row) row
#define MISSING(name) void name(void);
#include "host/runtime/missing.def"
#undef MISSING
#define MISSING(name) {#name, name},
static const struct {
    const char *name;
    void (*call)(void);
} missing[] = {
#include "host/runtime/missing.def"
};

// What a program that calls it prints, and its exit status.
static int end_of(void (*call)(void), char *said, size_t capacity)
{
    int pair[2], status;
    assert_int_equal(pipe(pair), 0);
    pid_t child = fork();
    if (!child) {
        dup2(pair[1], STDERR_FILENO);
        call();
        _exit(0);
    }
    close(pair[1]);
    size_t length = 0;
    for (ssize_t n; (n = read(pair[0], said + length, capacity - 1 - length)) > 0;) length += (size_t)n;
    said[length] = '\0';
    close(pair[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void each_says_its_name_and_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; ++i) {
        char said[256], expected[256];
        snprintf(expected, sizeof expected, "warpwise: %s is not implemented\n", missing[i].name);
        assert_int_equal(end_of(missing[i].call, said, sizeof said), 2);
        assert_string_equal(said, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_says_its_name_and_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
