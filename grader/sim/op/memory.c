// Lowers loads, stores and atomics to ops. Most accesses to parameters become moves within the simulated register file,
// because the register file holds the parameters.
//
// Parameters of a kernel are constants in the register file, with the same value in all 32 lanes. Parameters and
// results of device functions, and the .param variables of a call, are words of the register file. The instructions
// ld.param and st.param of a device function or a call move values between the register-file words of a parameter and
// registers.
#include "ptx/opcode.h"
#include "ptx/ptx.h"
#include "sim/op/lower.h"

enum { NEAR = 64 }; // most instructions between the parts of one copy

static uint32_t space_of(uint32_t space)
{
    static const uint8_t of[PTX_SPACES] = {
        [PTX_GENERIC] = SPACE_NONE, [PTX_GLOBAL] = SPACE_GLOBAL, [PTX_SHARED] = SPACE_SHARED,
        [PTX_LOCAL] = SPACE_LOCAL,  [PTX_CONST] = SPACE_CONST,   [PTX_PARAM] = SPACE_PARAM};
    return of[space];
}

static int is_signed(uint32_t t)
{
    return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}

// Returns the memory order that the simulator uses for an access. The load ld.cv, which reads memory again each time,
// counts as volatile. The load ld.cg counts as relaxed, because it bypasses the L1 cache, which may hold old values. A
// load whose value a compare-and-swap checks also counts as relaxed.
static uint8_t order_of(const struct lower *l, const struct ptx_inst *i)
{
    if (i->sem > PTX_WEAK || i->op != PTX_OP_ld || i->space == PTX_PARAM) return i->sem;
    if (i->cache == PTX_CV) return PTX_VOLATILE;
    return i->cache == PTX_CG || l->cas_seed[l->index][i - l->f->inst] ? PTX_RELAXED : i->sem;
}

// Limits an access through the address of a source variable in the frame to the bytes of that source variable. If the
// previous variable of the frame ends where the accessed variable begins, the access may also lie in the previous
// variable. In C, a loop that runs downwards through an array may start at the address just past the array. In a stack
// frame, the address just past an array may be the address of the next variable, so an access through this address may
// be meant for the array.
static void within_part(const struct lower *l, struct sim_access *a, int32_t part)
{
    const struct ptx_var *v = &l->module->var[a->symbol];
    const struct ptx_frame_part *p = &v->part[part];
    uint64_t lo = part && p[-1].to == p->from ? p[-1].from : p->from, frame = l->local_offset[a->symbol];
    a->part = (uint32_t)part + 1;
    a->lo = (uint32_t)(frame + lo);
    a->hi = (uint32_t)(frame + p->to);
}

struct sim_memory_op *lower_access(struct lower *l, const struct ptx_inst *i, const struct ptx_operand *m,
                                   uint32_t space, struct ref *base, uint32_t *side)
{
    struct sim_memory_op *op = LOWER_PUSH(l, &l->access);
    *side = l->access.count - 1;
    *op = (struct sim_memory_op){.offset = (int64_t)m->bits};
    op->access = (struct sim_access){.space = (uint8_t)space_of(space),
                                     .sem = order_of(l, i),
                                     .scope = i->scope,
                                     .cache = i->sem > PTX_WEAK ? PTX_CV : i->cache,
                                     .nc = (i->flags & PTX_NC) != 0,
                                     .symbol = -1};
    uint32_t kind = m->kind == PTX_OPERAND_ADDRESS ? m->base_kind : m->kind;
    if (kind != PTX_OPERAND_REG) { // the address is the offset alone
        *base = lower_constant(l, 0, 8);
        op->wide = 1;
    }
    if (kind == PTX_OPERAND_REG) {
        uint32_t width = lower_width(l->f->reg[m->index].type);
        if (width < 4) lower_refuse(l, "register '%s' holds no address", l->f->reg[m->index].name);
        *base = l->reg[m->index];
        op->wide = width == 8;
        op->access.symbol = l->symbol[m->index] >= 0 ? l->symbol[m->index] : -1;
        if (op->access.symbol >= 0 && l->part[m->index] >= 0) within_part(l, &op->access, l->part[m->index]);
    } else if (kind == PTX_OPERAND_SYMBOL) {
        const struct ptx_var *v = &l->module->var[m->index];
        op->offset += (int64_t)lower_symbol_address(l, m->index);
        op->local = v->space == PTX_LOCAL || l->spilled[m->index];
        op->access.symbol = (int32_t)m->index;
        if (space == PTX_GENERIC) // a name without a space has the variable's space
            op->access.space = (uint8_t)space_of(v->space);
    } else if (kind != PTX_OPERAND_IMM) {
        lower_refuse(l, "address not supported");
    }
    op->access.data = i->sem == PTX_VOLATILE ? l->data : 0;
    return op;
}

// Returns the elements of a vector operand, or the operand itself if it is no vector. Stores the number of elements in
// *count.
static const struct ptx_operand *elements(const struct lower *l, const struct ptx_operand *o, uint32_t *count)
{
    if (o->kind != PTX_OPERAND_VECTOR) {
        *count = 1;
        return o;
    }
    *count = o->count;
    return &l->f->element[o->index];
}

// Lowers an ld.param of the kernel's own parameters at a constant offset to mov ops. The mov ops read the kernel's
// parameters from the register file, where the parameters lie as constants.
static void load_kernel_param(struct lower *l, const struct ptx_inst *i, const struct ptx_operand *m)
{
    uint32_t count, bytes = ptx_type_bytes((enum ptx_type)i->type[0]);
    uint64_t offset = l->param_offset[m->index] + m->bits;
    const struct ptx_operand *e = elements(l, &i->operand[0], &count);
    if (l->param_offset[m->index] == PLAN_ABSENT) lower_refuse(l, "parameter of another kernel");
    for (uint32_t k = 0; k < count; k++, offset += bytes) {
        const struct ptx_var *v = &l->module->var[m->index];
        if (offset < l->param_offset[m->index] || offset + bytes > l->param_offset[m->index] + v->bytes)
            lower_refuse(l, "reads outside parameter '%s'", v->name);
        if (e[k].kind == PTX_OPERAND_SINK) continue;
        if (e[k].kind != PTX_OPERAND_REG) lower_refuse(l, "destination is no register");
        if (l->failed) return;
        uint32_t width = lower_width(l->f->reg[e[k].index].type);
        struct ref src = lower_param_row(l, (uint32_t)offset, bytes, is_signed(i->type[0]), width);
        struct ref dst = l->reg[e[k].index];
        lower_emit(l, lower_find(l, PTX_OP_mov, width == 8 ? PTX_U64 : PTX_U32, VARIANT_PLAIN), &src, 1, &dst, 1);
        l->hidden = 1;
    }
    l->hidden = 0;
}

// Lowers ld.param or st.param of a .param variable whose 32-bit words lie in the register file.
static void move_param_words(struct lower *l, const struct ptx_inst *i, const struct ptx_operand *m,
                             const struct ptx_operand *values, int is_load)
{
    uint32_t count, bytes = ptx_type_bytes((enum ptx_type)i->type[0]);
    const struct ptx_var *v = &l->module->var[m->index];
    uint64_t offset = m->bits;
    const struct ptx_operand *e = elements(l, values, &count);
    if (!l->var_word[m->index]) lower_refuse(l, "'%s' is no parameter of this function", v->name);
    for (uint32_t k = 0; k < count; k++, offset += bytes) {
        if (offset + bytes > v->bytes || offset > v->bytes) lower_refuse(l, "access outside parameter '%s'", v->name);
        if (offset % bytes) lower_refuse(l, "misaligned access to parameter '%s'", v->name);
        if (l->failed) return;
        if (is_load && e[k].kind == PTX_OPERAND_SINK) continue;
        uint32_t width = bytes == 8 ? 8 : 4, word = (uint32_t)(offset / 4);
        if (is_load && e[k].kind == PTX_OPERAND_REG) width = lower_width(l->f->reg[e[k].index].type);
        if (width == 4 && bytes == 8) width = 8;
        uint32_t row = l->var_word[m->index] + word * WARP_LANES * 4;
        struct ref part[8], value = is_load ? lower_dest(l, &e[k], width, 0) : lower_source(l, &e[k], width);
        for (uint32_t n = 0; n < bytes; n++) part[n] = (struct ref){row, l->var_reg[m->index] + (uint32_t)offset + n};
        struct sim_op *op;
        struct sim_param_op *p = LOWER_PUSH(l, &l->param);
        *p = (struct sim_param_op){.word = row,
                                   .row = value.row,
                                   .bytes = (uint8_t)bytes,
                                   .wide = width == 8,
                                   .shift = (uint8_t)(offset % 4 * 8),
                                   .sign = (uint8_t)is_signed(i->type[0])};
        if (is_load)
            op = lower_emit(l, call_load_param, part, bytes, &value, 1);
        else
            op = lower_emit(l, call_store_param, &value, 1, part, bytes);
        op->side = l->param.count - 1;
        if (is_load) op->role = ROLE_NOP;
        op->propagation = PROPAGATE_DATA | (is_load ? PROPAGATE_FROM_BYTES : PROPAGATE_TO_BYTES);
        l->hidden = 1;
    }
    l->hidden = 0;
}

// Sets l->takes_turns to 1 if a thread may wait by the instruction for what another one writes (struct sim_plan).
//
// Sets l->order_sensitive to 1 if the instruction can make the kernel's result depend on what other blocks do at the
// same time. An instruction with block scope (.cta) counts as observing no other block. If blocks communicate by
// instructions with block scope although they must not, the simulator detects a conflict between the blocks
// (conflict.h).
static void note_order(struct lower *l, const struct ptx_inst *i, uint32_t space, int returns)
{
    int strong = i->sem > PTX_WEAK, swaps = i->atom == PTX_ATOM_CAS || i->atom == PTX_ATOM_EXCH;
    if (space == PTX_LOCAL || space == PTX_CONST || space == PTX_PARAM) return;
    if (i->op == PTX_OP_atom && returns && (swaps || i->sem >= PTX_ACQUIRE)) l->takes_turns = 1;
    if (space == PTX_SHARED) return;
    if (i->op == PTX_OP_ld && strong) l->takes_turns = 1;
    if (i->scope == PTX_CTA) return;
    if (i->op == PTX_OP_ld || i->op == PTX_OP_ldu) {
        if (strong || i->cache == PTX_CV) l->order_sensitive = 1;
    } else if (i->op == PTX_OP_atom || i->op == PTX_OP_red) {
        int rounds = i->type[0] == PTX_F32 || i->type[0] == PTX_F64 || i->type[0] == PTX_F16 ||
                     i->type[0] == PTX_F16X2 || i->type[0] == PTX_BF16 || i->type[0] == PTX_BF16X2;
        if (returns || rounds || swaps || i->atom == PTX_ATOM_INC || i->atom == PTX_ATOM_DEC) l->order_sensitive = 1;
    } else if (i->op == PTX_OP_st && strong && i->sem != PTX_VOLATILE) {
        l->order_sensitive = 1;
    }
}

// The faster handlers for accesses to one word per lane read the offset and the width of the address from the op
// itself.
struct sim_op *lower_emit_access(struct lower *l, uint32_t op, uint32_t side, const struct ref *src, uint32_t nsrc,
                                 const struct ref *dst, uint32_t ndst)
{
    const struct sim_memory_op *m = &l->access.at[side];
    const struct sim_access *a = &m->access;
    int word = a->bytes == 4 && a->count == 1 && a->row_bytes == 4 && a->sem < PTX_VOLATILE;
    uint32_t variant = a->space == SPACE_SHARED ? VARIANT_SHARED : VARIANT_GLOBAL;
    if ((a->space != SPACE_SHARED && a->space != SPACE_GLOBAL) || m->offset != (int32_t)m->offset) word = 0;
    struct sim_op *o =
        lower_emit(l, word ? lower_find(l, op, PTX_B32, variant) : lower_find(l, op, PTX_NONE, VARIANT_PLAIN), src,
                   nsrc, dst, ndst);
    o->side = side;
    if (word) {
        o->mode = m->wide;
        o->e = (uint32_t)m->offset;
    }
    return o;
}

void lower_load(struct lower *l, const struct ptx_inst *i)
{
    const struct ptx_operand *m = &i->operand[1];
    uint32_t kind = m->kind == PTX_OPERAND_ADDRESS ? m->base_kind : m->kind, space = i->space, count, side;
    if (space == PTX_PARAM && i->type[0] == PTX_B128) lower_refuse(l, "parameters of 128 bits are not supported");
    if (kind == PTX_OPERAND_SYMBOL && l->spilled[m->index]) {
        space = PTX_LOCAL;
    } else if (kind == PTX_OPERAND_SYMBOL && l->module->var[m->index].space == PTX_PARAM) {
        if (l->f->is_entry && l->param_offset[m->index] != PLAN_ABSENT)
            load_kernel_param(l, i, m);
        else
            move_param_words(l, i, m, &i->operand[0], 1);
        return;
    }
    if (space == PTX_PARAM && !l->f->is_entry) {
        const struct ptx_operand *param = lower_param_pointer(l, m);
        if (param) {
            struct ptx_operand field = *param;
            field.bits += m->bits;
            move_param_words(l, i, &field, &i->operand[0], 1);
            return;
        }
        space = PTX_LOCAL; // a parameter whose address was taken lies there
    }
    struct ref base, dst[8];
    struct sim_memory_op *op = lower_access(l, i, m, space, &base, &side);
    const struct ptx_operand *e = elements(l, &i->operand[0], &count);
    uint32_t bytes = ptx_type_bytes((enum ptx_type)i->type[0]), width = bytes >= 8 ? 8 : 4;
    int halves = i->type[0] == PTX_B128 && count == 1;
    if (count > 8 || !bytes || (bytes > 8 && !halves)) {
        lower_refuse(l, "load of this width is not supported");
        return;
    }
    for (uint32_t k = 0; k < count; k++) // all rows of a load have one width
        if (e[k].kind == PTX_OPERAND_REG && lower_width(l->f->reg[e[k].index].type) == 8) width = 8;
    struct ref sink = lower_temp(l, 8);
    if (halves) {
        lower_halves(l, e, dst);
        bytes = 8;
        count = 2;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (!halves) dst[k] = e[k].kind == PTX_OPERAND_SINK ? sink : lower_dest(l, &e[k], width, is_signed(i->type[0]));
        op->row[k] = dst[k].row;
        op->reg[k] = dst[k].reg;
    }
    op->access.kind = ACCESS_READ;
    op->access.bytes = (uint8_t)bytes;
    op->access.count = (uint8_t)count;
    op->access.sign = (uint8_t)is_signed(i->type[0]);
    op->access.row_bytes = (uint8_t)width;
    note_order(l, i, space, 1);
    op->access.op = l->op.count;
    struct sim_op *o = space == PTX_PARAM ? lower_emit(l, call_load_entry_param, &base, 1, dst, count)
                                          : lower_emit_access(l, PTX_OP_ld, side, &base, 1, dst, count);
    o->side = side;
    o->required = REQUIRED_FIRST;
}

// Returns 1 if a load shortly before `store` produced the value that `store` writes.
static int stores_loaded(const struct ptx_func *f, const struct ptx_inst *store)
{
    const struct ptx_operand *value = &store->operand[1];
    for (const struct ptx_inst *i = store; i-- > f->inst && i + NEAR > store;)
        if (i->operand[0].kind == PTX_OPERAND_REG && i->operand[0].index == value->index)
            return value->kind == PTX_OPERAND_REG && i->op == PTX_OP_ld;
    return 0;
}

// Returns 1 if the store seems to be one of several stores that copy a structure word by word, as unoptimised code
// does. A store counts as part of a copy if a nearby store has the same source position and both stores write values
// that were just loaded.
static int is_piece(const struct lower *l, const struct ptx_inst *i)
{
    const struct ptx_inst *first = i - l->f->inst > NEAR ? i - NEAR : l->f->inst, *end = l->f->inst + l->f->ninsts;
    if (!i->loc || !stores_loaded(l->f, i)) return 0;
    for (const struct ptx_inst *k = first; k < end && k < i + NEAR; k++)
        if (k != i && k->op == PTX_OP_st && k->loc == i->loc && stores_loaded(l->f, k)) return 1;
    return 0;
}

void lower_store(struct lower *l, const struct ptx_inst *i)
{
    const struct ptx_operand *m = &i->operand[0];
    uint32_t kind = m->kind == PTX_OPERAND_ADDRESS ? m->base_kind : m->kind, space = i->space, count, side;
    if (space == PTX_PARAM && i->type[0] == PTX_B128) lower_refuse(l, "parameters of 128 bits are not supported");
    if (kind == PTX_OPERAND_SYMBOL && l->module->var[m->index].space == PTX_PARAM) {
        if (l->f->is_entry && l->param_offset[m->index] != PLAN_ABSENT)
            lower_refuse(l, "a kernel cannot write its parameters");
        move_param_words(l, i, m, &i->operand[1], 0);
        return;
    }
    if (space == PTX_PARAM) {
        lower_refuse(l, "st.param through a register");
        return;
    }
    struct ref src[9];
    const struct ptx_operand *e = elements(l, &i->operand[1], &count);
    uint32_t bytes = ptx_type_bytes((enum ptx_type)i->type[0]), width = bytes >= 8 ? 8 : 4;
    int halves = i->type[0] == PTX_B128 && count == 1;
    if (count > 8 || !bytes || (bytes > 8 && !halves)) {
        lower_refuse(l, "store of this width is not supported");
        return;
    }
    for (uint32_t k = 0; k < count && !halves; k++) src[k + 1] = lower_source(l, &e[k], width);
    if (halves) {
        lower_halves(l, e, src + 1);
        bytes = 8;
        count = 2;
    }
    struct sim_memory_op *op = lower_access(l, i, m, space, &src[0], &side);
    for (uint32_t k = 0; k < count; k++) {
        op->row[k] = src[k + 1].row;
        op->reg[k] = src[k + 1].reg;
    }
    op->piece = (uint8_t)is_piece(l, i);
    op->access.kind = ACCESS_WRITE;
    op->access.bytes = (uint8_t)bytes;
    op->access.count = (uint8_t)count;
    op->access.row_bytes = (uint8_t)width;
    op->access.op = l->op.count;
    note_order(l, i, space, 0);
    uint32_t where = op->access.space;
    struct sim_op *o = lower_emit_access(l, PTX_OP_st, side, src, count + 1, NULL, 0);
    o->required = where == SPACE_GLOBAL ? REQUIRED_GLOBAL : where == SPACE_NONE ? REQUIRED_UNKNOWN : REQUIRED_STORE;
}

// Allocates one new register for each element of a vector, one after another in the register file.
static void vector_rows(struct lower *l, uint32_t count, struct ref row[])
{
    for (uint32_t k = 0; k < count; k++) row[k] = lower_new_reg(l, 4);
}

static void move_word(struct lower *l, struct ref from, struct ref to)
{
    if (to.reg) lower_emit(l, lower_find(l, PTX_OP_mov, PTX_U32, VARIANT_PLAIN), &from, 1, &to, 1);
}

// Lowers a vector atomic, which adds several floats or halves per lane to global memory.
static void lower_vector_atomic(struct lower *l, const struct ptx_inst *i)
{
    int atom = i->op == PTX_OP_atom;
    uint32_t side, count, bytes = ptx_type_bytes((enum ptx_type)i->type[0]);
    const struct ptx_operand *e = elements(l, &i->operand[atom ? 2 : 1], &count);
    struct ref src[9], old[8];
    struct sim_memory_op *op = lower_access(l, i, &i->operand[atom ? 1 : 0], i->space, &src[0], &side);
    op->access.kind = ACCESS_ATOMIC;
    op->access.bytes = (uint8_t)bytes;
    op->access.count = (uint8_t)count;
    op->access.row_bytes = 4;
    op->access.atom = i->atom;
    op->access.atom_type = i->type[0];
    op->access.returns = (uint8_t)atom;
    note_order(l, i, i->space, atom);
    vector_rows(l, count, src + 1);
    vector_rows(l, atom ? count : 0, old);
    l->hidden++;
    for (uint32_t k = 0; k < count; k++) move_word(l, lower_source(l, &e[k], 4), src[k + 1]);
    l->hidden--;
    l->access.at[side].access.op = l->op.count;
    struct sim_op *o =
        lower_emit(l, lower_find(l, PTX_OP_atom, PTX_NONE, VARIANT_PLAIN), src, count + 1, old, atom ? count : 0);
    o->e = 0;
    o->side = side;
    o->required = REQUIRED_ALL;
    if (!atom) return;
    const struct ptx_operand *d = elements(l, &i->operand[0], &count);
    l->hidden++;
    for (uint32_t k = 0; k < count; k++) move_word(l, old[k], lower_dest(l, &d[k], 4, 0));
    l->hidden--;
}

void lower_atomic(struct lower *l, const struct ptx_inst *i)
{
    int atom = i->op == PTX_OP_atom;
    const struct ptx_operand *m = &i->operand[atom ? 1 : 0], *v = &i->operand[atom ? 2 : 1];
    uint32_t side, width = lower_width(i->type[0]), nsrc = 2;
    if (i->vec > 1) {
        lower_vector_atomic(l, i);
        return;
    }
    if (width < 4) {
        lower_refuse(l, "atomics of this type are not supported");
        return;
    }
    struct ref src[3], dst = {0, 0};
    src[1] = lower_source(l, v, width);
    if (i->atom == PTX_ATOM_CAS) { // operands: compare, new
        src[2] = src[1];
        src[1] = lower_source(l, v + 1, width);
        nsrc = 3;
    }
    int returns = atom && i->operand[0].kind == PTX_OPERAND_REG && l->read[i->operand[0].index];
    if (atom) dst = lower_dest(l, &i->operand[0], width, 0);
    struct sim_memory_op *op = lower_access(l, i, m, i->space, &src[0], &side);
    op->access.kind = ACCESS_ATOMIC;
    op->access.bytes = (uint8_t)ptx_type_bytes((enum ptx_type)i->type[0]);
    op->access.count = 1;
    op->access.row_bytes = (uint8_t)width;
    op->access.atom = i->atom;
    op->access.atom_type = i->type[0];
    op->access.returns = (uint8_t)returns;
    op->access.uniform = v->kind == PTX_OPERAND_IMM && m->kind == PTX_OPERAND_ADDRESS &&
                         (m->base_kind != PTX_OPERAND_REG || l->uniform[m->index]);
    op->access.op = l->op.count;
    note_order(l, i, i->space, returns);
    struct sim_op *o =
        lower_emit(l, lower_find(l, PTX_OP_atom, PTX_NONE, VARIANT_PLAIN), src, nsrc, &dst, dst.reg != 0);
    o->side = side;
    o->required = REQUIRED_ALL;
}

// Lowers cp.async [shared], [global], size {, bytes to copy} to one op, which executes a load and a store.
void lower_async_copy(struct lower *l, const struct ptx_inst *i)
{
    uint32_t store_side, load_side, nsrc = 2;
    uint64_t size = i->operand[2].bits;
    struct ref src[3];
    if (i->operand[2].kind != PTX_OPERAND_IMM || (size != 4 && size != 8 && size != 16)) {
        lower_refuse(l, "cp.async of this size is not supported");
        return;
    }
    lower_access(l, i, &i->operand[0], PTX_SHARED, &src[0], &store_side);
    lower_access(l, i, &i->operand[1], PTX_GLOBAL, &src[1], &load_side);
    if (i->noperands > 3 && i->operand[3].kind != PTX_OPERAND_NONE) src[nsrc++] = lower_source(l, &i->operand[3], 4);
    for (uint32_t k = 0; k < 2; k++) {
        struct sim_access *a = &l->access.at[store_side + k].access;
        a->kind = k ? ACCESS_READ : ACCESS_WRITE;
        a->bytes = 4;
        a->count = (uint8_t)(size / 4);
        a->row_bytes = 4;
        a->async = 1;
        a->op = l->op.count;
    }
    struct sim_op *o = lower_emit(l, lower_find(l, PTX_OP_cp_async, PTX_NONE, VARIANT_PLAIN), src, nsrc, NULL, 0);
    o->side = store_side;
    o->required = REQUIRED_FIRST;
}
