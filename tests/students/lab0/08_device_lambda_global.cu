// a [] __device__ lambda inside the kernel, [&] captures, four at a time
#include "warpwise.h"
#define NT 256

LAUNCH(scale, .block = {NT}, .tile = {4 * NT});

extern "C" __global__ void scale(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int base = blockIdx.x * 4 * NT + threadIdx.x;
    float v[4];
    auto f = [] __device__ (float x) -> float { return 2.f * x + 1.f; };
    auto at = [&](int k) { return base + k * NT; };
    auto each = [](auto &&g) {
#pragma unroll
        for (int k = 0; k < 4; ++k) g(k);
    };
    if (base + 3 * NT < n) {
        each([&](int k) { v[k] = in[at(k)]; });
        each([&](int k) { out[at(k)] = f(v[k]); });
    } else
        each([&](int k) { if (at(k) < n) out[at(k)] = f(in[at(k)]); });
}
