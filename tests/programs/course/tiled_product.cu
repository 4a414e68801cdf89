// The tiled product for any m, n, k with threadIdx.x along the rows of C, as many texts have it: then neighbouring lanes
// touch a column, and every access to memory is strided. And with threadIdx.x along columns. Both are right.
//
//   tiled_product [M N K]
#include <math.h>

#include "check.h"

enum { TILE = 16 };

template <bool X_IS_ROW> __global__ void product(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int down = X_IS_ROW ? threadIdx.x : threadIdx.y, across = X_IS_ROW ? threadIdx.y : threadIdx.x;
    int row = (X_IS_ROW ? blockIdx.x : blockIdx.y) * TILE + down, col = (X_IS_ROW ? blockIdx.y : blockIdx.x) * TILE + across;
    float sum = 0;
    for (int from = 0; from < k; from += TILE) {
        a[down][across] = row < m && from + across < k ? A[row * k + from + across] : 0;
        b[down][across] = from + down < k && col < n ? B[(from + down) * n + col] : 0;
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < TILE; i++) sum += a[down][i] * b[i][across];
        __syncthreads(); // nobody needs them any more
    }
    if (row < m && col < n) C[row * n + col] = sum;
}

static void compare(const float *A, const float *B, const float *C, int m, int n, int k)
{
    for (int r = 0; r < m; r++)
        for (int c = 0; c < n; c++) {
            double sum = 0;
            for (int i = 0; i < k; i++) sum += (double)A[r * k + i] * B[i * n + c];
            REQUIRE(fabs(C[r * n + c] - sum) <= 1e-5 * k);
        }
}

int main(int argc, char **argv)
{
    int m = argument(argc, argv, 1, 67), n = argument(argc, argv, 2, 101), k = argument(argc, argv, 3, 45);
    float *A = (float *)malloc(m * k * sizeof *A), *B = (float *)malloc(k * n * sizeof *B), *C = (float *)malloc(m * n * sizeof *C);
    for (int i = 0; i < m * k; i++) A[i] = (float)(i % 13) / 13;
    for (int i = 0; i < k * n; i++) B[i] = (float)(i % 17) / 17;
    float *dA, *dB, *dC;
    CHECK(cudaMalloc(&dA, m * k * sizeof *dA));
    CHECK(cudaMalloc(&dB, k * n * sizeof *dB));
    CHECK(cudaMalloc(&dC, m * n * sizeof *dC));
    CHECK(cudaMemcpy(dA, A, m * k * sizeof *A, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dB, B, k * n * sizeof *B, cudaMemcpyHostToDevice));

    int rows = (m + TILE - 1) / TILE, cols = (n + TILE - 1) / TILE;
    product<true><<<dim3(rows, cols), dim3(TILE, TILE)>>>(dA, dB, dC, m, n, k);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(C, dC, m * n * sizeof *C, cudaMemcpyDeviceToHost));
    compare(A, B, C, m, n, k);
    CHECK(cudaMemset(dC, 0, m * n * sizeof *dC));
    product<false><<<dim3(cols, rows), dim3(TILE, TILE)>>>(dA, dB, dC, m, n, k);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(C, dC, m * n * sizeof *C, cudaMemcpyDeviceToHost));
    compare(A, B, C, m, n, k);
    printf("%d x %d x %d: both are right\n", m, n, k);

    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dC));
    free(A);
    free(B);
    free(C);
    return 0;
}
