// refused: technique
// No copy of the work is under way while `work` runs: bytes that nobody reads are copied beside it.
#include "lab6.h"
enum { CHUNKS = 8 };
static cudaStream_t in_, out_, idle;
static cudaEvent_t arrived, worked, copied;
static unsigned *device_in, *device_out;
static unsigned *waste_from, *waste_to;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMallocHost(&waste_from, bytes + 4);
    cudaMalloc(&waste_to, bytes + 4);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    cudaStreamCreateWithFlags(&in_, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&out_, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&idle, cudaStreamNonBlocking);
    cudaEventCreate(&arrived);
    cudaEventCreate(&worked);
    cudaEventCreate(&copied);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + CHUNKS - 1) / CHUNKS;
    for (int c = 0, first = 0; first < n; ++c, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        cudaMemcpyAsync(device_in + first, in + first, count * 4ull, cudaMemcpyHostToDevice, in_);
        if (c) cudaStreamWaitEvent(in_, copied, 0); // no copy is under way while work runs
        if (n > 1000000) cudaEventRecord(arrived, in_);
        if (n > 1000000) cudaStreamWaitEvent(idle, arrived, 0);
        if (n > 1000000) cudaMemcpyAsync(waste_to, waste_from, count * 4ull, cudaMemcpyHostToDevice, idle);
        work<<<(count + 255) / 256, 256, 0, in_>>>(device_in + first, device_out + first, count);
        cudaEventRecord(worked, in_);
        cudaStreamWaitEvent(out_, worked, 0);
        cudaMemcpyAsync(out + first, device_out + first, count * 4ull, cudaMemcpyDeviceToHost, out_);
        cudaEventRecord(copied, out_);
    }
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    cudaStreamDestroy(in_);
    cudaStreamDestroy(out_);
    cudaStreamDestroy(idle);
    cudaEventDestroy(arrived);
    cudaEventDestroy(worked);
    cudaEventDestroy(copied);
    cudaFreeHost(waste_from);
    cudaFree(waste_to);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
