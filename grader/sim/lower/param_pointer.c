// Resolves pointers to a device function's own parameters, which were passed by value.
//
// In unoptimised code, clang takes the address of every structure parameter and copies the address from register to
// register. Unoptimised code reads the fields of a structure parameter through the copied address (ld.param [%rd1+4]).
// The simulator keeps the parameters of device functions in the register file, where they have no address in memory. To
// execute a load through a register with a parameter's address, the simulator must know which parameter it is. The
// functions in param_pointer.c find the parameter whose address a register holds. If the simulator knows which
// parameter's address a register holds, a load through the register is lowered to a read of the parameter in the
// register file.
//
// A load through a register is resolved to a parameter only if the register has a single definition: a mov of the
// parameter's address, or of another register that holds this address. Only loads of parameters and movs of the address
// may use a register that holds a parameter's address. A parameter whose address is used in any other instruction than
// a load of parameters or a mov is kept in local memory (op/stack.c).
#include "ptx/opcode.h"
#include "ptx/ptx.h"
#include "sim/lower/lowering.h"

enum { COPIES = 8 }; // longest chain of copies that is followed

static int names_register(const struct ptx_operand *o, uint32_t reg)
{
    return o->index == reg &&
           (o->kind == PTX_OPERAND_REG || (o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG));
}

static int is_plain_mov(const struct ptx_inst *i)
{
    return i->op == PTX_OP_mov && i->guard == PTX_NO_REG && i->noperands == 2 && i->operand[0].kind == PTX_OPERAND_REG;
}

// Returns the only instruction that defines the register `reg`. Returns NULL if several instructions define `reg`, if
// the definition is no mov, or if anything but movs and loads of parameters uses `reg`.
static const struct ptx_inst *definition(const struct ptx_func *f, uint32_t reg)
{
    const struct ptx_inst *found = NULL;
    for (uint32_t e = 0; e < f->nelements; e++)
        if (names_register(&f->element[e], reg)) return NULL;
    for (uint32_t k = 0; k < f->ninsts; k++) {
        const struct ptx_inst *i = &f->inst[k];
        if (i->guard == reg) return NULL;
        for (uint32_t o = 0; o < i->noperands; o++) {
            if (!names_register(&i->operand[o], reg)) continue;
            if (o == 0) {
                if (found || !is_plain_mov(i)) return NULL;
                found = i;
            } else if (!is_plain_mov(i) && !(i->op == PTX_OP_ld && i->space == PTX_PARAM)) {
                return NULL;
            }
        }
    }
    return found;
}

const struct ptx_operand *lower_param_pointer(const struct lower *l, const struct ptx_operand *o)
{
    if (l->f->is_entry) return NULL;
    for (int copies = 0; copies < COPIES; copies++) {
        if (o->kind == PTX_OPERAND_SYMBOL)
            return l->module->var[o->index].space == PTX_PARAM && !l->spilled[o->index] ? o : NULL;
        if (o->kind != PTX_OPERAND_REG && !(o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG))
            return NULL;
        const struct ptx_inst *from = definition(l->f, o->index);
        if (!from) return NULL;
        o = &from->operand[1];
    }
    return NULL;
}

int lower_is_pointer_mov(const struct lower *l, const struct ptx_inst *i)
{
    return is_plain_mov(i) && lower_param_pointer(l, &i->operand[0]) != NULL;
}
