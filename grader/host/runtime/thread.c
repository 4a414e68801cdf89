// Replaces the C library's functions with which threads begin, end, sleep and wait at a futex, so that turn.c schedules
// the program's threads. The dynamic linker searches libcudart before the C library.
//
// In libstdc++, std::future, std::latch, std::barrier and std::atomic::wait wait at a futex through the C library's
// function `syscall`. The scheduler in turn.c therefore also handles the futex operations that the program makes with
// the function `syscall`. If turn.c does not schedule the program's threads, each function of thread.c only calls the C
// library's own function.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "base/alloc.h"
#include "host/runtime/call.h"
#include "host/runtime/real.h"
#include "host/runtime/turn.h"

// CREATE_NS, JOIN_NS and the other constants of this enum are the times in ns that calls of the replaced functions take
// on the virtual clock. The values of CREATE_NS, JOIN_NS and the other constants are estimates for Linux on a server.
enum { CREATE_NS = 10000, JOIN_NS = 1000, YIELD_NS = 500, SLEEP_NS = 1000, FUTEX_NS = 500 };

struct beginning {
    struct cudart_turn_thread *turn;
    void *(*function)(void *);
    void *argument;
};

static void *begin(void *at)
{
    struct beginning b = *(struct beginning *)at;
    free(at);
    cudart_turn_start(b.turn);
    return b.function(b.argument);
}

// Creates a thread as pthread_create() does, in `ns` nanoseconds of virtual time.
static int create(pthread_t *out, const pthread_attr_t *attributes, void *(*function)(void *), void *argument,
                  uint64_t ns)
{
    struct cudart_turn_thread *turn = cudart_turn_add();
    if (!turn) return cudart_real_pthread_create(out, attributes, function, argument);
    struct beginning *b = alloc_bytes(sizeof *b);
    *b = (struct beginning){turn, function, argument};
    cudart_turn_pass(ns);
    int error = cudart_real_pthread_create(out, attributes, begin, b);
    if (error) {
        cudart_turn_drop(turn);
        free(b);
        return error;
    }
    cudart_turn_name(turn, *out);
    cudart_turn_pass(0);
    return 0;
}

API int pthread_create(pthread_t *restrict out, const pthread_attr_t *restrict attributes, void *(*function)(void *),
                       void *restrict argument)
{
    cudart_real_load();
    cudart_connect();
    return create(out, attributes, function, argument, CREATE_NS);
}

int cudart_thread_serve(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    pthread_attr_t attributes;
    cudart_real_load();
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int error = create(&thread, &attributes, function, argument, 0);
    pthread_attr_destroy(&attributes);
    return error;
}

API int pthread_join(pthread_t thread, void **result)
{
    cudart_real_load();
    if (cudart_turn_on() && !cudart_turn_join(thread)) cudart_turn_pass(JOIN_NS);
    cudart_turn_hold(1); // the thread has ended already, or is not scheduled
    int error = cudart_real_pthread_join(thread, result);
    cudart_turn_hold(-1);
    return error;
}

// ---------------------------------------------------------------- sleeping
API int sched_yield(void)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_sched_yield();
    cudart_turn_pass(YIELD_NS);
    return 0;
}

static int is_time(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

static void sleep_ns(uint64_t ns)
{
    cudart_turn_block(NULL, cudart_turn_after(ns + SLEEP_NS));
}

API int nanosleep(const struct timespec *time, struct timespec *rest)
{
    cudart_real_load();
    if (!cudart_turn_on() || !is_time(time)) return cudart_real_nanosleep(time, rest);
    sleep_ns((uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec);
    return 0;
}

API int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
    cudart_real_load();
    if (!cudart_turn_on() || !is_time(time)) return cudart_real_clock_nanosleep(clock, flags, time, rest);
    if (flags & TIMER_ABSTIME)
        cudart_turn_block(NULL, cudart_turn_deadline(clock, time));
    else
        sleep_ns((uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec);
    return 0;
}

API int usleep(useconds_t us)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_usleep(us);
    sleep_ns((uint64_t)us * 1000);
    return 0;
}

API unsigned sleep(unsigned s)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_sleep(s);
    sleep_ns((uint64_t)s * 1000000000);
    return 0;
}

// ---------------------------------------------------------------- futexes
// Returns the deadline of a futex operation on the thread's virtual clock. FUTEX_WAIT has a relative timeout,
// FUTEX_WAIT_BITSET an absolute one.
static uint64_t futex_deadline(int operation, const struct timespec *time)
{
    if (!time) return CUDART_TURN_NEVER;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return cudart_turn_after((uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec);
    return cudart_turn_deadline(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
}

static long wait_at(const int *word, int operation, int value, const struct timespec *time)
{
    cudart_turn_pass(FUTEX_NS);
    uint64_t deadline = futex_deadline(operation, time);
    cudart_turn_keep(); // until the thread blocks, so that it misses no wake-up
    int error = 0;
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
        error = EAGAIN;
    else if (cudart_turn_block(word, deadline))
        error = ETIMEDOUT;
    cudart_turn_hold(-1);
    if (error) errno = error;
    return error ? -1 : 0;
}

API long syscall(long number, ...)
{
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; ++i) a[i] = va_arg(list, long);
    va_end(list);
    cudart_real_load();
    int command = number == SYS_futex ? (int)a[1] & FUTEX_CMD_MASK : -1;
    if (cudart_turn_on() && (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET))
        return wait_at((const int *)a[0], (int)a[1], (int)a[2], (const struct timespec *)a[3]);
    long result = cudart_real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result >= 0 && (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) && (int)a[2] > result)
        result += cudart_turn_wake((const void *)a[0], (unsigned)((int)a[2] - result));
    return result;
}
