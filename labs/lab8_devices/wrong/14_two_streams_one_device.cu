// refused: technique
// A pipeline in streams on one device, as in lab 6, and the host's share: nearly as fast as two devices, and the second one
// stands still.
#include "lab8.h"

static const int STREAMS = 8;
static cudaStream_t stream[STREAMS];
static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int own = n / 64, rest = n - own, chunk = (rest + STREAMS - 1) / STREAMS;
    for (int s = 0, first = 0; first < rest; ++s, first += chunk) {
        int count = rest - first < chunk ? rest - first : chunk;
        size_t bytes = count * sizeof(unsigned);
        cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, bytes, cudaMemcpyDeviceToHost, stream[s]);
    }
    work_on_host(in + rest, out + rest, own);
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
