// float2 loads, match_any to show off, shared memory as a 1-D array with computed offsets, 16 warps a block
#include "warpwise.h"
LAUNCH(row_sums, .block = {512}, .tile = {16});
LAUNCH(softmax, .block = {512}, .tile = {16});

extern "C" __global__ void row_sums(const float* __restrict__ in, float* __restrict__ sums, int rows, int cols) {
  __shared__ float2 exchange[16 * 32];
  const unsigned lane = threadIdx.x & 31u;
  const unsigned base = threadIdx.x & ~31u;
  const int row = int((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
  if (row >= rows) return;
  float2 acc = make_float2(0.f, 0.f);
  const float* x = in + (size_t)row * cols;
  for (int c = 2 * lane; c < cols; c += 64) {
    acc.x += x[c];
    if (c + 1 < cols) acc.y += x[c + 1];
  }
  exchange[base + lane] = acc;
  __syncwarp();
  for (unsigned d = 16; d != 0; d >>= 1) {
    if (lane < d) {
      float2 other = exchange[base + lane + d];
      acc.x += other.x;
      acc.y += other.y;
      exchange[base + lane] = acc;
    }
    __syncwarp();
  }
  if (lane == 0) sums[row] = acc.x + acc.y;
}

extern "C" __global__ void softmax(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  const unsigned lane = threadIdx.x & 31u;
  const int row = int((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
  const unsigned same = __match_any_sync(0xffffffffu, row);  // the lanes of my row: the warp
  if (row >= rows) return;
  const float* x = in + (size_t)row * cols;
  float m = __uint_as_float(0xff800000u), s = 0.f;
  for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
  for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(same, m, d));
  for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
  for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(same, s, d);
  for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
