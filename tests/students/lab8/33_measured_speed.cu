// uneven split by measured speed: prepare() times each device with events and the host with std::chrono, compute() shares out
#include "lab8.h"

#include <algorithm>
#include <chrono>

static unsigned *buffer_in[2], *buffer_out[2];
static cudaStream_t stream[2];
static double speed[3]; // numbers a nanosecond: device 0, device 1, host

static void run(int d, const unsigned *in, unsigned *out, int count)
{
    if (count == 0) return;
    cudaSetDevice(d);
    cudaMemcpyAsync(buffer_in[d], in, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[d]);
    work<<<(count + 255) / 256, 256, 0, stream[d]>>>(buffer_in[d], buffer_out[d], count);
    cudaMemcpyAsync(out, buffer_out[d], count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[d]);
}

static double measure_device(int d, const unsigned *in, unsigned *out, int sample)
{
    if (sample == 0) return 1 / 0.15; // too few to measure
    cudaEvent_t from, to;
    float ms = 0;
    cudaSetDevice(d);
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    run(d, in, out, sample); // warm up
    cudaEventRecord(from, stream[d]);
    run(d, in, out, sample);
    cudaEventRecord(to, stream[d]);
    cudaEventSynchronize(to);
    cudaEventElapsedTime(&ms, from, to);
    cudaEventDestroy(from);
    cudaEventDestroy(to);
    return ms > 0 ? sample / (ms * 1e6) : 1 / 0.15;
}

static double measure_host(const unsigned *in, unsigned *out, int sample)
{
    if (sample == 0) return 1 / 2.9;
    using clock = std::chrono::steady_clock;
    auto from = clock::now();
    work_on_host(in, out, sample);
    std::chrono::duration<double, std::nano> took = clock::now() - from;
    return took.count() > 0 ? sample / took.count() : 1 / 2.9;
}

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int i = 0; i < n; ++i) (*in)[i] = i; // something to measure with
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaMalloc(&buffer_in[d], n * sizeof(unsigned));
        cudaMalloc(&buffer_out[d], n * sizeof(unsigned));
        cudaStreamCreate(&stream[d]);
        speed[d] = measure_device(d, *in, *out, n / 4);
    }
    speed[2] = measure_host(*in, *out, n / 256);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const double sum = speed[0] + speed[1] + speed[2];
    // A clock may mislead: the host gets at least one and at most four percent.
    const double fair = std::clamp(speed[2] / sum, 0.0125, 0.04);
    const int host = int(n * fair);
    const int zero = int((n - host) * std::clamp(speed[0] / (speed[0] + speed[1]), 0.25, 0.75));
    run(0, in, out, zero);
    run(1, in + zero, out + zero, n - host - zero);
    work_on_host(in + n - host, out + n - host, host);
    cudaStreamSynchronize(stream[0]);
    cudaStreamSynchronize(stream[1]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaStreamDestroy(stream[d]);
        cudaFree(buffer_in[d]);
        cudaFree(buffer_out[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
