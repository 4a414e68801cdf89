// debugging printf under #ifdef DEBUG, a main() of its own under #ifdef TEST, asserts
#include <cassert>
#ifdef DEBUG
#include <cstdio>
#endif
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

#ifdef DEBUG
#define LOG(...) printf(__VA_ARGS__)
#else
#define LOG(...) ((void)0)
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    assert(blockDim.x == 32 && blockDim.y == 8);
    const int x0 = blockIdx.x * 64 + threadIdx.x, x1 = x0 + 32;
    const int y = blockIdx.y * 32 + threadIdx.y * 4;
    const bool has0 = x0 < N, has1 = x1 < N;
    LOG("block %d %d: %d %d\n", blockIdx.x, blockIdx.y, x0, y);

    float sum[2][4];
#pragma unroll
    for (int i = 0; i < 8; i++) sum[i / 4][i % 4] = 0.0f;

#pragma unroll 4
    for (int k = 0; k < K; k++) {
        const float b0 = has0 ? B[k * N + x0] : 0.0f;
        const float b1 = has1 ? B[k * N + x1] : 0.0f;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float a = y + i < M ? A[(y + i) * K + k] : 0.0f;
            sum[0][i] += a * b0;
            sum[1][i] += a * b1;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (y + i >= M) break;
        if (has0) C[(y + i) * N + x0] = sum[0][i];
        if (has1) C[(y + i) * N + x1] = sum[1][i];
    }
}

#ifdef TEST
int main() { matmul<<<dim3(1, 1), dim3(32, 8)>>>(nullptr, nullptr, nullptr, 0, 0, 0); return cudaDeviceSynchronize(); }
#endif
