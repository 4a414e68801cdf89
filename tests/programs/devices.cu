// Devices: which there are, what they are, what fits on them, copies between two; kernels with many parameters.
#include "check.h"

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value + threadIdx.x;
}

__global__ void twice(int *to, const int *from)
{
    to[threadIdx.x] = 2 * from[threadIdx.x];
}

// A pool of the first device is open to the last one where it is told so.
static void pools(int last)
{
    cudaMemPool_t pool;
    cudaMemPoolProps properties = {};
    cudaMemAccessDesc access = {};
    cudaMemAccessFlags flags;
    int *from, *to, host[32];
    properties.allocType = cudaMemAllocationTypePinned;
    access.location.type = properties.location.type = cudaMemLocationTypeDevice;
    access.location.id = last;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    OK(cudaMemPoolCreate(&pool, &properties));
    OK(cudaMallocFromPoolAsync((void **)&from, sizeof host, pool, 0));
    fill<<<1, 32>>>(from, 7);
    OK(cudaDeviceSynchronize());
    OK(cudaMemPoolSetAccess(pool, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaSetDevice(last));
    OK(cudaMalloc(&to, sizeof host));
    twice<<<1, 32>>>(to, from);
    OK(cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) EXPECT(host[i] == 2 * (7 + i));
    OK(cudaFree(to));
    OK(cudaSetDevice(0));
    OK(cudaFreeAsync(from, 0));
    OK(cudaMemPoolDestroy(pool));
}

struct large { // than a kernel's parameters were before CUDA 12.1
    int value[8000];
};
__global__ void sum(struct large parameter, int *out)
{
    int all = 0;
    for (int i = 0; i < 8000; i++) all += parameter.value[i];
    *out = all;
}

static void large_parameters()
{
    static struct large parameter;
    int *out, host = 0;
    for (int &value : parameter.value) value = 3;
    parameter.value[7999] = 100;
    OK(cudaMalloc(&out, sizeof host));
    sum<<<1, 1>>>(parameter, out);
    OK(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host == 7999 * 3 + 100);
    OK(cudaFree(out));
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
    pools(count - 1);
    large_parameters();
    return failed;
}
