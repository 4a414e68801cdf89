// Memory that a caller cannot go on without: sizes, content, and the end when it runs out.
#include "base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/die.h"

static void grows_with_zeros(void **state)
{
    (void)state;
    uint32_t *number = NULL, capacity = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
        ALLOC_GROW(number, capacity, i + 1);
        assert_true(capacity > i);
        for (uint32_t k = i; k < capacity; ++k) assert_int_equal(number[k], 0);
        number[i] = i + 1;
    }
    for (uint32_t i = 0; i < 1000; ++i) assert_int_equal(number[i], i + 1);
    free(number);
}

static void gives_what_is_asked(void **state)
{
    (void)state;
    static const char zeros[24];
    char *zeroed = alloc_zeroed(3, 8), *copy = alloc_copy("abc", 4), *start = alloc_strndup("abcdef", 2);
    assert_memory_equal(zeroed, zeros, sizeof zeros);
    assert_string_equal(copy, "abc");
    assert_string_equal(start, "ab");
    void *aligned = alloc_aligned(1, 1);
    assert_int_equal((uintptr_t)aligned % ALLOC_ALIGNMENT, 0);
    void *empty[] = {alloc_zeroed(0, 8), alloc_array(0, 8), alloc_bytes(0), alloc_copy(NULL, 0),
                     alloc_resize(NULL, 0, 1)};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; ++i) {
        assert_non_null(empty[i]);
        free(empty[i]);
    }
    free(zeroed);
    free(copy);
    free(start);
    free(aligned);
}

// A product of count and size that does not fit in size_t.
static void too_many(void)
{
    free(alloc_zeroed(SIZE_MAX / 2, 3));
}

static void none(void)
{
    alloc_checked(NULL);
}

static void ends_without_memory(void **state)
{
    (void)state;
    static void (*const ask[])(void) = {too_many, none};
    for (size_t i = 0; i < sizeof ask / sizeof *ask; ++i) {
        int status = 0;
        pid_t child = fork();
        if (!child) {
            if (!freopen("/dev/null", "w", stderr)) _exit(1);
            ask[i]();
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), EXIT_NOT_GRADED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_with_zeros),
        cmocka_unit_test(gives_what_is_asked),
        cmocka_unit_test(ends_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
