// The words in the cells of a shadow: which access a cell remembers, and whether that access is ordered before another.
//
// The macros take 32-bit words, or vectors of them (core/lanes.h) of which each element is treated alike. So cell.c,
// which looks at one lane, and op/word_shared.c, which looks at eight, share one definition. A comparison of vectors
// yields all ones for true.
#ifndef SIM_HAZARD_STAMP_H
#define SIM_HAZARD_STAMP_H

enum { STAMP_LANE_BITS = 5, STAMP_WARP_BITS = 5, STAMP_THREAD_BITS = STAMP_WARP_BITS + STAMP_LANE_BITS };

// An access by one thread: the op's index and the thread's index in the block.
#define STAMP_ACCESS(op, thread) ((op) << STAMP_THREAD_BITS | (thread))
#define STAMP_OP(access) ((access) >> STAMP_THREAD_BITS)
#define STAMP_THREAD(access) ((access) & ((1u << STAMP_THREAD_BITS) - 1))
#define STAMP_WARP(access) (STAMP_THREAD(access) >> STAMP_LANE_BITS)

// An access by lanes of one warp: the op's index and the warp's index in the block.
#define STAMP_WARP_ACCESS(op, warp) ((op) << STAMP_WARP_BITS | (warp))
#define STAMP_WARP_ACCESS_OP(access) ((access) >> STAMP_WARP_BITS)
#define STAMP_WARP_ACCESS_WARP(access) ((access) & ((1u << STAMP_WARP_BITS) - 1))

// True if barriers of one warp order an access at `stamp` before what the warp does now.
#define STAMP_IS_ORDERED_IN_WARP(shadow, stamp, access, warp)                                                          \
    ((STAMP_WARP(access) == (warp)) & ((stamp) <= (shadow)->warp_floor[warp]))
// True if program order or barriers of whole blocks and whole warps order an access at `stamp` before what `thread` of
// `warp` does now. shadow_knows adds the rarer kinds of order.
#define STAMP_IS_ORDERED(shadow, stamp, access, warp, thread)                                                          \
    (((stamp) <= (shadow)->floor) | (STAMP_THREAD(access) == (thread)) |                                               \
     STAMP_IS_ORDERED_IN_WARP(shadow, stamp, access, warp))

#endif
