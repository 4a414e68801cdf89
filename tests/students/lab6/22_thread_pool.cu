// a thread pool with a queue of tasks, started in prepare(), joined in finish(); each worker owns a stream
#include "lab6.h"
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
    std::mutex m;
    std::condition_variable wake, idle;
    std::queue<std::function<void(cudaStream_t)>> tasks;
    int open = 0;
    bool stop = false;
    std::vector<std::thread> workers;

    void loop()
    {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        for (;;) {
            std::function<void(cudaStream_t)> task;
            {
                std::unique_lock<std::mutex> lock(m);
                wake.wait(lock, [&] { return stop || !tasks.empty(); });
                if (tasks.empty()) break;
                task = std::move(tasks.front());
                tasks.pop();
            }
            task(s);
            std::lock_guard<std::mutex> lock(m);
            if (--open == 0) idle.notify_all();
        }
        cudaStreamDestroy(s);
    }

public:
    explicit Pool(int n)
    {
        for (int i = 0; i < n; ++i) workers.emplace_back(&Pool::loop, this);
    }
    void add(std::function<void(cudaStream_t)> f)
    {
        std::lock_guard<std::mutex> lock(m);
        tasks.push(std::move(f));
        ++open;
        wake.notify_one();
    }
    void wait()
    {
        std::unique_lock<std::mutex> lock(m);
        idle.wait(lock, [&] { return open == 0; });
    }
    ~Pool()
    {
        {
            std::lock_guard<std::mutex> lock(m);
            stop = true;
        }
        wake.notify_all();
        for (auto &w : workers) w.join();
    }
};

static Pool *pool;
static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    pool = new Pool(4);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    const int chunk = n / 12 + 1;
    for (int first = 0; first < n; first += chunk) {
        const int count = n - first < chunk ? n - first : chunk;
        pool->add([=](cudaStream_t s) {
            cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, s);
            work<<<(count + 255) / 256, 256, 0, s>>>(device_in + first, device_out + first, count);
            cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, s);
            cudaStreamSynchronize(s);
        });
    }
    pool->wait();
}

void finish(unsigned *in, unsigned *out)
{
    delete pool;
    pool = nullptr;
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
