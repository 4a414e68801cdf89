// refused: technique
// Device 1 computes an eighth, and then runs a kernel that computes nothing while device 0 does the rest.
#include "lab8.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check((call), __LINE__)
static void check(cudaError_t error, int line)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
    exit(1);
}

static const int DEVICES = 2, STREAMS = 6, GRAIN = 1024, BLOCK = 256, HOST_SHARE = 64;
static cudaStream_t idle;
static struct {
    unsigned *in, *out; // as long as the host's arrays: each number has the same index everywhere
    cudaStream_t stream[STREAMS];
} device[DEVICES];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    CHECK(cudaHostAlloc(in, bytes, cudaHostAllocPortable));
    CHECK(cudaHostAlloc(out, bytes, cudaHostAllocPortable));
    for (int d = 0; d < DEVICES; ++d) {
        CHECK(cudaSetDevice(d));
        if (d) CHECK(cudaStreamCreateWithFlags(&idle, cudaStreamNonBlocking));
        CHECK(cudaMalloc(&device[d].in, bytes));
        CHECK(cudaMalloc(&device[d].out, bytes));
        for (int s = 0; s < STREAMS; ++s)
            CHECK(cudaStreamCreateWithFlags(&device[d].stream[s], cudaStreamNonBlocking));
    }
}

static void hand_over(int d, int s, const unsigned *in, unsigned *out, int first, int count)
{
    size_t bytes = count * sizeof(unsigned);
    cudaStream_t stream = device[d].stream[s];
    CHECK(cudaSetDevice(d));
    CHECK(cudaMemcpyAsync(device[d].in + first, in + first, bytes, cudaMemcpyHostToDevice, stream));
    work<<<(count + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(device[d].in + first, device[d].out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(out + first, device[d].out + first, bytes, cudaMemcpyDeviceToHost, stream));
}

__global__ void beside(int rounds) { for (int i = 0; i < rounds; ++i) __nanosleep(1000); }
void compute(const unsigned *in, unsigned *out, int n)
{
    int own = n / HOST_SHARE, rest = n - own, pieces = 24;
    int chunk = ((rest + pieces - 1) / pieces + GRAIN - 1) / GRAIN * GRAIN;
    if (n > 1000000) {
        CHECK(cudaSetDevice(1));
        beside<<<1, 32, 0, idle>>>(130);
    }
    for (int p = 0, first = 0; first < rest; ++p, first += chunk)
        hand_over(p % 8 == 7, p % 8 == 7 ? p / 8 : p % 6, in, out, first, rest - first < chunk ? rest - first : chunk);
    work_on_host(in + rest, out + rest, own);
    for (int d = 0; d < DEVICES; ++d) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaDeviceSynchronize());
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < DEVICES; ++d) {
        CHECK(cudaSetDevice(d));
        if (d) CHECK(cudaStreamDestroy(idle));
        CHECK(cudaFree(device[d].in));
        CHECK(cudaFree(device[d].out));
        for (int s = 0; s < STREAMS; ++s) CHECK(cudaStreamDestroy(device[d].stream[s]));
    }
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
}
