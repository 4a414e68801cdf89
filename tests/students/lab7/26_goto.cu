// goto and do-while, pointers that walk
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    int x, y, k;
    x = blockIdx.x * 32 + threadIdx.x;
    y = blockIdx.y * 32 + threadIdx.y;
    k = threadIdx.y;
    if (x >= C) goto wait;
    {
        const float *p = in + (size_t)y * C + x;
    load:
        if (y >= R) goto wait;
        tile[k][threadIdx.x] = *p;
        p += (size_t)8 * C;
        y += 8;
        k += 8;
        if (k < 32) goto load;
    }
wait:
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    k = threadIdx.y;
    if (x < R && y < C) {
        float *q = out + (size_t)y * R + x;
        do {
            *q = tile[threadIdx.x][k];
            q += (size_t)8 * R;
            y += 8;
            k += 8;
        } while (k < 32 && y < C);
    }
}
