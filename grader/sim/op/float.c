// Executes float and double arithmetic for 32 lanes; float.def lists the handlers and their expressions. Rounding modes
// other than to nearest are rare. Handlers with a rounding mode other than to nearest set the host's rounding mode and
// compute lane by lane; they stand at the end of this file. The file float.c is compiled once for each level of host
// vector instructions (op/exec.h).
#include "sim/op/exec.h"

#include <fenv.h>

#include "sim/core/vector_level.h"
#include "sim/op/approx.h"

static inline f32 f32_from_bits(u32 bits)
{
    f32 v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline u32 f32_to_bits(f32 v)
{
    u32 bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline f32 f32_canon(f32 v)
{
    return v != v ? f32_from_bits(0x7fffffff) : v;
}

static inline f64 f64_canon(f64 v)
{
    return v != v ? approx_from_bits(0xfff8000000000000ull) : v;
}

// Returns v, or a zero with the sign of v if v is subnormal.
static inline f32 f32_flush(f32 v)
{
    u32 bits = f32_to_bits(v);
    return f32_from_bits(bits & 0x7f800000 ? bits : bits & 0x80000000);
}

static inline f32 f32_sign(f32 v, f32 zero)
{
    return zero == 0.0f ? zero : v;
}

// Returns the smaller of two floats. If one of the floats is a NaN, the function returns the other one; -0 counts as
// smaller than +0.
static inline f32 f32_min(f32 a, f32 b)
{
    f32 less = a < b ? a : b, tie = f32_from_bits(f32_to_bits(a) | f32_to_bits(b));
    f32 r = a == b ? tie : less;
    return a != a ? b : b != b ? a : r;
}

static inline f32 f32_max(f32 a, f32 b)
{
    f32 more = a > b ? a : b, tie = f32_from_bits(f32_to_bits(a) & f32_to_bits(b));
    f32 r = a == b ? tie : more;
    return a != a ? b : b != b ? a : r;
}

static inline f64 f64_min(f64 a, f64 b)
{
    f64 less = a < b ? a : b, tie = approx_from_bits(approx_bits(a) | approx_bits(b));
    f64 r = a == b ? tie : less;
    return a != a ? b : b != b ? a : r;
}

static inline f64 f64_max(f64 a, f64 b)
{
    f64 more = a > b ? a : b, tie = approx_from_bits(approx_bits(a) & approx_bits(b));
    f64 r = a == b ? tie : more;
    return a != a ? b : b != b ? a : r;
}

static inline f32 f32_xorsign(f32 magnitude, f32 a, f32 b)
{
    u32 sign = (f32_to_bits(a) ^ f32_to_bits(b)) & 0x80000000;
    return magnitude != magnitude ? f32_canon(magnitude) : f32_from_bits(f32_to_bits(magnitude) | sign);
}

// Defines the .ftz form of a handler, which flushes subnormal operands and a subnormal result of EXPR to zero.
#define FTZ1(OP, EXPR)                                                                                                 \
    EXEC_ALU(OP##_F32_FTZ, f32, const row_f32 *ra = ROW(f32, op->a);, const f32 a = f32_flush(ra[i]);                  \
             , f32_flush(f32_canon(EXPR)))
#define FTZ2(OP, EXPR)                                                                                                 \
    EXEC_ALU(OP##_F32_FTZ, f32, const row_f32 *ra = ROW(f32, op->a); const row_f32 *rb = ROW(f32, op->b);              \
             , const f32 a = f32_flush(ra[i]); const f32 b = f32_flush(rb[i]);, f32_flush(f32_canon(EXPR)))
#define FTZ3(OP, EXPR)                                                                                                 \
    EXEC_ALU(OP##_F32_FTZ, f32, const row_f32 *ra = ROW(f32, op->a); const row_f32 *rb = ROW(f32, op->b);              \
             const row_f32 *rc = ROW(f32, op->c);, const f32 a = f32_flush(ra[i]); const f32 b = f32_flush(rb[i]);     \
             const f32 c = f32_flush(rc[i]);, f32_flush(f32_canon(EXPR)))

#include "sim/op/float.def"

// If an instruction has no handler of its own for .ftz, .sat or .relu, hidden ops (not counted as instructions) apply
// the suffix to the operands or the result of the instruction's main op. The handlers cvt…FTZ,
// cvt…SAT and cvt…NAN execute the hidden ops for the suffixes .ftz, .sat and .relu, in this order.
ALU1(cvt, F32, FTZ, f32, f32, f32_flush(a))
ALU1(cvt, F32, SAT, f32, f32, !(a > 0.0f) ? 0.0f : a > 1.0f ? 1.0f : a)
ALU1(cvt, F64, SAT, f64, f64, !(a > 0.0) ? 0.0 : a > 1.0 ? 1.0 : a)
ALU1(cvt, F32, NAN, f32, f32, a != a ? a : !(a > 0.0f) ? 0.0f : a)

static int float_mode(uint32_t round)
{
    return round == PTX_RZ ? FE_TOWARDZERO : round == PTX_RM ? FE_DOWNWARD : round == PTX_RP ? FE_UPWARD : FE_TONEAREST;
}

// Defines a handler with a directed rounding mode. Volatile operands keep the compiler from moving the operation across
// the changes of the host's rounding mode.
#define DIRECTED(OP, TYPE, T, EXPR)                                                                                    \
    static void OP##_##TYPE##_DIRECTED(struct warp *w, const struct sim_op *op, uint32_t mask)                         \
    {                                                                                                                  \
        row_##T *d = ROW(T, op->d);                                                                                    \
        const row_##T *ra = ROW(T, op->a), *rb = ROW(T, op->b), *rc = ROW(T, op->c);                                   \
        int before = fegetround();                                                                                     \
        fesetround(float_mode(op->mode));                                                                              \
        for (int i = 0; i < WARP_LANES; i++) {                                                                         \
            if (!LANE_ON(mask, i)) continue;                                                                           \
            volatile T va = ra[i], vb = rb[i], vc = rc[i];                                                             \
            const T a = va, b = vb, c = vc;                                                                            \
            volatile T r = (EXPR);                                                                                     \
            (void)b, (void)c;                                                                                          \
            d[i] = T##_canon(r);                                                                                       \
        }                                                                                                              \
        fesetround(before);                                                                                            \
    }
#define DIRECTED_ALL(M)                                                                                                \
    M(add, F32, f32, a + b)                                                                                            \
    M(sub, F32, f32, a - b)                                                                                            \
    M(mul, F32, f32, a *b)                                                                                             \
    M(fma, F32, f32, __builtin_fmaf(a, b, c))                                                                          \
    M(div, F32, f32, a / b)                                                                                            \
    M(rcp, F32, f32, 1.0f / a)                                                                                         \
    M(sqrt, F32, f32, __builtin_sqrtf(a))                                                                              \
    M(add, F64, f64, a + b)                                                                                            \
    M(sub, F64, f64, a - b)                                                                                            \
    M(mul, F64, f64, a *b)                                                                                             \
    M(fma, F64, f64, __builtin_fma(a, b, c))                                                                           \
    M(div, F64, f64, a / b)                                                                                            \
    M(rcp, F64, f64, 1.0 / a)                                                                                          \
    M(sqrt, F64, f64, __builtin_sqrt(a))
DIRECTED_ALL(DIRECTED)

#undef ALU1
#undef ALU2
#undef ALU3
#undef FTZ1
#undef FTZ2
#undef FTZ3
#define ALU1(OP, TYPE, VARIANT, ...) ROWENTRY(OP, TYPE, VARIANT)
#define ALU2 ALU1
#define ALU3 ALU1
#define FTZ1(OP, EXPR) ROWENTRY(OP, F32, FTZ)
#define FTZ2 FTZ1
#define FTZ3 FTZ1
#define DIRECTED_ROW(OP, TYPE, T, EXPR) ROWENTRY(OP, TYPE, DIRECTED)
const struct sim_handler_row SIM_NAME(exec_float)[] = {
#include "sim/op/float.def"
    DIRECTED_ALL(DIRECTED_ROW) ROWENTRY(cvt, F32, FTZ) ROWENTRY(cvt, F32, SAT) ROWENTRY(cvt, F64, SAT)
        ROWENTRY(cvt, F32, NAN){0, NULL}};
