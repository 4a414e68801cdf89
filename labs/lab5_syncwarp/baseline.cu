// Lab 5, baseline: a block of 128 threads for each row, kept in step by __syncthreads().
// Its flaw: a row of 128 floats is too little for four warps. At every step of the tree all four wait for each other,
// although after the second step only one of them still works.
#include "warpwise.h"

#define THREADS 128

LAUNCH(row_sums, .block = {THREADS}, .tile = {1});
LAUNCH(softmax, .block = {THREADS}, .tile = {1});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x, row = blockIdx.x;
    const float *x = in + (size_t)row * cols;
    float sum = 0.0f;
    for (int c = t; c < cols; c += THREADS) sum += x[c];
    part[t] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[row] = part[0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x, row = blockIdx.x;
    const float *x = in + (size_t)row * cols;
    float *y = out + (size_t)row * cols;

    float most = -INFINITY;
    for (int c = t; c < cols; c += THREADS) most = fmaxf(most, x[c]);
    part[t] = most;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads(); // all have read the maximum before its place is used again

    float sum = 0.0f;
    for (int c = t; c < cols; c += THREADS) sum += __expf(x[c] - most);
    part[t] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    float scale = 1.0f / part[0];
    for (int c = t; c < cols; c += THREADS) y[c] = __expf(x[c] - most) * scale;
}
