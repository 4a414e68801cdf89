// Defines a kernel that is lowered for execution: a flat array of ops, which contains the functions that the kernel may
// call. The memory system and the time model refer to an op only by its index and its struct sim_op_info.
#ifndef SIM_CORE_PROGRAM_H
#define SIM_CORE_PROGRAM_H

#include "sim/core/launch.h"
#include "sim/core/layout.h"

struct ptx_module;

struct sim_op;   // op.h, for the executor
struct sim_plan; // plan.h, for the executor

// Names the execution pipe of an op, for counters and the time model. Integer logic and comparisons use PIPE_ALU, and
// integer products use PIPE_MUL (a float pipe). Integer additions and moves use PIPE_INT, which stands for either of
// the pipes ALU and MUL, whichever has room.
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

// Classifies ops other than memory accesses by their latency, the time until a dependent op may start. The device
// profile gives the cycles of each latency class.
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

// Says whether an op is a load or store instruction of shared memory in SASS. An access that ptxas merges into another
// access of shared memory is SHARED_NONE.
enum sim_shared_use { SHARED_NONE, SHARED_LOAD, SHARED_STORE };

// Holds the properties of an op that do not change while a launch runs.
struct sim_op_info {
    uint32_t func, inst; // the op's PTX instruction: module->func[func].inst[inst]
    uint8_t pipe;        // enum sim_pipe
    uint8_t flops;       // float operations per thread (2 for fma)
    uint8_t slots;       // SASS instructions that the op becomes (sass/sass.h)
    uint8_t passes;      // passes of each SASS instruction through its pipe
    uint8_t shared;      // enum sim_shared_use
    uint8_t latency;     // enum latency_class
    uint8_t live;        // at the first op of a basic block: machine registers that are live there
    uint32_t counted_by; // op whose executions count for this one: itself, or the branch that became its predicate
};

struct sim_program {
    const struct ptx_module *module;
    uint32_t entry; // the kernel's index in module->func
    struct sim_op *op;
    struct sim_op_info *info; // [nops]
    uint32_t nops;
    uint32_t row_words;     // 32-bit words per lane of a warp's register file
    uint32_t registers;     // per thread: from ptxas, or estimated (sass/register_need.c)
    uint32_t spilled_bytes; // moved by a thread's instructions for spilled registers: from ptxas, or estimated
    uint32_t local_bytes;   // per thread: frames of the deepest call chain, or a fixed stack if calls recurse
    struct shared_layout *shared;
    struct sim_plan *plan;
};

// Returns the source position (file, line, column) of an instruction of any function of the module. If the instruction
// was inlined from a system header or from the grader's own header warpwise.h into the student's file, returns the
// position of the call in the student's file.
struct finding_place program_inst_place(const struct ptx_module *, uint32_t func, uint32_t inst);
// Returns the source position (file, line, column) of an op.
struct finding_place program_op_place(const struct sim_program *, uint32_t op);

#endif
