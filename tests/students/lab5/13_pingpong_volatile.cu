// ping-pong between two arrays through pointers, volatile shared memory and __syncwarp() as well
#include "warpwise.h"
#define WARPS 4
#define NEG_INF (-__int_as_float(0x7f800000))

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

__device__ static void flip(volatile float *&a, volatile float *&b)
{
    volatile float *t = a;
    a = b;
    b = t;
}

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    volatile __shared__ float ping[WARPS][32];
    volatile __shared__ float pong[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    volatile float *from = ping[warp], *to = pong[warp];
    float sum = 0;
    for (int c = lane; c < cols; c += 32) sum += in[row * cols + c];
    from[lane] = sum;
    __syncwarp();
    for (int d = 16; d > 0; d >>= 1) {
        to[lane] = from[lane] + from[lane ^ d];
        flip(from, to);
        __syncwarp();
    }
    if (lane == 0) sums[row] = from[0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    volatile __shared__ float buffer[2][WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    int b = 0;
    float m = NEG_INF, sum = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, in[row * cols + c]);
    buffer[b][warp][lane] = m;
    __syncwarp();
    for (int d = 16; d > 0; d >>= 1, b ^= 1) {
        buffer[b ^ 1][warp][lane] = fmaxf(buffer[b][warp][lane], buffer[b][warp][lane ^ d]);
        __syncwarp();
    }
    m = buffer[b][warp][lane];
    for (int c = lane; c < cols; c += 32) sum += expf(in[row * cols + c] - m);
    __syncwarp();
    buffer[b][warp][lane] = sum;
    __syncwarp();
    for (int d = 16; d > 0; d >>= 1, b ^= 1) {
        buffer[b ^ 1][warp][lane] = buffer[b][warp][lane] + buffer[b][warp][lane ^ d];
        __syncwarp();
    }
    sum = buffer[b][warp][lane];
    for (int c = lane; c < cols; c += 32) out[row * cols + c] = expf(in[row * cols + c] - m) / sum;
}
