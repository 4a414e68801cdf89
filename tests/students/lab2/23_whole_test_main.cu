// a program of its own: host allocation in classes, chrono, main() checks both kernels
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>
#include "warpwise.h"

constexpr int TILE = 64, DEEP = 8;

LAUNCH(matmul, .block = {16, 16}, .tile = {TILE, TILE});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[DEEP][TILE + 4], b[DEEP][TILE];
    const int t = threadIdx.y * 16 + threadIdx.x;
    const int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    float acc[4][4] = {};
    for (int m = 0; m < K; m += DEEP) {
        for (int i = t; i < TILE * DEEP; i += 256) {
            const int r = i / DEEP, k = i % DEEP;
            a[k][r] = (r0 + r < M && m + k < K) ? A[(r0 + r) * K + m + k] : 0.0f;
        }
        for (int i = t; i < TILE * DEEP; i += 256) {
            const int k = i / TILE, c = i % TILE;
            b[k][c] = (m + k < K && c0 + c < N) ? B[(m + k) * N + c0 + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEEP; k++) {
            float x[4], y[4];
            for (int i = 0; i < 4; i++) {
                x[i] = a[k][threadIdx.y + 16 * i];
                y[i] = b[k][threadIdx.x + 16 * i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) acc[i][j] = std::fma(x[i], y[j], acc[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const int r = r0 + threadIdx.y + 16 * i, c = c0 + threadIdx.x + 16 * j;
            if (r < M && c < N) C[r * N + c] = acc[i][j];
        }
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

struct Free {
    void operator()(float *p) const { cudaFree(p); }
};
using Buffer = std::unique_ptr<float[], Free>;

static Buffer upload(const std::vector<float> &v)
{
    float *p = nullptr;
    cudaMalloc(&p, v.size() * sizeof(float));
    cudaMemcpy(p, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
    return Buffer(p);
}

int main()
{
    const int M = 1000, N = 900, K = 1100;
    std::mt19937 gen(1);
    std::uniform_real_distribution<float> dist(-1, 1);
    std::vector<float> a(M * K), b(K * N), c(M * N), d(M * N);
    for (float &x : a) x = dist(gen);
    for (float &x : b) x = dist(gen);
    Buffer A = upload(a), B = upload(b), C = upload(c), D = upload(d);
    auto start = std::chrono::steady_clock::now();
    matmul<<<dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE), dim3(16, 16)>>>(A.get(), B.get(), C.get(), M, N, K);
    cudaDeviceSynchronize();
    std::printf("%f s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    matmul_dynamic<<<dim3((N + 7) / 8, (M + 7) / 8), dim3(8, 8), 2 * 8 * 8 * sizeof(float)>>>(A.get(), B.get(), D.get(), M, N, K);
    cudaMemcpy(c.data(), C.get(), c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(d.data(), D.get(), d.size() * sizeof(float), cudaMemcpyDeviceToHost);
    float worst = 0;
    for (size_t i = 0; i < c.size(); i++) worst = std::fmax(worst, std::fabs(c[i] - d[i]));
    std::printf("largest difference %g\n", worst);
}
