// The mathematical functions with CUDA's names: NAME for double, NAMEf for float, and overloads of NAME for float and
// for integers, which are computed in double.
//
// These functions have separate code for float, for speed: expf, exp10f, logf, log2f, log10f, sinf, cosf, tanf, tanhf.
// Their error is at most 2 ulp (tanf, expf, exp10f: 3 ulp; ex2.approx alone has 2). As with nvcc, exp2f is ex2.approx
// and rsqrtf is rsqrt.approx. The others are rounded from double: 1 ulp. sqrt, fma and division are correctly rounded.
#ifndef WARPWISE_CLANG_MATH_H
#define WARPWISE_CLANG_MATH_H

#include "cuda_double.h"

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define HUGE_VALF __builtin_inff()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

// ------------------------------------------------------------------------------------------------------- floats
WW_DEVICE float ww_polynomial_f(float, float c)
{
    return c;
}
template <class... Rest> WW_DEVICE float ww_polynomial_f(float x, float c, Rest... rest)
{
    return __nvvm_fma_rn_f(x, ww_polynomial_f(x, rest...), c);
}
WW_DEVICE float ww_fma_f(float x, float y, float z)
{
    return __nvvm_fma_rn_f(x, y, z);
}
// 2^(x high + x low), for exp and exp10. The whole part n of the exponent, from -126 to 126, is rounded to the last bits
// of 1.5 * 2^23 + 1 + n + 126, which become the exponent of 2^n. ex2.approx gets the rest.
WW_DEVICE float ww_exp_f(float x, float high, float low)
{
    float part = __nvvm_saturate_f(ww_fma_f(x, high / 252, 0.5f));
    float sum = __nvvm_fma_rm_f(part, 252, 0x1.8p23f + 1), n = sum - (0x1.8p23f + 127);
    float y = __nvvm_ex2_approx_ftz_f(ww_fma_f(x, low, ww_fma_f(x, high, -n)));
    return y * __int_as_float((int)(__builtin_bit_cast(unsigned int, sum) << 23));
}
// x = 2^k (1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1]; log(1 + f), and k as a float
WW_DEVICE float ww_log_f(float x, float *k)
{
    int below = x < 0x1p-126f;
    x = below ? x * 0x1p23f : x;
    int bits = __float_as_int(x), exponent = (bits - 0x3f3504f3) >> 23;
    float f = __int_as_float(bits - (exponent << 23)) - 1;
    *k = (float)(below ? exponent - 23 : exponent);
    return ww_fma_f(f * f,
                    ww_polynomial_f(f, -0.49999997f, 0.333333313f, -0.250007808f, 0.200012341f, -0.166266426f,
                                    0.142048433f, -0.131275803f, 0.127227843f, -0.0767371729f),
                    f);
}
WW_DEVICE float ww_log_special_f(float x, float y)
{
    y = x < INFINITY ? y : x;
    y = x < 0 ? NAN : y;
    return x == 0 ? -INFINITY : y;
}
WW_DEVICE float ww_reduce_f(float x, int *q) // as ww_reduce; the double holds more of pi/2 than a float can ask for
{
    if (!(__builtin_fabsf(x) < 0x1p28f)) return (float)ww_reduce(ww_angle((double)x), q);
    double n = __builtin_rint((double)x * 0x1.45f306dc9c883p-1);
    *q = (int)n;
    return n == 0 ? x : (float)ww_fma(-n, WW_PI_2_LOW, ww_fma(-n, WW_PI_2_HIGH, (double)x));
}
WW_DEVICE float ww_sin_short_f(float r)
{
    float z = r * r;
    float p = ww_polynomial_f(z, -1 / 6.f, 1 / 120.f, -1 / 5040.f, 1 / 362880.f);
    return r == 0 ? r : ww_fma_f(r * z, p, r);
}
WW_DEVICE float ww_cos_short_f(float r)
{
    float z = r * r;
    float p = ww_polynomial_f(z, 1 / 24.f, -1 / 720.f, 1 / 40320.f, -1 / 3628800.f);
    float h = 0.5f * z, w = 1 - h;
    return w + (((1 - w) - h) + z * z * p);
}

#define WW_F1(name, expression)                                                                                        \
    WW_DEVICE float name(float x)                                                                                        \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
#define WW_F2(name, expression)                                                                                        \
    WW_DEVICE float name(float x, float y)                                                                               \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
WW_F1(expf, ww_exp_f(x, 1.44269502f, 1.92596299e-8f))
WW_F1(exp10f, ww_exp_f(x, 3.32192802f, 7.05953702e-8f))
WW_F1(exp2f, ww_ex2(x))
WW_DEVICE float logf(float x)
{
    float k, l = ww_log_f(x, &k);
    return ww_log_special_f(x, ww_fma_f(k, 0.693147182f, l));
}
WW_DEVICE float log2f(float x)
{
    float k, l = ww_log_f(x, &k);
    return ww_log_special_f(x, ww_fma_f(l, 1.44269502f, ww_fma_f(l, 1.92596299e-8f, k)));
}
WW_DEVICE float log10f(float x)
{
    float k, l = ww_log_f(x, &k);
    return ww_log_special_f(x, ww_fma_f(k, 0.301029996f, l * 0.434294492f));
}
WW_DEVICE float sinf(float x)
{
    int q;
    float r = ww_reduce_f(x, &q), y = q & 1 ? ww_cos_short_f(r) : ww_sin_short_f(r);
    return q & 2 ? -y : y;
}
WW_DEVICE float cosf(float x)
{
    int q;
    float r = ww_reduce_f(x, &q), y = q & 1 ? ww_sin_short_f(r) : ww_cos_short_f(r);
    return (q + 1) & 2 ? -y : y;
}
WW_DEVICE float tanf(float x)
{
    int q;
    float r = ww_reduce_f(x, &q), s = ww_sin_short_f(r), c = ww_cos_short_f(r);
    return q & 1 ? -c / s : s / c;
}
WW_DEVICE void sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}
WW_DEVICE float tanhf(float x)
{
    float a = __builtin_fabsf(x), z = x * x;
    float small = ww_fma_f(
        x * z, ww_polynomial_f(z, -0.333333313f, 0.133329153f, -0.0538739488f, 0.0211109594f, -0.00626911968f), x);
    float large = __builtin_copysignf(1 - 2 / (ww_ex2(a * 2.88539004f) + 1), x); // 2 log2(e)
    return x == 0 ? x : a < 0.6f ? small : x != x ? x : large;
}
WW_F2(powf, (float)ww_pow_with(x, y, ww_float_power()))

WW_F1(sqrtf, __nvvm_sqrt_rn_f(x))
WW_F1(fabsf, __builtin_fabsf(x))
WW_F1(floorf, __builtin_floorf(x))
WW_F1(ceilf, __builtin_ceilf(x))
WW_F1(truncf, __builtin_truncf(x))
WW_F1(rintf, __builtin_rintf(x))
WW_F1(nearbyintf, __builtin_rintf(x))
WW_F1(roundf, __builtin_truncf(__fadd_rz(x, __builtin_copysignf(0.5f, x))))
WW_F2(fminf, __nvvm_fmin_f(x, y))
WW_F2(fmaxf, __nvvm_fmax_f(x, y))
WW_F2(copysignf, __builtin_copysignf(x, y))
WW_F2(fdimf, x > y ? x - y : x <= y ? 0 : x + y)
WW_F2(fdividef, x / y)
WW_DEVICE float fmaf(float x, float y, float z)
{
    return ww_fma_f(x, y, z);
}

// ------------------------------------------------------------------------------------------------------ doubles
#define WW_D1(name, expression)                                                                                        \
    WW_DEVICE double name(double x)                                                                                      \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
#define WW_D2(name, expression)                                                                                        \
    WW_DEVICE double name(double x, double y)                                                                            \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
// name for float under both names, and for integers
#define WW_SPREAD_1(name)                                                                                              \
    WW_DEVICE float name(float x)                                                                                        \
    {                                                                                                                  \
        return name##f(x);                                                                                             \
    }                                                                                                                  \
    template <class T> WW_DEVICE typename ww_arithmetic<T>::type name(T x)                                               \
    {                                                                                                                  \
        return name((double)x);                                                                                        \
    }
// with the float taken through the double
#define WW_THROUGH_1(name)                                                                                             \
    WW_D1(name, ww_##name(x))                                                                                          \
    WW_F1(name##f, (float)ww_##name((double)x))                                                                        \
    WW_SPREAD_1(name)
#define WW_OWN_1(name, expression)                                                                                     \
    WW_D1(name, expression)                                                                                            \
    WW_SPREAD_1(name)
WW_OWN_1(exp, ww_exp(x))
WW_OWN_1(exp2, ww_exp2(x))
WW_OWN_1(exp10, ww_exp10(x))
WW_OWN_1(log, ww_log(x))
WW_OWN_1(log2, ww_log2(x))
WW_OWN_1(log10, ww_log10(x))
WW_OWN_1(sin, ww_sin(x))
WW_OWN_1(cos, ww_cos(x))
WW_OWN_1(tan, ww_tan(x))
WW_OWN_1(tanh, ww_tanh(x))
WW_OWN_1(sqrt, ww_sqrt(x))
WW_OWN_1(fabs, __builtin_fabs(x))
WW_OWN_1(floor, __builtin_floor(x))
WW_OWN_1(ceil, __builtin_ceil(x))
WW_OWN_1(trunc, __builtin_trunc(x))
WW_OWN_1(rint, __builtin_rint(x))
WW_OWN_1(nearbyint, __builtin_rint(x))
WW_OWN_1(round, __builtin_trunc(__dadd_rz(x, __builtin_copysign(0.5, x))))
WW_THROUGH_1(expm1)
WW_THROUGH_1(log1p)
WW_THROUGH_1(asin)
WW_THROUGH_1(acos)
WW_THROUGH_1(atan)
WW_THROUGH_1(sinh)
WW_THROUGH_1(cosh)
WW_THROUGH_1(asinh)
WW_THROUGH_1(acosh)
WW_THROUGH_1(atanh)
WW_THROUGH_1(cbrt)
WW_THROUGH_1(erf)
WW_THROUGH_1(erfc)
WW_F1(rcbrtf, (float)(1 / ww_cbrt((double)x)))
WW_D1(rcbrt, 1 / ww_cbrt(x))
WW_F1(normcdff, (float)ww_normcdf((double)x))
WW_D1(normcdf, ww_normcdf(x))
WW_DEVICE float rsqrt(float x)
{
    return rsqrtf(x);
}
WW_DEVICE void sincos(double x, double *sine, double *cosine)
{
    ww_sincos(x, sine, cosine);
}
WW_DEVICE void sincos(float x, float *sine, float *cosine)
{
    sincosf(x, sine, cosine);
}
WW_DEVICE void sincospi(double x, double *sine, double *cosine)
{
    ww_sincospi(x, sine, cosine);
}
WW_DEVICE double sinpi(double x)
{
    double s, c;
    ww_sincospi(x, &s, &c);
    return s;
}
WW_DEVICE double cospi(double x)
{
    double s, c;
    ww_sincospi(x, &s, &c);
    return c;
}
WW_F1(sinpif, (float)sinpi((double)x))
WW_F1(cospif, (float)cospi((double)x))

// Two arguments: float if both are, else double.
template <class A, class B> struct ww_promoted {
    typedef double type;
};
template <> struct ww_promoted<float, float> {
};
template <> struct ww_promoted<double, double> {
};
#define WW_SPREAD_2(name)                                                                                              \
    WW_DEVICE float name(float x, float y)                                                                               \
    {                                                                                                                  \
        return name##f(x, y);                                                                                          \
    }                                                                                                                  \
    template <class A, class B> WW_DEVICE typename ww_promoted<A, B>::type name(A x, B y)                                \
    {                                                                                                                  \
        return name((double)x, (double)y);                                                                             \
    }
#define WW_THROUGH_2(name)                                                                                             \
    WW_D2(name, ww_##name(x, y))                                                                                       \
    WW_F2(name##f, (float)ww_##name((double)x, (double)y))                                                             \
    WW_SPREAD_2(name)
#define WW_OWN_2(name, expression)                                                                                     \
    WW_D2(name, expression)                                                                                            \
    WW_SPREAD_2(name)
WW_OWN_2(pow, ww_pow_with(x, y, ww_precise_power()))
WW_OWN_2(fmin, __nvvm_fmin_d(x, y))
WW_OWN_2(fmax, __nvvm_fmax_d(x, y))
WW_OWN_2(copysign, __builtin_copysign(x, y))
WW_OWN_2(fdim, x > y ? x - y : x <= y ? 0 : x + y)
WW_THROUGH_2(atan2)
WW_THROUGH_2(hypot)
WW_THROUGH_2(fmod)
WW_THROUGH_2(remainder)
WW_DEVICE double fma(double x, double y, double z)
{
    return ww_fma(x, y, z);
}
WW_DEVICE float fma(float x, float y, float z)
{
    return ww_fma_f(x, y, z);
}
WW_DEVICE float abs(float x)
{
    return __builtin_fabsf(x);
}
WW_DEVICE double abs(double x)
{
    return __builtin_fabs(x);
}
WW_BOTH float min(float x, float y)
{
    return __builtin_fminf(x, y);
}
WW_BOTH float max(float x, float y)
{
    return __builtin_fmaxf(x, y);
}
#define WW_MIN_MAX(a, b)                                                                                               \
    WW_BOTH double min(a x, b y)                                                                                       \
    {                                                                                                                  \
        return __builtin_fmin((double)x, (double)y);                                                                             \
    }                                                                                                                  \
    WW_BOTH double max(a x, b y)                                                                                       \
    {                                                                                                                  \
        return __builtin_fmax((double)x, (double)y);                                                                             \
    }
WW_MIN_MAX(double, double)
WW_MIN_MAX(float, double)
WW_MIN_MAX(double, float)
#undef WW_MIN_MAX

// ----------------------------------------------------------------------------------------------- parts of numbers
WW_DEVICE double ldexp(double x, int n)
{
    return ww_ldexp(x, n);
}
WW_DEVICE float ldexpf(float x, int n)
{
    return (float)ww_ldexp((double)x, n);
}
WW_DEVICE float ldexp(float x, int n)
{
    return ldexpf(x, n);
}
WW_DEVICE double scalbn(double x, int n)
{
    return ww_ldexp(x, n);
}
WW_DEVICE float scalbnf(float x, int n)
{
    return ldexpf(x, n);
}
WW_DEVICE double frexp(double x, int *n)
{
    return ww_frexp(x, n);
}
WW_DEVICE float frexpf(float x, int *n)
{
    return (float)ww_frexp((double)x, n);
}
WW_DEVICE float frexp(float x, int *n)
{
    return frexpf(x, n);
}
WW_DEVICE double modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    return __builtin_copysign(x - x == 0 ? x - *whole : x == x ? 0. : x, x);
}
WW_DEVICE float modff(float x, float *whole)
{
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(x - x == 0 ? x - *whole : x == x ? 0.f : x, x);
}
WW_DEVICE float modf(float x, float *whole)
{
    return modff(x, whole);
}
WW_DEVICE int ilogb(double x)
{
    return ww_ilogb(x);
}
WW_DEVICE int ilogbf(float x)
{
    return ww_ilogb((double)x);
}
WW_DEVICE double logb(double x)
{
    return x == 0 ? -WW_INF : x - x == 0 ? (double)ww_ilogb(x) : x * x;
}
WW_DEVICE float logbf(float x)
{
    return (float)logb((double)x);
}
#define WW_TO_WHOLE(name, type, round, from)                                                                           \
    WW_DEVICE type name(from x)                                                                                          \
    {                                                                                                                  \
        return (type)round(x);                                                                                         \
    }
WW_TO_WHOLE(lrint, long, rint, double)
WW_TO_WHOLE(lrintf, long, rintf, float)
WW_TO_WHOLE(llrint, long long, rint, double)
WW_TO_WHOLE(llrintf, long long, rintf, float)
WW_TO_WHOLE(lround, long, round, double)
WW_TO_WHOLE(lroundf, long, roundf, float)
WW_TO_WHOLE(llround, long long, round, double)
WW_TO_WHOLE(llroundf, long long, roundf, float)
#undef WW_TO_WHOLE

WW_DEVICE double nan(const char *)
{
    return __builtin_nan("");
}
WW_DEVICE float nanf(const char *)
{
    return __builtin_nanf("");
}
#define WW_IS(name, expression)                                                                                        \
    WW_DEVICE bool name(float x)                                                                                         \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    WW_DEVICE bool name(double x)                                                                                        \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
WW_IS(isnan, x != x)
WW_IS(isinf, __builtin_fabs(x) == WW_INF)
WW_IS(isfinite, __builtin_fabs(x) < WW_INF)
#undef WW_IS
WW_DEVICE bool signbit(float x)
{
    return __float_as_int(x) < 0;
}
WW_DEVICE bool signbit(double x)
{
    return __double_as_longlong(x) < 0;
}

#undef WW_F1
#undef WW_F2
#undef WW_D1
#undef WW_D2
#undef WW_OWN_1
#undef WW_OWN_2
#undef WW_SPREAD_1
#undef WW_SPREAD_2
#undef WW_THROUGH_1
#undef WW_THROUGH_2

#endif
