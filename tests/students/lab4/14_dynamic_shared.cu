// dynamic shared memory, four copies of the counters carved out of it, lanes choose by their number
#include "warpwise.h"

#define COPIES 4
#define BINS 256
#define STRIDE (BINS + 1)

LAUNCH(histogram, .block = {512}, .shared = COPIES * STRIDE * sizeof(unsigned), .per_sm = 4);

extern __shared__ unsigned char arena[];

struct Counters {
    unsigned *copy[COPIES];
};

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    Counters c;
    unsigned *p = reinterpret_cast<unsigned *>(arena);
    for (int k = 0; k < COPIES; k++) c.copy[k] = p + k * STRIDE;
    for (int b = threadIdx.x; b < COPIES * STRIDE; b += blockDim.x) p[b] = 0;
    __syncthreads();
    unsigned *mine = p + (threadIdx.x % COPIES) * STRIDE;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(mine + (in[i] & (BINS - 1)), 1);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned s = 0;
#pragma unroll
        for (int k = 0; k < COPIES; k++) s += c.copy[k][b];
        atomicAdd(bins + b, s);
    }
}
