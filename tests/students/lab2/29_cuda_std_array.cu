// cuda::std::array for tiles (in shared memory) and sums, cuda::std::swap of the two pairs of tiles
#include <cuda/std/array>
#include <cuda/std/utility>
#include "warpwise.h"

template <class T, int R, int C>
using matrix = cuda::std::array<cuda::std::array<T, C>, R>;

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    using tile_t = matrix<float, 32, 32>;
    __shared__ tile_t a0, b0, a1, b1;
    tile_t *a = &a0, *b = &b0, *an = &a1, *bn = &b1;
    const int tx = threadIdx.x, ty = threadIdx.y, r0 = blockIdx.y * 32, c = blockIdx.x * 32 + tx;
    cuda::std::array<float, 4> s{};
    for (int m = 0; m < K; m += 32) {
        for (int y = ty; y < 32; y += 8) {
            (*a)[y][tx] = r0 + y < M && m + tx < K ? A[(r0 + y) * K + m + tx] : 0.0f;
            (*b)[y][tx] = m + y < K && c < N ? B[(m + y) * N + c] : 0.0f;
        }
        __syncthreads(); // one barrier is enough: the next phase fills the other pair
#pragma unroll
        for (int k = 0; k < 32; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) s[i] += (*a)[ty + 8 * i][k] * (*b)[k][tx];
        cuda::std::swap(a, an);
        cuda::std::swap(b, bn);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (r0 + ty + 8 * i < M && c < N) C[(r0 + ty + 8 * i) * N + c] = s[i];
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + T * T;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + T - 1) / T; phase++) {
        const int ka = phase * T + tx, kb = phase * T + ty;
        As[ty * T + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * T + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
