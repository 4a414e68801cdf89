// thrust::device_vector for the device memory, raw_pointer_cast for the copies
#include "lab6.h"
#include <thrust/device_vector.h>
#define STREAMS 8
static thrust::device_vector<unsigned> *device_in, *device_out;
static cudaStream_t stream[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    device_in = new thrust::device_vector<unsigned>(n);
    device_out = new thrust::device_vector<unsigned>(n);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
    cudaDeviceSynchronize();
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    unsigned *a = thrust::raw_pointer_cast(device_in->data()), *b = thrust::raw_pointer_cast(device_out->data());
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        cudaMemcpyAsync(a + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(a + first, b + first, count);
        cudaMemcpyAsync(out + first, b + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
    }
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    delete device_in;
    delete device_out;
    cudaFreeHost(in);
    cudaFreeHost(out);
}
