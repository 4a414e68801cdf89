// Lowers what a function keeps in local memory besides its .local variables: memory from alloca, and parameters whose
// address the function takes.
//
// Memory from alloca lies above the frames of all functions. One register that the simulator adds to the program holds
// the top of each lane's stack. A function that uses alloca saves the top of each lane's stack when the function
// begins, and restores the saved top when the function returns. If a function moves the address of a parameter to a
// register, the parameter is copied to the function's frame in local memory when the function begins. The address of a
// parameter that a function takes is an address in local memory (PTX ISA 9.7.9.3).
#include "ptx/opcode.h"
#include "ptx/ptx.h"
#include "sim/op/lower.h"

static int allocates(const struct ptx_func *f)
{
    for (uint32_t k = 0; k < f->ninsts; k++)
        if (f->inst[k].op == PTX_OP_alloca || f->inst[k].op == PTX_OP_stackrestore) return 1;
    return 0;
}

void lower_stack_rows(struct lower *l, uint32_t func)
{
    if (!allocates(&l->module->func[func])) return;
    if (!l->stack.row) l->stack.row = lower_row(l, 4 * WARP_LANES);
    l->stack_kept[func] = lower_new_reg(l, 4);
}

static void move(struct lower *l, struct ref from, struct ref to)
{
    lower_emit(l, lower_find(l, PTX_OP_mov, PTX_U32, VARIANT_PLAIN), &from, 1, &to, 1);
}

int lower_takes_address(const struct lower *l, uint32_t var)
{
    for (uint32_t k = 0; k < l->f->ninsts; k++) {
        const struct ptx_inst *i = &l->f->inst[k];
        if (i->op != PTX_OP_mov || i->operand[1].kind != PTX_OPERAND_SYMBOL || i->operand[1].index != var) continue;
        if (!lower_is_pointer_mov(l, i)) return 1;
    }
    return 0;
}

static void spill(struct lower *l, uint32_t var)
{
    const struct ptx_var *v = &l->module->var[var];
    for (uint32_t at = 0; at < v->bytes; at += 4) {
        struct ref byte[4], word = {l->var_word[var] + at / 4 * WARP_LANES * 4, 0};
        for (uint32_t b = 0; b < 4; b++) byte[b] = (struct ref){word.row, l->var_reg[var] + at + b};
        struct sim_op *op = lower_emit(l, call_spill_param, byte, 4, NULL, 0);
        op->f = (uint32_t)l->local_offset[var] + at;
        op->mode = (uint8_t)(v->bytes - at < 4 ? v->bytes - at : 4);
    }
}

void lower_prologue(struct lower *l)
{
    l->inst = &l->f->inst[0];
    l->guard = (struct ref){0, 0};
    l->hidden = 1;
    if (l->f->is_entry && l->stack.row) move(l, lower_constant(l, l->stack_base, 4), l->stack);
    if (!l->f->is_entry && l->stack_kept[l->index].reg) move(l, l->stack, l->stack_kept[l->index]);
    for (uint32_t k = 0; k < l->f->nparams && !l->f->is_entry; k++)
        if (l->spilled[l->f->param[k]]) spill(l, l->f->param[k]);
    l->hidden = 0;
}

void lower_stack_return(struct lower *l)
{
    if (l->f->is_entry || !l->stack_kept[l->index].reg) return;
    l->hidden++;
    move(l, l->stack_kept[l->index], l->stack);
    l->hidden--;
}

void lower_stack(struct lower *l, const struct ptx_inst *i)
{
    uint32_t width = lower_width(i->type[0]);
    if (i->op == PTX_OP_stackrestore) {
        move(l, lower_source(l, &i->operand[0], 4), l->stack);
        return;
    }
    if (i->op == PTX_OP_stacksave) {
        struct ref top = l->stack.row ? l->stack : lower_constant(l, 0, 4);
        move(l, top, lower_dest(l, &i->operand[0], 4, 0));
        return;
    }
    struct ref src[2] = {lower_source(l, &i->operand[1], width), l->stack};
    struct ref dst[2] = {lower_dest(l, &i->operand[0], width, 0), l->stack};
    struct sim_op *op = lower_emit(l, control_alloca, src, 2, dst, 2);
    op->f = i->noperands > 2 ? (uint32_t)i->operand[2].bits : 8;
    op->side = width == 8;
    op->required = REQUIRED_ALL;
}
