// Registers that were never written. As long as there are none a warp pays nothing for them; while there are, each op
// goes through warp_careful, which looks at the op's registers and makes a finding where an undefined value matters:
// where it decides a branch, is an address, or goes to global memory. Arithmetic only hands it on. What was never
// written holds 0, never what another block left there: which block that was depends on the host's threads.
#include <string.h>

#include "sim/warp.h"

void warp_set_undef(struct warp *w, uint32_t reg, uint32_t lanes, uint32_t exec)
{
    if (!reg) return;
    uint32_t before = w->undef[reg], after = (before & ~exec) | (lanes & exec);
    w->undef[reg] = after;
    w->nundef += (after != 0) - (before != 0);
}

void warp_clear_local(struct warp *w, uint32_t lane, uint64_t at, uint64_t bytes)
{
    uint64_t from = (uint64_t)lane * w->memory.block->worker->launch->local_bytes + at;
    memset(w->memory.local + from, 0, bytes);
    if (w->memory.local_valid) memset(w->memory.local_valid + from, 0, bytes);
}

static void clear_row(struct warp *w, const struct plan_span *s, uint32_t lanes)
{
    if (s->width == 1) {
        *warp_pred(w, s->row) &= ~lanes;
        return;
    }
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1) memset(w->rows + s->row + i * s->width, 0, s->width);
}

void warp_enter(struct warp *w, const struct plan_func *f, uint32_t base, uint32_t lanes)
{
    for (uint32_t k = 0; k < f->nstale; k++) clear_row(w, &f->stale[k], lanes);
    for (uint32_t i = 0; i < WARP_LANES && f->frame_bytes; i++)
        if (lanes >> i & 1) warp_clear_local(w, i, base, f->frame_bytes);
    if (!(w->memory.block->worker->launch->checks & CHECK_WRITTEN)) return;
    for (uint32_t k = 0; k < f->nunwritten; k++) warp_set_undef(w, f->unwritten[k], lanes, lanes);
}

// The undefined value is reported once and counts as defined from then on, or every later use would be reported too.
static void report(struct warp *w, const struct sim_op *op, uint32_t reg, uint32_t lanes)
{
    uint32_t bad = reg ? w->undef[reg] & lanes : 0;
    if (!bad) return;
    warp_finding(w, FINDING_never_written, warp_op_index(w, op), (uint32_t)__builtin_ctz(bad), NULL, 0, UINT32_MAX);
    warp_set_undef(w, reg, 0, bad);
}

// Lanes whose generic address lies in global memory.
static uint32_t global_lanes(const struct warp *w, const struct sim_op *op, uint32_t lanes)
{
    const struct sim_memory_op *m = &w->plan->memory[op->side];
    uint32_t global = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint64_t address = (m->wide ? ((const uint64_t *)(const void *)(w->rows + op->a))[i] : 0) + (uint64_t)m->offset;
        if (address < SIM_PARAM_WINDOW) global |= 1u << i;
    }
    return lanes & global;
}

static void report_what_matters(struct warp *w, const struct sim_op *op, uint32_t mask, uint32_t on)
{
    const uint32_t *use = &w->plan->use[op->regs];
    if (op->matters == MATTERS_NOT) return;
    if (op->matters != MATTERS_FIRST) report(w, op, use[0], mask);
    if (op->matters != MATTERS_GUARD && op->nsources) report(w, op, use[1], on);
    if (op->matters == MATTERS_UNKNOWN) on = global_lanes(w, op, on);
    if (op->matters == MATTERS_GLOBAL || op->matters == MATTERS_ALL || op->matters == MATTERS_UNKNOWN)
        for (uint32_t s = 1; s < op->nsources; s++) report(w, op, use[1 + s], on);
}

void warp_careful(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const uint32_t *use = &w->plan->use[op->regs];
    uint32_t on = warp_guard(w, op, mask), spread = 0;
    report_what_matters(w, op, mask, on);
    for (uint32_t s = 0; s < op->nsources; s++)
        if (use[1 + s]) spread |= w->undef[use[1 + s]];
    uint32_t doubtful = use[0] ? w->undef[use[0]] & mask : 0; // the guard itself is undefined
    int is_load = op->matters == MATTERS_FIRST && op->ndests;
    int tells = is_load && w->plan->memory[op->side].validity;
    op->run(w, op, mask);
    if (tells) return; // the load said which lanes were written
    for (uint32_t d = 0; d < op->ndests; d++)
        warp_set_undef(w, use[1 + op->nsources + d], (is_load ? 0 : spread & on) | doubtful, on | doubtful);
}
