// A lowered instruction: what one dispatch of the executor needs, in one cache line.
//
// Every operand is a row of the warp's register file, named by its byte offset: registers, but also immediates, kernel
// parameters and special registers, which are rows filled once per launch, block or warp. So a handler never asks what
// kind an operand is. A row holds 32 lanes of 4 or 8 bytes; registers narrower than 32 bits use the low bits of a
// 4-byte lane, and whoever reads them cuts the rest off. A predicate is one word, a bit a lane.
#ifndef SIM_CORE_OP_H
#define SIM_CORE_OP_H

#include "sim/core/access.h"
#include "sim/core/launch.h"
#include <stdint.h>

struct warp;
struct sim_op;

// Executes the op for the lanes of `mask` (never 0), which the guard has already been taken from.
typedef void sim_handler(struct warp *, const struct sim_op *, uint32_t mask);

struct sim_op {
    sim_handler *run;
    sim_handler *inner;  // the handler proper, where `run` first looks at the guard
    uint32_t d, a, b, c; // rows: destination, sources
    uint32_t e, f;       // second destination or fourth source; fifth
    uint32_t guard;      // predicate; 0: none
    uint32_t side;       // index into program->side (memory access, call, barrier …)
    uint16_t length;     // ops from here to the end of the basic block, this one included
    uint8_t mode;        // rounding, bool operation, …: the handler's own
    uint8_t guard_negated;
    uint8_t hidden;      // 1: part of the op before or after it; not counted as an instruction
    uint8_t required;    // enum op_required: what an undefined operand spoils here
    uint8_t propagation; // enum op_propagation: what it makes of undefined bits; times 16: the sources that are data
    uint8_t role;        // enum op_role
    uint16_t nsources, ndests;
    uint32_t regs; // index into program->use: sources, then destinations
};

// What an op is to code that looks at ops without executing them.
enum op_role {
    ROLE_NONE,
    ROLE_NOP,          // changes nothing that another thread could see
    ROLE_BRANCH,       // goes on at op->f
    ROLE_BRANCH_TABLE, // goes on at an op of a table
    ROLE_RETURN,       // ends a function
    ROLE_EXIT,         // ends the thread
    ROLE_FENCE,
    ROLE_BARRIER_ARRIVE, // comes to a barrier and does not wait
    ROLE_BARRIER_REDUCE, // bar.red: has a result when the barrier is complete
};

// Where a value that was never written becomes a defect of the kernel.
enum op_required {
    REQUIRED_NONE,
    REQUIRED_GUARD,   // the guard decides a branch
    REQUIRED_FIRST,   // the first source is an address or a branch index
    REQUIRED_STORE,   // the same, and the guard; values are stored, undefined ones make undefined bytes
    REQUIRED_GLOBAL,  // the same, and the values too
    REQUIRED_ALL,     // every source and the guard
    REQUIRED_UNKNOWN, // REQUIRED_STORE, but global memory when the address says so
};

// Which bits of a result are undefined: undef.c.
enum op_propagation {
    PROPAGATE_ALL,   // all, if any of a source is
    PROPAGATE_COPY,  // as the data's bits move; nothing else is done to them
    PROPAGATE_MOVED, // as the data's bits move
    PROPAGATE_AND,
    PROPAGATE_OR,
    PROPAGATE_XOR,
    PROPAGATE_LOP3, // what the undefined bits can change
    PROPAGATE_TO_BYTES,
    PROPAGATE_FROM_BYTES,     // a word of a function's parameters, which has a number a byte
    PROPAGATE_ITSELF,         // the handler says it
    PROPAGATE_DATA = 15 << 4, // added: all sources are data
};

// Names a handler: ptx_op << 16 | ptx_type << 8 | variant.
#define SIM_KEY(op, type, variant) ((uint32_t)(op) << 16 | (uint32_t)(type) << 8 | (uint32_t)(variant))
struct sim_handler_row {
    uint32_t key;
    sim_handler *run;
};

// Variants, where the op and its first type do not say all. Comparisons use enum ptx_cmp, products enum ptx_part.
enum sim_variant {
    VARIANT_PLAIN = 0,
    VARIANT_FTZ = 1,
    VARIANT_DIRECTED = 2, // rounding mode in op->mode (enum ptx_round), done slowly
    VARIANT_APPROX = 3,
    VARIANT_FULL = 4,
    VARIANT_NAN = 5, // min, max: a NaN wins
    VARIANT_XORSIGN = 6,
    VARIANT_SAT = 7,
    VARIANT_SAT_HI = 8,
    VARIANT_NAN_XORSIGN = 9,
    VARIANT_SHARED = 1, // ld, st: words of one space
    VARIANT_GLOBAL = 2,
    VARIANT_CARRY = 16, // add, sub, addc, subc: reads or writes the carry, as op->mode says
    VARIANT_CARRY_LO = 17,
    VARIANT_CARRY_HI = 18,
    VARIANT_LO = PTX_PART_LO,
    VARIANT_HI = PTX_PART_HI,
    VARIANT_WIDE = PTX_PART_WIDE,
    VARIANT_EQ = PTX_EQ,
    VARIANT_NE = PTX_NE,
    VARIANT_LT = PTX_LT,
    VARIANT_LE = PTX_LE,
    VARIANT_GT = PTX_GT,
    VARIANT_GE = PTX_GE,
    VARIANT_EQU = PTX_EQU,
    VARIANT_NEU = PTX_NEU,
    VARIANT_LTU = PTX_LTU,
    VARIANT_LEU = PTX_LEU,
    VARIANT_GTU = PTX_GTU,
    VARIANT_GEU = PTX_GEU,
    VARIANT_NUM = PTX_NUM,
    VARIANT_NAN_CMP = PTX_NAN,
    VARIANT_SHF_L_WRAP = 1,
    VARIANT_SHF_L_CLAMP = 2,
    VARIANT_SHF_R_WRAP = 3,
    VARIANT_SHF_R_CLAMP = 4,
    VARIANT_FINITE = PTX_FINITE,
    VARIANT_INFINITE = PTX_INFINITE,
    VARIANT_NUMBER = PTX_NUMBER,
    VARIANT_NOTANUMBER = PTX_NOTANUMBER,
    VARIANT_NORMAL = PTX_NORMAL,
    VARIANT_SUBNORMAL = PTX_SUBNORMAL,
    VARIANT_F4E = PTX_F4E,
    VARIANT_B4E = PTX_B4E,
    VARIANT_RC8 = PTX_RC8,
    VARIANT_ECL = PTX_ECL,
    VARIANT_ECR = PTX_ECR,
    VARIANT_RC16 = PTX_RC16,
    VARIANT_WITH_S8 = 1, // dp4a, dp2a: the second type is signed
    VARIANT_WITH_S8_LO = 2,
    VARIANT_WITH_U8_LO = 3,
    VARIANT_WITH_S8_HI = 4,
    VARIANT_WITH_U8_HI = 5,
    // cvt: the second type, plus this times the rounding
    VARIANT_CVT = 32,
};

// How a video instruction does its work: op->side. The second operation and the comparison follow above.
enum sim_video {
    VIDEO_D_SIGNED = 1 << 0,
    VIDEO_A_SIGNED = 1 << 1,
    VIDEO_B_SIGNED = 1 << 2,
    VIDEO_SAT = 1 << 3,
    VIDEO_WRAP = 1 << 4,   // vshl, vshr: by the amount modulo 32
    VIDEO_SECOND = 1 << 8, // times enum ptx_atom: none, add, min or max with c
    VIDEO_CMP = 1 << 16,   // times enum ptx_cmp
};

// The handlers for one level of vector units.
struct sim_handlers {
    const char *name;
    const struct sim_handler_row *const *table; // ends with NULL; each ends with run NULL
};
extern const struct sim_handlers op_handlers, op_handlers_v3, op_handlers_v4;

// Part of the memory ops that does not fit the line.
struct sim_memory_op {
    struct sim_access access; // all but mask and addresses
    int64_t offset;           // added to the base row, which op->a names (of cp.async's load op->b)
    uint32_t row[8], reg[8];  // one per element of the vector; 0: no register
    uint8_t wide;             // 1: the base row is 64-bit; 0: 32-bit
    uint8_t local;            // 1: plus the frame's base (a .local variable by name)
    uint8_t piece;            // 1: a store of a part of what the source copies as one: some of it may be unset
};

// An instruction that lanes of a warp execute together (machine/converge.c): all lanes that its mask names.
struct exchange;
typedef void exchange_body(struct warp *, const struct exchange *);
struct sim_exchange_op {
    exchange_body *run; // executes the instruction once its lanes are together
    uint32_t mask;      // row of 32-bit words: the lanes that each lane wants
    uint32_t memory;    // index into plan->memory, where the instruction accesses memory
    uint8_t type;       // enum ptx_type of the instruction
    uint8_t count;      // registers of its vector operand
    uint8_t transposed; // 1: rows and columns of matrices change places
};
// Lanes that are together. They stand at one op or at several of one kind.
struct exchange {
    uint32_t lanes, nparts;
    struct exchange_part {
        const struct sim_op *op;
        uint32_t mask; // its lanes
    } part[32];
};

// A word copied between register rows by calls: ld/st.param on variables in the register file.
struct sim_param_op {
    uint32_t word; // row of the variable's first 32-bit word accessed
    uint32_t row;  // the register's
    uint8_t bytes, wide, shift, sign;
};

struct sim_call_op {
    int32_t func;               // module's index; -1: by register
    uint32_t target;            // its row
    uint32_t args, nargs;       // row words copied, in program->pair: (from, to)
    uint32_t results, nresults; // the same
    uint32_t return_pc;
    uint8_t builtin; // enum sim_builtin
};
enum sim_builtin { BUILTIN_NONE, BUILTIN_VPRINTF, BUILTIN_ASSERTFAIL, BUILTIN_ASSERT_FAIL };

#endif
