// Devices: which there are, what they are, what fits on them, and copies between two.
#include "check.h"

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value + threadIdx.x;
}

int main()
{
    int count = 0, current = -1, sms = 0, blocks = 0, grid = 0, block = 0;
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    OK(cudaGetDeviceCount(&count));
    OK(cudaGetDevice(&current));
    EXPECT(count >= 1 && current == 0);
    for (int device = 0; device < count; device++) {
        OK(cudaGetDeviceProperties(&properties, device));
        OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
        EXPECT(properties.multiProcessorCount == sms && sms > 0);
        EXPECT(properties.name[0] && properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
        EXPECT(properties.maxGridSize[0] == 2147483647 && properties.totalGlobalMem > 1 << 30);
    }
    OK(cudaFuncGetAttributes(&attributes, fill));
    EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.numRegs > 0);
    EXPECT(attributes.ptxVersion == 80); // the code's, by which libraries choose among their kernels
    EXPECT(attributes.binaryVersion == 10 * properties.major + properties.minor);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0));
    EXPECT(blocks * 256 <= properties.maxThreadsPerMultiProcessor && blocks > 0);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill));
    EXPECT(block % 32 == 0 && block > 0 && grid % sms == 0);
    int *first, *last, host[32];
    OK(cudaMalloc(&first, sizeof host));
    fill<<<1, 32>>>(first, 100);
    OK(cudaSetDevice(count - 1));
    OK(cudaMalloc(&last, sizeof host));
    OK(cudaMemcpyPeer(last, count - 1, first, 0, sizeof host));
    OK(cudaMemcpy(host, last, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) EXPECT(host[i] == 100 + i);
    OK(cudaFree(last));
    OK(cudaSetDevice(0));
    OK(cudaFree(first));
    return failed;
}
