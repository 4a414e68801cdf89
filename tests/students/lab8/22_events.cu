// events: on each device a stream for copies in, one for kernels, one for copies out; cudaStreamWaitEvent between the stages
#include "lab8.h"

constexpr int devices = 2, chunks = 6;

struct conveyor {
    unsigned *in, *out;
    cudaStream_t upload, kernels, download;
    cudaEvent_t arrived[chunks], computed[chunks], finished;
};
static conveyor belt[devices];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < devices; d++) {
        conveyor *b = belt + d;
        cudaSetDevice(d);
        cudaMalloc(&b->in, n * sizeof(unsigned));
        cudaMalloc(&b->out, n * sizeof(unsigned));
        cudaStreamCreate(&b->upload);
        cudaStreamCreate(&b->kernels);
        cudaStreamCreate(&b->download);
        for (int c = 0; c < chunks; c++) {
            cudaEventCreateWithFlags(&b->arrived[c], cudaEventDisableTiming);
            cudaEventCreateWithFlags(&b->computed[c], cudaEventDisableTiming);
        }
        cudaEventCreateWithFlags(&b->finished, cudaEventDisableTiming | cudaEventBlockingSync);
    }
}

static void start(int d, const unsigned *in, unsigned *out, int from, int to)
{
    conveyor *b = belt + d;
    int chunk = (to - from) / chunks + 1;
    cudaSetDevice(d);
    for (int c = 0; c < chunks && from < to; c++, from += chunk) {
        int count = chunk < to - from ? chunk : to - from;
        size_t bytes = count * sizeof(unsigned);
        cudaMemcpyAsync(b->in + from, in + from, bytes, cudaMemcpyHostToDevice, b->upload);
        cudaEventRecord(b->arrived[c], b->upload);
        cudaStreamWaitEvent(b->kernels, b->arrived[c], 0);
        work<<<(count + 255) / 256, 256, 0, b->kernels>>>(b->in + from, b->out + from, count);
        cudaEventRecord(b->computed[c], b->kernels);
        cudaStreamWaitEvent(b->download, b->computed[c], 0);
        cudaMemcpyAsync(out + from, b->out + from, bytes, cudaMemcpyDeviceToHost, b->download);
    }
    cudaEventRecord(b->finished, b->download);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 80, mid = (n - host) / 2;
    start(0, in, out, 0, mid);
    start(1, in, out, mid, n - host);
    work_on_host(in + n - host, out + n - host, host);
    for (int d = 0; d < devices; d++) cudaEventSynchronize(belt[d].finished);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < devices; d++) {
        conveyor *b = belt + d;
        cudaSetDevice(d);
        for (int c = 0; c < chunks; c++) {
            cudaEventDestroy(b->arrived[c]);
            cudaEventDestroy(b->computed[c]);
        }
        cudaEventDestroy(b->finished);
        cudaStreamDestroy(b->upload);
        cudaStreamDestroy(b->kernels);
        cudaStreamDestroy(b->download);
        cudaFree(b->in);
        cudaFree(b->out);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
