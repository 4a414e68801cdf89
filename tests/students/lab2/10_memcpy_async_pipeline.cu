// cuda::pipeline with two stages and cuda::memcpy_async of single floats, zeros stored by hand at the edges
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include "warpwise.h"

constexpr int T = 32, R = 4;

LAUNCH(matmul, .block = {T, T / R}, .tile = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][T][T], Bs[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r0 = blockIdx.y * T, c0 = blockIdx.x * T;
    auto pipe = cuda::make_pipeline(); // each thread its own
    auto stage = [&](int p, int m) {
        pipe.producer_acquire();
        for (int y = ty; y < T; y += T / R) {
            if (r0 + y < M && m + tx < K)
                cuda::memcpy_async(&As[p][y][tx], &A[(r0 + y) * K + m + tx], sizeof(float), pipe);
            else
                As[p][y][tx] = 0.0f;
            if (m + y < K && c0 + tx < N)
                cuda::memcpy_async(&Bs[p][y][tx], &B[(m + y) * N + c0 + tx], sizeof(float), pipe);
            else
                Bs[p][y][tx] = 0.0f;
        }
        pipe.producer_commit();
    };
    float s[R] = {};
    if (K > 0) stage(0, 0);
    int p = 0;
    for (int m = 0; m < K; m += T, p ^= 1) {
        if (m + T < K) {
            stage(p ^ 1, m + T);
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; k++) {
            const float b = Bs[p][k][tx];
#pragma unroll
            for (int i = 0; i < R; i++) s[i] += As[p][ty + i * (T / R)][k] * b;
        }
        pipe.consumer_release();
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < R; i++) {
        const int r = r0 + ty + i * (T / R), c = c0 + tx;
        if (r < M && c < N) C[r * N + c] = s[i];
    }
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
