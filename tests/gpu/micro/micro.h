// What the parts of tests/gpu/micro share: the device's memory, and how a launch is timed.
#ifndef TESTS_GPU_MICRO_H
#define TESTS_GPU_MICRO_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned long long u64;

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e = (call);                                                                                        \
        if (e != cudaSuccess) {                                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { SINK = 1 << 22, CLOCKS = 1 << 16 };
static const size_t MEMORY = (size_t)1 << 31;
extern int sms;          // multiprocessors of the device
extern u64 *clocks;      // [CLOCKS]: written by kernels, read by the host
extern unsigned *sink;   // [SINK]: keeps results alive
extern unsigned *memory; // [MEMORY] bytes: zeros

inline double median(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

static __global__ void spin(u64 cycles)
{
    u64 start = clock64();
    while (clock64() - start < cycles) continue;
}

// Returns the median time of `launch()` in microseconds, from event to event. A kernel runs before the first event,
// until the host has issued all.
template <class F> double time_us(F launch, int times = 9)
{
    std::vector<double> us;
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    launch();
    for (int i = 0; i < times; i++) {
        float ms;
        spin<<<1, 1>>>(2000000);
        CHECK(cudaEventRecord(from));
        launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        us.push_back(ms * 1e3);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
    return median(us);
}

inline std::vector<u64> clocks_of(int n)
{
    std::vector<u64> c(n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(c.data(), clocks, n * sizeof c[0], cudaMemcpyDeviceToHost));
    return c;
}
inline double mean(const std::vector<u64> &c)
{
    double sum = 0;
    for (u64 v : c) sum += (double)v;
    return sum / c.size();
}

static __global__ void read_all(const uint4 *p, size_t n, unsigned *out, int rounds = 1)
{
    unsigned x = 0;
    for (int round = 0; round < rounds; round++)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
            x += __ldcg(p + i + (x >> 31)).x;
    if (x == 1) *out = x;
}
// Fills the L2 with clean data that no row reads.
inline void flush()
{
    read_all<<<sms * 4, 512>>>((uint4 *)((char *)memory + MEMORY / 2), MEMORY / 8 / sizeof(uint4), sink);
}

// The parts: each prints its rows.
void arithmetic(), atomics(), launches(), memory_rows(), mixed_rows(), chase(), step(), loaded(), objects(), calls(),
    floor_rows();

#endif
