// warm-up: prepare() runs a few numbers of its own on both devices and on the host, and every call's error is looked at
#include "lab8.h"

#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define TRY(call)                                                                     \
    if (cudaError_t code = (call)) {                                                  \
        fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(code));         \
        exit(1);                                                                      \
    }

static unsigned *a[2], *b[2];
static cudaStream_t s[2];

static void on_device(int d, const unsigned *in, unsigned *out, int count)
{
    if (count == 0) return;
    TRY(cudaSetDevice(d));
    TRY(cudaMemcpyAsync(a[d], in, count * sizeof(unsigned), cudaMemcpyHostToDevice, s[d]));
    work<<<(count + 255) / 256, 256, 0, s[d]>>>(a[d], b[d], count);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(out, b[d], count * sizeof(unsigned), cudaMemcpyDeviceToHost, s[d]));
}

static void warm_up()
{
    std::vector<unsigned> from(256, 1), to(256);
    for (int d = 0; d < 2; d++) {
        on_device(d, from.data(), to.data(), 256);
        TRY(cudaStreamSynchronize(s[d]));
    }
    work_on_host(from.data(), to.data(), 256);
    TRY(cudaGetLastError());
}

void prepare(unsigned **in, unsigned **out, int n)
{
    TRY(cudaMallocHost(in, n * sizeof(unsigned)));
    TRY(cudaMallocHost(out, n * sizeof(unsigned)));
    for (int d = 0; d < 2; d++) {
        TRY(cudaSetDevice(d));
        TRY(cudaMalloc(&a[d], (n / 2 + 256) * sizeof(unsigned)));
        TRY(cudaMalloc(&b[d], (n / 2 + 256) * sizeof(unsigned)));
        TRY(cudaStreamCreate(&s[d]));
    }
    warm_up();
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 64, half = (n - host) / 2;
    on_device(0, in, out, half);
    on_device(1, in + half, out + half, n - host - half);
    work_on_host(in + n - host, out + n - host, host);
    for (int d = 0; d < 2; d++) TRY(cudaStreamSynchronize(s[d]));
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        TRY(cudaSetDevice(d));
        TRY(cudaStreamDestroy(s[d]));
        TRY(cudaFree(a[d]));
        TRY(cudaFree(b[d]));
    }
    TRY(cudaFreeHost(in));
    TRY(cudaFreeHost(out));
}
