// Measures mbarriers, asynchronous copies, the CUDA runtime's routines, and the floor of a launch.
#include <unistd.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "micro.h"

// ---------------------------------------------------------------- objects

enum object { MBARRIER, CUDA_BARRIER, PIPELINE, CP_ASYNC, NAMED, OBJECTS };
static const char *const object_name[] = {"mbarrier arrive and test_wait", "cuda::barrier arrive_and_wait",
                                          "cuda::pipeline of one stage, 4 B copies",
                                          "cp.async of 4 B, commit, wait, bar.sync", "bar.sync"};
template <int WHAT> __global__ void objects_kernel(u64 *clocks, const unsigned *p, unsigned *sink, int n)
{
    typedef cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ alignas(barrier) char room[sizeof(barrier)];
    barrier &bar = *(barrier *)room;
    __shared__ u64 raw;
    __shared__ unsigned stage[1024];
    unsigned x = 0, t = threadIdx.x, mbar = (unsigned)__cvta_generic_to_shared(&raw);
    if (!t) {
        init(&bar, blockDim.x);
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(mbar), "r"(blockDim.x));
    }
    __syncthreads();
    auto pipe = cuda::make_pipeline();
    u64 start = clock64();
    for (int i = 0; i < n; i++) {
        if (WHAT == MBARRIER) {
            u64 state;
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(mbar) : "memory");
            unsigned over = 0;
            while (!over)
                asm volatile("{.reg .pred q; mbarrier.test_wait.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q;}"
                             : "=r"(over)
                             : "r"(mbar), "l"(state)
                             : "memory");
        } else if (WHAT == CUDA_BARRIER) {
            bar.arrive_and_wait();
        } else if (WHAT == PIPELINE) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[t], &p[t], cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
            pipe.consumer_wait();
            x += stage[t];
            pipe.consumer_release();
        } else if (WHAT == CP_ASYNC) {
            unsigned to = (unsigned)__cvta_generic_to_shared(&stage[t]);
            asm volatile(
                "cp.async.ca.shared.global [%0], [%1], 4; cp.async.commit_group; cp.async.wait_group 0;" ::"r"(to),
                "l"(p + t)
                : "memory");
            __syncthreads();
            x += stage[(t + 1) % blockDim.x];
            __syncthreads();
        } else {
            __syncthreads();
        }
    }
    __syncthreads();
    if (!t) clocks[blockIdx.x] = (clock64() - start) / n;
    sink[t] = x;
}
// Copies of `bytes` a thread from the L2 into shared memory, all of a stage at once.
template <int BYTES> __global__ void copies(u64 *clocks, const char *p, unsigned *sink, int n)
{
    extern __shared__ char room[];
    unsigned to = (unsigned)__cvta_generic_to_shared(room) + threadIdx.x * BYTES;
    const char *from = p + ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * BYTES;
    size_t step = (size_t)gridDim.x * blockDim.x * BYTES;
    u64 start = clock64();
    for (int i = 0; i < n; i++) {
        if (BYTES == 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from + i % 8 * step) : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from + i % 8 * step), "n"(BYTES)
                         : "memory");
        if (i % 8 == 7) asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    if (!threadIdx.x) clocks[blockIdx.x] = clock64() - start;
    sink[threadIdx.x] = room[threadIdx.x];
}
template <int WHAT> static void object_rows()
{
    for (int threads : {32, 128, 256, 512, 1024}) {
        objects_kernel<WHAT><<<1, threads>>>(clocks, memory, sink, 1000);
        double one = (double)clocks_of(1)[0];
        printf("object %s, %d threads: %.0f cycles each", object_name[WHAT], threads, one);
        if (threads <= 512) {
            objects_kernel<WHAT><<<sms * 4, threads>>>(clocks, memory, sink, 1000);
            printf("; four blocks a multiprocessor %.0f", mean(clocks_of(sms * 4)));
        }
        printf("\n");
    }
}
void objects()
{
    object_rows<NAMED>();
    object_rows<MBARRIER>();
    object_rows<CUDA_BARRIER>();
    object_rows<PIPELINE>();
    object_rows<CP_ASYNC>();
    for (int threads : {128, 512}) {
        int n = 1024;
        copies<4><<<sms, threads, threads * 4>>>(clocks, (char *)memory, sink, n);
        double a = mean(clocks_of(sms)) / n;
        copies<8><<<sms, threads, threads * 8>>>(clocks, (char *)memory, sink, n);
        double b = mean(clocks_of(sms)) / n;
        copies<16><<<sms, threads, threads * 16>>>(clocks, (char *)memory, sink, n);
        printf("object cp.async, %d threads, eight in flight: 4 B %.1f, 8 B %.1f, 16 B %.1f cycles a copy of each "
               "thread\n",
               threads, a, b, mean(clocks_of(sms)) / n);
    }
}

// ---------------------------------------------------------------- calls

__global__ void allocates(unsigned *sink, int bytes, int n, int frees)
{
    unsigned x = 0;
    for (int i = 0; i < n; i++) {
        unsigned *p = (unsigned *)malloc(bytes);
        if (!p) {
            x |= 1u << 31;
            continue;
        }
        *(volatile unsigned *)p = i;
        x += *(volatile unsigned *)p;
        if (frees) free(p);
    }
    if (x >> 31) sink[0] = 1;
}
__global__ void prints(int n)
{
    for (int i = 0; i < n; i++) printf("thread %d of block %d: %f\n", threadIdx.x, blockIdx.x, 1.5);
}
// An array in local memory: WORDS of each thread are written, then read in another order.
template <int WORDS> __global__ void frames(unsigned *sink, unsigned seed, int n)
{
    volatile unsigned a[WORDS];
    unsigned x = seed;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < WORDS; k++) a[(k * 7 + seed) % WORDS] = x + k;
        for (int k = 0; k < WORDS; k++) x += a[(k * 3 + x / (1u << 31)) % WORDS];
    }
    sink[(blockIdx.x * blockDim.x + threadIdx.x) % (1 << 22)] = x;
}
template <int WORDS> static void frame_rows()
{
    for (int blocks : {1, sms, sms * 8}) {
        double us = time_us([=] { frames<WORDS><<<blocks, 256>>>(sink, 1, 16); }, 5);
        double accesses = 2.0 * WORDS * 16;
        printf("frame of %d words, %d blocks x 256: %.1f us, %.2f ns an access of a warp\n", WORDS, blocks, us,
               us * 1e3 / accesses);
    }
}
void calls()
{
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)1 << 28));
    for (int frees = 1; frees >= 0; frees--)
        for (int blocks : {1, sms, 4 * sms})
            for (int threads : {1, 32, 256}) {
                if (!frees && blocks * threads > 1 << 16) continue;
                double us = time_us([=] { allocates<<<blocks, threads>>>(sink, 32, frees ? 4 : 1, frees); }, 3);
                printf("malloc of 32 B%s, %d blocks x %d: %.1f us, %.1f ns a call\n",
                       frees ? " and free, four times" : "", blocks, threads, us,
                       us * 1e3 / blocks / threads / (frees ? 4 : 1));
            }
    for (int blocks : {1, sms})
        for (int threads : {1, 32, 256})
            for (int n : {1, 4}) {
                fflush(stdout);
                FILE *kept = fopen("/dev/null", "w");
                int out = dup(1);
                dup2(fileno(kept), 1);
                double us = time_us([=] { prints<<<blocks, threads>>>(n); }, 3);
                fflush(stdout);
                dup2(out, 1);
                close(out);
                fclose(kept);
                printf("printf, %d blocks x %d threads, %d each: %.1f us\n", blocks, threads, n, us);
            }
    frame_rows<16>();
    frame_rows<64>();
    frame_rows<256>();
    frame_rows<1024>();
}

// ---------------------------------------------------------------- the floor of a launch

static __global__ void nothing()
{
}
static __global__ void stores(unsigned *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void copies_one(unsigned *p, const unsigned *q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = q[i];
}
__global__ void adds_guarded(unsigned *p, const unsigned *q, const unsigned *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = q[i] + r[i];
}
__global__ void chained(unsigned *p, const unsigned *q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = q[i + q[i + q[i + q[i]]]];
}
template <int N> __global__ void long_code(float *p, float a)
{
    float x = a + threadIdx.x;
#pragma unroll
    for (int i = 0; i < N; i++) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
    p[threadIdx.x] = x;
}
__global__ void one_barrier(unsigned *p)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = s[255 - threadIdx.x];
}

void floor_rows()
{
    unsigned *p = memory, *q = memory + (1 << 24), *r = memory + (1 << 25);
    for (int i = 0; i < 4; i++) {
        for (int blocks : {1, sms, sms * 8}) {
            nothing<<<blocks, 256>>>();
            stores<<<blocks, 256>>>(p);
            copies_one<<<blocks, 256>>>(p, q);
            adds_guarded<<<blocks, 256>>>(p, q, r, 1 << 30);
            chained<<<blocks, 256>>>(p, q);
        }
        one_barrier<<<1, 256>>>(p);
        long_code<16><<<1, 32>>>((float *)p, 1.f);
        long_code<256><<<1, 32>>>((float *)p, 1.f);
        long_code<1024><<<1, 32>>>((float *)p, 1.f);
        long_code<4096><<<1, 32>>>((float *)p, 1.f);
        long_code<4096><<<sms, 32>>>((float *)p, 1.f);
    }
    CHECK(cudaDeviceSynchronize());
}
