// three host threads, one for each stage; they hand chunks over by atomics after the host has waited for an event
#include "lab6.h"
#include <atomic>
#include <thread>

#define CHUNKS 6
static unsigned *device_in, *device_out;
static cudaStream_t to, compute, from;
static cudaEvent_t copied[CHUNKS], worked[CHUNKS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    cudaStreamCreateWithFlags(&to, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&from, cudaStreamNonBlocking);
    for (int i = 0; i < CHUNKS; ++i) {
        cudaEventCreateWithFlags(&copied[i], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&worked[i], cudaEventDisableTiming);
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    std::atomic<int> sent(0), launched(0);
    auto first = [=](int i) { return (int)((long long)n * i / CHUNKS); };
    std::thread sender([&] {
        for (int i = 0; i < CHUNKS; ++i) {
            int f = first(i), count = first(i + 1) - f;
            if (count) cudaMemcpyAsync(device_in + f, in + f, count * sizeof(unsigned), cudaMemcpyHostToDevice, to);
            cudaEventRecord(copied[i], to);
            sent = i + 1;
        }
    });
    std::thread worker([&] {
        for (int i = 0; i < CHUNKS; ++i) {
            while (sent <= i) std::this_thread::yield();
            cudaEventSynchronize(copied[i]); // the chunk has arrived
            int f = first(i), count = first(i + 1) - f;
            if (count) work<<<(count + 255) / 256, 256, 0, compute>>>(device_in + f, device_out + f, count);
            cudaEventRecord(worked[i], compute);
            launched = i + 1;
        }
    });
    for (int i = 0; i < CHUNKS; ++i) {
        while (launched <= i) std::this_thread::yield();
        cudaStreamWaitEvent(from, worked[i], 0);
        int f = first(i), count = first(i + 1) - f;
        if (count) cudaMemcpyAsync(out + f, device_out + f, count * sizeof(unsigned), cudaMemcpyDeviceToHost, from);
    }
    sender.join();
    worker.join();
    cudaStreamSynchronize(from);
}

void finish(unsigned *in, unsigned *out)
{
    for (int i = 0; i < CHUNKS; ++i) {
        cudaEventDestroy(copied[i]);
        cudaEventDestroy(worked[i]);
    }
    cudaStreamDestroy(to);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(from);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
