// 3-D blocks of 8 x 4 x 4: a layer in z is a warp; lane from x and y
#include "warpwise.h"

LAUNCH(row_sums, .block = {8, 4, 4}, .tile = {4, 1, 1});
LAUNCH(softmax, .block = {8, 4, 4}, .tile = {4, 1, 1});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[4][4][8];
    unsigned lane = threadIdx.y * 8 + threadIdx.x;
    int row = blockIdx.x * 4 + threadIdx.z;
    if (row >= rows) return;
    float (*mine)[8] = exchange[threadIdx.z];
    float sum = 0;
    for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
    mine[threadIdx.y][threadIdx.x] = sum;
    __syncwarp();
    if (threadIdx.y == 0) {
        float column = 0;
        for (int i = 0; i < 4; ++i) column += mine[i][threadIdx.x];
        mine[0][threadIdx.x] = column;
    }
    __syncwarp();
    if (lane == 0) {
        float total = 0;
        for (int i = 0; i < 8; ++i) total += mine[0][i];
        sums[row] = total;
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    __shared__ float exchange[4][4][8], sums[4][4][8];
    unsigned lane = threadIdx.y * 8 + threadIdx.x;
    int row = blockIdx.x * 4 + threadIdx.z;
    if (row >= rows) return;
    float m = -INFINITY, sum = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, in[(size_t)row * cols + c]);
    exchange[threadIdx.z][threadIdx.y][threadIdx.x] = m;
    __syncwarp();
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x) m = fmaxf(m, exchange[threadIdx.z][y][x]);
    for (int c = lane; c < cols; c += 32) sum += expf(in[(size_t)row * cols + c] - m);
    sums[threadIdx.z][threadIdx.y][threadIdx.x] = sum;
    __syncwarp();
    sum = 0;
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x) sum += sums[threadIdx.z][y][x];
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(in[(size_t)row * cols + c] - m) / sum;
}
