// template recursion unrolls loads and stores, constexpr everywhere
#include "warpwise.h"

constexpr int BLOCK = 256;
constexpr int ITEMS = 8;

LAUNCH(scale, .block = {BLOCK}, .tile = {BLOCK * ITEMS});

template <int K> struct Step {
    static __device__ __forceinline__ void load(float (&r)[ITEMS], const float *p, int left)
    {
        r[ITEMS - K] = (ITEMS - K) * BLOCK < left ? p[(ITEMS - K) * BLOCK] : 0.f;
        Step<K - 1>::load(r, p, left);
    }
    static __device__ __forceinline__ void store(const float (&r)[ITEMS], float *p, int left)
    {
        if ((ITEMS - K) * BLOCK < left) p[(ITEMS - K) * BLOCK] = fmaf(2.f, r[ITEMS - K], 1.f);
        Step<K - 1>::store(r, p, left);
    }
};
template <> struct Step<0> {
    static __device__ __forceinline__ void load(float (&)[ITEMS], const float *, int) {}
    static __device__ __forceinline__ void store(const float (&)[ITEMS], float *, int) {}
};

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int first = blockIdx.x * (BLOCK * ITEMS) + threadIdx.x;
    float r[ITEMS];
    Step<ITEMS>::load(r, in + first, n - first);
    Step<ITEMS>::store(r, out + first, n - first);
}
