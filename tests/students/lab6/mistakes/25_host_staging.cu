// refused: wrong output
// staged by the host: the outputs come into another page-locked buffer, and the host copies them to out, which the contract does not count
#include "lab6.h"
#include <stdlib.h>
#include <string.h>
#define STREAMS 2
#define CHUNK (1 << 17)
static unsigned *pinned_in[STREAMS], *pinned_out[STREAMS], *device_in[STREAMS], *device_out[STREAMS];
static cudaStream_t stream[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    *in = (unsigned *)malloc((size_t)n * sizeof(unsigned));
    *out = (unsigned *)malloc((size_t)n * sizeof(unsigned));
    for (int s = 0; s < STREAMS; ++s) {
        cudaMallocHost(&pinned_in[s], CHUNK * sizeof(unsigned));
        cudaMallocHost(&pinned_out[s], CHUNK * sizeof(unsigned));
        cudaMalloc(&device_in[s], CHUNK * sizeof(unsigned));
        cudaMalloc(&device_out[s], CHUNK * sizeof(unsigned));
        cudaStreamCreate(&stream[s]);
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int from[STREAMS], count[STREAMS] = {0}, turn = 0;
    for (int first = 0; first < n; first += CHUNK, ++turn) {
        int s = turn % STREAMS;
        cudaStreamSynchronize(stream[s]); // the last chunk of this stream has come back
        if (count[s]) memcpy(out + from[s], pinned_out[s], count[s] * sizeof(unsigned));
        from[s] = first;
        count[s] = n - first < CHUNK ? n - first : CHUNK;
        memcpy(pinned_in[s], in + first, count[s] * sizeof(unsigned));
        cudaMemcpyAsync(device_in[s], pinned_in[s], count[s] * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
        work<<<(count[s] + 255) / 256, 256, 0, stream[s]>>>(device_in[s], device_out[s], count[s]);
        cudaMemcpyAsync(pinned_out[s], device_out[s], count[s] * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
    }
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamSynchronize(stream[s]);
        if (count[s]) memcpy(out + from[s], pinned_out[s], count[s] * sizeof(unsigned));
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) {
        cudaFreeHost(pinned_in[s]);
        cudaFreeHost(pinned_out[s]);
        cudaFree(device_in[s]);
        cudaFree(device_out[s]);
        cudaStreamDestroy(stream[s]);
    }
    free(in);
    free(out);
}
