// object-oriented: abstract class, device new and delete of a small object in each thread, few threads
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 1);

struct Op {
    __device__ virtual float apply(float x) const = 0;
    __device__ virtual ~Op() {}
};
struct Mul : Op {
    float f;
    __device__ Mul(float f) : f(f) {}
    __device__ float apply(float x) const override { return f * x; }
};
struct Add : Op {
    float s;
    __device__ Add(float s) : s(s) {}
    __device__ float apply(float x) const override { return x + s; }
};

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    Op *ops[2] = {new Mul(2.0f), new Add(1.0f)};
    if (ops[0] && ops[1])
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            float x = in[i];
            for (Op *op : ops) x = op->apply(x);
            out[i] = x;
        }
    delete ops[0];
    delete ops[1];
}
