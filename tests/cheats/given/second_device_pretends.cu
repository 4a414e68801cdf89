// lab8: technique
// 56: one device does all of it in streams, and the other copies and computes junk beside it.
#include "lab8.h"

static const int STREAMS = 8;
static cudaStream_t stream[STREAMS], other;
static unsigned *device_in, *device_out, *junk, *junk_in, *junk_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (n + 1) * sizeof(unsigned);
    cudaHostAlloc(in, bytes, cudaHostAllocPortable);
    cudaHostAlloc(out, bytes, cudaHostAllocPortable);
    cudaHostAlloc(&junk, bytes, cudaHostAllocPortable);
    for (int i = 0; i < n; ++i) junk[i] = i;
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
    cudaSetDevice(1);
    cudaMalloc(&junk_in, bytes);
    cudaMalloc(&junk_out, bytes);
    cudaStreamCreate(&other);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int own = n / 64, rest = n - own, chunk = (rest + STREAMS - 1) / STREAMS;
    cudaSetDevice(1);
    cudaMemcpyAsync(junk_in, junk, n * sizeof *in, cudaMemcpyHostToDevice, other);
    work<<<n / 256 + 1, 256, 0, other>>>(junk_in, junk_out, n);
    cudaSetDevice(0);
    for (int s = 0, first = 0; first < rest; ++s, first += chunk) {
        int count = rest - first < chunk ? rest - first : chunk;
        size_t bytes = count * sizeof(unsigned);
        cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, bytes, cudaMemcpyDeviceToHost, stream[s]);
    }
    work_on_host(in + rest, out + rest, own);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaStreamDestroy(other);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFree(junk_in);
    cudaFree(junk_out);
    cudaFreeHost(junk);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
