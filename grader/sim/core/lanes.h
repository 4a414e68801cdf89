// Defines vectors of 32-bit words for the files that are compiled once for each level of the host's vector units. The
// functions of this header use the compiler's generic vectors where possible, so that they give the same results on a
// host without AVX.
//
//   v8u   eight words, the values of a register in a quarter of a warp; pattern.h computes access patterns with this
//         type
//   vrow  the longest vector of the target. The registers of a warp's lanes are stored and loaded with this one type. A
//         processor forwards stored data to a later load only if a single store contains all bytes of the load.
#ifndef SIM_CORE_LANES_H
#define SIM_CORE_LANES_H

#include <stdint.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

enum { SEGMENTS = 4, SEGMENT = 8 }; // number of v8u vectors for 32 lanes; lanes in one v8u
typedef uint32_t v8u __attribute__((vector_size(32), may_alias, aligned(4)));
typedef int32_t v8s __attribute__((vector_size(32)));
typedef uint64_t v4u64 __attribute__((vector_size(32), may_alias, aligned(8)));

#ifdef __AVX512F__
enum { VROW = 16 }; // words in a vrow
#else
enum { VROW = 8 };
#endif
typedef uint32_t vrow __attribute__((vector_size(4 * VROW), may_alias, aligned(4)));

// Returns a vector whose eight words are all `x`.
static inline v8u splat(uint32_t x)
{
    return (v8u){x, x, x, x, x, x, x, x};
}

// Loads eight 32-bit words from `p`, which need not be aligned to 32 bytes.
static inline v8u get(const uint32_t *p)
{
    return *(const v8u *)(const void *)p;
}

// Stores eight 32-bit words at `p`, which need not be aligned to 32 bytes.
static inline void put(uint32_t *p, v8u v)
{
    *(v8u *)(void *)p = v;
}

// Loads the values of a 32-bit register in VROW consecutive lanes, starting at `p`, as one vector.
static inline vrow row_get(const void *p)
{
    return *(const vrow *)p;
}

// Stores the vector `v` at `p` as the values of a 32-bit register in VROW consecutive lanes.
static inline void row_put(void *p, vrow v)
{
    *(vrow *)p = v;
}

// Returns 1 if any bit of `v` is set, otherwise 0.
static inline int any(v8u v)
{
#ifdef __AVX__
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    v4u64 w = (v4u64)v;
    return ((w[0] | w[1]) | (w[2] | w[3])) != 0;
#endif
}

// Returns 1 if any bit of `v` is set, otherwise 0.
static inline int row_any(vrow v)
{
#ifdef __AVX512F__
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#else
    return any(v);
#endif
}

// Returns a vector with the bits of `yes` where `mask` has a 1, and with the bits of `no` where `mask` has a 0.
static inline v8u choose(v8u mask, v8u yes, v8u no)
{
    return (mask & yes) | (~mask & no);
}

// Converts the result of a vector comparison to v8u: a true element becomes a word of all ones, a false element becomes
// 0.
#define V8(comparison) ((v8u)(comparison))
static const v8u lane_iota = {0, 1, 2, 3, 4, 5, 6, 7};
static const v8u lane_bits = {1, 2, 4, 8, 16, 32, 64, 128};

// Returns a vector with one word for each of the lanes 8k to 8k + 7: all ones if the lane's bit is set in `mask`,
// otherwise 0. `mask` has one bit for each of the warp's 32 lanes.
static inline v8u lanes_of(uint32_t mask, uint32_t k)
{
    return V8((splat(mask >> (k * SEGMENT)) & lane_bits) != splat(0));
}

#endif
