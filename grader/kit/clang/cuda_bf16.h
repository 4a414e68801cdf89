// bfloat16 and pairs of it for clang, as in CUDA's header: storage, conversions, arithmetic that is rounded once, and
// comparisons (NaN is unequal to everything). A bfloat16 is the upper half of a float, so a shift widens it. Devices
// below compute_90 cannot add them, but have a fused product: a + b is a * 1 + b. Only functions that teaching code
// uses are declared. The implementation is our own.
//
// In a host program, the host has them, too. It computes a result in double, where sums, differences and products of
// bfloat16 with similar exponents are exact. Then it rounds to float by round-to-odd, which makes the second rounding
// to bfloat16 correct (Boldo and Melquiond, 2008).
#ifndef WARPWISE_CLANG_CUDA_BF16_H
#define WARPWISE_CLANG_CUDA_BF16_H

#include "cuda_narrow.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};

WW_BOTH float ww_bfloat_widen(unsigned short bits)
{
    unsigned wide = (unsigned)bits << 16;
    float f;
    __builtin_memcpy(&f, &wide, sizeof f);
    return f;
}
static inline __host__ unsigned short ww_bfloat_narrow(double value)
{
    float nearest = (float)value;
    unsigned bits;
    __builtin_memcpy(&bits, &nearest, sizeof bits);
    if (value != value) return 0x7fff;
    if ((double)nearest != value && !(bits & 1) && (bits & 0x7fffffff) < 0x7f800000) // to odd
        bits += ((double)nearest < value) == !(bits >> 31) ? 1 : -1;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

struct __align__(2) __nv_bfloat16 {
    unsigned short ww_bits;
    __nv_bfloat16() = default;
    WW_METHOD __nv_bfloat16(float f)
    {
        WW_CODE(asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(ww_bits) : "f"(f)), ww_bits = ww_bfloat_narrow(f));
    }
    WW_METHOD __nv_bfloat16(int i) : __nv_bfloat16((float)i) {}
    WW_METHOD __nv_bfloat16(unsigned u) : __nv_bfloat16((float)u) {}
    WW_METHOD __nv_bfloat16(const __nv_bfloat16_raw &raw) : ww_bits(raw.x) {}
    WW_METHOD operator float() const { return ww_bfloat_widen(ww_bits); }
};
struct __align__(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    WW_METHOD __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

WW_BOTH __nv_bfloat16 ww_bfloat(unsigned short bits)
{
    return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
WW_BOTH unsigned ww_bfloats(__nv_bfloat162 v)
{
    return v.x.ww_bits | (unsigned)v.y.ww_bits << 16;
}
WW_BOTH __nv_bfloat162 ww_bfloats_of(unsigned bits)
{
    return __nv_bfloat162(ww_bfloat((unsigned short)bits), ww_bfloat((unsigned short)(bits >> 16)));
}

// ---------------------------------------------------------------- conversions

WW_BOTH __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
WW_BOTH __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
WW_BOTH __nv_bfloat16 __int2bfloat16_rn(int i) { return __nv_bfloat16(i); }
WW_BOTH __nv_bfloat16 __uint2bfloat16_rn(unsigned u) { return __nv_bfloat16(u); }
WW_BOTH float __bfloat162float(__nv_bfloat16 h) { return (float)h; }
WW_BOTH int __bfloat162int_rn(__nv_bfloat16 h) { return WW_CODE(__float2int_rn(h), (int)__builtin_rintf(h)); }
WW_BOTH int __bfloat162int_rz(__nv_bfloat16 h) { return WW_CODE(__float2int_rz(h), (int)(float)h); }
WW_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.ww_bits; }
WW_BOTH short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.ww_bits; }
WW_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return ww_bfloat(bits); }
WW_BOTH __nv_bfloat16 __short_as_bfloat16(short bits) { return ww_bfloat((unsigned short)bits); }
WW_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WW_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WW_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
WW_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(a, b); }
WW_BOTH __nv_bfloat162 __float2bfloat162_rn(float a) { return __nv_bfloat162(a, a); }
WW_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __nv_bfloat162(a.x, a.y); }
WW_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
WW_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
WW_BOTH float __low2float(__nv_bfloat162 v) { return (float)v.x; }
WW_BOTH float __high2float(__nv_bfloat162 v) { return (float)v.y; }
WW_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2((float)v.x, (float)v.y); }
WW_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }

// ---------------------------------------------------------------- arithmetic, of one and of pairs

WW_BOTH __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    unsigned short r;
    WW_CODE(asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.ww_bits), "h"(b.ww_bits), "h"(c.ww_bits)),
                   r = ww_bfloat_narrow((double)(float)a * (float)b + (double)(float)c));
    return ww_bfloat(r);
}
WW_BOTH __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    unsigned r;
    WW_CODE(
        asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(ww_bfloats(a)), "r"(ww_bfloats(b)), "r"(ww_bfloats(c))),
        r = ww_bfloats(__nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y))));
    return ww_bfloats_of(r);
}
#define WW_BFLOAT_FUSED(name, name2, p, q, r)                                                                          \
    WW_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __hfma(p, q, r); }                         \
    WW_BOTH __nv_bfloat162 name2(__nv_bfloat162 v, __nv_bfloat162 w)                                                 \
    {                                                                                                                  \
        return __nv_bfloat162(name(v.x, w.x), name(v.y, w.y));                                                         \
    }
WW_BFLOAT_FUSED(__hadd, __hadd2, a, ww_bfloat(0x3f80), b)
WW_BFLOAT_FUSED(__hsub, __hsub2, b, ww_bfloat(0xbf80), a)
WW_BFLOAT_FUSED(__hmul, __hmul2, a, b, ww_bfloat(0x8000))
#define WW_BFLOAT_2(name, name2, ptx, host)                                                                            \
    WW_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                                                     \
    {                                                                                                                  \
        unsigned short r;                                                                                              \
        WW_CODE(asm(ptx ".bf16 %0, %1, %2;" : "=h"(r) : "h"(a.ww_bits), "h"(b.ww_bits)),                        \
                       r = ww_bfloat_narrow(host((float)a, (float)b)));                                                \
        return ww_bfloat(r);                                                                                           \
    }                                                                                                                  \
    WW_BOTH __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b)                                                 \
    {                                                                                                                  \
        return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                                         \
    }
WW_BFLOAT_2(__hmin, __hmin2, "min", __builtin_fminf)
WW_BFLOAT_2(__hmax, __hmax2, "max", __builtin_fmaxf)

#define WW_ONE __nv_bfloat16
#define WW_PAIR __nv_bfloat162
#define WW_OF(bits) ww_bfloat((unsigned short)(bits))
#define WW_INFINITY 0x7f80
#include "cuda_narrow.def"

#undef WW_BFLOAT_FUSED
#undef WW_BFLOAT_2
#endif
