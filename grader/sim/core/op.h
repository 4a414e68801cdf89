// Defines struct sim_op, a lowered instruction ("op"). One cache line holds all data of an op that the op's handler
// needs.
//
// Every operand of an op is a register row: the part of a warp's register file that holds one PTX register of all 32
// lanes. An op names each operand by a byte offset in the register file, at which the operand's values for all 32 lanes
// lie. Immediates, kernel parameters and special registers also lie in the warp's register file; the simulator stores
// them there once per launch, block or warp. The handler of an op therefore reads registers, immediates, parameters and
// special registers in the same way. In the register file, a PTX register has 4 or 8 bytes for each of the 32 lanes. A
// PTX register narrower than 32 bits uses the low bits of 4 bytes, and the op that reads the register masks off the
// other bits. In the register file, a predicate register is one 32-bit word with a bit for each lane.
#ifndef SIM_CORE_OP_H
#define SIM_CORE_OP_H

#include "sim/core/access.h"
#include "sim/core/launch.h"
#include <stdint.h>

struct warp;
struct sim_op;

// Executes the op for the lanes of `mask`, which is never 0. Lanes whose guard predicate is false are not in `mask`,
// except in handlers of control flow, which read the guard themselves.
typedef void sim_handler(struct warp *, const struct sim_op *, uint32_t mask);

struct sim_op {
    sim_handler *run;
    sim_handler *inner;  // the handler itself, if `run` is control_guarded, which reads the guard first
    uint32_t d, a, b, c; // offsets in the warp's register file: destination, sources
    uint32_t e, f;       // likewise: second destination, fourth source; or a constant or branch target of the handler
    uint32_t guard;      // offset of the guard predicate in the register file; 0: none
    uint32_t side;       // index into an array of the plan: memory access, call, exchange …
    uint16_t length;     // number of ops from this one to the end of the basic block
    uint8_t mode;        // rounding, boolean operation …: each handler defines its meaning
    uint8_t guard_negated;
    uint8_t hidden;      // 1: auxiliary op of an instruction; not counted as an instruction
    uint8_t required;    // enum op_required: the operands that must be defined
    uint8_t propagation; // low 4 bits: enum op_propagation; high 4 bits: mask of the sources that are data
    uint8_t role;        // enum op_role
    uint16_t nsources, ndests;
    uint32_t regs; // index into plan->use: register ids of the guard, the sources, the destinations
};

// Says what an op (a lowered instruction) does, for code that inspects ops without executing them.
enum op_role {
    ROLE_NONE,
    ROLE_NOP,          // has no effect that another thread can see
    ROLE_BRANCH,       // continues at op->f
    ROLE_BRANCH_TABLE, // continues at an op from a table
    ROLE_RETURN,       // ends a function
    ROLE_EXIT,         // ends the thread
    ROLE_FENCE,
    ROLE_COPY_GROUP,     // commits, or waits for, asynchronous copies
    ROLE_ALLOCATE,       // calls malloc() or free()
    ROLE_PRINT,          // calls vprintf()
    ROLE_BARRIER_ARRIVE, // arrives at a barrier and does not wait
    ROLE_BARRIER_REDUCE, // bar.red: its result is ready when the barrier is complete
};

// Says which operands of an op must have no undefined bits. An undefined bit in an operand that must have none, such as
// an address, is an error of the kernel.
enum op_required {
    REQUIRED_NONE,
    REQUIRED_GUARD,   // the guard, which decides a branch
    REQUIRED_FIRST,   // the first source: an address or a branch index
    REQUIRED_STORE,   // the address and the guard; undefined values make the stored bytes undefined
    REQUIRED_GLOBAL,  // as REQUIRED_STORE, and the stored values
    REQUIRED_ALL,     // every source and the guard
    REQUIRED_UNKNOWN, // generic store: REQUIRED_GLOBAL if the address is in global memory, else REQUIRED_STORE
};

// Says which bits of an op's result are undefined if bits of its sources are undefined (machine/undef.c).
enum op_propagation {
    PROPAGATE_ALL,   // all, if any source bit is undefined
    PROPAGATE_COPY,  // those of the data, moved as the handler moves the data; the result is a copy
    PROPAGATE_MOVED, // the same, but the result is a new value
    PROPAGATE_AND,
    PROPAGATE_OR,
    PROPAGATE_XOR,
    PROPAGATE_LOP3,           // those that the undefined source bits can change
    PROPAGATE_TO_BYTES,       // a word stored to a function's parameters, which have a register id for each byte
    PROPAGATE_FROM_BYTES,     // a word loaded from a function's parameters
    PROPAGATE_ITSELF,         // the handler marks them
    PROPAGATE_DATA = 15 << 4, // flag: all sources are data
};

// Returns the key by which a handler is found: ptx_op << 16 | ptx_type << 8 | variant.
#define SIM_KEY(op, type, variant) ((uint32_t)(op) << 16 | (uint32_t)(type) << 8 | (uint32_t)(variant))
struct sim_handler_row {
    uint32_t key;
    sim_handler *run;
};

// Distinguishes the handlers of instructions that have the same opcode and the same first type. The variant of a
// comparison is a value of enum ptx_cmp, and the variant of a product is a value of enum ptx_part.
enum sim_variant {
    VARIANT_PLAIN = 0,
    VARIANT_FTZ = 1,
    VARIANT_DIRECTED = 2, // rounding mode in op->mode (enum ptx_round); executed lane by lane
    VARIANT_APPROX = 3,
    VARIANT_FULL = 4,
    VARIANT_NAN = 5, // min, max: the result is NaN if a source is NaN
    VARIANT_XORSIGN = 6,
    VARIANT_SAT = 7,
    VARIANT_SAT_HI = 8,
    VARIANT_NAN_XORSIGN = 9,
    VARIANT_SHARED = 1, // ld, st: one 32-bit word per lane, in one memory space
    VARIANT_GLOBAL = 2,
    VARIANT_CARRY = 16, // add, sub, addc, subc: op->mode says whether they read or write the carry
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
    // cvt: the second type, plus VARIANT_CVT times the rounding
    VARIANT_CVT = 32,
};

// Lists the bit fields of op->side in the op of a video instruction: flags, the second operation and the comparison.
enum sim_video {
    VIDEO_D_SIGNED = 1 << 0,
    VIDEO_A_SIGNED = 1 << 1,
    VIDEO_B_SIGNED = 1 << 2,
    VIDEO_SAT = 1 << 3,
    VIDEO_WRAP = 1 << 4,   // vshl, vshr: the amount is taken modulo 32
    VIDEO_SECOND = 1 << 8, // times enum ptx_atom: none, or add, min or max with c
    VIDEO_CMP = 1 << 16,   // times enum ptx_cmp
};

// Lists the instruction handlers that are compiled for one level of the host's vector units.
struct sim_handlers {
    const char *name;
    const struct sim_handler_row *const *table; // ends with NULL; each of its tables ends with `run` NULL
};
extern const struct sim_handlers op_handlers, op_handlers_v3, op_handlers_v4;

// Holds the data of a memory instruction that do not fit into struct sim_op.
struct sim_memory_op {
    struct sim_access access; // everything but mask and addresses
    int64_t offset;           // bytes added to the base register op->a (op->b for the load of cp.async)
    uint32_t row[8], reg[8];  // offset in the register file, and register id, of each element; 0: no register
    uint8_t wide;             // 1: the base register has 64 bits; 0: 32 bits
    uint8_t local;            // 1: the frame's base is added, since the address names a .local variable
    uint8_t piece;            // 1: stores one part of a structure that the source copies whole; parts may be unset
};

struct exchange;
typedef void exchange_body(struct warp *, const struct exchange *);
// Describes an instruction, such as a shuffle, that the lanes of a mask execute together (machine/converge.c).
struct sim_exchange_op {
    exchange_body *run; // executes the instruction once its lanes are together
    uint32_t mask;      // offset in the register file of the 32-bit register with the mask operand of each lane
    uint32_t memory;    // index into plan->memory, if the instruction accesses memory
    uint8_t type;       // enum ptx_type of the instruction
    uint8_t count;      // number of registers in its vector operand
    uint8_t barrier;    // 1: __syncwarp, which exchanges nothing
    uint8_t transposed; // 1: .trans: rows and columns of the matrices are swapped
};
// Lists the lanes that execute an instruction, such as a shuffle, together. Diverged lanes may wait at different ops of
// the same kind, for example at two shuffles. Each struct exchange_part names one op and the lanes that wait at this
// op.
struct exchange {
    uint32_t lanes, nparts;
    struct exchange_part {
        const struct sim_op *op;
        uint32_t mask; // its lanes
    } part[32];
};

// Describes an ld.param or st.param that copies a value between a register and the .param variable of a device
// function's parameter or result. The simulator keeps the .param variables of device functions in the warp's register
// file, like registers.
struct sim_param_op {
    uint32_t word; // offset in the register file of the first 32-bit word of the .param variable
    uint32_t row;  // offset in the register file of the register that is loaded or stored
    uint8_t bytes, wide, shift, sign;
};

struct sim_call_op {
    int32_t func;               // index into module->func; -1: called through a register
    uint32_t target;            // offset of that register in the register file
    uint32_t args, nargs;       // words to copy to the parameters: range of plan->pair
    uint32_t results, nresults; // words to copy back: range of plan->pair
    uint32_t return_pc;
    uint8_t builtin; // enum sim_builtin
};
enum sim_builtin { BUILTIN_NONE, BUILTIN_VPRINTF, BUILTIN_ASSERTFAIL, BUILTIN_MALLOC, BUILTIN_FREE };

#endif
