// ping-pong: array of pointers to two tiles, the next tile is loaded while the last is stored, one barrier a turn
#include "warpwise.h"

#define TURNS 4
LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32 * TURNS});

struct Buffers { float (*now)[33], (*next)[33]; };

static __device__ void load(const float *in, int R, int C, int y0, int x0, float (*tile)[33])
{
    for (int k = threadIdx.y; k < 32; k += 8)
        if (x0 + threadIdx.x < C && y0 + k < R) tile[k][threadIdx.x] = in[(size_t)(y0 + k) * C + x0 + threadIdx.x];
}

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float a[32][33], b[32][33];
    Buffers buf = {a, b};
    const int x0 = blockIdx.x * 32;
    int y0 = blockIdx.y * (32 * TURNS);
    load(in, R, C, y0, x0, buf.now);
    for (int turn = 0; turn < TURNS; turn++, y0 += 32) {
        __syncthreads();
        if (turn + 1 < TURNS) load(in, R, C, y0 + 32, x0, buf.next);
        for (int k = threadIdx.y; k < 32; k += 8)
            if (y0 + threadIdx.x < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + threadIdx.x] = buf.now[threadIdx.x][k];
        buf = {buf.next, buf.now};
    }
}
