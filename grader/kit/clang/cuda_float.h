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
// CUDA's name, types, and PTX's name of the types; in each of the four roundings.
#define WW_CONVERT(name, from, to, types, out, in, rounding)                                                           \
    WW_DEVICE to name(from x)                                                                                          \
    {                                                                                                                  \
        to y;                                                                                                          \
        asm("cvt." rounding "." types " %0, %1;" : out(y) : in(x));                                                    \
        return y;                                                                                                      \
    }
#define WW_TO_INTEGER(name, from, to, types, out, in)                                                                  \
    WW_CONVERT(__##name##_rn, from, to, types, out, in, "rni")                                                         \
    WW_CONVERT(__##name##_rz, from, to, types, out, in, "rzi")                                                         \
    WW_CONVERT(__##name##_ru, from, to, types, out, in, "rpi")                                                         \
    WW_CONVERT(__##name##_rd, from, to, types, out, in, "rmi")
#define WW_TO_FLOAT(name, from, to, types, out, in)                                                                    \
    WW_CONVERT(__##name##_rn, from, to, types, out, in, "rn")                                                          \
    WW_CONVERT(__##name##_rz, from, to, types, out, in, "rz")                                                          \
    WW_CONVERT(__##name##_ru, from, to, types, out, in, "rp")                                                          \
    WW_CONVERT(__##name##_rd, from, to, types, out, in, "rm")
WW_TO_INTEGER(float2int, float, int, "s32.f32", "=r", "f")
WW_TO_INTEGER(float2uint, float, unsigned int, "u32.f32", "=r", "f")
WW_TO_INTEGER(float2ll, float, long long, "s64.f32", "=l", "f")
WW_TO_INTEGER(float2ull, float, unsigned long long, "u64.f32", "=l", "f")
WW_TO_INTEGER(double2int, double, int, "s32.f64", "=r", "d")
WW_TO_INTEGER(double2uint, double, unsigned int, "u32.f64", "=r", "d")
WW_TO_INTEGER(double2ll, double, long long, "s64.f64", "=l", "d")
WW_TO_INTEGER(double2ull, double, unsigned long long, "u64.f64", "=l", "d")
WW_TO_FLOAT(int2float, int, float, "f32.s32", "=f", "r")
WW_TO_FLOAT(uint2float, unsigned int, float, "f32.u32", "=f", "r")
WW_TO_FLOAT(ll2float, long long, float, "f32.s64", "=f", "l")
WW_TO_FLOAT(ull2float, unsigned long long, float, "f32.u64", "=f", "l")
WW_TO_FLOAT(ll2double, long long, double, "f64.s64", "=d", "l")
WW_TO_FLOAT(ull2double, unsigned long long, double, "f64.u64", "=d", "l")
WW_TO_FLOAT(double2float, double, float, "f32.f64", "=f", "d")
#undef WW_TO_INTEGER
#undef WW_TO_FLOAT
WW_BOTH double __int2double_rn(int x)
{
    return x;
}
WW_BOTH double __uint2double_rn(unsigned int x)
{
    return x;
}

// -------------------------------------------------------------------------------- arithmetic in given roundings
#define WW_ROUNDINGS(pattern)                                                                                          \
    pattern(rn, "rn") pattern(rz, "rz") pattern(ru, "rp") pattern(rd, "rm")
#define WW_TWO(name, mode, instruction, rounding, type, letter, size)                                                  \
    WW_DEVICE type name##_##mode(type x, type y)                                                                       \
    {                                                                                                                  \
        type z;                                                                                                        \
        asm(instruction "." rounding "." size " %0, %1, %2;" : "=" letter(z) : letter(x), letter(y));                  \
        return z;                                                                                                      \
    }
#define WW_ONE(name, mode, instruction, rounding, type, letter, size)                                                  \
    WW_DEVICE type name##_##mode(type x)                                                                               \
    {                                                                                                                  \
        type z;                                                                                                        \
        asm(instruction "." rounding "." size " %0, %1;" : "=" letter(z) : letter(x));                                 \
        return z;                                                                                                      \
    }
#define WW_FMA(name, mode, rounding, type, letter, size)                                                               \
    WW_DEVICE type name##_##mode(type x, type y, type z)                                                               \
    {                                                                                                                  \
        type w;                                                                                                        \
        asm("fma." rounding "." size " %0, %1, %2, %3;" : "=" letter(w) : letter(x), letter(y), letter(z));            \
        return w;                                                                                                      \
    }
#define WW_ARITHMETIC(mode, rounding)                                                                                  \
    WW_TWO(__fadd, mode, "add", rounding, float, "f", "f32")                                                           \
    WW_TWO(__fsub, mode, "sub", rounding, float, "f", "f32")                                                           \
    WW_TWO(__fmul, mode, "mul", rounding, float, "f", "f32")                                                           \
    WW_TWO(__fdiv, mode, "div", rounding, float, "f", "f32")                                                           \
    WW_ONE(__frcp, mode, "rcp", rounding, float, "f", "f32")                                                           \
    WW_ONE(__fsqrt, mode, "sqrt", rounding, float, "f", "f32")                                                         \
    WW_FMA(__fmaf, mode, rounding, float, "f", "f32")                                                                  \
    WW_TWO(__dadd, mode, "add", rounding, double, "d", "f64")                                                          \
    WW_TWO(__dsub, mode, "sub", rounding, double, "d", "f64")                                                          \
    WW_TWO(__dmul, mode, "mul", rounding, double, "d", "f64")                                                          \
    WW_TWO(__ddiv, mode, "div", rounding, double, "d", "f64")                                                          \
    WW_ONE(__drcp, mode, "rcp", rounding, double, "d", "f64")                                                          \
    WW_ONE(__dsqrt, mode, "sqrt", rounding, double, "d", "f64")                                                        \
    WW_FMA(__fma, mode, rounding, double, "d", "f64")
WW_ROUNDINGS(WW_ARITHMETIC)
#undef WW_ARITHMETIC
#undef WW_ROUNDINGS
#undef WW_TWO
#undef WW_ONE
#undef WW_FMA
#undef WW_CONVERT

// ------------------------------------------------------------------------------------------ fast approximations
#define WW_APPROXIMATE(name, instruction)                                                                              \
    WW_DEVICE float name(float x)                                                                                      \
    {                                                                                                                  \
        float y;                                                                                                       \
        asm(instruction " %0, %1;" : "=f"(y) : "f"(x));                                                                \
        return y;                                                                                                      \
    }
WW_APPROXIMATE(ww_ex2, "ex2.approx.f32")
WW_APPROXIMATE(__log2f, "lg2.approx.f32")
WW_APPROXIMATE(__sinf, "sin.approx.f32")
WW_APPROXIMATE(__cosf, "cos.approx.f32")
WW_APPROXIMATE(__tanhf, "tanh.approx.f32")
WW_APPROXIMATE(__saturatef, "cvt.sat.f32.f32")
WW_APPROXIMATE(rsqrtf, "rsqrt.approx.f32")
#undef WW_APPROXIMATE
WW_DEVICE float __fdividef(float x, float y)
{
    float z;
    asm("div.approx.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
    return z;
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
    double y;
    asm("rsqrt.approx.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}
WW_DEVICE float __frsqrt_rn(float x)
{
    return (float)__drcp_rn(__dsqrt_rn((double)x)); // rounded twice: wrong only where 1/sqrt(x) lies within 2^-29 of a tie
}

#endif
