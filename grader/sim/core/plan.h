// Defines the plan of a kernel. Lowering translates a kernel's PTX into ops and into the plan, which holds all other
// data that the simulator needs to execute the kernel. The plan of a kernel lists the memory accesses, the calls, the
// functions, and the values that the simulator stores in the register file before a warp runs. The plan lies in the
// memory arena of the lowering, and is read-only while a launch runs.
#ifndef SIM_CORE_PLAN_H
#define SIM_CORE_PLAN_H

#include <stdint.h>

#include "base/arena.h"
#include "sim/core/op.h"
#include "sim/core/program.h"

struct sim_memory;

enum plan_row_kind { PLAN_IMMEDIATE, PLAN_PARAM, PLAN_SREG, PLAN_DYNAMIC_SHARED };
// Describes a value in a warp's register file that no instruction writes, such as an immediate or a special register.
// The simulator stores each value that a struct plan_row describes in the register file, for all lanes, before a warp
// runs.
struct plan_row {
    uint32_t offset; // in the register file
    uint8_t kind;    // enum plan_row_kind
    uint8_t wide;    // 0: lanes of 4 bytes, 1: lanes of 8 bytes, 2: a predicate's word
    uint8_t bytes;   // PLAN_PARAM: bytes read
    uint8_t sign;    // PLAN_PARAM: 1: they are sign-extended
    uint32_t sreg, component;
    uint64_t bits; // PLAN_IMMEDIATE: the value; PLAN_PARAM: offset in the parameters
};

// Describes a 32-bit register word that a function call copies between caller and callee.
struct plan_pair {
    uint32_t from, to;            // offsets in the register file
    uint32_t from_reg, to_reg;    // their register ids
    uint8_t from_bytes, to_bytes; // 1: the word has a register id for each of its bytes
};

// Describes the place of one register of a kernel or device function in a warp's register file.
struct plan_span {
    uint32_t row, width; // offset in the register file; bytes per lane, 1: a predicate's word
    uint32_t reg;        // register id; a parameter's word has four ids, for its bytes, and this is the first
};

// Describes a device function, or the kernel itself, as part of a lowered program.
struct plan_func {
    uint32_t entry;            // its first op; PLAN_ABSENT: not part of this program
    uint32_t region, bytes;    // offset and size of its part of the register file
    uint32_t first_reg, nregs; // ids of its registers
    uint32_t frame_bytes;      // size of its .local variables
    uint32_t *unwritten;       // [nunwritten]: ids of registers that may be read before they are written
    uint32_t nunwritten;
    struct plan_span *stale; // [nstale]: where the register file holds these registers
    uint32_t nstale;
    uint32_t param_word, param_words;   // offset in the register file, and number, of its parameters' 32-bit words
    uint32_t param_reg;                 // register id of the first parameter's first byte
    uint32_t result_word, result_words; // the same for its results
    uint32_t result_reg;
    uint32_t first_span, nspans; // its registers: range of plan->span
    uint32_t *span_of;           // [func->nregs]: index in plan->span of a register of the PTX function, or PLAN_ABSENT
    uint8_t recursive;
};
#define PLAN_ABSENT 0xffffffffu
enum { PLAN_SCRATCH_ROW = 8 * 32 };
enum { PLAN_PARAM_BYTES = 32764 + 8 }; // the most that a kernel's parameters take (since CUDA 12.1; 4096 before)

struct sim_plan {
    struct sim_memory_op *memory;
    uint32_t nmemory;
    struct sim_param_op *param;
    struct sim_call_op *call;
    struct sim_exchange_op *exchange;
    struct plan_pair *pair;
    uint32_t *use;          // register ids of each op's guard, sources and destinations
    uint32_t *target;       // op indices: the branch targets of brx.idx
    uint64_t *local_offset; // [module->nvars]: offset of a .local variable in its function's frame
    struct plan_span *span;
    struct plan_row *row;
    uint32_t nrows;
    struct plan_func *func;   // [module->nfuncs]
    uint32_t nregs;           // number of register ids; id 0 means no register
    uint8_t *width;           // [nregs]: bytes per lane; 1: a predicate
    uint8_t *held;            // [nregs]: machine registers that the value takes (sass/home.c); 0: none
    uint32_t scratch;         // offset of five scratch registers of PLAN_SCRATCH_ROW bytes, for machine/undef.c
    uint32_t file_bytes;      // size of a warp's register file
    uint32_t order_sensitive; // 1: the kernel's results may depend on the order of blocks
    uint32_t takes_turns;     // 1: warps may wait for words that others write, in any order (sim/timing/waits.h)
    uint32_t allocates;       // 1: the kernel may call malloc() or free()
    uint32_t param_bytes;
    uint32_t param_offset[ENGINE_ARGS + 1];
    uint32_t nparams;
    uint32_t entry_op;
};

#endif
