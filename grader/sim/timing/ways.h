// Keeps the sixteen ways of one cache set: the order of their last use, and one hash byte of each way, so that a search
// compares all ways at once. The owner of the set keeps the other contents of the ways in its own arrays.
//
// The order is one word that holds a way's number in 4 bits at its place. The way used last has the lowest place. One
// vector instruction compares the bytes, where the host has it; few other lines have the same byte. (Hash tables do the
// same with their groups: Benzaquen et al., Swiss Tables, CppCon 2017.)
#ifndef SIM_TIMING_WAYS_H
#define SIM_TIMING_WAYS_H

#include <stdint.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

enum { WAYS = 16 };

struct ways {
    uint64_t order; // 4 bits a place, the way that was used last lowest; all that are in use before the others
    uint8_t mark[WAYS];
    uint32_t count; // ways in use: the first so many. All zeros: an empty set
};

#define WAYS_EACH 0x1111111111111111u // times a way: that way at all places
#define WAYS_IN_ORDER 0xfedcba9876543210u

// Returns the hash of a line; its top byte is the mark of its way.
static inline uint64_t ways_hash(uint64_t line)
{
    return line * 0x9e3779b97f4a7c15u;
}

// Returns the ways that may hold the line with this hash: bit w for way w.
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

// Returns the place of a way in the order.
static inline uint32_t ways_place(const struct ways *s, uint32_t way)
{
    uint64_t differs = s->order ^ WAYS_EACH * way; // one place of it is zero: the lowest that borrows is that one
    return (uint32_t)__builtin_ctzll((differs - WAYS_EACH) & ~differs & WAYS_EACH << 3) / 4;
}

// Returns the way at a place of the order.
static inline uint32_t ways_at(const struct ways *s, uint32_t place)
{
    return s->order >> 4 * place & 0xf;
}

// Moves the way at this place to the lowest place.
static inline void ways_use(struct ways *s, uint32_t place)
{
    uint64_t before = ((uint64_t)1 << 4 * place) - 1;
    s->order = (s->order & ~(before << 4 | 0xf)) | (s->order & before) << 4 | ways_at(s, place);
}

// Returns a way for a new line with this hash. If the set is full, the way at `place` is replaced; otherwise `place` is
// ignored.
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
