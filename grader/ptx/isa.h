// The tables of isa.def, mod.def and sreg.def as data. Used by the parser and the checker, and by tests.
#ifndef PTX_ISA_H
#define PTX_ISA_H

#include "ptx/ptx.h"

// Groups of modifiers: what isa.def's third column is made of.
enum isa_group {
    G_CTA,
    G_MATCH,
    G_SYNC,
    G_SHFL,
    G_VOTE,
    G_BAR,
    G_BAROP,
    G_ALIGNED,
    G_TESTP,
    G_SHF,
    G_CLAMP,
    G_WRAP,
    G_UNI,
    G_TO,
    G_SHIFTAMT,
    G_CMP,
    G_BOOL,
    G_PART,
    G_WIDE,
    G_APPROX,
    G_FULL,
    G_ROUND,
    G_IROUND,
    G_FTZ,
    G_NAN,
    G_XORSIGN,
    G_SAT,
    G_RELU,
    G_CC,
    G_SEM,
    G_SCOPE,
    G_LEVEL,
    G_COPYCACHE,
    G_COPY,
    G_SPACE,
    G_CACHE,
    G_NC,
    G_ATOM,
    G_NOFTZ,
    G_HINT,
    G_VEC,
    G_TWO_TYPES,
    G_THREE_TYPES,
    G_PRMT,
    G_DEPEND,
    G_PROXY,
    G_NOCOMPLETE,
    G_NOINC,
};
#define F_CTA (1ull << G_CTA)
#define F_MATCH (1ull << G_MATCH)
#define F_SYNC (1ull << G_SYNC)
#define F_SHFL (1ull << G_SHFL)
#define F_VOTE (1ull << G_VOTE)
#define F_BAR (1ull << G_BAR)
#define F_BAROP (1ull << G_BAROP)
#define F_ALIGNED (1ull << G_ALIGNED)
#define F_TESTP (1ull << G_TESTP)
#define F_SHF (1ull << G_SHF)
#define F_CLAMP (1ull << G_CLAMP)
#define F_WRAP (1ull << G_WRAP)
#define F_UNI (1ull << G_UNI)
#define F_TO (1ull << G_TO)
#define F_SHIFTAMT (1ull << G_SHIFTAMT)
#define F_CMP (1ull << G_CMP)
#define F_BOOL (1ull << G_BOOL)
#define F_PART (1ull << G_PART)
#define F_WIDE (1ull << G_WIDE)
#define F_APPROX (1ull << G_APPROX)
#define F_FULL (1ull << G_FULL)
#define F_ROUND (1ull << G_ROUND)
#define F_IROUND (1ull << G_IROUND)
#define F_FTZ (1ull << G_FTZ)
#define F_NAN (1ull << G_NAN)
#define F_XORSIGN (1ull << G_XORSIGN)
#define F_SAT (1ull << G_SAT)
#define F_RELU (1ull << G_RELU)
#define F_CC (1ull << G_CC)
#define F_SEM (1ull << G_SEM)
#define F_SCOPE (1ull << G_SCOPE)
#define F_LEVEL (1ull << G_LEVEL)
#define F_COPYCACHE (1ull << G_COPYCACHE)
#define F_COPY (1ull << G_COPY)
#define F_SPACE (1ull << G_SPACE)
#define F_CACHE (1ull << G_CACHE)
#define F_NC (1ull << G_NC)
#define F_ATOM (1ull << G_ATOM)
#define F_NOFTZ (1ull << G_NOFTZ)
#define F_HINT (1ull << G_HINT)
#define F_VEC (1ull << G_VEC)
#define F_TWO_TYPES (1ull << G_TWO_TYPES)
#define F_THREE_TYPES (1ull << G_THREE_TYPES)
#define F_PRMT (1ull << G_PRMT)
#define F_DEPEND (1ull << G_DEPEND)
#define F_PROXY (1ull << G_PROXY)
#define F_NOCOMPLETE (1ull << G_NOCOMPLETE)
#define F_NOINC (1ull << G_NOINC)

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
