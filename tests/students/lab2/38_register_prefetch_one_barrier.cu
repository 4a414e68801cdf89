// 2 x 2 buffers, the next phase waits in registers, generic lambdas, one barrier a phase, short-circuit guards
#include "warpwise.h"

LAUNCH(matmul, .block = {16, 16}, .tile = {64, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    enum { W = 64, D = 16 };
    __shared__ float sh[2][2][D][W + 1];
    const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * W, c0 = blockIdx.x * W;
    float ra[4], rb[4], s[16];
    auto four = [](auto f) {
#pragma unroll
        for (int i = 0; i < 4; i++) f(i);
    };
    auto pull = [&](int m) {
        four([&](int i) {
            const int r = r0 + y + 16 * i, c = c0 + x + 16 * i;
            ra[i] = r < M && m + x < K ? A[r * K + m + x] : 0.0f;
            rb[i] = m + y < K && c < N ? B[(m + y) * N + c] : 0.0f;
        });
    };
    auto push = [&](auto &to) {
        four([&](int i) {
            to[0][x][y + 16 * i] = ra[i];
            to[1][y][x + 16 * i] = rb[i];
        });
    };
    four([&](int i) { four([&](int j) { s[4 * i + j] = 0.0f; }); });
    pull(0);
    for (int m = 0, p = 0; m < K; m += D, p = 1 - p) {
        push(sh[p]);
        __syncthreads();
        pull(m + D); // behind K the guards give zeros
#pragma unroll
        for (int k = 0; k < D; k++)
            four([&](int i) { four([&](int j) { s[4 * i + j] += sh[p][0][k][y + 16 * i] * sh[p][1][k][x + 16 * j]; }); });
    }
    four([&](int i) {
        four([&](int j) {
            const int r = r0 + y + 16 * i, c = c0 + x + 16 * j;
            if (r < M && c < N) C[r * N + c] = s[4 * i + j];
        });
    });
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
