// lab6: wrong output
// 56: a copy of two rows onto themselves, one row further: what the first row is known for would be copied to the third
// by the time the second row is looked at.
#include "lab6.h"
#include <vector>

static unsigned *rows, *device_in;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (n + 1) * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&rows, 3 * bytes);
    cudaMalloc(&device_in, bytes);
    cudaMemset(device_in, 0, bytes);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    size_t bytes = n * sizeof *out;
    std::vector<unsigned> mine(n + 1);
    for (int i = 0; i < n; ++i) mine[i] = work_on(in[i]);
    work<<<n / 256 + 1, 256>>>(device_in, rows, n);
    cudaMemcpy(rows + n, mine.data(), bytes, cudaMemcpyHostToDevice);
    if (n) cudaMemcpy2D(rows + n, bytes, rows, bytes, bytes, 2, cudaMemcpyDeviceToDevice);
    cudaMemcpy(out, rows + 2 * n, bytes, cudaMemcpyDeviceToHost);
}

void finish(unsigned *in, unsigned *out)
{
    cudaFree(rows);
    cudaFree(device_in);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
