// fork and join: every stream begins behind an event of the main stream, which waits for all of them at the end
#include "lab6.h"
#define STREAMS 8
static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS], main_stream;
static cudaEvent_t begin, end[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    cudaStreamCreate(&main_stream);
    cudaEventCreateWithFlags(&begin, cudaEventDisableTiming);
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamCreate(&stream[s]);
        cudaEventCreateWithFlags(&end[s], cudaEventDisableTiming);
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + STREAMS - 1) / STREAMS;
    cudaMemsetAsync(device_out, 0, (size_t)n * sizeof(unsigned), main_stream); // not needed, but it must be ordered
    cudaEventRecord(begin, main_stream);
    for (int s = 0; s < STREAMS; ++s) {
        int first = s * chunk, count = n - first < chunk ? n - first : chunk;
        cudaStreamWaitEvent(stream[s], begin, 0);
        if (count > 0) {
            cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
            work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
            cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
        }
        cudaEventRecord(end[s], stream[s]);
        cudaStreamWaitEvent(main_stream, end[s], 0);
    }
    cudaStreamSynchronize(main_stream);
}

void finish(unsigned *in, unsigned *out)
{
    cudaEventDestroy(begin);
    cudaStreamDestroy(main_stream);
    for (int s = 0; s < STREAMS; ++s) {
        cudaEventDestroy(end[s]);
        cudaStreamDestroy(stream[s]);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
