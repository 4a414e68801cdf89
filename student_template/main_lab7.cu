// Lab 7 as a whole program: a transpose of any shape, against a copy of the same size.
//
//   ./grade run student/main_lab7.cu [ROWS COLS]      on the simulated device
//   nvcc -I grader/kit student/main_lab7.cu && ./a.out [ROWS COLS]      on a card
//
// It runs the kernel of lab7_transpose.cu, which is included below: what you write there is what runs here.
#include "warpwise.h"

#include "lab7_transpose.cu"
#include "main.h"

int main(int argc, char **argv)
{
    int R = argc > 1 ? atoi(argv[1]) : 1000, C = argc > 2 ? atoi(argv[2]) : 777;
    size_t count = (size_t)R * C, bytes = count * sizeof(float);
    float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes);
    for (size_t i = 0; i < count; i++) in[i] = next_float();
    float *device_in, *device_out;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_out, bytes));
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));

    // A copy moves the same bytes and never turns: no transpose is faster. Its share is what counts.
    struct stopwatch watch = start();
    CHECK(cudaMemcpyAsync(device_out, device_in, bytes, cudaMemcpyDeviceToDevice));
    float copy_ms = stop(watch);

    struct launch shape = SHAPE(transpose);
    watch = start();
    transpose<<<grid_of(shape, C, R), block_of(shape), shape.shared>>>(device_in, device_out, R, C);
    CHECK(cudaGetLastError());
    float ms = stop(watch);

    CHECK(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int r = 0; r < R; r++)
        for (int c = 0; c < C; c++) wrong += out[(size_t)c * R + r] != in[(size_t)r * C + c];

    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    free(in);
    free(out);
    printf("a copy takes %.3f ms\n", copy_ms);
    return finish(wrong, 2.0 * bytes, ms);
}
