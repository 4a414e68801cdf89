// Tiles of eight lanes as a class would make them: rank, mask, sync, and a sum through shared memory.
// launch grid 1 block 64, twin: race at line 11 or 22 or 24
#define ORDER 1 // the twin has 0
struct tile_of_eight {
    unsigned rank, mask;
    __device__ tile_of_eight() : rank(threadIdx.x % 8), mask(0xffu << (threadIdx.x % 32 / 8 * 8)) {}
    __device__ void sync() const { __syncwarp(mask); }
};
__device__ __forceinline__ void tile_of_eight_step(const tile_of_eight &tile, unsigned *part, unsigned d)
{
    unsigned v = tile.rank < d ? part[tile.rank + d] : 0;
    tile.sync();
    if (tile.rank < d) part[tile.rank] += v;
#if ORDER
    tile.sync();
#endif
}
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    tile_of_eight tile;
    unsigned t = threadIdx.x, *part = s + t / 8 * 8;
    part[tile.rank] = t;
    tile.sync();
    for (unsigned d = 4; d > 0; d /= 2) tile_of_eight_step(tile, part, d);
    out[t] = part[0] == 8 * (t / 8 * 8) + 28;
}
