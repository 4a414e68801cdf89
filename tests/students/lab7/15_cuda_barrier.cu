// libcu++: cuda::barrier instead of __syncthreads, init by one thread
#include <cuda/barrier>
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

#pragma nv_diag_suppress static_var_with_dynamic_init

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier bar;
    __shared__ float tile[32][33];
    if (threadIdx.x == 0 && threadIdx.y == 0) init(&bar, blockDim.x * blockDim.y);
    __syncthreads();

    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
    for (int k = ty; k < 32; k += 8)
        if (x0 + tx < C && y0 + k < R) tile[k][tx] = in[(size_t)(y0 + k) * C + x0 + tx];
    bar.arrive_and_wait();
    for (int k = ty; k < 32; k += 8)
        if (y0 + tx < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + tx] = tile[tx][k];
}
