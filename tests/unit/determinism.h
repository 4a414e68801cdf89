// Runs the same launch with several numbers of host threads and vector units. The results must be equal to the byte.
#ifndef TESTS_UNIT_DETERMINISM_H
#define TESTS_UNIT_DETERMINISM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/text_struct.h"
#include "sim/sim.h"

// The others are compared with the first. Of vector units that this machine has not, no engine is made.
static const struct engine_options determinism_host[] = {
    {.threads = 1, .units = "base"},
    {.threads = 1, .units = "v3"},
    {.threads = 1, .units = "v4"},
    {.threads = 2},
    {.threads = 3},
};
enum { DETERMINISM_HOSTS = sizeof determinism_host / sizeof determinism_host[0] };

// What a host made of the launch.
struct determinism_result {
    struct observation observation;
    unsigned char memory[1 << 15];
};

static inline void determinism_open(struct engine *e[DETERMINISM_HOSTS], const struct text *ptx,
                                    struct engine_image *facts)
{
    char message[OBSERVATION_MESSAGE];
    for (int h = 0; h < DETERMINISM_HOSTS; h++) {
        e[h] = sim_engine_ops.open(&determinism_host[h], message);
        if (e[h] && sim_engine_ops.load(e[h], ptx->data, ptx->length, facts, message)) fail_msg("%s", message);
    }
}

static inline void determinism_close(struct engine *e[DETERMINISM_HOSTS])
{
    for (int h = 0; h < DETERMINISM_HOSTS; h++)
        if (e[h]) sim_engine_ops.close(e[h]);
}

static inline long determinism_differ(const void *a, const void *b, size_t bytes)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < bytes; i++)
        if (x[i] != y[i]) return (long)i;
    return -1;
}

// 0 when the two are the same; else 1, and said.
static inline int determinism_compare(const struct determinism_result *first, const struct determinism_result *other,
                                      int host, const char *compiler, int image, const char *kernel, uint64_t seed)
{
    long o = determinism_differ(&first->observation, &other->observation, sizeof first->observation),
         m = determinism_differ(first->memory, other->memory, sizeof first->memory);
    if (o < 0 && m < 0) return 0;
    print_error("%s, %s, %s, seed %u: with %u threads and units '%s', byte %ld of the observation, %ld of memory\n",
                compiler, image ? "unoptimised" : "optimised", kernel, (unsigned)seed, determinism_host[host].threads,
                determinism_host[host].units ? determinism_host[host].units : "best", o, m);
    return 1;
}

#endif
