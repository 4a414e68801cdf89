// The pattern of a warp's addresses: which patterns are recognised. Results derived from a pattern must equal those
// derived from the addresses, lane by lane.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "device/banks.h"
#include "sim/core/access.h"
#include "sim/machine/pattern.h"

enum { WORDS = 4096, TRIES = 20000 };

static uint8_t memory[4 * WORDS + 64] __attribute__((aligned(64)));
static uint64_t address[WARP_LANES];
static uint32_t narrow[WARP_LANES] __attribute__((aligned(64)));
static uint64_t wide[WARP_LANES] __attribute__((aligned(64)));
static struct pattern shape;
static const struct sim_access load = {.kind = ACCESS_READ, .bytes = 4, .count = 1};

static void set_rows(uint64_t base)
{
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        wide[i] = base + address[i];
        narrow[i] = (uint32_t)wide[i];
    }
}

// Segments at random places of memory, often where another is: uniform or consecutive. Returns the lanes.
static uint32_t draw(struct prng *p)
{
    uint32_t mask = 0, place[SEGMENTS];
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        uint32_t other = prng_below(p, SEGMENTS), uniform = prng_below(p, 2), near = prng_below(p, 3);
        place[k] = near && other < k ? place[other] + 8 * (near - 1) : prng_below(p, WORDS - 64);
        if (prng_below(p, 4)) mask |= 0xffu << (8 * k);
        for (uint32_t i = 0; i < 8; i++) address[8 * k + i] = 4ull * (place[k] + (uniform ? 0 : i));
    }
    return mask ? mask : ~0u;
}

static uint32_t word_at(uint64_t at)
{
    uint32_t word;
    memcpy(&word, memory + at, 4);
    return word;
}

static void compare(uint32_t mask)
{
    uint32_t row[WARP_LANES] __attribute__((aligned(64))), first = (uint32_t)__builtin_ctz(mask), twice = 0;
    assert_int_equal(shape.first, first);
    assert_int_equal(shape.wavefronts, banks_access(address, mask, 4, BANKS_LOAD).wavefronts);
    memset(row, 0xab, sizeof row);
    pattern_load(&shape, memory + address[first], row);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        assert_int_equal(row[i], mask >> i & 1 ? word_at(address[i]) : 0xabababab);
        for (uint32_t k = 0; k < i; k++) twice |= (mask >> i & mask >> k & 1) && address[i] == address[k];
    }
    assert_int_equal(shape.distinct, !twice);
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        for (uint32_t n = k; n < SEGMENTS; n++) {
            int both = mask >> (8 * k) & mask >> (8 * n) & 1;
            int same = both && !memcmp(address + 8 * k, address + 8 * n, 8 * sizeof *address);
            assert_int_equal(shape.twin[k] >> n & 1, same);
        }
    }
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        assert_true((int64_t)(address[i] - address[first]) >= shape.lo);
        assert_true((int64_t)(address[i] - address[first]) + 4 <= (int64_t)shape.lo + shape.span);
    }
}

static void segments_are_recognised(void **state)
{
    (void)state;
    struct prng p = prng_stream(1, "shapes");
    for (uint32_t i = 0; i < WORDS; i++) memcpy(memory + 4 * i, &(uint32_t){i * 2654435761u}, 4);
    for (int try = 0; try < TRIES; try++) {
        uint32_t mask = draw(&p), lane = prng_below(&p, WARP_LANES), base = 4 * prng_below(&p, 1000);
        set_rows(4096);
        assert_true(pattern_learn(&shape, narrow, 0, mask, &load));
        compare(mask);
        assert_true(pattern_learn(&shape, wide, 1, mask, &load));
        compare(mask);
        set_rows(base); // another base, the same shape
        assert_true(pattern_matches(&shape, narrow, 0, mask));
        assert_true(pattern_matches(&shape, wide, 1, mask));
        assert_false(pattern_matches(&shape, narrow, 0, mask ^ 1u << lane));
        narrow[lane] += 4; // one lane elsewhere: another shape, if the lane takes part
        wide[lane] -= (uint64_t)1 << 32;
        assert_int_equal(pattern_matches(&shape, narrow, 0, mask), !(mask >> lane & 1));
        assert_int_equal(pattern_matches(&shape, wide, 1, mask), !(mask >> lane & 1));
    }
}

static void the_rest_has_no_shape(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < WARP_LANES; i++) address[i] = 4 * i;
    set_rows(0);
    assert_true(pattern_learn(&shape, narrow, 0, ~0u, &load));
    assert_false(pattern_learn(&shape, narrow, 0, ~0u >> 1, &load)); // a segment in part
    assert_false(pattern_matches(&shape, narrow, 0, ~0u));           // and what was known is forgotten
    narrow[8]++;
    assert_false(pattern_learn(&shape, narrow, 0, ~0u, &load));
    for (uint64_t i = 0; i < WARP_LANES; i++) address[i] = 8 * i;
    set_rows(0);
    assert_false(pattern_learn(&shape, narrow, 0, ~0u, &load));
    for (uint64_t i = 0; i < WARP_LANES; i++) address[i] = 4 * i + (i / 16 << 40); // too far apart
    set_rows(0);
    assert_false(pattern_learn(&shape, wide, 1, ~0u, &load));
    for (uint64_t i = 0; i < WARP_LANES; i++) address[i] = 4 * i + i / 16; // half of it misaligned
    set_rows(0);
    assert_false(pattern_learn(&shape, wide, 1, ~0u, &load));
}

// 32-bit addresses that went below zero lie four gigabytes up, not before the first.
static void addresses_do_not_wrap_around(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < WARP_LANES; i++) address[i] = 4 * i;
    set_rows(64);
    assert_true(pattern_learn(&shape, narrow, 0, ~0u, &load));
    set_rows(0);
    assert_true(pattern_matches(&shape, narrow, 0, ~0u));
    set_rows((uint64_t)-32);
    assert_false(pattern_matches(&shape, narrow, 0, ~0u));
    assert_true(pattern_matches(&shape, wide, 1, ~0u));
    set_rows(((uint64_t)1 << 32) - 128);
    assert_true(pattern_matches(&shape, narrow, 0, ~0u));
    for (uint64_t i = 0; i < WARP_LANES; i++) address[i] = 4 * (i ^ 16); // the first lane is not the lowest
    set_rows(0);
    assert_true(pattern_learn(&shape, narrow, 0, ~0u, &load));
    set_rows((uint64_t)-64);
    assert_false(pattern_matches(&shape, narrow, 0, ~0u));
}

static void stores_go_where_loads_come_from(void **state)
{
    (void)state;
    struct prng p = prng_stream(2, "shapes");
    for (int try = 0; try < TRIES; try++) {
        uint32_t mask = draw(&p), row[WARP_LANES] __attribute__((aligned(64)));
        set_rows(0);
        assert_true(pattern_learn(&shape, narrow, 0, mask, &load));
        if (!shape.distinct) continue;
        for (uint32_t i = 0; i < WARP_LANES; i++) row[i] = prng_u32(&p);
        pattern_store(&shape, memory + address[shape.first], row);
        for (uint32_t i = 0; i < WARP_LANES; i++)
            if (mask >> i & 1) assert_int_equal(word_at(address[i]), row[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_are_recognised),
        cmocka_unit_test(the_rest_has_no_shape),
        cmocka_unit_test(addresses_do_not_wrap_around),
        cmocka_unit_test(stores_go_where_loads_come_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
