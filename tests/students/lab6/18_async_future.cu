// std::async and futures: a task a chunk, each waits for its own stream
#include "lab6.h"
#include <array>
#include <future>

static constexpr std::size_t tasks = 8;
static std::array<cudaStream_t, tasks> streams;
static unsigned *a, *b;

void prepare(unsigned **in, unsigned **out, int n)
{
    const std::size_t bytes = std::size_t(n) * 4;
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    for (auto &s : streams) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
}

static cudaError_t one(std::size_t i, const unsigned *in, unsigned *out, int n)
{
    const int first = int(n * i / tasks), count = int(n * (i + 1) / tasks) - first;
    if (count <= 0) return cudaSuccess;
    cudaMemcpyAsync(a + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, streams[i]);
    work<<<(count + 255) / 256, 256, 0, streams[i]>>>(a + first, b + first, count);
    cudaMemcpyAsync(out + first, b + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, streams[i]);
    return cudaStreamSynchronize(streams[i]);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    std::array<std::future<cudaError_t>, tasks> results;
    for (std::size_t i = 0; i < tasks; ++i) results[i] = std::async(std::launch::async, one, i, in, out, n);
    for (auto &r : results)
        if (r.get() != cudaSuccess) std::terminate();
}

void finish(unsigned *in, unsigned *out)
{
    for (auto s : streams) cudaStreamDestroy(s);
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
