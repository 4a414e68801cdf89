// style: a std::thread for each stream
#include "lab6.h"
#include <thread>
#include <vector>
namespace
{
constexpr int STREAMS = 8;
unsigned *device_in, *device_out;
cudaStream_t stream[STREAMS];

void piece(int s, const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + STREAMS - 1) / STREAMS, at = s * chunk, c = n - at < chunk ? n - at : chunk;
    if (c <= 0) return;
    cudaMemcpyAsync(device_in + at, in + at, c * sizeof *in, cudaMemcpyHostToDevice, stream[s]);
    work<<<(c + 255) / 256, 256, 0, stream[s]>>>(device_in + at, device_out + at, c);
    cudaMemcpyAsync(out + at, device_out + at, c * sizeof *out, cudaMemcpyDeviceToHost, stream[s]);
}
} // namespace

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (auto &s : stream) cudaStreamCreate(&s);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    std::vector<std::thread> threads;
    for (int s = 0; s < STREAMS; ++s)
        threads.emplace_back([=] {
            piece(s, in, out, n);
            cudaStreamSynchronize(stream[s]);
        });
    for (auto &t : threads) t.join();
}

void finish(unsigned *in, unsigned *out)
{
    for (auto s : stream) cudaStreamDestroy(s);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
