// The scheduler of a host program's threads, where a thread loses its turn because it computes for long.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <time.h>

#include "host/runtime/turn.h"

static int changed, kept; // kept: the thread keeps its turn while it looks
static const char change, end;

// Uses 0.3 seconds of the processor, for which a thread loses its turn.
static void compute(void)
{
    struct timespec t, begin;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    while ((t.tv_sec - begin.tv_sec) * 1000 + (t.tv_nsec - begin.tv_nsec) / 1000000 < 300);
}

// Looks whether something has changed, is slow, and blocks until somebody tells the change.
static void *await_change(void *unused)
{
    if (kept) cudart_turn_keep();
    int seen = __atomic_load_n(&changed, __ATOMIC_SEQ_CST);
    compute();
    if (!seen) cudart_turn_block(&change, CUDART_TURN_NEVER);
    if (kept) cudart_turn_hold(-1);
    cudart_turn_wake(&end, UINT_MAX);
    return unused;
}

// Returns 1 if the thread ends although the change comes while it is slow.
static int ends(int keep)
{
    kept = keep;
    changed = 0;
    assert_int_equal(cudart_thread_serve(await_change, NULL), 0);
    cudart_turn_pass(1000);
    __atomic_store_n(&changed, 1, __ATOMIC_SEQ_CST);
    cudart_turn_wake(&change, UINT_MAX);
    return !cudart_turn_block(&end, cudart_turn_after(1000000000));
}

static void a_thread_that_keeps_its_turn_misses_nothing(void **state)
{
    (void)state;
    cudart_turn_allow();
    assert_true(ends(1));
    assert_false(ends(0)); // the same thread would miss the change, so that the first line can fail
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_thread_that_keeps_its_turn_misses_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
