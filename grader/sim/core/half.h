// Computes with half-precision numbers in software: binary16 (f16: 11 bits of precision, exponents to 15) and bfloat16
// (8 bits, exponents to 127). Operations are computed in double and rounded once to the half format. In double
// precision, the product of two halves is exact, and a sum is exact or rounded to odd (half_sum_odd()). A result that
// is not a number is the canonical NaN 0x7fff (PTX ISA 9.7.4).
#ifndef SIM_CORE_HALF_H
#define SIM_CORE_HALF_H

#include <stdint.h>
#include <string.h>

#include "ptx/modifier.h"

enum half_format { HALF_F16, HALF_BF16 };
enum { HALF_NAN = 0x7fff };

// Returns the 64 bits that represent the double `v`.
static inline uint64_t half_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

// Returns the double that the 64 bits `bits` represent.
static inline double half_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

// Returns 1 if rounding increases `kept`, the bits of the significand that fit into the result; otherwise returns 0.
// `rest` holds the bits of the significand that are cut off. `half` is half the weight of the last bit of `kept`, so
// `rest` is less than twice `half`. The rounding mode `round` is PTX_RN, PTX_RZ, PTX_RM, PTX_RP or PTX_RNA.
static inline uint64_t half_round_up(uint64_t kept, uint64_t rest, uint64_t half, int negative, int round)
{
    if (round == PTX_RZ || !rest) return 0;
    if (round == PTX_RM) return (uint64_t)negative;
    if (round == PTX_RP) return (uint64_t)!negative;
    if (round == PTX_RNA) return rest >= half;
    return rest > half || (rest == half && (kept & 1));
}

// Rounds `v` to the half-precision format with `precision` significant bits and largest exponent `emax`, and returns
// the 16 bits of the half-precision number.
static inline uint32_t half_from_double(double v, int precision, int emax, int round)
{
    uint64_t bits = half_bits(v), fraction = bits & 0xfffffffffffffull;
    int negative = (int)(bits >> 63), exponent = (int)(bits >> 52 & 0x7ff);
    uint32_t sign = (uint32_t)negative << 15, infinity = (uint32_t)(2 * emax + 1) << (precision - 1);
    if (exponent == 0x7ff) return fraction ? HALF_NAN : sign | infinity;
    if (!exponent && !fraction) return sign;
    uint64_t m = exponent ? fraction | 1ull << 52 : fraction;
    int e = exponent ? exponent - 1023 : -1022;
    int last = (e < 1 - emax ? 1 - emax : e) - (precision - 1), shift = last - (e - 52);
    uint64_t kept = shift > 62 ? 0 : m >> shift, half = shift > 62 ? 1ull << 62 : 1ull << (shift - 1);
    uint64_t rest = shift > 62 ? 1 : m & ((1ull << shift) - 1);
    kept += half_round_up(kept, rest, half, negative, round);
    if (kept >> precision) {
        kept >>= 1;
        last++;
    }
    if (!(kept >> (precision - 1))) return sign | (uint32_t)kept;
    int biased = last + (precision - 1) + emax;
    if (biased > 2 * emax) {
        int up = round == PTX_RP ? !negative : round == PTX_RM ? negative : round != PTX_RZ;
        return sign | (infinity - (up ? 0 : 1));
    }
    return sign | (uint32_t)biased << (precision - 1) | ((uint32_t)kept & ((1u << (precision - 1)) - 1));
}

// Rounds `v` to f16 in the rounding mode `round`, and returns the 16 bits of the result.
static inline uint32_t f16_from(double v, int round)
{
    return half_from_double(v, 11, 15, round);
}

// Rounds `v` to bf16 in the rounding mode `round`, and returns the 16 bits of the result.
static inline uint32_t bf16_from(double v, int round)
{
    return half_from_double(v, 8, 127, round);
}

// Returns the exact value of the f16 number with the bits `h`.
static inline double f16_to(uint32_t h)
{
    uint32_t exponent = h >> 10 & 31, fraction = h & 1023;
    uint64_t sign = (uint64_t)(h >> 15 & 1) << 63;
    if (exponent == 31) return half_double(sign | 0x7ff0000000000000ull | (uint64_t)fraction << 42);
    if (!exponent) {
        double v = (double)fraction * 0x1p-24;
        return half_double(half_bits(v) | sign);
    }
    return half_double(sign | (uint64_t)(exponent + 1008) << 52 | (uint64_t)fraction << 42);
}

// Returns the exact value of the bf16 number with the bits `h`.
static inline double bf16_to(uint32_t h)
{
    uint32_t bits = h << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

// Returns the sum of `a` and `b` rounded to odd: if the sum is inexact, its last bit is 1. Rounding the returned sum to
// a format of at most 51 bits gives the same number as rounding the exact sum of `a` and `b` (Boldo, Melquiond 2008).
static inline double half_sum_odd(double a, double b)
{
    double sum = a + b;
    if (sum - sum != 0.0) return sum;
    double part = sum - a, error = (a - (sum - part)) + (b - part);
    if (error == 0.0) return sum;
    uint64_t bits = half_bits(sum);
    if (!(bits & 1)) bits = (error < 0) == (sum < 0) ? bits + 1 : bits - 1;
    return half_double(bits);
}

// Defines the operations on numbers of the format P (f16 or bf16); operands and results are the bits of such numbers.
// P_nan(a, b, otherwise) returns the canonical NaN if the number a or b is a NaN, and the argument `otherwise` if not.
#define HALF_OPS(P)                                                                                                    \
    static inline uint32_t P##_add(uint32_t a, uint32_t b)                                                             \
    {                                                                                                                  \
        return P##_from(half_sum_odd(P##_to(a), P##_to(b)), PTX_RN);                                                   \
    }                                                                                                                  \
    static inline uint32_t P##_sub(uint32_t a, uint32_t b)                                                             \
    {                                                                                                                  \
        return P##_from(half_sum_odd(P##_to(a), -P##_to(b)), PTX_RN);                                                  \
    }                                                                                                                  \
    static inline uint32_t P##_mul(uint32_t a, uint32_t b)                                                             \
    {                                                                                                                  \
        return P##_from(P##_to(a) * P##_to(b), PTX_RN);                                                                \
    }                                                                                                                  \
    static inline uint32_t P##_fma(uint32_t a, uint32_t b, uint32_t c)                                                 \
    {                                                                                                                  \
        return P##_from(half_sum_odd(P##_to(a) * P##_to(b), P##_to(c)), PTX_RN);                                       \
    }                                                                                                                  \
    static inline uint32_t P##_min(uint32_t a, uint32_t b)                                                             \
    {                                                                                                                  \
        double x = P##_to(a), y = P##_to(b);                                                                           \
        if (x != x) return y != y ? HALF_NAN : b;                                                                      \
        if (y != y) return a;                                                                                          \
        return x < y || (x == y && a >> 15 & 1) ? a : b;                                                               \
    }                                                                                                                  \
    static inline uint32_t P##_max(uint32_t a, uint32_t b)                                                             \
    {                                                                                                                  \
        double x = P##_to(a), y = P##_to(b);                                                                           \
        if (x != x) return y != y ? HALF_NAN : b;                                                                      \
        if (y != y) return a;                                                                                          \
        return x > y || (x == y && b >> 15 & 1) ? a : b;                                                               \
    }                                                                                                                  \
    static inline uint32_t P##_nan(uint32_t a, uint32_t b, uint32_t otherwise)                                         \
    {                                                                                                                  \
        double x = P##_to(a), y = P##_to(b);                                                                           \
        return x != x || y != y ? HALF_NAN : otherwise;                                                                \
    }
HALF_OPS(f16)
HALF_OPS(bf16)

#endif
