// Executes and lowers movmatrix, ldmatrix and stmatrix, which move matrices of 8 x 8 elements of 16 bits that are
// spread over a warp's registers (PTX ISA 9.7.14.5).
//
// A fragment holds a matrix in one 32-bit register per lane. In a fragment, lane 4 r + c has the matrix elements (r, 2
// c) and (r, 2 c + 1), the first of the two in its low half. Undefined bits move as the matrix elements do, so the
// function fragment() moves both values and undefined bits.
#include <string.h>

#include "ptx/ptx.h"
#include "sim/machine/access.h"
#include "sim/machine/undef.h"
#include "sim/op/exec.h"
#include "sim/op/lower.h"

enum { ROWS = 8, WORDS = 4 }; // rows of a matrix, 32-bit words of a row

// Returns the value of one lane's register in the fragment of a matrix. The array `matrix` holds the rows of the
// matrix, one after the other.
static uint32_t fragment(const uint32_t matrix[ROWS * WORDS], uint32_t lane, int transposed)
{
    uint32_t r = lane / WORDS, c = lane % WORDS;
    if (!transposed) return matrix[lane];
    uint32_t low = matrix[2 * c * WORDS + r / 2] >> r % 2 * 16 & 0xffff;
    uint32_t high = matrix[(2 * c + 1) * WORDS + r / 2] >> r % 2 * 16 & 0xffff;
    return high << 16 | low;
}

// Reads the undefined bits of a register into `bits`, one word per lane. Returns 0 if no bit of the register is
// undefined.
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

// ---------------------------------------------------------------- ldmatrix

enum { MATRICES_MOST = 4 };

// Holds matrices in the layout of a memory access: word[c][8 k + r] is word c of row r of matrix k. Lane 8 k + r
// supplies the address of row r of matrix k.
struct rows {
    uint32_t word[WORDS][WARP_LANES];
};

static uint32_t *word_at(struct rows *rows, uint32_t matrix, uint32_t at)
{
    return &rows->word[at % WORDS][ROWS * matrix + at / WORDS];
}

// Returns a mask of the lanes that supply row addresses if an instruction moves `matrices` matrices.
static uint32_t naming(uint32_t matrices)
{
    return matrices == MATRICES_MOST ? ALL_LANES : (1u << ROWS * matrices) - 1;
}

// Appends a memory access of 16 bytes per lane, in which lane 8 k + r accesses row r of matrix k.
static struct sim_memory_op *matrix_access(struct lower *l, const struct ptx_inst *i, uint32_t address, uint32_t kind,
                                           struct ref *base)
{
    uint32_t side;
    struct sim_memory_op *m = lower_access(l, i, &i->operand[address], i->space, base, &side);
    m->access.kind = (uint8_t)kind;
    m->access.bytes = m->access.row_bytes = 4;
    m->access.count = WORDS;
    m->access.op = l->op.count;
    return m;
}

// Emits the op of an ldmatrix or stmatrix. Each element of the instruction's vector operand is the fragment of one
// matrix.
static void emit_matrices(struct lower *l, const struct ptx_inst *i, exchange_body *body, uint32_t kind)
{
    uint32_t loads = kind == ACCESS_READ;
    const struct ptx_operand *e = &l->f->element[i->operand[loads ? 0 : 1].index];
    struct ref src[1 + MATRICES_MOST], dst[MATRICES_MOST], *fragment = loads ? dst : src + 1;
    for (uint32_t k = 0; k < i->mode; k++) fragment[k] = loads ? lower_dest(l, &e[k], 4, 0) : lower_source(l, &e[k], 4);
    struct sim_memory_op *m = matrix_access(l, i, loads, kind, &src[0]);
    for (uint32_t k = 0; k < i->mode; k++) {
        m->row[k] = fragment[k].row;
        m->reg[k] = fragment[k].reg;
    }
    uint32_t side = (uint32_t)(m - l->access.at);
    struct sim_op *op = lower_exchange(l, i, body, lower_constant(l, ALL_LANES, 4), src, loads ? 1 : 1u + i->mode, dst,
                                       loads ? i->mode : 0);
    struct sim_exchange_op *x = &l->exchange.at[op->side];
    x->memory = side;
    x->count = i->mode;
    x->transposed = (i->flags & PTX_TRANS) != 0;
    op->required =
        i->mode == MATRICES_MOST ? REQUIRED_FIRST : REQUIRED_GUARD; // the addresses of some lanes may be unused
}

static void load_matrices(struct warp *w, const struct exchange *x)
{
    const struct sim_op *op = x->part[0].op;
    const struct sim_exchange_op *exchange = &w->plan->exchange[op->side];
    const struct sim_memory_op *m = &w->plan->memory[exchange->memory];
    struct rows rows = {0}, bits = {0}; // lanes that exited name no row
    struct sim_validity valid;
    void *row[WORDS] = {rows.word[0], rows.word[1], rows.word[2], rows.word[3]};
    int checked = (w->memory.block->worker->launch->checks & CHECK_WRITTEN) != 0;
    access_load(&w->memory, exec_access(w, m, op->a, x->lanes & naming(exchange->count)), row, checked ? &valid : NULL);
    for (uint32_t c = 0; c < WORDS && checked; c++)
        for (uint32_t left = valid.lanes[c]; left; left &= left - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(left);
            bits.word[c][i] = (uint32_t)valid.value[c][i].bits;
        }
    for (uint32_t k = 0; k < exchange->count; k++) {
        uint32_t matrix[WARP_LANES], undefined[WARP_LANES];
        for (uint32_t i = 0; i < WARP_LANES; i++) {
            matrix[i] = *word_at(&rows, k, i);
            undefined[i] = *word_at(&bits, k, i);
        }
        for (uint32_t i = 0; i < WARP_LANES; i++) {
            memcpy(w->rows + m->row[k] + 4 * i, &(uint32_t){fragment(matrix, i, exchange->transposed)}, 4);
            if (checked) set_undefined(w, m->reg[k], i, fragment(undefined, i, exchange->transposed));
        }
    }
}

void lower_load_matrix(struct lower *l, const struct ptx_inst *i)
{
    emit_matrices(l, i, load_matrices, ACCESS_READ);
}

// ---------------------------------------------------------------- stmatrix

static void store_matrices(struct warp *w, const struct exchange *x)
{
    const struct sim_op *op = x->part[0].op;
    const struct sim_exchange_op *exchange = &w->plan->exchange[op->side];
    const struct sim_memory_op *m = &w->plan->memory[exchange->memory];
    struct rows rows, bits;
    struct sim_validity valid = {0};
    const void *row[WORDS] = {rows.word[0], rows.word[1], rows.word[2], rows.word[3]};
    for (uint32_t k = 0; k < exchange->count; k++) {
        uint32_t undefined[WARP_LANES] = {0};
        if (w->nundef) undefined_bits(w, m->reg[k], undefined);
        for (uint32_t i = 0; i < WARP_LANES; i++) {
            *word_at(&rows, k, i) = fragment(warp_row(w, m->row[k]), i, exchange->transposed);
            *word_at(&bits, k, i) = fragment(undefined, i, exchange->transposed);
        }
    }
    for (uint32_t c = 0; c < WORDS; c++)
        for (uint32_t i = 0; i < ROWS * exchange->count; i++) {
            if (!bits.word[c][i]) continue;
            valid.lanes[c] |= 1u << i;
            valid.value[c][i] = unwritten(bits.word[c][i]);
        }
    access_store(&w->memory, exec_access(w, m, op->a, x->lanes & naming(exchange->count)), row, &valid);
}

void lower_store_matrix(struct lower *l, const struct ptx_inst *i)
{
    emit_matrices(l, i, store_matrices, ACCESS_WRITE);
}
