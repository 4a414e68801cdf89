// cooperative_groups::inclusive_scan and exclusive_scan: what the threads of a tile or of a coalesced group hold, combined
// up to each of them, by Hillis and Steele's method ("Data Parallel Algorithms", CACM 29/12, 1986).
#ifndef WARPWISE_CLANG_COOPERATIVE_GROUPS_SCAN_H
#define WARPWISE_CLANG_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{
template <class Group, class T, class Operator>
WW_DEVICE T inclusive_scan(const Group &group, T value, Operator combine)
{
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        T before = group.shfl_up(value, step);
        if (group.thread_rank() >= step) value = combine(before, value);
    }
    return value;
}
template <class Group, class T> WW_DEVICE T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
// The first thread gets what a value of zeros is: the neutral element of a sum, and what CUDA's gives there too.
template <class Group, class T, class Operator>
WW_DEVICE T exclusive_scan(const Group &group, T value, Operator combine)
{
    T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
    return group.thread_rank() ? before : T();
}
template <class Group, class T> WW_DEVICE T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}
} // namespace cooperative_groups

#endif
