// Interface among the parts of the lowering, which turns a kernel into ops and a plan.
//
// lower/lower.c is the driver. op/operand.c maps operands to rows. op/arithmetic.c, op/memory.c, op/control.c and the
// other files of op/ lower the instructions of a family. lower/flow.c orders the blocks and computes liveness.
// lower/flag.c looks for flags in shared memory, lower/cas_seed.c for loads that a compare-and-swap checks.
#ifndef SIM_OP_LOWER_H
#define SIM_OP_LOWER_H

#include <stdint.h>

#include "base/arena.h"
#include "ptx/ptx.h"
#include "sim/core/layout.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"
#include "sim/core/warp.h"

// An operand as a row: its offset in the register file and its register id (0: a constant, which is never undefined).
struct ref {
    uint32_t row, reg;
};

// A basic block.
struct lower_block {
    uint32_t inst, ninsts; // its instructions in the function
    uint32_t op, nops;     // its ops in the program
    uint8_t reached;       // 1: the function's entry reaches it
};

enum { LOWER_TEMPS = 24, LOWER_FILE_MAX = 4 << 20, LOWER_PARAM_MAX = 32764, LOWER_PENDING = 16 };

// A growing array in the arena.
#define LOWER_LIST(type)                                                                                               \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        uint32_t count, capacity;                                                                                      \
    }
// Appends an element to the list. Yields a pointer to it, valid until the next append.
#define LOWER_PUSH(l, list)                                                                                            \
    (((list)->count == (list)->capacity                                                                                \
          ? lower_grow((l), (void **)&(list)->at, &(list)->capacity, (list)->count, sizeof *(list)->at)                \
          : (void)0),                                                                                                  \
     &(list)->at[(list)->count++])

struct lower {
    const struct ptx_module *module;
    const struct sim_memory *memory;
    struct arena *arena;
    char *message; // OBSERVATION_MESSAGE bytes
    int undefined; // 1: refused, because the kernel calls a function that no module defines
    int failed;
    struct shared_layout *shared;
    const struct sim_handlers *handlers; // of the vector units in use

    // handlers by key: hash table with open addressing
    struct sim_handler_row *handler;
    uint32_t capacity; // a power of two

    struct {
        sim_handler *run;
        uint32_t op, type, variant;
    } found; // what lower_find found last

    LOWER_LIST(struct sim_op) op;
    LOWER_LIST(struct sim_op_info) info;
    LOWER_LIST(uint32_t) use;
    LOWER_LIST(struct sim_memory_op) access;
    LOWER_LIST(struct sim_param_op) param;
    LOWER_LIST(struct sim_call_op) call;
    LOWER_LIST(struct sim_exchange_op) exchange;
    LOWER_LIST(struct plan_pair) pair;
    LOWER_LIST(uint32_t) target; // instruction indices while the function is lowered, then op indices
    LOWER_LIST(struct plan_row) row;
    LOWER_LIST(struct plan_span) span;

    struct plan_func *func;  // [module->nfuncs]
    uint32_t *order, norder; // functions to lower, callees first
    uint32_t file;           // bytes of the register file in use
    uint32_t nregs;          // register ids in use; id 0 means no register
    struct ref temp4[LOWER_TEMPS], temp8[LOWER_TEMPS], temp1[LOWER_TEMPS];
    uint32_t ntemp4, ntemp8, ntemp1; // how many the current instruction uses
    uint32_t *constant;              // hash table of constant rows: index into `row` plus one
    uint32_t constants;              // its capacity, a power of two
    uint32_t *var_word;              // [module->nvars]: first row of a .param variable in the register file; 0: none
    uint32_t *var_reg;               // [module->nvars]: register id of its first byte
    uint64_t *local_offset;          // [module->nvars]: offset of a .local variable in its function's frame
    uint32_t *param_offset;          // [module->nvars]: offset of a parameter of the kernel
    uint32_t entry;
    uint32_t order_sensitive;
    uint8_t **cas_seed;     // [module->nfuncs][ninsts]: 1: a load that a compare-and-swap checks (lower/cas_seed.c)
    int data;               // 1: volatile accesses to shared memory carry data only, no flags (lower/flag.c)
    struct ref stack;       // row with the address of the next alloca; 0: the kernel has none
    uint32_t stack_base;    // bytes of local memory below the room for alloca
    struct ref *stack_kept; // [module->nfuncs]: row that keeps `stack` from a function's entry to its return
    uint8_t *spilled; // [module->nvars]: 1: a parameter of a function whose address is taken; it lies at local_offset

    // the current function
    uint32_t index;
    const struct ptx_func *f;
    struct plan_func *plan;
    const struct ptx_inst *inst;
    struct ref *reg; // [f->nregs]
    struct ref carry;
    uint8_t *uniform;  // [f->nregs]: 1: holds the same address in all threads of the grid
    int32_t *symbol;   // [f->nregs]: variable whose address the register derives from; -1: none, -2: not known yet
    int32_t *part;     // [f->nregs]: source variable in it that the register points to (index), or enum lower_part
    uint8_t *read;     // [f->nregs]: 1: some instruction reads it
    uint32_t *inst_op; // [f->ninsts]: op of each block's first instruction
    struct {
        uint32_t op;
        uint32_t inst;
    } * patch;
    uint32_t npatch, patch_capacity;
    struct {
        struct ref temp, reg;
        uint8_t from, to; // widths
        uint8_t sign;
    } pending[LOWER_PENDING];
    uint32_t npending;
    struct ref guard;
    int hidden;                // not 0: emitted ops do not count as instructions
    struct lower_block *block; // [nblocks], in source order
    uint32_t nblocks;
    uint32_t *first_succ, *succ; // successors of block b: succ[first_succ[b] … first_succ[b + 1])
    uint32_t *layout, nlayout;   // the reached blocks, in the order of their ops
};

// Doubles the capacity of an array of `count` elements of `size` bytes.
void lower_grow(struct lower *, void **at, uint32_t *capacity, uint32_t count, size_t size);
// Refuses the current instruction with the message "line:column: text". Later refusals are ignored.
__attribute__((format(printf, 2, 3))) void lower_refuse(struct lower *, const char *format, ...);
// Allocates `bytes` bytes of the register file, aligned to a cache line (a predicate: to a word). Returns the offset.
uint32_t lower_row(struct lower *, uint32_t bytes);
// Allocates a row with a register id. Width 1: a predicate; 4 or 8: bytes per lane.
struct ref lower_new_reg(struct lower *, uint32_t width);

// ---------------------------------------------------------------- op/operand.c

// Returns the width of the row for a register of that type: 1, 4 or 8, or 0 if no row holds it.
uint32_t lower_width(uint32_t type);
// Returns a temporary row, free again at the next instruction.
struct ref lower_temp(struct lower *, uint32_t width);
// Returns a row whose lanes all hold `bits`. Equal constants share a row.
struct ref lower_constant(struct lower *, uint64_t bits, uint32_t width);
// Yields the low and the high half of a register of 128 bits: two rows with consecutive ids.
void lower_halves(struct lower *, const struct ptx_operand *, struct ref half[2]);
// Returns the row of a source operand in the given width. Emits a hidden op if the operand must be converted.
struct ref lower_source(struct lower *, const struct ptx_operand *, uint32_t width);
// Returns the row that a destination operand is written to. If the register has another width, this is a temporary row
// and lower_flush_dests moves the result, sign-extended if `sign`. Returns {0, 0} for a sink.
struct ref lower_dest(struct lower *, const struct ptx_operand *, uint32_t width, int sign);
// Emits the hidden ops that move results to registers of another width (see lower_dest).
void lower_flush_dests(struct lower *);
// Returns the row of a special register, or of one component (x, y, z) of it.
struct ref lower_sreg(struct lower *, uint32_t sreg, uint32_t component, uint32_t width);
// Returns the address of a variable in its own memory space (of a global variable: its generic address).
uint64_t lower_symbol_address(struct lower *, uint32_t var);
// Returns a row with a value of the kernel's parameters: `bytes` bytes at `offset`, sign-extended if `sign`.
struct ref lower_param_row(struct lower *, uint32_t offset, uint32_t bytes, int sign, uint32_t width);
// Returns the handler for this op, type and variant, or for an unsigned type of the same width. Returns NULL if there
// is none.
sim_handler *lower_find(struct lower *, uint32_t op, uint32_t type, uint32_t variant);
// Appends an op for the current instruction. The sources become a, b, c and f, the destinations d and e. A NULL handler
// refuses the instruction. The pointer is valid until the next op is appended.
struct sim_op *lower_emit(struct lower *, sim_handler *, const struct ref *src, uint32_t nsrc, const struct ref *dst,
                          uint32_t ndst);
// Makes the instruction `inst` of the current function the target of a branch.
void lower_branch_to(struct lower *, struct sim_op *, uint32_t inst);

// ---------------------------------------------------------------- op/exchange.c

// Appends an op that lanes execute together (machine/converge.c). Row `mask` holds the mask operand; `run` is the body.
struct sim_op *lower_exchange(struct lower *, const struct ptx_inst *, exchange_body *run, struct ref mask,
                              const struct ref *src, uint32_t nsrc, const struct ref *dst, uint32_t ndst);

// ---------------------------------------------------------------- op/stack.c

// Allocates the rows of a function that uses alloca.
void lower_stack_rows(struct lower *, uint32_t func);
// Emits the hidden ops that a function executes before its first instruction, or before it returns.
void lower_prologue(struct lower *);
void lower_stack_return(struct lower *);
// Returns 1 if the address of a function's parameter is used other than by loads that op/pointer.c can resolve.
int lower_takes_address(const struct lower *, uint32_t var);

// Lowers one checked instruction with the function that its row of isa.def names in column `lowering`. Each of these
// functions stands in the file of its family, beside the handlers. What cannot be executed is refused with
// lower_refuse.
void lower_inst(struct lower *, const struct ptx_inst *);
#define ISA(id, mnemonic, fields, types, operands, suffixes, form, effect, lowering, ...)                              \
    void lower_##lowering(struct lower *, const struct ptx_inst *);
#include "ptx/isa.def"
#undef ISA

// ---------------------------------------------------------------- op/memory.c

// Appends the static part of an access to [base + offset]. Yields its index in *side and the row of the base in *base.
// The pointer is valid until the next access is appended.
struct sim_memory_op *lower_access(struct lower *, const struct ptx_inst *, const struct ptx_operand *, uint32_t space,
                                   struct ref *base, uint32_t *side);
// Emits the op that executes the access `side`. An access of one word per lane in a known space gets a faster handler.
struct sim_op *lower_emit_access(struct lower *, uint32_t op, uint32_t side, const struct ref *src, uint32_t nsrc,
                                 const struct ref *dst, uint32_t ndst);

// ---------------------------------------------------------------- op/pointer.c

// Returns the parameter whose address a register, or the base of an address, holds: a SYMBOL operand, or NULL if
// unknown.
const struct ptx_operand *lower_param_pointer(const struct lower *, const struct ptx_operand *);
// Returns 1 for a mov that only copies such an address and needs no op.
int lower_is_pointer_mov(const struct lower *, const struct ptx_inst *);

// ---------------------------------------------------------------- lower/flag.c

// Sets l->data: whether volatile accesses to shared memory carry data only, no flags.
void lower_flags(struct lower *);

// ---------------------------------------------------------------- lower/cas_seed.c

// Sets l->cas_seed: the loads whose value a compare-and-swap checks.
void lower_cas_seeds(struct lower *);

// Values of l->part that are no index: the register points to no known source variable, is not known yet, or holds the
// address of the whole frame.
enum lower_part { LOWER_NONE = -1, LOWER_UNSEEN = -2, LOWER_FRAME = -3 };

// ---------------------------------------------------------------- lower/flow.c

// Splits the current function into basic blocks and orders them (lower/rank.h).
void lower_blocks(struct lower *);
// Sets symbol, part, read and uniform of the current function's registers.
void lower_symbols(struct lower *);
// Finds the registers that may be read before they are written, for the function's plan. Yields in *registers how many
// 32-bit registers are live at once, at most.
void lower_liveness(struct lower *, uint32_t *registers);

#endif
