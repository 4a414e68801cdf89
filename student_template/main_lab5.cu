// Lab 5 as a whole program: sums and softmax of many short rows.
//
//   ./grade run student/main_lab5.cu [ROWS COLS]      on the simulated device
//   nvcc -I grader/kit student/main_lab5.cu && ./a.out [ROWS COLS]      on a card
//
// It runs the kernels of lab5_syncwarp.cu, which is included below: what you write there is what runs here.
#include "warpwise.h"

#include "lab5_syncwarp.cu"
#include "main.h"

// Whole rows, in double: their largest element, their sum, and the sum of their exponentials.
static void row(const float *in, int cols, double *most, double *sum, double *size, double *exps)
{
    *most = -INFINITY;
    *sum = *size = *exps = 0;
    for (int c = 0; c < cols; c++) {
        *most = fmax(*most, in[c]);
        *sum += in[c];
        *size += fabs(in[c]);
    }
    for (int c = 0; c < cols; c++) *exps += exp(in[c] - *most);
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 1001, cols = argc > 2 ? atoi(argv[2]) : 77;
    size_t count = (size_t)rows * cols, bytes = count * sizeof(float);
    float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes), *sums = (float *)malloc(rows * sizeof(float));
    for (size_t i = 0; i < count; i++) in[i] = 10 * next_float();
    float *device_in, *device_out, *device_sums;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_out, bytes));
    CHECK(cudaMalloc(&device_sums, rows * sizeof(float)));
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));

    struct launch first = SHAPE(row_sums), second = SHAPE(softmax);
    struct stopwatch watch = start();
    row_sums<<<grid_of(first, rows, 1), block_of(first), first.shared>>>(device_in, device_sums, rows, cols);
    softmax<<<grid_of(second, rows, 1), block_of(second), second.shared>>>(device_in, device_out, rows, cols);
    CHECK(cudaGetLastError());
    float ms = stop(watch);

    CHECK(cudaMemcpy(sums, device_sums, rows * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int r = 0; r < rows; r++) {
        const float *of = in + (size_t)r * cols;
        double most, sum, size, exps;
        row(of, cols, &most, &sum, &size, &exps);
        wrong += !(fabs(sums[r] - sum) <= cols * size / (1 << 24));
        for (int c = 0; c < cols; c++) {
            double expected = exp(of[c] - most) / exps;
            wrong += !(fabs(out[(size_t)r * cols + c] - expected) <= 1e-5 * expected + 1e-30);
        }
    }

    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    CHECK(cudaFree(device_sums));
    free(in);
    free(out);
    free(sums);
    return finish(wrong, 3.0 * bytes, ms);
}
