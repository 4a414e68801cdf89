// callbacks: cudaLaunchHostFunc behind each chunk counts down, pipeline() waits at a condition variable
#include "lab6.h"
#include <condition_variable>
#include <mutex>

namespace {
constexpr int kStreams = 8;
struct Latch {
    std::mutex m;
    std::condition_variable c;
    int left = 0;
    void arrive()
    {
        std::lock_guard<std::mutex> lock(m);
        if (--left == 0) c.notify_all();
    }
    void wait()
    {
        std::unique_lock<std::mutex> lock(m);
        c.wait(lock, [this] { return left == 0; });
    }
};
Latch latch;
unsigned *d_in, *d_out;
cudaStream_t streams[kStreams];
void CUDART_CB chunk_done(void *data) { static_cast<Latch *>(data)->arrive(); }
} // namespace

void prepare(unsigned **in, unsigned **out, int n)
{
    const size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    for (cudaStream_t &s : streams) cudaStreamCreate(&s);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    const int chunk = (n + kStreams - 1) / kStreams;
    latch.left = n ? (n + chunk - 1) / chunk : 0;
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        const int count = n - first < chunk ? n - first : chunk;
        cudaMemcpyAsync(d_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, streams[s]);
        work<<<(count + 255) / 256, 256, 0, streams[s]>>>(d_in + first, d_out + first, count);
        cudaMemcpyAsync(out + first, d_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, streams[s]);
        cudaLaunchHostFunc(streams[s], chunk_done, &latch);
    }
    latch.wait();
}

void finish(unsigned *in, unsigned *out)
{
    for (cudaStream_t &s : streams) cudaStreamDestroy(s);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
