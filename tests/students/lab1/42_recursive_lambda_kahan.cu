// compensated (Kahan) sums with __fadd_rn so that nothing is optimised away, a self-passing generic lambda
// not passed: too slow
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

struct Kahan {
    float s = 0.0f, e = 0.0f;
    __device__ void operator+=(float x)
    {
        float y = __fsub_rn(x, e);
        float t = __fadd_rn(s, y);
        e = __fsub_rn(__fsub_rn(t, s), y);
        s = t;
    }
    __device__ operator float() const { return s; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (c >= N || r >= M) return;
    Kahan s0, s1, s2, s3;
    auto row = [=](int i) { return A + min(r + i, M - 1) * K; };
    const float *p0 = row(0), *p1 = row(1), *p2 = row(2), *p3 = row(3);
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
        s0 += p0[k] * b;
        s1 += p1[k] * b;
        s2 += p2[k] * b;
        s3 += p3[k] * b;
    }
    auto store = [&](auto &self, int i, float v, auto... rest) -> void {
        if (r + i >= M) return;
        C[(r + i) * N + c] = v;
        if constexpr (sizeof...(rest) > 0) self(self, i + 1, rest...);
    };
    store(store, 0, (float)s0, (float)s1, (float)s2, (float)s3);
}
