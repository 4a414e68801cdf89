// The shape of a warp's access to 32-bit words: four segments of eight lanes, each consecutive or uniform. What has a
// shape is moved and checked with vectors. For the files that are compiled for each level of vector units.
#ifndef SIM_SHAPE_H
#define SIM_SHAPE_H

#include <string.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

#include "device/banks.h"
#include "sim/memory.h"

// Vectors are passed between functions of one file alone, so their calling convention does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

enum { SEGMENTS = 4, SEGMENT = 8 };
typedef uint32_t v8u __attribute__((vector_size(32), may_alias, aligned(4)));
typedef int32_t v8s __attribute__((vector_size(32)));
typedef uint64_t v4u64 __attribute__((vector_size(32), may_alias, aligned(8)));

static inline v8u splat(uint32_t x)
{
    return (v8u){x, x, x, x, x, x, x, x};
}

static inline v8u get(const uint32_t *p)
{
    return *(const v8u *)(const void *)p;
}

static inline void put(uint32_t *p, v8u v)
{
    *(v8u *)(void *)p = v;
}

static inline int any64(v4u64 v)
{
#ifdef __AVX__
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    return ((v[0] | v[1]) | (v[2] | v[3])) != 0;
#endif
}

static inline int any(v8u v)
{
    return any64((v4u64)v);
}

static inline v8u select(v8u mask, v8u yes, v8u no)
{
    return (mask & yes) | (~mask & no);
}

#define V8(comparison) ((v8u)(comparison))
static const v8u lane_iota = {0, 1, 2, 3, 4, 5, 6, 7};
static const v8u lane_bits = {1, 2, 4, 8, 16, 32, 64, 128};

// A warp's access seen as segments.
struct shape {
    uint32_t base[SEGMENTS]; // offset of the segment's first word
    uint8_t active;          // bit s: segment s takes part
    uint8_t uniform;         // bit s: all its lanes name the same word; otherwise consecutive words
    uint32_t lo, hi;         // all bytes lie in [lo, hi)
};

// An access of one word a lane, between rows of 32-bit lanes, that other threads need not see at once.
static inline int shape_is_plain_word(const struct sim_access *a)
{
    return a->bytes == 4 && a->count == 1 && a->row_bytes == 4 && a->sem < PTX_VOLATILE;
}

// 1 when the access has a shape, as seen from `origin`, which addresses are counted from.
static inline int shape_of(const struct sim_access *a, uint64_t origin, struct shape *s)
{
    s->active = s->uniform = 0;
    s->lo = UINT32_MAX;
    s->hi = 0;
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        uint32_t lanes = a->mask >> (k * SEGMENT) & 0xff;
        if (!lanes) continue;
        if (lanes != 0xff) return 0;
        const uint64_t *address = a->address + k * SEGMENT;
        uint64_t first = address[0], offset = first - origin;
        v4u64 base = {first, first, first, first};
        v4u64 low = *(const v4u64 *)(const void *)address - base,
              high = *(const v4u64 *)(const void *)(address + 4) - base;
        uint32_t end = 4;
        if (!any64((low ^ (v4u64){0, 4, 8, 12}) | (high ^ (v4u64){16, 20, 24, 28})))
            end = 4 * SEGMENT;
        else if (!any64(low | high))
            s->uniform |= (uint8_t)(1 << k);
        else
            return 0;
        if (offset > UINT32_MAX - 4 * SEGMENT || offset % 4) return 0;
        s->base[k] = (uint32_t)offset;
        s->active |= (uint8_t)(1 << k);
        if ((uint32_t)offset < s->lo) s->lo = (uint32_t)offset;
        if ((uint32_t)offset + end > s->hi) s->hi = (uint32_t)offset + end;
    }
    return s->active != 0;
}

// Wavefronts of segments that do not overlap in part: how often the busiest bank is wanted, by bit-sliced counters that
// add up the segments' banks. 0 when segments overlap, so that this cannot tell.
static inline uint32_t shape_wavefronts(const struct shape *shape)
{
    uint32_t ones = 0, twos = 0, fours = 0;
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        if (!(shape->active >> k & 1)) continue;
        uint32_t word = shape->base[k] / 4, uniform = shape->uniform >> k & 1, again = 0;
        for (uint32_t n = 0; n < k; n++) {
            if (!(shape->active >> n & 1)) continue;
            if (shape->base[n] == shape->base[k] && (shape->uniform >> n & 1) == uniform)
                again = 1;
            else if (shape->base[k] - shape->base[n] + 4 * SEGMENT - 1 < 8 * SEGMENT - 1)
                return 0;
        }
        if (again) continue;
        uint32_t banks = uniform ? 1 : 0xff, bank = word % BANKS;
        banks = banks << bank | (uint32_t)((uint64_t)banks << bank >> 32);
        fours |= twos & ones & banks;
        twos ^= ones & banks;
        ones ^= banks;
    }
    return fours ? 4 : twos & ones ? 3 : twos ? 2 : 1;
}

static inline struct bank_cost shape_cost(const struct sim_access *a, const struct shape *shape)
{
    if (shape->hi - shape->lo <= 128) return (struct bank_cost){1, 0};
    uint32_t wavefronts = shape_wavefronts(shape);
    if (wavefronts) return (struct bank_cost){wavefronts, wavefronts - 1};
    return banks_access(a->address, a->mask, 4, BANKS_LOAD);
}

#endif
