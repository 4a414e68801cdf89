// two-dimensional blocks {32, 8}: rows of the tile are warps, row totals in shared memory
#include "warpwise.h"

#define W 32
#define H 8

LAUNCH(block_sums, .block = {W, H}, .tile = {W * H});
LAUNCH(scan_sums, .block = {W, H});
LAUNCH(scan_blocks, .block = {W, H}, .tile = {W * H});

__device__ unsigned row_scan(unsigned tile[H][W + 1], int x, int y)
{
    // Hillis-Steele along the rows
    for (int d = 1; d < W; d *= 2) {
        unsigned v = x >= d ? tile[y][x - d] : 0;
        __syncthreads();
        tile[y][x] += v;
        __syncthreads();
    }
    // sums of the rows above
    unsigned above = 0;
    for (int k = 0; k < y; k++) above += tile[k][W - 1];
    return tile[y][x] + above;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[H][W];
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.x * W * H + y * W + x;
    tile[y][x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = H / 2; d; d /= 2) {
        if (y < d) tile[y][x] += tile[y + d][x];
        __syncthreads();
    }
    for (int d = W / 2; d; d /= 2) {
        if (y == 0 && x < d) tile[0][x] += tile[0][x + d];
        __syncthreads();
    }
    if (x == 0 && y == 0) sums[blockIdx.x] = tile[0][0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[H][W + 1];
    __shared__ unsigned last;
    const int x = threadIdx.x, y = threadIdx.y, t = y * W + x;
    unsigned carry = 0;
    for (int base = 0; base < m; base += W * H) {
        unsigned own = base + t < m ? sums[base + t] : 0;
        tile[y][x] = own;
        __syncthreads();
        unsigned incl = row_scan(tile, x, y);
        if (t == W * H - 1) last = incl;
        if (base + t < m) sums[base + t] = incl - own + carry;
        __syncthreads();
        carry += last;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[H][W + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.x * W * H + y * W + x;
    tile[y][x] = i < n ? in[i] : 0;
    __syncthreads();
    unsigned incl = row_scan(tile, x, y);
    if (i < n) out[i] = incl + sums[blockIdx.x];
}
