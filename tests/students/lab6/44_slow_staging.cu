// as 42, but the first callback computes for 0.3 seconds before it fills its staging buffer, as on a busy machine
#include "lab6.h"
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <mutex>
#include <vector>

static const int STREAMS = 4, CHUNKS = 16;
static cudaStream_t stream[STREAMS];
static unsigned *staged[STREAMS], *device_in[STREAMS], *device_out[STREAMS];

struct chunk {
    const unsigned *from;
    unsigned *to;
    int count;
};
static std::mutex gate;
static std::condition_variable changed;
static int back;

static void CUDART_CB stage(void *data)
{
    static bool slow = true;
    chunk *c = static_cast<chunk *>(data);
    for (clock_t begin = clock(); slow && clock() - begin < CLOCKS_PER_SEC * 3 / 10;) {}
    slow = false;
    memcpy(c->to, c->from, c->count * sizeof(unsigned));
}

static void CUDART_CB note(void *)
{
    std::lock_guard<std::mutex> lock(gate);
    ++back;
    changed.notify_one();
}

static int length(int n) { return (n + CHUNKS - 1) / CHUNKS; }

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);
        cudaMallocHost(&staged[s], length(n) * sizeof(unsigned));
        cudaMalloc(&device_in[s], length(n) * sizeof(unsigned));
        cudaMalloc(&device_out[s], length(n) * sizeof(unsigned));
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    std::vector<chunk> chunks(CHUNKS);
    int issued = 0;
    back = 0;
    {
        std::lock_guard<std::mutex> lock(gate); // nobody counts before all has been issued
        for (int first = 0; first < n; first += length(n), ++issued) {
            int s = issued % STREAMS, count = n - first < length(n) ? n - first : length(n);
            size_t bytes = count * sizeof(unsigned);
            chunks[issued] = {in + first, staged[s], count};
            cudaLaunchHostFunc(stream[s], stage, &chunks[issued]);
            cudaMemcpyAsync(device_in[s], staged[s], bytes, cudaMemcpyHostToDevice, stream[s]);
            work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in[s], device_out[s], count);
            cudaMemcpyAsync(out + first, device_out[s], bytes, cudaMemcpyDeviceToHost, stream[s]);
            cudaLaunchHostFunc(stream[s], note, nullptr);
        }
    }
    std::unique_lock<std::mutex> lock(gate);
    changed.wait(lock, [&] { return back == issued; });
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamDestroy(stream[s]);
        cudaFreeHost(staged[s]);
        cudaFree(device_in[s]);
        cudaFree(device_out[s]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
