// Cooperative groups: each method in a row of the output, as in device_functions.cu beside this file.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#define KERNEL extern "C" __global__ void
#define PUT(expression) out[n * row++ + i] = (expression)

KERNEL groups(const int *x, long long *out, int n) // one warp, all lanes
{
    namespace cg = cooperative_groups;
    int i = threadIdx.x, row = 0, v = x[i], same;
    cg::thread_block block = cg::this_thread_block();
    PUT(block.thread_rank()); PUT(block.size()); PUT(block.thread_index().x); PUT(block.group_index().x); PUT(block.num_threads());
    PUT(cg::this_grid().thread_rank()); PUT(cg::this_grid().size());
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(block);
    auto pair = cg::tiled_partition<2>(tile);
    PUT(warp.thread_rank()); PUT(tile.thread_rank()); PUT(tile.size()); PUT(tile.meta_group_rank()); PUT(tile.meta_group_size()); PUT(pair.thread_rank());
    PUT(tile.shfl(v, 2)); PUT(tile.shfl_up(v, 1)); PUT(tile.shfl_down(v, 3)); PUT(tile.shfl_xor(v, 5)); PUT((long long)(warp.shfl(v * 0.5f, 31) * 2));
    PUT(tile.any(v > 8)); PUT(tile.all(v > 0)); PUT(tile.ballot(v & 1)); PUT(tile.match_any(v & 1)); PUT(tile.match_all(v & 1, same)); PUT(same);
    PUT(cg::reduce(tile, v, cg::plus<int>())); PUT(cg::reduce(warp, v, cg::less<int>())); PUT(cg::reduce(warp, v, cg::greater<int>())); PUT(cg::reduce(tile, v, cg::bit_xor<int>()));
    __shared__ int cell[32];
    cell[i] = v; tile.sync(); PUT(cell[i ^ 7]); cg::sync(warp); cell[i] = v + 1; block.sync(); PUT(cell[31 - i]);
}

KERNEL lanes_together(const int *x, long long *out, int n) // one warp, of which some lanes take part
{
    namespace cg = cooperative_groups;
    int i = threadIdx.x, row = 0, v = x[i];
    long long odd[6] = {0};
    if (v & 1) {
        cg::coalesced_group some = cg::coalesced_threads();
        odd[0] = some.size(); odd[1] = some.thread_rank(); odd[2] = some.shfl(v, 1); odd[3] = some.shfl_down(v, 1);
        odd[4] = some.ballot(v > 3); odd[5] = cg::reduce(some, v, cg::plus<int>());
        some.sync();
    }
    PUT(odd[0]); PUT(odd[1]); PUT(odd[2]); PUT(odd[3]); PUT(odd[4]); PUT(odd[5]);
}
