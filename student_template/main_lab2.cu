// Lab 2 as a whole program: a matrix product of any size, by tiles of a fixed width and of one chosen now.
//
//   ./grade run student/main_lab2.cu [M N K]      on the simulated device
//   nvcc -I grader/kit student/main_lab2.cu && ./a.out [M N K]      on a card
//
// It runs the kernels of lab2_tiling.cu, which is included below: what you write there is what runs here.
#include "warpwise.h"

#include "lab2_tiling.cu"
#include "main.h"

static float *device_copy(const float *data, size_t count)
{
    float *copy;
    CHECK(cudaMalloc(&copy, count * sizeof *copy));
    CHECK(cudaMemcpy(copy, data, count * sizeof *copy, cudaMemcpyHostToDevice));
    return copy;
}

// However the sums are ordered, each of the K terms is rounded at most K times, by 2^-24 of itself.
static int is_right(const float *A, const float *B, float got, int r, int c, int N, int K)
{
    double sum = 0, size = 0;
    for (int k = 0; k < K; k++) {
        double term = (double)A[(size_t)r * K + k] * B[(size_t)k * N + c];
        sum += term;
        size += fabs(term);
    }
    return fabs(got - sum) <= K * size / (1 << 24) + 1e-30; // not a number is never right
}

int main(int argc, char **argv)
{
    int M = argc > 1 ? atoi(argv[1]) : 200, N = argc > 2 ? atoi(argv[2]) : 300, K = argc > 3 ? atoi(argv[3]) : 100;
    float *A = (float *)malloc((size_t)M * K * sizeof *A), *B = (float *)malloc((size_t)K * N * sizeof *B);
    float *C = (float *)malloc((size_t)M * N * sizeof *C);
    for (size_t i = 0; i < (size_t)M * K; i++) A[i] = next_float();
    for (size_t i = 0; i < (size_t)K * N; i++) B[i] = next_float();
    float *device_A = device_copy(A, (size_t)M * K), *device_B = device_copy(B, (size_t)K * N), *device_C;
    CHECK(cudaMalloc(&device_C, (size_t)M * N * sizeof *C));

    struct launch shape = SHAPE(matmul);
    struct stopwatch watch = start();
    matmul<<<grid_of(shape, N, M), block_of(shape), shape.shared>>>(device_A, device_B, device_C, M, N, K);
    CHECK(cudaGetLastError());
    float ms = stop(watch);

    CHECK(cudaMemcpy(C, device_C, (size_t)M * N * sizeof *C, cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int r = 0; r < M; r++)
        for (int c = 0; c < N; c++) wrong += !is_right(A, B, C[(size_t)r * N + c], r, c, N, K);

    // The same with tiles as wide as this device can hold, two of them: memory whose size is known only at the launch.
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    int width = 32;
    while (2 * width * width * sizeof(float) > properties.sharedMemPerBlock || width * width > properties.maxThreadsPerBlock)
        width /= 2;
    dim3 block(width, width), grid((N + width - 1) / width, (M + width - 1) / width);
    CHECK(cudaMemset(device_C, 0xff, (size_t)M * N * sizeof *C)); // not a number, all of it
    matmul_dynamic<<<grid, block, 2 * width * width * sizeof(float)>>>(device_A, device_B, device_C, M, N, K);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(C, device_C, (size_t)M * N * sizeof *C, cudaMemcpyDeviceToHost));
    for (int r = 0; r < M; r++)
        for (int c = 0; c < N; c++) wrong += !is_right(A, B, C[(size_t)r * N + c], r, c, N, K);

    CHECK(cudaFree(device_A));
    CHECK(cudaFree(device_B));
    CHECK(cudaFree(device_C));
    free(A);
    free(B);
    free(C);
    printf("%.1f GFLOP/s\n", 2.0 * M * N * K / ms / 1e6);
    return finish(wrong, 4.0 * ((double)M * K + (double)K * N + (double)M * N), ms);
}
