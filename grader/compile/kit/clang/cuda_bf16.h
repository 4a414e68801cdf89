// bfloat16 and its pair for clang, as the header of CUDA has them: storage, conversions, arithmetic rounded once,
// comparisons (a NaN compares unequal). A bfloat16 is the upper half of a float: it is widened by a shift. Below
// compute_90 a device has no sum of them, but a fused product: a + b is a * 1 + b. What is named is what teaching code
// uses; the text is our own.
//
// In a program the host has them too. There a result is computed in double, in which sums, differences and products of
// bfloat16 that lie near each other are exact, and rounded once: to odd at a float's last bit, which keeps what the
// second rounding must know (Boldo and Melquiond, 2008).
#ifndef WARPWISE_CLANG_CUDA_BF16_H
#define WARPWISE_CLANG_CUDA_BF16_H

#ifdef WW_HOSTED
#define WW_BFLOAT WW_BOTH
#define WW_METHOD __host__ __device__ __attribute__((nodebug, always_inline))
#else
#define WW_BFLOAT WW_DEVICE
#define WW_METHOD __device__ __attribute__((nodebug, always_inline))
#endif
// Device code is the instruction, host code the expression behind it.
#ifdef __CUDA_ARCH__
#define WW_BFLOAT_CODE(instruction, host) instruction
#else
#define WW_BFLOAT_CODE(instruction, host) host
#endif

struct __nv_bfloat16_raw {
    unsigned short x;
};

WW_BFLOAT float ww_bfloat_widen(unsigned short bits)
{
    unsigned wide = (unsigned)bits << 16;
    float f;
    __builtin_memcpy(&f, &wide, sizeof f);
    return f;
}
#ifdef WW_HOSTED
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
#endif

struct __align__(2) __nv_bfloat16 {
    unsigned short ww_bits;
    __nv_bfloat16() = default;
    WW_METHOD __nv_bfloat16(float f)
    {
        WW_BFLOAT_CODE(asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(ww_bits) : "f"(f)), ww_bits = ww_bfloat_narrow(f));
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

WW_BFLOAT __nv_bfloat16 ww_bfloat(unsigned short bits)
{
    return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
WW_BFLOAT unsigned ww_bfloats(__nv_bfloat162 v)
{
    return v.x.ww_bits | (unsigned)v.y.ww_bits << 16;
}
WW_BFLOAT __nv_bfloat162 ww_bfloats_of(unsigned bits)
{
    return __nv_bfloat162(ww_bfloat((unsigned short)bits), ww_bfloat((unsigned short)(bits >> 16)));
}

// ---------------------------------------------------------------- conversions

WW_BFLOAT __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
WW_BFLOAT __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
WW_BFLOAT __nv_bfloat16 __int2bfloat16_rn(int i) { return __nv_bfloat16(i); }
WW_BFLOAT __nv_bfloat16 __uint2bfloat16_rn(unsigned u) { return __nv_bfloat16(u); }
WW_BFLOAT float __bfloat162float(__nv_bfloat16 h) { return (float)h; }
WW_BFLOAT int __bfloat162int_rn(__nv_bfloat16 h) { return WW_BFLOAT_CODE(__float2int_rn(h), (int)__builtin_rintf(h)); }
WW_BFLOAT int __bfloat162int_rz(__nv_bfloat16 h) { return WW_BFLOAT_CODE(__float2int_rz(h), (int)(float)h); }
WW_BFLOAT unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.ww_bits; }
WW_BFLOAT short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.ww_bits; }
WW_BFLOAT __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return ww_bfloat(bits); }
WW_BFLOAT __nv_bfloat16 __short_as_bfloat16(short bits) { return ww_bfloat((unsigned short)bits); }
WW_BFLOAT __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WW_BFLOAT __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WW_BFLOAT __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
WW_BFLOAT __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(a, b); }
WW_BFLOAT __nv_bfloat162 __float2bfloat162_rn(float a) { return __nv_bfloat162(a, a); }
WW_BFLOAT __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __nv_bfloat162(a.x, a.y); }
WW_BFLOAT __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
WW_BFLOAT __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
WW_BFLOAT float __low2float(__nv_bfloat162 v) { return (float)v.x; }
WW_BFLOAT float __high2float(__nv_bfloat162 v) { return (float)v.y; }
WW_BFLOAT float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2((float)v.x, (float)v.y); }
WW_BFLOAT __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }

// ---------------------------------------------------------------- arithmetic, of one and of pairs

WW_BFLOAT __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    unsigned short r;
    WW_BFLOAT_CODE(asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.ww_bits), "h"(b.ww_bits), "h"(c.ww_bits)),
                   r = ww_bfloat_narrow((double)(float)a * (float)b + (double)(float)c));
    return ww_bfloat(r);
}
WW_BFLOAT __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    unsigned r;
    WW_BFLOAT_CODE(
        asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(ww_bfloats(a)), "r"(ww_bfloats(b)), "r"(ww_bfloats(c))),
        r = ww_bfloats(__nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y))));
    return ww_bfloats_of(r);
}
#define WW_BFLOAT_FUSED(name, name2, p, q, r)                                                                          \
    WW_BFLOAT __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __hfma(p, q, r); }                         \
    WW_BFLOAT __nv_bfloat162 name2(__nv_bfloat162 v, __nv_bfloat162 w)                                                 \
    {                                                                                                                  \
        return __nv_bfloat162(name(v.x, w.x), name(v.y, w.y));                                                         \
    }
WW_BFLOAT_FUSED(__hadd, __hadd2, a, ww_bfloat(0x3f80), b)
WW_BFLOAT_FUSED(__hsub, __hsub2, b, ww_bfloat(0xbf80), a)
WW_BFLOAT_FUSED(__hmul, __hmul2, a, b, ww_bfloat(0x8000))
#define WW_BFLOAT_2(name, name2, ptx, host)                                                                            \
    WW_BFLOAT __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                                                     \
    {                                                                                                                  \
        unsigned short r;                                                                                              \
        WW_BFLOAT_CODE(asm(ptx ".bf16 %0, %1, %2;" : "=h"(r) : "h"(a.ww_bits), "h"(b.ww_bits)),                        \
                       r = ww_bfloat_narrow(host((float)a, (float)b)));                                                \
        return ww_bfloat(r);                                                                                           \
    }                                                                                                                  \
    WW_BFLOAT __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b)                                                 \
    {                                                                                                                  \
        return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                                         \
    }
WW_BFLOAT_2(__hmin, __hmin2, "min", __builtin_fminf)
WW_BFLOAT_2(__hmax, __hmax2, "max", __builtin_fmaxf)
WW_BFLOAT __nv_bfloat16 __hneg(__nv_bfloat16 a) { return ww_bfloat(a.ww_bits ^ 0x8000); }
WW_BFLOAT __nv_bfloat16 __habs(__nv_bfloat16 a) { return ww_bfloat(a.ww_bits & 0x7fff); }
WW_BFLOAT __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return __nv_bfloat162(__hneg(a.x), __hneg(a.y)); }
WW_BFLOAT __nv_bfloat162 __habs2(__nv_bfloat162 a) { return __nv_bfloat162(__habs(a.x), __habs(a.y)); }
WW_BFLOAT __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a / (float)b); }
WW_BFLOAT __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
WW_BFLOAT __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return __nv_bfloat16(sqrtf((float)a)); }
WW_BFLOAT __nv_bfloat16 hexp(__nv_bfloat16 a) { return __nv_bfloat16(expf((float)a)); }

// ---------------------------------------------------------------- comparisons

#define WW_BFLOAT_COMPARE(name, op)                                                                                    \
    WW_BFLOAT bool name(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a op(float) b; }                             \
    WW_BFLOAT bool operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return (float)a op(float) b; }
WW_BFLOAT_COMPARE(__heq, ==)
WW_BFLOAT_COMPARE(__hlt, <)
WW_BFLOAT_COMPARE(__hle, <=)
WW_BFLOAT_COMPARE(__hgt, >)
WW_BFLOAT_COMPARE(__hge, >=)
WW_BFLOAT bool operator!=(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return !((float)a == (float)b); }
WW_BFLOAT bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b || (float)a > (float)b; }
WW_BFLOAT bool __hisnan(__nv_bfloat16 a) { return (a.ww_bits & 0x7fff) > 0x7f80; }

#define WW_BFLOAT_OPERATOR(op, name, name2)                                                                            \
    WW_BFLOAT __nv_bfloat16 operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return name(a, b); }         \
    WW_BFLOAT __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, const __nv_bfloat16 &b) { return a = name(a, b); }       \
    WW_BFLOAT __nv_bfloat162 operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return name2(a, b); }     \
    WW_BFLOAT __nv_bfloat162 &operator op##=(__nv_bfloat162 &a, const __nv_bfloat162 &b) { return a = name2(a, b); }
WW_BFLOAT_OPERATOR(+, __hadd, __hadd2)
WW_BFLOAT_OPERATOR(-, __hsub, __hsub2)
WW_BFLOAT_OPERATOR(*, __hmul, __hmul2)
WW_BFLOAT_OPERATOR(/, __hdiv, __h2div)
WW_BFLOAT __nv_bfloat16 operator-(const __nv_bfloat16 &a) { return __hneg(a); }

#undef WW_METHOD
#undef WW_BFLOAT
#undef WW_BFLOAT_CODE
#undef WW_BFLOAT_FUSED
#undef WW_BFLOAT_2
#undef WW_BFLOAT_COMPARE
#undef WW_BFLOAT_OPERATOR
#endif
