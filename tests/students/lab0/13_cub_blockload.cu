// CUB: BlockLoad and BlockStore with warp transpose, guarded at the end
#include <cub/cub.cuh>
#include "warpwise.h"

enum { THREADS = 128, ITEMS = 4, TILE = THREADS * ITEMS };

LAUNCH(scale, .block = {THREADS}, .tile = {TILE});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    using Load = cub::BlockLoad<float, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<float, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } temp;

    int first = blockIdx.x * TILE, left = n - first;
    float v[ITEMS];
    if (left >= TILE) Load(temp.load).Load(in + first, v);
    else Load(temp.load).Load(in + first, v, left, 0.0f);
    __syncthreads();
    for (float &x : v) x = 2.0f * x + 1.0f;
    if (left >= TILE) Store(temp.store).Store(out + first, v);
    else Store(temp.store).Store(out + first, v, left);
}
