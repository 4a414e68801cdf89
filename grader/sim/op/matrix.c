// Matrices of 8 x 8 elements of 16 bits, spread over the registers of a warp: movmatrix (PTX
// ISA 9.7.14.5).
//
// A fragment holds a matrix in one 32-bit register a lane: lane 4 r + c has the elements (r, 2 c) and (r, 2 c + 1), the
// former in its low half. Undefined bits move as the elements do, so that one function serves values and definedness.
#include "sim/machine/undef.h"
#include "sim/op/lower.h"

enum { ROWS = 8, WORDS = 4 }; // of a matrix: rows, and words of 32 bits in each

// Returns the fragment's element of a lane; `matrix` holds the rows, one behind the other.
static uint32_t fragment(const uint32_t matrix[ROWS * WORDS], uint32_t lane, int transposed)
{
    uint32_t r = lane / WORDS, c = lane % WORDS;
    if (!transposed) return matrix[lane];
    uint32_t low = matrix[2 * c * WORDS + r / 2] >> r % 2 * 16 & 0xffff;
    uint32_t high = matrix[(2 * c + 1) * WORDS + r / 2] >> r % 2 * 16 & 0xffff;
    return high << 16 | low;
}

// Reads the undefined bits of a register, a word a lane. Returns 0 if there are none.
static int undefined_bits(const struct warp *w, uint32_t reg, uint32_t bits[WARP_LANES])
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) any |= bits[i] = (uint32_t)undef_bits(w, reg, i);
    return any != 0;
}

static struct sim_undefined unwritten(uint32_t bits)
{
    return (struct sim_undefined){.bits = bits, .op = UINT32_MAX, .symbol = -1, .space = SPACE_REGISTER};
}

static void set_undefined(struct warp *w, uint32_t reg, uint32_t lane, uint32_t bits)
{
    struct sim_undefined value = unwritten(bits);
    undef_set_value(w, reg, lane, &value);
}

// ---------------------------------------------------------------- movmatrix

static void transpose(struct warp *w, const struct exchange *x)
{
    const struct sim_op *op = x->part[0].op;
    const uint32_t *use = &w->plan->use[op->regs + 1];
    uint32_t bits[WARP_LANES], result[WARP_LANES], undefined = w->nundef && undefined_bits(w, use[0], bits);
    for (uint32_t i = 0; i < WARP_LANES; i++) result[i] = fragment(warp_row(w, op->a), i, 1);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        warp_row(w, op->d)[i] = result[i];
        if (undefined) set_undefined(w, use[1], i, fragment(bits, i, 1));
    }
}

void lower_transpose_matrix(struct lower *l, const struct ptx_inst *i)
{
    struct ref src = lower_source(l, &i->operand[1], 4), dst = lower_dest(l, &i->operand[0], 4, 0);
    lower_exchange(l, i, transpose, lower_constant(l, ALL_LANES, 4), &src, 1, &dst, 1);
}
