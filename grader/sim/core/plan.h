// What lowering leaves for the executor besides the ops: rows to fill, memory accesses, calls, functions.
// Owned by the arena it was lowered in; read-only while a launch runs.
#ifndef SIM_CORE_PLAN_H
#define SIM_CORE_PLAN_H

#include <stdint.h>

#include "base/arena.h"
#include "ptx/ptx.h"
#include "sim/core/op.h"
#include "sim/core/program.h"

struct sim_memory;

enum plan_row_kind { PLAN_IMMEDIATE, PLAN_PARAM, PLAN_SREG, PLAN_DYNAMIC_SHARED };
// A row that no instruction writes: filled before a warp runs.
struct plan_row {
    uint32_t offset; // in the register file
    uint8_t kind;    // enum plan_row_kind
    uint8_t wide;    // 8-byte lanes
    uint8_t bytes;   // PARAM: bytes read; signed where `sign` is 1
    uint8_t sign;
    uint32_t sreg, component;
    uint64_t bits; // IMMEDIATE; PARAM: offset in the parameters
};

struct plan_pair {
    uint32_t from, to;            // rows of 32-bit words
    uint32_t from_reg, to_reg;    // their register ids
    uint8_t from_bytes, to_bytes; // 1: an id for each of the word's bytes
};

// One row of a function.
struct plan_span {
    uint32_t row, width; // bytes of a lane; 1: a predicate's word
    uint32_t reg;        // its register's id; of a parameter's word that of its first byte, three more follow
};

// One function as placed in the program.
struct plan_func {
    uint32_t entry;            // its first op; PLAN_ABSENT: not part of this program
    uint32_t region, bytes;    // its rows in the register file
    uint32_t first_reg, nregs; // ids of its registers
    uint32_t frame_bytes;      // of its .local variables
    uint32_t *unwritten;       // ids of registers that may be read before they are written
    uint32_t nunwritten;
    struct plan_span *stale; // their rows
    uint32_t nstale;
    uint32_t param_word, param_words; // rows of its parameters, one 32-bit word each
    uint32_t param_reg;
    uint32_t result_word, result_words; // and of its results
    uint32_t result_reg;
    uint32_t first_span, nspans; // its rows, in plan->span
    uint8_t recursive;
};
#define PLAN_ABSENT 0xffffffffu
enum { PLAN_SCRATCH_ROW = 8 * 32 };
enum { PLAN_PARAM_BYTES = 32764 + 8 }; // of a kernel's parameters at most (from CUDA 12.1 on; 4096 before)

struct sim_plan {
    struct sim_memory_op *memory;
    uint32_t nmemory;
    struct sim_param_op *param;
    struct sim_call_op *call;
    struct sim_exchange_op *exchange;
    struct plan_pair *pair;
    uint32_t *use;    // register ids of the ops' sources and destinations
    uint32_t *target; // of brx: ops
    struct plan_span *span;
    struct plan_row *row;
    uint32_t nrows;
    struct plan_func *func;   // [module->nfuncs]
    uint32_t nregs;           // register ids; 0 is "none"
    uint8_t *width;           // [nregs]: bytes of a lane; 1: a predicate
    uint32_t scratch;         // five rows of PLAN_SCRATCH_ROW bytes: undef.c
    uint32_t file_bytes;      // of a warp's register file
    uint32_t order_sensitive; // 1: the order of blocks may change what the kernel does
    uint32_t param_bytes;
    uint32_t param_offset[ENGINE_ARGS + 1];
    uint32_t nparams;
    uint32_t entry_op;
};

#endif
