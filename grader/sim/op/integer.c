// Executes integer arithmetic and bit operations for 32 lanes; integer.def lists the handlers and their expressions.
// The file integer.c is compiled once for each level of host vector instructions (op/exec.h).
#include "sim/core/vector_level.h"
#include "sim/op/exec.h"

static inline s32 int_clamp32(s64 v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (s32)v;
}

// Returns the low 24 bits of v, sign-extended to 64 bits, because the product of two 24-bit numbers has 48 bits.
static inline s64 int_s24(s32 v)
{
    return (s32)((u32)v << 8) >> 8;
}

static inline u32 int_top(u32 v)
{
    return v ? 31 - (u32)__builtin_clz(v) : 0xffffffffu;
}

static inline u32 int_top64(u64 v)
{
    return v ? 63 - (u32)__builtin_clzll(v) : 0xffffffffu;
}

static inline u32 int_shift(u32 v)
{
    return v ? (u32)__builtin_clz(v) : 0xffffffffu;
}

static inline u32 int_shift64(u64 v)
{
    return v ? (u32)__builtin_clzll(v) : 0xffffffffu;
}

static inline u32 int_reverse(u32 v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}

static inline u32 int_pair(u32 low, u32 high)
{
    return (low & 0xffff) | high << 16;
}

// Returns the low n bits of a, with zeros above them (PTX ISA 9.7.1.21). The signed form, int_low_bits_signed(), fills
// the upper bits with copies of bit n - 1. Both int_low_bits() and int_low_bits_signed() return 0 if n is 0.
static inline u32 int_low_bits(u32 a, u32 n)
{
    return n > 31 ? a : a & ((1u << n) - 1);
}

static inline s32 int_low_bits_signed(u32 a, u32 n)
{
    return n > 31 ? (s32)a : n ? (s32)(a << (32 - n)) >> (32 - n) : 0;
}

// Returns the position of the n-th set bit of the mask at or above bit `base` (n > 0), or the -n-th at or below bit
// `base` (n < 0). With n = 0, the PTX instruction fns returns `base` if bit `base` is set (PTX ISA 9.7.1.17). If the
// mask does not have the set bit that fns looks for, int_fns() returns 0xffffffff.
static inline u32 int_fns(u32 mask, u32 base, s32 n)
{
    if (base > 31) return 0xffffffffu;
    if (!n) return mask >> base & 1 ? base : 0xffffffffu;
    for (s64 step = n < 0 ? -1 : 1, left = n < 0 ? -(s64)n : n, i = base; i >= 0 && i < 32; i += step)
        if (mask >> i & 1 && !--left) return (u32)i;
    return 0xffffffffu;
}

// Returns the bit field of a that begins at bit `b` and has `c` bits (PTX ISA 9.7.1.19). If `is_signed` is 1, the
// result's bits above the bit field are copies of the bit field's top bit. If `is_signed` is 1 and the bit field
// extends beyond the top bit of a, the result's upper bits are copies of a's top bit.
static inline u64 int_bfe(u64 a, u32 b, u32 c, u32 width, int is_signed)
{
    u32 position = b & 255, length = c & 255;
    u64 top = position + length > width ? width - 1 : position + length - 1;
    u64 sign = is_signed && length ? 0 - (a >> top & 1) : 0;
    u64 field = position < width ? a >> position : 0;
    u32 have = position < width ? width - position : 0;
    u32 kept = length < have ? length : have;
    u64 keep = kept > 63 ? ~(u64)0 : ((u64)1 << kept) - 1;
    return (field & keep) | (sign & ~keep);
}

static inline u64 int_bfi(u64 a, u64 b, u32 c, u32 d, u32 width)
{
    u32 position = c & 255, length = d & 255;
    if (position >= width) return b;
    u64 ones = length > 63 ? ~(u64)0 : ((u64)1 << length) - 1;
    ones <<= position;
    return (b & ~ones) | (a << position & ones);
}

static inline u32 int_lop3(u32 a, u32 b, u32 c, u32 table)
{
    u32 r = 0;
    r |= (0 - (table >> 0 & 1)) & ~a & ~b & ~c;
    r |= (0 - (table >> 1 & 1)) & ~a & ~b & c;
    r |= (0 - (table >> 2 & 1)) & ~a & b & ~c;
    r |= (0 - (table >> 3 & 1)) & ~a & b & c;
    r |= (0 - (table >> 4 & 1)) & a & ~b & ~c;
    r |= (0 - (table >> 5 & 1)) & a & ~b & c;
    r |= (0 - (table >> 6 & 1)) & a & b & ~c;
    r |= (0 - (table >> 7 & 1)) & a & b & c;
    return r;
}

static inline u32 int_prmt_byte(u64 bytes, u32 selector)
{
    u32 byte = (u32)(bytes >> 8 * (selector & 7)) & 255;
    return selector & 8 ? (byte & 128 ? 255 : 0) : byte;
}

static inline u32 int_prmt(u32 a, u32 b, u32 selector)
{
    u64 bytes = (u64)b << 32 | a;
    return int_prmt_byte(bytes, selector) | int_prmt_byte(bytes, selector >> 4) << 8 |
           int_prmt_byte(bytes, selector >> 8) << 16 | int_prmt_byte(bytes, selector >> 12) << 24;
}

// Returns the byte selector of prmt.b4e, which selects four bytes backwards from byte c: the bytes c, c - 1, c - 2 and
// c - 3, modulo 8.
static inline u32 int_b4e(u32 c)
{
    c &= 3;
    return c | ((c + 7) & 7) << 4 | ((c + 6) & 7) << 8 | ((c + 5) & 7) << 12;
}

// Returns the result of prmt.ecl (`left` is 1) or prmt.ecr (`left` is 0). Byte i of the result of prmt.ecl is byte
// max(i, c) of a; byte i of the result of prmt.ecr is byte min(i, c) of a.
static inline u32 int_clamp_bytes(u32 a, u32 c, int left)
{
    u32 r = 0;
    for (u32 i = 0; i < 4; i++) {
        u32 from = left ? (i > c ? i : c) : (i < c ? i : c);
        r |= (a >> 8 * from & 255) << 8 * i;
    }
    return r;
}

#include "sim/op/integer.def"

// Defines the handler of an addition or subtraction with carry. Bit 0 of op->mode is set if the op reads the carry, and
// bit 1 if it writes the carry. For each lane, one bit of the predicate op->e holds the carry of an addition or the
// borrow of a subtraction.
#define CARRY(OP, TYPE, VARIANT, T, SUM)                                                                               \
    static void OP##_##TYPE##_##VARIANT(struct warp *w, const struct sim_op *op, uint32_t mask)                        \
    {                                                                                                                  \
        row_##T *d = ROW(T, op->d);                                                                                    \
        const row_##T *ra = ROW(T, op->a), *rb = ROW(T, op->b), *rc = ROW(T, op->c);                                   \
        u32 *flags = warp_pred(w, op->e), in = op->mode & 1 ? *flags : 0, out = 0;                                     \
        for (u32 i = 0; i < WARP_LANES; i++) {                                                                         \
            if (!LANE_ON(mask, i)) continue;                                                                           \
            const T a = ra[i], b = rb[i], c = rc[i];                                                                   \
            u128 sum = (SUM);                                                                                          \
            (void)a, (void)b, (void)c;                                                                                 \
            d[i] = (T)sum;                                                                                             \
            out |= (u32)(sum >> (8 * sizeof(T)) & 1) << i;                                                             \
        }                                                                                                              \
        if (op->mode & 2) *flags = (*flags & ~mask) | out;                                                             \
    }
#define CARRIES(M)                                                                                                     \
    M(add, U32, CARRY, u32, (u128)a + b + LANE_ON(in, i))                                                              \
    M(add, U64, CARRY, u64, (u128)a + b + LANE_ON(in, i))                                                              \
    M(sub, U32, CARRY, u32, (u128)a - b - LANE_ON(in, i))                                                              \
    M(sub, U64, CARRY, u64, (u128)a - b - LANE_ON(in, i))                                                              \
    M(mad, U32, CARRY_LO, u32, (u128)(u32)(a * b) + c + LANE_ON(in, i))                                                \
    M(mad, U64, CARRY_LO, u64, (u128)(u64)(a * b) + c + LANE_ON(in, i))                                                \
    M(mad, U32, CARRY_HI, u32, (u128)(u32)((u64)a * b >> 32) + c + LANE_ON(in, i))                                     \
    M(mad, U64, CARRY_HI, u64, (u128)(u64)((u128)a * b >> 64) + c + LANE_ON(in, i))                                    \
    M(mad, S32, CARRY_HI, u32, (u128)(u32)((s64)(s32)a * (s32)b >> 32) + c + LANE_ON(in, i))                           \
    M(mad, S64, CARRY_HI, u64, (u128)(u64)((s128)(s64)a * (s64)b >> 64) + c + LANE_ON(in, i))
CARRIES(CARRY)

#undef ALU1
#undef ALU2
#undef ALU3
#undef ALU4
#define ALU1(OP, TYPE, VARIANT, ...) ROWENTRY(OP, TYPE, VARIANT)
#define ALU2 ALU1
#define ALU3 ALU1
#define ALU4 ALU1
const struct sim_handler_row SIM_NAME(exec_integer)[] = {
#include "sim/op/integer.def"
    CARRIES(ALU1){0, NULL}};
