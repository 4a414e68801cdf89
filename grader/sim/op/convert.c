// Executes cvt for 32 lanes. Common pairs of source and destination type have handlers of their own, which compilers
// vectorise. For less common pairs of types, convert_lane() converts one lane at a time. The function convert_lane()
// converts the source exactly to a 128-bit integer or a double, and rounds that value once. The file convert.c is
// compiled once for each level of host vector instructions (op/exec.h).
#include "ptx/opcode.h"
#include "sim/op/exec.h"

#include <fenv.h>

#include "sim/core/half.h"
#include "sim/core/vector_level.h"

static inline f32 convert_f32(u32 bits)
{
    f32 v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline u32 convert_f32_bits(f32 v)
{
    u32 bits;
    memcpy(&bits, &v, sizeof bits);
    return v != v ? 0x7fffffff : bits;
}

static inline f32 convert_canon(f32 v)
{
    return v != v ? convert_f32(0x7fffffff) : v;
}

static inline f64 convert_canon64(f64 v)
{
    return v != v ? half_double(0xfff8000000000000ull) : v;
}

// Converts a float with an integral value to a signed 32-bit integer, with saturation; a NaN becomes 0. For doubles,
// convert_s32d() converts a NaN to INT32_MIN, as nan_to_lane() explains.
static inline s32 convert_s32(f32 v)
{
    return v >= 0x1p31f ? INT32_MAX : v >= -0x1p31f ? (s32)v : v != v ? 0 : INT32_MIN;
}

static inline u32 convert_u32(f32 v)
{
    return v >= 0x1p32f ? UINT32_MAX : v > 0.0f ? (u32)(s64)v : 0;
}

static inline s32 convert_s32d(f64 v)
{
    return v >= 0x1p31 ? INT32_MAX : v >= -0x1p31 ? (s32)v : INT32_MIN;
}

static int is_float(uint32_t t)
{
    return t == PTX_F16 || t == PTX_BF16 || t == PTX_F32 || t == PTX_F64;
}

static f64 lane_to_double(u64 bits, uint32_t t)
{
    if (t == PTX_F16) return f16_to(bits & 0xffff);
    if (t == PTX_BF16) return bf16_to(bits & 0xffff);
    if (t == PTX_F32) return (f64)convert_f32((u32)bits);
    return half_double(bits);
}

static s128 lane_to_integer(u64 bits, uint32_t t)
{
    switch (t) {
    case PTX_S8:
        return (s8)bits;
    case PTX_S16:
        return (s16)bits;
    case PTX_S32:
        return (s32)bits;
    case PTX_S64:
        return (s64)bits;
    case PTX_U8:
    case PTX_B8:
        return (u8)bits;
    case PTX_U16:
    case PTX_B16:
        return (u16)bits;
    case PTX_U32:
    case PTX_B32:
        return (u32)bits;
    default:
        return (s128)bits;
    }
}

static f64 round_to_integer(f64 v, uint32_t round)
{
    return round == PTX_RZI || round == PTX_RZ   ? __builtin_trunc(v)
           : round == PTX_RMI || round == PTX_RM ? __builtin_floor(v)
           : round == PTX_RPI || round == PTX_RP ? __builtin_ceil(v)
                                                 : __builtin_rint(v);
}

static u64 integer_to_lane(s128 v, uint32_t t, int saturate)
{
    static const struct {
        uint8_t bits, is_signed;
    } shape[PTX_TYPES] = {[PTX_U8] = {8, 0},   [PTX_B8] = {8, 0},   [PTX_S8] = {8, 1},   [PTX_U16] = {16, 0},
                          [PTX_B16] = {16, 0}, [PTX_S16] = {16, 1}, [PTX_U32] = {32, 0}, [PTX_B32] = {32, 0},
                          [PTX_S32] = {32, 1}, [PTX_U64] = {64, 0}, [PTX_B64] = {64, 0}, [PTX_S64] = {64, 1}};
    uint32_t bits = shape[t].bits ? shape[t].bits : 64;
    if (saturate) {
        s128 high = shape[t].is_signed ? ((s128)1 << (bits - 1)) - 1 : ((s128)1 << bits) - 1;
        s128 low = shape[t].is_signed ? -((s128)1 << (bits - 1)) : 0;
        v = v > high ? high : v < low ? low : v;
    }
    if (bits < 64) { // truncate to the type and extend by its sign
        u64 cut = (u64)v << (64 - bits);
        return shape[t].is_signed ? (u64)((s64)cut >> (64 - bits)) : cut >> (64 - bits);
    }
    return (u64)v;
}

// Returns the host's rounding mode (FE_…) that corresponds to a PTX rounding mode.
static int host_mode(uint32_t round)
{
    return round == PTX_RZ ? FE_TOWARDZERO : round == PTX_RM ? FE_DOWNWARD : round == PTX_RP ? FE_UPWARD : FE_TONEAREST;
}

static u64 double_to_lane(f64 v, uint32_t t, uint32_t round)
{
    if (t == PTX_F16) return f16_from(v, (int)round);
    if (t == PTX_BF16) return bf16_from(v, (int)round);
    if (t == PTX_F64) return half_bits(convert_canon64(v));
    volatile f64 in = v;
    volatile f32 out = (f32)in;
    return convert_f32_bits(out);
}

static u64 float_from_integer(s128 v, uint32_t t, uint32_t round)
{
    int negative = v < 0;
    u64 magnitude = (u64)(negative ? -v : v);
    if (t == PTX_F32 || t == PTX_F64) { // the host converts 64-bit integers in its own mode
        volatile s64 s = (s64)v;
        volatile u64 u = magnitude;
        volatile f64 d = t == PTX_F64 ? (negative ? (f64)s : (f64)u) : 0.0;
        volatile f32 f = t == PTX_F32 ? (negative ? (f32)s : (f32)u) : 0.0f;
        return t == PTX_F64 ? half_bits(d) : convert_f32_bits(f);
    }
    f64 d = (f64)(magnitude >> 11), low = (f64)(magnitude & 2047); // exact parts; the low one only needs to be sticky
    f64 sum = half_sum_odd(d * 2048.0, low);
    return double_to_lane(negative ? -sum : sum, t, round);
}

// Returns the integer to which cvt converts a NaN. A NaN becomes 0 if neither the source type nor the destination type
// has 64 bits, as the PTX ISA says. If the source type or the destination type has 64 bits, a NaN becomes an integer
// with only the sign bit set, as measured on an H200.
static u64 nan_to_lane(uint32_t to, uint32_t from)
{
    uint32_t bytes = ptx_type_bytes((enum ptx_type)to);
    if (bytes < 8 && from != PTX_F64) return 0;
    return (u64)1 << (8 * bytes - 1);
}

enum { CONVERT_ROUND = 15, CONVERT_SAT = 16, CONVERT_FTZ = 32, CONVERT_RELU = 64 };
// Converts the value of one lane between any two types. The argument `mode` combines the rounding mode and the flags
// CONVERT_*.
static u64 convert_lane(u64 bits, uint32_t to, uint32_t from, uint32_t mode)
{
    uint32_t round = mode & CONVERT_ROUND;
    if (!is_float(from)) {
        s128 v = lane_to_integer(bits, from);
        return is_float(to) ? float_from_integer(v, to, round) : integer_to_lane(v, to, mode & CONVERT_SAT);
    }
    f64 v = lane_to_double(bits, from);
    if ((mode & CONVERT_FTZ) && from == PTX_F32 && __builtin_fabs(v) < 0x1p-126) v = v * 0.0;
    if (!is_float(to)) {
        if (v != v) return nan_to_lane(to, from);
        v = round_to_integer(v, round);
        v = v > 0x1p64 ? 0x1p64 : v < -0x1p63 ? -0x1p63 : v;
        return integer_to_lane((s128)v, to, 1);
    }
    if (round >= PTX_RNI) v = round_to_integer(v, round);
    if (mode & CONVERT_RELU) v = v != v ? v : v > 0.0 ? v : 0.0;
    if (mode & CONVERT_SAT) v = !(v > 0.0) ? 0.0 : v > 1.0 ? 1.0 : v;
    u64 r = double_to_lane(v, to, round);
    if ((mode & CONVERT_FTZ) && to == PTX_F32 && !(r & 0x7f800000)) r &= 0x80000000;
    return r;
}

// Executes cvt between any two types. The fields op->b and op->c hold the types (enum ptx_type) of source and
// destination. The field op->f is 1 if the source register has 64 bits, and op->e is 1 if the destination register has
// 64 bits.
static void cvt_NONE_PLAIN(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const row_u32 *narrow = ROW(u32, op->a);
    const row_u64 *wide = ROW(u64, op->a);
    row_u32 *d32 = ROW(u32, op->d);
    row_u64 *d64 = ROW(u64, op->d);
    int before = fegetround();
    uint32_t round = op->mode & CONVERT_ROUND;
    if (round < PTX_RNI) fesetround(host_mode(round));
    u64 result[WARP_LANES];
    for (int i = 0; i < WARP_LANES; i++)
        result[i] = LANE_ON(mask, i) ? convert_lane(op->f ? wide[i] : narrow[i], op->c, op->b, op->mode) : 0;
    fesetround(before);
    for (int i = 0; i < WARP_LANES; i++) {
        if (!LANE_ON(mask, i)) continue;
        if (op->e)
            d64[i] = result[i];
        else
            d32[i] = (u32)result[i];
    }
}

// Executes cvt.rn.f16x2.f32 d, a, b: a becomes the upper half, b the lower half. The field op->c is PTX_F16 or
// PTX_BF16, the type of the two halves of d.
static void cvt_F16X2_PLAIN(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    row_u32 *d = ROW(u32, op->d);
    const row_u32 *ra = ROW(u32, op->a), *rb = ROW(u32, op->b);
    for (int i = 0; i < WARP_LANES; i++) {
        if (!LANE_ON(mask, i)) continue;
        u32 high = (u32)convert_lane(ra[i], op->c, PTX_F32, op->mode);
        u32 low = (u32)convert_lane(rb[i], op->c, PTX_F32, op->mode);
        d[i] = high << 16 | (low & 0xffff);
    }
}

// Lists the conversions between common pairs of types. Each line M(…) of the list CONVERTS has six arguments. The first
// three arguments of M(…) are the destination type, the source type and the rounding mode of the cvt. The other three
// arguments of M(…) are the C type of one lane's result, the C type of its source value a (exec.h), and the expression
// that converts a.
#define CONVERTS(M)                                                                                                    \
    M(U32, U8, 0, u32, u8, a)                                                                                          \
    M(U32, S8, 0, s32, s8, a)                                                                                          \
    M(U32, U16, 0, u32, u16, a)                                                                                        \
    M(U32, S16, 0, s32, s16, a)                                                                                        \
    M(U32, U32, 0, u32, u32, a)                                                                                        \
    M(U32, U64, 0, u32, u64, a)                                                                                        \
    M(U64, U8, 0, u64, u8, a)                                                                                          \
    M(U64, S8, 0, s64, s8, a)                                                                                          \
    M(U64, U16, 0, u64, u16, a)                                                                                        \
    M(U64, S16, 0, s64, s16, a)                                                                                        \
    M(U64, U32, 0, u64, u32, a)                                                                                        \
    M(U64, S32, 0, s64, s32, a)                                                                                        \
    M(U64, U64, 0, u64, u64, a)                                                                                        \
    M(F32, S32, 1, f32, s32, (f32)a)                                                                                   \
    M(F32, U32, 1, f32, u32, (f32)a)                                                                                   \
    M(F64, S32, 1, f64, s32, (f64)a)                                                                                   \
    M(F64, U32, 1, f64, u32, (f64)a)                                                                                   \
    M(F64, F32, 0, f64, f32, convert_canon64((f64)a))                                                                  \
    M(F32, F64, 1, f32, f64, convert_canon((f32)a))                                                                    \
    M(F32, F32, 6, f32, f32, convert_canon(__builtin_rintf(a)))                                                        \
    M(F32, F32, 7, f32, f32, convert_canon(__builtin_truncf(a)))                                                       \
    M(F32, F32, 8, f32, f32, convert_canon(__builtin_floorf(a)))                                                       \
    M(F32, F32, 9, f32, f32, convert_canon(__builtin_ceilf(a)))                                                        \
    M(S32, F32, 6, s32, f32, convert_s32(__builtin_rintf(a)))                                                          \
    M(S32, F32, 7, s32, f32, convert_s32(__builtin_truncf(a)))                                                         \
    M(S32, F32, 8, s32, f32, convert_s32(__builtin_floorf(a)))                                                         \
    M(S32, F32, 9, s32, f32, convert_s32(__builtin_ceilf(a)))                                                          \
    M(U32, F32, 7, u32, f32, convert_u32(__builtin_truncf(a)))                                                         \
    M(U32, F32, 8, u32, f32, convert_u32(__builtin_floorf(a)))                                                         \
    M(S32, F64, 7, s32, f64, convert_s32d(__builtin_trunc(a)))
_Static_assert(PTX_RN == 1 && PTX_RNI == 6 && PTX_RZI == 7 && PTX_RMI == 8 && PTX_RPI == 9, "the table's third column");

#define CONVERT(TO, FROM, ROUND, D, A, EXPR)                                                                           \
    EXEC_ALU(cvt_##TO##_##FROM##_##ROUND, D, const row_##A *ra = ROW(A, op->a);, const A a = (A)ra[i];, EXPR)
CONVERTS(CONVERT)

// Returns the bits of a float rounded to the 10 fraction bits of tf32, ties away from zero (PTX ISA 9.7.9.21). PTX
// leaves the low 13 bits and the NaNs open. The code that ptxas 13.0 makes for sm_80 and sm_90 clears the low 13 bits
// of every value, so that a NaN with no other bit in its fraction becomes an infinity.
static inline u32 convert_tf32(u32 bits)
{
    u32 is_finite = (bits & 0x7f800000) != 0x7f800000;
    return (bits + (is_finite ? 0x1000 : 0)) & 0xffffe000;
}

ALU1(cvt_tf32, F32, PLAIN, u32, u32, convert_tf32(a))

// Returns the low `bits` bits of v after saturation to an integer of that many bits, signed if `is_signed` is 1.
static inline u32 convert_narrow(s32 v, u32 bits, u32 is_signed)
{
    s32 high = (1 << (bits - is_signed)) - 1, low = is_signed ? -high - 1 : 0;
    return (u32)(v > high ? high : v < low ? low : v) & ((1u << bits) - 1);
}

// Returns the result of cvt.pack (PTX ISA 9.7.9.22): b in the lowest bits, a above b, and c above a. With 16 bits, a
// and b fill the result.
static inline u32 convert_pack(s32 a, s32 b, u32 c, u32 bits, u32 is_signed)
{
    u32 pair = convert_narrow(a, bits, is_signed) << bits | convert_narrow(b, bits, is_signed);
    return bits == 16 ? pair : pair | c << 2 * bits;
}

// Lists the forms of cvt.pack that append to c: M(type, its bits, 1 if it is signed).
#define PACKS(M)                                                                                                       \
    M(u2, 2, 0)                                                                                                        \
    M(s2, 2, 1)                                                                                                        \
    M(u4, 4, 0)                                                                                                        \
    M(s4, 4, 1)                                                                                                        \
    M(u8, 8, 0)                                                                                                        \
    M(s8, 8, 1)
#define PACK(TO, BITS, SIGNED) ALU3(cvt_pack_##TO, B32, PLAIN, u32, s32, s32, u32, convert_pack(a, b, c, BITS, SIGNED))
PACKS(PACK)
ALU2(cvt_pack_u16, NONE, PLAIN, u32, s32, s32, convert_pack(a, b, 0, 16, 0))
ALU2(cvt_pack_s16, NONE, PLAIN, u32, s32, s32, convert_pack(a, b, 0, 16, 1))

// If an instruction accesses a register through a type of another width, the cvt handlers B32, B64 and S64 move the
// value between a 32-bit and a 64-bit register.
ALU1(cvt, B32, PLAIN, u32, u64, a)
ALU1(cvt, B64, PLAIN, u64, u32, a)
ALU1(cvt, S64, PLAIN, s64, s32, a)
// The PLAIN handlers of mov pack elements into a register, and the HI handlers unpack one element; op->mode is the bit
// position of that element.
ALU2(mov, B64, PLAIN, u64, u32, u32, (u64)b << 32 | a)
ALU2(mov, B32, PLAIN, u32, u32, u32, b << 16 | (a & 0xffff))
ALU2(mov, B16, PLAIN, u32, u32, u32, (b & 255) << 8 | (a & 255))
ALU1(mov, B64, HI, u32, u64, a >> (op->mode & 63))
ALU1(mov, B32, HI, u32, u32, a >> (op->mode & 31) & 0xffff)
ALU1(mov, B16, HI, u32, u32, a >> (op->mode & 31) & 0xff)

#define CONVERT_ROW(TO, FROM, ROUND, D, A, EXPR)                                                                       \
    {SIM_KEY(PTX_OP_cvt, PTX_##TO, VARIANT_CVT + PTX_##FROM + PTX_TYPES * (ROUND ? ROUND == 1 ? 1 : ROUND - 4 : 0)),   \
     cvt_##TO##_##FROM##_##ROUND},
#define PACK_ROW(TO, BITS, SIGNED) ROWENTRY(cvt_pack_##TO, B32, PLAIN)
const struct sim_handler_row SIM_NAME(exec_convert)[] = {
    CONVERTS(CONVERT_ROW) ROWENTRY(cvt, NONE, PLAIN) ROWENTRY(cvt, F16X2, PLAIN) ROWENTRY(cvt, B32, PLAIN)
        ROWENTRY(cvt, B64, PLAIN) ROWENTRY(cvt, S64, PLAIN) ROWENTRY(mov, B64, PLAIN) ROWENTRY(mov, B32, PLAIN)
            ROWENTRY(mov, B16, PLAIN) ROWENTRY(mov, B64, HI) ROWENTRY(mov, B32, HI) ROWENTRY(mov, B16, HI)
                ROWENTRY(cvt_tf32, F32, PLAIN) PACKS(PACK_ROW) ROWENTRY(cvt_pack_u16, NONE, PLAIN)
                    ROWENTRY(cvt_pack_s16, NONE, PLAIN){0, NULL}};
