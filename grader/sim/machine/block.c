// Executes one block: allocates its register files, local memory and shared memory, and runs its warps in turn.
//
// Each warp runs until the warp waits or has executed its quantum of instructions. After each warp's turn, barriers at
// which all threads have arrived release the waiting threads. If no warp can continue, barrier.c finds the reason. The
// memory of a `struct block` is allocated once and used for one block after the other. Immediates, kernel parameters
// and special registers that are the same in all blocks are stored in a warp's register file when the register file is
// allocated. Special registers that differ between blocks, such as %ctaid, are stored when a block begins. If the
// launch runs its warps one after the other (enum engine_apart), a warp's turn has no quantum, and only the launch's
// budget of instructions limits the turn.
#include "sim/machine/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hostile.h"
#include "base/prng.h"
#include "base/text.h"
#include "device/profile.h"
#include "ptx/ptx.h"
#include "sim/core/layout.h"
#include "sim/core/warp.h"
#include "sim/hazard/finding_log.h"
#include "sim/hazard/origin.h"
#include "sim/hazard/shadow.h"
#include "sim/machine/barrier.h"
#include "sim/machine/block_memory.h"
#include "sim/machine/grid.h"
#include "sim/machine/poll.h"
#include "sim/machine/undef.h"
#include "sim/machine/warp.h"
#include "sim/timing/l1.h"
#include "sim/timing/waits.h"

enum { CLEARED_AN_INSTRUCTION = 512 }; // bytes set to 0 that cost as much of the budget as a warp instruction

// Returns `bytes` bytes of zeros, aligned for vector registers, which the caller frees. Allocates ALLOC_ALIGNMENT bytes
// more than `bytes`, because loads of whole vector registers may read beyond the first `bytes` bytes.
static void *zeroed(size_t bytes)
{
    return memset(alloc_aligned(1, bytes + ALLOC_ALIGNMENT), 0, bytes + ALLOC_ALIGNMENT);
}

uint64_t block_bytes(const struct grid *g)
{
    const struct sim_launch *l = &g->launch;
    uint64_t registers = (uint64_t)l->warps * (l->program->plan->file_bytes + 4ull * l->program->plan->nregs);
    return registers + 2ull * l->warps * WARP_LANES * l->local_bytes + 16ull * l->shared_bytes + 65536;
}

// ---------------------------------------------------------------- registers that no instruction writes

// Stores `value` in all lanes of the register that `r` describes.
static void fill_row(struct warp *w, const struct plan_row *r, uint64_t value)
{
    if (r->wide == 2) {
        *warp_pred(w, r->offset) = value ? ALL_LANES : 0;
        return;
    }
    uint32_t narrow = (uint32_t)value;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (r->wide)
            memcpy(w->rows + r->offset + 8 * i, &value, 8);
        else
            memcpy(w->rows + r->offset + 4 * i, &narrow, 4);
}

static void fill_lane(struct warp *w, const struct plan_row *r, uint32_t lane, uint64_t value)
{
    memcpy(w->rows + r->offset + (r->wide ? 8 : 4) * lane, &value, r->wide ? 8 : 4); // the host is little-endian
}

// Returns the value of the kernel parameter that `r` describes, sign- or zero-extended to 64 bits.
static uint64_t param_value(const struct grid *g, const struct plan_row *r)
{
    uint64_t value = 0;
    memcpy(&value, g->params + r->bits, r->bytes);
    uint32_t unused = 64 - 8u * r->bytes;
    return r->sign ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

// Stores in *value the value of the special register that `r` describes. Returns 1, or 0 if the special register
// differs between the threads of a launch.
static int launch_sreg(const struct grid *g, const struct plan_row *r, uint64_t *value)
{
    const struct engine_launch *q = g->launch.request;
    uint32_t c = r->component;
    switch (r->sreg) {
    case PTX_SREG_ntid:
        *value = c < 3 ? q->block[c] : 0;
        return 1;
    case PTX_SREG_cluster_ctaid:
    case PTX_SREG_cluster_ctarank:
        *value = 0;
        return 1;
    case PTX_SREG_reserved_smem_offset_begin:
    case PTX_SREG_reserved_smem_offset_end:
    case PTX_SREG_reserved_smem_offset_cap:
    case PTX_SREG_reserved_smem_offset_0:
    case PTX_SREG_reserved_smem_offset_1:
        *value = layout_reserved(g->launch.program->shared, r->sreg);
        return 1;
    case PTX_SREG_cluster_nctaid:
        *value = c < 3;
        return 1;
    case PTX_SREG_cluster_nctarank:
        *value = 1;
        return 1;
    case PTX_SREG_nctaid:
    case PTX_SREG_nclusterid:
        *value = c < 3 ? q->grid[c] : 0;
        return 1;
    case PTX_SREG_nwarpid:
        *value = (uint64_t)g->launch.device->warps_per_sm;
        return 1;
    case PTX_SREG_nsmid:
        *value = (uint64_t)g->launch.device->sms;
        return 1;
    case PTX_SREG_gridid:
        *value = 1;
        return 1;
    case PTX_SREG_total_smem_size:
    case PTX_SREG_aggr_smem_size:
        *value = g->launch.program->shared->charged_bytes + q->shared;
        return 1;
    case PTX_SREG_dynamic_smem_size:
        *value = q->shared;
        return 1;
    case PTX_SREG_envreg: // %envreg1, %envreg2: high and low half of the address of a cooperative grid's workspace
        *value = r->component == 1 ? g->workspace >> 32 : r->component == 2 ? (uint32_t)g->workspace : 0;
        return 1;
    default:
        return 0;
    }
}

// Stores in a warp's register file a special register that differs between the lanes of a warp or between warps, such
// as %tid.
static void fill_thread_rows(struct warp *w, const struct plan_row *r, const uint32_t block[3])
{
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t t = w->memory.id * WARP_LANES + i, bit = 1u << i, below = bit - 1;
        uint32_t index[4] = {t % block[0], t / block[0] % block[1], t / block[0] / block[1], 0};
        switch (r->sreg) {
        case PTX_SREG_tid:
            fill_lane(w, r, i, index[r->component & 3]);
            break;
        case PTX_SREG_laneid:
            fill_lane(w, r, i, i);
            break;
        case PTX_SREG_warpid:
            fill_lane(w, r, i, w->memory.id);
            break;
        case PTX_SREG_lanemask_eq:
            fill_lane(w, r, i, bit);
            break;
        case PTX_SREG_lanemask_lt:
            fill_lane(w, r, i, below);
            break;
        case PTX_SREG_lanemask_le:
            fill_lane(w, r, i, below | bit);
            break;
        case PTX_SREG_lanemask_gt:
            fill_lane(w, r, i, ~(below | bit));
            break;
        case PTX_SREG_lanemask_ge:
            fill_lane(w, r, i, ~below);
            break;
        default:
            break;
        }
    }
}

// Stores in a warp's register file the values that do not change between blocks: immediates, kernel parameters and most
// special registers.
static void fill_constant_rows(const struct grid *g, struct warp *w)
{
    const struct sim_plan *plan = g->launch.program->plan;
    for (uint32_t k = 0; k < plan->nrows; k++) {
        const struct plan_row *r = &plan->row[k];
        uint64_t value;
        if (r->kind == PLAN_IMMEDIATE)
            fill_row(w, r, r->bits);
        else if (r->kind == PLAN_PARAM)
            fill_row(w, r, param_value(g, r));
        else if (launch_sreg(g, r, &value))
            fill_row(w, r, value);
        else
            fill_thread_rows(w, r, g->launch.request->block);
    }
}

// Stores in a warp's register file the special registers that depend on the block: %ctaid, %clusterid and %smid.
static void fill_block_rows(const struct sim_launch *l, const struct block *b, struct warp *w)
{
    const struct sim_plan *plan = l->program->plan;
    for (uint32_t k = 0; k < plan->nrows; k++) {
        const struct plan_row *r = &plan->row[k];
        if (r->kind != PLAN_SREG) continue;
        if (r->sreg == PTX_SREG_ctaid || r->sreg == PTX_SREG_clusterid)
            fill_row(w, r, r->component < 3 ? b->memory.index[r->component] : 0);
        if (r->sreg == PTX_SREG_smid) fill_row(w, r, b->memory.linear % (uint64_t)l->device->sms);
    }
}

// ---------------------------------------------------------------- allocation and start

struct block *block_new(struct sim_worker *worker, const struct grid *g)
{
    const struct sim_launch *l = &g->launch;
    const struct sim_plan *plan = l->program->plan;
    struct block *b = zeroed(sizeof *b);
    b->nwarps = l->warps;
    b->warp = zeroed(l->warps * sizeof *b->warp);
    b->order = zeroed(l->warps * sizeof *b->order);
    b->params = g->params;
    b->tally = zeroed(((size_t)l->nops + 1) * sizeof *b->tally);
    b->memory.worker = worker;
    b->memory.shared = zeroed(l->shared_bytes);
    b->memory.shadow = shadow_new(l);
    b->memory.l1 = l1_new(l);
    b->memory.print = zeroed(sizeof *b->memory.print);
    int written = (l->checks & CHECK_WRITTEN) != 0;
    for (uint32_t k = 0; k < l->warps; k++) {
        struct warp *w = &b->warp[k];
        w->plan = plan;
        w->ops = l->program->op;
        w->tally = b->tally;
        w->pattern = worker->pattern;
        w->rows = zeroed(plan->file_bytes);
        if (HOSTILE_BUILD) memset(w->rows, HOSTILE_BYTE, plan->file_bytes);
        w->undef = zeroed(plan->nregs * sizeof *w->undef);
        w->undefined = zeroed(plan->nregs * sizeof *w->undefined);
        w->memory.id = k;
        w->memory.local = zeroed((size_t)l->local_bytes * WARP_LANES);
        w->memory.local_valid = written ? zeroed((size_t)l->local_bytes * WARP_LANES) : NULL;
        w->block = b;
        fill_constant_rows(g, w);
    }
    return b;
}

static void free_frames(struct warp *w)
{
    while (w->free_frames) {
        struct frame *f = w->free_frames;
        w->free_frames = f->parent;
        free(f->saved);
        free(f);
    }
}

void block_free(struct block *b)
{
    if (!b) return;
    poll_forget(b);
    for (uint32_t k = 0; k < b->nwarps; k++) {
        struct warp *w = &b->warp[k];
        warp_abandon(w);
        free_frames(w);
        poll_free(w);
        free(w->rows);
        free(w->undef);
        for (uint32_t r = 0; r < w->plan->nregs; r++) free(w->undefined[r]);
        free(w->undefined);
        free(w->memory.local);
        free(w->memory.local_valid);
        origin_free(&w->memory);
    }
    shadow_free(b->memory.shadow);
    l1_free(b->memory.l1);
    l1_log_free(&b->memory.sectors);
    waits_free(b->memory.waits);
    text_free(b->memory.print);
    free(b->memory.print);
    free(b->memory.shared);
    free(b->tally);
    free(b->order);
    free(b->warp);
    free(b);
}

void block_begin(struct block *b, uint64_t linear, uint64_t start)
{
    const struct sim_launch *l = b->memory.worker->launch;
    const uint32_t *grid = l->request->grid;
    b->memory.linear = linear;
    b->memory.index[0] = (uint32_t)(linear % grid[0]);
    b->memory.index[1] = (uint32_t)(linear / grid[0] % grid[1]);
    b->memory.index[2] = (uint32_t)(linear / grid[0] / grid[1]);
    b->memory.extra_work = b->memory.clearing = 0;
    block_memory_begin(&b->memory);
    waits_begin_block(&b->memory, start);
    poll_forget(b);
    memset(b->barrier, 0, sizeof b->barrier);
    b->open = 0;
    b->live_warps = b->nwarps;
    b->executed = b->charged = b->clock = 0;
    b->stopped = b->changed = 0;
    b->turn = 0;
    struct prng p = prng_stream(l->request->schedule_seed + linear, "warps");
    uint32_t apart = l->request->apart, backwards = apart == APART_WARPS_BACKWARDS || apart == APART_LANES_BACKWARDS;
    for (uint32_t k = 0; k < b->nwarps; k++) b->order[k] = backwards ? b->nwarps - 1 - k : k;
    if (!apart && (l->request->schedule_seed || HOSTILE_BUILD)) prng_shuffle(&p, b->order, b->nwarps);
    const struct plan_func *entry = &l->program->plan->func[l->program->entry];
    for (uint32_t k = 0; k < b->nwarps; k++) {
        struct warp *w = &b->warp[k];
        uint32_t first = k * WARP_LANES, lanes = l->threads - first < WARP_LANES ? l->threads - first : WARP_LANES;
        warp_abandon(w);
        warp_begin(w, b, k, lanes == WARP_LANES ? ALL_LANES : (1u << lanes) - 1);
        if (l->request->schedule_seed && l->request->jitter) warp_jitter(w, prng_u64(&p));
        if (apart >= APART_LANES) warp_separate(w, backwards);
        fill_block_rows(l, b, w);
        undef_enter(w, entry, 0, w->initial);
    }
}

struct sim_path block_path(const struct block *b)
{
    struct sim_path path = {0};
    for (uint32_t k = 0; k < b->nwarps; k++) waits_longer(&path, waits_path(&b->warp[k].memory, UINT32_MAX));
    return path;
}

// Stops the block with a finding if the launch has used up its budget of instructions. The finding names the source
// line of the latest backward branch of warp w, because the loop at this branch may be endless.
static void check_budget(struct block *b, struct warp *w)
{
    if (b->executed < b->budget || b->stopped || !b->live_warps) return;
    uint32_t lane = w->nsplits ? (uint32_t)__builtin_ctz(w->split[0].mask) : 0;
    warp_fault(w, FINDING_too_long, w->last_branch, lane, NULL, b->memory.worker->launch->budget);
}

enum block_state block_run(struct block *b, uint64_t fuel)
{
    const struct sim_launch *l = b->memory.worker->launch;
    uint64_t end = b->executed + fuel, quantum = fuel < WARP_QUANTUM ? fuel : WARP_QUANTUM;
    if (l->request->cold && l->program->plan->takes_turns && quantum > TURN_OF_WARP) quantum = TURN_OF_WARP;
    if (l->request->apart) quantum = b->budget;
    poll_wake(b);
    check_budget(b, &b->warp[b->order[0]]);
    if (b->stopped) return BLOCK_STOPPED;
    while (b->live_warps) {
        uint64_t before = b->executed;
        int whole = b->turn == 0; // 1: this call runs all warps once, so the call can detect a deadlock
        int all_yielded = whole;
        for (; b->turn < b->nwarps; b->turn++) {
            struct warp *w = &b->warp[b->order[b->turn]];
            if (!w->memory.live) continue;
            uint64_t spent = warp_run(w, quantum);
            uint64_t extra = b->memory.extra_work + b->memory.clearing / CLEARED_AN_INSTRUCTION;
            b->executed += spent + extra;
            b->charged += extra;
            b->memory.extra_work = 0;
            b->memory.clearing %= CLEARED_AN_INSTRUCTION;
            all_yielded &= w->all_yielded || !spent;
            check_budget(b, w);
            if (b->stopped) return BLOCK_STOPPED;
            if (b->changed) barrier_check(b);
            if (b->watcher) b->watcher->waited(b->watcher, b);
            if (b->sleepers && spent) poll_wake(b);
            if (b->executed >= end) {
                b->turn++;
                return b->live_warps ? BLOCK_RUNNING : BLOCK_DONE;
            }
        }
        b->turn = 0;
        if (all_yielded && b->executed != before && b->live_warps) return BLOCK_RUNNING;
        if (!whole || b->executed != before || !b->live_warps) continue;
        if (b->sleepers) return BLOCK_ASLEEP;
        if (!barrier_deadlock(b)) return BLOCK_STOPPED;
    }
    return BLOCK_DONE;
}
