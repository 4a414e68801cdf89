// Provides the tables of isa.def, mod.def and sreg.def as data, for the parser, the checker and the tests.
#ifndef PTX_ISA_H
#define PTX_ISA_H

#include "ptx/ptx.h"

// enum isa_group numbers the groups of modifiers. The column `fields` of isa.def is a set of groups of modifiers, with
// one bit F_name for each group.
enum isa_group {
#define GROUP(name) G_##name,
#include "ptx/mod.def"
#undef GROUP
};
enum {
#define GROUP(name) F_##name = UINT64_C(1) << G_##name,
#include "ptx/mod.def"
#undef GROUP
};

// Each T_ macro is a set of PTX types, with one bit for each type. The column `types` of isa.def contains a set of PTX
// types.
#define T_BIT(type) (1u << (type))
#define T_NONE T_BIT(PTX_NONE)
#define T_PRED T_BIT(PTX_PRED)
#define T_B32 T_BIT(PTX_B32)
#define T_B3264 (T_B32 | T_BIT(PTX_B64))
#define T_BITS (T_B3264 | T_BIT(PTX_B16))
#define T_U32 T_BIT(PTX_U32)
#define T_U64 T_BIT(PTX_U64)
#define T_INT32 (T_U32 | T_BIT(PTX_S32))
#define T_INT3264 (T_INT32 | T_U64 | T_BIT(PTX_S64))
#define T_SINT (T_BIT(PTX_S16) | T_BIT(PTX_S32) | T_BIT(PTX_S64))
#define T_INT (T_INT3264 | T_BIT(PTX_U16) | T_BIT(PTX_S16))
#define T_HALF (T_BIT(PTX_F16) | T_BIT(PTX_F16X2) | T_BIT(PTX_BF16) | T_BIT(PTX_BF16X2))
#define T_PAIR (T_BIT(PTX_U16X2) | T_BIT(PTX_S16X2))
#define T_F32 T_BIT(PTX_F32)
#define T_FLOAT (T_F32 | T_BIT(PTX_F64))
#define T_BYTES (T_BIT(PTX_B8) | T_BIT(PTX_U8) | T_BIT(PTX_S8))
#define T_WORDS (T_BITS | T_INT | T_HALF | T_FLOAT)
#define T_ALL (T_BYTES | T_WORDS)
#define T_B128 T_BIT(PTX_B128)
#define T_STORED (T_ALL & ~T_HALF) // half types are excluded, because halves are loaded and stored with bit types

// Holds a row of isa.def, with the columns that the parser needs.
struct isa_row {
    const char *mnemonic, *operands;
    uint64_t fields;
    uint32_t types;
};
extern const struct isa_row isa_row[];

enum isa_mod_kind { MOD_FIELD, MOD_FLAG, MOD_REQUIRED, MOD_IGNORED, MOD_POLICY, MOD_TYPES };
// Holds a row of mod.def, which lists the modifiers of instructions.
struct isa_mod {
    uint64_t group;
    const char *text;
    uint8_t kind;    // enum isa_mod_kind
    uint16_t offset; // MOD_FIELD: offset of the uint8_t field in struct ptx_inst
    uint32_t value;  // MOD_FIELD: value of the field; MOD_FLAG: bit of ptx_inst.flags
};
extern const struct isa_mod isa_mod[];
extern const unsigned isa_mods;

// Holds a row of sreg.def, which lists the special registers.
struct isa_sreg {
    const char *text;
    uint8_t type;       // enum ptx_type
    uint8_t components; // 0: not a vector; 3: has .x .y .z (and .w, which is 0); 32: 32 registers with a number in the
                        // name, like %envreg0
};
extern const struct isa_sreg isa_sreg[PTX_SREGS];

// Returns the type with this name, such as "u32" without a dot, or PTX_NONE if no type has the name.
enum ptx_type isa_type(const char *text, size_t length);

#endif
