// no stream of one's own: cudaMemcpyAsync and the launch in each device's default stream, one thread
#include "lab8.h"

unsigned *dev0_in, *dev0_out, *dev1_in, *dev1_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost((void **)in, n * sizeof(unsigned));
    cudaMallocHost((void **)out, n * sizeof(unsigned));
    cudaSetDevice(0);
    cudaMalloc((void **)&dev0_in, n * sizeof(unsigned));
    cudaMalloc((void **)&dev0_out, n * sizeof(unsigned));
    cudaSetDevice(1);
    cudaMalloc((void **)&dev1_in, n * sizeof(unsigned));
    cudaMalloc((void **)&dev1_out, n * sizeof(unsigned));
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int n2 = n / 64;            // host
    int n0 = (n - n2) / 2;      // device 0
    int n1 = n - n2 - n0;       // device 1

    if (n0 > 0) {
        cudaSetDevice(0);
        cudaMemcpyAsync(dev0_in, in, n0 * sizeof(unsigned), cudaMemcpyHostToDevice);
        work<<<(n0 + 255) / 256, 256>>>(dev0_in, dev0_out, n0);
        cudaMemcpyAsync(out, dev0_out, n0 * sizeof(unsigned), cudaMemcpyDeviceToHost);
    }
    if (n1 > 0) {
        cudaSetDevice(1);
        cudaMemcpyAsync(dev1_in, in + n0, n1 * sizeof(unsigned), cudaMemcpyHostToDevice);
        work<<<(n1 + 255) / 256, 256>>>(dev1_in, dev1_out, n1);
        cudaMemcpyAsync(out + n0, dev1_out, n1 * sizeof(unsigned), cudaMemcpyDeviceToHost);
    }
    if (n2 > 0) work_on_host(in + n0 + n1, out + n0 + n1, n2);

    cudaSetDevice(0);
    cudaStreamSynchronize(0);
    cudaSetDevice(1);
    cudaStreamSynchronize(0);
}

void finish(unsigned *in, unsigned *out)
{
    cudaSetDevice(0);
    cudaFree(dev0_in);
    cudaFree(dev0_out);
    cudaSetDevice(1);
    cudaFree(dev1_in);
    cudaFree(dev1_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
