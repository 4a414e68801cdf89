// events with timing around each stream's work, printed with -DTIMES; a main() of one's own with -DMAIN
#include "lab6.h"
#include <stdio.h>
#define STREAMS 8
static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];
static cudaEvent_t from[STREAMS], to[STREAMS];
static float ms[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamCreate(&stream[s]);
        cudaEventCreate(&from[s]);
        cudaEventCreate(&to[s]);
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + STREAMS - 1) / STREAMS, used = 0;
    for (int first = 0; first < n; ++used, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        cudaEventRecord(from[used], stream[used]);
        cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[used]);
        work<<<(count + 255) / 256, 256, 0, stream[used]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[used]);
        cudaEventRecord(to[used], stream[used]);
    }
    for (int s = 0; s < used; ++s) {
        cudaEventSynchronize(to[s]);
        cudaEventElapsedTime(&ms[s], from[s], to[s]);
    }
#ifdef TIMES
    for (int s = 0; s < used; ++s) printf("stream %d: %.3f ms\n", s, ms[s]);
#endif
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) {
        cudaEventDestroy(from[s]);
        cudaEventDestroy(to[s]);
        cudaStreamDestroy(stream[s]);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}

#ifdef MAIN
int main()
{
    unsigned *in, *out;
    int n = 1000003, wrong = 0;
    prepare(&in, &out, n);
    for (int i = 0; i < n; ++i) in[i] = i * 2654435761u;
    pipeline(in, out, n);
    for (int i = 0; i < n; ++i) wrong += out[i] != work_on(in[i]);
    finish(in, out);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
#endif
