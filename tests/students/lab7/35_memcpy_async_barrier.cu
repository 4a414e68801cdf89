// libcu++: cuda::memcpy_async of single floats bound to a cuda::barrier
// not passed: technique
#include <cuda/barrier>
#include <cuda/std/utility>
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    if (tx + ty == 0) init(&bar, 256);
    __syncthreads();
    for (int k = ty; k < 32; k += 8)
        if (x0 + tx < C && y0 + k < R)
            cuda::memcpy_async(&tile[k][tx], &in[(size_t)(y0 + k) * C + x0 + tx], cuda::aligned_size_t<4>(4), bar);
    auto token = bar.arrive();
    bar.wait(cuda::std::move(token));
    for (int k = ty; k < 32; k += 8)
        if (y0 + tx < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + tx] = tile[tx][k];
}
