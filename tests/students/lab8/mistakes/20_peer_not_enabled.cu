// refused: bad address at line 34; wrong output
// device 1 reads its half from the memory of device 0, peer access was never enabled
#include "lab8.h"

static unsigned *whole, *result[2];
static cudaStream_t stream[2];
static cudaEvent_t there;

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&result[d], n * sizeof(unsigned));
        cudaStreamCreate(&stream[d]);
    }
    cudaSetDevice(0);
    cudaMalloc(&whole, n * sizeof(unsigned));
    cudaEventCreate(&there);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 64, rest = n - host, half = rest / 2;
    if (rest > 0) {
        cudaSetDevice(0);
        cudaMemcpyAsync(whole, in, rest * sizeof(unsigned), cudaMemcpyHostToDevice, stream[0]);
        cudaEventRecord(there, stream[0]);
        cudaStreamWaitEvent(stream[1], there, 0);
        if (half > 0) work<<<(half + 255) / 256, 256, 0, stream[0]>>>(whole, result[0], half);
        cudaMemcpyAsync(out, result[0], half * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[0]);
        cudaSetDevice(1);
        work<<<(rest - half + 255) / 256, 256, 0, stream[1]>>>(whole + half, result[1], rest - half);
        cudaMemcpyAsync(out + half, result[1], (rest - half) * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[1]);
    }
    work_on_host(in + rest, out + rest, host);
    cudaStreamSynchronize(stream[0]);
    cudaStreamSynchronize(stream[1]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamDestroy(stream[d]);
        cudaFree(result[d]);
    }
    cudaSetDevice(0);
    cudaEventDestroy(there);
    cudaFree(whole);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
