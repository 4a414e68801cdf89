// Lab 3 as a whole program: a prefix sum in three kernels, one after the other.
//
//   ./grade run student/main_lab3.cu [N]      on the simulated device
//   nvcc -I grader/kit student/main_lab3.cu && ./a.out [N]      on a card
//
// It runs the kernels of lab3_syncthreads.cu, which is included below: what you write there is what runs here.
#include "warpwise.h"

#include "lab3_syncthreads.cu"
#include "main.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000003;
    size_t bytes = (size_t)n * sizeof(unsigned);
    unsigned *in = (unsigned *)malloc(bytes), *out = (unsigned *)malloc(bytes);
    for (int i = 0; i < n; i++) in[i] = next_number();

    struct launch first = SHAPE(block_sums), second = SHAPE(scan_sums), third = SHAPE(scan_blocks);
    dim3 grid = grid_of(first, n, 1);
    unsigned *device_in, *device_out, *sums;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_out, bytes));
    CHECK(cudaMalloc(&sums, grid.x * sizeof *sums)); // scratch: one number a block
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));

    // Kernels of one stream run in the order of their launches, each after the one before has ended: that is the only
    // barrier which all blocks of a grid have in common.
    struct stopwatch watch = start();
    block_sums<<<grid, block_of(first), first.shared>>>(device_in, sums, n);
    scan_sums<<<1, block_of(second), second.shared>>>(sums, (int)grid.x);
    scan_blocks<<<grid_of(third, n, 1), block_of(third), third.shared>>>(device_in, sums, device_out, n);
    CHECK(cudaGetLastError());
    float ms = stop(watch);

    CHECK(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost));
    unsigned sum = 0;
    long wrong = 0;
    for (int i = 0; i < n; i++) wrong += out[i] != (sum += in[i]);

    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    CHECK(cudaFree(sums));
    free(in);
    free(out);
    return finish(wrong, 2.0 * bytes, ms);
}
