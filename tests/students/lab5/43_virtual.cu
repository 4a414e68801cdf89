// virtual functions for the operation, objects on the stack, references to the base class, references to arrays
// not passed: too slow
#include "warpwise.h"
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

struct Operation {
    __device__ virtual float neutral() const = 0;
    __device__ virtual float apply(float a, float b) const = 0;
};
struct Sum : Operation {
    __device__ float neutral() const override { return 0.0f; }
    __device__ float apply(float a, float b) const override { return a + b; }
};
struct Maximum final : Operation {
    __device__ float neutral() const override { return -INFINITY; }
    __device__ float apply(float a, float b) const override { return a < b ? b : a; }
};

__device__ __noinline__ float reduce_in(float (&mine)[32], int lane, float v, const Operation &op)
{
    mine[lane] = v;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) mine[lane] = op.apply(mine[lane], mine[lane + half]);
        __syncwarp();
    }
    float result = mine[0];
    __syncwarp();
    return result;
}

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    Sum op;
    float v = op.neutral();
    for (int c = lane; c < cols; c += 32) v = op.apply(v, in[(size_t)row * cols + c]);
    v = reduce_in(exchange[warp], lane, v, op);
    if (lane == 0) sums[row] = v;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    Maximum maximum;
    Sum sum;
    const Operation *ops[2] = {&maximum, &sum};
    float m = ops[0]->neutral(), s = ops[1]->neutral();
    for (int c = lane; c < cols; c += 32) m = ops[0]->apply(m, in[(size_t)row * cols + c]);
    m = reduce_in(exchange[warp], lane, m, *ops[0]);
    for (int c = lane; c < cols; c += 32) s = ops[1]->apply(s, expf(in[(size_t)row * cols + c] - m));
    s = reduce_in(exchange[warp], lane, s, *ops[1]);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(in[(size_t)row * cols + c] - m) / s;
}
