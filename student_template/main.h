// What the main_labN.cu have in common: checking errors, and starting a kernel as its LAUNCH says.
//
// Every call of the CUDA runtime returns an error code, and a kernel's own errors come with the next call that waits for
// it. Whoever does not look at them works on with garbage: CHECK looks, and ends the program with the line.
#ifndef MAIN_H
#define MAIN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check((call), #call, __LINE__)
static inline void check(cudaError_t error, const char *call, int line)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    exit(1);
}

// LAUNCH(kernel, …) left its numbers in a variable of the device; the host fetches them as the grader does.
#define SHAPE(kernel) shape_of(kernel##_launch)
template <typename T> static struct launch shape_of(const T &variable)
{
    struct launch shape;
    CHECK(cudaMemcpyFromSymbol(&shape, variable, sizeof shape));
    return shape;
}

static inline unsigned or_else(unsigned value, unsigned otherwise)
{
    return value ? value : otherwise;
}

static inline dim3 block_of(struct launch s)
{
    return dim3(s.block[0], or_else(s.block[1], 1), or_else(s.block[2], 1));
}

// As many blocks as cover width x height elements, if each covers a tile; or what LAUNCH says instead.
static inline dim3 grid_of(struct launch s, unsigned width, unsigned height)
{
    unsigned x = or_else(s.tile[0], s.block[0]), y = or_else(s.tile[1], or_else(s.block[1], 1));
    if (s.grid[0]) return dim3(s.grid[0], or_else(s.grid[1], 1), or_else(s.grid[2], 1));
    if (s.per_sm) {
        int sms;
        CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
        return dim3(s.per_sm * sms);
    }
    return dim3((width + x - 1) / x, (height + y - 1) / y);
}

// A clock for the device: start before a kernel, stop after it; both only drop a mark into the stream, and `stop` waits
// for the second. Milliseconds.
struct stopwatch {
    cudaEvent_t from, to;
};
static inline struct stopwatch start(void)
{
    struct stopwatch w;
    CHECK(cudaEventCreate(&w.from));
    CHECK(cudaEventCreate(&w.to));
    CHECK(cudaEventRecord(w.from));
    return w;
}
static inline float stop(struct stopwatch w)
{
    float ms;
    CHECK(cudaEventRecord(w.to));
    CHECK(cudaEventSynchronize(w.to));
    CHECK(cudaEventElapsedTime(&ms, w.from, w.to));
    CHECK(cudaEventDestroy(w.from));
    CHECK(cudaEventDestroy(w.to));
    return ms;
}

// The same numbers on every machine: a simple generator (Numerical Recipes), -1 … 1.
static unsigned state = 1;
static inline unsigned next_number(void)
{
    return state = state * 1664525 + 1013904223;
}
static inline float next_float(void)
{
    return (float)(next_number() >> 8) / 8388608 - 1;
}

// Says whether all was right, and how fast. The program's exit code.
static inline int finish(long wrong, double bytes, float ms)
{
    if (wrong) printf("%ld elements are wrong\n", wrong);
    if (!wrong) printf("right; %.3f ms, %.1f GB/s\n", ms, bytes / ms / 1e6);
    return wrong ? 1 : 0;
}

#endif
