// Blelloch: up-sweep and down-sweep, two elements a thread, padded against bank conflicts (GPU Gems 3)
#include "warpwise.h"

#define THREADS 256
#define N2 (2 * THREADS)
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(i) ((i) >> LOG_NUM_BANKS)
#define AT(i) ((i) + CONFLICT_FREE_OFFSET(i))

LAUNCH(block_sums, .block = {THREADS}, .tile = {N2});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {N2});

// exclusive scan of temp[0..N2), returns the total
__device__ unsigned prescan(unsigned *temp, unsigned *total)
{
    int thid = threadIdx.x;
    int offset = 1;
    for (int d = N2 >> 1; d > 0; d >>= 1) {       // build sum in place up the tree
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            temp[AT(bi)] += temp[AT(ai)];
        }
        offset *= 2;
    }
    if (thid == 0) {                              // clear the last element
        *total = temp[AT(N2 - 1)];
        temp[AT(N2 - 1)] = 0;
    }
    for (int d = 1; d < N2; d *= 2) {             // traverse down tree & build scan
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            unsigned t = temp[AT(ai)];
            temp[AT(ai)] = temp[AT(bi)];
            temp[AT(bi)] += t;
        }
    }
    __syncthreads();
    return *total;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned temp[N2 + N2 / 32];
    __shared__ unsigned total;
    int a = blockIdx.x * N2 + threadIdx.x, b = a + THREADS;
    temp[AT(threadIdx.x)] = a < n ? in[a] : 0;
    temp[AT(threadIdx.x + THREADS)] = b < n ? in[b] : 0;
    unsigned all = prescan(temp, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned temp[N2 + N2 / 32];
    __shared__ unsigned total;
    unsigned carry = 0;
    for (int base = 0; base < m; base += N2) {
        int a = base + threadIdx.x, b = a + THREADS;
        temp[AT(threadIdx.x)] = a < m ? sums[a] : 0;
        temp[AT(threadIdx.x + THREADS)] = b < m ? sums[b] : 0;
        unsigned all = prescan(temp, &total);
        if (a < m) sums[a] = carry + temp[AT(threadIdx.x)];
        if (b < m) sums[b] = carry + temp[AT(threadIdx.x + THREADS)];
        carry += all;
        // each thread fills again only what it has read itself, and `total` is written behind the next barriers
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned temp[N2 + N2 / 32];
    __shared__ unsigned total;
    int a = blockIdx.x * N2 + threadIdx.x, b = a + THREADS;
    unsigned va = a < n ? in[a] : 0, vb = b < n ? in[b] : 0;
    temp[AT(threadIdx.x)] = va;
    temp[AT(threadIdx.x + THREADS)] = vb;
    prescan(temp, &total);
    unsigned before = sums[blockIdx.x];
    if (a < n) out[a] = before + temp[AT(threadIdx.x)] + va;
    if (b < n) out[b] = before + temp[AT(threadIdx.x + THREADS)] + vb;
}
