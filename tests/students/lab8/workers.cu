// style: a worker thread for each device and one for the host, a queue with a condition variable
#include "lab8.h"
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
namespace
{
constexpr int STREAMS = 6;
struct Device {
    unsigned *in = nullptr, *out = nullptr;
    cudaStream_t stream[STREAMS];
} device[2];
std::mutex mutex;
std::condition_variable more, idle;
std::queue<std::function<void()>> jobs;
std::vector<std::thread> workers;
int pending;
bool over;

// Hands over all work of a device. The caller waits.
void submit(int d, const unsigned *from, unsigned *to, int n)
{
    cudaSetDevice(d);
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int k = 0; k * chunk < n; ++k) {
        int at = k * chunk, c = n - at < chunk ? n - at : chunk;
        cudaMemcpyAsync(device[d].in + at, from + at, c * sizeof *from, cudaMemcpyHostToDevice, device[d].stream[k]);
        work<<<(c + 255) / 256, 256, 0, device[d].stream[k]>>>(device[d].in + at, device[d].out + at, c);
        cudaMemcpyAsync(to + at, device[d].out + at, c * sizeof *to, cudaMemcpyDeviceToHost, device[d].stream[k]);
    }
}
void run(int d, const unsigned *from, unsigned *to, int n)
{
    submit(d, from, to, n);
    cudaDeviceSynchronize();
}
void loop()
{
    for (;;) {
        std::unique_lock<std::mutex> held(mutex);
        more.wait(held, [] { return over || !jobs.empty(); });
        if (jobs.empty()) return;
        auto job = std::move(jobs.front());
        jobs.pop();
        held.unlock();
        job();
        held.lock();
        if (!--pending) idle.notify_one();
    }
}
} // namespace

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaHostAlloc(in, n * sizeof **in, cudaHostAllocPortable);
    cudaHostAlloc(out, n * sizeof **out, cudaHostAllocPortable);
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaMalloc(&device[d].in, (n / 2 + 1) * sizeof(unsigned));
        cudaMalloc(&device[d].out, (n / 2 + 1) * sizeof(unsigned));
        for (auto &s : device[d].stream) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    }
    for (int i = 0; i < 3; ++i) workers.emplace_back(loop);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 60, rest = n - host, half = rest / 2;
    {
        std::lock_guard<std::mutex> guard(mutex);
        pending = 3;
        jobs.push([=] { run(0, in, out, half); });
        jobs.push([=] { run(1, in + half, out + half, rest - half); });
        jobs.push([=] {
            if (host) work_on_host(in + rest, out + rest, host);
        });
    }
    more.notify_all();
    std::unique_lock<std::mutex> held(mutex);
    idle.wait(held, [] { return !pending; });
}

void finish(unsigned *in, unsigned *out)
{
    {
        std::lock_guard<std::mutex> guard(mutex);
        over = true;
    }
    more.notify_all();
    for (auto &w : workers) w.join();
    workers.clear();
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        for (auto s : device[d].stream) cudaStreamDestroy(s);
        cudaFree(device[d].in);
        cudaFree(device[d].out);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
