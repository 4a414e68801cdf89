// std::thread: four host threads, each with two streams of its own
#include "lab6.h"
#include <thread>
#include <vector>

constexpr int kThreads = 4, kPerThread = 2, kChunks = kThreads * kPerThread;
static cudaStream_t streams[kChunks];
static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    const size_t bytes = size_t(n) * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (auto &s : streams) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([=] {
            for (int i = t; i < kChunks; i += kThreads) {
                const int first = int((long long)n * i / kChunks), count = int((long long)n * (i + 1) / kChunks) - first;
                if (count == 0) continue;
                cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, streams[i]);
                work<<<(count + 255) / 256, 256, 0, streams[i]>>>(device_in + first, device_out + first, count);
                cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, streams[i]);
            }
            for (int i = t; i < kChunks; i += kThreads) cudaStreamSynchronize(streams[i]);
        });
    for (auto &t : threads) t.join();
}

void finish(unsigned *in, unsigned *out)
{
    for (auto s : streams) cudaStreamDestroy(s);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
