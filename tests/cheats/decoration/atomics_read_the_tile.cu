// lab7: technique
// 59: a tile without padding, of which columns are read by atomics.
#include "warpwise.h"
enum { T = 32, ROWS = 8 };
LAUNCH(transpose, .block = {T, ROWS}, .tile = {T, T});
extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ int tile[T][T];
    for (int k = threadIdx.y; k < T; k += ROWS) {
        int r = blockIdx.y * T + k, c = blockIdx.x * T + threadIdx.x;
        if (r < R && c < C) tile[k][threadIdx.x] = __float_as_int(in[(size_t)r * C + c]);
    }
    __syncthreads();
    for (int k = threadIdx.y; k < T; k += ROWS) {
        int c = blockIdx.x * T + k, r = blockIdx.y * T + threadIdx.x;
        if (r < R && c < C) out[(size_t)c * R + r] = __int_as_float(atomicAdd(&tile[threadIdx.x][k], 0));
    }
}
