// A kernel lowered for execution: a flat array of ops, which contains the functions that the kernel may call. The
// memory system and the time model know an op by its index and by its struct sim_op_info only.
#ifndef SIM_CORE_PROGRAM_H
#define SIM_CORE_PROGRAM_H

#include "ptx/ptx.h"
#include "sim/core/launch.h"
#include "sim/core/layout.h"

struct sim_op;   // op.h, for the executor
struct sim_plan; // plan.h, for the executor

// Execution pipe of an op, for counters and the time model. Integer ops have three: PIPE_ALU for logic and comparisons,
// PIPE_MUL (a float pipe) for products, and PIPE_INT for additions and moves, which use the pipe that has room.
enum sim_pipe {
    PIPE_NONE,
    PIPE_FP32,
    PIPE_INT,
    PIPE_ALU,
    PIPE_MUL,
    PIPE_FP64,
    PIPE_SFU,
    PIPE_LSU,
    PIPE_CONTROL,
    PIPES
};

// Class of the time until a dependent op may start, memory accesses excluded. The device profile has a field with the
// cycles of each class.
enum latency_class {
    LATENCY_ALU,             // float and integer arithmetic, logic, comparisons
    LATENCY_FP64,            // double arithmetic
    LATENCY_SFU,             // special functions
    LATENCY_POPC,            // population count, bit reversal, leading bit
    LATENCY_DIVISION,        // integer division or remainder, a sequence of instructions
    LATENCY_DIVISION_APPROX, // div.approx, a shorter sequence
    LATENCY_SHUFFLE,
    LATENCY_VOTE,   // votes, reductions across a warp, elect
    LATENCY_MATCH,  // match, without the time that each distinct value adds
    LATENCY_REDUCE, // the result of bar.red
    LATENCY_CLASSES
};

// Whether an op is a load or store instruction of shared memory in SASS. An access that was merged into another is
// none.
enum sim_shared_use { SHARED_NONE, SHARED_LOAD, SHARED_STORE };

// Static properties of an op.
struct sim_op_info {
    uint32_t func, inst; // the op's PTX instruction: module->func[func].inst[inst]
    uint8_t pipe;        // enum sim_pipe
    uint8_t flops;       // float operations per thread (2 for fma)
    uint8_t slots;       // SASS instructions that the op becomes (lower/sass.h)
    uint8_t passes;      // passes of each SASS instruction through its pipe
    uint8_t shared;      // enum sim_shared_use
    uint8_t latency;     // enum latency_class
    uint32_t counted_by; // op whose executions count for this one: itself, or the branch that became its predicate
};

struct sim_program {
    const struct ptx_module *module;
    uint32_t entry; // the kernel's index in module->func
    struct sim_op *op;
    struct sim_op_info *info; // [nops]
    uint32_t nops;
    uint32_t row_words;   // 32-bit words per lane of a warp's register file
    uint32_t registers;   // per thread: from the machine code, or estimated from live ranges
    uint32_t local_bytes; // per thread: frames of the deepest call chain, or a fixed stack if calls recurse
    struct shared_layout *shared;
    struct sim_plan *plan;
};

// Returns the source place of an instruction of any function of the module. Follows inlined_at out of system and kit
// headers to the student's file if possible.
struct finding_place program_inst_place(const struct ptx_module *, uint32_t func, uint32_t inst);
// Returns the source place of an op.
struct finding_place program_op_place(const struct sim_program *, uint32_t op);

#endif
