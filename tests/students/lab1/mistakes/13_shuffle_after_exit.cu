// refused: bad lane mask at line 17; wrong output
// lanes right of C have left, the shuffle with the full mask still names them
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (r >= M || c >= N) return;
    float s[4] = {};
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
        float mine = threadIdx.x < 4 ? A[min(r + (int)threadIdx.x, M - 1) * K + k] : 0.0f;
#pragma unroll
        for (int i = 0; i < 4; i++) s[i] += __shfl_sync(0xffffffff, mine, i) * b; 
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (r + i < M) C[(r + i) * N + c] = s[i];
}
