// Executes half-precision arithmetic for 32 lanes, for single halves and pairs of halves; half.h has the arithmetic of
// one number. The file half.c is compiled once for each level of host vector instructions (op/exec.h). Compilers
// vectorise little of this file's code, but its speed matters little, because courses use halves to save memory.
#include "sim/op/exec.h"

#include "sim/core/half.h"
#include "sim/core/vector_level.h"
#include "sim/op/approx.h"

#define PAIR1(F) ((u32)(u16)(F(a & 0xffff)) | (u32)(F(a >> 16)) << 16)
#define PAIR2(F) ((u32)(u16)(F(a & 0xffff, b & 0xffff)) | (u32)(F(a >> 16, b >> 16)) << 16)
#define PAIR3(F) ((u32)(u16)(F(a & 0xffff, b & 0xffff, c & 0xffff)) | (u32)(F(a >> 16, b >> 16, c >> 16)) << 16)

static inline u32 f16_max_nan(u32 a, u32 b)
{
    return f16_nan(a, b, f16_max(a, b));
}

static inline u32 f16_min_nan(u32 a, u32 b)
{
    return f16_nan(a, b, f16_min(a, b));
}

static inline u32 bf16_max_nan(u32 a, u32 b)
{
    return bf16_nan(a, b, bf16_max(a, b));
}

static inline u32 bf16_min_nan(u32 a, u32 b)
{
    return bf16_nan(a, b, bf16_min(a, b));
}

// Defines the .xorsign form of the minimum or maximum F. The .xorsign form computes the minimum or maximum of |a| and
// |b|, and gives the result the exclusive or of the signs of a and b as its sign.
#define HALF_XORSIGN(F)                                                                                                \
    static inline u32 F##_xorsign(u32 a, u32 b)                                                                        \
    {                                                                                                                  \
        u32 r = F(a & 0x7fff, b & 0x7fff);                                                                             \
        return r == HALF_NAN ? r : r | ((a ^ b) & 0x8000);                                                             \
    }
HALF_XORSIGN(f16_min)
HALF_XORSIGN(f16_max)
HALF_XORSIGN(f16_min_nan)
HALF_XORSIGN(f16_max_nan)
HALF_XORSIGN(bf16_min)
HALF_XORSIGN(bf16_max)
HALF_XORSIGN(bf16_min_nan)
HALF_XORSIGN(bf16_max_nan)

static inline u32 half_neg(u32 a)
{
    return a ^ 0x8000;
}

static inline u32 half_abs(u32 a)
{
    return a & 0x7fff;
}

static inline u32 f16_ex2(u32 a)
{
    return f16_from(approx_ex2(f16_to(a)), PTX_RN);
}

static inline u32 bf16_ex2(u32 a)
{
    return bf16_from(approx_ex2(bf16_to(a)), PTX_RN);
}

static inline u32 f16_tanh(u32 a)
{
    return f16_from(approx_tanh(f16_to(a)), PTX_RN);
}

static inline u32 bf16_tanh(u32 a)
{
    return bf16_from(approx_tanh(bf16_to(a)), PTX_RN);
}

// Returns a, or a zero with the sign of a if a is a subnormal f16 (.ftz). The type bf16 has no .ftz.
static inline u32 f16_flush(u32 a)
{
    return a & 0x7c00 ? a : a & 0x8000;
}

static inline u32 f16_sat(u32 a)
{
    double v = f16_to(a);
    return !(v > 0.0) ? 0 : v > 1.0 ? 0x3c00 : a;
}

static inline u32 bf16_sat(u32 a)
{
    double v = bf16_to(a);
    return !(v > 0.0) ? 0 : v > 1.0 ? 0x3f80 : a;
}

static inline u32 f16_relu(u32 a)
{
    double v = f16_to(a);
    return v != v ? HALF_NAN : v > 0.0 ? a : 0;
}

static inline u32 bf16_relu(u32 a)
{
    double v = bf16_to(a);
    return v != v ? HALF_NAN : v > 0.0 ? a : 0;
}

#define HALF_ALL(M1, M2, M3)                                                                                           \
    M2(add, F16, PLAIN, f16_add)                                                                                       \
    M2(sub, F16, PLAIN, f16_sub)                                                                                       \
    M2(mul, F16, PLAIN, f16_mul)                                                                                       \
    M2(min, F16, PLAIN, f16_min)                                                                                       \
    M2(max, F16, PLAIN, f16_max)                                                                                       \
    M2(min, F16, NAN, f16_min_nan)                                                                                     \
    M2(min, F16, XORSIGN, f16_min_xorsign)                                                                             \
    M2(max, F16, XORSIGN, f16_max_xorsign)                                                                             \
    M2(min, F16, NAN_XORSIGN, f16_min_nan_xorsign)                                                                     \
    M2(max, F16, NAN_XORSIGN, f16_max_nan_xorsign)                                                                     \
    M2(max, F16, NAN, f16_max_nan)                                                                                     \
    M3(fma, F16, PLAIN, f16_fma)                                                                                       \
    M1(neg, F16, PLAIN, half_neg)                                                                                      \
    M1(abs, F16, PLAIN, half_abs)                                                                                      \
    M1(ex2, F16, PLAIN, f16_ex2)                                                                                       \
    M1(tanh, F16, PLAIN, f16_tanh)                                                                                     \
    M1(cvt, F16, FTZ, f16_flush)                                                                                       \
    M1(cvt, F16, SAT, f16_sat)                                                                                         \
    M1(cvt, F16, NAN, f16_relu)                                                                                        \
    M2(add, BF16, PLAIN, bf16_add)                                                                                     \
    M2(sub, BF16, PLAIN, bf16_sub)                                                                                     \
    M2(mul, BF16, PLAIN, bf16_mul)                                                                                     \
    M2(min, BF16, PLAIN, bf16_min)                                                                                     \
    M2(max, BF16, PLAIN, bf16_max)                                                                                     \
    M2(min, BF16, NAN, bf16_min_nan)                                                                                   \
    M2(min, BF16, XORSIGN, bf16_min_xorsign)                                                                           \
    M2(max, BF16, XORSIGN, bf16_max_xorsign)                                                                           \
    M2(min, BF16, NAN_XORSIGN, bf16_min_nan_xorsign)                                                                   \
    M2(max, BF16, NAN_XORSIGN, bf16_max_nan_xorsign)                                                                   \
    M2(max, BF16, NAN, bf16_max_nan)                                                                                   \
    M3(fma, BF16, PLAIN, bf16_fma)                                                                                     \
    M1(neg, BF16, PLAIN, half_neg)                                                                                     \
    M1(abs, BF16, PLAIN, half_abs)                                                                                     \
    M1(ex2, BF16, PLAIN, bf16_ex2)                                                                                     \
    M1(tanh, BF16, PLAIN, bf16_tanh)                                                                                   \
    M1(cvt, BF16, SAT, bf16_sat)                                                                                       \
    M1(cvt, BF16, NAN, bf16_relu)

#define HALF1(OP, T, V, F)                                                                                             \
    ALU1(OP, T, V, u32, u32, F(a & 0xffff))                                                                            \
    ALU1(OP, T##X2, V, u32, u32, PAIR1(F))
#define HALF2(OP, T, V, F)                                                                                             \
    ALU2(OP, T, V, u32, u32, u32, F(a & 0xffff, b & 0xffff))                                                           \
    ALU2(OP, T##X2, V, u32, u32, u32, PAIR2(F))
#define HALF3(OP, T, V, F)                                                                                             \
    ALU3(OP, T, V, u32, u32, u32, u32, F(a & 0xffff, b & 0xffff, c & 0xffff))                                          \
    ALU3(OP, T##X2, V, u32, u32, u32, u32, PAIR3(F))
HALF_ALL(HALF1, HALF2, HALF3)

#define HALF_ROW(OP, T, V, F) ROWENTRY(OP, T, V) ROWENTRY(OP, T##X2, V)
const struct sim_handler_row SIM_NAME(exec_half)[] = {HALF_ALL(HALF_ROW, HALF_ROW, HALF_ROW){0, NULL}};
