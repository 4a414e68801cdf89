// The table of heap blocks: where blocks lie, what is known of freed ones, a full heap, and the return to a saved
// state.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "base/prng.h"
#include "sim/hazard/heap.h"

enum { BYTES = 4096, MODEL_BLOCKS = 64, ROUNDS = 20000 };

static uint64_t steps;

static uint64_t take(struct heap *h, uint64_t bytes, uint32_t line)
{
    return heap_take(h, bytes, &(struct finding_place){.line = line}, &steps);
}
static enum heap_state give(struct heap *h, uint64_t offset, uint32_t line)
{
    return heap_give(h, offset, &(struct finding_place){.line = line});
}

static void blocks_have_bounds(void **state)
{
    (void)state;
    struct heap *h = heap_new(BYTES);
    uint64_t a = take(h, 20, 3), b = take(h, 16, 4), none = take(h, 0, 5);
    assert_true(a % HEAP_ALIGNMENT == 0 && b % HEAP_ALIGNMENT == 0 && a + 20 < b && b + 16 < none);
    assert_int_equal(heap_state_of(h, a, 20), HEAP_TAKEN);
    assert_int_equal(heap_state_of(h, a + 16, 8), HEAP_OUTSIDE);
    assert_int_equal(heap_state_of(h, a + 20, 1), HEAP_OUTSIDE);
    assert_int_equal(heap_state_of(h, b - 1, 1), HEAP_OUTSIDE);
    assert_int_equal(heap_state_of(h, BYTES, 1), HEAP_OUTSIDE);
    assert_int_equal(heap_block_near(h, a + 24)->made.line, 3);
    assert_int_equal(heap_block_near(h, b + 20)->made.line, 4); // between two blocks: behind the first
    assert_null(heap_block_near(h, BYTES - 1));
    assert_int_equal(give(h, none, 6), HEAP_TAKEN);
    assert_int_equal(give(h, a + 16, 6), HEAP_OUTSIDE);
    heap_free(h);
}

static void freed_blocks_are_known(void **state)
{
    (void)state;
    struct heap *h = heap_new(BYTES);
    uint64_t a = take(h, 64, 3);
    assert_int_equal(give(h, a, 8), HEAP_TAKEN);
    assert_int_equal(heap_state_of(h, a, 4), HEAP_FREED);
    assert_int_equal(give(h, a, 9), HEAP_FREED);
    assert_int_equal(heap_block_near(h, a)->freed.line, 8);
    assert_true(take(h, 64, 4) != a); // freed memory is taken as late as possible
    while (take(h, 48, 5) != HEAP_FULL) {
    }
    assert_int_not_equal(heap_state_of(h, a, 4), HEAP_FREED);
    heap_free(h);
}

static void a_full_heap_returns_nothing(void **state)
{
    (void)state;
    struct heap *h = heap_new(BYTES);
    assert_true(take(h, BYTES, 1) == HEAP_FULL);
    uint64_t a = take(h, BYTES / 2, 1);
    assert_true(take(h, BYTES / 2, 1) == HEAP_FULL);
    uint64_t before = steps;
    assert_true(take(h, BYTES / 2, 1) == HEAP_FULL);
    assert_int_equal(steps, before); // known without a search
    assert_int_equal(give(h, a, 2), HEAP_TAKEN);
    assert_true(take(h, BYTES / 2, 1) != HEAP_FULL);
    assert_true(take(h, UINT64_MAX, 1) == HEAP_FULL);
    heap_free(h);
}

static void a_saved_state_comes_back(void **state)
{
    (void)state;
    struct heap *h = heap_new(BYTES);
    uint64_t a = take(h, 100, 1);
    heap_save(h);
    for (int repetition = 0; repetition < 2; repetition++) {
        uint64_t b = take(h, 100, 2);
        assert_int_equal(give(h, a, 3), HEAP_TAKEN);
        heap_restore(h);
        assert_int_equal(heap_state_of(h, a, 100), HEAP_TAKEN);
        assert_int_equal(heap_state_of(h, b, 1), HEAP_OUTSIDE);
    }
    heap_forget(h);
    heap_free(h);
}

// A model that knows every byte: live blocks never overlap, and each live block keeps its bounds.
static void blocks_never_overlap(void **state)
{
    (void)state;
    struct heap *h = heap_new(BYTES);
    struct prng random = prng_stream(1, "heap");
    uint64_t offset[MODEL_BLOCKS], bytes[MODEL_BLOCKS];
    uint8_t owner[BYTES] = {0};
    uint32_t live = 0, full = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (live < MODEL_BLOCKS - 1 && prng_below(&random, 2)) {
            uint64_t want = prng_below(&random, 300), at = take(h, want, 1);
            full += at == HEAP_FULL;
            if (at == HEAP_FULL) continue;
            assert_true(at + want <= BYTES);
            for (uint64_t k = at; k < at + want; k++) assert_int_equal(owner[k], 0);
            memset(owner + at, 1, want);
            offset[live] = at, bytes[live++] = want;
        } else if (live) {
            uint32_t k = (uint32_t)prng_below(&random, live);
            if (bytes[k]) assert_int_equal(heap_state_of(h, offset[k], bytes[k]), HEAP_TAKEN);
            assert_int_equal(give(h, offset[k], 2), HEAP_TAKEN);
            memset(owner + offset[k], 0, bytes[k]);
            offset[k] = offset[--live], bytes[k] = bytes[live];
        }
    }
    assert_in_range(full, 1, ROUNDS / 2);
    heap_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_bounds),          cmocka_unit_test(freed_blocks_are_known),
        cmocka_unit_test(a_full_heap_returns_nothing), cmocka_unit_test(a_saved_state_comes_back),
        cmocka_unit_test(blocks_never_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
