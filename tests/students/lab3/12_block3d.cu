// three-dimensional blocks {8, 8, 8}, linear rank by hand, __syncthreads in a do-while
#include "warpwise.h"

static const int NX = 8, NY = 8, NZ = 8;
static const int NALL = NX * NY * NZ;

LAUNCH(block_sums, .block = {8, 8, 8}, .tile = {512});
LAUNCH(scan_sums, .block = {8, 8, 8});
LAUNCH(scan_blocks, .block = {8, 8, 8}, .tile = {512});

__device__ inline int rank() { return threadIdx.x + NX * (threadIdx.y + NY * threadIdx.z); }

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned s[NALL];
    const int r = rank();
    const long long i = (long long)blockIdx.x * NALL + r;
    s[r] = i < n ? in[i] : 0;
    int stride = NALL >> 1;
    do {
        __syncthreads();
        if (r < stride) s[r] += s[r + stride];
        stride >>= 1;
    } while (stride > 0);
    // thread 0 wrote s[0] itself in the last round: no barrier needed
    if (r == 0) sums[blockIdx.x] = s[0];
}

__device__ unsigned scan(unsigned *s, int r)
{
    int d = 1;
    do {
        __syncthreads();
        unsigned v = s[r];
        if (r >= d) v += s[r - d];
        __syncthreads();
        s[r] = v;
        d <<= 1;
    } while (d < NALL);
    return s[r];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned s[NALL];
    const int r = rank();
    unsigned carry = 0;
    for (int b = 0; b < m; b += NALL) {
        const unsigned own = b + r < m ? sums[b + r] : 0;
        s[r] = own;
        const unsigned incl = scan(s, r);
        if (b + r < m) sums[b + r] = carry + incl - own;
        __syncthreads();
        carry += s[NALL - 1];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned s[NALL];
    const int r = rank();
    const long long i = (long long)blockIdx.x * NALL + r;
    s[r] = i < n ? in[i] : 0;
    const unsigned incl = scan(s, r);
    if (i < n) out[i] = incl + sums[blockIdx.x];
}
