// Lab 4 as a whole program: a histogram of 256 bins.
//
//   ./grade run student/main_lab4.cu [N]      on the simulated device
//   nvcc -I grader/kit student/main_lab4.cu && ./a.out [N]      on a card
//
// It runs the kernel of lab4_atomics.cu, which is included below: what you write there is what runs here.
#include "warpwise.h"

#include "lab4_atomics.cu"
#include "main.h"

enum { HISTOGRAM_BINS = 256 };

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000003;
    size_t bytes = (size_t)n * sizeof(unsigned);
    unsigned *in = (unsigned *)malloc(bytes), bins[HISTOGRAM_BINS], expected[HISTOGRAM_BINS] = {0};
    for (int i = 0; i < n; i++) ++expected[(in[i] = next_number() >> 20) & (HISTOGRAM_BINS - 1)];

    unsigned *device_in, *device_bins;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_bins, sizeof bins));
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_bins, 0, sizeof bins)); // new memory holds anything: counters must be cleared

    struct launch shape = SHAPE(histogram);
    struct stopwatch watch = start();
    histogram<<<grid_of(shape, n, 1), block_of(shape), shape.shared>>>(device_in, device_bins, n);
    CHECK(cudaGetLastError());
    float ms = stop(watch);

    CHECK(cudaMemcpy(bins, device_bins, sizeof bins, cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int b = 0; b < HISTOGRAM_BINS; b++) wrong += bins[b] != expected[b];

    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_bins));
    free(in);
    return finish(wrong, (double)bytes, ms);
}
