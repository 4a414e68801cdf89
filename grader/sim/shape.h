// The shape of a warp's access to 32-bit words: how the lanes' addresses lie to that of the first lane.
//
// An access has a shape when each segment of eight lanes takes part as a whole, and names consecutive words or one
// word. That is the case of nearly all accesses, and an op that is executed again nearly always has the shape it had
// before, only at another address: one base stands for 32 addresses. So each op keeps the last shape it had (per host
// thread), and an access is recognised by one comparison of its row of addresses, less the first lane's, with that of
// the shape. What depends on the shape alone (passes through the banks, the words that are named twice) is worked out
// once.
#ifndef SIM_SHAPE_H
#define SIM_SHAPE_H

#include <stdint.h>

#include "sim/lanes.h"
#include "sim/launch.h"

struct shape {
    int32_t delta[WARP_LANES]; // addresses, less that of the first lane that takes part
    uint32_t mask;             // lanes that take part; 0: no shape is known
    uint32_t first;            // the first of them
    int32_t at[SEGMENTS];      // of a segment's first word, from the first lane's
    int32_t lo;                // all bytes lie in [base + lo, base + lo + span)
    uint32_t span;
    uint8_t active;         // bit k: segment k takes part
    uint8_t uniform;        // bit k: all its lanes name one word; otherwise consecutive words
    uint8_t twin[SEGMENTS]; // bit n of twin[k]: segment n names the same words as k, and is not below it
    uint8_t again;          // bit k: segment k names the same words as one below
    uint8_t distinct;       // 1: no word is named twice
    uint8_t wavefronts;     // passes through the banks
    // The array of shared memory that the op was last seen in: it holds an access whose lowest byte is at
    // [low, low + room). room 0: none was seen.
    uint64_t low, room;
};

// Learns the shape of the addresses in a row of 32 (wide: 64) bits, or forgets what was known when they have none.
// Returns 1 when they have one.
int shape_learn(struct shape *, const void *row, int wide, uint32_t mask);

static inline uint64_t shape_row(const void *row, int wide, uint32_t lane)
{
    return wide ? ((const uint64_t *)row)[lane] : ((const uint32_t *)row)[lane];
}

// 1 when a row of 32-bit addresses has this shape. Addresses do not wrap around.
static inline int shape_holds_narrow(const struct shape *s, const uint32_t *row)
{
    uint32_t first = row[s->first];
    if ((uint64_t)first + (uint64_t)(int64_t)s->lo > ((uint64_t)1 << 32) - s->span) return 0;
    v8u off = splat(0);
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        v8u differs = (get(row + k * SEGMENT) - splat(first)) ^ get((const uint32_t *)s->delta + k * SEGMENT);
        if (s->mask != 0xffffffffu) differs &= lanes_of(s->mask, k);
        off |= differs;
    }
    return !any(off);
}

static inline int shape_holds_wide(const struct shape *s, const uint64_t *row)
{
    uint64_t first = row[s->first];
    v4u64 off = {0};
    for (uint32_t k = 0; k < WARP_LANES; k += 4) {
        v4s delta = *(const v4s *)(const void *)(s->delta + k);
        v4u64 address = *(const v4u64 *)(const void *)(row + k), from = {first, first, first, first};
        v4u64 differs = (address - from) ^ (v4u64) __builtin_convertvector(delta, v4s64);
        if (s->mask != 0xffffffffu) {
            v4s on = ((v4s){1, 2, 4, 8} & (int32_t)(s->mask >> k)) != 0;
            differs &= (v4u64) __builtin_convertvector(on, v4s64);
        }
        off |= differs;
    }
    return !any64(off);
}

// 1 when the addresses have a shape, which is then in *s.
static inline int shape_find(struct shape *s, const void *row, int wide, uint32_t mask)
{
    if (s->mask == mask && (wide ? shape_holds_wide(s, row) : shape_holds_narrow(s, row))) return 1;
    return shape_learn(s, row, wide, mask);
}

#endif
