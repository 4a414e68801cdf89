// Holds a kernel while it is lowered, that is, while its PTX instructions are turned into ops of the simulator and a
// plan (core/plan.h), and declares what its lowering needs: operands, basic blocks, and analyses of the kernel.
//
// The driver is lower_kernel.c. A register row is a place in the simulated register file that holds the values of one
// register, constant or parameter for all 32 lanes; op/register_row.c maps each operand to one. flow.c orders the basic
// blocks and computes liveness, flag.c looks for words through which one thread signals another, and cas_seed.c for
// loads whose value a compare-and-swap checks. Each family of instructions is lowered beside its bodies (op/lower.h).
#ifndef SIM_LOWER_LOWERING_H
#define SIM_LOWER_LOWERING_H

#include <stdint.h>

#include "base/arena.h"
#include "sim/core/layout.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"
#include "sim/core/warp.h"

struct ptx_func;
struct ptx_inst;
struct ptx_module;
struct ptx_operand;

// Describes where an operand's values for all 32 lanes lie (its register row): the row's offset in the register file,
// and its register id. Register id 0 means a constant, which is never undefined.
struct ref {
    uint32_t row, reg;
};

// Describes a basic block of a function that is being lowered.
struct lower_block {
    uint32_t inst, ninsts; // its instructions in the function
    uint32_t op, nops;     // its ops in the program
    uint8_t reached;       // 1: the function's entry reaches it
};

enum { LOWER_TEMPS = 24, LOWER_FILE_MAX = 4 << 20, LOWER_PARAM_MAX = 32764, LOWER_PENDING = 16 };

// Declares a growing array in the arena of the lowering.
#define LOWER_LIST(type)                                                                                               \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        uint32_t count, capacity;                                                                                      \
    }
// Appends an element to a LOWER_LIST. The value of LOWER_PUSH is a pointer to the new element, valid until the next
// append to the list.
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
    uint8_t *held;           // [nheld]: as in struct sim_plan, for the registers of PTX
    uint32_t nheld;
    struct ref temp4[LOWER_TEMPS], temp8[LOWER_TEMPS], temp1[LOWER_TEMPS];
    uint32_t ntemp4, ntemp8, ntemp1; // how many the current instruction uses
    uint32_t *constant;              // hash table of constant rows: index into `row` plus one
    uint32_t constants;              // its capacity, a power of two
    uint32_t *var_word;              // [module->nvars]: first row of a .param variable in the register file; 0: none
    uint32_t *var_reg;               // [module->nvars]: register id of its first byte
    uint64_t *local_offset;          // [module->nvars]: offset of a .local variable in its function's frame
    uint32_t *param_offset;          // [module->nvars]: offset of a parameter of the kernel
    uint32_t entry;
    uint32_t order_sensitive, takes_turns, allocates; // as in struct sim_plan
    uint8_t **cas_seed;  // [module->nfuncs][ninsts]: 1: a load that a compare-and-swap checks (lower/cas_seed.c)
    uint8_t data;        // bit SPACE_SHARED, SPACE_GLOBAL: volatile accesses there carry data, no flags (lower/flag.c)
    struct ref stack;    // row with the address of the next alloca; 0: the kernel has none
    uint32_t stack_base; // bytes of local memory below the room for alloca
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
// Refuses the kernel because of the current instruction, with the message "line:column: text". If lower_refuse() is
// called again, it ignores the later message.
__attribute__((format(printf, 2, 3))) void lower_refuse(struct lower *, const char *format, ...);
// Allocates `bytes` bytes of the simulated register file for one register's values in all 32 lanes (a register row).
// Returns the offset of the allocated bytes in the register file, aligned to a cache line, or to a word for a
// predicate.
uint32_t lower_row(struct lower *, uint32_t bytes);
// Allocates space in the register file for the 32 lanes of a new register, and gives the register an id of its own.
// `width` is the number of bytes per lane, 4 or 8, or 1 for a predicate.
struct ref lower_new_reg(struct lower *, uint32_t width);

// ---------------------------------------------------------------- lower/param_pointer.c

// Returns the function parameter whose address the operand (a register, or an address with a base register) holds. The
// result is an operand of kind PTX_OPERAND_SYMBOL, or NULL if the parameter is unknown.
const struct ptx_operand *lower_param_pointer(const struct lower *, const struct ptx_operand *);
// Returns 1 for a mov that only copies the address of a function parameter, and therefore needs no op.
int lower_is_pointer_mov(const struct lower *, const struct ptx_inst *);

// ---------------------------------------------------------------- lower/flag.c

// Sets in l->data the bits of the memories in which the kernel's volatile accesses carry only data and no flags, that
// is, no signals from one thread to another.
void lower_flags(struct lower *);

// ---------------------------------------------------------------- lower/cas_seed.c

// Marks in l->cas_seed the loads whose value a compare-and-swap checks.
void lower_cas_seeds(struct lower *);

// Lists the values of l->part that are no index of a source variable. LOWER_NONE: the register points to no known
// source variable. LOWER_UNSEEN: the analysis has not classified the register yet. LOWER_FRAME: the register holds the
// address of the function's whole frame.
enum lower_part { LOWER_NONE = -1, LOWER_UNSEEN = -2, LOWER_FRAME = -3 };

// ---------------------------------------------------------------- lower/flow.c

// Splits the current function into basic blocks and puts the blocks in order (lower/rank.h).
void lower_blocks(struct lower *);
// Sets the arrays l->symbol, l->part, l->read and l->uniform for the registers of the current function.
void lower_symbols(struct lower *);
// Finds the registers that the current function may read before it writes them, and lists them in the function's plan.
void lower_liveness(struct lower *);

#endif
