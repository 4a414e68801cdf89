// refused: technique; too slow
// memory is taken, waited for and given back for each device inside the loop
#include "lab8.h"

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 64, first = host;
    for (int d = 0; d < 2; d++) {
        int count = (n - first) / (2 - d);
        unsigned *a, *b;
        if (count == 0) continue;
        cudaSetDevice(d);
        cudaMalloc(&a, count * sizeof(unsigned));
        cudaMalloc(&b, count * sizeof(unsigned));
        cudaMemcpyAsync(a, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice);
        work<<<(count + 255) / 256, 256>>>(a, b, count);
        cudaMemcpyAsync(out + first, b, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
        if (d == 1) work_on_host(in, out, host);
        cudaStreamSynchronize(0);
        cudaFree(a);
        cudaFree(b);
        first += count;
    }
}

void finish(unsigned *in, unsigned *out)
{
    cudaFreeHost(in);
    cudaFreeHost(out);
}
