// Cooperative groups: the block, tiles of a warp, converged lanes or lanes with equal labels, and the grid of a
// cooperative launch. Names and meanings are those of the CUDA C++ Programming Guide. The implementation is our own.
#ifndef WARPWISE_CLANG_COOPERATIVE_GROUPS_H
#define WARPWISE_CLANG_COOPERATIVE_GROUPS_H

#include "cuda.h"

#define WW_METHOD inline __device__ __attribute__((nodebug, always_inline))

namespace cooperative_groups
{
WW_DEVICE unsigned int ww_lane()
{
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
WW_DEVICE unsigned int ww_rank(dim3 index, dim3 size)
{
    return (index.z * size.y + index.y) * size.x + index.x;
}
WW_DEVICE unsigned int ww_thread()
{
    return ww_rank(threadIdx, blockDim);
}
WW_DEVICE unsigned int ww_threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}

// What the tiles of several warps of one block pass values through, in shared memory.
template <unsigned int Threads = 1024> struct block_tile_memory {
    ulonglong2 ww_value[(Threads + 31) / 32]; // a warp's
};

class thread_block
{
  public:
    ulonglong2 *ww_memory = nullptr;

    WW_METHOD static void sync()
    {
        __syncthreads();
    }
    WW_METHOD static unsigned int thread_rank()
    {
        return ww_thread();
    }
    WW_METHOD static unsigned int size()
    {
        return ww_threads();
    }
    WW_METHOD static unsigned int num_threads()
    {
        return ww_threads();
    }
    WW_METHOD static dim3 group_index()
    {
        return blockIdx;
    }
    WW_METHOD static dim3 thread_index()
    {
        return threadIdx;
    }
    WW_METHOD static dim3 group_dim()
    {
        return blockDim;
    }
    WW_METHOD static dim3 dim_threads()
    {
        return blockDim;
    }
};
WW_DEVICE thread_block this_thread_block()
{
    return thread_block();
}
template <unsigned int Threads> WW_DEVICE thread_block this_thread_block(block_tile_memory<Threads> &memory)
{
    thread_block block;
    block.ww_memory = memory.ww_value;
    return block;
}

// The grid of a cooperative launch meets at a counter that the launch provides (its address stands in %envreg1 and 2):
// each block adds one, and the first block what makes the sum's highest bit turn when all have come.
class grid_group
{
    WW_METHOD static unsigned int *ww_counter()
    {
        unsigned int high, low;
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        unsigned long long workspace = (unsigned long long)high << 32 | low;
        return workspace ? (unsigned int *)workspace + 1 : (unsigned int *)0;
    }

  public:
    WW_METHOD static bool is_valid()
    {
        return ww_counter() != 0;
    }
    WW_METHOD static void sync()
    {
        const unsigned int turned = 0x80000000u;
        unsigned int *counter = ww_counter();
        if (!counter) __trap(); // no cooperative launch
        __syncthreads();
        if (ww_thread() == 0) {
            unsigned int mine = block_rank() ? 1 : turned - (unsigned int)(num_blocks() - 1);
            __threadfence();
            unsigned int before = atomicAdd(counter, mine);
            while (!((before ^ *(volatile unsigned int *)counter) & turned)) {
            }
            __threadfence();
        }
        __syncthreads();
    }
    WW_METHOD static unsigned long long block_rank()
    {
        return ww_rank(blockIdx, gridDim);
    }
    WW_METHOD static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    WW_METHOD static unsigned long long thread_rank()
    {
        return block_rank() * ww_threads() + ww_thread();
    }
    WW_METHOD static unsigned long long size()
    {
        return num_blocks() * ww_threads();
    }
    WW_METHOD static unsigned long long num_threads()
    {
        return size();
    }
    WW_METHOD static dim3 group_dim()
    {
        return gridDim;
    }
    WW_METHOD static dim3 dim_blocks()
    {
        return gridDim;
    }
    WW_METHOD static dim3 block_index()
    {
        return blockIdx;
    }
};
WW_DEVICE grid_group this_grid()
{
    return grid_group();
}

// The threads of what a tile is part of.
template <class Parent> struct ww_whole {
    WW_METHOD static unsigned int threads()
    {
        return Parent::size();
    }
};
template <> struct ww_whole<void> : ww_whole<thread_block> {
};

// Shuffles of values of any size: their words one by one.
template <class T, class Shuffle> WW_DEVICE T ww_by_words(T value, Shuffle shuffle)
{
    unsigned int word[(sizeof value + 3) / 4] = {0};
    __builtin_memcpy(word, &value, sizeof value);
#pragma unroll
    for (unsigned int i = 0; i < sizeof word / sizeof *word; i++) word[i] = shuffle(word[i]);
    __builtin_memcpy(&value, word, sizeof value);
    return value;
}

// What tiles of a warp's threads and tiles of several warps have in common.
template <unsigned int Size> class ww_tile
{
  public:
    WW_METHOD static unsigned int thread_rank()
    {
        return ww_thread() % Size;
    }
    WW_METHOD static constexpr unsigned int size()
    {
        return Size;
    }
    WW_METHOD static constexpr unsigned int num_threads()
    {
        return Size;
    }
};

// `Size` neighbours of a warp: 1, 2, 4, 8, 16 or 32 threads.
template <unsigned int Size, class Parent = void, bool Wide = (Size > 32)> class thread_block_tile : public ww_tile<Size>
{
    static_assert(Size && !(Size & (Size - 1)), "a tile's size is a power of two");

  public:
    thread_block_tile() = default;
    template <class Whole> WW_METHOD explicit thread_block_tile(const Whole &)
    {
    }
    template <class Other> WW_METHOD thread_block_tile(const thread_block_tile<Size, Other> &)
    {
    }
    WW_METHOD static unsigned int ww_mask()
    {
        return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << (ww_lane() & ~(Size - 1));
    }
    WW_METHOD static void sync()
    {
        __syncwarp(ww_mask());
    }
    WW_METHOD static unsigned int meta_group_rank()
    {
        return ww_thread() % ww_whole<Parent>::threads() / Size;
    }
    WW_METHOD static unsigned int meta_group_size()
    {
        return (ww_whole<Parent>::threads() + Size - 1) / Size;
    }
    template <class T> WW_METHOD T shfl(T value, int rank) const
    {
        return ww_by_words(value, [rank](unsigned int word) { return __shfl_sync(ww_mask(), word, rank, Size); });
    }
    template <class T> WW_METHOD T shfl_up(T value, unsigned int delta) const
    {
        return ww_by_words(value, [delta](unsigned int word) { return __shfl_up_sync(ww_mask(), word, delta, Size); });
    }
    template <class T> WW_METHOD T shfl_down(T value, unsigned int delta) const
    {
        return ww_by_words(value, [delta](unsigned int word) { return __shfl_down_sync(ww_mask(), word, delta, Size); });
    }
    template <class T> WW_METHOD T shfl_xor(T value, unsigned int lanes) const
    {
        return ww_by_words(value, [lanes](unsigned int word) { return __shfl_xor_sync(ww_mask(), word, lanes, Size); });
    }
    WW_METHOD int any(int predicate) const
    {
        return __any_sync(ww_mask(), predicate);
    }
    WW_METHOD int all(int predicate) const
    {
        return __all_sync(ww_mask(), predicate);
    }
    WW_METHOD unsigned int ballot(int predicate) const
    {
        return ww_ranks(__ballot_sync(ww_mask(), predicate));
    }
    template <class T> WW_METHOD unsigned int match_any(T value) const
    {
        return ww_ranks(__match_any_sync(ww_mask(), value));
    }
    template <class T> WW_METHOD unsigned int match_all(T value, int &same) const
    {
        return ww_ranks(__match_all_sync(ww_mask(), value, &same));
    }

  private:
    WW_METHOD static unsigned int ww_ranks(unsigned int lanes) // a bit a thread of the tile
    {
        return (lanes & ww_mask()) >> (ww_lane() & ~(Size - 1));
    }
};
// So many warps of the block. They meet at a barrier of their own, of which a block has fifteen beside its own.
template <unsigned int Size, class Parent> class thread_block_tile<Size, Parent, true> : public ww_tile<Size>
{
    static_assert(Size <= 1024 && !(Size & (Size - 1)), "a tile of several warps has 64, 128, 256, 512 or 1024 threads");

  public:
    ulonglong2 *ww_memory; // of the tile's first warp

    WW_METHOD explicit thread_block_tile(const thread_block &block)
        : ww_memory(block.ww_memory + meta_group_rank() * (Size / 32))
    {
        if (!block.ww_memory) __trap(); // this_thread_block was given no memory
    }
    WW_METHOD static void sync()
    {
        asm volatile("barrier.sync %0, %1;" ::"r"(meta_group_rank() % 15 + 1), "n"(Size) : "memory");
    }
    WW_METHOD static unsigned int meta_group_rank()
    {
        return ww_thread() / Size;
    }
    WW_METHOD static unsigned int meta_group_size()
    {
        return (ww_threads() + Size - 1) / Size;
    }
    template <class T> WW_METHOD T shfl(T value, unsigned int rank) const
    {
        static_assert(sizeof(T) <= sizeof *ww_memory, "tiles of several warps pass 16 bytes at the most");
        if (ww_thread() % Size == rank) *(T *)ww_memory = value;
        sync();
        value = *(T *)ww_memory;
        sync();
        return value;
    }
};

template <unsigned int Size, class Parent> WW_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &whole)
{
    return thread_block_tile<Size, Parent>(whole);
}

// The lanes that executed coalesced_threads together; ranks follow the lanes.
class coalesced_group
{
    unsigned int mask;

    WW_METHOD unsigned int lane_of(unsigned int rank) const
    {
        return rank < size() ? __fns(mask, 0, (int)rank + 1) : ww_lane();
    }
    template <class T> WW_METHOD T ww_shfl(T value, unsigned int lane) const
    {
        unsigned int lanes = mask;
        return ww_by_words(value, [=](unsigned int word) { return __shfl_sync(lanes, word, (int)lane, 32); });
    }
    WW_METHOD unsigned int ranks(unsigned int lanes) const // a bit a thread of the group
    {
        unsigned int found = 0, rank = 0;
        for (unsigned int left = mask; left; left &= left - 1, rank++)
            if (lanes & left & (0u - left)) found |= 1u << rank;
        return found;
    }

  public:
    WW_METHOD explicit coalesced_group(unsigned int mask) : mask(mask)
    {
    }
    WW_METHOD void sync() const
    {
        __syncwarp(mask);
    }
    WW_METHOD unsigned int thread_rank() const
    {
        return (unsigned int)__popc(mask & ((1u << ww_lane()) - 1));
    }
    WW_METHOD unsigned int size() const
    {
        return (unsigned int)__popc(mask);
    }
    WW_METHOD unsigned int num_threads() const
    {
        return size();
    }
    WW_METHOD unsigned int ww_mask() const
    {
        return mask;
    }
    template <class T> WW_METHOD T shfl(T value, unsigned int rank) const
    {
        return ww_shfl(value, lane_of(rank % size()));
    }
    template <class T> WW_METHOD T shfl_up(T value, unsigned int delta) const
    {
        unsigned int rank = thread_rank();
        return ww_shfl(value, lane_of(rank < delta ? rank : rank - delta));
    }
    template <class T> WW_METHOD T shfl_down(T value, unsigned int delta) const
    {
        return ww_shfl(value, lane_of(thread_rank() + delta));
    }
    WW_METHOD int any(int predicate) const
    {
        return __any_sync(mask, predicate);
    }
    WW_METHOD int all(int predicate) const
    {
        return __all_sync(mask, predicate);
    }
    WW_METHOD unsigned int ballot(int predicate) const
    {
        return ranks(__ballot_sync(mask, predicate));
    }
    template <class T> WW_METHOD unsigned int match_any(T value) const
    {
        return ranks(__match_any_sync(mask, value));
    }
};
WW_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

// Of a tile or of such a group: the threads whose label, or whose predicate, is the same.
template <class Group, class Label> WW_DEVICE coalesced_group labeled_partition(const Group &group, Label label)
{
    return coalesced_group(__match_any_sync(group.ww_mask(), label));
}
template <class Group> WW_DEVICE coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned int holds = __ballot_sync(group.ww_mask(), predicate);
    return coalesced_group(predicate ? holds : group.ww_mask() & ~holds);
}

// Any group of a block, its kind known when the kernel runs.
class thread_group
{
    unsigned int mask; // lanes of a warp; 0: the whole block

  public:
    WW_METHOD thread_group(const thread_block &) : mask(0)
    {
    }
    WW_METHOD thread_group(const coalesced_group &group) : mask(group.ww_mask())
    {
    }
    template <unsigned int Size, class Parent>
    WW_METHOD thread_group(const thread_block_tile<Size, Parent> &group) : mask(group.ww_mask())
    {
    }
    WW_METHOD void sync() const
    {
        if (mask)
            __syncwarp(mask);
        else
            __syncthreads();
    }
    WW_METHOD unsigned int thread_rank() const
    {
        return mask ? (unsigned int)__popc(mask & ((1u << ww_lane()) - 1)) : ww_thread();
    }
    WW_METHOD unsigned int size() const
    {
        return mask ? (unsigned int)__popc(mask) : ww_threads();
    }
    WW_METHOD unsigned int num_threads() const
    {
        return size();
    }
};
WW_DEVICE thread_group tiled_partition(const thread_group &, unsigned int size)
{
    unsigned int lanes = size == 32 ? 0xffffffffu : (1u << size) - 1;
    return thread_group(coalesced_group(lanes << (ww_lane() & ~(size - 1))));
}

template <class Group> WW_DEVICE void sync(const Group &group)
{
    group.sync();
}
// One thread of the group calls the function.
template <class Group, class Function, class... Arguments>
WW_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments)
{
    if (group.thread_rank() == 0) function(static_cast<Arguments &&>(arguments)...);
}
} // namespace cooperative_groups

#endif
