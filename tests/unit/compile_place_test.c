// Source lines of return addresses in this program, from its line tables.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/place.h"

static char *self;
static uint64_t base;

static int note_base(struct dl_phdr_info *object, size_t bytes, void *unused)
{
    (void)bytes, (void)unused;
    base = object->dlpi_addr;
    return 1; // the first is the program
}

static __attribute__((noinline)) uint64_t here(void)
{
    __asm__ volatile("");
    return (uint64_t)(uintptr_t)__builtin_return_address(0) - base;
}

static int ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static void calls_have_lines(void **state)
{
    (void)state;
    struct program_spec spec = {.file = NULL};
    struct compile_place place[3];
    uint64_t address[3];
    unsigned first = __LINE__ + 1;
    address[0] = here();
    address[1] = UINT64_C(0x7fff00000000); // of nothing
    address[2] = here();
    compile_places(self, &spec, address, 3, place);
    assert_int_equal(place[0].line, first);
    assert_int_equal(place[2].line, first + 2);
    assert_true(ends_with(place[0].file, "tests/unit/compile_place_test.c"));
    assert_int_equal(place[1].line, 0);
    assert_string_equal(place[1].file, "");
}

static void files_are_named_as_the_user_did(void **state)
{
    (void)state;
    const char *file[] = {"other.cu", "./tests/unit/compile_place_test.c"};
    struct program_spec spec = {.file = file, .files = 2};
    struct compile_place place;
    uint64_t address = here();
    compile_places(self, &spec, &address, 1, &place);
    assert_string_equal(place.file, file[1]);
}

static void a_header_of_the_kits_is_not_the_users(void **state)
{
    (void)state;
    struct program_spec spec = {.kit = "tests/unit"};
    struct compile_place place;
    uint64_t address = here();
    compile_places(self, &spec, &address, 1, &place);
    assert_int_equal(place.line, 0);
}

// More than one command line holds, in order.
static void many_are_asked(void **state)
{
    (void)state;
    enum { MANY = 700 };
    static uint64_t address[MANY];
    static struct compile_place place[MANY];
    struct program_spec spec = {.file = NULL};
    uint64_t one = here(), line = __LINE__;
    for (int i = 0; i < MANY; ++i) address[i] = i % 7 ? one : 1;
    compile_places(self, &spec, address, MANY, place);
    for (int i = 0; i < MANY; ++i) assert_int_equal(place[i].line, i % 7 ? line : 0);
}

static void what_is_no_program_has_no_lines(void **state)
{
    (void)state;
    struct program_spec spec = {.file = NULL};
    struct compile_place place;
    uint64_t address = 0x1000;
    compile_places("README.md", &spec, &address, 1, &place);
    assert_int_equal(place.line, 0);
    compile_places("/no/such/program", &spec, &address, 1, &place);
    assert_int_equal(place.line, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_have_lines),
        cmocka_unit_test(files_are_named_as_the_user_did),
        cmocka_unit_test(a_header_of_the_kits_is_not_the_users),
        cmocka_unit_test(many_are_asked),
        cmocka_unit_test(what_is_no_program_has_no_lines),
    };
    self = realpath("/proc/self/exe", NULL);
    dl_iterate_phdr(note_base, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(self);
    return failed;
}
