// Requests, sectors and lines of a warp's access: patterns computed by hand, and counters of an H200.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "device/coalesce.h"

static uint64_t address[32];

static struct coalesced strided(uint64_t base, int64_t stride, uint32_t mask, uint32_t bytes)
{
    for (int l = 0; l < 32; l++) address[l] = base + (uint64_t)(l * stride);
    return coalesce(address, mask, bytes);
}

static void patterns_cost_what_they_touch(void **state)
{
    (void)state;
    static const struct {
        uint64_t base;
        int64_t stride;
        uint32_t mask, bytes, lines, sectors;
    } rows[] = {
        {0, 4, ~0u, 4, 1, 4},     // neighbours
        {4, 4, ~0u, 4, 2, 5},     // one float further: l0_offset1 has five sectors a request
        {0, -4, ~0u, 4, 2, 5},    // backwards: the first float of a line and 31 of the line before it
        {0, 0, ~0u, 4, 1, 1},     // one float for all
        {0, 8, ~0u, 4, 2, 8},     // every other float
        {0, 32, ~0u, 4, 8, 32},   // a sector each
        {0, 128, ~0u, 4, 32, 32}, // a line each: l0_blocked
        {0, 512, ~0u, 4, 32, 32}, // l0_strided
        {0, 8, ~0u, 8, 2, 8},     // doubles
        {0, 16, ~0u, 16, 4, 16},  // float4: l3_gridstride_v4 has 16 a request
        {0, 1, ~0u, 1, 1, 1},     // chars
        {31, 1, ~0u, 1, 1, 2},    // chars across a border
        {0, 4, 1, 4, 1, 1},       // one lane
        {0, 4, 0xff00, 4, 1, 1},  // a quarter
        {0, 4, 0, 4, 0, 0},       // nobody
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct coalesced c = strided(rows[i].base + (1 << 20), rows[i].stride, rows[i].mask, rows[i].bytes);
        assert_int_equal(c.requests, rows[i].mask != 0);
        assert_int_equal(c.lines, rows[i].lines);
        assert_int_equal(c.sectors, rows[i].sectors);
        assert_int_equal(c.bytes, (uint32_t)__builtin_popcount(rows[i].mask) * rows[i].bytes);
    }
}

static void order_of_lanes_does_not_matter(void **state)
{
    (void)state;
    for (int l = 0; l < 32; l++) address[l] = 4096 + (uint64_t)(l * 13 % 32) * 4;
    struct coalesced c = coalesce(address, ~0u, 4);
    assert_int_equal(c.sectors, 4);
    assert_int_equal(c.lines, 1);
}

static void totals_agree_with_a_card(void **state)
{
    (void)state;
    // l7_naive, 1000 x 3001 floats, blocks of 32 x 16 (tests/truth/h200.csv): all loads and stores of the launch.
    uint64_t requests = 0, loads = 0, stores = 0;
    for (uint32_t r = 0; r < 1008; r++) {
        for (uint32_t c0 = 0; c0 < 94 * 32; c0 += 32) {
            uint64_t in[32], out[32];
            uint32_t mask = 0;
            for (uint32_t l = 0; l < 32; l++) {
                uint64_t c = c0 + l;
                in[l] = (r * 3001ull + c) * 4;
                out[l] = (c * 1000ull + r) * 4;
                if (r < 1000 && c < 3001) mask |= 1u << l;
            }
            requests += coalesce(in, mask, 4).requests;
            loads += coalesce(in, mask, 4).sectors;
            stores += coalesce(out, mask, 4).sectors;
        }
    }
    assert_int_equal(requests, 94000);
    assert_int_equal(loads, 457375);
    assert_int_equal(stores, 3001000);
    // l2_tile16, 1024: a warp loads two rows of 16 floats of A and of B: 2 requests of 4 sectors a step.
    for (int l = 0; l < 32; l++) address[l] = (uint64_t)(l / 16) * 4096 + (uint64_t)(l % 16) * 4;
    uint64_t steps = 4096ull * 8 * 64;
    assert_int_equal(steps * 2 * coalesce(address, ~0u, 4).sectors, 16777216);
    // l1_reg_acc, 1024, 32 x 8: one float for all of A, 32 neighbours of B: 5 sectors a step.
    assert_int_equal(32ull * 128 * 8 * 1024 * (strided(0, 0, ~0u, 4).sectors + strided(0, 4, ~0u, 4).sectors),
                     167772160);
}

static void footprints_name_the_units(void **state)
{
    (void)state;
    struct footprint f;
    for (int l = 0; l < 32; l++) address[l] = 128 + (uint64_t)l * 8;
    coalesce_footprint(&f, address, ~0u, 4, 2);
    assert_int_equal(f.cells, 2);
    assert_int_equal(f.cell[0], 1);
    assert_int_equal(f.unit[0], 0x55555555);
    address[0] = 31;
    coalesce_footprint(&f, address, 1, 2, 0); // bytes 31 and 32 lie in two cells
    assert_int_equal(f.cells, 2);
    assert_int_equal(f.unit[0], 0x80000000);
    assert_int_equal(f.unit[1], 1);
    address[0] = 124;
    coalesce_footprint(&f, address, 1, 64, 2);
    assert_int_equal(f.unit[0], 0x80000000);
    assert_int_equal(f.unit[1], 0x7fff);
}

static uint32_t operations(uint32_t mask)
{
    struct footprint f;
    uint16_t each[COALESCE_CELLS];
    uint32_t sum = 0;
    coalesce_footprint(&f, address, mask, 4, 2);
    coalesce_atomic(&f, address, mask, each);
    for (uint32_t i = 0; i < f.cells; i++) sum += each[i];
    return sum;
}

static void atomics_queue_on_their_word(void **state)
{
    (void)state;
    strided(0, 4, ~0u, 4);
    assert_int_equal(operations(~0u), 4); // l4_shared: 2097152 sectors of 524288 requests
    strided(0, 0, ~0u, 4);
    assert_int_equal(operations(~0u), 32); // l4_global, one bin: 16777216
    for (int l = 0; l < 32; l++) address[l] = (uint64_t)(l % 8) * 4;
    assert_int_equal(operations(~0u), 4);
    for (int l = 0; l < 32; l++) address[l] = l < 24 ? 28 + (uint64_t)(l % 2) * 4 : 512 + (uint64_t)l * 4;
    assert_int_equal(operations(~0u), 12 + 12 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_cost_what_they_touch), cmocka_unit_test(order_of_lanes_does_not_matter),
        cmocka_unit_test(totals_agree_with_a_card),      cmocka_unit_test(footprints_name_the_units),
        cmocka_unit_test(atomics_queue_on_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
