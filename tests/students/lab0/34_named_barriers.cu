// half of the block fetches, the other half computes: two buffers, four named barriers (producer/consumer)
#include "warpwise.h"

#define HALF 256
LAUNCH(scale, .block = {2 * HALF}, .per_sm = 4);

#define BAR_SYNC(id)   asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(2 * HALF) : "memory")
#define BAR_ARRIVE(id) asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(2 * HALF) : "memory")

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float buf[2][HALF * 4];
    const int tiles = (n + HALF * 4 - 1) / (HALF * 4);
    // barrier 1 + s: buffer s is full, 3 + s: buffer s is empty
    if (threadIdx.x < HALF) { // producer
        int s = 0;
        for (int t = blockIdx.x; t < tiles; t += gridDim.x, s ^= 1) {
            BAR_SYNC(3 + s);
            for (int k = threadIdx.x; k < HALF * 4; k += HALF) {
                int i = t * HALF * 4 + k;
                if (i < n) buf[s][k] = in[i];
            }
            __threadfence_block();
            BAR_ARRIVE(1 + s);
        }
    } else { // consumer
        int s = 0;
        if ((int)blockIdx.x < tiles) BAR_ARRIVE(3);
        if ((int)(blockIdx.x + gridDim.x) < tiles) BAR_ARRIVE(4);
        for (int t = blockIdx.x; t < tiles; t += gridDim.x, s ^= 1) {
            BAR_SYNC(1 + s);
            for (int k = threadIdx.x - HALF; k < HALF * 4; k += HALF) {
                int i = t * HALF * 4 + k;
                if (i < n) out[i] = 2.0f * buf[s][k] + 1.0f;
            }
            if (t + 2 * (int)gridDim.x < tiles) BAR_ARRIVE(3 + s);
        }
    }
}
