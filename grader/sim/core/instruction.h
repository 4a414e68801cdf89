// The columns of ptx/isa.def that the simulator and its model of time read.
//
// What is known of an instruction stands in its row alone. The words of a column become constants here: SUM in column
// `value` is VALUE_SUM. Code asks for a property of the row and does not compare opcodes.
#ifndef SIM_CORE_INSTRUCTION_H
#define SIM_CORE_INSTRUCTION_H

#include <stdint.h>

#include "ptx/ptx.h"

// Execution pipes by the instruction's type: of integers, of floats up to 32 bits, of doubles (instruction.c).
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

// What a result is made of, where an analysis of addresses, of low bits or of machine code can use it.
enum instruction_value {
    VALUE_OTHER,
    VALUE_COPY,        // a
    VALUE_NEGATE,      // -a
    VALUE_CONVERT,     // a in another type
    VALUE_SUM,         // a + b
    VALUE_DIFFERENCE,  // a - b
    VALUE_PRODUCT,     // a * b
    VALUE_PRODUCT_SUM, // a * b + c
    VALUE_SELECT,      // a or b
    VALUE_AND,
    VALUE_OR,
    VALUE_XOR,
    VALUE_NOT,
    VALUE_SHIFT_LEFT, // a << b
    VALUE_SHIFT_RIGHT // a >> b
};

// Which bits of the result are undefined where bits of the sources are (machine/undef.c).
enum instruction_undefined {
    UNDEFINED_ALL,     // all, if any bit of a source is
    UNDEFINED_COPY,    // those of the sources, which are only copied
    UNDEFINED_COPY_A,  // those of the first source, moved as its bits are; any other undefined source spoils all
    UNDEFINED_CONVERT, // the same between integers; between other types all
    UNDEFINED_MOVE_A,  // as COPY_A, but the result is no copy: storing it counts as a use
    UNDEFINED_MOVE_AB, // the same of the first two sources
    UNDEFINED_AND,     // those that the undefined bits could change
    UNDEFINED_OR,
    UNDEFINED_XOR,
    UNDEFINED_LOP3,
    UNDEFINED_ITSELF // the body marks them
};

// How many SASS instructions ptxas makes of it (lower/sass_slots.c).
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
    SLOTS_COUNTED, // those above have fixed numbers, those below a rule
    SLOTS_MOVE = SLOTS_COUNTED,
    SLOTS_CONVERT,
    SLOTS_ACCESS,
    SLOTS_BRANCH,
    SLOTS_SELECT,
    SLOTS_COMPARE,
    SLOTS_ATOMIC,
    SLOTS_PRODUCT
};

// What it weighs in a loop that ptxas may unroll (lower/unroll.c).
enum instruction_unroll {
    UNROLL_NEVER, // ptxas unrolls no loop that has it
    UNROLL_FREE,
    UNROLL_ONE,
    UNROLL_SUM,
    UNROLL_ACCESS,
    UNROLL_SCALED,
    UNROLL_RECIPROCAL,
    UNROLL_ROOT,
    UNROLL_DIVISION
};

// A row of isa.def.
struct instruction {
    uint8_t pipes;     // enum instruction_pipes
    uint8_t flops;     // float operations of a thread, where the type is a float
    uint8_t latency;   // enum latency_class (program.h)
    uint8_t value;     // enum instruction_value
    uint8_t undefined; // enum instruction_undefined
    uint8_t slots;     // enum instruction_slots
    uint8_t unroll;    // enum instruction_unroll
};
extern const struct instruction instruction[];

static inline uint32_t instruction_value(const struct ptx_inst *i)
{
    return instruction[i->op].value;
}

// Returns 1 if the instruction has one of the effects (E_… of ptx.h).
static inline int instruction_does(const struct ptx_inst *i, uint32_t effects)
{
    return (ptx_isa[i->op].effect & effects) != 0;
}

// Fills pipe, flops, latency and passes of an op that stands for the instruction.
struct sim_op_info;
void instruction_cost(const struct ptx_inst *, struct sim_op_info *);

#endif
