// The scheduler of a host program's threads: a thread that computes for long loses its turn, one that waits for its
// first turn does not, however late the system wakes it.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include "host/runtime/real.h"
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

// Stands for the system call of a busy machine: a new thread that is woken goes on 50 ms later, and sleeps until then.
static long (*system_call)(long, ...);
static int waits; // 1: the new thread waits for its turn
static long late_call(long number, ...)
{
    static __thread int calls;
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; ++i) a[i] = va_arg(list, long);
    va_end(list);
    int is_first = number == SYS_futex && (a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT && !calls++;
    if (is_first) __atomic_store_n(&waits, 1, __ATOMIC_SEQ_CST);
    long result = system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (!is_first) return result;
    int never = 0;
    struct timespec late = {.tv_nsec = 50000000};
    system_call(SYS_futex, &never, FUTEX_WAIT_PRIVATE, never, &late, NULL, 0);
    return result;
}

static void *tell_end(void *unused)
{
    cudart_turn_wake(&end, UINT_MAX);
    return unused;
}

static void a_thread_that_is_woken_late_has_its_first_turn(void **state)
{
    (void)state;
    cudart_turn_allow();
    cudart_real_load();
    system_call = cudart_real_syscall;
    cudart_real_syscall = late_call;
    assert_int_equal(cudart_thread_serve(tell_end, NULL), 0);
    while (!__atomic_load_n(&waits, __ATOMIC_SEQ_CST))
        system_call(SYS_nanosleep, &(struct timespec){.tv_nsec = 1000000}, NULL);
    int timed_out = cudart_turn_block(&end, cudart_turn_after(1000000000));
    cudart_real_syscall = system_call;
    assert_false(timed_out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_is_woken_late_has_its_first_turn),
        cmocka_unit_test(a_thread_that_keeps_its_turn_misses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
