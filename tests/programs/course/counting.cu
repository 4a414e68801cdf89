// All threads count themselves, three ways: an atomic on one counter; an atomic a block, after counting in shared memory;
// and with no atomic at all, a store a thread and a sum on the host. (*a)++ is the fourth, and wrong: it is not here.
//
//   counting [BLOCKS] [THREADS]
#include "check.h"

__global__ void by_atomic(int *count)
{
    atomicAdd(count, 1);
}

__global__ void by_block(int *count)
{
    __shared__ int mine;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    atomicAdd(&mine, 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(count, mine);
}

__global__ void by_thread(int *here)
{
    here[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

static int result(int *device)
{
    int value;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(device, 0, sizeof value));
    return value;
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 50), threads = argument(argc, argv, 2, 192), total = blocks * threads;
    int *count, *each, *host = (int *)malloc(total * sizeof *host), sum = 0;
    CHECK(cudaMalloc(&count, sizeof *count));
    CHECK(cudaMalloc(&each, total * sizeof *each));
    CHECK(cudaMemset(count, 0, sizeof *count));
    by_atomic<<<blocks, threads>>>(count);
    REQUIRE(result(count) == total);
    by_block<<<blocks, threads>>>(count);
    REQUIRE(result(count) == total);
    by_thread<<<blocks, threads>>>(each);
    CHECK(cudaMemcpy(host, each, total * sizeof *host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < total; i++) sum += host[i];
    REQUIRE(sum == total);
    printf("%d threads, counted three ways\n", total);
    CHECK(cudaFree(count));
    CHECK(cudaFree(each));
    free(host);
    return 0;
}
