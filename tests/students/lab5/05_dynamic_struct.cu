// dynamic shared memory, carved into a struct of pointers for each warp
#include "warpwise.h"

#define WARPS 4
#define BYTES (WARPS * (32 + 32) * sizeof(float))

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS}, .shared = WARPS * 32 * 4);
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS}, .shared = (long long)BYTES);

extern __shared__ unsigned char raw[];

struct Scratch {
    float *maxima;
    float *partial;
};

static __device__ struct Scratch carve(int warp)
{
    struct Scratch s;
    float *f = (float *)raw;
    s.maxima = f + warp * 32;
    s.partial = f + WARPS * 32 + warp * 32;
    return s;
}

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float *mine = (float *)raw + warp * 32, sum = 0;
    for (const float *p = in + (size_t)row * cols + lane, *end = in + (size_t)(row + 1) * cols; p < end; p += 32) sum += *p;
    mine[lane] = sum;
    __syncwarp();
    if (lane < 8) mine[lane] = (mine[lane] + mine[lane + 8]) + (mine[lane + 16] + mine[lane + 24]);
    __syncwarp();
    if (lane < 2) mine[lane] = (mine[lane] + mine[lane + 2]) + (mine[lane + 4] + mine[lane + 6]);
    __syncwarp();
    if (!lane) sums[row] = mine[0] + mine[1];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    struct Scratch s = carve(warp);
    size_t base = (size_t)row * cols;
    float m = -INFINITY, sum = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, in[base + c]);
    s.maxima[lane] = m;
    __syncwarp();
    for (int i = 0; i < 32; ++i) m = fmaxf(m, s.maxima[i]); // a broadcast each
    for (int c = lane; c < cols; c += 32) sum += expf(in[base + c] - m);
    s.partial[lane] = sum; // other memory than the maxima: no barrier in between
    __syncwarp();
    sum = 0;
    for (int i = 0; i < 32; ++i) sum += s.partial[i];
    float inverse = 1.0f / sum;
    for (int c = lane; c < cols; c += 32) out[base + c] = expf(in[base + c] - m) * inverse;
}
