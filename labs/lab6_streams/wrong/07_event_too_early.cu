// refused: unordered streams at line 30
// As many events as one could wish, each recorded before the copy that it should stand behind. Right by luck.
#include "lab6.h"

static const int STREAMS = 2;
static cudaStream_t stream[STREAMS];
static cudaEvent_t copied;
static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
    cudaEventCreate(&copied);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + 7) / 8;
    for (int first = 0; first < n; first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        size_t bytes = count * sizeof(unsigned);
        cudaEventRecord(copied, stream[0]);
        cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream[0]);
        cudaStreamWaitEvent(stream[1], copied, 0);
        work<<<(count + 255) / 256, 256, 0, stream[1]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, bytes, cudaMemcpyDeviceToHost, stream[1]);
    }
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaEventDestroy(copied);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
