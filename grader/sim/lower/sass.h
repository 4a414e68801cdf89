// What ptxas makes of a function, as far as hardware counts it otherwise than PTX does.
//
// A device executes SASS, and its counters count that. Lowering executes PTX: values, races and findings belong to PTX
// instructions. So counting has a model of its own: passes over the PTX of a function, each a named habit of ptxas,
// mark instructions; nothing but the counters (and what the model of time takes from them) looks at the marks.
//   sass_merge.c    neighbouring accesses of shared memory become one of 64 or 128 bits; repeated loads vanish
//   sass_slots.c    how many SASS instructions a PTX instruction becomes: none, one, a handful
//   unroll.c        (before lowering) loops of one block run four, two and one of their turns at once
//   sass_convert.c  short branches become predicates: what they jumped over is executed, switched off
// What stays different from a card, and why (of the 70 launches of tests/truth/h200.csv):
//   - Wavefronts of shared memory: the card counts a few percent more where its arbiter delays one; on a small grid the
//     same kernels have none of these.
//   - float and 64-bit additions to shared memory are loops of compare-and-swap on the card, and one atomic here.
// Source of every rule: SASS of ptxas 13.0.88 (-arch=sm_90 -O3), of small PTX programs made for the question and of the
// kernels of tests/truth; what a card counted of the latter is in tests/truth/h200.csv.
#ifndef SIM_LOWER_SASS_H
#define SIM_LOWER_SASS_H

#include <stdint.h>

#include "sim/core/instruction.h"
#include "sim/op/lower.h"

struct sass_inst {
    uint8_t slots;   // SASS instructions that the PTX instruction becomes
    uint8_t product; // 1: a sum that has become a multiply-add
    uint8_t merged;  // of a shared access: bytes of the wider one it begins; SIM_MERGED_AWAY: a later part; 0: its own
    uint32_t counted_by; // instruction whose executions count for it: itself, or the branch that became its predicate
};

// What is known of a function's registers.
struct sass {
    struct lower *l;
    const struct ptx_func *f;
    struct sass_inst *inst; // [ninsts]
    uint32_t *defs, *uses;  // [nregs]: how many instructions write and read it
    uint32_t *def, *user;   // [nregs]: one of each; the only one where there is one
    uint8_t *zeros;         // [nregs]: low bits that are 0 in every lane, at most SASS_ZEROS
    uint8_t *varying;       // [nregs]: 1: lanes of a warp may differ
};
enum { SASS_ZEROS = 31 };

// An address as root + offset.
struct sass_place {
    uint32_t root; // register, or SASS_SYMBOL | index into module.var
    int64_t offset;
};
#define SASS_SYMBOL 0x80000000u

// Marks the ops of the function at hand. After all its ops were emitted.
void sass_mark(struct lower *);

// sass_value.c
void sass_values(struct sass *);
struct sass_place sass_place(const struct sass *, const struct ptx_operand *address);
uint32_t sass_root_zeros(const struct sass *, uint32_t root);
int sass_operand_varies(const struct sass *, const struct ptx_operand *);

void sass_merge(struct sass *);
void sass_slots(struct sass *);
int sass_ends_kernel(const struct sass *, uint32_t inst); // 1: a warp that comes there is done
void sass_convert(struct sass *);

#endif
