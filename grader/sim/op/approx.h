// Computes the results of PTX's approximate instructions (ex2, lg2, sin, cos, tanh) with fixed polynomials, so that
// every machine gives the same bits.
//
// All polynomials are evaluated in double. The errors stated at the functions of this file are far smaller than the
// bounds of the PTX ISA (ex2 2 ulp, lg2 2^-22, sin and cos 2^-20.5 absolute, tanh 2^-11 relative). The simulator rounds
// approximate reciprocals and square roots correctly, which is better than the PTX ISA requires.
#ifndef SIM_OP_APPROX_H
#define SIM_OP_APPROX_H

#include <stdint.h>
#include <string.h>

static inline double approx_from_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint64_t approx_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

#define APPROX_RINT 6755399441055744.0 // 1.5 * 2^52: adding it leaves the nearest integer in the low bits

// Returns 2^x for |x| <= 1000 with a relative error of 2^-31. The fraction f of x, |f| <= 1/2, goes into the Taylor
// series of exp(f ln 2) up to f^8.
static inline double approx_ex2_core(double x)
{
    double shifted = x + APPROX_RINT, n = shifted - APPROX_RINT, f = (x - n) * 0.6931471805599453;
    double p = 1.0 / 40320;
    p = p * f + 1.0 / 5040;
    p = p * f + 1.0 / 720;
    p = p * f + 1.0 / 120;
    p = p * f + 1.0 / 24;
    p = p * f + 1.0 / 6;
    p = p * f + 0.5;
    p = p * f + 1.0;
    p = p * f + 1.0;
    uint64_t exponent = (approx_bits(shifted) & 0xfff) + 1023;
    return p * approx_from_bits((exponent & 0x7ff) << 52);
}

// Returns 2^x for |x| <= 200. For x > 200, approx_ex2() returns 2^200, which overflows as a float. For x < -200,
// approx_ex2() returns 2^-200, which underflows as a float.
static inline double approx_ex2(double x)
{
    double c = x > 200.0 ? 200.0 : x < -200.0 ? -200.0 : x; // a float over- or underflows beyond
    double r = approx_ex2_core(c);
    return x != x ? x : r;
}

// Returns log2 x with an absolute error of 2^-36. The result is the exponent of x plus 2/ln 2 * atanh((m - 1) / (m +
// 1)), where the mantissa m lies in [sqrt(1/2), sqrt 2).
static inline double approx_lg2(double x)
{
    uint64_t bits = approx_bits(x), offset = bits - 0x3fe6a09e00000000ull;
    int64_t e = (int64_t)offset >> 52;
    double m = approx_from_bits(bits - ((uint64_t)e << 52)), t = (m - 1.0) / (m + 1.0), s = t * t;
    double p = 1.0 / 13;
    p = p * s + 1.0 / 11;
    p = p * s + 1.0 / 9;
    p = p * s + 1.0 / 7;
    p = p * s + 1.0 / 5;
    p = p * s + 1.0 / 3;
    p = p * s + 1.0;
    double r = (double)(int32_t)e + p * t * 2.8853900817779268;
    r = x == 0.0 ? -__builtin_inf() : r;
    r = x < 0.0 ? __builtin_nan("") : r;
    return x != x || x == __builtin_inf() ? x : r;
}

// Returns sin(x + quarter * pi / 2), with Cody and Waite's argument reduction. The absolute error is below 2^-27 for
// |x| < 2^20; for larger |x|, the result only stays within [-1, 1].
static inline double approx_sine(double x, uint64_t quarter)
{
    double shifted = x * 0.6366197723675814 + APPROX_RINT, k = shifted - APPROX_RINT;
    double r = x - k * 1.5707963267341256;
    r = r - k * 6.077100506506192e-11;
    r = r > 1.0 ? 1.0 : r < -1.0 ? -1.0 : r;
    uint64_t q = approx_bits(shifted) + quarter;
    double s = r * r;
    double sine = -1.0 / 39916800;
    sine = sine * s + 1.0 / 362880;
    sine = sine * s - 1.0 / 5040;
    sine = sine * s + 1.0 / 120;
    sine = sine * s - 1.0 / 6;
    sine = (sine * s) * r + r;
    double cosine = 1.0 / 479001600;
    cosine = cosine * s - 1.0 / 3628800;
    cosine = cosine * s + 1.0 / 40320;
    cosine = cosine * s - 1.0 / 720;
    cosine = cosine * s + 1.0 / 24;
    cosine = cosine * s - 0.5;
    cosine = cosine * s + 1.0;
    double v = q & 1 ? cosine : sine;
    v = q & 2 ? -v : v;
    return x - x != 0.0 ? __builtin_nan("") : v;
}

// Returns tanh x, computed from a Taylor polynomial for |x| < 0.1, and from e^(2 x) for larger |x|.
static inline double approx_tanh(double x)
{
    double s = x * x, small = x * (1.0 + s * (-1.0 / 3 + s * (2.0 / 15 - s * (17.0 / 315))));
    double c = x > 20.0 ? 20.0 : x < -20.0 ? -20.0 : x, e = approx_ex2_core(c * 2.8853900817779268);
    double large = (e - 1.0) / (e + 1.0);
    double r = s < 0.01 ? small : large;
    return x != x ? x : r;
}

#endif
