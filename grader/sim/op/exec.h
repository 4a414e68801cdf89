// Defines macros and functions for vector handlers, that is, functions that execute an op for all 32 lanes of a warp. A
// register row is an array with one register's values in the 32 lanes; compilers turn a loop over a register row into a
// few vector instructions.
//
// The source files that include exec.h are compiled once for each level of host vector instructions, with
// -DSIM_ISA=base|v3|v4. When the program starts, it chooses one of the compiled levels. All arithmetic is IEEE without
// contraction, so that every level gives the same bits.
#ifndef SIM_OP_EXEC_H
#define SIM_OP_EXEC_H

#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "ptx/opcode.h"
#include "ptx/type.h"
#include "sim/core/vector_level.h"
#include "sim/core/warp.h"
#include "sim/machine/pattern.h"

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef unsigned __int128 u128;
typedef __int128 s128;

// Each type row_T (row_u8 to row_f64) is the type in which the simulated register file stores one lane's value of type
// T.
typedef uint32_t row_u8 __attribute__((may_alias)), row_s8 __attribute__((may_alias));
typedef uint32_t row_u16 __attribute__((may_alias)), row_s16 __attribute__((may_alias));
typedef uint32_t row_u32 __attribute__((may_alias));
typedef int32_t row_s32 __attribute__((may_alias));
typedef uint64_t row_u64 __attribute__((may_alias));
typedef int64_t row_s64 __attribute__((may_alias));
typedef float row_f32 __attribute__((may_alias));
typedef double row_f64 __attribute__((may_alias));

#define ROW(T, offset) ((row_##T *)__builtin_assume_aligned(w->rows + (offset), 64))
#define LANES_LOOP _Pragma("GCC ivdep") for (int i = 0; i < WARP_LANES; i++)
#define LANE_ON(mask, i) ((mask) >> (i)&1)

// Defines a handler that computes each lane's result from the operands of that lane alone. DECLARE reads the operands
// of lane i, and EXPR is the lane's result.
#define EXEC_ALU(NAME, D, DECLARE_ROWS, DECLARE, EXPR)                                                                 \
    static void NAME(struct warp *w, const struct sim_op *op, uint32_t mask)                                           \
    {                                                                                                                  \
        row_##D *d = ROW(D, op->d);                                                                                    \
        DECLARE_ROWS                                                                                                   \
        if (mask == ALL_LANES) {                                                                                       \
            LANES_LOOP                                                                                                 \
            {                                                                                                          \
                DECLARE d[i] = (row_##D)(D)(EXPR);                                                                     \
            }                                                                                                          \
        } else {                                                                                                       \
            LANES_LOOP                                                                                                 \
            {                                                                                                          \
                DECLARE row_##D r = (row_##D)(D)(EXPR);                                                                \
                d[i] = LANE_ON(mask, i) ? r : d[i];                                                                    \
            }                                                                                                          \
        }                                                                                                              \
    }
#define ALU1(OP, TYPE, VARIANT, D, A, EXPR)                                                                            \
    EXEC_ALU(OP##_##TYPE##_##VARIANT, D, const row_##A *ra = ROW(A, op->a);                                            \
             , const A a __attribute__((unused)) = (A)ra[i];, EXPR)
#define ALU2(OP, TYPE, VARIANT, D, A, B, EXPR)                                                                         \
    EXEC_ALU(OP##_##TYPE##_##VARIANT, D, const row_##A *ra = ROW(A, op->a); const row_##B *rb = ROW(B, op->b);         \
             , const A a __attribute__((unused)) = (A)ra[i]; const B b __attribute__((unused)) = (B)rb[i];, EXPR)
#define ALU3(OP, TYPE, VARIANT, D, A, B, C, EXPR)                                                                      \
    EXEC_ALU(OP##_##TYPE##_##VARIANT, D, const row_##A *ra = ROW(A, op->a); const row_##B *rb = ROW(B, op->b);         \
             const row_##C *rc = ROW(C, op->c);, const A a __attribute__((unused)) = (A)ra[i];                         \
             const B b __attribute__((unused)) = (B)rb[i]; const C c = (C)rc[i];, EXPR)
#define ALU4(OP, TYPE, VARIANT, D, A, B, C, F, EXPR)                                                                   \
    EXEC_ALU(OP##_##TYPE##_##VARIANT, D, const row_##A *ra = ROW(A, op->a); const row_##B *rb = ROW(B, op->b);         \
             const row_##C *rc = ROW(C, op->c); const row_##F *rf = ROW(F, op->f);                                     \
             , const A a __attribute__((unused)) = (A)ra[i]; const B b __attribute__((unused)) = (B)rb[i];             \
             const C c = (C)rc[i]; const F f = (F)rf[i];, EXPR)

// Returns a mask in which bit i is set if lane[i] is -1. Every element of `lane` must be 0 or -1.
static inline uint32_t exec_movemask(const int32_t lane[WARP_LANES])
{
#if defined(__AVX512DQ__)
    return (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(lane)) |
           (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(lane + 16)) << 16;
#elif defined(__AVX2__)
    uint32_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)(const void *)(lane + 8 * i))) << 8 * i;
    return mask;
#elif defined(__SSE2__)
    uint32_t mask = 0;
    for (int i = 0; i < 8; i++)
        mask |= (uint32_t)_mm_movemask_ps(_mm_loadu_ps((const float *)(const void *)(lane + 4 * i))) << 4 * i;
    return mask;
#else
    uint32_t mask = 0;
    for (int i = 0; i < WARP_LANES; i++) mask |= (uint32_t)(lane[i] & 1) << i;
    return mask;
#endif
}

// Combines the predicates r and c (one bit per lane) by the boolean operation `boolop` and returns the result. Returns
// r if `boolop` names no boolean operation.
static inline uint32_t exec_combine(uint32_t boolop, uint32_t r, uint32_t c)
{
    return boolop == PTX_BOOL_AND ? r & c : boolop == PTX_BOOL_OR ? r | c : boolop == PTX_BOOL_XOR ? r ^ c : r;
}

// Stores the comparison results `r` in the op's first destination predicate, and their complement in the second, if the
// op has a second destination. The comparison results and their complement are first combined with the predicate op->c
// if op->mode names a boolean operation.
static inline void exec_set_pred(struct warp *w, const struct sim_op *op, uint32_t mask, uint32_t r)
{
    uint32_t *p = warp_pred(w, op->d), c = op->mode ? *warp_pred(w, op->c) : 0;
    uint32_t yes = exec_combine(op->mode, r, c), no = exec_combine(op->mode, ~r, c);
    *p = (*p & ~mask) | (yes & mask);
    if (op->e) {
        uint32_t *q = warp_pred(w, op->e);
        *q = (*q & ~mask) | (no & mask);
    }
}

// Defines the handler of a comparison; the expression EXPR compares a with b.
#define CMP2(OP, TYPE, VARIANT, A, EXPR)                                                                               \
    static void OP##_##TYPE##_##VARIANT(struct warp *w, const struct sim_op *op, uint32_t mask)                        \
    {                                                                                                                  \
        const row_##A *ra = ROW(A, op->a), *rb = ROW(A, op->b);                                                        \
        int32_t lane[WARP_LANES] __attribute__((aligned(64)));                                                         \
        LANES_LOOP                                                                                                     \
        {                                                                                                              \
            const A a = (A)ra[i], b = (A)rb[i];                                                                        \
            (void)b;                                                                                                   \
            lane[i] = -(int32_t)(EXPR);                                                                                \
        }                                                                                                              \
        exec_set_pred(w, op, mask, exec_movemask(lane));                                                               \
    }

// Expands to one entry of a table of handlers.
#define ROWENTRY(OP, TYPE, VARIANT) {SIM_KEY(PTX_OP_##OP, PTX_##TYPE, VARIANT_##VARIANT), OP##_##TYPE##_##VARIANT},

#define exec_load SIM_NAME(exec_load)
#define exec_store SIM_NAME(exec_store)
#define exec_access SIM_NAME(exec_access)
// The handlers exec_load and exec_store execute loads and stores of any width in any memory space (op/load_store.c).
sim_handler exec_load, exec_store;
// Fills w->access with m->access (what lowering knows about the access), the lanes in `mask` and the lanes' addresses.
// The 32-bit or 64-bit register at offset `base` of the register file holds the base address of each lane. The address
// of a lane is the sum of the lane's base address, m->offset and, for a variable in local memory, the offset of the
// current function's stack frame. Returns &w->access.
struct sim_access *exec_access(struct warp *w, const struct sim_memory_op *m, uint32_t base, uint32_t mask);

#define exec_new_pattern SIM_NAME(exec_new_pattern)
// An access pattern describes the lanes' addresses relative to the first lane's address (machine/pattern.h). Replaces
// the access pattern that is recorded for the op by the pattern of the lanes' current addresses. Call
// exec_new_pattern() if the lanes' current addresses do not match the op's recorded access pattern. Before
// exec_new_pattern() replaces an access pattern, it adds the counts of the accesses that had this pattern to the op's
// counters. Returns the new pattern, or NULL if the lanes' current addresses have no pattern of the form that
// machine/pattern.h defines.
struct pattern *exec_new_pattern(struct warp *w, const struct sim_op *op, uint32_t mask);

// Returns the bits that an address in the given memory space has: all, or the lower 32 in a window (load_store.c).
static inline uint64_t exec_address_bits(uint32_t space)
{
    return space == SPACE_GLOBAL || space == SPACE_NONE ? UINT64_MAX : UINT32_MAX;
}

// Returns the access pattern (machine/pattern.h) of an op that accesses one word per lane, and stores the first lane's
// address in *base. An access has a pattern if each group of eight lanes accesses consecutive words, accesses one word
// or is inactive. Returns NULL if the access has no pattern, or if the warp executes a called device function. In a
// called device function, an access may count for the op that made the call (frame_site), and not for the op that
// accesses memory. The field op->mode is 1 for 64-bit addresses, and op->e is the offset that is added to every
// address.
static inline struct pattern *exec_pattern(struct warp *w, const struct sim_op *op, uint32_t mask, uint64_t *base)
{
    struct pattern *s = &w->pattern[op->side];
    const uint8_t *row = w->rows + op->a;
    if (w->frame) return NULL; // the access counts for the op that called (frame_site)
    if (!pattern_matches(s, row, op->mode, mask)) s = exec_new_pattern(w, op, mask);
    if (s) *base = pattern_address(row, op->mode, s->first) + (uint64_t)(int64_t)(int32_t)op->e;
    return s;
}

extern const struct sim_handler_row SIM_NAME(exec_integer)[], SIM_NAME(exec_float)[], SIM_NAME(exec_convert)[],
    SIM_NAME(exec_memory)[], SIM_NAME(exec_half)[], SIM_NAME(exec_logic)[], SIM_NAME(exec_video)[],
    SIM_NAME(exec_word_shared)[], SIM_NAME(exec_word_global)[];

#endif
