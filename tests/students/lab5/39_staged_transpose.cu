// a warp stages 32 rows x 32 columns in shared memory (odd pitch 33), then each lane adds up a row of its own
#include "warpwise.h"
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS * 32});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

struct Tile {
    float value[32][33];
};

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ Tile tiles[WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = (blockIdx.x * WARPS + warp) * 32;
    Tile &tile = tiles[warp];
    float sum = 0.0f;
    for (int from = 0; from < cols; from += 32) {
        const int c = from + lane;
        for (int r = 0; r < 32; ++r)
            tile.value[r][lane] = (first + r < rows && c < cols) ? in[(size_t)(first + r) * cols + c] : 0.0f;
        __syncwarp();
        for (int i = 0; i < 32; ++i) sum += tile.value[lane][i];
        __syncwarp();
    }
    if (first + lane < rows) sums[first + lane] = sum;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    __shared__ union {
        float maximum[32];
        float partial[32];
    } memory[WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float *x = &in[(size_t)row * cols];
    float m = -INFINITY, s = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    memory[warp].maximum[lane] = m;
    __syncwarp();
    for (int i = 0; i < 32; ++i) m = fmaxf(m, memory[warp].maximum[(lane + i) % 32]);
    __syncwarp(); // the maxima have been read
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    memory[warp].partial[lane] = s;
    __syncwarp();
    s = 0;
    for (int i = 0; i < 32; ++i) s += memory[warp].partial[i];
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
