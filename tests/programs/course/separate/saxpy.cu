#include "saxpy.h"

static __global__ void kernel(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

int saxpy(float a, const float *x, float *y, int n)
{
    float *dx = NULL, *dy = NULL;
    size_t bytes = n * sizeof *x;
    cudaError_t error = cudaMalloc(&dx, bytes);
    if (!error) error = cudaMalloc(&dy, bytes);
    if (!error) error = cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
    if (!error) error = cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
    if (!error) kernel<<<(n + 255) / 256, 256>>>(a, dx, dy, n);
    if (!error) error = cudaGetLastError();
    if (!error) error = cudaMemcpy(y, dy, bytes, cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
    return (int)error;
}
