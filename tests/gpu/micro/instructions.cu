// Measures instructions, barriers and atomics.
#include "micro.h"

// ---------------------------------------------------------------- arithmetic

// clang-format off
// An operation: its type, the value that a thread begins with (s differs by thread), and the step from one value to the next.
#define OP(NAME, TYPE, BEGIN, ...)                                                                                      \
    struct op_##NAME {                                                                                                  \
        typedef TYPE type;                                                                                              \
        static __device__ type begin(unsigned s) { return (type)(BEGIN); }                                              \
        static __device__ void next(type &x) { __VA_ARGS__; }                                                           \
    };
OP(ffma, float, s | 1, asm volatile("fma.rn.f32 %0, %0, 0f3f800001, %0;" : "+f"(x)))
OP(fadd, float, s | 1, asm volatile("add.f32 %0, %0, %0;" : "+f"(x)))
OP(imad, unsigned, s | 1, asm volatile("mad.lo.u32 %0, %0, %0, %0;" : "+r"(x)))
OP(dfma, double, s | 1, asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(x)))
OP(max3, int, s | 1, asm volatile("max.s32 %0, %0, 7;" : "+r"(x)))
OP(popc, unsigned, s | 1, asm volatile("popc.b32 %0, %0;" : "+r"(x)))
OP(shfl, unsigned, s | 1, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(x)))
OP(expf, float, s * 1e-9f, x = __expf(x))
OP(fdiv, float, s + 2.f, x = 3.f / x)
OP(sqrtf, float, s + 2.f, x = sqrtf(x))
OP(idiv, unsigned, s | 1, x = 0x7fffffffu / (x | 1))
OP(shl_xor, unsigned, s | 1, asm volatile("{.reg .u32 t; shl.b32 t, %0, 1; xor.b32 %0, t, %0;}" : "+r"(x)))
OP(ballot, unsigned, s, x += __ballot_sync(-1u, x))
OP(syncwarp, unsigned, s, asm volatile("bar.warp.sync -1;" : "+r"(x)::"memory"))
OP(fence_block, unsigned, s, asm volatile("membar.cta;" : "+r"(x)::"memory"))
OP(fence_gpu, unsigned, s, asm volatile("membar.gl;" : "+r"(x)::"memory"))
OP(syncthreads, unsigned, s, asm volatile("bar.sync 0;" : "+r"(x)::"memory"))
// clang-format on

// Runs WIDE independent chains; the first round fills the instruction cache.
template <class Op, int WIDE> __global__ void chain(u64 *clocks, unsigned *sink, unsigned seed, int n)
{
    typename Op::type x[WIDE];
    u64 start = 0, end = 0;
    for (int k = 0; k < WIDE; k++) x[k] = Op::begin(seed + threadIdx.x * 7 + k);
    for (int round = 0; round < 2; round++) {
        __syncthreads();
        start = clock64();
#pragma unroll 1
        for (int i = 0; i < n; i += 16 / WIDE) {
#pragma unroll
            for (int u = 0; u < 16 / WIDE; u++)
#pragma unroll
                for (int k = 0; k < WIDE; k++) Op::next(x[k]);
        }
        end = clock64();
    }
    __syncthreads();
    u64 all = clock64() - start;
    unsigned sum = 0;
    for (int k = 0; k < WIDE; k++) sum += (unsigned)x[k];
    sink[(blockIdx.x * blockDim.x + threadIdx.x) % (1 << 22)] = sum;
    if (!threadIdx.x) clocks[blockIdx.x] = WIDE == 1 ? end - start : all;
}

template <class Op> static void latency(const char *name, int threads = 32)
{
    const int n = 4096;
    chain<Op, 1><<<1, threads>>>(clocks, sink, 1, n);
    printf("latency %s threads %d: %.2f\n", name, threads, (double)clocks_of(1)[0] / n);
}
template <class Op> static void rate(const char *name)
{
    const int n = 4096;
    chain<Op, 4><<<sms, 1024>>>(clocks, sink, 1, n);
    printf("rate %s: %.1f lanes/clk/SM\n", name, 1024.0 * n * 4 / mean(clocks_of(sms)));
}

__global__ void shared_chase(u64 *clocks, unsigned *sink, int n)
{
    __shared__ unsigned next[1024];
    for (int i = threadIdx.x; i < 1024; i += 32) next[i] = (i + 32) % 1024;
    __syncwarp();
    unsigned at = threadIdx.x;
    u64 start = clock64();
    for (int i = 0; i < n; i++) at = next[at];
    clocks[0] = clock64() - start;
    sink[threadIdx.x] = at;
}

void arithmetic()
{
    shared_chase<<<1, 32>>>(clocks, sink, 4096);
    printf("latency shared %.1f\n", (double)clocks_of(1)[0] / 4096);
    latency<op_ffma>("ffma");
    latency<op_fadd>("fadd");
    latency<op_imad>("imad");
    latency<op_dfma>("dfma");
    latency<op_expf>("__expf");
    latency<op_shfl>("shfl");
    latency<op_ballot>("ballot");
    latency<op_syncwarp>("syncwarp");
    latency<op_fdiv>("fdiv");
    latency<op_sqrtf>("sqrtf");
    latency<op_idiv>("idiv");
    latency<op_shl_xor>("shl+xor");
    latency<op_max3>("max-3");
    latency<op_popc>("popc");
    latency<op_fence_block>("fence.block");
    latency<op_fence_gpu>("fence.gpu");
    for (int threads = 32; threads <= 1024; threads *= 2) latency<op_syncthreads>("syncthreads", threads);
    rate<op_ffma>("ffma");
    rate<op_imad>("imad");
    rate<op_dfma>("dfma");
    rate<op_expf>("__expf");
    rate<op_shfl>("shfl");
    rate<op_ballot>("ballot+add");
    rate<op_shl_xor>("shl+xor");
    rate<op_popc>("popc");
}

// ---------------------------------------------------------------- atomics

template <class T, int RETURNS> __global__ void shared_atomics(u64 *clocks, unsigned *sink, int group, int n, int own)
{
    __shared__ T cell[1024];
    cell[threadIdx.x] = 0;
    __syncthreads();
    T *at = &cell[(own ? threadIdx.x / 32 * 32 : 0) + threadIdx.x % 32 / group], got = 0;
    u64 start = clock64();
    for (int i = 0; i < n; i++) {
        if (RETURNS)
            got = atomicAdd(at, got > (T)1e9 ? (T)2 : (T)1);
        else
            atomicAdd(at, (T)(1 + (threadIdx.x & 3))); // no constant: the compiler would count the lanes
    }
    __syncthreads();
    if (!threadIdx.x) clocks[blockIdx.x] = clock64() - start;
    sink[threadIdx.x] = (unsigned)got + (unsigned)*at;
}
template <class T, int RETURNS> static void shared_atomic_rows(const char *name)
{
    for (int threads : {32, 256, 1024})
        for (int group = 1; group <= 32; group *= 2) {
            int n = 1024;
            double each[2];
            for (int own = 0; own < 2; own++) {
                shared_atomics<T, RETURNS><<<1, threads>>>(clocks, sink, group, n, own);
                each[own] = (double)clocks_of(1)[0] / n;
            }
            printf("shared %s ret %d threads %d lanes/address %d: %.1f cycles an iteration (own window), %.1f (all "
                   "warps one "
                   "window)\n",
                   name, RETURNS, threads, group, each[1], each[0]);
        }
}

template <int RETURNS> __global__ void global_atomic_chain(u64 *clocks, unsigned *p, unsigned *sink, int group, int n)
{
    unsigned *at = &p[threadIdx.x / group], got = 0;
    u64 start = clock64();
    for (int i = 0; i < n; i++) {
        if (RETURNS)
            got = atomicAdd(at + (got >> 31), 1);
        else
            atomicAdd(at, 1 + (threadIdx.x & 3));
    }
    clocks[0] = clock64() - start;
    sink[threadIdx.x] = got;
}
__global__ void global_reds(unsigned *p, int group, int own, int n)
{
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned *at = &p[(own ? warp * 32 : 0) + threadIdx.x % 32 / group];
    for (int i = 0; i < n; i++) atomicAdd(at, 1 + (threadIdx.x & 3));
}

void atomics()
{
    shared_atomic_rows<unsigned, 0>("atomicAdd");
    shared_atomic_rows<unsigned, 1>("atomicAdd");
    shared_atomic_rows<float, 0>("float atomicAdd");
    shared_atomic_rows<double, 0>("double atomicAdd");
    for (int returns = 0; returns < 2; returns++)
        for (int group : {1, 4, 32}) {
            int n = 1024;
            if (returns)
                global_atomic_chain<1><<<1, 32>>>(clocks, memory, sink, group, n);
            else
                global_atomic_chain<0><<<1, 32>>>(clocks, memory, sink, group, n);
            printf("global atomicAdd latency ret %d lanes/address %d: %.1f cycles an iteration, 1 warp\n", returns,
                   group, (double)clocks_of(1)[0] / n);
        }
    u64 least = ~0ull, most = 0, sum = 0;
    for (int line = 0; line < 64; line++) {
        global_atomic_chain<1><<<1, 32>>>(clocks, memory + line * 1024, sink, 1, 256);
        u64 c = clocks_of(1)[0] / 256;
        least = std::min(least, c), most = std::max(most, c), sum += c;
    }
    printf("global atomicAdd latency ret 1, 64 lines: %llu to %llu cycles, mean %llu\n", least, most, sum / 64);
    for (int group = 1; group <= 32; group *= 2) {
        int blocks = sms * 8, threads = 256, n = 64;
        double ops = (double)blocks * threads * n, us[2];
        for (int own = 0; own < 2; own++)
            us[own] = time_us([=] { global_reds<<<blocks, threads>>>(memory, group, own, n); }, 3);
        printf(
            "global red, %d lanes/address: all blocks on the same %d addresses %.3f ops/ns (%.1f us); every warp its "
            "own 32 %.3f ops/ns (%.1f us)\n",
            group, 32 / group, ops / us[0] / 1e3, us[0], ops / us[1] / 1e3, us[1]);
    }
    CHECK(cudaMemset(memory, 0, 1 << 24));
}
