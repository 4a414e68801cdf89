// 8 x 4 with float4 along k, interior fast path and a separate edge path (bool template)
#include "warpwise.h"

#define TM 64
#define TN 128
LAUNCH(matmul, .block = {32, 8}, .tile = {TN, TM});

template <bool EDGE>
static __device__ void piece(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K, int r, int c)
{
    float s[8][4] = {};
    for (int k = 0; k < K; k += 2) {
        const bool more = k + 1 < K;
        float b[2][4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            bool in = !EDGE || c + j * 32 < N;
            b[0][j] = in ? B[(size_t)k * N + c + j * 32] : 0.f;
            b[1][j] = in && more ? B[(size_t)(k + 1) * N + c + j * 32] : 0.f;
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            bool in = !EDGE || r + i < M;
            float a0 = in ? A[(size_t)(r + i) * K + k] : 0.f;
            float a1 = in && more ? A[(size_t)(r + i) * K + k + 1] : 0.f;
#pragma unroll
            for (int j = 0; j < 4; ++j) s[i][j] += a0 * b[0][j] + a1 * b[1][j];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (!EDGE || (r + i < M && c + j * 32 < N)) C[(size_t)(r + i) * N + c + j * 32] = s[i][j];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int r = blockIdx.y * TM + threadIdx.y * 8, c = blockIdx.x * TN + threadIdx.x;
    if ((int)(blockIdx.y + 1) * TM <= M && (int)(blockIdx.x + 1) * TN <= N)
        piece<false>(A, B, C, M, N, K, r, c);
    else
        piece<true>(A, B, C, M, N, K, r, c);
}
