// refused: freed in use at line 29
// Takes device memory for each call and gives it back right behind the last hand-over: nobody knows whether the device
// is done with it.
#include "lab6.h"

static const int STREAMS = 4;
static cudaStream_t stream[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    unsigned *device_in, *device_out;
    int chunk = (n + STREAMS - 1) / STREAMS;
    cudaMalloc(&device_in, n * sizeof(unsigned));
    cudaMalloc(&device_out, n * sizeof(unsigned));
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        size_t bytes = count * sizeof(unsigned);
        cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, bytes, cudaMemcpyDeviceToHost, stream[s]);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
