// Executes comparisons, selections and predicate logic for 32 lanes; logic.def lists the comparisons. The file logic.c
// is compiled once for each level of host vector instructions (op/exec.h).
#include "sim/core/vector_level.h"
#include "sim/op/exec.h"

#include "sim/op/logic.def"

#define SELECT(TYPE, T)                                                                                                \
    EXEC_ALU(selp_##TYPE##_PLAIN, T, const row_##T *ra = ROW(T, op->a); const row_##T *rb = ROW(T, op->b);             \
             const u32 p = *warp_pred(w, op->c);, , LANE_ON(p, i) ? ra[i] : rb[i])
SELECT(U32, u32)
SELECT(U64, u64)

// Defines the handler of `set`, whose result is all ones (integers) or 1.0 (floats) if the predicate op->c is true. A
// separate op executes the comparison of the PTX instruction `set` and stores its result in the predicate register that
// the handler of `set` reads.
#define SET(TYPE, T, ONE)                                                                                              \
    EXEC_ALU(set_##TYPE##_PLAIN, T, const u32 p = *warp_pred(w, op->c);, , LANE_ON(p, i) ? (T)(ONE) : 0)
SET(U32, u32, 0xffffffffu)
SET(F32, u32, 0x3f800000)
SET(U64, u64, ~(u64)0)
SET(F64, u64, 0x3ff0000000000000ull)
SET(U16, u32, 0xffff)
SET(F16, u32, 0x3c00)
SET(BF16, u32, 0x3f80)

#define PRED2(OP, EXPR)                                                                                                \
    static void OP##_PRED_PLAIN(struct warp *w, const struct sim_op *op, uint32_t mask)                                \
    {                                                                                                                  \
        uint32_t *d = warp_pred(w, op->d), a = *warp_pred(w, op->a), b = *warp_pred(w, op->b);                         \
        (void)b;                                                                                                       \
        *d = (*d & ~mask) | ((EXPR)&mask);                                                                             \
    }
PRED2(and, a &b)
PRED2(or, a | b)
PRED2(xor, a ^ b)
PRED2(not, ~a)
PRED2(mov, a)

// Converts a predicate to numbers: lane i of the result is bit i of the predicate op->a.
EXEC_ALU(set_PRED_PLAIN, u32, const u32 p = *warp_pred(w, op->a);, , LANE_ON(p, i))
static void setp_PRED_PLAIN(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const row_u32 *ra = ROW(u32, op->a);
    int32_t lane[WARP_LANES] __attribute__((aligned(64)));
    LANES_LOOP lane[i] = -(int32_t)(ra[i] != 0);
    exec_set_pred(w, op, mask, exec_movemask(lane));
}

#undef CMP2
#define CMP2(OP, TYPE, VARIANT, ...) ROWENTRY(OP, TYPE, VARIANT)
const struct sim_handler_row SIM_NAME(exec_logic)[] = {
#include "sim/op/logic.def"
    ROWENTRY(selp, U32, PLAIN) ROWENTRY(selp, U64, PLAIN) ROWENTRY(set, U32, PLAIN) ROWENTRY(set, F32, PLAIN)
        ROWENTRY(set, U64, PLAIN) ROWENTRY(set, F64, PLAIN) ROWENTRY(set, U16, PLAIN) ROWENTRY(set, F16, PLAIN)
            ROWENTRY(set, BF16, PLAIN) ROWENTRY(and, PRED, PLAIN) ROWENTRY(or, PRED, PLAIN) ROWENTRY(xor, PRED, PLAIN)
                ROWENTRY(not, PRED, PLAIN) ROWENTRY(mov, PRED, PLAIN) ROWENTRY(set, PRED, PLAIN)
                    ROWENTRY(setp, PRED, PLAIN){0, NULL}};
