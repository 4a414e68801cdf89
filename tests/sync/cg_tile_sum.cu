// Cooperative groups: tiles of sixteen threads exchange through shared memory, with the tile's own sync.
// launch grid 1 block 64, twin: race at line 14
#define ORDER 1 // the twin has 0
#include <cooperative_groups.h>
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    auto block = cooperative_groups::this_thread_block();
    auto tile = cooperative_groups::tiled_partition<16>(block);
    s[threadIdx.x] = tile.thread_rank();
#if ORDER
    tile.sync();
#endif
    unsigned other = s[threadIdx.x ^ 15];
    out[threadIdx.x] = other == 15 - tile.thread_rank();
}
