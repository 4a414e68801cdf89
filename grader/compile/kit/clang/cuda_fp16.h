// half and half2 for clang, as the header of CUDA has them: storage, conversions, arithmetic rounded once, comparisons
// (a NaN compares unequal). Below compute_80 a device has no maximum of halves; here every target that the kit compiles
// for has all of these. What is named is what teaching code uses; the text is our own.
#ifndef WARPWISE_CLANG_CUDA_FP16_H
#define WARPWISE_CLANG_CUDA_FP16_H

#define WW_METHOD __device__ __attribute__((nodebug, always_inline))

struct __half_raw {
    unsigned short x;
};

struct __align__(2) __half {
    unsigned short ww_bits;
    __half() = default;
    WW_METHOD __half(float f) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(ww_bits) : "f"(f)); }
    WW_METHOD __half(double d) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(ww_bits) : "d"(d)); }
    WW_METHOD __half(int i) { asm("cvt.rn.f16.s32 %0, %1;" : "=h"(ww_bits) : "r"(i)); }
    WW_METHOD __half(unsigned u) { asm("cvt.rn.f16.u32 %0, %1;" : "=h"(ww_bits) : "r"(u)); }
    WW_METHOD __half(const __half_raw &raw) : ww_bits(raw.x) {}
    WW_METHOD operator float() const
    {
        float f;
        asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(ww_bits));
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

WW_DEVICE __half ww_half(unsigned short bits)
{
    return __half(__half_raw{bits});
}
WW_DEVICE unsigned ww_pair(__half2 v)
{
    return v.x.ww_bits | (unsigned)v.y.ww_bits << 16;
}
WW_DEVICE __half2 ww_pair_of(unsigned bits)
{
    return __half2(ww_half((unsigned short)bits), ww_half((unsigned short)(bits >> 16)));
}

// ---------------------------------------------------------------- conversions

WW_DEVICE __half __float2half(float f) { return __half(f); }
WW_DEVICE __half __float2half_rn(float f) { return __half(f); }
WW_DEVICE __half __double2half(double d) { return __half(d); }
WW_DEVICE __half __int2half_rn(int i) { return __half(i); }
WW_DEVICE __half __uint2half_rn(unsigned u) { return __half(u); }
WW_DEVICE float __half2float(__half h) { return (float)h; }
#define WW_FROM_HALF(name, type, ptx, letter)                                                                          \
    WW_DEVICE type name(__half h)                                                                                      \
    {                                                                                                                  \
        type r;                                                                                                        \
        asm(ptx " %0, %1;" : "=" letter(r) : "h"(h.ww_bits));                                                          \
        return r;                                                                                                      \
    }
WW_FROM_HALF(__half2int_rn, int, "cvt.rni.s32.f16", "r")
WW_FROM_HALF(__half2int_rz, int, "cvt.rzi.s32.f16", "r")
WW_FROM_HALF(__half2uint_rn, unsigned, "cvt.rni.u32.f16", "r")
WW_FROM_HALF(__half2uint_rz, unsigned, "cvt.rzi.u32.f16", "r")
WW_DEVICE unsigned short __half_as_ushort(__half h) { return h.ww_bits; }
WW_DEVICE short __half_as_short(__half h) { return (short)h.ww_bits; }
WW_DEVICE __half __ushort_as_half(unsigned short bits) { return ww_half(bits); }
WW_DEVICE __half __short_as_half(short bits) { return ww_half((unsigned short)bits); }
WW_DEVICE __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
WW_DEVICE __half2 make_half2(__half a, __half b) { return __half2(a, b); }
WW_DEVICE __half2 __half2half2(__half a) { return __half2(a, a); }
WW_DEVICE __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
WW_DEVICE __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
WW_DEVICE __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
WW_DEVICE __half __low2half(__half2 v) { return v.x; }
WW_DEVICE __half __high2half(__half2 v) { return v.y; }
WW_DEVICE float __low2float(__half2 v) { return (float)v.x; }
WW_DEVICE float __high2float(__half2 v) { return (float)v.y; }
WW_DEVICE float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }
WW_DEVICE __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }

// ---------------------------------------------------------------- arithmetic, of halves and of pairs

#define WW_HALF_2(name, name2, ptx)                                                                                    \
    WW_DEVICE __half name(__half a, __half b)                                                                          \
    {                                                                                                                  \
        unsigned short r;                                                                                              \
        asm(ptx ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.ww_bits), "h"(b.ww_bits));                                        \
        return ww_half(r);                                                                                             \
    }                                                                                                                  \
    WW_DEVICE __half2 name2(__half2 a, __half2 b)                                                                      \
    {                                                                                                                  \
        unsigned r;                                                                                                    \
        asm(ptx ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(ww_pair(a)), "r"(ww_pair(b)));                                    \
        return ww_pair_of(r);                                                                                          \
    }
WW_HALF_2(__hadd, __hadd2, "add")
WW_HALF_2(__hsub, __hsub2, "sub")
WW_HALF_2(__hmul, __hmul2, "mul")
WW_HALF_2(__hmin, __hmin2, "min")
WW_HALF_2(__hmax, __hmax2, "max")
WW_DEVICE __half __hfma(__half a, __half b, __half c)
{
    unsigned short r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.ww_bits), "h"(b.ww_bits), "h"(c.ww_bits));
    return ww_half(r);
}
WW_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    unsigned r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(ww_pair(a)), "r"(ww_pair(b)), "r"(ww_pair(c)));
    return ww_pair_of(r);
}
WW_DEVICE __half __hneg(__half a) { return ww_half(a.ww_bits ^ 0x8000); }
WW_DEVICE __half __habs(__half a) { return ww_half(a.ww_bits & 0x7fff); }
WW_DEVICE __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
WW_DEVICE __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
WW_DEVICE __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); } // 24 bits suffice to round once
WW_DEVICE __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
WW_DEVICE __half hsqrt(__half a) { return __half(sqrtf((float)a)); }

// ---------------------------------------------------------------- comparisons

#define WW_HALF_COMPARE(name, op)                                                                                      \
    WW_DEVICE bool name(__half a, __half b) { return (float)a op(float) b; }                                           \
    WW_DEVICE bool operator op(const __half &a, const __half &b) { return (float)a op(float) b; }
WW_HALF_COMPARE(__heq, ==)
WW_HALF_COMPARE(__hlt, <)
WW_HALF_COMPARE(__hle, <=)
WW_HALF_COMPARE(__hgt, >)
WW_HALF_COMPARE(__hge, >=)
WW_DEVICE bool operator!=(const __half &a, const __half &b) { return !((float)a == (float)b); }
WW_DEVICE bool __hne(__half a, __half b) { return (float)a < (float)b || (float)a > (float)b; }
WW_DEVICE bool __hisnan(__half a) { return (a.ww_bits & 0x7fff) > 0x7c00; }

#define WW_HALF_OPERATOR(op, name, name2)                                                                              \
    WW_DEVICE __half operator op(const __half &a, const __half &b) { return name(a, b); }                              \
    WW_DEVICE __half &operator op##=(__half &a, const __half &b) { return a = name(a, b); }                            \
    WW_DEVICE __half2 operator op(const __half2 &a, const __half2 &b) { return name2(a, b); }                          \
    WW_DEVICE __half2 &operator op##=(__half2 &a, const __half2 &b) { return a = name2(a, b); }
WW_HALF_OPERATOR(+, __hadd, __hadd2)
WW_HALF_OPERATOR(-, __hsub, __hsub2)
WW_HALF_OPERATOR(*, __hmul, __hmul2)
WW_HALF_OPERATOR(/, __hdiv, __h2div)
WW_DEVICE __half operator-(const __half &a) { return __hneg(a); }

#undef WW_METHOD
#undef WW_FROM_HALF
#undef WW_HALF_2
#undef WW_HALF_COMPARE
#undef WW_HALF_OPERATOR
#endif
