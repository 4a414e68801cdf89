// 1-D block of 256 threads, warp and lane by bit tricks, .tile covers 2-D
#include "warpwise.h"

LAUNCH(matmul, .block = {256}, .tile = {64, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    unsigned t = threadIdx.x, lane = t & 31u, warp = t >> 5;
    int c = (int)(blockIdx.x << 6 | lane), r = (int)(blockIdx.y << 6 | warp << 3);
    if (c >= N | r >= M) return;
    int e = c ^ 32;
    bool two = e < N;
    e = two ? e : c;
    float s[8], q[8];
    for (int i = 0; i < 8; ++i) s[i] = q[i] = 0.f;
    #pragma unroll 2
    for (int k = 0; k < K; ++k) {
        float x = B[k * N + c], y = B[k * N + e];
        #pragma unroll
        for (int i = 0; i < 8; ++i) {
            float a = A[min(r | i, M - 1) * K + k];
            s[i] += a * x;
            q[i] += a * y;
        }
    }
    #pragma unroll
    for (int i = 0; i < 8; ++i)
        if ((r | i) < M) {
            C[(r | i) * N + c] = s[i];
            if (two) C[(r | i) * N + e] = q[i];
        }
}
