// Wavefronts of shared memory: all strides, wide accesses, tiles with and without padding, and patterns measured on a
// card.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "device/banks.h"

static uint64_t address[32];

static struct bank_cost strided(uint32_t stride_words, uint32_t bytes)
{
    for (uint32_t l = 0; l < 32; l++) address[l] = 1024 + (uint64_t)l * stride_words * 4;
    return banks_access(address, ~0u, bytes, BANKS_LOAD);
}

static void strides_of_floats_and_doubles(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride < 65; stride++) {
        uint32_t odd = stride, power = 1;
        for (; odd % 2 == 0 && power < 32; odd /= 2) power *= 2;
        assert_int_equal(strided(stride, 4).wavefronts, power); // as many as the stride has factors of two
        assert_int_equal(strided(stride, 4).conflicts, power - 1);
    }
    assert_int_equal(strided(2, 8).wavefronts, 2); // double, stride 1: two half-warps
    assert_int_equal(strided(2, 8).conflicts, 0);
    assert_int_equal(strided(4, 8).wavefronts, 4);
    assert_int_equal(strided(16, 8).wavefronts, 16); // double, stride 8
    assert_int_equal(strided(4, 16).wavefronts, 4);  // float4: four quarter-warps
    assert_int_equal(strided(4, 16).conflicts, 0);
    assert_int_equal(strided(8, 16).wavefronts, 8);
}

static void lanes_that_agree_share(void **state)
{
    (void)state;
    assert_int_equal(strided(0, 4).wavefronts, 1);
    assert_int_equal(strided(0, 8).wavefronts, 1);
    assert_int_equal(strided(0, 16).wavefronts, 2);
    assert_int_equal(banks_access(address, ~0u, 16, BANKS_STORE).wavefronts, 4);
    assert_int_equal(strided(0, 1).wavefronts, 1);
    for (uint32_t l = 0; l < 32; l++) address[l] = l; // chars: eight words
    assert_int_equal(banks_access(address, ~0u, 1, BANKS_LOAD).wavefronts, 1);
    for (uint32_t l = 0; l < 32; l++) address[l] = l / 16 * 4096; // two words of one bank
    assert_int_equal(banks_access(address, ~0u, 4, BANKS_LOAD).wavefronts, 2);
    assert_int_equal(banks_access(address, 0xffff, 4, BANKS_LOAD).wavefronts, 1);
    assert_int_equal(banks_access(address, 0, 4, BANKS_LOAD).wavefronts, 0);
    assert_int_equal(banks_access(address, 1, 16, BANKS_LOAD).wavefronts, 1);
}

// A tile of rows of `pitch` floats read as the transposes of tests/truth do: lane l reads tile[l % rows][first + l /
// rows].
static uint32_t column_read(uint32_t rows, uint32_t pitch, uint32_t first)
{
    for (uint32_t l = 0; l < 32; l++) address[l] = ((uint64_t)(l % rows) * pitch + first + l / rows) * 4;
    return banks_access(address, ~0u, 4, BANKS_LOAD).wavefronts;
}

static void tiles_and_their_padding(void **state)
{
    (void)state;
    assert_int_equal(column_read(32, 32, 5), 32); // l7_tile32x8: 17.0 M wavefronts of 524288 loads
    assert_int_equal(column_read(32, 33, 5), 1);  // l7_tile32x8_pad
    assert_int_equal(column_read(32, 34, 5), 2);
    assert_int_equal(column_read(16, 32, 4), 16); // l7_smem_32x16: 8.5 M
    assert_int_equal(column_read(16, 33, 4), 2);  // l7_pad1_32x16: 1.17 M
    assert_int_equal(column_read(16, 34, 4), 1);  // l7_pad2_32x16: 0.62 M
}

static void atomics_cost_their_busiest_address(void **state)
{
    (void)state;
    for (uint32_t sharing = 1; sharing <= 32; sharing *= 2) {
        for (uint32_t l = 0; l < 32; l++) address[l] = l / sharing * 4;
        assert_int_equal(banks_atomic_serial(address, ~0u), sharing);
    }
    assert_int_equal(banks_atomic_serial(address, 0), 0);
    assert_int_equal(banks_atomic_serial(address, 0x11), 2);
}

// One column of a measured row: nothing where the cell is empty.
static void measured_cell(char **cells, const uint32_t unit[32], uint32_t mask, uint32_t bytes, enum bank_kind kind)
{
    char *cell = strsep(cells, ",\n");
    assert_non_null(cell);
    if (!*cell) return;
    for (uint32_t l = 0; l < 32; l++) address[l] = (uint64_t)unit[l] * bytes;
    uint32_t wavefronts = banks_access(address, mask, bytes, kind).wavefronts;
    if (wavefronts != strtoul(cell, NULL, 10))
        fail_msg("%u bytes, kind %d, mask %08x, units %u %u %u …: %u wavefronts, measured %s", bytes, kind, mask,
                 unit[0], unit[1], unit[2], wavefronts, cell);
}

// Every pattern that was measured on a card.
static void patterns_of_a_card(void **state)
{
    (void)state;
    FILE *f = fopen("tests/truth/h200_banks.csv", "r");
    char line[1024];
    int rows = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *cells = line, *units;
        if (line[0] == '#' || line[0] == 'm') continue;
        uint32_t unit[32], mask = (uint32_t)strtoul(strsep(&cells, ","), NULL, 16);
        units = strsep(&cells, ",");
        for (uint32_t l = 0; l < 32; l++) unit[l] = (uint32_t)strtoul(units, &units, 10);
        for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) measured_cell(&cells, unit, mask, bytes, BANKS_LOAD);
        for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) measured_cell(&cells, unit, mask, bytes, BANKS_STORE);
        measured_cell(&cells, unit, mask, 4, BANKS_ATOMIC);
        rows++;
    }
    fclose(f);
    assert_in_range(rows, 100, 1000);
}

// Any access, drawn pass by pass: as many passes as it costs, a bank gives one word in each, and every lane gets all
// its words once.
static void steps_are_the_passes(void **state)
{
    (void)state;
    struct prng random = prng_stream(7, "banks");
    for (int round = 0; round < 3000; round++) {
        uint32_t bytes = 1u << prng_u32(&random) % 5, spread = 1u << (5 + prng_u32(&random) % 8);
        uint32_t mask = prng_u32(&random) | 1u << prng_u32(&random) % 32, kind = prng_u32(&random) % 3, words = 0;
        struct bank_steps s;
        for (uint32_t l = 0; l < 32; l++) address[l] = prng_u32(&random) % spread / bytes * bytes;
        for (uint32_t l = 1; round % 2 && l < 32; l++) // ascending, with repeats
            address[l] = address[l - 1] + prng_u32(&random) % (spread / 32 + 1) / bytes * bytes;
        banks_steps(&s, address, mask, bytes, kind);
        assert_int_equal(s.count, banks_access(address, mask, bytes, kind).wavefronts);
        for (uint32_t i = 0; i < s.count; i++)
            for (uint32_t b = 0; b < BANKS; b++) {
                const uint32_t lanes = s.step[i].lanes[b];
                words += (uint32_t)__builtin_popcount(lanes);
                if (!lanes) continue;
                assert_int_equal(s.step[i].word[b] % BANKS, b);
                if (kind == BANKS_ATOMIC) assert_int_equal(lanes & (lanes - 1), 0);
            }
        assert_int_equal(words, __builtin_popcount(mask) * (bytes > 4 ? bytes / 4 : 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_of_floats_and_doubles),
        cmocka_unit_test(lanes_that_agree_share),
        cmocka_unit_test(tiles_and_their_padding),
        cmocka_unit_test(atomics_cost_their_busiest_address),
        cmocka_unit_test(patterns_of_a_card),
        cmocka_unit_test(steps_are_the_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
