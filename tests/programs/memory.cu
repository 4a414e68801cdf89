// Memory in its forms: pitched rows, symbols, fills, pinned, registered and managed memory, and what pointers are.
#include "check.h"

#include <cstdlib>
#include <cstring>

__constant__ float scale[2];
__device__ int counter;

__global__ void multiply(float *p, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width && y < height) {
        float *row = (float *)((char *)p + y * pitch);
        row[x] = row[x] * scale[0] + scale[1];
        atomicAdd(&counter, 1);
    }
}

__global__ void increment(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}

static void rows()
{
    const int width = 37, height = 5;
    float host[height][width], back[height][width], constants[2] = {2, 1}, *device;
    size_t pitch, bytes;
    int zero = 0, count = 0;
    for (int i = 0; i < width * height; i++) host[i / width][i % width] = i;
    OK(cudaMallocPitch(&device, &pitch, width * sizeof(float), height));
    EXPECT(pitch >= width * sizeof(float) && pitch % 256 == 0);
    OK(cudaMemcpyToSymbol(scale, constants, sizeof constants));
    OK(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
    OK(cudaMemcpy2D(device, pitch, host, sizeof host[0], sizeof host[0], height, cudaMemcpyHostToDevice));
    multiply<<<dim3(2, height), 32>>>(device, pitch, width, height);
    OK(cudaMemcpy2D(back, sizeof back[0], device, pitch, sizeof back[0], height, cudaMemcpyDeviceToHost));
    for (int i = 0; i < width * height; i++) EXPECT(back[i / width][i % width] == 2.0f * i + 1);
    OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    EXPECT(count == width * height);
    OK(cudaGetSymbolSize(&bytes, scale));
    EXPECT(bytes == sizeof constants);
    OK(cudaMemset2D(device, pitch, 0, width * sizeof(float), height));
    OK(cudaMemcpy2D(back, sizeof back[0], device, pitch, sizeof back[0], height, cudaMemcpyDeviceToHost));
    for (int i = 0; i < width * height; i++) EXPECT(back[i / width][i % width] == 0);
    EXPECT(cudaMemcpy2D(back, 4, device, pitch, sizeof back[0], height, cudaMemcpyDeviceToHost) ==
           cudaErrorInvalidPitchValue);
    OK(cudaFree(device));
}

static void host_memory()
{
    const int n = 1000;
    int *pinned, *managed, *mapped, *device, *own = (int *)malloc(n * sizeof(int));
    cudaPointerAttributes attributes;
    OK(cudaMallocHost((void **)&pinned, n * sizeof(int)));
    OK(cudaMallocManaged(&managed, n * sizeof(int)));
    OK(cudaMalloc(&device, n * sizeof(int)));
    for (int i = 0; i < n; i++) pinned[i] = managed[i] = own[i] = i;
    OK(cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice));
    increment<<<4, 256>>>(device, n);
    OK(cudaMemcpyAsync(pinned, device, n * sizeof(int), cudaMemcpyDeviceToHost));
    increment<<<4, 256>>>(managed, n);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) EXPECT(pinned[i] == i + 1 && managed[i] == i + 1);
    OK(cudaHostRegister(own, n * sizeof(int), cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer((void **)&mapped, own, 0));
    increment<<<4, 256>>>(mapped, n);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) EXPECT(own[i] == i + 1);
    OK(cudaPointerGetAttributes(&attributes, device));
    EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == device);
    OK(cudaPointerGetAttributes(&attributes, pinned));
    EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned);
    OK(cudaPointerGetAttributes(&attributes, managed));
    EXPECT(attributes.type == cudaMemoryTypeManaged);
    OK(cudaPointerGetAttributes(&attributes, &attributes));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    OK(cudaHostUnregister(own));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(managed));
    OK(cudaFree(device));
    free(own);
}

int main()
{
    rows();
    host_memory();
    return failed;
}
