// Branches, ends, guards, and what needs the warp more than its lanes.
#include <string.h>

#include "base/message.h"
#include "sim/core/warp.h"
#include "sim/hazard/copies.h"
#include "sim/hazard/sync.h"
#include "sim/machine/undef.h"
#include "sim/machine/warp.h"

void control_guarded(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t on = warp_guard(w, op, mask);
    if (on != mask) w->tally[warp_op_index(w, op)].off += (uint32_t)__builtin_popcount(mask & ~on);
    if (on) op->inner(w, op, on);
}

static inline void jump(struct warp *w, const struct sim_op *op, uint32_t target)
{
    uint32_t here = warp_op_index(w, op);
    if (target <= here) w->last_branch = here;
    w->pc = target;
    w->end = op + 1; // a jump of its own may follow, for the lanes that fall through to a block that lies elsewhere
}

void control_jump(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    (void)mask;
    jump(w, op, op->f);
}

void control_bra(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    (void)mask;
    jump(w, op, op->f);
}

void control_bra_guarded(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t taken = warp_guard(w, op, mask);
    w->tally[warp_op_index(w, op)].taken += (uint32_t)__builtin_popcount(taken);
    if (taken == mask) {
        jump(w, op, op->f);
    } else if (taken) {
        uint32_t here = warp_op_index(w, op);
        w->tally[here].divergent++;
        warp_split(w, mask & ~taken, op->f);
        if (op->f <= here) w->last_branch = here;
    }
}

// Lanes may want different targets: those of the first lane's go there, the others try again.
void control_brx(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t here = warp_op_index(w, op), on = warp_guard(w, op, mask), group = 0;
    if (!on) return;
    warp_split(w, on, here + 1);
    const uint32_t *index = warp_row(w, op->a);
    uint32_t first = index[__builtin_ctz(on)];
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (on >> i & 1 && index[i] == first) group |= 1u << i;
    if (group != on) {
        w->tally[here].divergent++;
        warp_split(w, group, here);
    }
    if (first >= op->f) {
        warp_fault(w, FINDING_bad_call, here, (uint32_t)__builtin_ctz(on), N_("branch index outside its table"), first);
        return;
    }
    warp_stop(w, op, w->plan->target[op->side + first]);
    if (w->pc <= here) w->last_branch = here;
}

void control_exit(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t on = warp_guard(w, op, mask);
    if (on) warp_exit(w, op, on);
}

void control_trap(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    warp_fault(w, FINDING_trap, warp_op_index(w, op), (uint32_t)__builtin_ctz(mask), NULL, 0);
}

void control_nop(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    (void)w, (void)op, (void)mask;
}

// A warp's clock counts its instructions, so many cycles each, and its pauses: monotonic, and the same in every run.
enum { CLOCKS_PER_INST = 4, SLEEP_MOST = 1000000 }; // SLEEP_MOST: ns, PTX ISA 9.7.19.1

static uint64_t clock_now(struct warp *w, const struct sim_op *op)
{
    uint64_t now = (w->executed + (uint64_t)(op - w->ops) % 64) * CLOCKS_PER_INST + w->slept;
    if (w->block->clock < now) w->block->clock = now;
    return now;
}

static uint64_t clock_khz(const struct warp *w)
{
    return (uint64_t)w->memory.block->worker->launch->device->clock_khz;
}

// A pause, as waiting loops have it.
void control_sleep(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const uint32_t *row = warp_row(w, op->a);
    uint32_t most = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (mask >> i & 1 && row[i] > most) most = row[i];
    w->slept += (most < SLEEP_MOST ? most : SLEEP_MOST) * clock_khz(w) / 1000000;
    clock_now(w, op);
    warp_yield(w, op);
}

void control_fence(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    // Memory is sequentially consistent here; but races are judged by what the fence orders.
    sync_fence(&w->memory, mask, op->mode);
}

void control_copy_commit(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    (void)op;
    copies_commit(&w->memory, mask);
}

void control_copy_wait(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    copies_wait(&w->memory, mask, op->side);
}

void control_clock(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint64_t value = clock_now(w, op);
    if (op->mode >= PTX_SREG_globaltimer) value = (uint64_t)((unsigned __int128)value * 1000000 / clock_khz(w));
    if (op->mode == PTX_SREG_clock_hi || op->mode == PTX_SREG_globaltimer_hi) value >>= 32;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        uint32_t narrow = (uint32_t)value;
        if (op->side)
            memcpy(w->rows + op->d + 8 * i, &value, 8);
        else
            memcpy(w->rows + op->d + 4 * i, &narrow, 4);
    }
}

void control_local_address(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint64_t address = (uint64_t)warp_local_base(w) + op->f;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        memcpy(w->rows + op->d + (op->side ? 8 : 4) * i, &address, op->side ? 8 : 4); // little-endian
    }
}

// alloca: op->a bytes for each lane, op->b the stack's top, which is op->e as well, op->d where they begin.
void control_alloca(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t stride = w->memory.block->worker->launch->local_bytes, *top = warp_row(w, op->b), align = op->f;
    uint32_t width = op->side ? 8 : 4;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        uint64_t bytes = 0, from = ((uint64_t)top[i] + align - 1) / align * align;
        memcpy(&bytes, w->rows + op->a + width * i, width);
        if (from > stride || bytes > stride - from) {
            warp_fault(w, FINDING_bad_call, warp_op_index(w, op), i,
                       N_("the stack overflows: alloca of too many bytes"), bytes);
            return;
        }
        undef_clear_local(w, i, from, bytes);
        top[i] = (uint32_t)(from + bytes);
        memcpy(w->rows + op->d + width * i, &from, width); // little-endian
    }
}

// Integer division by zero has a result here and on a device, but none that CUDA promises.
void note_division(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t bytes = op->mode < 4 ? 4 : op->mode;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint64_t divisor = 0;
        memcpy(&divisor, w->rows + op->a + bytes * i, bytes);
        if (op->mode == 2) divisor &= 0xffff;
        if (divisor || !(mask >> i & 1)) continue;
        warp_finding(w, FINDING_arithmetic, warp_op_index(w, op), i, NULL, 0, UINT32_MAX);
        return;
    }
}
