// The tables of isa.def, mod.def and sreg.def as data. Used by the parser and the checker, and by tests.
#ifndef PTX_ISA_H
#define PTX_ISA_H

#include "ptx/ptx.h"

// Groups of modifiers: what isa.def's column `fields` is made of, a bit each.
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

// Sets of types, a bit each: what isa.def's fourth column is made of.
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
#define T_STORED (T_ALL & ~T_HALF) // halves are loaded and stored as bits

// A row of isa.def as the parser needs it.
struct isa_row {
    const char *mnemonic, *operands;
    uint64_t fields;
    uint32_t types;
};
extern const struct isa_row isa_row[];

enum isa_mod_kind { MOD_FIELD, MOD_FLAG, MOD_REQUIRED, MOD_IGNORED, MOD_POLICY, MOD_TYPES };
// A row of mod.def.
struct isa_mod {
    uint64_t group;
    const char *text;
    uint8_t kind;    // enum isa_mod_kind
    uint16_t offset; // MOD_FIELD: of the uint8_t in struct ptx_inst
    uint32_t value;  // of the field, or the flag's bit
};
extern const struct isa_mod isa_mod[];
extern const unsigned isa_mods;

// A row of sreg.def.
struct isa_sreg {
    const char *text;
    uint8_t type;       // enum ptx_type
    uint8_t components; // 0: not a vector; 3: .x .y .z (and .w, which is 0); 32: numbered, like %envreg0
};
extern const struct isa_sreg isa_sreg[PTX_SREGS];

// The type of that name (without its dot), or PTX_NONE.
enum ptx_type isa_type(const char *text, size_t length);

#endif
