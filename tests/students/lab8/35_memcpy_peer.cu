// cudaMemcpyPeerAsync: device 1's input goes through device 0 (one link to the host), chunk by chunk, events between the two
#include "lab8.h"

#define CHUNKS 8

static unsigned *relay;             // on device 0: numbers that are only passed on
static unsigned *a0, *b0, *a1, *b1; // on device 0, on device 1
static cudaStream_t up, pass, compute0, compute1;
static cudaEvent_t uploaded[2 * CHUNKS], passed[CHUNKS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaSetDevice(0);
    cudaMalloc(&relay, bytes);
    cudaMalloc(&a0, bytes);
    cudaMalloc(&b0, bytes);
    cudaStreamCreate(&up);
    cudaStreamCreate(&pass);
    cudaStreamCreate(&compute0);
    for (cudaEvent_t &e : uploaded) cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    for (cudaEvent_t &e : passed) cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaSetDevice(1);
    cudaMalloc(&a1, bytes);
    cudaMalloc(&b1, bytes);
    cudaStreamCreate(&compute1);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const int host = n / 80, rest = n - host, half = rest / 2;
    const int chunk = (rest - half + CHUNKS - 1) / CHUNKS;

    for (int c = 0; c < CHUNKS; c++) {
        // One chunk for device 1, [half, rest).
        int first = half + c * chunk;
        int count = rest - first < chunk ? rest - first : chunk;
        if (count > 0) {
            cudaSetDevice(0);
            cudaMemcpyAsync(relay + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, up);
            cudaEventRecord(uploaded[2 * c], up);
            cudaStreamWaitEvent(pass, uploaded[2 * c], 0);
            cudaMemcpyPeerAsync(a1 + first, 1, relay + first, 0, count * sizeof(unsigned), pass);
            cudaEventRecord(passed[c], pass);

            cudaSetDevice(1);
            cudaStreamWaitEvent(compute1, passed[c], 0);
            work<<<(count + 255) / 256, 256, 0, compute1>>>(a1 + first, b1 + first, count);
            cudaMemcpyAsync(out + first, b1 + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, compute1);
        }
        // One for device 0, [0, half).
        first = c * chunk;
        count = half - first < chunk ? half - first : chunk;
        if (count > 0) {
            cudaSetDevice(0);
            cudaMemcpyAsync(a0 + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, up);
            cudaEventRecord(uploaded[2 * c + 1], up);
            cudaStreamWaitEvent(compute0, uploaded[2 * c + 1], 0);
            work<<<(count + 255) / 256, 256, 0, compute0>>>(a0 + first, b0 + first, count);
            cudaMemcpyAsync(out + first, b0 + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, compute0);
        }
    }
    work_on_host(in + rest, out + rest, host);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    cudaSetDevice(0);
    for (cudaEvent_t e : uploaded) cudaEventDestroy(e);
    for (cudaEvent_t e : passed) cudaEventDestroy(e);
    cudaStreamDestroy(up);
    cudaStreamDestroy(pass);
    cudaStreamDestroy(compute0);
    cudaFree(relay);
    cudaFree(a0);
    cudaFree(b0);
    cudaSetDevice(1);
    cudaStreamDestroy(compute1);
    cudaFree(a1);
    cudaFree(b1);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
