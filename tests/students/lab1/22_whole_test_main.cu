// a whole test main() left in the file, with <cstdio>, <vector> and a CHECK macro
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "warpwise.h"

#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t e = (call);                                                           \
        if (e != cudaSuccess) {                                                           \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            std::exit(1);                                                                 \
        }                                                                                 \
    } while (0)

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 64});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * 8;
    if (r0 >= M || c >= N) return;
    float sum[8] = {};
#pragma unroll 4
    for (int k = 0; k < K; k++) {
        float b = B[k * N + c];
#pragma unroll
        for (int i = 0; i < 8; i++)
            sum[i] += A[min(r0 + i, M - 1) * K + k] * b;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (r0 + i < M) C[(r0 + i) * N + c] = sum[i];
}

int main(int argc, char **argv)
{
    int M = argc > 1 ? std::atoi(argv[1]) : 203, N = argc > 2 ? std::atoi(argv[2]) : 211, K = 157;
    std::vector<float> a(M * K), b(K * N), c(M * N);
    for (auto &x : a) x = (float)std::rand() / RAND_MAX;
    for (auto &x : b) x = (float)std::rand() / RAND_MAX;
    float *dA, *dB, *dC;
    CHECK(cudaMalloc(&dA, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&dB, b.size() * sizeof(float)));
    CHECK(cudaMalloc(&dC, c.size() * sizeof(float)));
    CHECK(cudaMemcpy(dA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dB, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    dim3 block(32, 8), grid((N + 31) / 32, (M + 63) / 64);
    matmul<<<grid, block>>>(dA, dB, dC, M, N, K);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), dC, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int r = 0; r < M; r++)
        for (int q = 0; q < N; q++) {
            double want = 0;
            for (int k = 0; k < K; k++) want += (double)a[r * K + k] * b[k * N + q];
            if (std::fabs(want - c[r * N + q]) > 1e-3) bad++;
        }
    std::printf("%d wrong\n", bad);
    CHECK(cudaFree(dA)); CHECK(cudaFree(dB)); CHECK(cudaFree(dC));
    return bad != 0;
}
