// a whole test main() left in the file behind #ifdef, printf under #ifdef DEBUG
#include "warpwise.h"
#include <stdio.h>

#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
    exchange[warp][lane] = sum;
    __syncwarp();
#ifdef DEBUG
    printf("row %d lane %d: %f\n", row, lane, sum);
#endif
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) exchange[warp][lane] += exchange[warp][lane + half];
        __syncwarp();
    }
    if (lane == 0) sums[row] = exchange[warp][0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}

// the host's check, used with nvcc -DTEST
__host__ __device__ static inline float reference_sum(const float *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; ++i) s += x[i];
    return (float)s;
}

#ifdef TEST
#include <stdlib.h>
#include <vector>
int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 10, cols = argc > 2 ? atoi(argv[2]) : 20;
    std::vector<float> in(rows * cols), sums(rows);
    for (auto &v : in) v = rand() / (float)RAND_MAX;
    float *d_in, *d_sums;
    cudaMalloc(&d_in, in.size() * 4);
    cudaMalloc(&d_sums, sums.size() * 4);
    cudaMemcpy(d_in, in.data(), in.size() * 4, cudaMemcpyHostToDevice);
    row_sums<<<(rows + WARPS - 1) / WARPS, WARPS * 32>>>(d_in, d_sums, rows, cols);
    cudaMemcpy(sums.data(), d_sums, sums.size() * 4, cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; ++r) printf("%f %f\n", sums[r], reference_sum(&in[r * cols], cols));
}
#endif
