// cuda::barrier in shared memory instead of __syncthreads: arrive_and_wait, arrive / wait apart
#include <cuda/barrier>
#include <cuda/std/utility>
#include "warpwise.h"

using barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int T = 32;

LAUNCH(matmul, .block = {T, 8}, .tile = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier full, empty;
    const int tx = threadIdx.x, ty = threadIdx.y, r0 = blockIdx.y * T, c = blockIdx.x * T + tx;
    if (tx == 0 && ty == 0) {
        init(&full, T * 8);
        init(&empty, T * 8);
    }
    __syncthreads();
    float s[4] = {};
    for (int m = 0; m < K; m += T) {
        for (int y = ty; y < T; y += 8) {
            As[y][tx] = r0 + y < M && m + tx < K ? A[(r0 + y) * K + m + tx] : 0.0f;
            Bs[y][tx] = m + y < K && c < N ? B[(m + y) * N + c] : 0.0f;
        }
        full.arrive_and_wait();
#pragma unroll
        for (int k = 0; k < T; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) s[i] += As[ty + 8 * i][k] * Bs[k][tx];
        barrier::arrival_token token = empty.arrive();
        empty.wait(cuda::std::move(token));
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (r0 + ty + 8 * i < M && c < N) C[(r0 + ty + 8 * i) * N + c] = s[i];
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int w = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + w * w;
    const int r = blockIdx.y * w + ty, c = blockIdx.x * w + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + w - 1) / w; phase++) {
        const int ka = phase * w + tx, kb = phase * w + ty;
        As[ty * w + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * w + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < w; k++)
            sum += As[ty * w + k] * Bs[k * w + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
