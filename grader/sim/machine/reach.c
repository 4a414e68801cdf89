// Finds what a lane accesses (reach.h) from the registers that the memory op reads. It checks no more than that the
// bytes exist: access.c finds the errors.
#include "sim/machine/reach.h"

#include "sim/core/access.h"

const struct sim_memory_op *reach_memory_op(const struct warp *w, const struct sim_op *op)
{
    const struct sim_memory_op *m = &w->plan->memory[op->side];
    return op->side < w->plan->nmemory && m->access.op == warp_op_index(w, op) ? m : NULL;
}

// Fills in the host address of `total` bytes of global memory. *r is the region that the caller looked up last, or
// NULL.
static void reach_global(const struct sim_launch *l, struct reach *to, uint32_t total, struct sim_region **r)
{
    if (!*r || to->address - (*r)->base > (*r)->bytes) *r = region_at(l->memory, to->address);
    to->region = *r;
    if (*r && (*r)->bytes >= total && to->address - (*r)->base <= (*r)->bytes - total)
        to->host = (*r)->data + (to->address - (*r)->base);
}

void reach_lanes(const struct warp *w, const struct sim_memory_op *m, const struct sim_op *op, uint32_t lanes,
                 struct reach out[WARP_LANES])
{
    const struct sim_launch *l = w->memory.block->worker->launch;
    uint32_t total = access_total_bytes(&m->access);
    uint64_t base = (uint64_t)m->offset + (m->local ? warp_local_base(w) : 0);
    struct sim_region *region = NULL;
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        uint64_t address = base + (m->wide ? access_row_get(w->rows + op->a, lane, 8) : warp_row(w, op->a)[lane]);
        struct reach *to = &out[lane];
        *to = (struct reach){.space = m->access.space, .address = address};
        if (to->space == SPACE_NONE)
            to->space = access_resolve(address, &to->address);
        else if (to->space != SPACE_GLOBAL)
            to->address &= 0xffffffff;
        if (to->space == SPACE_GLOBAL)
            reach_global(l, to, total, &region);
        else if (to->space == SPACE_SHARED && to->address + total <= l->shared_bytes)
            to->host = w->memory.block->shared + to->address;
        else if (to->space == SPACE_LOCAL && to->address + total <= l->local_bytes)
            to->host = w->memory.local + (uint64_t)lane * l->local_bytes + to->address;
    }
}
