// cooperative_groups::memcpy_async: the threads of a group copy bytes together, from global to shared memory by cp.async
// where the addresses are multiples of four.
#ifndef WARPWISE_CLANG_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPWISE_CLANG_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
template <class Group> WW_DEVICE void ww_copy(const Group &group, char *to, const char *from, size_t bytes)
{
    size_t rank = group.thread_rank(), threads = group.size(), copied = 0;
    bool crosses = __isShared(to) && __isGlobal(from);
    if (crosses && !(((size_t)to | (size_t)from) & 15)) {
        for (size_t i = rank * 16; i + 16 <= bytes; i += threads * 16) __pipeline_memcpy_async(to + i, from + i, 16);
        copied = bytes / 16 * 16;
    }
    if (crosses && !(((size_t)to | (size_t)from) & 3)) {
        for (size_t i = copied + rank * 4; i + 4 <= bytes; i += threads * 4) __pipeline_memcpy_async(to + i, from + i, 4);
        copied = bytes / 4 * 4;
    }
    for (size_t i = copied + rank; i < bytes; i += threads) to[i] = from[i];
    __pipeline_commit();
}

template <class Group, class To, class From>
WW_DEVICE void memcpy_async(const Group &group, To *to, const From *from, size_t bytes)
{
    ww_copy(group, (char *)to, (const char *)from, bytes);
}
// Layouts are numbers of elements; as many are copied as both have.
template <class Group, class T>
WW_DEVICE void memcpy_async(const Group &group, T *to, size_t to_count, const T *from, size_t from_count)
{
    ww_copy(group, (char *)to, (const char *)from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <class Group> WW_DEVICE void wait(const Group &group)
{
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned int Stages, class Group> WW_DEVICE void wait_prior(const Group &group)
{
    __pipeline_wait_prior(Stages);
    group.sync();
}
} // namespace cooperative_groups

#endif
