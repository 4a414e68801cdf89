// a work queue under a mutex: a thread for each device takes large pieces from the front, the host small ones from the back
#include "lab8.h"

#include <functional>
#include <mutex>
#include <thread>

struct Range {
    int first, count;
};

class WorkQueue {
public:
    WorkQueue(int n) : front(0), back(n) {}
    Range takeFront(int size)
    {
        std::lock_guard<std::mutex> lock(mutex);
        Range r = {front, size < back - front ? size : back - front};
        front += r.count;
        return r;
    }
    Range takeBack(int size)
    {
        std::lock_guard<std::mutex> lock(mutex);
        int count = size < back - front ? size : back - front;
        back -= count;
        return {back, count};
    }

private:
    std::mutex mutex;
    int front, back;
};

static const int kSlots = 2;
static unsigned *dIn[2][kSlots], *dOut[2][kSlots];
static cudaStream_t streams[2][kSlots];
static int piece;

void prepare(unsigned **in, unsigned **out, int n)
{
    piece = n / 24 + 1;
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        for (int s = 0; s < kSlots; s++) {
            cudaMalloc(&dIn[d][s], piece * sizeof(unsigned));
            cudaMalloc(&dOut[d][s], piece * sizeof(unsigned));
            cudaStreamCreate(&streams[d][s]);
        }
    }
}

static void deviceLoop(int d, WorkQueue &queue, const unsigned *in, unsigned *out)
{
    cudaSetDevice(d);
    for (int turn = 0;; turn++) {
        int s = turn % kSlots;
        cudaStreamSynchronize(streams[d][s]); // the slot is free again
        Range r = queue.takeFront(piece);
        if (r.count == 0) break;
        size_t bytes = r.count * sizeof(unsigned);
        cudaMemcpyAsync(dIn[d][s], in + r.first, bytes, cudaMemcpyHostToDevice, streams[d][s]);
        work<<<(r.count + 255) / 256, 256, 0, streams[d][s]>>>(dIn[d][s], dOut[d][s], r.count);
        cudaMemcpyAsync(out + r.first, dOut[d][s], bytes, cudaMemcpyDeviceToHost, streams[d][s]);
    }
    cudaDeviceSynchronize();
}

void compute(const unsigned *in, unsigned *out, int n)
{
    WorkQueue queue(n);
    std::thread zero(deviceLoop, 0, std::ref(queue), in, out);
    std::thread one(deviceLoop, 1, std::ref(queue), in, out);
    for (;;) {
        Range r = queue.takeBack(n / 512 + 1);
        if (r.count == 0) break;
        work_on_host(in + r.first, out + r.first, r.count);
    }
    zero.join();
    one.join();
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        for (int s = 0; s < kSlots; s++) {
            cudaStreamDestroy(streams[d][s]);
            cudaFree(dIn[d][s]);
            cudaFree(dOut[d][s]);
        }
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
