// Rung 3: a short row lies in registers, four floats a lane: it is fetched once, 16 bytes a load, and each exponential
// is formed once. Rows that do not fit keep the loops of the rung before.
// Flaw that the last step removes: a warp has a single row, so it waits for one load, then for one exchange after the
// other, with nothing to do in between; and a row of 32 floats lies in eight lanes, while 24 look on.
#include "warpwise.h"

#define WARPS 4
#define ALL 0xffffffffu

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float *part = exchange[warp];
    const float *x = in + (size_t)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        for (int c = lane * 4; c < cols; c += 128) {
            float4 v = *reinterpret_cast<const float4 *>(x + c);
            sum += (v.x + v.y) + (v.z + v.w);
        }
    } else {
        for (int c = lane; c < cols; c += 32) sum += x[c];
    }
    part[lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) part[lane] += part[lane + half];
        __syncwarp();
    }
    if (lane == 0) sums[row] = part[0];
}

static __device__ float warp_max(float value)
{
    for (int distance = 16; distance > 0; distance /= 2) value = fmaxf(value, __shfl_xor_sync(ALL, value, distance));
    return value;
}

static __device__ float warp_sum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(ALL, value, distance);
    return value;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float *y = out + (size_t)row * cols;

    if (cols <= 128 && cols % 4 == 0) {
        float4 v = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY); // a lane behind the end adds nothing
        if (lane * 4 < cols) v = *reinterpret_cast<const float4 *>(x + lane * 4);
        float most = warp_max(fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        v = make_float4(__expf(v.x - most), __expf(v.y - most), __expf(v.z - most), __expf(v.w - most));
        float scale = 1.0f / warp_sum((v.x + v.y) + (v.z + v.w));
        if (lane * 4 < cols)
            *reinterpret_cast<float4 *>(y + lane * 4) = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
        return;
    }
    float most = -INFINITY, sum = 0.0f;
    for (int c = lane; c < cols; c += 32) most = fmaxf(most, x[c]);
    most = warp_max(most);
    for (int c = lane; c < cols; c += 32) sum += __expf(x[c] - most);
    float scale = 1.0f / warp_sum(sum);
    for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - most) * scale;
}
