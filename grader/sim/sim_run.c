// Runs one launch and fills in its observation (sim_run.h). A launch that a CUDA driver would refuse is refused in this
// file; the observation names the limit that the launch exceeds.
#include "sim/sim_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/text.h"
#include "device/occupancy.h"
#include "device/profile.h"
#include "ptx/ptx.h"
#include "sim/core/layout.h"
#include "sim/core/region.h"
#include "sim/machine/grid.h"
#include "sim/observe.h"
#include "sim/timing/l2_lines.h"

#define BUDGET_DEFAULT ((uint64_t)256 << 20) // default limit of executed warp instructions

enum { STATIC_SHARED = 48 << 10 }; // bytes of static shared memory that ptxas accepts, on every device

static int check_shape(const struct device_profile *device, const struct engine_launch *q, const struct ptx_func *f,
                       const struct shared_layout *shared, struct observation *o)
{
    static const uint32_t grid_most[3] = {0x7fffffff, 65535, 65535}, block_most[3] = {1024, 1024, 64};
    const uint32_t *block = q->block, *grid = q->grid;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2], most = (uint64_t)device->threads_per_block;
    if (most > BLOCK_THREADS_MAX) most = BLOCK_THREADS_MAX;
    for (int i = 0; i < 3; i++) {
        if (!block[i]) return observation_refuse(o, REFUSAL_no_threads, block[0], block[1], block[2]);
        if (!grid[i]) return observation_refuse(o, REFUSAL_no_blocks, grid[0], grid[1], grid[2]);
        if (grid[i] > grid_most[i]) return observation_refuse(o, REFUSAL_grid_shape, grid[0], grid[1], grid[2]);
        if (block[i] > block_most[i]) return observation_refuse(o, REFUSAL_block_shape, block[0], block[1], block[2]);
    }
    if (threads > most) return observation_refuse(o, REFUSAL_block_size, threads, most, 0);
    uint64_t bound = 1, required = 1;
    for (int i = 0; i < 3; i++) {
        bound *= f->maxntid[i] ? f->maxntid[i] : 1;
        required *= f->reqntid[i] ? f->reqntid[i] : 1;
    }
    if (f->maxntid[0] && threads > bound) return observation_refuse(o, REFUSAL_block_bounds, threads, bound, 0);
    if (f->reqntid[0] && threads != required) return observation_refuse(o, REFUSAL_block_needed, threads, required, 0);
    uint64_t bytes = q->shared > shared->charged_bytes ? q->shared : shared->charged_bytes;
    if (bytes > (uint64_t)device->shared_per_block)
        return observation_refuse(o, REFUSAL_shared, bytes, (uint64_t)device->shared_per_block, 0);
    uint64_t fixed = shared->charged_bytes - shared->dynamic_bytes;
    if (fixed > STATIC_SHARED) return observation_refuse(o, REFUSAL_static_shared, fixed, STATIC_SHARED, 0);
    uint64_t xy = (uint64_t)grid[0] * grid[1];
    if (xy > UINT64_MAX / grid[2] || xy * grid[2] > (uint64_t)1 << 40)
        return observation_refuse(o, REFUSAL_grid_size, 0, 0, 0);
    return 0;
}

uint32_t sim_run_registers(const struct device_profile *d, const struct sim_program *p, uint32_t threads)
{
    uint32_t warps = (threads + WARP_LANES - 1) / WARP_LANES, granule = (uint32_t)d->register_granularity / WARP_LANES;
    uint32_t most = (uint32_t)d->registers_per_sm / (warps * WARP_LANES) / granule * granule;
    if (most > d->registers_per_thread) most = (uint32_t)d->registers_per_thread;
    if (p->module->func[p->entry].registers || p->registers <= most) return p->registers;
    return most;
}

static int refused(const struct sim_run *r, struct shared_layout *shared, struct arena *arena, struct observation *o)
{
    const struct engine_launch *q = r->request;
    const struct sim_program *p = r->program;
    if (q->shared <= r->device->shared_per_block) *shared = layout_shared(p->module, p->entry, q->shared, arena);
    if (check_shape(r->device, q, &p->module->func[p->entry], shared, o)) return -1;
    uint32_t threads = q->block[0] * q->block[1] * q->block[2];
    uint32_t registers = sim_run_registers(r->device, p, threads);
    struct occupancy occupancy = occupancy_of(r->device, threads, registers, shared->charged_bytes);
    if (!occupancy.blocks) return observation_refuse(o, REFUSAL_no_room, registers, shared->charged_bytes, 0);
    o->registers = registers;
    o->shared_bytes = shared->charged_bytes;
    o->local_bytes = p->local_bytes;
    o->spilled_bytes = p->spilled_bytes;
    o->blocks_per_sm = occupancy.blocks;
    o->occupancy_permille = occupancy.permille;
    o->occupancy_limit = occupancy.limit;
    return 0;
}

int sim_run_refused(const struct sim_run *r, struct observation *o)
{
    struct arena arena = {0};
    struct shared_layout shared = {0};
    memset(o, 0, sizeof *o);
    int is_refused = refused(r, &shared, &arena, o) != 0;
    if (is_refused) o->status = OBSERVED_BAD_LAUNCH;
    arena_free(&arena);
    return is_refused;
}

// Returns the number of blocks that a multiprocessor has room for if all but one warp of each block have ended. The
// warp slots of ended warps are free for other blocks, but a block keeps its shared memory and its registers until its
// last warp ends. The rule that a block keeps its registers comes from measurements on an H200, with 12 combinations of
// 64 to 1024 threads a block and 32, 56 or 128 registers a thread. In each measured block, all warps but one ended
// early. For 9 of the 12 combinations of threads and registers, no multiprocessor ever held more blocks than its
// registers allow for whole blocks. For the other 3 combinations of threads and registers, some multiprocessors held
// more blocks, at most twice as many.
static uint32_t places_per_sm(const struct sim_run *r, const struct observation *o, uint32_t threads)
{
    struct occupancy all = occupancy_of(r->device, threads, o->registers, o->shared_bytes);
    uint32_t places = all.by[LIMIT_BLOCKS];
    if (all.by[LIMIT_SHARED] < places) places = all.by[LIMIT_SHARED];
    if (all.by[LIMIT_REGISTERS] < places) places = all.by[LIMIT_REGISTERS];
    return places;
}

static void prepare(const struct sim_run *r, const struct shared_layout *shared, struct grid *g,
                    const struct observation *o)
{
    const struct engine_launch *q = r->request;
    uint32_t threads = q->block[0] * q->block[1] * q->block[2];
    memcpy(g->params, r->params, r->program->plan->param_bytes);
    g->launch = (struct sim_launch){.request = q,
                                    .params = g->params,
                                    .param_bytes = r->program->plan->param_bytes,
                                    .device = r->device,
                                    .program = r->program,
                                    .memory = r->memory,
                                    .checks = q->checks,
                                    .threads = threads,
                                    .warps = (threads + WARP_LANES - 1) / WARP_LANES,
                                    .budget = q->budget ? q->budget : BUDGET_DEFAULT,
                                    .nops = r->program->nops,
                                    .blocks = (uint64_t)q->grid[0] * q->grid[1] * q->grid[2],
                                    .blocks_per_sm = o->blocks_per_sm,
                                    .places_per_sm = places_per_sm(r, o, threads),
                                    .shared_bytes = shared->placed_bytes,
                                    .local_bytes = r->program->local_bytes};
    g->threads = r->threads;
    g->workspace = r->workspace;
    g->print_bytes = r->print_bytes;
    g->memo = r->memo;
    g->watcher = r->watcher;
}

void sim_run(const struct sim_run *r, struct observation *o)
{
    struct grid *g = alloc_zeroed(1, sizeof *g);
    struct arena arena = {0};
    struct shared_layout shared = {0};
    memset(o, 0, sizeof *o);
    if (refused(r, &shared, &arena, o)) {
        o->status = OBSERVED_BAD_LAUNCH;
    } else {
        struct l2_lines *own = r->request->cold && !r->lines ? l2_lines_new(r->device) : NULL;
        prepare(r, &shared, g, o);
        g->lines = own ? own : r->lines;
        grid_run(g);
        observe_grid(g, o);
        l2_lines_free(own);
        if (r->print && g->print->length) text_add(r->print, g->print->data, g->print->length);
    }
    grid_free(g);
    arena_free(&arena);
    free(g);
}
