// split k over the lanes, cub::WarpReduce adds up (its storage for whole warps is empty)
// not passed: too slow
#include <cub/cub.cuh>
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 4}, .tile = {2, 16});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    using Reduce = cub::WarpReduce<float>;
    __shared__ typename Reduce::TempStorage storage[4];
    const int c = blockIdx.x * 2, r = blockIdx.y * 16 + threadIdx.y * 4;
    if (r >= M) return;
    float s[4][2] = {};
    const int c1 = min(c + 1, N - 1);
    for (int k = threadIdx.x; k < K; k += 32) {
        const float x = B[k * N + c], y = B[k * N + c1];
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float a = A[min(r + i, M - 1) * K + k];
            s[i][0] += a * x;
            s[i][1] += a * y;
        }
    }
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        #pragma unroll
        for (int j = 0; j < 2; ++j) {
            const float total = Reduce(storage[threadIdx.y]).Sum(s[i][j]);
            __syncwarp();
            if (threadIdx.x == 0 && r + i < M && c + j < N) C[(r + i) * N + c + j] = total;
        }
}
