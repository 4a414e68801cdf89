// Floating point: bit casts, conversions, and arithmetic that PTX has instructions for.
#ifndef WARPWISE_CLANG_FLOAT_INTRINSICS_H
#define WARPWISE_CLANG_FLOAT_INTRINSICS_H

// --------------------------------------------------------------------------------------------------- bit casts
#define WW_CAST(name, from, to)                                                                                        \
    WW_BOTH to name(from x)                                                                                            \
    {                                                                                                                  \
        return __builtin_bit_cast(to, x);                                                                              \
    }
WW_CAST(__float_as_int, float, int)
WW_CAST(__float_as_uint, float, unsigned int)
WW_CAST(__int_as_float, int, float)
WW_CAST(__uint_as_float, unsigned int, float)
WW_CAST(__double_as_longlong, double, long long)
WW_CAST(__longlong_as_double, long long, double)
#undef WW_CAST
WW_BOTH int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
WW_BOTH int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}
WW_BOTH double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

// ------------------------------------------------------------------------------------------------- conversions
// CUDA's name, clang's builtin, and the types, in each of the four roundings. Builtins rather than inline PTX, because
// clang does not unroll or move a loop's code around inline PTX.
#define WW_CONVERT_3(name, builtin, from, to)                                                                          \
    WW_DEVICE to __##name##_rn(from x)                                                                                 \
    {                                                                                                                  \
        return __nvvm_##builtin##_rn(x);                                                                               \
    }                                                                                                                  \
    WW_DEVICE to __##name##_ru(from x)                                                                                 \
    {                                                                                                                  \
        return __nvvm_##builtin##_rp(x);                                                                               \
    }                                                                                                                  \
    WW_DEVICE to __##name##_rd(from x)                                                                                 \
    {                                                                                                                  \
        return __nvvm_##builtin##_rm(x);                                                                               \
    }
#define WW_CONVERT(name, builtin, from, to)                                                                            \
    WW_CONVERT_3(name, builtin, from, to)                                                                              \
    WW_DEVICE to __##name##_rz(from x)                                                                                 \
    {                                                                                                                  \
        return __nvvm_##builtin##_rz(x);                                                                               \
    }
// LLVM takes the builtins that round an integer towards zero for those that round to the nearest number.
#define WW_FROM_INTEGER(name, builtin, from, to, types, out, in)                                                       \
    WW_CONVERT_3(name, builtin, from, to)                                                                              \
    WW_DEVICE to __##name##_rz(from x)                                                                                 \
    {                                                                                                                  \
        to y;                                                                                                          \
        asm("cvt.rz." types " %0, %1;" : out(y) : in(x));                                                              \
        return y;                                                                                                      \
    }
WW_CONVERT(float2int, f2i, float, int)
WW_CONVERT(float2uint, f2ui, float, unsigned int)
WW_CONVERT(float2ll, f2ll, float, long long)
WW_CONVERT(float2ull, f2ull, float, unsigned long long)
WW_CONVERT(double2int, d2i, double, int)
WW_CONVERT(double2uint, d2ui, double, unsigned int)
WW_CONVERT(double2ll, d2ll, double, long long)
WW_CONVERT(double2ull, d2ull, double, unsigned long long)
WW_FROM_INTEGER(int2float, i2f, int, float, "f32.s32", "=f", "r")
WW_FROM_INTEGER(uint2float, ui2f, unsigned int, float, "f32.u32", "=f", "r")
WW_FROM_INTEGER(ll2float, ll2f, long long, float, "f32.s64", "=f", "l")
WW_FROM_INTEGER(ull2float, ull2f, unsigned long long, float, "f32.u64", "=f", "l")
WW_FROM_INTEGER(ll2double, ll2d, long long, double, "f64.s64", "=d", "l")
WW_FROM_INTEGER(ull2double, ull2d, unsigned long long, double, "f64.u64", "=d", "l")
WW_CONVERT(double2float, d2f, double, float)
#undef WW_CONVERT
#undef WW_CONVERT_3
#undef WW_FROM_INTEGER
WW_BOTH double __int2double_rn(int x)
{
    return x;
}
WW_BOTH double __uint2double_rn(unsigned int x)
{
    return x;
}

// -------------------------------------------------------------------------------- arithmetic in given roundings
#define WW_TWO(name, mode, builtin, rounding, type, letter, sign)                                                      \
    WW_DEVICE type name##_##mode(type x, type y)                                                                       \
    {                                                                                                                  \
        return __nvvm_##builtin##_##rounding##_##letter(x, sign y);                                                    \
    }
#define WW_ONE(name, mode, builtin, rounding, type, letter)                                                            \
    WW_DEVICE type name##_##mode(type x)                                                                               \
    {                                                                                                                  \
        return __nvvm_##builtin##_##rounding##_##letter(x);                                                            \
    }
#define WW_FMA(name, mode, rounding, type, letter)                                                                     \
    WW_DEVICE type name##_##mode(type x, type y, type z)                                                               \
    {                                                                                                                  \
        return __nvvm_fma_##rounding##_##letter(x, y, z);                                                              \
    }
#define WW_SUMS(mode, rounding)                                                                                        \
    WW_TWO(__fadd, mode, add, rounding, float, f, +)                                                                   \
    WW_TWO(__fsub, mode, add, rounding, float, f, -)                                                                   \
    WW_TWO(__fmul, mode, mul, rounding, float, f, +)                                                                   \
    WW_TWO(__dadd, mode, add, rounding, double, d, +)                                                                  \
    WW_TWO(__dsub, mode, add, rounding, double, d, -)                                                                  \
    WW_TWO(__dmul, mode, mul, rounding, double, d, +)
// LLVM takes the builtins that round a sum or a product to the nearest number for + and *, and fuses them.
#define WW_NEAREST(name, instruction, type, letter)                                                                    \
    WW_DEVICE type name(type x, type y)                                                                                \
    {                                                                                                                  \
        type z;                                                                                                        \
        asm(instruction " %0, %1, %2;" : "=" letter(z) : letter(x), letter(y));                                        \
        return z;                                                                                                      \
    }
WW_NEAREST(__fadd_rn, "add.rn.f32", float, "f")
WW_NEAREST(__fsub_rn, "sub.rn.f32", float, "f")
WW_NEAREST(__fmul_rn, "mul.rn.f32", float, "f")
WW_NEAREST(__dadd_rn, "add.rn.f64", double, "d")
WW_NEAREST(__dsub_rn, "sub.rn.f64", double, "d")
WW_NEAREST(__dmul_rn, "mul.rn.f64", double, "d")
WW_SUMS(rz, rz)
WW_SUMS(ru, rp)
WW_SUMS(rd, rm)
#define WW_ARITHMETIC(mode, rounding)                                                                                  \
    WW_TWO(__fdiv, mode, div, rounding, float, f, +)                                                                   \
    WW_ONE(__frcp, mode, rcp, rounding, float, f)                                                                      \
    WW_ONE(__fsqrt, mode, sqrt, rounding, float, f)                                                                    \
    WW_FMA(__fmaf, mode, rounding, float, f)                                                                           \
    WW_TWO(__ddiv, mode, div, rounding, double, d, +)                                                                  \
    WW_ONE(__drcp, mode, rcp, rounding, double, d)                                                                     \
    WW_ONE(__dsqrt, mode, sqrt, rounding, double, d)                                                                   \
    WW_FMA(__fma, mode, rounding, double, d)
WW_ARITHMETIC(rn, rn)
WW_ARITHMETIC(rz, rz)
WW_ARITHMETIC(ru, rp)
WW_ARITHMETIC(rd, rm)
#undef WW_ARITHMETIC
#undef WW_SUMS
#undef WW_NEAREST
#undef WW_TWO
#undef WW_ONE
#undef WW_FMA

// ------------------------------------------------------------------------------------------ fast approximations
#define WW_APPROXIMATE(name, builtin)                                                                                  \
    WW_DEVICE float name(float x)                                                                                      \
    {                                                                                                                  \
        return __nvvm_##builtin(x);                                                                                    \
    }
WW_APPROXIMATE(ww_ex2, ex2_approx_f)
WW_APPROXIMATE(__log2f, lg2_approx_f)
WW_APPROXIMATE(__sinf, sin_approx_f)
WW_APPROXIMATE(__cosf, cos_approx_f)
WW_APPROXIMATE(__saturatef, saturate_f)
WW_APPROXIMATE(rsqrtf, rsqrt_approx_f)
#undef WW_APPROXIMATE
WW_DEVICE float __tanhf(float x)
{
    float y;
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
WW_DEVICE float __fdividef(float x, float y)
{
    return __nvvm_div_approx_f(x, y);
}
WW_DEVICE float __expf(float x)
{
    return ww_ex2(x * 1.44269504f); // log2(e)
}
WW_DEVICE float __exp10f(float x)
{
    return ww_ex2(x * 3.32192809f); // log2(10)
}
WW_DEVICE float __logf(float x)
{
    return __log2f(x) * 0.693147181f; // ln(2)
}
WW_DEVICE float __log10f(float x)
{
    return __log2f(x) * 0.301029996f; // log10(2)
}
WW_DEVICE float __tanf(float x)
{
    return __fdividef(__sinf(x), __cosf(x));
}
WW_DEVICE float __powf(float x, float y)
{
    return ww_ex2(__log2f(x) * y);
}
WW_DEVICE void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
WW_DEVICE double rsqrt(double x)
{
    return __nvvm_rsqrt_approx_d(x);
}
WW_DEVICE float __frsqrt_rn(float x)
{
    return (float)__drcp_rn(__dsqrt_rn((double)x)); // rounded twice: wrong only where 1/sqrt(x) lies within 2^-29 of a tie
}

#endif
