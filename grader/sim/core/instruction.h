// Declares the columns of ptx/isa.def, the table of PTX instructions, that the simulator and its time model read.
//
// An instruction's row in isa.def holds the properties of the instruction. Each word in a column of isa.def is a
// constant in this file; for example, the word SUM in the column `value` is VALUE_SUM. Where possible, the simulator's
// code tests the columns of isa.def instead of comparing opcodes.
#ifndef SIM_CORE_INSTRUCTION_H
#define SIM_CORE_INSTRUCTION_H

#include <stdint.h>

#include "ptx/ptx.h"

// Classifies instructions by the execution pipes that they use. For each member of enum instruction_pipes, the table
// `pipe` in instruction.c names three execution pipes: for integer types, for float types of up to 32 bits, and for
// double.
enum instruction_pipes {
    PIPES_MATH,
    PIPES_ADD,
    PIPES_MULTIPLY,
    PIPES_COMPARE,
    PIPES_SPECIAL,
    PIPES_BITS,
    PIPES_MOVE,
    PIPES_MEMORY,
    PIPES_CONTROL,
    PIPES_CLASSES
};

// Says how an instruction computes its result from the sources a, b and c, in the detail that the analyses of
// addresses, low bits and machine code need.
enum instruction_value {
    VALUE_OTHER,
    VALUE_COPY,        // a
    VALUE_NEGATE,      // -a
    VALUE_CONVERT,     // a, converted to another type
    VALUE_SUM,         // a + b
    VALUE_DIFFERENCE,  // a - b
    VALUE_PRODUCT,     // a * b
    VALUE_PRODUCT_SUM, // a * b + c
    VALUE_SELECT,      // a or b
    VALUE_AND,
    VALUE_OR,
    VALUE_XOR,
    VALUE_NOT,
    VALUE_SHIFT_LEFT,  // a << b
    VALUE_SHIFT_RIGHT, // a >> b
    VALUE_COMPARE      // a predicate: the comparison of a and b
};

// Says which bits of an instruction's result are undefined if bits of its sources are undefined (machine/undef.c).
enum instruction_undefined {
    UNDEFINED_ALL,     // all, if any source bit is undefined
    UNDEFINED_COPY,    // those of the sources; the sources are only copied
    UNDEFINED_COPY_A,  // those of the first source, moved with its bits; all, if another source is undefined
    UNDEFINED_CONVERT, // COPY_A between integer types, ALL between other types
    UNDEFINED_MOVE_A,  // as COPY_A, but the result is a new value: storing it counts as a use
    UNDEFINED_MOVE_AB, // as MOVE_A, for the first two sources
    UNDEFINED_AND,     // those that the undefined source bits can change
    UNDEFINED_OR,
    UNDEFINED_XOR,
    UNDEFINED_LOP3,
    UNDEFINED_ITSELF // the handler marks them
};

// Says how many SASS instructions ptxas generates for a PTX instruction (sass/slots.c).
enum instruction_slots {
    SLOTS_MATH,
    SLOTS_NOTHING,
    SLOTS_NEGATE,
    SLOTS_ABSOLUTE,
    SLOTS_EXTREME,
    SLOTS_FIELD,
    SLOTS_DIVISION,
    SLOTS_RECIPROCAL,
    SLOTS_ROOT,
    SLOTS_INVERSE_ROOT,
    SLOTS_TRIGONOMETRIC,
    SLOTS_EXPONENTIAL,
    SLOTS_COUNTED, // the classes above have fixed counts, those below follow a rule
    SLOTS_MOVE = SLOTS_COUNTED,
    SLOTS_CONVERT,
    SLOTS_ACCESS,
    SLOTS_BRANCH,
    SLOTS_SELECT,
    SLOTS_COMPARE,
    SLOTS_ATOMIC,
    SLOTS_PRODUCT
};

// Gives the weight of an instruction in a loop; ptxas unrolls only loops of small total weight (sass/unroll.c).
enum instruction_unroll {
    UNROLL_NEVER, // ptxas unrolls no loop with this instruction
    UNROLL_FREE,
    UNROLL_ONE,
    UNROLL_SUM,
    UNROLL_ACCESS,
    UNROLL_SCALED,
    UNROLL_RECIPROCAL,
    UNROLL_ROOT,
    UNROLL_DIVISION
};

// Holds the columns that the simulator reads from one row of isa.def, the table of PTX instructions.
struct instruction {
    uint8_t pipes;     // enum instruction_pipes
    uint8_t flops;     // float operations per thread, if the type is a float
    uint8_t latency;   // enum latency_class (program.h)
    uint8_t value;     // enum instruction_value
    uint8_t undefined; // enum instruction_undefined
    uint8_t slots;     // enum instruction_slots
    uint8_t unroll;    // enum instruction_unroll
};
// Indexed by enum ptx_op.
extern const struct instruction instruction[];

// Returns the enum instruction_value that says how the instruction computes its result.
static inline uint32_t instruction_value(const struct ptx_inst *i)
{
    return instruction[i->op].value;
}

// Returns 1 if the instruction has at least one of the effects in `effects`, a mask of E_LOAD, E_STORE and the other
// constants E_… of ptx.h.
static inline int instruction_does(const struct ptx_inst *i, uint32_t effects)
{
    return (ptx_isa[i->op].effect & effects) != 0;
}

// Returns 1 if the instruction of the function `f` loads a parameter that the launch passed to the kernel.
static inline int instruction_loads_parameter(const struct ptx_func *f, const struct ptx_inst *i)
{
    return f->is_entry && i->space == PTX_PARAM && instruction_does(i, E_LOAD);
}

struct device_profile;
// Returns the cycles until an instruction may start that needs the result of an instruction of the class `class` (enum
// latency_class), in 1/100 of a cycle.
int64_t instruction_latency(const struct device_profile *, uint32_t class);
// Returns the cycles that the SASS model keeps, where it can, between an instruction and the first one that needs its
// result. The cycles are the latencies in the profile of the device h200, because ptxas compiled the kernels of
// tests/truth/registers.csv for that device. A load or atomic outside of shared memory counts as a hit in the L2.
uint32_t instruction_distance(const struct ptx_inst *);

struct sim_op_info;
// Sets the fields pipe, flops, latency and passes of a lowered instruction from the PTX instruction's row in isa.def.
void instruction_cost(const struct ptx_inst *, struct sim_op_info *);

#endif
