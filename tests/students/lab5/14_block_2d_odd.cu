// 2-D blocks of 32 x 5: five rows a block, threadIdx.y is the warp
#include "warpwise.h"

LAUNCH(row_sums, .block = {32, 5}, .tile = {5});
LAUNCH(softmax, .block = {32, 7}, .tile = {7});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols) {
  __shared__ float tile[5][33];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.x * blockDim.y + y;
  if (row >= rows) return;
  float acc = 0.0f;
  for (int c = x; c < cols; c += blockDim.x) acc += in[size_t(row) * cols + c];
  tile[y][x] = acc;
  __syncwarp();
  for (int s = 1; s < 32; s *= 2) {
    if (x % (2 * s) == 0) tile[y][x] += tile[y][x + s];
    __syncwarp();
  }
  if (x == 0) sums[row] = tile[y][0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols) {
  const int x = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float m = -INFINITY;
  for (int c = x; c < cols; c += blockDim.x) m = max(m, in[size_t(row) * cols + c]);
  for (int s = 1; s < 32; s *= 2) m = max(m, __shfl_xor_sync(0xFFFFFFFFu, m, s));
  float acc = 0.0f;
  for (int c = x; c < cols; c += blockDim.x) acc += exp(in[size_t(row) * cols + c] - m);
  for (int s = 1; s < 32; s *= 2) acc += __shfl_xor_sync(0xFFFFFFFFu, acc, s);
  for (int c = x; c < cols; c += blockDim.x) out[size_t(row) * cols + c] = exp(in[size_t(row) * cols + c] - m) / acc;
}
