// Device memory as large as a card's: allocations cost what is touched of them, and end as on a card when it is full.
#include "check.h"

__global__ void touch(unsigned char *p, size_t bytes, size_t step)
{
    size_t at = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * step;
    if (at < bytes) p[at] = (unsigned char)(blockIdx.x + 1);
}

int main()
{
    const size_t large = size_t(40) << 30, step = large / 4096;
    unsigned char *p = nullptr, c = 9;
    size_t free_before, free_now, total;
    OK(cudaMemGetInfo(&free_before, &total));
    OK(cudaMalloc(&p, large));
    OK(cudaMemGetInfo(&free_now, &total));
    EXPECT(free_before - free_now >= large);
    OK(cudaMemset(p, 0, large));
    touch<<<16, 256>>>(p, large, step);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&c, p + 300 * step, 1, cudaMemcpyDeviceToHost));
    EXPECT(c == 2);
    OK(cudaMemcpy(&c, p + 300 * step + 1, 1, cudaMemcpyDeviceToHost));
    EXPECT(c == 0);

    // Until it is full, in pieces; then all comes back.
    const int most = 512;
    void *piece[most];
    int pieces = 0;
    cudaError_t error = cudaSuccess;
    while (pieces < most && !(error = cudaMalloc(&piece[pieces], size_t(1) << 30))) ++pieces;
    EXPECT(error == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
    EXPECT(pieces == int((total - large) >> 30));
    OK(cudaFree(piece[--pieces]));
    OK(cudaMalloc(&piece[pieces++], size_t(1) << 29)); // it is no sticky error
    while (pieces) OK(cudaFree(piece[--pieces]));
    OK(cudaFree(p));
    EXPECT(cudaMalloc(&p, ~size_t(0)) == cudaErrorMemoryAllocation);
    EXPECT(cudaMallocManaged(&p, total + 1) == cudaErrorMemoryAllocation);
    EXPECT(cudaMallocHost((void **)&p, size_t(1) << 60) == cudaErrorMemoryAllocation);
    return failed;
}
