// The shape of a warp's access to 32-bit words: how the lanes' addresses lie to that of the first lane.
//
// An access has a shape when each segment of eight lanes takes part as a whole or not at all, and names consecutive
// words or one word. That is the case of nearly all accesses, and an op that is executed again nearly always has the
// shape it had before, only at another address: one base stands for 32 addresses. So each op keeps the last shape it
// had (per host thread), and an access is recognised by one comparison of its row of addresses, less the first lane's,
// with that of the shape. What depends on the shape alone (passes through the banks, words that are named twice) is
// worked out once, and what it adds to the counters is added up when the shape is left.
#ifndef SIM_MACHINE_PATTERN_H
#define SIM_MACHINE_PATTERN_H

#include <stdint.h>

#include "sim/core/lanes.h"
#include "sim/core/launch.h"

struct sim_access;

struct pattern {
    uint32_t mask;          // lanes that take part; 0: no shape is known
    uint32_t first;         // the first of them
    int32_t at[SEGMENTS];   // of a segment's first word, from the first lane's
    int32_t lo;             // all bytes lie in [base + lo, base + lo + span)
    uint32_t span;          //
    uint8_t active;         // bit k: segment k takes part
    uint8_t uniform;        // bit k: all its lanes name one word; otherwise consecutive words
    uint8_t again;          // bit k: segment k names the same words as one below
    uint8_t twin[SEGMENTS]; // bit n of twin[k]: segment n names the same words as k, and is not below it
    uint8_t distinct;       // 1: no word is named twice
    uint8_t halves;         // 1: all lanes take part, each half in the 16 words from at[0] or at[2] on
    uint8_t wavefronts;     // passes through the banks
    uint8_t conflicts;      // those of them that words in other banks would spare
    union {
        // In shared memory, the array that the op was last seen in: it holds an access whose lowest byte is at
        // [low, low + room). room 0: none was seen.
        struct {
            uint32_t low, room;
        };
        uint64_t before; // in global memory, where the last access began
    };
    uint64_t runs;             // accesses since it was learnt
    uint8_t word[WARP_LANES];  // of halves: which of the sixteen words the lane names
    int32_t delta[WARP_LANES]; // addresses, from the first lane's
} __attribute__((aligned(64)));

// Forgets the shape, and learns that of the addresses in a row of 32 (wide: 64) bits. 1 when they have one. Of the
// access matters what it was merged into.
int pattern_learn(struct pattern *, const void *row, int wide, uint32_t mask, const struct sim_access *);
// Adds up what the accesses so far mean for the counters of the op.
void pattern_flush(struct pattern *, const struct sim_access *, struct counters *);

static inline uint64_t pattern_address(const void *row, int wide, uint32_t lane)
{
    return wide ? ((const uint64_t *)row)[lane] : ((const uint32_t *)row)[lane];
}

static inline int pattern_matches_narrow(const struct pattern *s, const uint32_t *row)
{
    uint32_t first = row[s->first];
    vrow off = {0};
    if ((uint64_t)first + (uint64_t)(int64_t)s->lo > ((uint64_t)1 << 32) - s->span) return 0; // it would wrap around
    if (s->mask == 0xffffffffu)
        for (uint32_t i = 0; i < WARP_LANES; i += VROW) off |= (row_get(row + i) - first) ^ row_get(s->delta + i);
    else
        for (uint32_t i = 0; i < WARP_LANES; i++)
            off[0] |= (row[i] - first - (uint32_t)s->delta[i]) & -(s->mask >> i & 1);
    return !row_any(off);
}

static inline int pattern_matches_wide(const struct pattern *s, const uint64_t *row)
{
    uint64_t first = row[s->first], off = 0;
    if (s->mask == 0xffffffffu)
        for (uint32_t i = 0; i < WARP_LANES; i++) off |= (row[i] - first) ^ (uint64_t)s->delta[i];
    else
        for (uint32_t i = 0; i < WARP_LANES; i++)
            off |= ((row[i] - first) ^ (uint64_t)s->delta[i]) & -(uint64_t)(s->mask >> i & 1);
    return !off;
}

// 1 when the addresses in a row have this shape.
static inline int pattern_matches(const struct pattern *s, const void *row, int wide, uint32_t mask)
{
    return s->mask == mask && (wide ? pattern_matches_wide(s, row) : pattern_matches_narrow(s, row));
}

// Loads a row: `base` is the first lane's word in the host's memory. Up to 60 bytes behind the last word are read too.
static inline void pattern_load(const struct pattern *s, const uint8_t *base, uint32_t *row)
{
#ifdef __AVX512F__
    if (s->halves) {
        for (uint32_t i = 0; i < 2; i++) {
            __m512i which = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(s->word + 16 * i)));
            __m512i words = _mm512_loadu_si512(base + s->at[2 * i]);
            _mm512_storeu_si512(row + 16 * i, _mm512_permutexvar_epi32(which, words));
        }
        return;
    }
#endif
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        const uint32_t *from = (const uint32_t *)(const void *)(base + s->at[k]);
        if (s->active >> k & 1) put(row + k * SEGMENT, s->uniform >> k & 1 ? splat(*from) : get(from));
    }
}

// Stores a row. Words that are named twice get the higher lane's value.
static inline void pattern_store(const struct pattern *s, uint8_t *base, const uint32_t *row)
{
    for (uint32_t k = 0; k < SEGMENTS; k++)
        if (s->active >> k & 1) put((uint32_t *)(void *)(base + s->at[k]), get(row + k * SEGMENT));
}

#endif
