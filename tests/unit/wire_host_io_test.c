// What runners read from an I/O block, and where the program's ranges lie.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/border/host.h"
#include "host/border/host_io.h"

static const struct host_io block = {.build = HOST_IO_BUILD,
                                     .nbuffers = 3,
                                     .total = 4096,
                                     .dim = {5, 6},
                                     .buffer = {{.at = 512, .bytes = 64},
                                                {.at = 576, .bytes = 32, .origin = 2048},
                                                {.at = 640, .bytes = 16, .origin = 2112}}};
static const uint64_t address[HOST_IO_BUFFERS] = {0x1000, 0x2000, 0x2020}; // both outputs side by side

static void only_a_whole_block_of_this_build_is_sound(void **state)
{
    (void)state;
    struct host_io e = block;
    assert_true(host_io_is_sound(&e, 4096));
    assert_true(host_io_is_sound(&e, 8192));
    assert_false(host_io_is_sound(&e, 4095));
    e.total = 0;
    assert_true(host_io_is_sound(&e, sizeof e));
    assert_false(host_io_is_sound(&e, sizeof e - 1));
    e = block;
    e.build.magic++;
    assert_false(host_io_is_sound(&e, 4096));
    e = block;
    e.build.version++;
    assert_false(host_io_is_sound(&e, 4096));
    e = block;
    e.nbuffers = HOST_IO_BUFFERS + 1;
    assert_false(host_io_is_sound(&e, 4096));
}

static void the_program_is_told_sizes_and_which_are_outputs(void **state)
{
    (void)state;
    struct host_test_facts facts = {.over = 9, .moves = 9};
    host_io_facts(&block, &facts);
    assert_int_equal(facts.nbuffers, 3);
    assert_int_equal(facts.outputs, 6);
    assert_int_equal(facts.dim[1], 6);
    assert_int_equal(facts.bytes[0], 64);
    assert_int_equal(facts.bytes[2], 16);
    assert_int_equal(facts.over | facts.moves, 0);
}

static void a_range_lies_in_one_buffer_or_in_none(void **state)
{
    (void)state;
    uint64_t offset = 77;
    assert_int_equal(host_io_find(&block, address, 0, 0x1000, 64, &offset), 0);
    assert_int_equal(offset, 0);
    assert_int_equal(host_io_find(&block, address, 1, 0x2024, 12, &offset), 2);
    assert_int_equal(offset, 4);
    assert_int_equal(host_io_find(&block, address, 1, 0x2000, 32, &offset), 1);
    assert_int_equal(host_io_find(&block, address, 1, 0x2000, 32, NULL), 1);
    offset = 77;
    assert_int_equal(host_io_find(&block, address, 1, 0x2000, 36, &offset), -1); // over into its neighbour
    assert_int_equal(host_io_find(&block, address, 1, 0x1000, 4, &offset), -1);  // an input
    assert_int_equal(host_io_find(&block, address, 0, 0x0fff, 4, &offset), -1);
    assert_int_equal(host_io_find(&block, address, 0, 0x103f, 2, &offset), -1);
    assert_int_equal(host_io_find(&block, address, 0, 0x1000, UINT64_MAX, &offset), -1);
    assert_int_equal(host_io_find(&block, address, 0, UINT64_MAX, 2, &offset), -1);
    assert_int_equal(offset, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_whole_block_of_this_build_is_sound),
        cmocka_unit_test(the_program_is_told_sizes_and_which_are_outputs),
        cmocka_unit_test(a_range_lies_in_one_buffer_or_in_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
