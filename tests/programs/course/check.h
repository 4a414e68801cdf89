// What the programs of this folder share: looking at error codes, and ending with what was found.
#ifndef COURSE_CHECK_H
#define COURSE_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check((call), #call, __FILE__, __LINE__)
static inline void check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline int argument(int argc, char **argv, int i, int otherwise)
{
    return argc > i ? atoi(argv[i]) : otherwise;
}

#endif
