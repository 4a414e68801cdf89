// Chooses the blocks of a launch that are run: all blocks, or, in a long launch, a sample that depends on the launch
// alone.
//
// A few blocks are run first, each by itself, to learn the cost of a block. If the requested sample has fewer blocks
// than the grid, single blocks at the grid's borders and in its middle are run to compare their counters. The grid is
// divided into strata of blocks with equal counters (timing/stratum.h). Each stratum is sampled by runs of neighbouring
// blocks, spread evenly over it, and its counters are scaled to the blocks of the stratum. Kernels whose blocks observe
// each other are sampled from the grid's first block on.
#include "sim/machine/sampling_plan.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/prng.h"
#include "engine/observation.h"
#include "sim/core/launch.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"
#include "sim/machine/memory.h"

enum {
    WEIGHED_LEAST = 12,  // blocks that may be run by themselves for each dimension of a grid that is sampled:
    WEIGHED_MOST = 64,   // at least, and at most
    ORDER_MAX = 1 << 24, // blocks that a seed can shuffle
};

static uint32_t *new_order(uint64_t blocks)
{
    uint32_t *order = alloc_array(blocks, sizeof *order);
    return order;
}

void sampling_plan_all(struct sampling_plan *c)
{
    uint64_t n = c->launch->blocks;
    c->shares = 1;
    c->share[0] = (struct stratum_sample){.run = n, .blocks = n, .to_l2 = 1};
    if (!c->launch->request->schedule_seed || n > ORDER_MAX) return;
    c->order = new_order(n);
    for (uint64_t k = 0; k < n; k++) c->order[k] = (uint32_t)k;
    struct prng p = prng_stream(c->launch->request->schedule_seed, "blocks");
    prng_shuffle(&p, c->order, (uint32_t)n);
}

// ---------------------------------------------------------------- what blocks cost, and what they have in common

static uint64_t at_least_one(uint64_t n)
{
    return n ? n : 1;
}

// What the grid's first blocks do.
static struct probe_result probe(struct sampling_plan *c)
{
    uint64_t all = c->launch->blocks;
    struct probe_result t;
    while (c->run(c->data, NULL, all < SAMPLING_LEAST ? (uint32_t)all : SAMPLING_LEAST, &t))
        sim_memory_restore(c->launch->memory);
    return t;
}

// 0; -1: that did not work.
static int run_these(struct sampling_plan *c, const uint32_t *block, uint32_t count, struct probe_result *t)
{
    return c->run(c->data, block, count, t) || t->stopped ? -1 : 0;
}

static int weigh(void *choice, uint64_t block, struct counters *sum)
{
    struct sampling_plan *c = choice;
    struct probe_result t;
    int unknown = run_these(c, &(uint32_t){(uint32_t)block}, 1, &t);
    for (uint32_t k = 0; k < c->launch->nops; k++) counters_add(sum, &t.op[k]);
    return unknown;
}

// Permille of what block 0 alone does that it has in common with another, which does as much.
static uint32_t common_part(uint64_t alone, uint64_t together)
{
    if (!alone || together >= 2 * alone) return 0;
    return together < alone ? 1000 : (uint32_t)((2 * alone - together) * 1000 / alone);
}

// What block 0 does together with block b; 0: there is no such block, or it does not work.
static int with(struct sampling_plan *c, uint64_t b, struct probe_result *t)
{
    return b && b < c->launch->blocks && !run_these(c, (const uint32_t[]){0, (uint32_t)b}, 2, t);
}

// What blocks that are not next to each other load both, and what neighbours both store.
static void find_common(struct sampling_plan *c, struct merging *merging)
{
    enum { APART = 3 }; // a third of the row, or of the column
    const uint32_t *grid = c->launch->request->grid;
    struct probe_result alone, t;
    if (c->launch->blocks > UINT32_MAX || run_these(c, &(uint32_t){0}, 1, &alone)) return;
    if (grid[0] > 1 && with(c, at_least_one(grid[0] / APART), &t) && t.fetched >= alone.fetched)
        merging->row = common_part(alone.fetched, t.fetched);
    if (grid[1] > 1 && with(c, grid[0] * at_least_one(grid[1] / APART), &t) && t.fetched >= alone.fetched)
        merging->column = common_part(alone.fetched, t.fetched);
    if (!alone.partial) return;
    uint64_t resident = (uint64_t)c->launch->device->sms * at_least_one(c->launch->blocks_per_sm);
    if (with(c, 1, &t)) merging->stored = common_part(alone.partial, t.partial);
    if (merging->stored < 1000 && grid[1] > 1 && grid[0] < resident && with(c, grid[0], &t)) {
        uint32_t column = common_part(alone.partial, t.partial);
        if (column > merging->stored) merging->stored = column;
    }
}

// ---------------------------------------------------------------- the sample

// Runs of neighbouring blocks, spread evenly over the part: about `want` of them, from position `first` on.
static struct stratum_sample sample_stratum(struct sampling_plan *c, const struct stratum *p, uint64_t want,
                                            uint64_t first)
{
    const uint32_t *grid = c->launch->request->grid;
    uint64_t size = stratum_blocks(p), length = want < SAMPLING_LEAST ? 1 : SAMPLING_LEAST, groups = size / length;
    uint64_t runs = (want + length - 1) / length, n = first;
    if (runs >= groups) runs = groups = 1, length = size;
    for (uint64_t k = 0; k < runs; k++)
        for (uint64_t i = 0; i < length; i++)
            c->order[n++] = (uint32_t)stratum_block(p, grid, k * groups / runs * length + i);
    return (struct stratum_sample){.first = first, .run = n - first, .blocks = size};
}

// Some blocks of each of the grid's parts, by the part's size, but at least one, which the L2 does not see where it is
// more than the part's share.
static void sample_strata(struct sampling_plan *c, const struct strata *strata, uint64_t want)
{
    uint64_t all = c->launch->blocks, first = 0;
    free(c->order);
    c->order = new_order(all);
    c->shares = 0;
    for (uint32_t k = 0; k < strata->count; k++) {
        uint64_t here = want * stratum_blocks(&strata->stratum[k]) / all;
        struct stratum_sample *s = &c->share[c->shares++];
        *s = sample_stratum(c, &strata->stratum[k], here ? here : 1, first);
        s->to_l2 = !k || here;
        first += s->run;
    }
}

// Blocks that may be run by themselves to find the parts of which `want` will be sampled.
static uint32_t weighed(uint64_t want)
{
    if (want / 4 <= WEIGHED_LEAST) return WEIGHED_LEAST;
    return want / 4 > WEIGHED_MOST ? WEIGHED_MOST : (uint32_t)(want / 4);
}

void sampling_plan_sample(struct sampling_plan *c, struct merging *merging)
{
    const struct sim_launch *l = c->launch;
    const uint32_t *grid = l->request->grid;
    struct strata strata = {.count = 1, .stratum = {{.extent = {grid[0], grid[1], grid[2]}}}};
    struct probe_result first = probe(c);
    uint64_t cost = first.executed / at_least_one(first.blocks);
    uint64_t want = l->request->sample_inst / at_least_one(cost) + 1;
    if (want < SAMPLING_LEAST) want = SAMPLING_LEAST;
    int all = want >= l->blocks || l->blocks > UINT32_MAX, in_order = l->program->plan->order_sensitive;
    int dear = cost > l->request->sample_inst; // one block is a whole sample's worth: no more are run to compare them
    if (!all && !dear && !in_order)
        stratum_find(&strata, grid, &(struct stratum_probe){.weigh = weigh, .data = c, .most = weighed(want)});
    if (!dear && !in_order && first.l2) find_common(c, merging);
    sim_memory_forget(l->memory);
    sim_memory_restore(l->memory);
    if (all) return;
    if (in_order)
        c->share[0].run = want;
    else
        sample_strata(c, &strata, want);
}

void sampling_plan_free(struct sampling_plan *c)
{
    free(c->order);
}
