// Vectors of 32-bit words, for the files that are compiled for each level of vector units. Written with the compiler's
// generic vectors where that will do, so that plain C does the same.
//
//   v8u   eight words, a quarter of a warp's row: what shapes are made of (pattern.h)
//   vrow  the longest vector there is. Rows are stored in these, because the arithmetic loads them so, and a processor
//         hands what was just stored on to a load only when one store holds all of it.
#ifndef SIM_CORE_LANES_H
#define SIM_CORE_LANES_H

#include <stdint.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

enum { SEGMENTS = 4, SEGMENT = 8 };
typedef uint32_t v8u __attribute__((vector_size(32), may_alias, aligned(4)));
typedef int32_t v8s __attribute__((vector_size(32)));
typedef uint64_t v4u64 __attribute__((vector_size(32), may_alias, aligned(8)));

#ifdef __AVX512F__
enum { VROW = 16 };
#else
enum { VROW = 8 };
#endif
typedef uint32_t vrow __attribute__((vector_size(4 * VROW), may_alias, aligned(4)));

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

static inline vrow row_get(const void *p)
{
    return *(const vrow *)p;
}

static inline void row_put(void *p, vrow v)
{
    *(vrow *)p = v;
}

static inline int any(v8u v)
{
#ifdef __AVX__
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    v4u64 w = (v4u64)v;
    return ((w[0] | w[1]) | (w[2] | w[3])) != 0;
#endif
}

static inline int row_any(vrow v)
{
#ifdef __AVX512F__
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#else
    return any(v);
#endif
}

static inline v8u choose(v8u mask, v8u yes, v8u no)
{
    return (mask & yes) | (~mask & no);
}

#define V8(comparison) ((v8u)(comparison))
static const v8u lane_iota = {0, 1, 2, 3, 4, 5, 6, 7};
static const v8u lane_bits = {1, 2, 4, 8, 16, 32, 64, 128};

// All ones where a bit of the eight lanes from segment k on is set.
static inline v8u lanes_of(uint32_t mask, uint32_t k)
{
    return V8((splat(mask >> (k * SEGMENT)) & lane_bits) != splat(0));
}

#endif
