// Defines the opcodes, one for each row of isa.def, in the order of the rows. Files that only need properties of an
// instruction do not include opcode.h. Therefore make does not recompile files without opcode.h when isa.def gets a new
// row.
#ifndef PTX_OPCODE_H
#define PTX_OPCODE_H

enum ptx_op {
#define ISA(id, ...) PTX_OP_##id,
#include "ptx/isa.def"
#undef ISA
    PTX_OPS
};

#endif
