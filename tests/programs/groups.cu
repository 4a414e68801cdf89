// Cooperative groups: tiles, coalesced and labelled groups, a group known at run time, and a grid that meets.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include "check.h"

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int *scratch, int value)
{
    int rank = (int)group.thread_rank();
    for (int half = (int)group.size() / 2; half; half /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < half) value += scratch[rank + half];
        group.sync();
    }
    return value; // of the first thread
}

__global__ void groups(int *out)
{
    __shared__ int scratch[64];
    cg::thread_block block = cg::this_thread_block();
    int rank = (int)block.thread_rank(), all = sum_of(block, scratch, rank);
    if (rank == 0) out[0] = all;
    block.sync();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int part = sum_of(tile, scratch + rank / 16 * 16, 1);
    if (tile.thread_rank() == 0) atomicAdd(&out[1], part);
    auto warp = cg::tiled_partition<32>(block);
    auto label = cg::labeled_partition(warp, rank % 3);
    int thirds = cg::reduce(label, 1, cg::plus<int>());
    if (label.thread_rank() == 0) atomicAdd(&out[2], thirds);
    auto odd = cg::binary_partition(warp, rank & 1);
    if (odd.thread_rank() == 0) atomicAdd(&out[3], (int)odd.size());
    if (rank % 5 == 0) {
        cg::coalesced_group together = cg::coalesced_threads();
        if (together.thread_rank() == 0) atomicAdd(&out[4], (int)together.size());
        int before = cg::exclusive_scan(together, rank); // the last thread's: all but its own
        if (together.thread_rank() == together.size() - 1) atomicAdd(&out[5], before);
    }
    int most = cg::inclusive_scan(warp, rank * 7 % 32, cg::greater<int>());
    if (warp.thread_rank() == 31) atomicAdd(&out[6], most);
}

// Tiles of two warps, and what is larger than a register through a tile of one.
__global__ void wide(int *out)
{
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory);
    auto pair = cg::tiled_partition<64>(block);
    int rank = block.thread_rank(), sum = cg::reduce(pair, rank, cg::plus<int>()), of = pair.shfl(rank, 5);
    if (pair.thread_rank() == 0) out[pair.meta_group_rank()] = sum, out[2 + pair.meta_group_rank()] = of;
    auto warp = cg::tiled_partition<32>(pair);
    int4 other = warp.shfl_xor(make_int4(rank, 1, 2, -rank), 1);
    if (rank == 96) out[4] = other.x, out[5] = other.w, out[6] = warp.meta_group_rank(), out[7] = warp.meta_group_size();
}

// Each round every block reads what all blocks wrote in the last.
__global__ void rounds(int *sums, int count)
{
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < count; ++round) {
        atomicAdd(&sums[round], round ? sums[round - 1] : 1);
        grid.sync();
    }
}

int main()
{
    int *d, h[8] = {}, count = 3;
    OK(cudaMalloc(&d, sizeof h));
    OK(cudaMemset(d, 0, sizeof h));
    groups<<<1, 64>>>(d);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 64 * 63 / 2 && h[1] == 64 && h[2] == 64 && h[3] == 64 && h[4] == 13);
    EXPECT(h[5] == (0 + 5 + 10 + 15 + 20 + 25) + (35 + 40 + 45 + 50 + 55) && h[6] == 31 + 31);

    wide<<<1, 128>>>(d);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 64 * 63 / 2 && h[1] == h[0] + 64 * 64 && h[2] == 5 && h[3] == 69);
    EXPECT(h[4] == 97 && h[5] == -97 && h[6] == 1 && h[7] == 2);

    void *arguments[] = {&d, &count};
    OK(cudaMemset(d, 0, sizeof h));
    OK(cudaLaunchCooperativeKernel((const void *)rounds, dim3(8), dim3(32), arguments, 0, nullptr));
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 256 && h[1] == 256 * 256 && h[2] == 256 * 256 * 256);
    cudaDeviceProp p;
    int blocks;
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rounds, 32, 0));
    count = 1; // as many blocks as the device takes: all of them wait in the grid's barrier at once
    OK(cudaMemset(d, 0, sizeof h));
    OK(cudaLaunchCooperativeKernel((const void *)rounds, dim3(blocks * p.multiProcessorCount), dim3(32), arguments, 0,
                                   nullptr));
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == blocks * p.multiProcessorCount * 32);
    EXPECT(cudaLaunchCooperativeKernel((const void *)rounds, dim3(blocks * p.multiProcessorCount + 1), dim3(32),
                                       arguments, 0, nullptr) == cudaErrorCooperativeLaunchTooLarge);
    cudaGetLastError();
    OK(cudaFree(d));
    return failed;
}
