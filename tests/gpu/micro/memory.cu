// Measures launches, and memory: its bandwidth and its latency, alone, in step and under load.
#include "micro.h"

// ---------------------------------------------------------------- launches

__global__ void empty()
{
}

void launches()
{
    for (int blocks : {1, 100, 1000, 10000, 65536, 200000}) {
        printf("empty grid of %d blocks", blocks);
        for (int threads : {32, 256, 1024})
            printf("%s x %d: %.2f us", threads > 32 ? ";" : "", threads,
                   time_us([=] { empty<<<blocks, threads>>>(); }));
        printf("\n");
    }
    double us = time_us([] {
        for (int i = 0; i < 100; i++) empty<<<1, 32>>>();
    });
    printf("launch back to back, 100 empty kernels: %.2f us each\n", us / 100);
}

// ---------------------------------------------------------------- memory

__global__ void read_floats(const unsigned *p, size_t n, unsigned *out)
{
    unsigned x = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        unsigned v;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p + i + x));
        x += v; // zero: the next load waits for this one
    }
    if (x == 1) *out = x;
}
__global__ void write_all(uint4 *p, size_t n, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
            p[i] = make_uint4(0, 0, 0, 0);
}
__global__ void write_words(unsigned *p, size_t n, int rounds) // of each sector one
{
    for (int round = 0; round < rounds; round++)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
            p[8 * i] = 0;
}

// Each thread loads a word, then stores one, and the next load waits for both in program order. STORES 0: none, 1:
// always to the same place, 2: to a stream of its own.
template <int STORES> __global__ void loads_and_stores(const unsigned *p, unsigned *q, size_t n, unsigned *out)
{
    unsigned x = 0;
    size_t first = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (size_t i = first; i < n; i += (size_t)gridDim.x * blockDim.x) {
        unsigned v;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p + i + x));
        x += v;
        if (STORES) asm volatile("st.global.u32 [%0], %1;" ::"l"(q + (STORES == 1 ? first : i)), "r"(x) : "memory");
    }
    if (x == 1) *out = x;
}
void mixed_rows()
{
    for (size_t mb : {16, 256})
        for (int threads : {256, 512, 1024, 2048}) {
            size_t n = (mb << 20) / 4;
            int blocks = sms * 4, each = threads / 4, times = mb == 16 ? 8 : 1;
            unsigned *q = memory + MEMORY / 8;
            auto rate = [&](auto kernel) {
                double us = time_us(
                    [&] {
                        for (int i = 0; i < times; i++) kernel<<<blocks, each>>>(memory, q, n, sink);
                    },
                    5);
                return 4.0 * n * times / (us - 2.7) / 1e3;
            };
            printf("4 B reads of %zu MB, %d threads a multiprocessor: %.0f GB/s", mb, threads,
                   rate(loads_and_stores<0>));
            printf("; each with a store to one place %.0f", rate(loads_and_stores<1>));
            printf("; each with a store to as large an array %.0f\n", rate(loads_and_stores<2>));
        }
}

void memory_rows()
{
    for (size_t mb : {1, 4, 16, 24, 32, 48, 64, 256, 1024}) {
        size_t bytes = mb << 20, n = bytes / 16;
        int times = mb < 64 ? 32 : 2;
        // the difference of two launches, so that the launch itself does not count
        auto each_us = [&](auto run) {
            return (time_us([&] { run(2 * times); }, 5) - time_us([&] { run(times); }, 5)) / times;
        };
        double r = each_us([&](int rounds) { read_all<<<sms * 4, 512>>>((uint4 *)memory, n, sink, rounds); });
        double w = each_us([&](int rounds) { write_all<<<sms * 4, 512>>>((uint4 *)memory, n, rounds); });
        double p = each_us([&](int rounds) { write_words<<<sms * 4, 512>>>(memory, bytes / 32, rounds); });
        printf("footprint %zu MB: read %.0f GB/s, write %.0f GB/s, 4 B of each 32 B sector written %.0f Gsectors/s\n",
               mb, bytes / r / 1e3, bytes / w / 1e3, bytes / 32 / p / 1e3);
    }
    for (int blocks = sms / 4; blocks <= sms * 8; blocks *= 2)
        for (int threads : {64, 256, 1024}) {
            size_t bytes = (size_t)256 << 20;
            double us = time_us([=] { read_floats<<<blocks, threads>>>(memory, bytes / 4, sink); }, 3);
            printf("4 B reads of 256 MB, %d blocks x %d: %.0f GB/s\n", blocks, threads, bytes / us / 1e3);
        }
    for (int blocks = sms / 4; blocks <= sms * 8; blocks *= 2)
        for (int threads : {64, 256, 1024}) {
            size_t bytes = (size_t)24 << 20;
            double us = time_us(
                [=] {
                    for (int i = 0; i < 8; i++) read_floats<<<blocks, threads>>>(memory, bytes / 4, sink);
                },
                3);
            printf("4 B reads of 24 MB, %d blocks x %d: %.0f GB/s\n", blocks, threads, 8 * bytes / us / 1e3);
        }
}

// ---------------------------------------------------------------- chains of loads

static __device__ unsigned load(const unsigned *p) // through the L1
{
    unsigned v;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
static __device__ unsigned smid()
{
    unsigned v;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(v));
    return v;
}

// Multiprocessor `who` walks `rounds` times through `n` places, `stride` words apart; tenths of a cycle a load of the
// last.
__global__ void walk(u64 *clocks, const unsigned *p, size_t stride, int n, unsigned who, int rounds, unsigned *sink)
{
    if (smid() != who || threadIdx.x) return;
    unsigned x = 0;
    for (int round = 0; round < rounds; round++) {
        u64 start = clock64();
        for (int i = 0; i < n; i++) x += load(p + i * stride + x);
        clocks[who] = (clock64() - start) * 10 / n;
    }
    sink[who] = x;
}

void chase()
{
    for (size_t kb : {16, 64, 128, 192, 256, 1024, 8192, 20480, 32768, 49152, 131072, 1048576}) {
        int n = kb < 1024 ? kb * 8 : 8192;
        size_t stride = kb * 256 / n;
        walk<<<sms, 32>>>(clocks, memory, stride, n, 0, 2, sink);
        printf("latency global chase %zu KB %.1f cycles\n", kb, clocks_of(1)[0] / 10.);
    }
    for (size_t stride : {32, 64, 1024, 32768}) {
        int n = 2048;
        flush();
        walk<<<sms, 32>>>(clocks, memory, stride, n, 0, 1, sink);
        printf("latency DRAM chase stride %zu B: %.0f cycles\n", stride * 4, clocks_of(1)[0] / 10.);
    }
    // What another multiprocessor has read: 2048 lines.
    for (unsigned first : {0, 1, 2, 3}) {
        printf("latency of lines that multiprocessor %u has read, first walk:", first);
        std::vector<u64> second;
        for (int who = 0; who < sms; who += who < 16 ? 1 : 7) {
            flush();
            walk<<<sms, 32>>>(clocks, memory, 32, 2048, first, 1, sink);
            walk<<<sms, 32>>>(clocks, memory, 32, 2048, who, 1, sink);
            printf(" %d: %llu", who, clocks_of(sms)[who] / 10);
            walk<<<sms, 32>>>(clocks, memory, 32, 2048, who, 1, sink);
            second.push_back(clocks_of(sms)[who] / 10);
        }
        printf("; second walk %.0f cycles (mean), %llu to %llu\n", mean(second),
               *std::min_element(second.begin(), second.end()), *std::max_element(second.begin(), second.end()));
    }
}

// ---------------------------------------------------------------- in step

static __device__ void meet(unsigned *counter) // all blocks of a grid that is resident
{
    __syncthreads();
    if (!threadIdx.x) {
        atomicAdd(counter, 1);
        while (*(volatile unsigned *)counter < gridDim.x) continue;
    }
    __syncthreads();
}

// Each warp loads line after line of its group of multiprocessors, `ahead` loads at a time; all groups' lines differ.
template <int AHEAD>
__global__ void in_step(u64 *clocks, const unsigned *p, unsigned *counter, int group, size_t stride, int n,
                        unsigned apart, unsigned *sink)
{
    unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32, lane = threadIdx.x % 32, x = 0;
    const unsigned *at = p + (smid() / group) * (size_t)n * warps * 32 + warp * 32 + lane;
    size_t step = (size_t)warps * 32;
    if (stride) at = p + (smid() / group) * 32 * warps + warp * 32 + lane, step = stride;
    meet(counter);
    if (apart) {
        u64 until = clock64() + (smid() * 2654435761u >> 8) % apart;
        while (clock64() < until) continue;
    }
    u64 start = clock64();
    for (int i = 0; i < n; i += AHEAD) {
        unsigned v[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) v[k] = load(at + (i + k) * step + x);
#pragma unroll
        for (int k = 0; k < AHEAD; k++) x += v[k];
    }
    __syncthreads();
    if (!threadIdx.x) clocks[blockIdx.x] = clock64() - start;
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

template <int AHEAD> static void step_rows(int warps, int group, size_t stride, unsigned apart)
{
    int n = 128;
    double each[2];
    for (int warm = 0; warm < 2; warm++) {
        std::vector<double> runs;
        for (int i = 0; i < 3; i++) {
            if (!warm || !i) flush();
            if (warm && !i)
                in_step<AHEAD><<<sms, warps * 32>>>(clocks, memory, sink + SINK - 1, group, stride, n, apart, sink);
            CHECK(cudaMemsetAsync(sink + SINK - 1, 0, 4));
            in_step<AHEAD><<<sms, warps * 32>>>(clocks, memory, sink + SINK - 1, group, stride, n, apart, sink);
            runs.push_back(mean(clocks_of(sms)) / n * AHEAD);
            CHECK(cudaMemsetAsync(sink + SINK - 1, 0, 4));
        }
        each[warm] = median(runs);
    }
    printf(
        "in step, %d warps, %d multiprocessors a line, %d loads at a time, stride %zu B, starts %u cycles apart: %.0f "
        "cycles a wait cold, %.0f warm\n",
        warps, group, AHEAD, stride * 4, apart, each[0], each[1]);
}
void step()
{
    CHECK(cudaMemset(sink + SINK - 1, 0, 4));
    for (int group : {1, 2, 4, 8, 16, 33, 66, 132})
        for (int warps : {1, 4, 16}) step_rows<1>(warps, group, 0, 0);
    for (int group : {1, 16, 132})
        for (int warps : {1, 8}) step_rows<1>(warps, group, 0, 4000);
    for (int group : {1, 16, 132})
        for (int warps : {1, 8}) step_rows<8>(warps, group, 0, 0);
    for (int group : {16, 132})
        for (int warps : {1, 4}) step_rows<1>(warps, group, 32768, 0);
}

// ---------------------------------------------------------------- under load

// Multiprocessor 0 walks, as above; the others stream for `cycles`, each thread with one load of four bytes in flight.
__global__ void beside(u64 *clocks, const unsigned *walked, size_t stride, int n, const unsigned *streamed,
                       size_t words, u64 cycles, unsigned *sink)
{
    unsigned x = 0;
    u64 begin = clock64();
    if (smid() == 0) {
        if (threadIdx.x || blockIdx.x >= gridDim.x / 2) return;
        while (clock64() - begin < 40000) continue;
        u64 start = clock64();
        for (int i = 0; i < n; i++) x += load(walked + i * stride + x);
        clocks[0] = (clock64() - start) / n;
        sink[0] = x;
        return;
    }
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, count = 0;
    while (clock64() - begin < cycles) {
        for (int k = 0; k < 16; k++, count++) {
            x += load(streamed + i + x);
            i += (size_t)gridDim.x * blockDim.x;
            if (i >= words) i -= words;
        }
    }
    sink[1 + (blockIdx.x * blockDim.x + threadIdx.x) % (1 << 20)] = x;
    if (!(threadIdx.x % 32)) atomicAdd(&clocks[1], count);
}
void loaded()
{
    for (size_t mb : {24, 512})
        for (int threads : {32, 64, 128, 256, 384, 512, 640, 768, 896, 1024}) {
            size_t words = (mb << 20) / 4;
            const unsigned *walked = mb > 60 ? memory + MEMORY / 16 * 3 : memory + words;
            u64 cycles = 1000000;
            flush();
            CHECK(cudaMemset(clocks, 0, 16));
            if (mb < 60) read_all<<<sms * 4, 512>>>((uint4 *)memory, (words + (1 << 20)) / 4, sink);
            beside<<<sms * 2, threads>>>(clocks, walked, 64, 512, memory, words, cycles, sink);
            std::vector<u64> c = clocks_of(2);
            printf("under load, %s, %d threads a multiprocessor: %.1f B a cycle and multiprocessor, a load takes %llu "
                   "cycles\n",
                   mb > 60 ? "DRAM" : "L2", threads * 2, (double)c[1] * 128 / (sms - 1) / cycles, c[0]);
        }
}
