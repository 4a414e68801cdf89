// Encodes memory accesses as the 32-bit words that shadow cells store, and decides whether one access is ordered before
// another.
//
// The STAMP macros take 32-bit words, or vectors of 32-bit words (core/lanes.h), and treat each element of a vector
// alike: op/word_shared.c checks eight lanes at a time. A comparison of two vectors gives all ones in each element for
// which the comparison is true.
#ifndef SIM_HAZARD_STAMP_H
#define SIM_HAZARD_STAMP_H

enum { STAMP_LANE_BITS = 5, STAMP_WARP_BITS = 5, STAMP_THREAD_BITS = STAMP_WARP_BITS + STAMP_LANE_BITS };

// STAMP_ACCESS encodes an access by one thread as a word: the index of the op and the thread's index in the block.
#define STAMP_ACCESS(op, thread) ((op) << STAMP_THREAD_BITS | (thread))
#define STAMP_OP(access) ((access) >> STAMP_THREAD_BITS)
#define STAMP_THREAD(access) ((access) & ((1u << STAMP_THREAD_BITS) - 1))
#define STAMP_WARP(access) (STAMP_THREAD(access) >> STAMP_LANE_BITS)

// STAMP_IS_OF_LANES is true if no lanes but one are in the mask `lanes`, and the access is by that lane of the warp.
#define STAMP_IS_OF_LANES(access, warp, lanes)                                                                         \
    ((STAMP_WARP(access) == (warp)) & ((lanes) == 1u << ((access) & ((1u << STAMP_LANE_BITS) - 1))))

// STAMP_WARP_ACCESS encodes an access by lanes of one warp as a word: the index of the op and the warp's index in the
// block.
#define STAMP_WARP_ACCESS(op, warp) ((op) << STAMP_WARP_BITS | (warp))
#define STAMP_WARP_ACCESS_OP(access) ((access) >> STAMP_WARP_BITS)
#define STAMP_WARP_ACCESS_WARP(access) ((access) & ((1u << STAMP_WARP_BITS) - 1))

// STAMP_IS_ORDERED_IN_WARP is true if a barrier of the whole warp (a __syncwarp of all lanes) orders an access at clock
// value `stamp` before the warp's current access.
#define STAMP_IS_ORDERED_IN_WARP(shadow, stamp, access, warp)                                                          \
    ((STAMP_WARP(access) == (warp)) & ((stamp) <= (shadow)->warp_floor[warp]))
// STAMP_IS_ORDERED is true if an access at clock value `stamp` is ordered before the current access of `thread` in
// `warp`. STAMP_IS_ORDERED considers only program order and the barriers of whole blocks and whole warps. The function
// shadow_knows() also considers __syncwarp of some lanes, named barriers and synchronisation through memory.
#define STAMP_IS_ORDERED(shadow, stamp, access, warp, thread)                                                          \
    (((stamp) <= (shadow)->floor) | (STAMP_THREAD(access) == (thread)) |                                               \
     STAMP_IS_ORDERED_IN_WARP(shadow, stamp, access, warp))

#endif
