// Builds findings about memory accesses; diagnose.h has the contracts.
#include "sim/hazard/diagnose.h"

#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"
#include "sim/core/program.h"
#include "sim/hazard/demangle.h"
#include "sim/hazard/finding_log.h"
#include "sim/hazard/heap.h"

enum { FINDING_COSTS = 8 }; // cost of one finding in warp instructions, counted against the budget

struct diagnose_target diagnose_global(struct sim_memory *m, uint64_t address)
{
    const struct sim_region *r = region_at(m, address);
    if (!r) return (struct diagnose_target){.buffer = -1, .var = -1, .offset = (int64_t)address};
    return (struct diagnose_target){.buffer = r->buffer,
                                    .var = r->module == m->module ? r->var : -1,
                                    .offset = (int64_t)(address - r->base),
                                    .extent = r->bytes};
}

struct diagnose_target diagnose_shared(const struct sim_memory *m, int32_t symbol, uint64_t address)
{
    struct diagnose_target none = {.buffer = -1, .var = -1, .offset = (int64_t)address};
    const struct shared_extent *found = NULL;
    for (uint32_t i = 0; i < m->nextents; i++) {
        const struct shared_extent *e = &m->extent[i];
        if (symbol >= 0 && e->var == symbol) {
            found = e;
            break;
        }
        if (!found || e->lo <= address) found = e;
    }
    if (!found) return none;
    return (struct diagnose_target){.buffer = -1,
                                    .var = found->var,
                                    .offset = (int64_t)address - (int64_t)found->lo,
                                    .extent = found->hi - found->lo};
}

// Describes the variable at an offset in local, constant or parameter memory. `symbol` is the variable's index in the
// module, or -1 if the variable is unknown. `extent` is the size of the memory space in bytes.
static struct diagnose_target diagnose_variable(const struct sim_memory *m, int32_t symbol, uint64_t offset,
                                                uint64_t extent)
{
    struct diagnose_target t = {.buffer = -1, .var = symbol, .offset = (int64_t)offset, .extent = extent};
    if (symbol >= 0 && m->module->var[symbol].space == PTX_CONST) {
        t.offset = (int64_t)(offset - m->var_address[symbol]);
        t.extent = m->module->var[symbol].bytes;
    }
    return t;
}

// Describes the heap block at an address in finding `f`, if the address lies in the heap of malloc(). A finding about
// freed memory names the call of free(), and a finding about bounds the call of malloc().
static void describe_heap(const struct sim_memory *m, uint64_t at, struct finding *f)
{
    const struct sim_region *r = region_at(m, at);
    const struct heap_block *b = r && r->heap ? heap_block_near(r->heap, at - r->base) : NULL;
    if (!b) return;
    f->offset = (int64_t)(at - r->base - b->offset);
    f->extent = b->bytes;
    snprintf(f->symbol, sizeof f->symbol, "malloc()");
    f->second = f->kind == FINDING_out_of_bounds || f->kind == FINDING_after_free || f->kind == FINDING_double_free;
    if (f->second) f->other = f->kind == FINDING_out_of_bounds ? b->made : b->freed;
}

void diagnose_charge(const struct sim_warp *w)
{
    w->block->extra_work += FINDING_COSTS;
}

struct finding diagnose_finding(const struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane,
                                enum finding_kind kind, uint64_t at)
{
    const struct sim_launch *launch = w->block->worker->launch;
    struct sim_memory *m = launch->memory;
    struct finding f = {.kind = (uint16_t)kind, .space = (uint8_t)space, .size = a->bytes, .count = 1};
    struct diagnose_target t;
    if (space != SPACE_GLOBAL && at <= UINT32_MAX) at = (uint64_t)(int64_t)(int32_t)at; // an address before the window
    if (space == SPACE_GLOBAL)
        t = diagnose_global(m, at);
    else if (space == SPACE_SHARED)
        t = diagnose_shared(m, a->symbol, at);
    else if (space == SPACE_LOCAL)
        t = diagnose_variable(m, a->symbol, at, launch->local_bytes);
    else if (space == SPACE_CONST)
        t = diagnose_variable(m, a->symbol, at, m->constant_bytes);
    else
        t = diagnose_variable(m, -1, at, 0);
    f.buffer = t.buffer;
    f.offset = t.offset;
    f.extent = t.extent;
    if (space == SPACE_LOCAL && a->part) {
        const struct ptx_frame_part *p = &m->module->var[a->symbol].part[a->part - 1];
        f.extent = p->to - p->from;
        f.offset = (int64_t)(at - a->hi + f.extent);
        snprintf(f.symbol, sizeof f.symbol, "%s", p->name);
    } else if (t.var >= 0)
        demangle(f.symbol, m->module->var[t.var].name);
    else if (space == SPACE_GLOBAL && t.buffer < 0)
        describe_heap(m, at, &f);
    diagnose_charge(w);
    f.at.access = a->kind;
    finding_log_place(&f.at, w, lane);
    return f;
}

void diagnose_access(const struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane,
                     enum finding_kind kind, uint64_t at)
{
    struct finding f = diagnose_finding(w, a, space, lane, kind, at);
    if (kind == FINDING_never_written && space == SPACE_SHARED) f.value = w->block->left;
    finding_log_add(w->block->worker->findings, &f, a->op, UINT32_MAX);
}
