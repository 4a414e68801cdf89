// Lab 0 as a whole program: allocate, copy there, launch, copy back, compare.
//
//   ./grade run student/main_lab0.cu [N]      on the simulated device
//   nvcc -I grader/kit student/main_lab0.cu && ./a.out [N]      on a card
//
// It runs the kernel of lab0_coalescing.cu, which is included below: what you write there is what runs here.
#include "warpwise.h"

#include "lab0_coalescing.cu"
#include "main.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    size_t bytes = (size_t)n * sizeof(float);

    // Host memory, and memory of the device: two spaces, two pointers for the same array.
    float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes);
    for (int i = 0; i < n; i++) in[i] = next_float();
    float *device_in, *device_out;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_out, bytes));
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));

    // A launch returns at once: the device works while the host goes on. Its errors are two: it could not be started
    // (cudaGetLastError), or it went wrong on its way (the next call that waits for it: here in stop()).
    struct launch shape = SHAPE(scale);
    struct stopwatch watch = start();
    scale<<<grid_of(shape, n, 1), block_of(shape), shape.shared>>>(device_in, device_out, n);
    CHECK(cudaGetLastError());
    float ms = stop(watch);

    CHECK(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int i = 0; i < n; i++) wrong += out[i] != 2 * in[i] + 1;

    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    free(in);
    free(out);
    return finish(wrong, 2.0 * bytes, ms);
}
