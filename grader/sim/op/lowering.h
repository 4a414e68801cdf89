// The functions that column `lowering` of isa.def names: each turns one instruction into ops. The instruction has been
// checked; what cannot be executed is refused with lower_refuse. Each stands beside the bodies of its family in op/.
#ifndef SIM_OP_LOWERING_H
#define SIM_OP_LOWERING_H

struct lower;
struct ptx_inst;

#define ISA(id, mnemonic, fields, types, operands, suffixes, form, effect, lowering, ...)                              \
    void lower_##lowering(struct lower *, const struct ptx_inst *);
#include "ptx/isa.def"
#undef ISA

#endif
