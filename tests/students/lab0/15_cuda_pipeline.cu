// libcu++: cuda::pipeline with two stages for the block, cuda::memcpy_async
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include "warpwise.h"

constexpr int kThreads = 256, kTile = 1024;

LAUNCH(scale, .block = {kThreads}, .per_sm = 4);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    namespace cg = cooperative_groups;
    auto block = cg::this_thread_block();
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ alignas(16) float buffer[stages][kTile];
    auto pipe = cuda::make_pipeline(block, &state);

    const int tiles = (n + kTile - 1) / kTile;
    auto count = [&](int tile) { int left = n - tile * kTile; return left < kTile ? left : kTile; };
    auto fetch = [&](int tile, int s) {
        pipe.producer_acquire();
        if (tile < tiles)
            cuda::memcpy_async(block, buffer[s], in + tile * kTile, sizeof(float) * count(tile), pipe);
        pipe.producer_commit();
    };
    int s = 0;
    fetch(blockIdx.x, 0);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        fetch(tile + gridDim.x, s ^ 1);
        pipe.consumer_wait();
        for (int k = threadIdx.x; k < count(tile); k += kThreads)
            out[tile * kTile + k] = 2.0f * buffer[s][k] + 1.0f;
        pipe.consumer_release();
        s ^= 1;
    }
    pipe.consumer_wait();
    pipe.consumer_release();
}
