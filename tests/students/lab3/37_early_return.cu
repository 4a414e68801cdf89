// early return of the threads behind the end before the barriers: from sm_70 on a barrier waits for the non-exited threads only
// and the scan reads nothing to the right
#include "warpwise.h"

enum { N_THREADS = 512 };

LAUNCH(block_sums, .block = {N_THREADS});
LAUNCH(scan_sums, .block = {N_THREADS});
LAUNCH(scan_blocks, .block = {N_THREADS});

// scans buf[0][*]; returns the index of the half with the result. buf[0] must be filled, a barrier is done here.
static __device__ int scan_tile(unsigned buf[2][N_THREADS], int t)
{
    int cur = 0;
    __syncthreads();
    for (int d = 1; d < N_THREADS; d <<= 1) {
        unsigned v = buf[cur][t];
        if (t >= d) v += buf[cur][t - d];
        buf[cur ^ 1][t] = v;
        cur ^= 1;
        __syncthreads();
    }
    return cur;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned buf[2][N_THREADS];
    int t = threadIdx.x, i = blockIdx.x * N_THREADS + t;
    buf[0][t] = (i < n) ? in[i] : 0u;
    int c = scan_tile(buf, t);
    if (t == N_THREADS - 1) sums[blockIdx.x] = buf[c][t];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned buf[2][N_THREADS];
    int t = threadIdx.x;
    unsigned before = 0;
    for (int b = 0; b < m; b += N_THREADS) {
        buf[0][t] = (b + t < m) ? sums[b + t] : 0u;
        int c = scan_tile(buf, t);
        unsigned left = t ? buf[c][t - 1] : 0;
        if (b + t < m) sums[b + t] = before + left;
        before += buf[c][N_THREADS - 1];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned buf[2][N_THREADS];
    int t = threadIdx.x, i = blockIdx.x * N_THREADS + t;
    if (i >= n) return;
    buf[0][t] = in[i];
    int c = scan_tile(buf, t);
    if (i < n)
        out[i] = buf[c][t] + sums[blockIdx.x];
}
