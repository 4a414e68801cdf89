// refused: technique; too slow
// the host's memory comes from new[]: it is pageable
#include "lab8.h"

#define DEVICES 2
#define BLOCK 256

static unsigned *d_in[DEVICES], *d_out[DEVICES];
static cudaStream_t stream[DEVICES];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    *in = new unsigned[n];
    *out = new unsigned[n];
    for (int d = 0; d < DEVICES; ++d) {
        cudaSetDevice(d);
        cudaMalloc(&d_in[d], (n / DEVICES + 1) * sizeof(unsigned));
        cudaMalloc(&d_out[d], (n / DEVICES + 1) * sizeof(unsigned));
        cudaStreamCreate(&stream[d]);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 64;                  // 1.6 %, the last ones
    int rest = n - host;
    int first[DEVICES] = {0, rest / 2};
    int count[DEVICES] = {rest / 2, rest - rest / 2};

    for (int d = 0; d < DEVICES; ++d) {
        if (count[d] == 0) continue;
        size_t bytes = count[d] * sizeof(unsigned);
        cudaSetDevice(d);
        cudaMemcpyAsync(d_in[d], in + first[d], bytes, cudaMemcpyHostToDevice, stream[d]);
        work<<<(count[d] + BLOCK - 1) / BLOCK, BLOCK, 0, stream[d]>>>(d_in[d], d_out[d], count[d]);
        cudaMemcpyAsync(out + first[d], d_out[d], bytes, cudaMemcpyDeviceToHost, stream[d]);
    }
    work_on_host(in + rest, out + rest, host);
    for (int d = 0; d < DEVICES; ++d) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < DEVICES; ++d) {
        cudaSetDevice(d);
        cudaStreamDestroy(stream[d]);
        cudaFree(d_in[d]);
        cudaFree(d_out[d]);
    }
    delete[] in;
    delete[] out;
}
