// Replaces the clocks that the program reads by clocks in which an API call takes its simulated time. The dynamic
// linker searches libcudart before the C library. So the program's calls of clock_gettime, gettimeofday and time call
// the functions of program_clock.c. The clocks of std::chrono use clock_gettime too.
//
// On the program's clocks, a call of the API takes its virtual time, not the real time that the simulator needs. The
// program's clocks start with the real time at the first API call. From the first API call on, the program's clocks add
// up the virtual time of API calls and the real time outside of API calls. If the runner process asks for deterministic
// results, the program's clocks do not add the real time outside of API calls, but READING_NS each time that the
// program reads a clock. Each host thread that turn.c schedules reads its own virtual time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "host/runtime/call.h"
#include "host/runtime/program_clock.h"
#include "host/runtime/turn.h"

enum { READING_NS = 25 }; // time of one reading on the deterministic clock: clock_gettime through the vDSO

static int64_t begin_ns;   // real time of the first call
static int64_t inside_ns;  // real time spent inside calls since the first call
static int64_t entered_ns; // real time at which the present call began
static int64_t readings;
static int64_t virtual_ps;
static int running, deterministic;

static int64_t real_ns(clockid_t clock)
{
    struct timespec t;
    syscall(SYS_clock_gettime, clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void cudart_clock_begin(int same_on_every_run)
{
    deterministic = same_on_every_run;
    begin_ns = entered_ns = real_ns(CLOCK_MONOTONIC);
    running = 1;
}

void cudart_clock_enter(void)
{
    entered_ns = real_ns(CLOCK_MONOTONIC);
}

void cudart_clock_leave(void)
{
    inside_ns += real_ns(CLOCK_MONOTONIC) - entered_ns;
}

void cudart_clock_is(uint64_t host_ps)
{
    virtual_ps = (int64_t)host_ps;
    cudart_turn_is(host_ps);
}

uint64_t cudart_clock_ps(void)
{
    return (uint64_t)virtual_ps;
}

// Returns by how many ns the program's clocks are ahead of the real clocks (negative: behind).
static int64_t ahead_ns(void)
{
    int64_t ps = virtual_ps;
    cudart_turn_time(&ps);
    int64_t now = real_ns(CLOCK_MONOTONIC), calls = ps / 1000;
    if (deterministic) return begin_ns + calls + READING_NS * ++readings - now;
    return calls - inside_ns;
}

static int is_wall(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
           clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

API int clock_gettime(clockid_t clock, struct timespec *out)
{
    long failed = syscall(SYS_clock_gettime, clock, out);
    if (failed || !running || !is_wall(clock)) return (int)failed;
    int64_t ns = out->tv_sec * INT64_C(1000000000) + out->tv_nsec + ahead_ns();
    out->tv_sec = ns / INT64_C(1000000000);
    out->tv_nsec = ns % INT64_C(1000000000);
    return 0;
}

API int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec t;
    (void)zone;
    int failed = clock_gettime(CLOCK_REALTIME, &t);
    if (!failed) *out = (struct timeval){.tv_sec = t.tv_sec, .tv_usec = t.tv_nsec / 1000};
    return failed;
}

API time_t time(time_t *out)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out) *out = t.tv_sec;
    return t.tv_sec;
}
