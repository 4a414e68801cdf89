// eight rows a warp: all loads first, transposed exchange with a padding of one word, two __syncwarp() for eight rows
#include "warpwise.h"
#define WARPS 4
#define ROWS 8

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS * ROWS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS * ROWS});

extern "C" __global__ void __launch_bounds__(WARPS * 32) row_sums(const float *__restrict__ in, float *__restrict__ sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][ROWS][33];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = (blockIdx.x * WARPS + warp) * ROWS;
    if (first >= rows) return;
    float sum[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) sum[r] = 0.0f;
    for (int c = lane; c < cols; c += 32) {
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
            if (first + r < rows) sum[r] += in[(size_t)(first + r) * cols + c];
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) exchange[warp][r][lane] = sum[r];
    __syncwarp();
    int r = lane / 4, q = lane % 4;
    float s = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) s += exchange[warp][r][q * 8 + i];
    exchange[warp][r][q * 8] = s; // only this lane reads these eight
    __syncwarp();
    if (lane < ROWS && first + lane < rows) {
        float *e = exchange[warp][lane];
        sums[first + lane] = (e[0] + e[8]) + (e[16] + e[24]);
    }
}

extern "C" __global__ void __launch_bounds__(WARPS * 32) softmax(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = (blockIdx.x * WARPS + warp) * ROWS;
    if (first >= rows) return;
    if (cols <= 32) { // a value a lane and row
        float v[ROWS], m[ROWS], s[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
            m[r] = v[r] = lane < cols && first + r < rows ? in[(size_t)(first + r) * cols + lane] : -INFINITY;
#pragma unroll
        for (int d = 16; d; d /= 2)
#pragma unroll
            for (int r = 0; r < ROWS; ++r) m[r] = fmaxf(m[r], __shfl_xor_sync(0xffffffff, m[r], d));
#pragma unroll
        for (int r = 0; r < ROWS; ++r) s[r] = v[r] = lane < cols && first + r < rows ? expf(v[r] - m[r]) : 0.0f;
#pragma unroll
        for (int d = 16; d; d /= 2)
#pragma unroll
            for (int r = 0; r < ROWS; ++r) s[r] += __shfl_xor_sync(0xffffffff, s[r], d);
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
            if (lane < cols && first + r < rows) out[(size_t)(first + r) * cols + lane] = v[r] / s[r];
        return;
    }
    for (int row = first; row < first + ROWS && row < rows; ++row) {
        const float *x = in + (size_t)row * cols;
        float m = -INFINITY, s = 0;
        for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
        for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
        for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
        for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
    }
}
