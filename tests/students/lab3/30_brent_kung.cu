// Brent-Kung in place: strides up and down, each barrier before the step; inclusive without a cleared root
#include "warpwise.h"

static constexpr int B = 512;
LAUNCH(block_sums, .block = {B}, .tile = {2 * B});
LAUNCH(scan_sums, .block = {B});
LAUNCH(scan_blocks, .block = {B}, .tile = {2 * B});

__device__ void brent_kung(unsigned *XY)
{
    for (unsigned stride = 1; stride <= B; stride *= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
        if (index < 2 * B) XY[index] += XY[index - stride];
    }
    for (unsigned stride = 2 * B / 4; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index + stride < 2 * B) XY[index + stride] += XY[index];
    }
    __syncthreads();
}

__device__ void load(unsigned *XY, const unsigned *X, int first, int n)
{
    for (int k = 0; k < 2; ++k) {
        int i = first + threadIdx.x + k * B;
        XY[threadIdx.x + k * B] = i < n ? X[i] : 0;
    }
}

extern "C" __global__ void block_sums(const unsigned *X, unsigned *S, int n)
{
    __shared__ unsigned XY[2 * B];
    load(XY, X, 2 * blockIdx.x * blockDim.x, n);
    for (int d = B; d >= 1; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d) XY[threadIdx.x] += XY[threadIdx.x + d];
    }
    if (threadIdx.x == 0) S[blockIdx.x] = XY[0];
}

extern "C" __global__ void scan_sums(unsigned *S, int m)
{
    __shared__ unsigned XY[2 * B];
    unsigned carry = 0;
    for (int first = 0; first < m; first += 2 * B) {
        load(XY, S, first, m);
        brent_kung(XY);
        for (int k = 0; k < 2; ++k) {
            int p = threadIdx.x + k * B;
            if (first + p < m) S[first + p] = carry + (p > 0 ? XY[p - 1] : 0);
        }
        carry += XY[2 * B - 1];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *X, const unsigned *S, unsigned *Y, int n)
{
    __shared__ unsigned XY[2 * B];
    int first = 2 * blockIdx.x * blockDim.x;
    load(XY, X, first, n);
    brent_kung(XY);
    for (int k = 0; k < 2; ++k) {
        int p = threadIdx.x + k * B;
        if (first + p < n) Y[first + p] = XY[p] + S[blockIdx.x];
    }
}
