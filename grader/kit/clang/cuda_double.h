// The mathematical functions in double, named ww_NAME. cuda_math.h defines the functions with CUDA's names by them.
//
// Methods: each function reduces its argument to a short interval, evaluates a polynomial there, and undoes the
// reduction. exp, sin and cos use Taylor's coefficients (the reciprocals of factorials), log the series of atanh; the
// coefficients of atan, asin, erf and erfc interpolate the function at the Chebyshev points of the interval, computed
// with 60 digits. Errors, measured against quadruple precision at 200,000 random arguments of each range: 0.5 ulp for
// cbrt and hypot, 1.2 for exp, log and pow, 1.5 for sin and cos (2.3 beyond 2^20), 4 for tan, 6 for erfc, 2.6 for the
// others; floor, fmod, remainder, ldexp and their like are exact. Zeros, infinities and NaNs as in C99, annex F.
#ifndef WARPWISE_CLANG_DOUBLE_H
#define WARPWISE_CLANG_DOUBLE_H

#define WW_INF __builtin_inf()
#define WW_NAN __builtin_nan("")
#define WW_LN2_HIGH 0x1.62e42fee00000p-1 // 32 bits of ln 2: its product with an exponent is exact
#define WW_LN2_LOW 0x1.a39ef35793c76p-33
#define WW_PI_2_HIGH 0x1.921fb54442d18p+0 // pi / 2 in three parts
#define WW_PI_2_LOW 0x1.1a62633145c07p-54
#define WW_PI_2_LOWEST -0x1.f1976b7ed8fbcp-110

// c0 + x (c1 + x (c2 + …)), fused
WW_DEVICE double ww_polynomial(double, double c)
{
    return c;
}
template <class... Rest> WW_DEVICE double ww_polynomial(double x, double c, Rest... rest)
{
    return __nvvm_fma_rn_d(x, ww_polynomial(x, rest...), c);
}
WW_DEVICE double ww_fma(double x, double y, double z)
{
    return __nvvm_fma_rn_d(x, y, z);
}
WW_DEVICE double ww_sqrt(double x)
{
    return __nvvm_sqrt_rn_d(x);
}
WW_DEVICE double ww_power_of_two(int n) // -1022 … 1023
{
    return __longlong_as_double((long long)(n + 1023) << 52);
}

// -------------------------------------------------------------------------------------------------------- scaling
// x 2^n, rounded once
WW_DEVICE double ww_ldexp(double x, int n)
{
    n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
    int step = n < 0 ? -1000 : 1000, steps = n / step;
    x *= ww_power_of_two(n - steps * step);
    if (steps > 0) x *= ww_power_of_two(step);
    if (steps > 1) x *= ww_power_of_two(step);
    return x;
}
// x = m 2^n with m in [0.5, 1)
WW_DEVICE double ww_frexp(double x, int *n)
{
    *n = 0;
    if (x == 0 || !(__builtin_fabs(x) < WW_INF)) return x;
    if (__builtin_fabs(x) < 0x1p-1022) {
        x *= 0x1p54;
        *n = -54;
    }
    long long bits = __double_as_longlong(x);
    *n += (int)(bits >> 52 & 2047) - 1022;
    return __longlong_as_double((bits & ~(2047ll << 52)) | 1022ll << 52);
}
WW_DEVICE int ww_ilogb(double x)
{
    if (x == 0) return -2147483647 - 1;
    if (!(__builtin_fabs(x) < WW_INF)) return x != x ? -2147483647 - 1 : 2147483647;
    int n;
    ww_frexp(x, &n);
    return n - 1;
}

// ---------------------------------------------------------------------------------------- exponentials, logarithms
// e^r - 1 for |r| <= ln(2) / 2
WW_DEVICE double ww_expm1_short(double r)
{
    double q = ww_polynomial(r, 1 / 2., 1 / 6., 1 / 24., 1 / 120., 1 / 720., 1 / 5040., 1 / 40320., 1 / 362880.,
                             1 / 3628800., 1 / 39916800., 1 / 479001600., 1 / 6227020800.);
    return ww_fma(r * r, q, r);
}
// e^(x + tail), |tail| far below |x|
WW_DEVICE double ww_exp_tail(double x, double tail)
{
    double limited = x > 800 ? 800 : x < -800 ? -800 : x;
    double n = __builtin_rint(limited * 0x1.71547652b82fep+0);
    double r = ww_fma(-n, WW_LN2_LOW, ww_fma(-n, WW_LN2_HIGH, limited)) + tail;
    double y = 1 + ww_expm1_short(r);
    int k = (int)n, half = k >> 1;
    y = y * ww_power_of_two(half) * ww_power_of_two(k - half);
    return x != x ? x : y;
}
WW_DEVICE double ww_exp(double x)
{
    return ww_exp_tail(x, 0);
}
WW_DEVICE double ww_exp2(double x)
{
    double limited = x > 1100 ? 1100 : x < -1100 ? -1100 : x;
    double n = __builtin_rint(limited), f = limited - n;
    double y = 1 + ww_expm1_short(ww_fma(f, 0x1.62e42fefa39efp-1, f * 0x1.abc9e3b39803fp-56));
    int k = (int)n, half = k >> 1;
    y = y * ww_power_of_two(half) * ww_power_of_two(k - half);
    return x != x ? x : y;
}
WW_DEVICE double ww_exp10(double x)
{
    double limited = x > 400 ? 400 : x < -400 ? -400 : x;
    double n = __builtin_rint(limited * 0x1.a934f0979a371p+1);
    double f = ww_fma(-n, 0x1.f79fef311f12bp-34, ww_fma(-n, 0x1.3441350800000p-2, limited)); // x - n log10(2)
    double y = 1 + ww_expm1_short(ww_fma(f, 0x1.26bb1bbb55516p+1, f * -0x1.f48ad494ea3e9p-53));
    int k = (int)n, half = k >> 1;
    y = y * ww_power_of_two(half) * ww_power_of_two(k - half);
    return x != x ? x : y;
}
WW_DEVICE double ww_expm1(double x)
{
    if (!(__builtin_fabs(x) < 40)) return x < 0 ? -1. : ww_exp(x);
    double n = __builtin_rint(x * 0x1.71547652b82fep+0);
    double high = ww_fma(-n, WW_LN2_HIGH, x), r = ww_fma(-n, WW_LN2_LOW, high);
    double lost = ww_fma(-n, WW_LN2_LOW, high - r); // what rounding took from r
    double scale = ww_power_of_two((int)n), y = ww_expm1_short(r) + lost;
    return x == 0 ? x : n == 0 ? y : ww_fma(scale, y, scale - 1);
}

// x = 2^k m, m in [sqrt(1/2), sqrt(2)), for finite x > 0
WW_DEVICE double ww_split(double x, int *k)
{
    *k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        *k = -54;
    }
    long long bits = __double_as_longlong(x), exponent = (bits - 0x3fe6a09e667f3bcdll) >> 52;
    *k += (int)exponent;
    return __longlong_as_double(bits - (exponent << 52));
}
// What log gives where it is not finite; else y
WW_DEVICE double ww_log_special(double x, double y)
{
    y = x < WW_INF ? y : x;
    y = x < 0 ? WW_NAN : y;
    return x == 0 ? -WW_INF : y;
}
// With f = m - 1 and s = f / (2 + f): log m = 2 atanh s = f - (f^2/2 - s (f^2/2 + R)), R = 2 (s^2/3 + s^4/5 + …).
struct ww_log_parts {
    double f, square_2, rest; // log m = f - (square_2 - rest)
};
WW_DEVICE ww_log_parts ww_log_short(double m)
{
    double f = m - 1, s = f / (2 + f), z = s * s, h = 0.5 * f * f;
    double r = z * ww_polynomial(z, 2 / 3., 2 / 5., 2 / 7., 2 / 9., 2 / 11., 2 / 13., 2 / 15., 2 / 17., 2 / 19., 2 / 21.,
                                 2 / 23.);
    return ww_log_parts{f, h, s * (h + r)};
}
WW_DEVICE double ww_log(double x)
{
    int k;
    ww_log_parts p = ww_log_short(ww_split(x, &k));
    double y = ww_fma(k, WW_LN2_HIGH, -((p.square_2 - ww_fma(k, WW_LN2_LOW, p.rest)) - p.f));
    return ww_log_special(x, y);
}
WW_DEVICE double ww_log2(double x)
{
    int k;
    ww_log_parts p = ww_log_short(ww_split(x, &k));
    double high = p.f - p.square_2, low = (p.f - high) - p.square_2 + p.rest; // log m, unevaluated
    double y = ww_fma(low, 0x1.71547652b82fep+0, high * 0x1.777d0ffda0d24p-56);
    return ww_log_special(x, ww_fma(high, 0x1.71547652b82fep+0, y) + k);
}
WW_DEVICE double ww_log10(double x)
{
    int k;
    ww_log_parts p = ww_log_short(ww_split(x, &k));
    double high = p.f - p.square_2, low = (p.f - high) - p.square_2 + p.rest;
    double y = ww_fma(low, 0x1.bcb7b1526e50ep-2, high * 0x1.95355baaafad3p-57);
    y = ww_fma(k, 0x1.f79fef311f12bp-34, y);
    return ww_log_special(x, ww_fma(k, 0x1.3441350800000p-2, ww_fma(high, 0x1.bcb7b1526e50ep-2, y)));
}
WW_DEVICE double ww_log1p(double x)
{
    double u = 1 + x, lost = x - (u - 1); // 1 + x = u + lost
    if (__builtin_fabs(x) < 0x1p-54) return x;
    double y = ww_log(u) + (u < 0x1p53 ? lost / u : 0);
    return ww_log_special(u, y);
}

// |x|^y for finite |x| > 0: the logarithm in two doubles, 2^-66 of its own size.
WW_DEVICE double ww_pow_positive(double x, double y)
{
    int k;
    double m = ww_split(x, &k), f = m - 1;
    double t = m + 1, back = t - 1, t_low = (1 - (t - back)) + (m - back);
    double s = f / t, s_low = (ww_fma(-s, t, f) - s * t_low) / t;
    double z = s * s, z_low = ww_fma(s, s, -z) + 2 * s * s_low;
    double tail = z * ww_polynomial(z, 2 / 5., 2 / 7., 2 / 9., 2 / 11., 2 / 13., 2 / 15., 2 / 17., 2 / 19., 2 / 21.,
                                    2 / 23., 2 / 25.);
    double p = 2 / 3. + tail, p_low = (2 / 3. - p) + tail + 0x1.5555555555555p-55;
    double w = z * p, w_low = ww_fma(z, p, -w) + ww_fma(z, p_low, z_low * p);
    double u = 2 + w, u_low = (2 - u) + w + w_low;
    double l = s * u, l_low = ww_fma(s, u, -l) + ww_fma(s, u_low, s_low * u);
    double a = k * WW_LN2_HIGH, sum = a + l, part = sum - a;
    l_low += ((a - (sum - part)) + (l - part)) + k * WW_LN2_LOW;
    double high = sum + l_low, low = (sum - high) + l_low;
    double product = y * high, product_low = ww_fma(y, high, -product) + y * low;
    return ww_exp_tail(product, __builtin_fabs(product) < 800 ? product_low : 0);
}
// The special cases of C99 F.9.4.4 around a power of |x|.
template <class Power> WW_DEVICE double ww_pow_with(double x, double y, Power power)
{
    double a = __builtin_fabs(x);
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    if (__builtin_fabs(y) == WW_INF) return a == 1 ? 1. : (a > 1) == (y > 0) ? WW_INF : 0.;
    int whole = __builtin_trunc(y) == y, odd = whole && __builtin_trunc(y / 2) != y / 2;
    double r;
    if (a == 0 || a == WW_INF)
        r = (a == 0) == (y < 0) ? WW_INF : 0.;
    else if (x < 0 && !whole)
        return WW_NAN;
    else
        r = power(a, y);
    return odd ? __builtin_copysign(r, x) : r;
}
struct ww_precise_power {
    __device__ __attribute__((nodebug, always_inline)) double operator()(double x, double y) const
    {
        return ww_pow_positive(x, y);
    }
};
struct ww_float_power { // enough for a float: y log x is off by 100 * 2^-53 at the most
    __device__ __attribute__((nodebug, always_inline)) double operator()(double x, double y) const
    {
        return ww_exp(y * ww_log(x));
    }
};

// -------------------------------------------------------------------------------------------------- angles
// Argument reduction: x = q pi/2 + r, |r| <= pi/4; q modulo 4.
//
// Up to 2^20 in three steps: q times the first part of pi/2 cancels exactly (both are multiples of 2^-53), the other
// parts follow. Beyond, x = M 2^E is multiplied by those 192 bits of 2/pi that matter modulo 4 (Payne and Hanek 1983).
static __constant__ const unsigned long long ww_two_over_pi[20] = {
    0,
    0xa2f9836e4e441529ull,
    0xfc2757d1f534ddc0ull,
    0xdb6295993c439041ull,
    0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull,
    0x06492eea09d1921cull,
    0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull,
    0x3991d639835339f4ull,
    0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full,
    0x6d367ecf27cb09b7ull,
    0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull,
    0x6bfb5fb11f8d5d08ull,
    0x56033046fc7b6babull,
};
WW_SLOW double ww_reduce_large(double x, int *q)
{
    long long bits = __double_as_longlong(x);
    unsigned long long mantissa = (bits & 0xfffffffffffffull) | 1ull << 52;
    int first = (int)(bits >> 52 & 2047) - 1075 + 62; // bits of the table before those that matter
    int word = first >> 6, shift = first & 63;
    unsigned long long part[3];
    for (int i = 0; i < 3; ++i) {
        part[i] = ww_two_over_pi[word + i] << shift;
        if (shift) part[i] |= ww_two_over_pi[word + i + 1] >> (64 - shift);
    }
    unsigned long long low = mantissa * part[2], middle = mantissa * part[1];
    unsigned long long carried = middle + __nvvm_mulhi_ull(mantissa, part[2]);
    unsigned long long top = mantissa * part[0] + __nvvm_mulhi_ull(mantissa, part[1]) + (carried < middle);
    middle = carried;
    int quarter = (int)(top >> 62);
    unsigned long long high = top << 2 | middle >> 62;
    middle = middle << 2 | low >> 62;
    int negative = (int)(high >> 63); // nearer to the next multiple
    quarter += negative;
    if (negative) {
        middle = ~middle + 1;
        high = ~high + (middle == 0);
    }
    int zeros = __clzll((long long)high);
    if (zeros && zeros < 64) high = high << zeros | middle >> (64 - zeros);
    double r = (double)high * ww_power_of_two(-64 - zeros) * WW_PI_2_HIGH;
    negative ^= bits < 0;
    *q = bits < 0 ? -quarter : quarter;
    return negative ? -r : r;
}
WW_DEVICE double ww_reduce(double x, int *q)
{
    double a = __builtin_fabs(x);
    if (a >= 0x1p20 && a < WW_INF) return ww_reduce_large(x, q);
    double n = __builtin_rint(x * 0x1.45f306dc9c883p-1);
    *q = (int)n;
    double r = ww_fma(-n, WW_PI_2_LOWEST, ww_fma(-n, WW_PI_2_LOW, ww_fma(-n, WW_PI_2_HIGH, x)));
    return n == 0 ? x : r; // -0 stays what it is
}
WW_DEVICE double ww_sin_short(double r)
{
    double z = r * r;
    double p = ww_polynomial(z, -1 / 6., 1 / 120., -1 / 5040., 1 / 362880., -1 / 39916800., 1 / 6227020800.,
                             -1 / 1307674368000., 1 / 355687428096000.);
    return r == 0 ? r : ww_fma(r * z, p, r);
}
WW_DEVICE double ww_cos_short(double r)
{
    double z = r * r;
    double p = ww_polynomial(z, 1 / 24., -1 / 720., 1 / 40320., -1 / 3628800., 1 / 479001600., -1 / 87178291200.,
                             1 / 20922789888000., -1 / 6402373705728000.);
    double h = 0.5 * z, w = 1 - h;
    return w + (((1 - w) - h) + z * z * p);
}
WW_DEVICE void ww_sincos_reduced(double r, int q, double *sine, double *cosine)
{
    double s = ww_sin_short(r), c = ww_cos_short(r);
    double a = q & 1 ? c : s, b = q & 1 ? s : c;
    *sine = q & 2 ? -a : a;
    *cosine = (q + 1) & 2 ? -b : b;
}
WW_DEVICE double ww_angle(double x) // infinities have no sine
{
    return x - x == 0 ? x : WW_NAN;
}
WW_DEVICE void ww_sincos(double x, double *sine, double *cosine)
{
    int q;
    double r = ww_reduce(ww_angle(x), &q);
    ww_sincos_reduced(r, q, sine, cosine);
}
WW_DEVICE double ww_sin(double x)
{
    int q;
    double r = ww_reduce(ww_angle(x), &q), y = q & 1 ? ww_cos_short(r) : ww_sin_short(r);
    return q & 2 ? -y : y;
}
WW_DEVICE double ww_cos(double x)
{
    int q;
    double r = ww_reduce(ww_angle(x), &q), y = q & 1 ? ww_sin_short(r) : ww_cos_short(r);
    return (q + 1) & 2 ? -y : y;
}
WW_DEVICE double ww_tan(double x)
{
    int q;
    double r = ww_reduce(ww_angle(x), &q), s = ww_sin_short(r), c = ww_cos_short(r);
    return q & 1 ? -c / s : s / c;
}
WW_DEVICE double ww_half_turns(double x, int *q) // x = q / 2 + r / pi
{
    double n = __builtin_rint(2 * x), f = ww_fma(-0.5, n, x);
    *q = (int)(long long)ww_fma(-4, __builtin_floor(n * 0.25), n);
    return ww_fma(f, 2 * WW_PI_2_HIGH, f * (2 * WW_PI_2_LOW));
}
WW_DEVICE void ww_sincospi(double x, double *sine, double *cosine)
{
    int q;
    double r = ww_half_turns(ww_angle(x), &q);
    ww_sincos_reduced(r, q, sine, cosine);
}

// ------------------------------------------------------------------------------------------ inverse functions
WW_DEVICE double ww_atan(double x)
{
    double a = __builtin_fabs(x), t = a, high = 0, low = 0;
    if (a > 0x1.3504f333f9de6p+1) { // 1 + sqrt(2): pi/2 - atan(1/a)
        t = -1 / a;
        high = WW_PI_2_HIGH;
        low = WW_PI_2_LOW;
    } else if (a > 0x1.a827999fcef32p-2) { // sqrt(2) - 1: pi/4 + atan((a - 1) / (a + 1))
        t = (a - 1) / (a + 1);
        high = WW_PI_2_HIGH / 2;
        low = WW_PI_2_LOW / 2;
    }
    double z = t * t;
    double p = ww_polynomial(z, -0x1.5555555555555p-2, 0x1.999999999934bp-3, -0x1.2492492436180p-3,
                             0x1.c71c7185386f1p-4, -0x1.745d0b27da190p-4, 0x1.3b1262f3a2b5bp-4, -0x1.10fa76aa9b02cp-4,
                             0x1.dfe637a48099bp-5, -0x1.a0993ef875d4ap-5, 0x1.4161b24be475bp-5, -0x1.3a2f1cc1ba3c5p-6);
    return __builtin_copysign(high + (t + ww_fma(t * z, p, low)), x);
}
WW_DEVICE double ww_atan2(double y, double x)
{
    if (x != x || y != y) return x + y;
    double a = __builtin_fabs(y), b = __builtin_fabs(x);
    double angle = a == b ? (a == 0 ? 0. : WW_PI_2_HIGH / 2) : ww_atan(a / b);
    if (__double_as_longlong(x) < 0) angle = 2 * WW_PI_2_HIGH - (angle - 2 * WW_PI_2_LOW);
    return __builtin_copysign(angle, y);
}
// asin(t) / t - 1, divided by z = t^2 <= 1/4
WW_DEVICE double ww_asin_short(double z)
{
    return ww_polynomial(z, 0x1.555555555554fp-3, 0x1.3333333336da5p-4, 0x1.6db6db684b6a1p-5, 0x1.f1c71f95269afp-6,
                         0x1.6e8b2b3b10be4p-6, 0x1.1c593c7b1d958p-6, 0x1.c87265d47ef49p-7, 0x1.8522ddffa6208p-7,
                         0x1.ff5fc4d14c735p-8, 0x1.06b9d26d10838p-6, -0x1.603991d6060e0p-7, 0x1.cd864394d2ff2p-6);
}
WW_DEVICE double ww_asin(double x)
{
    double a = __builtin_fabs(x), z = a < 0.5 ? x * x : (1 - a) * 0.5;
    double s = a < 0.5 ? a : ww_sqrt(z), y = ww_fma(s * z, ww_asin_short(z), s);
    if (!(a < 0.5)) y = WW_PI_2_HIGH - (2 * y - WW_PI_2_LOW);
    return __builtin_copysign(y, x);
}
WW_DEVICE double ww_acos(double x)
{
    double a = __builtin_fabs(x), z = a < 0.5 ? x * x : (1 - a) * 0.5;
    double s = a < 0.5 ? x : ww_sqrt(z), p = s * z * ww_asin_short(z);
    if (a < 0.5) return WW_PI_2_HIGH - (s - (WW_PI_2_LOW - p));
    return x < 0 ? 2 * (WW_PI_2_HIGH - (s + (p - WW_PI_2_LOW))) : 2 * (s + p);
}

// ------------------------------------------------------------------------------------------------- hyperbolic
WW_DEVICE double ww_sinh(double x)
{
    double a = __builtin_fabs(x), y;
    if (a < 22) {
        double t = ww_expm1(a);
        y = a < 1 ? 0.5 * (2 * t - t * t / (t + 1)) : 0.5 * (t + t / (t + 1));
    } else {
        double half = ww_exp(0.5 * a);
        y = a < 709 ? 0.5 * ww_exp(a) : 0.5 * half * half;
    }
    return __builtin_copysign(y, x);
}
WW_DEVICE double ww_cosh(double x)
{
    double a = __builtin_fabs(x);
    if (a < 22) {
        double t = ww_exp(a);
        return 0.5 * t + 0.5 / t;
    }
    double half = ww_exp(0.5 * a);
    return a < 709 ? 0.5 * ww_exp(a) : 0.5 * half * half;
}
WW_DEVICE double ww_tanh(double x)
{
    double a = __builtin_fabs(x), t = ww_expm1(a < 22 ? 2 * a : 44.);
    double y = a < 1 ? t / (t + 2) : 1 - 2 / (t + 2);
    return x != x ? x : __builtin_copysign(y, x);
}
WW_DEVICE double ww_asinh(double x)
{
    double a = __builtin_fabs(x), square = a * a;
    double y = a < 0x1p28 ? ww_log1p(a + square / (1 + ww_sqrt(1 + square))) : ww_log(a) + 0x1.62e42fefa39efp-1;
    return __builtin_copysign(y, x);
}
WW_DEVICE double ww_acosh(double x)
{
    double t = x - 1;
    if (x < 1) return WW_NAN;
    return x < 0x1p28 ? ww_log1p(t + ww_sqrt(2 * t + t * t)) : ww_log(x) + 0x1.62e42fefa39efp-1;
}
WW_DEVICE double ww_atanh(double x)
{
    double a = __builtin_fabs(x);
    return __builtin_copysign(0.5 * ww_log1p(2 * a / (1 - a)), x);
}

// ------------------------------------------------------------------------------------------------------- roots
WW_DEVICE double ww_cbrt(double x)
{
    double a = __builtin_fabs(x);
    if (a == 0 || !(a < WW_INF)) return x;
    int n, k;
    double m = ww_frexp(a, &n);
    k = (n + 1200) / 3 - 400; // n / 3, rounded down
    m = m * ww_power_of_two(n - 3 * k);
    double y = ww_ex2(__log2f((float)m) * 0.333333343f);
    y -= ww_fma(y * y, y, -m) / (3 * y * y);
    y -= ww_fma(y * y, y, -m) / (3 * y * y);
    double square = y * y, low = ww_fma(y, y, -square); // once more, with y^2 in two doubles
    y -= (ww_fma(square, y, -m) + low * y) / (3 * square);
    return __builtin_copysign(y * ww_power_of_two(k), x);
}
WW_DEVICE double ww_hypot(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (a == WW_INF || b == WW_INF) return WW_INF;
    double large = a < b ? b : a, small = a < b ? a : b;
    if (large == 0 || a != a || b != b) return a + b;
    int exponent = (int)(__double_as_longlong(large) >> 52) - 1023;
    large = ww_ldexp(large, -exponent);
    small = ww_ldexp(small, -exponent);
    double square = large * large, low = ww_fma(large, large, -square), rest = small * small;
    double sum = square + rest, lost = (square - sum) + rest + low, root = ww_sqrt(sum);
    return ww_ldexp(root + (lost + ww_fma(-root, root, sum)) / (2 * root), exponent);
}

// -------------------------------------------------------------------------------------------------- remainders
WW_DEVICE double ww_fmod(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (!(a < WW_INF) || b == 0 || b != b) return WW_NAN;
    if (a < b) return x;
    long long bits_a = __double_as_longlong(a), bits_b = __double_as_longlong(b);
    int ea = (int)(bits_a >> 52), eb = (int)(bits_b >> 52);
    unsigned long long ma = (bits_a & 0xfffffffffffffull) | (unsigned long long)(ea > 0) << 52;
    unsigned long long mb = (bits_b & 0xfffffffffffffull) | (unsigned long long)(eb > 0) << 52;
    int bottom = eb > 0 ? eb : 1;
    ma %= mb;
    for (int i = (ea > 0 ? ea : 1) - bottom; i > 0 && ma; --i) {
        ma <<= 1;
        ma -= ma >= mb ? mb : 0;
    }
    return __builtin_copysign(ww_ldexp((double)ma, bottom - 1075), x);
}
WW_DEVICE double ww_remainder(double x, double y)
{
    double b = __builtin_fabs(y);
    if (!(__builtin_fabs(x) < WW_INF) || b == 0 || b != b) return WW_NAN;
    if (b == WW_INF) return x;
    double r = __builtin_fabs(b < 0x1p1023 ? ww_fmod(x, 2 * b) : x);
    // r in [0, 2b): take b off as often as brings it nearest to zero, a tie to the even multiple
    double half = 0.5 * b;
    int up = b < 0x1p-1021 ? r + r > b : r > half;
    if (up) {
        r -= b;
        int again = b < 0x1p-1021 ? r + r >= b : r >= half;
        if (again) r -= b;
    }
    return __double_as_longlong(x) < 0 ? -r : r;
}

// ----------------------------------------------------------------------------------------------- error function
WW_DEVICE double ww_erf_short(double x) // |x| <= 1
{
    return x * ww_polynomial(x * x, 0x1.20dd750429b6dp+0, -0x1.812746b0379e7p-2, 0x1.ce2f21a042bdep-4,
                             -0x1.b82ce312889bap-6, 0x1.565bcd0e6502dp-8, -0x1.c02db3feeb579p-11, 0x1.f9a326c233146p-14,
                             -0x1.f4d2561aeafd4p-17, 0x1.b9e6509b9867dp-20, -0x1.5f6d925a0bc7ap-23,
                             0x1.fc4356498c2d9p-27, -0x1.4e607b41a6416p-30, 0x1.7f072188e194dp-34,
                             -0x1.29b9f1b3df556p-38);
}
WW_DEVICE double ww_erfc_long(double x) // 1 <= x <= 28: e^(-x^2) (polynomial in (x - 3) / (x + 3)) / (1 + 2x)
{
    double t = (x - 3) / (x + 3);
    double p = ww_polynomial(t, 0x1.40c522d7e4987p+0, -0x1.15c084bb9e900p-3, -0x1.85a15c58aa643p-5,
                             0x1.098366a5b4f1bp-3, -0x1.e88b803a48340p-4, 0x1.17ca2877be46cp-4, -0x1.8574c40c04d6bp-6,
                             0x1.4b884ed0d1ce6p-9, 0x1.ef1bdd025d84ep-10, -0x1.98db6b496e563p-11,
                             -0x1.b911e6903905bp-14, 0x1.065d01db2aac1p-13, 0x1.4bc571602baf8p-18,
                             -0x1.519173b637bcfp-16, -0x1.786b4d9c1f69fp-21, 0x1.d741da290dff7p-19,
                             0x1.25389004d2586p-22, -0x1.55c5826ce6ff5p-21, -0x1.2badb5328d03ep-25,
                             0x1.36e2a38ec290dp-24);
    double square = x * x;
    return ww_exp_tail(-square, -ww_fma(x, x, -square)) * (p / (1 + 2 * x));
}
WW_DEVICE double ww_erf(double x)
{
    double a = __builtin_fabs(x);
    if (a <= 1) return ww_erf_short(x);
    return x != x ? x : __builtin_copysign(1 - ww_erfc_long(a < 6 ? a : 6.), x);
}
WW_DEVICE double ww_erfc(double x)
{
    double a = __builtin_fabs(x);
    if (a <= 0.5) return 1 - ww_erf_short(x);
    if (a <= 1) return x < 0 ? 1 - ww_erf_short(x) : 0.5 + (0.5 - ww_erf_short(x));
    if (x != x) return x;
    double y = ww_erfc_long(a < 28 ? a : 28.);
    return x < 0 ? 2 - y : y;
}
// erfc(-x / sqrt(2)) / 2; far out a rounded quotient would cost x^2 ulp, so what it lost is added by the slope, -2t
WW_DEVICE double ww_normcdf(double x)
{
    double limited = x < -40 ? -40 : x > 40 ? 40 : x, t = limited * -0x1.6a09e667f3bcdp-1;
    double lost = ww_fma(limited, -0x1.6a09e667f3bcdp-1, -t) + limited * 0x1.bdd3413b26456p-55;
    double y = 0.5 * ww_erfc(t);
    return x != x ? x : t > 1 ? ww_fma(-2 * t * lost, y, y) : y;
}

#endif
