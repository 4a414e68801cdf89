// float4 loads where the row is aligned, scalar columns before and behind
#include "warpwise.h"
#include <stdint.h>

#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

// columns before the first address that is a multiple of 16
__device__ int head_of(const float *p, int cols)
{
    int head = (int)((16 - ((uintptr_t)p & 15)) & 15) / 4;
    return head < cols ? head : cols;
}

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    int head = head_of(x, cols), quads = (cols - head) / 4, tail = head + quads * 4;
    float sum = 0;
    if (lane < head) sum += x[lane];
    const float4 *x4 = (const float4 *)(x + head);
    for (int q = lane; q < quads; q += 32) {
        float4 v = x4[q];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    if (tail + lane < cols) sum += x[tail + lane];
    exchange[warp][lane] = sum;
    __syncwarp();
    if (lane == 0) {
        const float4 *e = (const float4 *)exchange[warp];
        float4 t = e[0];
        for (int i = 1; i < 8; ++i) t.x += e[i].x, t.y += e[i].y, t.z += e[i].z, t.w += e[i].w;
        sums[row] = (t.x + t.y) + (t.z + t.w);
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float *y = out + (size_t)row * cols;
    float m = -INFINITY, s = 0;
    if (cols % 4 == 0) {
        const float4 *x4 = (const float4 *)x;
        float4 *y4 = (float4 *)y;
        for (int q = lane; q < cols / 4; q += 32) {
            float4 v = x4[q];
            m = fmaxf(m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        }
        for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        for (int q = lane; q < cols / 4; q += 32) {
            float4 v = x4[q];
            s += (expf(v.x - m) + expf(v.y - m)) + (expf(v.z - m) + expf(v.w - m));
        }
        for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
        for (int q = lane; q < cols / 4; q += 32) {
            float4 v = x4[q];
            y4[q] = make_float4(expf(v.x - m) / s, expf(v.y - m) / s, expf(v.z - m) / s, expf(v.w - m) / s);
        }
    } else {
        for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
        for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
        for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
        for (int c = lane; c < cols; c += 32) y[c] = expf(x[c] - m) / s;
    }
}
