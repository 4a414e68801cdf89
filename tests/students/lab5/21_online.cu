// online softmax: maximum and sum in one pass, a struct passed through shuffles
#include "warpwise.h"
#include <math_constants.h>
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

struct __align__(8) MD { float m, d; };

__device__ __forceinline__ MD combine(MD a, MD b)
{
    bool a_larger = a.m > b.m;
    MD big = a_larger ? a : b, small = a_larger ? b : a;
    MD r;
    r.m = big.m;
    r.d = big.d + (small.d == 0.0f ? 0.0f : small.d * expf(small.m - big.m));
    return r;
}

extern "C" __global__ void row_sums(const float *__restrict__ in, float *__restrict__ sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
    exchange[warp][lane] = sum;
    __syncwarp();
    // four lanes add eight each, then lane 0 adds the four
    if (lane < 4) {
        sum = 0;
        for (int i = lane; i < 32; i += 4) sum += exchange[warp][i];
        exchange[warp][lane] = sum; // the others' elements are i % 4 == theirs: nobody else reads this one
    }
    __syncwarp();
    if (lane == 0) sums[row] = exchange[warp][0] + exchange[warp][1] + exchange[warp][2] + exchange[warp][3];
}

extern "C" __global__ void softmax(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    in += (size_t)row * cols;
    out += (size_t)row * cols;
    MD md = {-CUDART_INF_F, 0.0f};
    for (int c = lane; c < cols; c += 32) md = combine(md, MD{in[c], 1.0f});
    for (int d = 16; d; d >>= 1) {
        MD other;
        other.m = __shfl_xor_sync(0xffffffff, md.m, d);
        other.d = __shfl_xor_sync(0xffffffff, md.d, d);
        md = combine(md, other);
    }
    float scale = __frcp_rn(md.d);
    for (int c = lane; c < cols; c += 32) out[c] = expf(in[c] - md.m) * scale;
}
