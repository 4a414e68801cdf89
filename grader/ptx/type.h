// The types and state spaces of PTX (PTX ISA 5).
#ifndef PTX_TYPE_H
#define PTX_TYPE_H

#include <stdint.h>

// Lists the fundamental types of PTX (PTX ISA 5.2). The packed half types f16x2 and bf16x2 have the size of a 32-bit
// register.
enum ptx_type {
    PTX_NONE,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_B128,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_U16X2,
    PTX_S16X2,
    PTX_F16,
    PTX_F16X2,
    PTX_BF16,
    PTX_BF16X2,
    PTX_F32,
    PTX_F64,
    PTX_PRED,
    PTX_TYPES
};
// Returns the size of a PTX type in bytes. The size of PTX_NONE and PTX_PRED is 0.
uint32_t ptx_type_bytes(enum ptx_type);
// Returns the name of a PTX type without its dot, such as "u32".
const char *ptx_type_name(enum ptx_type);

enum ptx_space { PTX_GENERIC, PTX_REG, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_CONST, PTX_PARAM, PTX_SPACES };

#endif
