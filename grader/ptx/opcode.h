// Defines the opcodes, one for each row of isa.def, in the order of the rows. Files that only need properties of an
// instruction do not include opcode.h. When isa.def gets a new row, make therefore recompiles only the files that
// include opcode.h.
#ifndef PTX_OPCODE_H
#define PTX_OPCODE_H

enum ptx_op {
#define ISA(id, ...) PTX_OP_##id,
#include "ptx/isa.def"
#undef ISA
    PTX_OPS
};

#endif
