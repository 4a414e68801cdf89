// Declares what the files of op/ share while they lower instructions. Each of them lowers one family of instructions
// and holds the family's bodies, the handlers that the simulator runs.
#ifndef SIM_OP_OPS_H
#define SIM_OP_OPS_H

#include "sim/core/op.h"
#include "sim/lower/lowering.h"

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
