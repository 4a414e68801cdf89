// Step 3, the lesson's own step: a sixty-fourth is the host's, done while the devices work. Flaw: on each device one
// engine works and two stand still, as in lab 6.
#include "lab8.h"

static const int DEVICES = 2;
static cudaStream_t stream[DEVICES];
static unsigned *device_in[DEVICES], *device_out[DEVICES];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    for (int d = 0; d < DEVICES; ++d) {
        cudaSetDevice(d);
        cudaStreamCreate(&stream[d]);
        cudaMalloc(&device_in[d], bytes);
        cudaMalloc(&device_out[d], bytes);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int own = n / 64, rest = n - own, half = rest / 2;
    for (int d = 0; d < DEVICES; ++d) {
        int first = d * half, count = d ? rest - half : half;
        size_t bytes = count * sizeof(unsigned);
        if (count == 0) continue;
        cudaSetDevice(d);
        cudaMemcpyAsync(device_in[d], in + first, bytes, cudaMemcpyHostToDevice, stream[d]);
        work<<<(count + 255) / 256, 256, 0, stream[d]>>>(device_in[d], device_out[d], count);
        cudaMemcpyAsync(out + first, device_out[d], bytes, cudaMemcpyDeviceToHost, stream[d]);
    }
    work_on_host(in + rest, out + rest, own);
    for (int d = 0; d < DEVICES; ++d) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < DEVICES; ++d) {
        cudaSetDevice(d);
        cudaStreamDestroy(stream[d]);
        cudaFree(device_in[d]);
        cudaFree(device_out[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
