// Reads the monotonic clock, which neither users nor time servers can set.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

// Returns the nanoseconds since an unspecified fixed point in the past.
static inline int64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Returns the seconds since the fixed point in the past from which clock_ns() counts.
static inline double clock_s(void)
{
    return (double)clock_ns() / 1e9;
}

#endif
