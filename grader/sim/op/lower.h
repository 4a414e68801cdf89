// Inside of the lowering: one module's kernel becomes ops and a plan. lower.c drives, op/operand.c makes rows of
// operands, op/arithmetic.c chooses handlers, op/memory.c and op/control.c do what touches memory and other
// functions, lower/flow.c lays out blocks and finds what is live, lower/flag.c looks for flags, lower/cas_seed.c
// for first guesses.
#ifndef SIM_OP_LOWER_H
#define SIM_OP_LOWER_H

#include <stdint.h>

#include "base/arena.h"
#include "ptx/ptx.h"
#include "sim/core/layout.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"
#include "sim/core/warp.h"

// A row as an operand: where it lies, and the number of its register (0: a constant, never undefined).
struct ref {
    uint32_t row, reg;
};

struct lower_block {
    uint32_t inst, ninsts; // of the function
    uint32_t op, nops;     // of the program
    uint8_t reached;
};

enum { LOWER_TEMPS = 24, LOWER_FILE_MAX = 4 << 20, LOWER_PARAM_MAX = 32764, LOWER_PENDING = 16 };

// A growing array of the arena.
#define LOWER_LIST(type)                                                                                               \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        uint32_t count, capacity;                                                                                      \
    }
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
    int undefined; // 1: refused because a function is called that nobody defines
    int failed;
    struct shared_layout *shared;
    const struct sim_handlers *handlers; // of the vector units in use

    // handlers by key: open addressing
    struct sim_handler_row *handler;
    uint32_t capacity; // a power of two

    struct {
        sim_handler *run;
        uint32_t op, type, variant;
    } found; // by lower_find, last

    LOWER_LIST(struct sim_op) op;
    LOWER_LIST(struct sim_op_info) info;
    LOWER_LIST(uint32_t) use;
    LOWER_LIST(struct sim_memory_op) access;
    LOWER_LIST(struct sim_param_op) param;
    LOWER_LIST(struct sim_call_op) call;
    LOWER_LIST(struct sim_exchange_op) exchange;
    LOWER_LIST(struct plan_pair) pair;
    LOWER_LIST(uint32_t) target; // instruction indices until the function is done, then ops
    LOWER_LIST(struct plan_row) row;
    LOWER_LIST(struct plan_span) span;

    struct plan_func *func;  // [module->nfuncs]
    uint32_t *order, norder; // functions to lower, callees first
    uint32_t file;           // bytes of the register file given out
    uint32_t nregs;          // register ids given out; 0 is none
    struct ref temp4[LOWER_TEMPS], temp8[LOWER_TEMPS], temp1[LOWER_TEMPS];
    uint32_t ntemp4, ntemp8, ntemp1; // used by this instruction
    struct ref *immediate;           // hash of constant rows by (kind, bits, width)
    uint32_t *constant;              // the same: index into row plus one
    uint32_t constants;              // capacity, a power of two
    uint32_t *var_word;              // [module->nvars]: first row of a .param variable in registers; 0: none
    uint32_t *var_reg;               // its first register id
    uint64_t *local_offset;          // [module->nvars]: of .local variables in their function's frame
    uint32_t *param_offset;          // [module->nvars]: of the kernel's parameters
    uint32_t entry;
    uint32_t order_sensitive;
    uint8_t **cas_seed;     // [module->nfuncs][ninsts]: 1: a load that a compare-and-swap checks (lower/cas_seed.c)
    int data;               // 1: what the kernel accesses volatile in shared memory is data, never a flag
    struct ref stack;       // row: where the next alloca finds room; 0: nothing is allocated
    uint32_t stack_base;    // bytes of local memory below that room
    struct ref *stack_kept; // [module->nfuncs]: the top as a function that allocates found it
    uint8_t *spilled; // [module->nvars]: 1: a function's parameter whose address is taken: local_offset says where

    // the function at hand
    uint32_t index;
    const struct ptx_func *f;
    struct plan_func *plan;
    const struct ptx_inst *inst;
    struct ref *reg; // [f->nregs]
    struct ref carry;
    uint8_t *uniform;  // [f->nregs]: 1: it holds one address for all threads of the grid
    int32_t *symbol;   // [f->nregs]: the variable whose address it derives from; -1: none, -2: not seen yet
    int32_t *part;     // [f->nregs]: the variable of the source in it, as an index of its parts, or enum lower_part
    uint8_t *read;     // [f->nregs]: some instruction reads it
    uint32_t *inst_op; // op of each block's first instruction
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
    int hidden;                // ops emitted now do not count
    struct lower_block *block; // in the order of the text
    uint32_t nblocks;
    uint32_t *first_succ, *succ; // successors of block b: succ[first_succ[b] … first_succ[b + 1])
    uint32_t *layout, nlayout;   // the blocks in the order of their ops
};

void lower_grow(struct lower *, void **at, uint32_t *capacity, uint32_t count, size_t size);
// Refuses the instruction at hand: "line:column: text". The first refusal counts.
__attribute__((format(printf, 2, 3))) void lower_refuse(struct lower *, const char *format, ...);
// Bytes of the register file, aligned to a cache line (or a word for predicates).
uint32_t lower_row(struct lower *, uint32_t bytes);
struct ref lower_new_reg(struct lower *, uint32_t width); // width 1: a predicate; 4, 8: a row

// op/operand.c
uint32_t lower_width(uint32_t type); // of the row that holds a register of that type: 1, 4 or 8; 0: none
struct ref lower_temp(struct lower *, uint32_t width);
struct ref lower_constant(struct lower *, uint64_t bits, uint32_t width);
// A register of 128 bits is two of 64, whose rows and numbers follow each other: the low and the high half.
void lower_halves(struct lower *, const struct ptx_operand *, struct ref half[2]);
struct ref lower_source(struct lower *, const struct ptx_operand *, uint32_t width);
struct ref lower_dest(struct lower *, const struct ptx_operand *, uint32_t width, int sign);
void lower_flush_dests(struct lower *); // moves results to registers of another width
struct ref lower_sreg(struct lower *, uint32_t sreg, uint32_t component, uint32_t width);
uint64_t lower_symbol_address(struct lower *, uint32_t var);
struct ref lower_param_row(struct lower *, uint32_t offset, uint32_t bytes, int sign, uint32_t width);
// The handler of a key, or of the same width without sign; NULL: there is none.
sim_handler *lower_find(struct lower *, uint32_t op, uint32_t type, uint32_t variant);
// Appends an op: sources become a, b, c, f; destinations d, e.
struct sim_op *lower_emit(struct lower *, sim_handler *, const struct ref *src, uint32_t nsrc, const struct ref *dst,
                          uint32_t ndst);
void lower_branch_to(struct lower *, struct sim_op *, uint32_t inst);

// op/exchange.c
// Appends an op that lanes execute together, all those in row `mask` of each (machine/converge.c): `run` is its body.
struct sim_op *lower_exchange(struct lower *, const struct ptx_inst *, exchange_body *run, struct ref mask,
                              const struct ref *src, uint32_t nsrc, const struct ref *dst, uint32_t ndst);

// op/stack.c
void lower_stack_rows(struct lower *, uint32_t func); // rows of a function that allocates
void lower_prologue(struct lower *);                  // what a function does before its first instruction
void lower_stack_return(struct lower *);              // and before it returns
// 1 when the address of a function's parameter leaves the loads that op/pointer.c can follow.
int lower_takes_address(const struct lower *, uint32_t var);

// Lowers one instruction, by the function that column `lowering` of its row of isa.def names (op/arithmetic.c). Each of
// these functions stands beside the bodies of its family. The instruction has been checked; what cannot be executed is
// refused with lower_refuse.
void lower_inst(struct lower *, const struct ptx_inst *);
#define ISA(id, mnemonic, fields, types, operands, suffixes, form, effect, lowering, ...)                              \
    void lower_##lowering(struct lower *, const struct ptx_inst *);
#include "ptx/isa.def"
#undef ISA

// op/memory.c
// The static part of an access to [base + offset], its index in *side, and the base's row in *base; and what executes
// it.
struct sim_memory_op *lower_access(struct lower *, const struct ptx_inst *, const struct ptx_operand *, uint32_t space,
                                   struct ref *base, uint32_t *side);
struct sim_op *lower_emit_access(struct lower *, uint32_t op, uint32_t side, const struct ref *src, uint32_t nsrc,
                                 const struct ref *dst, uint32_t ndst);

// op/pointer.c
// The parameter whose address a register (or the base of an address) holds, as a SYMBOL operand; NULL: none is known.
const struct ptx_operand *lower_param_pointer(const struct lower *, const struct ptx_operand *);
// 1 for a mov that only hands on such an address: it needs no op.
int lower_is_pointer_mov(const struct lower *, const struct ptx_inst *);

// lower/flag.c
void lower_flags(struct lower *); // whether there are flags in shared memory

// lower/cas_seed.c
void lower_cas_seeds(struct lower *); // which loads only guess what a compare-and-swap will find

// What a register holds of a frame, if it is not the address of a part or one made from it: neither, or the frame's
// own.
enum lower_part { LOWER_NONE = -1, LOWER_UNSEEN = -2, LOWER_FRAME = -3 };

// lower/flow.c
void lower_blocks(struct lower *);  // blocks of the function at hand, in the order of their layout
void lower_symbols(struct lower *); // which registers derive from a variable's address; which are read
void lower_liveness(struct lower *, uint32_t *registers);

#endif
