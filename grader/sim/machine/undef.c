// Tracks undefined values in registers, and reports an undefined value where it affects the kernel's results.
//
// A bit is undefined if it depends on memory or a register that was never written. A warp without undefined registers
// runs at full speed. While a warp has undefined registers, undef_execute() executes each op. The function
// undef_execute() adds a finding if an undefined value is the condition of a branch, is an address, or is stored to
// global memory. Uninitialised local memory and shared memory hold 0 and never the data of another block, because the
// timing of host threads decides which block used the memory before.
//
// Why bits. Correct code may read uninitialised bits if it does not use them. For example, a store to a bit-field reads
// a word, replaces some bits and writes the word back. A copy of a structure also copies the structure's padding. The
// simulator therefore records for each bit of registers, local memory and shared memory whether the bit is defined.
// Valgrind's Memcheck also tracks single bits (Seward and Nethercote, "Using Valgrind to detect undefined value errors
// with bit-precision", USENIX 2005). Each op has one of three rules that compute the undefined bits of its result from
// the undefined bits of its operands.
//   - Ops that only move bits are mov, cvt between integers, shifts, bfe, bfi, prmt, selp and others. An op that only
//     moves bits is executed a second time, on registers that hold the masks of undefined bits instead of the operands'
//     values.
//   - For and, or, xor and lop3, a bit of the result is undefined if undefined bits of the operands could change the
//     bit.
//   - For all other ops, the whole result is undefined if any bit of an operand is undefined. In most arithmetic ops,
//     each bit of the result depends on all operand bits. In a few arithmetic ops, some bits of the result could stay
//     defined, but no compiler relies on these bits.
//
// Memory. Local and shared memory record for each bit whether the bit is defined. Global memory holds the kernel's
// results, so a store of undefined bits to global memory is a finding. Correct code writes undefined bits back to their
// address, for example when it changes a bit-field, and copies padding. Stores that write undefined bits back, or copy
// padding, are no findings, and the stored bytes stay uninitialised.
//   - A store may write bits back to the address from which the bits were loaded. An example is the store to a
//     bit-field of an array that was never initialised.
//   - A store may copy padding, or a structure of which only some members were set. The stored value must be unchanged
//     since its load, and other bits of the value or other members of the structure must be defined. Optimised code
//     also copies padding without the members around it. A store of a wholly undefined value of fewer than 4 bytes is
//     therefore no finding if the value may be padding. A value may be padding if it comes unchanged from local memory,
//     from a register that was never written, or from padding in shared memory (is_padding() in shared_lanes.c).
// A store to shared memory is a finding if the stored value was loaded from another address and has no defined bit. A
// store of a wholly undefined value to shared memory is reported at once, because shared memory does not record the
// array from which a value was loaded.
//
// Limits. A program may read a scalar variable that no path writes. Both nvcc (also with -G) and clang at -O3 replace a
// scalar that no path writes by a constant, or remove its uses, before they write PTX. A PTX register that the
// compiler's PTX still reads but never writes counts as undefined. The unoptimised PTX of clang keeps all variables in
// local memory, so all undefined scalars are found when the unoptimised PTX is executed.
//
// For each undefined value, the simulator records the load from shared or global memory that produced the value. A
// finding about an undefined value names the source line of the load that produced the value, and the array. If an
// undefined value does not come from a load of shared or global memory, the finding names the op that uses the value.
#include "sim/machine/undef.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/warp.h"
#include "sim/hazard/diagnose.h"
#include "sim/hazard/origin.h"
#include "sim/machine/frame.h"
#include "sim/machine/warp.h"

// Describes the value of a register that was never written. A store of fewer than 4 bytes of a never-written register
// may be padding.
static const struct sim_undefined whole = {
    .copied = 1, .moved = 1, .bits = ~0ull, .op = UINT32_MAX, .symbol = -1, .space = SPACE_REGISTER};

void undef_set(struct warp *w, uint32_t reg, uint32_t lanes, uint32_t exec)
{
    if (!reg) return;
    uint32_t before = w->undef[reg], after = (before & ~exec) | (lanes & exec);
    w->undef[reg] = after;
    w->nundef += (after != 0) - (before != 0);
    for (uint32_t left = lanes & exec; left; left &= left - 1)
        *undef_value(w, reg, (uint32_t)__builtin_ctz(left)) = whole;
}

struct sim_undefined *undef_value(struct warp *w, uint32_t reg, uint32_t lane)
{
    if (!w->undefined[reg]) w->undefined[reg] = alloc_zeroed(WARP_LANES, sizeof **w->undefined);
    return &w->undefined[reg][lane];
}

uint64_t undef_bits(const struct warp *w, uint32_t reg, uint32_t lane)
{
    return reg && w->undef[reg] >> lane & 1 ? w->undefined[reg][lane].bits : 0;
}

void undef_set_value(struct warp *w, uint32_t reg, uint32_t lane, const struct sim_undefined *value)
{
    uint32_t bit = 1u << lane;
    if (!reg) return;
    undef_set(w, reg, value->bits ? bit : 0, bit);
    if (value->bits) *undef_value(w, reg, lane) = *value;
}

void undef_clear_local(struct warp *w, uint32_t lane, uint64_t at, uint64_t bytes)
{
    uint64_t from = (uint64_t)lane * w->memory.block->worker->launch->local_bytes + at;
    memset(w->memory.local + from, 0, bytes);
    if (w->memory.local_valid) memset(w->memory.local_valid + from, 0, bytes);
    w->memory.block->clearing += 2 * bytes;
    if (bytes) origin_keep(&w->memory, lane, at, (uint32_t)bytes, NULL);
}

static void clear_row(struct warp *w, const struct plan_span *s, uint32_t lanes)
{
    if (s->width == 1) {
        *warp_pred(w, s->row) &= ~lanes;
        return;
    }
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1) memset(w->rows + s->row + i * s->width, 0, s->width);
}

void undef_enter(struct warp *w, const struct plan_func *f, uint32_t base, uint32_t lanes)
{
    for (uint32_t k = 0; k < f->nstale; k++) clear_row(w, &f->stale[k], lanes);
    for (uint32_t i = 0; i < WARP_LANES && f->frame_bytes; i++)
        if (lanes >> i & 1) undef_clear_local(w, i, base, f->frame_bytes);
    if (!(w->memory.block->worker->launch->checks & CHECK_WRITTEN)) return;
    for (uint32_t k = 0; k < f->nunwritten; k++) undef_set(w, f->unwritten[k], lanes, lanes);
}

// ---------------------------------------------------------------- findings

// Adds a finding for each lane of `lanes` in which register `reg` is undefined. Marks register `reg` as defined in the
// reported lanes, so that later uses of its value are not reported again.
static void report(struct warp *w, const struct sim_op *op, uint32_t reg, uint32_t lanes)
{
    uint32_t bad = reg ? w->undef[reg] & lanes : 0, nameless = 0;
    for (uint32_t left = bad; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        const struct sim_undefined *v = undef_value(w, reg, l);
        struct sim_access a = {.kind = ACCESS_READ, .op = v->op, .symbol = v->symbol, .bytes = v->bytes};
        if (v->op == UINT32_MAX)
            nameless |= 1u << l;
        else if (v->space == SPACE_REGISTER) // from a shuffle
            warp_finding(w, FINDING_never_written, v->op, l, "shuffle", 0, frame_site(w, warp_op_index(w, op)));
        else
            diagnose_access(&w->memory, &a, v->space, l, FINDING_never_written, v->address);
    }
    if (nameless)
        warp_finding(w, FINDING_never_written, warp_op_index(w, op), (uint32_t)__builtin_ctz(nameless), NULL, 0,
                     UINT32_MAX);
    if (bad) undef_set(w, reg, 0, bad);
}

// Returns 1 if at least one element of the lane's vector store is fully defined, or if the store is one piece of a
// larger copy (sim_memory_op.piece).
static int is_part(const struct warp *w, const struct sim_op *op, uint32_t lane)
{
    const struct sim_memory_op *m = &w->plan->memory[op->side];
    for (uint32_t e = 0; m->access.count > 1 && e < m->access.count; e++)
        if (!undef_bits(w, w->plan->use[op->regs + 2 + e], lane)) return 1;
    return m->piece;
}

// Returns the lanes in which element e of a store must be reported as undefined. A store of undefined bits to global
// memory is reported, except in lanes that write bits back to their address or copy padding (see the head of this
// file). A store to shared memory is reported for a lane if the lane's value was loaded from memory, has no defined bit
// and cannot be padding. A store to shared memory is not reported for a lane that stores a loaded value back to the
// address of the load.
static uint32_t spoiling(struct warp *w, const struct sim_op *op, uint32_t e, uint32_t lanes)
{
    const struct sim_memory_op *m = &w->plan->memory[op->side];
    uint32_t reg = w->plan->use[op->regs + 2 + e], bad = 0;
    for (uint32_t left = reg ? w->undef[reg] & lanes : 0; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left), space = m->access.space;
        const struct sim_undefined *v = undef_value(w, reg, l);
        uint64_t address = 0, all = m->access.bytes < 8 ? (1ull << 8 * m->access.bytes) - 1 : ~0ull;
        memcpy(&address, w->rows + op->a + (m->wide ? 8 : 4) * l, m->wide ? 8 : 4);
        address += (uint64_t)m->offset + e * m->access.bytes;
        if (space == SPACE_NONE && address >= SIM_SHARED_WINDOW) {
            space = SPACE_SHARED;
            address -= SIM_SHARED_WINDOW;
        } else if (space == SPACE_NONE) {
            space = address < SIM_PARAM_WINDOW ? SPACE_GLOBAL : SPACE_LOCAL;
        }
        if (space == SPACE_LOCAL || !(v->bits & all)) continue; // local memory records undefined bits
        int back = v->op != UINT32_MAX && v->space == space && address < v->address + v->bytes &&
                   v->address < address + m->access.bytes;
        int part = (v->bits & all) != all && v->space != SPACE_REGISTER;
        int padding = (v->moved && (part || m->access.bytes < 4)) || (v->copied && is_part(w, op, l));
        int nothing = (v->bits & all) == all && v->op != UINT32_MAX &&
                      v->space != SPACE_REGISTER; // loaded, and no bit is defined
        // C[i] += x on an uninitialised C is not exempt: no bit of the sum is defined, and the sum is not a copy.
        back &= space != SPACE_GLOBAL || v->copied || !nothing;
        if (!back && !padding && (space == SPACE_GLOBAL || nothing)) bad |= 1u << l;
    }
    return bad;
}

static void report_undefined(struct warp *w, const struct sim_op *op, uint32_t mask, uint32_t on)
{
    const uint32_t *use = &w->plan->use[op->regs];
    if (op->required == REQUIRED_NONE) return;
    if (op->required != REQUIRED_FIRST) report(w, op, use[0], mask);
    if (op->required != REQUIRED_GUARD && op->nsources) report(w, op, use[1], on);
    for (uint32_t s = 1; s < op->nsources; s++) {
        if (op->required == REQUIRED_ALL) report(w, op, use[1 + s], on);
        if (op->required == REQUIRED_GLOBAL || op->required == REQUIRED_UNKNOWN || op->required == REQUIRED_STORE)
            report(w, op, use[1 + s], spoiling(w, op, s - 1, on));
    }
}

// ---------------------------------------------------------------- propagation

// Returns the value of lane i in the register at offset `row` of the warp's register file. `width` is the register's
// number of bytes for each lane. A width of 1 means a predicate, which is stored as one word with a bit for each lane.
static uint64_t get(const struct warp *w, uint32_t row, uint32_t width, uint32_t i)
{
    uint64_t value = 0;
    if (width == 1) return *warp_pred(w, row) >> i & 1;
    memcpy(&value, w->rows + row + width * i, width);
    return value;
}

static void put(struct warp *w, uint32_t row, uint32_t width, uint32_t i, uint64_t value)
{
    if (width == 1)
        *warp_pred(w, row) = (*warp_pred(w, row) & ~(1u << i)) | (uint32_t)(value & 1) << i;
    else
        memcpy(w->rows + row + width * i, &value, width);
}

// Finds the undefined bits of the result of an op that only moves bits: executes the op on masks of the operands'
// undefined bits. The masks of undefined bits lie in a part of the warp's register file that no PTX register uses
// (plan->scratch). Stores the undefined bits of each lane's result in `bits`.
static void move_bits(struct warp *w, const struct sim_op *op, uint32_t on, uint64_t bits[WARP_LANES])
{
    const uint32_t *use = &w->plan->use[op->regs + 1];
    uint32_t data = op->propagation >> 4, to = w->plan->scratch, width = w->plan->width[use[op->nsources]];
    struct sim_op moved = *op;
    uint32_t *row[] = {&moved.a, &moved.b, &moved.c, &moved.f};
    for (uint32_t s = 0; s < op->nsources && s < 4; s++) {
        if (!(data >> s & 1)) continue;
        uint32_t mine = w->plan->scratch + (s + 1) * PLAN_SCRATCH_ROW, source = use[s];
        memset(w->rows + mine, 0, PLAN_SCRATCH_ROW);
        for (uint32_t i = 0; i < WARP_LANES && source; i++)
            put(w, mine, w->plan->width[source], i, undef_bits(w, source, i));
        *row[s] = mine;
    }
    moved.d = to;
    memset(w->rows + to, 0, PLAN_SCRATCH_ROW);
    op->inner(w, &moved, on);
    for (uint32_t i = 0; i < WARP_LANES; i++) bits[i] = get(w, to, width, i);
}

// Returns the undefined bits of the result of and, or, xor or lop3. Bit 4a + 2b + c of the truth table `table` is the
// op's result for the operand bits a, b and c.
static uint64_t logic_bits(const uint64_t value[3], const uint64_t undefined[3], uint32_t table)
{
    uint64_t may[2] = {0, 0};
    for (uint32_t k = 0; k < 8; k++) {
        uint64_t here = ~0ull;
        for (uint32_t s = 0; s < 3; s++) here &= undefined[s] | (k >> (2 - s) & 1 ? value[s] : ~value[s]);
        may[table >> k & 1] |= here;
    }
    return may[0] & may[1];
}

// Returns the truth table of a logic op (and, or, xor, lop3) for logic_bits().
static uint32_t truth(const struct sim_op *op)
{
    switch (op->propagation & 15) {
    case PROPAGATE_AND:
        return 0xc0;
    case PROPAGATE_OR:
        return 0xfc;
    case PROPAGATE_XOR:
        return 0x3c;
    default:
        return op->mode; // lop3: the immediate operand is the table
    }
}

// Stores in `bits` the undefined bits of each lane's result of a logic op (and, or, xor, lop3).
static void combine_bits(const struct warp *w, const struct sim_op *op, uint64_t bits[WARP_LANES])
{
    const uint32_t *use = &w->plan->use[op->regs + 1], row[3] = {op->a, op->b, op->c};
    uint32_t width = w->plan->width[use[op->nsources]];
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint64_t value[3] = {0}, undefined[3] = {0};
        for (uint32_t s = 0; s < op->nsources && s < 3; s++) {
            value[s] = get(w, row[s], width, i);
            undefined[s] = undef_bits(w, use[s], i);
        }
        bits[i] = logic_bits(value, undefined, truth(op));
        if (width < 8) bits[i] &= width == 1 ? 1 : 0xffffffffu;
    }
}

// Stores in `bits` the undefined bits, for each lane, of a parameter word that ld.param loads in a device function.
// Each byte of a parameter word has a register id of its own, and the register ids of the loaded bytes are the sources
// of the op.
static void pass_bytes(struct warp *w, const struct sim_op *op, uint64_t bits[WARP_LANES])
{
    const uint32_t *use = &w->plan->use[op->regs + 1];
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        bits[i] = 0;
        for (uint32_t b = 0; b < op->nsources; b++) bits[i] |= (undef_bits(w, use[b], i) & 0xff) << 8 * b;
    }
}

// Stores the undefined bits of the op's results, with their origin `from`, for the lanes in `on`.
static void set_results(struct warp *w, const struct sim_op *op, uint32_t on, const uint64_t bits[WARP_LANES],
                        struct sim_undefined from[WARP_LANES])
{
    const uint32_t *use = &w->plan->use[op->regs + 1 + op->nsources];
    uint32_t rule = op->propagation & 15;
    int keeps =
        rule == PROPAGATE_COPY || rule == PROPAGATE_OR || rule == PROPAGATE_TO_BYTES || rule == PROPAGATE_FROM_BYTES;
    for (uint32_t left = on; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        from[i].copied &= keeps;
        from[i].moved &= keeps;
        for (uint32_t d = 0; d < op->ndests; d++) {
            from[i].bits = rule == PROPAGATE_TO_BYTES ? bits[i] >> 8 * d & 0xff : bits[i];
            undef_set_value(w, use[d], i, &from[i]);
        }
    }
}

// Executes an op that has undefined operands, and makes bits of the results undefined as op->propagation says. `on` is
// a mask of the lanes whose guard predicate is true.
static void spread(struct warp *w, const struct sim_op *op, uint32_t on, uint32_t mask)
{
    const uint32_t *use = &w->plan->use[op->regs + 1];
    struct sim_undefined from[WARP_LANES];
    uint64_t bits[WARP_LANES] = {0};
    uint32_t control = 0, rule = op->propagation & 15;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint8_t copied = 1, moved = 1;
        from[i] = whole;
        for (uint32_t s = op->nsources; s-- > 0;) {
            if (!undef_bits(w, use[s], i)) continue;
            from[i] = w->undefined[use[s]][i];
            copied &= from[i].copied;
            moved &= from[i].moved;
        }
        from[i].copied = copied;
        from[i].moved = moved;
    }
    // `propagation` has a bit for each of four operands; an op with PROPAGATE_FROM_BYTES may have more operands.
    for (uint32_t s = 0; s < op->nsources && rule != PROPAGATE_FROM_BYTES; s++)
        if (use[s] && (rule == PROPAGATE_ALL || !(op->propagation >> 4 >> s & 1))) control |= w->undef[use[s]];
    if (rule == PROPAGATE_MOVED || rule == PROPAGATE_COPY)
        move_bits(w, op, on, bits);
    else if (rule == PROPAGATE_FROM_BYTES)
        pass_bytes(w, op, bits);
    else if (rule == PROPAGATE_TO_BYTES)
        for (uint32_t i = 0; i < WARP_LANES; i++) bits[i] = undef_bits(w, use[0], i);
    else if (rule != PROPAGATE_ALL)
        combine_bits(w, op, bits);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (control >> i & 1) bits[i] = ~0ull;
    op->run(w, op, mask);
    set_results(w, op, on, bits, from);
}

void undef_execute(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const uint32_t *use = &w->plan->use[op->regs];
    uint32_t on = warp_guard(w, op, mask), any = 0;
    report_undefined(w, op, mask, on);
    for (uint32_t s = 0; s < op->nsources; s++)
        if (use[1 + s]) any |= w->undef[use[1 + s]];
    uint32_t doubtful = use[0] ? w->undef[use[0]] & mask : 0; // lanes whose guard is undefined
    int is_load = op->required == REQUIRED_FIRST && op->ndests;
    if (is_load || !(any & on))
        for (uint32_t d = 0; d < op->ndests; d++) undef_set(w, use[1 + op->nsources + d], 0, on);
    if (is_load || op->propagation == PROPAGATE_ITSELF || !(any & on))
        op->run(w, op, mask); // loads and warp operations set the undefined bits of their results themselves
    else
        spread(w, op, on, mask);
    for (uint32_t d = 0; d < op->ndests && doubtful; d++) undef_set(w, use[1 + op->nsources + d], doubtful, doubtful);
}
