// A module lowered for execution: a flat array of ops per kernel (with the functions it may call), registers as rows.
// The memory system and the model see an op only by its index and by the facts below.
#ifndef SIM_CORE_PROGRAM_H
#define SIM_CORE_PROGRAM_H

#include "ptx/ptx.h"
#include "sim/core/launch.h"

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
    uint16_t latency;    // cycles until a dependent op may start, without memory; from the profile's table
    uint32_t host;       // op whose executions count for it: itself, or the branch that became its predicate
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
struct finding_place sim_module_place(const struct ptx_module *, uint32_t func, uint32_t inst);
struct finding_place sim_program_place(const struct sim_program *, uint32_t op); // and of an op

#endif
