// Variables that host and device share: with an initialiser and without, written by either side, by name and by pointer.
#include "check.h"

__managed__ float scale = 1.5f;
__device__ __managed__ int sums[1000];
__managed__ int zero[3];

__global__ void add(int a, int b)
{
    sums[threadIdx.x] = a + b + threadIdx.x;
    if (threadIdx.x == 0) scale *= 2;
}
__global__ void increment(int *p)
{
    atomicAdd(&p[threadIdx.x % 3], 1);
}

int main()
{
    zero[1] = 40; // before anything was asked of the runtime
    increment<<<1, 30>>>(zero);
    add<<<1, 1000>>>(10, 100);
    OK(cudaDeviceSynchronize());
    EXPECT(zero[0] == 10 && zero[1] == 50 && zero[2] == 10);
    EXPECT(scale == 3);
    for (int i = 0; i < 1000; i++) EXPECT(sums[i] == 110 + i);
    scale = 8;
    sums[999] = 1;
    increment<<<1, 3>>>(sums + 997);
    add<<<1, 1>>>(0, 7);
    OK(cudaDeviceSynchronize());
    EXPECT(scale == 16 && sums[999] == 2 && sums[0] == 7);
    OK(cudaDeviceReset());
    EXPECT(sums[999] == 2);
    return failed;
}
