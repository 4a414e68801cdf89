// simple-minded: every thread adds 32 numbers, thread 0 adds the 128 partial sums, two barriers in all
#include "warpwise.h"

#define NTHREADS 128
#define PER_THREAD 32
#define TILE_SIZE (NTHREADS * PER_THREAD)
#define PAD(k) ((k) + (k) / 32)

LAUNCH(block_sums, .block = {NTHREADS}, .tile = {TILE_SIZE});
LAUNCH(scan_sums, .block = {NTHREADS});
LAUNCH(scan_blocks, .block = {NTHREADS}, .tile = {TILE_SIZE});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned partial[NTHREADS];
    unsigned s = 0;
    for (int k = 0; k < PER_THREAD; k++) {
        int i = blockIdx.x * TILE_SIZE + k * NTHREADS + threadIdx.x;
        if (i < n) s += in[i];
    }
    partial[threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (int k = 0; k < NTHREADS; k++) total += partial[k];
        sums[blockIdx.x] = total;
    }
}

// leaves in partial[t] the sum before thread t, in partial[NTHREADS] the total
__device__ void serial(unsigned *partial, unsigned start)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned run = start;
        for (int k = 0; k < NTHREADS; k++) {
            unsigned x = partial[k];
            partial[k] = run;
            run += x;
        }
        partial[NTHREADS] = run;
    }
    __syncthreads();
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned partial[NTHREADS + 1];
    unsigned carry = 0;
    for (int base = 0; base < m; base += TILE_SIZE) {
        unsigned s = 0;
        for (int k = 0; k < PER_THREAD; k++) {
            int i = base + threadIdx.x * PER_THREAD + k;
            if (i < m) s += sums[i];
        }
        partial[threadIdx.x] = s;
        serial(partial, carry);
        unsigned run = partial[threadIdx.x];
        for (int k = 0; k < PER_THREAD; k++) {
            int i = base + threadIdx.x * PER_THREAD + k;
            if (i < m) {
                unsigned x = sums[i];
                sums[i] = run;
                run += x;
            }
        }
        carry = partial[NTHREADS];
        // partial[NTHREADS] is written again only behind the next barrier
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[PAD(TILE_SIZE)];
    __shared__ unsigned partial[NTHREADS + 1];
    int base = blockIdx.x * TILE_SIZE;
    for (int k = threadIdx.x; k < TILE_SIZE; k += NTHREADS) tile[PAD(k)] = base + k < n ? in[base + k] : 0;
    __syncthreads();
    unsigned s = 0;
    for (int k = 0; k < PER_THREAD; k++) s += tile[PAD(threadIdx.x * PER_THREAD + k)];
    partial[threadIdx.x] = s;
    serial(partial, sums[blockIdx.x]);
    unsigned run = partial[threadIdx.x];
    for (int k = 0; k < PER_THREAD; k++) {
        run += tile[PAD(threadIdx.x * PER_THREAD + k)];
        tile[PAD(threadIdx.x * PER_THREAD + k)] = run;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < TILE_SIZE; k += NTHREADS)
        if (base + k < n) out[base + k] = tile[PAD(k)];
}
