// cooperative_groups::reduce: what all threads of a tile or of a coalesced group hold, combined, for all of them.
#ifndef WARPWISE_CLANG_COOPERATIVE_GROUPS_REDUCE_H
#define WARPWISE_CLANG_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
#define WW_OPERATOR(name, expression)                                                                                  \
    template <class T> struct name {                                                                                   \
        WW_METHOD T operator()(T a, T b) const                                                                         \
        {                                                                                                              \
            return expression;                                                                                         \
        }                                                                                                              \
    };
WW_OPERATOR(plus, a + b)
WW_OPERATOR(less, b < a ? b : a)    // the smaller
WW_OPERATOR(greater, a < b ? b : a) // the larger
WW_OPERATOR(bit_and, a &b)
WW_OPERATOR(bit_or, a | b)
WW_OPERATOR(bit_xor, a ^ b)
#undef WW_OPERATOR

template <unsigned int Size, class Parent, class T, class Operator>
WW_DEVICE T reduce(const thread_block_tile<Size, Parent, false> &group, T value, Operator combine)
{
    for (unsigned int step = Size / 2; step; step /= 2) value = combine(value, group.shfl_xor(value, step));
    return value;
}

// Several warps: each reduces its own, then all combine what the warps left in the tile's memory.
template <unsigned int Size, class Parent, class T, class Operator>
WW_DEVICE T reduce(const thread_block_tile<Size, Parent, true> &group, T value, Operator combine)
{
    static_assert(sizeof(T) <= sizeof *group.ww_memory, "tiles of several warps pass 16 bytes at the most");
    value = reduce(thread_block_tile<32>(), value, combine);
    if (group.thread_rank() % 32 == 0) *(T *)&group.ww_memory[group.thread_rank() / 32] = value;
    group.sync();
    value = *(T *)&group.ww_memory[0];
    for (unsigned int warp = 1; warp < Size / 32; warp++) value = combine(value, *(T *)&group.ww_memory[warp]);
    group.sync();
    return value;
}

// Any set of lanes: a tree over the ranks, whose root hands the result out.
template <class T, class Operator> WW_DEVICE T reduce(const coalesced_group &group, T value, Operator combine)
{
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int step = 1; step < size; step *= 2) {
        T other = group.shfl_down(value, step);
        if (rank % (2 * step) == 0 && rank + step < size) value = combine(value, other);
    }
    return group.shfl(value, 0);
}
} // namespace cooperative_groups

#endif
