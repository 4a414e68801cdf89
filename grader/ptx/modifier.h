// The modifiers of PTX instructions: the values of the modifier fields of struct ptx_inst (ptx/ptx.h). The value 0 of a
// modifier field means that the instruction has no such modifier. The table mod.def contains the spelling of each
// modifier in PTX text, such as ".rn" for PTX_RN.
#ifndef PTX_MODIFIER_H
#define PTX_MODIFIER_H

enum ptx_round { PTX_ROUND_NONE, PTX_RN, PTX_RZ, PTX_RM, PTX_RP, PTX_RNA, PTX_RNI, PTX_RZI, PTX_RMI, PTX_RPI };
enum ptx_cmp {
    PTX_CMP_NONE,
    PTX_EQ,
    PTX_NE,
    PTX_LT,
    PTX_LE,
    PTX_GT,
    PTX_GE,
    PTX_LO,
    PTX_LS,
    PTX_HI,
    PTX_HS,
    PTX_EQU,
    PTX_NEU,
    PTX_LTU,
    PTX_LEU,
    PTX_GTU,
    PTX_GEU,
    PTX_NUM,
    PTX_NAN
};
enum ptx_bool { PTX_BOOL_NONE, PTX_BOOL_AND, PTX_BOOL_OR, PTX_BOOL_XOR, PTX_BOOL_POPC };
enum ptx_sem {
    PTX_SEM_NONE,
    PTX_WEAK,
    PTX_VOLATILE,
    PTX_RELAXED,
    PTX_ACQUIRE,
    PTX_RELEASE,
    PTX_ACQ_REL,
    PTX_SC,
    PTX_MMIO
};
enum ptx_scope { PTX_SCOPE_NONE, PTX_CTA, PTX_CLUSTER, PTX_GPU, PTX_SYS };
enum ptx_cache { PTX_CACHE_NONE, PTX_CA, PTX_CG, PTX_CS, PTX_LU, PTX_CV, PTX_WB, PTX_WT };
enum ptx_atom {
    PTX_ATOM_NONE,
    PTX_ATOM_ADD,
    PTX_ATOM_MIN,
    PTX_ATOM_MAX,
    PTX_ATOM_INC,
    PTX_ATOM_DEC,
    PTX_ATOM_AND,
    PTX_ATOM_OR,
    PTX_ATOM_XOR,
    PTX_ATOM_EXCH,
    PTX_ATOM_CAS
};
enum ptx_part { PTX_PART_NONE, PTX_PART_LO, PTX_PART_HI, PTX_PART_WIDE }; // modifiers of mul and mad
// Lists the mode modifiers of instructions such as shfl, vote and bar, for example .up of shfl. Each mode modifier in
// enum ptx_mode belongs to only a few instructions, so all mode modifiers share one field of struct ptx_inst.
enum ptx_mode {
    PTX_MODE_NONE,
    PTX_UP,
    PTX_DOWN,
    PTX_BFLY,
    PTX_IDX, // modes of shfl
    PTX_ALL,
    PTX_ANY,
    PTX_UNI_VOTE,
    PTX_BALLOT, // modes of vote and match
    PTX_F4E,
    PTX_B4E,
    PTX_RC8,
    PTX_ECL,
    PTX_ECR,
    PTX_RC16, // modes of prmt
    PTX_SHF_L,
    PTX_SHF_R, // modes of shf
    PTX_FINITE,
    PTX_INFINITE,
    PTX_NUMBER,
    PTX_NOTANUMBER,
    PTX_NORMAL,
    PTX_SUBNORMAL, // modes of testp
    PTX_BAR_SYNC,
    PTX_BAR_ARRIVE,
    PTX_BAR_RED, // modes of bar and barrier
    PTX_PROXY_ALIAS,
    PTX_PROXY_ASYNC, // modes of fence.proxy
    PTX_LAUNCH_DEPENDENTS,
    PTX_WAIT_FOR_GRIDS, // modes of griddepcontrol
};
enum ptx_flag {
    PTX_FTZ = 1 << 0,
    PTX_SAT = 1 << 1,
    PTX_APPROX = 1 << 2,
    PTX_FULL = 1 << 3,
    PTX_CC = 1 << 4,
    PTX_UNI = 1 << 5,
    PTX_NC = 1 << 6,
    PTX_TO = 1 << 7,
    PTX_CLAMP = 1 << 8,
    PTX_WRAP = 1 << 9,
    PTX_SHIFTAMT = 1 << 10,
    PTX_NAN_FLAG = 1 << 11,
    PTX_RELU = 1 << 12,
    PTX_NOFTZ = 1 << 13,
    PTX_ALIGNED = 1 << 14,
    PTX_XORSIGN = 1 << 15,
    PTX_SATFINITE = 1 << 16,
    PTX_TRUNC = 1 << 17,
    PTX_NOINC = 1 << 18,
    PTX_TRANS = 1 << 19,
};

#endif
