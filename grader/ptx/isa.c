// Expands isa.def, mod.def and sreg.def to the arrays that isa.h declares. The .def files contain all facts about PTX
// instructions, modifiers and special registers.
#include "ptx/isa.h"

#include <stddef.h>
#include <string.h>

#include "base/die.h"
#include "ptx/opcode.h"

const struct isa_row isa_row[PTX_OPS] = {
#define ISA(id, mnemonic, fields, types, operands, ...) {mnemonic, operands, fields, types},
#include "ptx/isa.def"
#undef ISA
};

const struct ptx_isa ptx_isa[PTX_OPS] = {
#define ISA(id, mnemonic, fields, types, operands, suffixes, form, effect, lowering, pipe, flops, latency, value,      \
            undefined, slots, unroll, section, meaning)                                                                \
    {#id, mnemonic, operands, section, meaning, effect},
#include "ptx/isa.def"
#undef ISA
};

uint32_t ptx_destinations(const struct ptx_inst *i)
{
    const char *letters = isa_row[i->op].operands;
    if (*letters == 'B') return i->mode == PTX_BAR_RED;
    return *letters == 'v' || *letters == 'f' ? 1 : (uint32_t)strspn(letters, "dsDSWqey");
}

int ptx_is_branch(const struct ptx_inst *i)
{
    return *isa_row[i->op].operands == 'l';
}

const struct isa_mod isa_mod[] = {
#define MOD(group, text, field, value) {group, text, MOD_FIELD, offsetof(struct ptx_inst, field), value},
#define FLAG(group, text, bit) {group, text, MOD_FLAG, 0, bit},
#define WORD(group, text, rule) {group, text, MOD_##rule, 0, 0},
#define TYPES() {0, "", MOD_TYPES, 0, 0},
#include "ptx/mod.def"
#undef MOD
#undef FLAG
#undef WORD
#undef TYPES
};
const unsigned isa_mods = sizeof isa_mod / sizeof *isa_mod;

enum { TID_COMPONENTS = 3, ENVREGS = 32 };
const struct isa_sreg isa_sreg[PTX_SREGS] = {
#define SREG(id, text, type, meaning)                                                                                  \
    {text, PTX_##type,                                                                                                 \
     PTX_SREG_##id <= PTX_SREG_cluster_nctaid ? TID_COMPONENTS : (PTX_SREG_##id == PTX_SREG_envreg ? ENVREGS : 0)},
#include "ptx/sreg.def"
#undef SREG
};

static const struct {
    const char *name;
    uint8_t bytes;
} types[PTX_TYPES] = {
    [PTX_NONE] = {"", 0},   [PTX_B8] = {"b8", 1},       [PTX_B16] = {"b16", 2},     [PTX_B32] = {"b32", 4},
    [PTX_B64] = {"b64", 8}, [PTX_B128] = {"b128", 16},  [PTX_U8] = {"u8", 1},       [PTX_U16] = {"u16", 2},
    [PTX_U32] = {"u32", 4}, [PTX_U64] = {"u64", 8},     [PTX_S8] = {"s8", 1},       [PTX_S16] = {"s16", 2},
    [PTX_S32] = {"s32", 4}, [PTX_S64] = {"s64", 8},     [PTX_U16X2] = {"u16x2", 4}, [PTX_S16X2] = {"s16x2", 4},
    [PTX_F16] = {"f16", 2}, [PTX_F16X2] = {"f16x2", 4}, [PTX_BF16] = {"bf16", 2},   [PTX_BF16X2] = {"bf16x2", 4},
    [PTX_F32] = {"f32", 4}, [PTX_F64] = {"f64", 8},     [PTX_PRED] = {"pred", 0},
};

uint32_t ptx_type_bytes(enum ptx_type type)
{
    BUG_ON(type >= PTX_TYPES);
    return types[type].bytes;
}

const char *ptx_type_name(enum ptx_type type)
{
    BUG_ON(type >= PTX_TYPES);
    return types[type].name;
}

enum ptx_type isa_type(const char *text, size_t length)
{
    for (int type = PTX_NONE + 1; type < PTX_TYPES; ++type)
        if (text[0] == types[type].name[0] && strlen(types[type].name) == length &&
            !memcmp(types[type].name, text, length))
            return (enum ptx_type)type;
    return PTX_NONE;
}
