// virtual functions choose the tile's layout (padded or swizzled, by the block's parity); objects on the stack
// not passed: technique
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

struct Layout {
    __device__ virtual int index(int y, int x) const = 0;
};
struct Padded : Layout {
    __device__ int index(int y, int x) const override { return y * 33 + x; }
};
struct Swizzled : Layout {
    __device__ int index(int y, int x) const override { return y * 32 + (x ^ y); }
};

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32 * 33];
    Padded padded;
    Swizzled swizzled;
    const Layout *layout = (blockIdx.x + blockIdx.y) % 2 ? (const Layout *)&padded : (const Layout *)&swizzled;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (x0 + tx < C && y0 + k < R) tile[layout->index(k, tx)] = in[(size_t)(y0 + k) * C + x0 + tx];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8)
        if (y0 + tx < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + tx] = tile[layout->index(tx, k)];
}
