// The other file of the program: a kernel that calls a device function of the first.
#include "shared.h"

__global__ void compute(int *p)
{
    *p = twice(21);
}

int launch(int *result)
{
    int *device;
    if (cudaMalloc(&device, sizeof *device)) return 1;
    compute<<<1, 1>>>(device);
    cudaError_t error = cudaMemcpy(result, device, sizeof *result, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return error;
}
