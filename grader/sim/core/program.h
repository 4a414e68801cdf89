// A module lowered for execution: a flat array of ops per kernel (with the functions it may call), registers as rows.
// The memory system and the model see an op only by its index and by the facts below.
#ifndef SIM_CORE_PROGRAM_H
#define SIM_CORE_PROGRAM_H

#include "ptx/ptx.h"
#include "sim/core/launch.h"
#include "sim/core/layout.h"

struct sim_op;   // op.h, the executor's own
struct sim_plan; // plan.h, likewise

// Which pipe an op uses, for counters and the model of time. Of integers: PIPE_ALU is for logic and comparisons,
// PIPE_MUL (a float pipe) for products; sums and moves, PIPE_INT, go where there is room.
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

// How long until a dependent op may start, memory apart: each class is a field of the device's profile.
enum latency_class {
    LATENCY_ALU,             // float and integer arithmetic, logic, comparisons
    LATENCY_FP64,            // double arithmetic
    LATENCY_SFU,             // special functions
    LATENCY_POPC,            // population count, bit reversal, leading bit
    LATENCY_DIVISION,        // a division or remainder, which is a sequence of instructions
    LATENCY_DIVISION_APPROX, // div.approx, a shorter one
    LATENCY_SHUFFLE,
    LATENCY_VOTE,   // votes, reductions across a warp, elect
    LATENCY_MATCH,  // without its values
    LATENCY_REDUCE, // the result of a barrier's reduction
    LATENCY_CLASSES
};

// What an op is to shared memory, as far as it is an instruction of its own there.
enum sim_shared_use { SHARED_NONE, SHARED_LOAD, SHARED_STORE };

// Static facts of one op.
struct sim_op_info {
    uint32_t func, inst; // where it comes from: module->func[func].inst[inst]
    uint8_t pipe;        // enum sim_pipe
    uint8_t flops;       // float operations per thread (2 for fma)
    uint8_t slots;       // SASS instructions it becomes, see sass.h
    uint8_t passes;      // how often each goes through its pipe
    uint8_t shared;      // enum sim_shared_use
    uint8_t latency;     // enum latency_class
    uint32_t counted_by; // op whose executions count for it: itself, or the branch that became its predicate
};

struct sim_program {
    const struct ptx_module *module;
    uint32_t entry; // the kernel's index in module->func
    struct sim_op *op;
    struct sim_op_info *info; // [nops]
    uint32_t nops;
    uint32_t row_words;   // 32-bit words per lane of a warp's register file
    uint32_t registers;   // per thread: the machine code's, or estimated from live ranges
    uint32_t local_bytes; // per thread: frames of the deepest call chain (a fixed stack where there is recursion)
    struct shared_layout *shared;
    struct sim_plan *plan;
};

// Source place of an instruction, of whatever function of the module: follows inlined_at out of system and kit headers
// to the student's file where it can.
struct finding_place program_inst_place(const struct ptx_module *, uint32_t func, uint32_t inst);
struct finding_place program_op_place(const struct sim_program *, uint32_t op); // and of an op

#endif
