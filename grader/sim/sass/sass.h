// Models the SASS that ptxas generates for a function, so that the simulator's counters match a device's counters.
//
// A device executes SASS and counts SASS instructions. The simulator executes PTX, so values, races and findings belong
// to PTX instructions. The SASS model consists of passes over the PTX of a function, and each pass models one
// optimisation of ptxas. The passes record for each PTX instruction which SASS ptxas generates for it (struct
// sass_inst). Only the simulator's counters, and the time model that uses them, depend on the records in struct
// sass_inst.
//
//   merge.c    neighbouring accesses of shared memory become one of 64 or 128 bits; repeated loads vanish
//   slots.c    how many SASS instructions a PTX instruction becomes: none, one or several
//   unroll.c        (before lowering) loops of one block run four and two of their iterations at once
//   if_convert.c  short branches become predicates: the instructions in between are executed with a predicate
//   register_need.c  (with home.c and code_region.c) how many registers the function needs, if ptxas was not run
//
// The SASS model and a device still count wavefronts and additions in shared memory differently, as the 70 launches of
// tests/truth/h200.csv show.
//
//   - Wavefronts of shared memory: the device counts a few percent more when its arbiter delays an access. On a small
//     grid, the device counts no additional wavefronts for the same kernels.
//   - Float and 64-bit additions to shared memory are compare-and-swap loops on the device, and one atomic in the
//     model.
//
// Every rule of the SASS model comes from the SASS that ptxas 13.0.88 (-arch=sm_90 -O3) generates. The sources of the
// rules are small PTX programs, each written for one question about ptxas, and the kernels of tests/truth. The counters
// of an H200 for the kernels of tests/truth are in tests/truth/h200.csv.
#ifndef SIM_SASS_SASS_H
#define SIM_SASS_SASS_H

#include <stdint.h>

#include "sim/core/instruction.h"
#include "sim/lower/lowering.h"

// Holds what the SASS model's passes found out about a PTX instruction.
struct sass_inst {
    uint8_t slots;   // SASS instructions that the PTX instruction becomes
    uint8_t product; // 1: an addition that became a multiply-add
    uint8_t merged;  // shared access: bytes of the wide access that it begins; SIM_MERGED_AWAY: in another; 0: separate
    uint32_t counted_by; // instruction whose executions count: itself, or the branch that became its predicate
};

// Holds a function, and what the SASS model knows about the function's registers.
struct sass {
    struct lower *l;
    const struct ptx_func *f;
    struct sass_inst *inst; // [ninsts]
    uint32_t *defs, *uses;  // [nregs]: number of instructions that write and read the register
    uint32_t *def, *user;   // [nregs]: an instruction that writes it and one that reads it
    uint8_t *zeros;         // [nregs]: low bits that are 0 in every lane, at most SASS_ZEROS
    uint8_t *varying;       // [nregs]: 1: its value may differ between the lanes of a warp
};
enum { SASS_ZEROS = 31 };

// Describes an address as the sum of a root (a register or a symbol) and a constant offset.
struct sass_place {
    uint32_t root; // a register, or SASS_SYMBOL | index into module->var
    int64_t offset;
};
#define SASS_SYMBOL 0x80000000u

// Holds estimated numbers of a thread's registers: the number that ptxas presumably gives, and the least with which it
// spills no value to local memory.
struct sass_need {
    uint32_t likely, least;
};

// Runs the SASS model's passes on the current function, and stores in each op of the function how many SASS
// instructions the op counts as. The caller calls sass_mark() after all ops of the function were emitted. Unless `need`
// is NULL, raises *need to the registers that the function needs.
void sass_mark(struct lower *, struct sass_need *need);

// Analyses the function's registers, and fills the arrays defs, uses, def, user, zeros and varying of struct sass.
void sass_values(struct sass *);
// Splits an address into its root (a register or a symbol) and a constant offset.
struct sass_place sass_place(const struct sass *, const struct ptx_operand *address);
// Returns the number of low bits that are zero in every value of `root`, the register or symbol that an address starts
// from. Returns at most SASS_ZEROS.
uint32_t sass_root_zeros(const struct sass *, uint32_t root);
// Returns 1 if the operand's value may differ between the lanes of a warp.
int sass_operand_varies(const struct sass *, const struct ptx_operand *);

// Runs one pass of the SASS model (sass_merge, sass_slots or sass_convert). sass_mark() calls sass_merge(),
// sass_slots() and sass_convert() in this order, and the file of each pass explains the pass.
void sass_merge(struct sass *);
void sass_slots(struct sass *);
void sass_convert(struct sass *);
// Estimates the registers of a thread that executes the function.
struct sass_need sass_registers(struct sass *);
// Returns 1 if instruction `inst` ends the kernel: an exit or ret of the kernel itself.
int sass_ends_kernel(const struct sass *, uint32_t inst);

#endif
