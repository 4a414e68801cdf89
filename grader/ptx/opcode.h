// The opcodes: one for each row of isa.def, in its order. A file that asks only for properties of an instruction does
// not include this header, so that a new row does not recompile it.
#ifndef PTX_OPCODE_H
#define PTX_OPCODE_H

enum ptx_op {
#define ISA(id, ...) PTX_OP_##id,
#include "ptx/isa.def"
#undef ISA
    PTX_OPS
};

#endif
