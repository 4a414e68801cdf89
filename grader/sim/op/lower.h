// Declares what the files of op/ share while they lower instructions. Each of them lowers one family of instructions
// and holds the family's bodies, the handlers that the simulator runs.
#ifndef SIM_OP_LOWER_H
#define SIM_OP_LOWER_H

#include "sim/core/op.h"
#include "sim/lower/lowering.h"

// ---------------------------------------------------------------- op/register_row.c

// Returns the size of a register of type `type` in the register file: 4 or 8 bytes per lane, or 1 for a predicate.
// Returns 0 for a type without a size, and for a type of more than 8 bytes, which needs more than one place in the
// register file.
uint32_t lower_width(uint32_t type);
// Returns a temporary register of `width` bytes per lane, which becomes free again at the next instruction.
struct ref lower_temp(struct lower *, uint32_t width);
// Returns a place in the register file (register row) where all 32 lanes hold the value `bits`. Equal constants of a
// kernel share one place in the register file.
struct ref lower_constant(struct lower *, uint64_t bits, uint32_t width);
// Stores in half[0] and half[1] where the register file holds the low and the high half of a 128-bit register. The two
// halves of a 128-bit register have consecutive register ids.
void lower_halves(struct lower *, const struct ptx_operand *, struct ref half[2]);
// Returns the place in the register file that holds the value of a source operand with `width` bytes per lane. If the
// operand must be converted to the width `width`, lower_source() emits a hidden op (not counted as an instruction).
struct ref lower_source(struct lower *, const struct ptx_operand *, uint32_t width);
// Returns the place in the register file to which an op writes its result for a destination operand. If the operand's
// register does not have `width` bytes per lane, lower_dest() returns a temporary register of that width. The function
// lower_flush_dests() later moves the op's result from the temporary register to the operand's register, sign-extended
// if `sign` is 1. For the sink operand "_", lower_dest() returns {0, 0}.
struct ref lower_dest(struct lower *, const struct ptx_operand *, uint32_t width, int sign);
// Emits the hidden ops (not counted as instructions) that move the current instruction's results from temporary
// registers to destination registers of another width. A result is in a temporary register if lower_dest() returned one
// for the result's destination operand.
void lower_flush_dests(struct lower *);
// Returns the place in the register file that holds a special register, or one component (x, y, z) of the special
// register.
struct ref lower_sreg(struct lower *, uint32_t sreg, uint32_t component, uint32_t width);
// Returns the address of a variable in the variable's memory space, or the generic address of a global variable.
uint64_t lower_symbol_address(struct lower *, uint32_t var);
// Returns a place in the register file whose 32 lanes all hold `bytes` bytes of the kernel's parameters, from offset
// `offset` on, sign-extended if `sign` is 1.
struct ref lower_param_row(struct lower *, uint32_t offset, uint32_t bytes, int sign, uint32_t width);
// Returns the handler for an instruction with the opcode `op`, the type `type` and the variant `variant`. If no handler
// has exactly the type `type`, lower_find() tries an equivalent type, such as the unsigned type of the same width.
// Returns NULL if no handler fits the instruction.
sim_handler *lower_find(struct lower *, uint32_t op, uint32_t type, uint32_t variant);
// Appends an op for the current instruction. The op's fields a, b, c and f receive the register-file offsets of the
// first four source operands, and its fields d and e those of the destination operands. If the handler is NULL,
// lower_emit() refuses the instruction. The returned pointer is valid until the next op is appended.
struct sim_op *lower_emit(struct lower *, sim_handler *, const struct ref *src, uint32_t nsrc, const struct ref *dst,
                          uint32_t ndst);
// Makes the instruction `inst` of the current function the target of a branch op.
void lower_branch_to(struct lower *, struct sim_op *, uint32_t inst);

// ---------------------------------------------------------------- op/exchange.c

// Appends an op that several lanes execute together, such as a shuffle (machine/converge.c). The register `mask` holds
// each lane's operand that names the participating lanes, and the function `run` executes the op when all participating
// lanes have arrived.
struct sim_op *lower_exchange(struct lower *, const struct ptx_inst *, exchange_body *run, struct ref mask,
                              const struct ref *src, uint32_t nsrc, const struct ref *dst, uint32_t ndst);

// ---------------------------------------------------------------- op/stack.c

// Allocates the two registers that the simulator adds to a function that uses alloca. One register holds the current
// top of each lane's stack, and the other the top when the function began.
void lower_stack_rows(struct lower *, uint32_t func);
// Emits the hidden ops that a function executes before its first instruction (lower_prologue) or before it returns
// (lower_stack_return).
void lower_prologue(struct lower *);
void lower_stack_return(struct lower *);
// Returns 1 if the current function takes the address of its parameter `var` and uses the address other than in loads
// that lower/param_pointer.c can resolve.
int lower_takes_address(const struct lower *, uint32_t var);

// Lowers one instruction with the function that isa.def names in the instruction's column `lowering`. The lowering
// functions that the column `lowering` of ptx/isa.def names stand in the files of op/, next to the handlers. A lowering
// function calls lower_refuse() for an instruction that the simulator cannot execute.
void lower_inst(struct lower *, const struct ptx_inst *);
#define ISA(id, mnemonic, fields, types, operands, suffixes, form, effect, lowering, ...)                              \
    void lower_##lowering(struct lower *, const struct ptx_inst *);
#include "ptx/isa.def"
#undef ISA

// ---------------------------------------------------------------- op/memory.c

// Appends to l->access a struct sim_memory_op for an access to the address [base + offset], filled with all that is
// known about the access before the kernel runs. Stores in *side the index of the struct sim_memory_op in l->access,
// and in *base the place of the base register in the register file. The returned pointer is valid until the next struct
// is appended to l->access.
struct sim_memory_op *lower_access(struct lower *, const struct ptx_inst *, const struct ptx_operand *, uint32_t space,
                                   struct ref *base, uint32_t *side);
// Emits the op that executes the memory access that l->access.at[side] describes. An access to one word per lane in
// global or shared memory gets a faster handler.
struct sim_op *lower_emit_access(struct lower *, uint32_t op, uint32_t side, const struct ref *src, uint32_t nsrc,
                                 const struct ref *dst, uint32_t ndst);

#endif
