// The first thread of each warp publishes itself in shared memory, and all 64 threads print their master. Lanes wait for
// their own warp alone: __syncwarp(), not __syncthreads().
#include "check.h"

__global__ void masters(int *seen)
{
    __shared__ int master[2];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) master[warp] = threadIdx.x;
    __syncwarp();
    printf("thread %2d: my master is %2d\n", threadIdx.x, master[warp]);
    seen[threadIdx.x] = master[warp];
}

int main()
{
    int *seen, host[64];
    CHECK(cudaMalloc(&seen, sizeof host));
    masters<<<1, 64>>>(seen);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize()); // printf of the device is shown when the host waits
    CHECK(cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) REQUIRE(host[i] == i / 32 * 32);
    CHECK(cudaFree(seen));
    return 0;
}
