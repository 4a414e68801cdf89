// Integer intrinsics and min, max, abs of integers.
#ifndef WARPWISE_CLANG_INTEGER_H
#define WARPWISE_CLANG_INTEGER_H

WW_BOTH int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}
WW_BOTH int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
WW_BOTH int __clz(int x)
{
    return x ? __builtin_clz((unsigned int)x) : 32;
}
WW_BOTH int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
WW_BOTH int __ffs(int x)
{
    return __builtin_ffs(x);
}
WW_BOTH int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
WW_BOTH unsigned int __brev(unsigned int x)
{
    return __builtin_bitreverse32(x);
}
WW_BOTH unsigned long long __brevll(unsigned long long x)
{
    return __builtin_bitreverse64(x);
}
WW_DEVICE unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector)
{
    return __nvvm_prmt(low, high, selector & 0x7777u);
}
WW_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    unsigned int place;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(place) : "r"(mask), "r"(base), "r"(offset));
    return place;
}
#define WW_FUNNEL(name, instruction)                                                                                   \
    WW_DEVICE unsigned int name(unsigned int low, unsigned int high, unsigned int shift)                               \
    {                                                                                                                  \
        unsigned int word;                                                                                             \
        asm(instruction " %0, %1, %2, %3;" : "=r"(word) : "r"(low), "r"(high), "r"(shift));                            \
        return word;                                                                                                   \
    }
WW_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
WW_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
WW_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
WW_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef WW_FUNNEL

// ---------------------------------------------------------------------------------------------------- products
WW_DEVICE int __mul24(int x, int y)
{
    return __nvvm_mul24_i(x, y);
}
WW_DEVICE unsigned int __umul24(unsigned int x, unsigned int y)
{
    return __nvvm_mul24_ui(x, y);
}
WW_BOTH int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}
WW_BOTH unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((unsigned long long)x * y >> 32);
}
WW_DEVICE long long __mul64hi(long long x, long long y)
{
    return __nvvm_mulhi_ll(x, y);
}
WW_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return __nvvm_mulhi_ull(x, y);
}
#define WW_DOT(name, instruction, type, bytes)                                                                         \
    WW_DEVICE type name(bytes a, bytes b, type sum)                                                                    \
    {                                                                                                                  \
        type result;                                                                                                   \
        asm(instruction " %0, %1, %2, %3;"                                                                             \
            : "=r"(result)                                                                                             \
            : "r"(__builtin_bit_cast(int, a)), "r"(__builtin_bit_cast(int, b)), "r"(sum));                             \
        return result;                                                                                                 \
    }
WW_DOT(__dp4a, "dp4a.s32.s32", int, int)
WW_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int)
WW_DOT(__dp4a, "dp4a.s32.s32", int, char4)
WW_DOT(__dp4a, "dp4a.u32.u32", unsigned int, uchar4)
WW_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int)
WW_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int)
WW_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int)
WW_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int)
#undef WW_DOT

// -------------------------------------------------------------------------------------- sums without overflow
WW_DEVICE unsigned int __sad(int x, int y, unsigned int z)
{
    return z + (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x);
}
WW_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return z + (x > y ? x - y : y - x);
}
WW_BOTH int __hadd(int x, int y)
{
    return (int)(((long long)x + y) >> 1);
}
WW_BOTH int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}
WW_BOTH unsigned int __uhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
WW_BOTH unsigned int __urhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

// ----------------------------------------------------------------------------------------------- min, max, abs
#define WW_MIN_MAX(a, b, result)                                                                                       \
    WW_BOTH constexpr result min(a x, b y)                                                                             \
    {                                                                                                                  \
        return (result)x < (result)y ? (result)x : (result)y;                                                          \
    }                                                                                                                  \
    WW_BOTH constexpr result max(a x, b y)                                                                             \
    {                                                                                                                  \
        return (result)x > (result)y ? (result)x : (result)y;                                                          \
    }
#define WW_MIN_MAX_MIXED(name)                                                                                         \
    WW_MIN_MAX(name, name, name)                                                                                       \
    WW_MIN_MAX(unsigned name, unsigned name, unsigned name)                                                            \
    WW_MIN_MAX(name, unsigned name, unsigned name)                                                                     \
    WW_MIN_MAX(unsigned name, name, unsigned name)
WW_MIN_MAX_MIXED(int)
WW_MIN_MAX_MIXED(long)
WW_MIN_MAX_MIXED(long long)
#undef WW_MIN_MAX_MIXED
#undef WW_MIN_MAX
// Not for host code alone (.cpp), where nvcc declares none of them and a program may have its own.
#ifdef WW_CPP
#define WW_LEAST static inline __device__ __attribute__((nodebug, always_inline))
#else
#define WW_LEAST WW_BOTH
#endif
WW_LEAST unsigned int umin(unsigned int x, unsigned int y)
{
    return x < y ? x : y;
}
WW_LEAST unsigned int umax(unsigned int x, unsigned int y)
{
    return x > y ? x : y;
}
WW_LEAST long long llmin(long long x, long long y)
{
    return x < y ? x : y;
}
WW_LEAST long long llmax(long long x, long long y)
{
    return x > y ? x : y;
}
WW_LEAST unsigned long long ullmin(unsigned long long x, unsigned long long y)
{
    return x < y ? x : y;
}
WW_LEAST unsigned long long ullmax(unsigned long long x, unsigned long long y)
{
    return x > y ? x : y;
}
WW_DEVICE int abs(int x)
{
    return __builtin_abs(x);
}
WW_DEVICE long abs(long x)
{
    return __builtin_labs(x);
}
WW_DEVICE long long abs(long long x)
{
    return __builtin_llabs(x);
}
WW_DEVICE long labs(long x)
{
    return __builtin_labs(x);
}
WW_DEVICE long long llabs(long long x)
{
    return __builtin_llabs(x);
}

#endif
