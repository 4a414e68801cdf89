// Keeps the replacement state of one cache set with sixteen ways: the order of the ways' last uses, and one hash byte
// for each way. A search for a line compares the hash bytes of all ways at once. The L1 model and the L2 model, which
// use struct ways, keep the addresses and states of the cache lines in their own arrays.
//
// The field `order` of struct ways lists the numbers of the sixteen ways in the order of their last uses, with 4 bits
// for each number. The lowest 4 bits of `order` hold the number of the way that was used last. On a host with vector
// instructions, a single vector instruction compares all sixteen hash bytes of a cache set. Few lines of a cache set
// have equal hash bytes. Swiss Tables also search a group of hash-table slots by comparing one hash byte of each slot
// at once (Benzaquen et al., CppCon 2017).
#ifndef SIM_TIMING_WAYS_H
#define SIM_TIMING_WAYS_H

#include <stdint.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

enum { WAYS = 16 };

struct ways {
    uint64_t order; // way numbers, 4 bits a place; the lowest place has the way used last; unused ways are at the end
    uint8_t mark[WAYS];
    uint32_t count; // number of ways in use, which are ways 0 to count - 1; all fields zero: an empty set
};

#define WAYS_EACH 0x1111111111111111u // WAYS_EACH * w is the word that has way w at all sixteen places
#define WAYS_IN_ORDER 0xfedcba9876543210u

// Returns the hash of a cache line. The top byte of the hash marks the way that holds the line.
static inline uint64_t ways_hash(uint64_t line)
{
    return line * 0x9e3779b97f4a7c15u;
}

// Returns a mask of the ways of the cache set that may hold a line with the hash `hash`. Bit w of the mask stands for
// way number w.
static inline uint32_t ways_marked(const struct ways *s, uint64_t hash)
{
    uint32_t found = 0;
    uint8_t mark = (uint8_t)(hash >> 56);
#ifdef __SSE2__
    __m128i all = _mm_loadu_si128((const __m128i *)(const void *)s->mark);
    found = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)mark)));
#else
    for (uint32_t w = 0; w < WAYS; w++) found |= (uint32_t)(s->mark[w] == mark) << w;
#endif
    return found & ((1u << s->count) - 1);
}

// Returns the position of a way in the order of the ways' last uses (s->order). Position 0 means that the way was used
// last.
static inline uint32_t ways_place(const struct ways *s, uint32_t way)
{
    // The 4 bits of s->order that hold `way` become zero in `differs`. Subtracting 1 from each group of 4 bits first
    // borrows at the zero group, so the lowest borrow marks the group that holds `way`.
    uint64_t differs = s->order ^ WAYS_EACH * way;
    return (uint32_t)__builtin_ctzll((differs - WAYS_EACH) & ~differs & WAYS_EACH << 3) / 4;
}

// Returns the number of the way that bits 4 * `place` to 4 * `place` + 3 of s->order hold. Position 0, the lowest 4
// bits of s->order, holds the number of the way that was used last.
static inline uint32_t ways_at(const struct ways *s, uint32_t place)
{
    return s->order >> 4 * place & 0xf;
}

// Marks the way whose number is at position `place` of s->order as used last, by moving the number to position 0.
static inline void ways_use(struct ways *s, uint32_t place)
{
    uint64_t before = ((uint64_t)1 << 4 * place) - 1;
    s->order = (s->order & ~(before << 4 | 0xf)) | (s->order & before) << 4 | ways_at(s, place);
}

// Returns the number of the way that receives a new line with the hash `hash`. If the cache set is full, the new line
// replaces the line in the way at position `place` of s->order. If the cache set is not full, `place` is ignored.
static inline uint32_t ways_take(struct ways *s, uint64_t hash, uint32_t place)
{
    if (!s->count) s->order = WAYS_IN_ORDER;
    if (s->count < WAYS) place = s->count++;
    uint32_t way = ways_at(s, place);
    s->mark[way] = (uint8_t)(hash >> 56);
    ways_use(s, place);
    return way;
}

#endif
