// Device code that allocates: malloc and free, new and delete, objects with virtual functions made by one kernel and
// used by others, blocks that are given back and taken again, and a heap that is full.
#include <new>

#include "check.h"

struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual int corners() const = 0;
};
struct square : shape {
    int *tally;
    __device__ explicit square(int *tally) : tally(tally) {}
    __device__ ~square() { atomicAdd(tally, 100); }
    __device__ int corners() const { return 4; }
};
struct triangle : shape {
    __device__ int corners() const { return 3; }
};

__global__ void make(shape **all, int *tally)
{
    int i = threadIdx.x;
    all[i] = i % 2 ? (shape *)new triangle : (shape *)new square(tally);
}
__global__ void count(shape **all, int *tally)
{
    atomicAdd(tally, all[threadIdx.x]->corners());
}
__global__ void destroy(shape **all)
{
    delete all[threadIdx.x];
}

// Each thread takes a list of its own, of growing blocks, and gives it back: the next round finds the same memory.
__global__ void rounds(int *sum, int n)
{
    for (int round = 0; round < n; round++) {
        int *list = (int *)malloc((8 + round) * sizeof(int)), total = 0;
        if (!list) return;
        for (int i = 0; i < 8 + round; i++) list[i] = threadIdx.x;
        for (int i = 0; i < 8; i++) total += list[i];
        free(list);
        atomicAdd(sum, total);
    }
}

__global__ void fill(int *blocks)
{
    while (malloc(1000)) atomicAdd(blocks, 1);
}

int main()
{
    shape **all;
    int *tally;
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    OK(cudaMalloc(&all, 64 * sizeof *all));
    OK(cudaMallocManaged(&tally, 3 * sizeof *tally));
    tally[0] = tally[1] = tally[2] = 0;
    make<<<1, 64>>>(all, tally);
    count<<<1, 64>>>(all, tally);
    destroy<<<1, 64>>>(all);
    rounds<<<4, 64>>>(tally + 1, 5);
    OK(cudaDeviceSynchronize());
    EXPECT(tally[0] == 32 * 4 + 32 * 3 + 32 * 100);
    EXPECT(tally[1] == 4 * 5 * 8 * (63 * 64 / 2));
    fill<<<1, 32>>>(tally + 2);
    OK(cudaDeviceSynchronize());
    EXPECT(tally[2] > 800 && tally[2] <= 1048);
    return failed;
}
