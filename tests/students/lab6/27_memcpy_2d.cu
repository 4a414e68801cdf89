// cudaMemcpy2DAsync: the array as rows of 4096 numbers, a band of rows a stream; the rest by a plain copy
#include "lab6.h"
#define STREAMS 8
#define ROW 4096
static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    const int rows = n / ROW, rest = n % ROW, band = (rows + STREAMS - 1) / STREAMS;
    const size_t pitch = ROW * sizeof(unsigned);
    for (int s = 0; s < STREAMS; ++s) {
        int row = s * band, height = rows - row < band ? rows - row : band;
        if (height <= 0) break;
        size_t first = (size_t)row * ROW;
        cudaMemcpy2DAsync(device_in + first, pitch, in + first, pitch, pitch, height, cudaMemcpyHostToDevice, stream[s]);
        work<<<height * ROW / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, height * ROW);
        cudaMemcpy2DAsync(out + first, pitch, device_out + first, pitch, pitch, height, cudaMemcpyDeviceToHost, stream[s]);
    }
    if (rest > 0) {
        size_t first = (size_t)rows * ROW;
        cudaMemcpyAsync(device_in + first, in + first, rest * sizeof(unsigned), cudaMemcpyHostToDevice, stream[STREAMS - 1]);
        work<<<(rest + 255) / 256, 256, 0, stream[STREAMS - 1]>>>(device_in + first, device_out + first, rest);
        cudaMemcpyAsync(out + first, device_out + first, rest * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[STREAMS - 1]);
    }
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
