// Recognises access patterns, which make frequent accesses of a warp to 32-bit words fast. The pattern of an access is
// the set of the lanes' addresses relative to the first lane's address.
//
// The 32 lanes of a warp form four segments of eight lanes. An access has a pattern if the eight lanes of each segment
// access eight consecutive words, all access one word, or do not take part. Nearly all memory accesses of kernels have
// a pattern of such segments, which struct pattern can describe. When an op is executed again, its access nearly always
// has the same pattern at another base address. Given the pattern of an access, one base address describes the
// addresses of all 32 lanes. Each host thread keeps, for each memory op of the kernel, the latest pattern of the op's
// addresses. To recognise the pattern of an access, the lanes' addresses minus the first lane's address are compared
// with the op's latest pattern. The pattern of an access determines its number of wavefronts, its number of bank
// conflicts and the set of words that several lanes access. The function pattern_learn() therefore computes the
// wavefronts, bank conflicts and shared words once for each pattern. The function pattern_flush() adds the wavefronts,
// bank conflicts and bytes of all accesses that matched a stored pattern to the op's counters.
#ifndef SIM_MACHINE_PATTERN_H
#define SIM_MACHINE_PATTERN_H

#include <stdint.h>

#include "sim/core/lanes.h"
#include "sim/core/launch.h"

struct sim_access;

struct pattern {
    uint32_t mask;          // lanes that take part; 0: no pattern is known
    uint32_t first;         // the lowest lane in `mask`
    int32_t at[SEGMENTS];   // bytes from the first lane's word to the segment's first word
    int32_t lo;             // lowest byte of the access, in bytes from the first lane's word
    uint32_t span;          // bytes from the lowest byte of the access to the end of its highest word
    uint8_t active;         // bit k: segment k takes part
    uint8_t uniform;        // bit k: all lanes of segment k access one word; 0: consecutive words
    uint8_t again;          // bit k: segment k accesses the same words as an earlier segment
    uint8_t twin[SEGMENTS]; // bit n of twin[k]: segment n >= k accesses the same words as k
    uint8_t distinct;       // 1: no two lanes access the same word
    uint8_t halves;         // 1: all lanes take part, each half in the 16 words from at[0] or at[2] on
    uint8_t wavefronts;     // passes through the banks
    uint8_t conflicts;      // wavefronts that are due to bank conflicts
    union {
        // In shared memory: an access lies within the array that the op accessed last if the lowest byte of the access
        // is in [low, low + room). room 0: the op has not accessed an array yet.
        struct {
            uint32_t low, room;
        };
        uint64_t before; // in global memory: the base of the previous access
    };
    uint64_t runs;             // accesses since the pattern was learnt
    uint8_t word[WARP_LANES];  // with `halves`: index of the lane's word among the sixteen
    int32_t delta[WARP_LANES]; // bytes from the first lane's word
} __attribute__((aligned(64)));

// Replaces the pattern by the pattern of the addresses in the register `row`. The register `row` holds the addresses of
// all lanes: 64-bit addresses if `wide` is 1, and 32-bit addresses if `wide` is 0. Returns 1, or 0 if the addresses in
// `row` have no pattern that struct pattern can describe. The bank conflicts of a pattern also depend on the access's
// field `merged`.
int pattern_learn(struct pattern *, const void *row, int wide, uint32_t mask, const struct sim_access *);
// Adds the requests, wavefronts, bank conflicts and bytes of all accesses that matched the pattern since the last call
// of pattern_flush() to the op's counters.
void pattern_flush(struct pattern *, const struct sim_access *, struct counters *);

// Returns the address of lane `lane` in the register `row`, an array of 64-bit (`wide` 1) or 32-bit (`wide` 0)
// addresses.
static inline uint64_t pattern_address(const void *row, int wide, uint32_t lane)
{
    return wide ? ((const uint64_t *)row)[lane] : ((const uint32_t *)row)[lane];
}

static inline int pattern_matches_narrow(const struct pattern *s, const uint32_t *row)
{
    uint32_t first = row[s->first];
    vrow off = {0};
    // An access whose addresses wrap around 32 bits does not match.
    if ((uint64_t)first + (uint64_t)(int64_t)s->lo > ((uint64_t)1 << 32) - s->span) return 0;
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

// Returns 1 if an access by the lanes in `mask` has the address pattern `s`. The register `row` holds the addresses of
// all lanes, as 64-bit (`wide` 1) or 32-bit (`wide` 0) numbers.
static inline int pattern_matches(const struct pattern *s, const void *row, int wide, uint32_t mask)
{
    return s->mask == mask && (wide ? pattern_matches_wide(s, row) : pattern_matches_narrow(s, row));
}

// Loads the words that an access with the address pattern `s` reads, and stores each lane's word in the register `row`.
// `base` is the host address of the first lane's word. The function may read up to 60 bytes beyond the last accessed
// word.
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

// Stores each lane's word of the register `row` to memory, for an access with the address pattern `s`. The field
// s->uniform must be 0, which means that the eight lanes of each segment access consecutive words. `base` is the host
// address of the first lane's word. If several lanes access the same word, the value of the highest lane is stored.
static inline void pattern_store(const struct pattern *s, uint8_t *base, const uint32_t *row)
{
    for (uint32_t k = 0; k < SEGMENTS; k++)
        if (s->active >> k & 1) put((uint32_t *)(void *)(base + s->at[k]), get(row + k * SEGMENT));
}

#endif
