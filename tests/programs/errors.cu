// Errors: what bad calls return, how a launch's error is asked for, and that a fault breaks the context.
#include "check.h"

#include <cstring>

__global__ void empty()
{
}
__global__ void write(int *p)
{
    *p = 1;
}

int main()
{
    int *p, count;
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaMalloc(&p, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
    empty<<<1, 2048>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    empty<<<0, 32>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    empty<<<1, 32>>>();
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    EXPECT(cudaFree(&count) == cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    EXPECT(!strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
    EXPECT(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
    write<<<1, 1>>>(nullptr);
    OK(cudaGetLastError());
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&p, 4) == cudaErrorIllegalAddress);
    OK(cudaGetDeviceCount(&count));
    return failed;
}
