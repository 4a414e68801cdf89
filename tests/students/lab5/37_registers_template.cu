// the row in registers: templates on the number of values a lane, chosen by a switch; 16-byte loads for 128 columns
#include "warpwise.h"

static constexpr int kWarps = 4;
LAUNCH(row_sums, .block = {kWarps * 32}, .tile = {kWarps});
LAUNCH(softmax, .block = {kWarps * 32}, .tile = {kWarps});

template <int N> __device__ void softmax_row(const float *__restrict__ x, float *__restrict__ y, int cols, int lane)
{
    float v[N];
#pragma unroll
    for (int i = 0; i < N; ++i) v[i] = i * 32 + lane < cols ? x[i * 32 + lane] : -INFINITY;
    float m = v[0];
#pragma unroll
    for (int i = 1; i < N; ++i) m = fmaxf(m, v[i]);
#pragma unroll
    for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    float s = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) s += v[i] = __expf(v[i] - m); // exp(-inf) is 0
#pragma unroll
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d);
    const float r = 1.0f / s;
#pragma unroll
    for (int i = 0; i < N; ++i)
        if (i * 32 + lane < cols) y[i * 32 + lane] = v[i] * r;
}

__device__ void softmax_128(const float4 *__restrict__ x, float4 *__restrict__ y, int lane)
{
    float4 v = x[lane];
    float m = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
#pragma unroll
    for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    v.x = __expf(v.x - m), v.y = __expf(v.y - m), v.z = __expf(v.z - m), v.w = __expf(v.w - m);
    float s = (v.x + v.y) + (v.z + v.w);
#pragma unroll
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d);
    const float r = 1.0f / s;
    v.x *= r, v.y *= r, v.z *= r, v.w *= r;
    y[lane] = v;
}

extern "C" __global__ void row_sums(const float *__restrict__ in, float *__restrict__ sums, int rows, int cols)
{
    __shared__ __align__(16) float exchange[kWarps][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * kWarps + warp;
    if (row >= rows) return;
    float sum = 0;
    if (cols % 4 == 0) {
        const float4 *x = reinterpret_cast<const float4 *>(in + (size_t)row * cols);
        for (int q = lane; q < cols / 4; q += 32) sum += x[q].x + x[q].y + x[q].z + x[q].w;
    } else {
        for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
    }
    exchange[warp][lane] = sum;
    __syncwarp();
    if (lane < 8) {
        float4 v = reinterpret_cast<float4 *>(exchange[warp])[lane];
        exchange[warp][lane * 4] = (v.x + v.y) + (v.z + v.w);
    }
    __syncwarp();
    if (lane == 0) {
        sum = 0;
#pragma unroll
        for (int i = 0; i < 32; i += 4) sum += exchange[warp][i];
        sums[row] = sum;
    }
}

extern "C" __global__ void softmax(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    const int lane = threadIdx.x % 32, row = blockIdx.x * kWarps + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float *y = out + (size_t)row * cols;
    if (cols == 128) {
        softmax_128((const float4 *)x, (float4 *)y, lane);
        return;
    }
    switch ((cols + 31) / 32) {
    case 0: return;
    case 1: softmax_row<1>(x, y, cols, lane); break;
    case 2: softmax_row<2>(x, y, cols, lane); break;
    case 3: softmax_row<3>(x, y, cols, lane); break;
    case 4: softmax_row<4>(x, y, cols, lane); break;
    default: {
        float m = -INFINITY, s = 0;
        for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
        for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        for (int c = lane; c < cols; c += 32) s += __expf(x[c] - m);
        for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d);
        for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - m) / s;
    }
    }
}
