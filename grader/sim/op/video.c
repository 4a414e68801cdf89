// Executes PTX's video instructions (PTX ISA 9.7.18). A source word of a video instruction is one number, two
// half-words or four bytes, with the signedness of the source types. A video instruction combines the corresponding
// parts of the source words a and b and, with .sat, saturates the results to the result's type. Without a second
// operation, the results for all parts (the number, the half-words or the bytes) form the result word. A video
// instruction on half-words or bytes can instead add up the results for its parts and the source word c. A video
// instruction on one number can combine its result with c by add, min or max. One function, video(), serves all video
// instructions but vmad, which are too rare for a loop of their own. The function video_mad() serves vmad, which
// multiplies two numbers and adds c.
#include "sim/core/vector_level.h"
#include "sim/op/exec.h"

enum video_op {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_AVRG,
    VIDEO_ABSDIFF,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_SHL,
    VIDEO_SHR,
    VIDEO_SET
};

// Returns part `i` of a word that holds 32 / bits parts of `bits` bits each.
static inline s64 video_part(u32 word, u32 bits, u32 i, u32 is_signed)
{
    u32 shifted = word << (32 - bits * (i + 1));
    return is_signed ? (s32)shifted >> (32 - bits) : (s64)(shifted >> (32 - bits));
}

static inline s64 video_limited(s64 v, u32 bits, u32 is_signed)
{
    s64 high = ((s64)1 << (bits - is_signed)) - 1, low = is_signed ? -high - 1 : 0;
    return v > high ? high : v < low ? low : v;
}

static inline s64 video_compare(s64 a, s64 b, u32 cmp)
{
    switch (cmp) {
    case PTX_EQ:
        return a == b;
    case PTX_NE:
        return a != b;
    case PTX_LT:
        return a < b;
    case PTX_LE:
        return a <= b;
    case PTX_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static inline s64 video_combine(enum video_op what, s64 a, s64 b, u32 how)
{
    s64 shift = how & VIDEO_WRAP ? b & 31 : b > 32 ? 32 : b;
    switch (what) {
    case VIDEO_ADD:
        return a + b;
    case VIDEO_SUB:
        return a - b;
    case VIDEO_AVRG:
        return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_ABSDIFF:
        return a > b ? a - b : b - a;
    case VIDEO_MIN:
        return a < b ? a : b;
    case VIDEO_MAX:
        return a > b ? a : b;
    case VIDEO_SHL:
        return (s64)((u64)a << shift);
    case VIDEO_SHR:
        return a >> shift;
    default:
        return video_compare(a, b, how / VIDEO_CMP);
    }
}

// Returns the result of the second operation of a scalar video instruction, which combines the first operation's result
// with c.
static inline u32 video_second(u32 first, u32 c, u32 second, u32 is_signed)
{
    int less = is_signed ? (s32)first < (s32)c : first < c;
    switch (second) {
    case PTX_ATOM_ADD:
        return first + c;
    case PTX_ATOM_MIN:
        return less ? first : c;
    case PTX_ATOM_MAX:
        return less ? c : first;
    default:
        return first;
    }
}

static inline u32 video(enum video_op what, u32 parts, u32 a, u32 b, u32 c, u32 how)
{
    u32 bits = 32 / parts, second = how / VIDEO_SECOND & 255, result = 0, sum = c;
    for (u32 i = 0; i < parts; i++) {
        s64 t = video_combine(what, video_part(a, bits, i, !!(how & VIDEO_A_SIGNED)),
                              video_part(b, bits, i, !!(how & VIDEO_B_SIGNED)), how);
        if (how & VIDEO_SAT) t = video_limited(t, bits, !!(how & VIDEO_D_SIGNED));
        result |= ((u32)t & (u32)(0xffffffffu >> (32 - bits))) << bits * i;
        sum += (u32)t;
    }
    if (parts == 1) return video_second(result, c, second, how & VIDEO_D_SIGNED);
    return second ? sum : result;
}

// Returns the result of vmad. Bit 0 of `mode` is added to a * b + c, and the bits above it are the amount by which the
// sum is shifted right. The sum is signed if a or b is signed, and c with it; the type of the result does not matter
// (PTX ISA 9.7.18.1.3).
static inline u32 video_mad(u32 a, u32 b, u32 c, u32 how, u32 mode)
{
    u32 is_signed = (how & (VIDEO_A_SIGNED | VIDEO_B_SIGNED)) != 0, shift = mode >> 1;
    u64 product =
        (u64)video_part(a, 32, 0, !!(how & VIDEO_A_SIGNED)) * (u64)video_part(b, 32, 0, !!(how & VIDEO_B_SIGNED));
    u64 sum = product + (u64)video_part(c, 32, 0, is_signed) + (mode & 1);
    if (is_signed) {
        s64 scaled = (s64)sum >> shift;
        return (u32)(how & VIDEO_SAT ? video_limited(scaled, 32, 1) : scaled);
    }
    u64 scaled = sum >> shift;
    return how & VIDEO_SAT && scaled > UINT32_MAX ? UINT32_MAX : (u32)scaled;
}

#define VIDEO_ALL(M)                                                                                                   \
    M(vadd, VIDEO_ADD, 1)                                                                                              \
    M(vsub, VIDEO_SUB, 1)                                                                                              \
    M(vabsdiff, VIDEO_ABSDIFF, 1)                                                                                      \
    M(vmin, VIDEO_MIN, 1)                                                                                              \
    M(vmax, VIDEO_MAX, 1)                                                                                              \
    M(vshl, VIDEO_SHL, 1)                                                                                              \
    M(vshr, VIDEO_SHR, 1)                                                                                              \
    M(vset, VIDEO_SET, 1)                                                                                              \
    M(vadd2, VIDEO_ADD, 2)                                                                                             \
    M(vsub2, VIDEO_SUB, 2)                                                                                             \
    M(vavrg2, VIDEO_AVRG, 2)                                                                                           \
    M(vabsdiff2, VIDEO_ABSDIFF, 2)                                                                                     \
    M(vmin2, VIDEO_MIN, 2)                                                                                             \
    M(vmax2, VIDEO_MAX, 2)                                                                                             \
    M(vset2, VIDEO_SET, 2)                                                                                             \
    M(vadd4, VIDEO_ADD, 4)                                                                                             \
    M(vsub4, VIDEO_SUB, 4)                                                                                             \
    M(vavrg4, VIDEO_AVRG, 4)                                                                                           \
    M(vabsdiff4, VIDEO_ABSDIFF, 4)                                                                                     \
    M(vmin4, VIDEO_MIN, 4)                                                                                             \
    M(vmax4, VIDEO_MAX, 4)                                                                                             \
    M(vset4, VIDEO_SET, 4)

#define VIDEO_BODY(OP, WHAT, PARTS) ALU3(OP, U32, PLAIN, u32, u32, u32, u32, video(WHAT, PARTS, a, b, c, op->side))
VIDEO_ALL(VIDEO_BODY)
ALU3(vmad, U32, PLAIN, u32, u32, u32, u32, video_mad(a, b, c, op->side, op->mode))

#define VIDEO_ROW(OP, WHAT, PARTS) ROWENTRY(OP, U32, PLAIN)
const struct sim_handler_row SIM_NAME(exec_video)[] = {VIDEO_ALL(VIDEO_ROW) ROWENTRY(vmad, U32, PLAIN){0, NULL}};
