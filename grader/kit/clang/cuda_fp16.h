// half and half2 for clang, as in CUDA's header: storage, conversions, arithmetic that is rounded once, and comparisons
// (NaN is unequal to everything). All targets of the kit have these instructions; devices below compute_80 lack the
// maximum of halves. Only functions that teaching code uses are declared. The implementation is our own.
//
// In a host program, the host has them, too. It converts halves by integer operations (IEEE 754 binary16). It computes
// a result in double, where sums, differences and products of halves are exact, and rounds once. (A sum of three halves
// may be rounded wrongly once in many millions.)
#ifndef WARPWISE_CLANG_CUDA_FP16_H
#define WARPWISE_CLANG_CUDA_FP16_H

#include "cuda_narrow.h"

struct __half_raw {
    unsigned short x;
};

static inline __host__ unsigned short ww_half_narrow(double value)
{
    unsigned long long bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    unsigned sign = (unsigned)(bits >> 48) & 0x8000;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    unsigned long long digits = (bits & 0xfffffffffffff) | 1ull << 52; // 53 of them, 42 too many
    if (exponent == 1024) return (unsigned short)(sign | (value != value ? 0x7fff : 0x7c00));
    int cut = exponent < -14 ? 42 - 14 - exponent : 42; // a subnormal half has fewer
    if (cut > 54) return (unsigned short)sign;
    unsigned long long kept = digits >> cut, rest = digits & ((1ull << cut) - 1), half = 1ull << (cut - 1);
    if (exponent >= -14) kept += (unsigned long long)(exponent + 14) << 10;
    kept += rest > half || (rest == half && (kept & 1));
    return (unsigned short)(sign | (kept > 0x7c00 ? 0x7c00 : kept));
}
static inline __host__ float ww_half_widen(unsigned short bits)
{
    int exponent = bits >> 10 & 31;
    float digits = (float)((bits & 0x3ff) | (exponent ? 0x400 : 0));
    float value = exponent == 31 ? (bits & 0x3ff ? __builtin_nanf("") : __builtin_inff())
                                 : __builtin_ldexpf(digits, (exponent ? exponent : 1) - 25);
    return bits & 0x8000 ? -value : value;
}

struct __align__(2) __half {
    unsigned short ww_bits;
    __half() = default;
    WW_METHOD __half(float f)
    {
        WW_CODE(asm("cvt.rn.f16.f32 %0, %1;" : "=h"(ww_bits) : "f"(f)), ww_bits = ww_half_narrow(f));
    }
    WW_METHOD __half(double d)
    {
        WW_CODE(asm("cvt.rn.f16.f64 %0, %1;" : "=h"(ww_bits) : "d"(d)), ww_bits = ww_half_narrow(d));
    }
    WW_METHOD __half(int i)
    {
        WW_CODE(asm("cvt.rn.f16.s32 %0, %1;" : "=h"(ww_bits) : "r"(i)), ww_bits = ww_half_narrow(i));
    }
    WW_METHOD __half(unsigned u)
    {
        WW_CODE(asm("cvt.rn.f16.u32 %0, %1;" : "=h"(ww_bits) : "r"(u)), ww_bits = ww_half_narrow(u));
    }
    WW_METHOD __half(const __half_raw &raw) : ww_bits(raw.x) {}
    WW_METHOD operator float() const
    {
        float f;
        WW_CODE(asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(ww_bits)), f = ww_half_widen(ww_bits));
        return f;
    }
};
struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    WW_METHOD __half2(const __half &a, const __half &b) : x(a), y(b) {}
};
typedef __half half;
typedef __half2 half2;

WW_BOTH __half ww_half(unsigned short bits)
{
    return __half(__half_raw{bits});
}
WW_BOTH unsigned ww_pair(__half2 v)
{
    return v.x.ww_bits | (unsigned)v.y.ww_bits << 16;
}
WW_BOTH __half2 ww_pair_of(unsigned bits)
{
    return __half2(ww_half((unsigned short)bits), ww_half((unsigned short)(bits >> 16)));
}

// ---------------------------------------------------------------- conversions

WW_BOTH __half __float2half(float f) { return __half(f); }
WW_BOTH __half __float2half_rn(float f) { return __half(f); }
WW_BOTH __half __double2half(double d) { return __half(d); }
WW_BOTH __half __int2half_rn(int i) { return __half(i); }
WW_BOTH __half __uint2half_rn(unsigned u) { return __half(u); }
WW_BOTH float __half2float(__half h) { return (float)h; }
#define WW_FROM_HALF(name, type, ptx, letter, host)                                                                          \
    WW_BOTH type name(__half h)                                                                                      \
    {                                                                                                                  \
        type r;                                                                                                        \
        WW_CODE(asm(ptx " %0, %1;" : "=" letter(r) : "h"(h.ww_bits)), r = host);                                  \
        return r;                                                                                                      \
    }
WW_FROM_HALF(__half2int_rn, int, "cvt.rni.s32.f16", "r", (int)__builtin_rintf((float)h))
WW_FROM_HALF(__half2int_rz, int, "cvt.rzi.s32.f16", "r", (int)(float)h)
WW_FROM_HALF(__half2uint_rn, unsigned, "cvt.rni.u32.f16", "r", (unsigned)__builtin_rintf((float)h))
WW_FROM_HALF(__half2uint_rz, unsigned, "cvt.rzi.u32.f16", "r", (unsigned)(float)h)
WW_BOTH unsigned short __half_as_ushort(__half h) { return h.ww_bits; }
WW_BOTH short __half_as_short(__half h) { return (short)h.ww_bits; }
WW_BOTH __half __ushort_as_half(unsigned short bits) { return ww_half(bits); }
WW_BOTH __half __short_as_half(short bits) { return ww_half((unsigned short)bits); }
WW_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
WW_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
WW_BOTH __half2 __half2half2(__half a) { return __half2(a, a); }
WW_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
WW_BOTH __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
WW_BOTH __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
WW_BOTH __half __low2half(__half2 v) { return v.x; }
WW_BOTH __half __high2half(__half2 v) { return v.y; }
WW_BOTH float __low2float(__half2 v) { return (float)v.x; }
WW_BOTH float __high2float(__half2 v) { return (float)v.y; }
WW_BOTH float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }
WW_BOTH __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }

// ---------------------------------------------------------------- arithmetic, of halves and of pairs

#define WW_HALF_2(name, name2, ptx, host)                                                                               \
    WW_BOTH __half name(__half a, __half b)                                                                          \
    {                                                                                                                  \
        unsigned short r;                                                                                              \
        double x = (float)a, y = (float)b;                                                                             \
        WW_CODE(asm(ptx ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.ww_bits), "h"(b.ww_bits)),                           \
                     r = ww_half_narrow(host));                                                                        \
        (void)x, (void)y;                                                                                              \
        return ww_half(r);                                                                                             \
    }                                                                                                                  \
    WW_BOTH __half2 name2(__half2 a, __half2 b)                                                                      \
    {                                                                                                                  \
        unsigned r;                                                                                                    \
        WW_CODE(asm(ptx ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(ww_pair(a)), "r"(ww_pair(b))),                       \
                     r = ww_pair(__half2(name(a.x, b.x), name(a.y, b.y))));                                            \
        return ww_pair_of(r);                                                                                          \
    }
WW_HALF_2(__hadd, __hadd2, "add", x + y)
WW_HALF_2(__hsub, __hsub2, "sub", x - y)
WW_HALF_2(__hmul, __hmul2, "mul", x *y)
WW_HALF_2(__hmin, __hmin2, "min", __builtin_fmin(x, y))
WW_HALF_2(__hmax, __hmax2, "max", __builtin_fmax(x, y))
WW_BOTH __half __hfma(__half a, __half b, __half c)
{
    unsigned short r;
    WW_CODE(asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.ww_bits), "h"(b.ww_bits), "h"(c.ww_bits)),
                 r = ww_half_narrow((double)(float)a * (float)b + (double)(float)c));
    return ww_half(r);
}
WW_BOTH __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    unsigned r;
    WW_CODE(asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(ww_pair(a)), "r"(ww_pair(b)), "r"(ww_pair(c))),
                 r = ww_pair(__half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y))));
    return ww_pair_of(r);
}

#define WW_ONE __half
#define WW_PAIR __half2
#define WW_OF(bits) ww_half((unsigned short)(bits))
#define WW_INFINITY 0x7c00
#include "cuda_narrow.def"

#undef WW_FROM_HALF
#undef WW_HALF_2
#endif
