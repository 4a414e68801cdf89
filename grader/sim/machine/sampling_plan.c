// Chooses which blocks of a launch the simulator runs. A short launch runs all its blocks, and a long launch runs a
// sample of its blocks. The sample of blocks depends only on the launch and on the judge's secret sample_key.
//
// To measure the cost of a block, the grid's first block and the block in its middle are run alone. If the requested
// sample has fewer blocks than the grid, single blocks at the grid's borders are run alone as well, and their counters
// are compared. The grid is divided into strata, groups of blocks with equal counters (timing/stratum.h). The sample of
// a stratum (blocks with equal counters) consists of short sequences of consecutive blocks, one sequence in each of
// equal parts of the stratum. The judge's secret sample_key decides where in its part a sequence lies, so that a kernel
// cannot know which of its blocks are run. The sum of the counters of a stratum's sampled blocks is scaled to the
// number of all blocks of the stratum (group of blocks). If the blocks of a kernel observe each other, for example by
// polling, all blocks run.
//
// Blocks that end early may lie anywhere in the grid, and a small sample may contain none of them. Before a small
// sample with caches, all blocks are therefore begun and run for a short while. Those that end within a sixteenth of an
// ordinary block's instructions form a stratum of their own, and all of them run. A kernel that leaves out a few of its
// blocks has then written less than all outputs, whichever blocks the key chose.
#include "sim/machine/sampling_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/prng.h"
#include "engine/observation.h"
#include "sim/core/launch.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"
#include "sim/machine/memory.h"
#include "sim/timing/l1.h"
#include "sim/timing/trace.h"

enum {
    WEIGHED_LEAST = 12,   // smallest limit of the blocks that are run alone for each dimension of the grid
    WEIGHED_MOST = 64,    // largest limit of these blocks
    DEAR = 4,             // a block is dear if it costs more than this multiple of the sample
    FEW = 1000,           // a sample of fewer blocks may miss blocks that end early
    BEGUN_MOST = 1 << 14, // largest number of blocks that are begun to find them
    BEGUN_INST = 1 << 21, // warp instructions of all of them together
    EARLY = 16,           // they end within this part of an ordinary block's instructions
    ORDER_MAX = 1 << 24,  // largest number of blocks that a seed shuffles
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
    c->exact = 1;
    c->share[0] = (struct stratum_sample){.run = n, .blocks = n, .to_l2 = 1};
    if (!c->launch->request->schedule_seed || n > ORDER_MAX) return;
    c->order = new_order(n);
    for (uint64_t k = 0; k < n; k++) c->order[k] = (uint32_t)k;
    struct prng p = prng_stream(c->launch->request->schedule_seed, "blocks");
    prng_shuffle(&p, c->order, (uint32_t)n);
}

// ---------------------------------------------------------------- cost and common data of blocks

static uint64_t at_least_one(uint64_t n)
{
    return n ? n : 1;
}

static uint64_t middle_block(const uint32_t grid[3])
{
    return ((uint64_t)(grid[2] / 2) * grid[1] + grid[1] / 2) * grid[0] + grid[0] / 2;
}

// Remembers the blocks that were weighed, because the lines through the grid have blocks in common.
struct scale {
    struct sampling_plan *plan;
    struct weight {
        uint64_t block;
        struct counters sum;
    } * known;
    size_t count, capacity;
};

static void remember(struct scale *s, uint64_t block, const struct counters *sum)
{
    ALLOC_GROW(s->known, s->capacity, s->count + 1);
    s->known[s->count++] = (struct weight){block, *sum};
}

// Implements stratum_probe.weigh: runs only one block of the launch and adds its counters to `sum`. Returns 0, or -1 if
// a finding ended the run of the block.
static int weigh(void *scale, uint64_t block, struct counters *sum)
{
    struct scale *s = scale;
    struct probe t = {0};
    for (size_t k = 0; k < s->count; k++) {
        if (s->known[k].block != block) continue;
        counters_add(sum, &s->known[k].sum);
        return 0;
    }
    if (s->plan->run(s->plan->data, block, &t)) return -1;
    remember(s, block, &t.sum);
    counters_add(sum, &t.sum);
    return 0;
}

// Returns the share of data that block 0 and another block have in common, in permille of the data of one block.
// `alone` is the number of sectors counted when block 0 runs alone. `together` is the number of sectors counted when
// block 0 and the other block run together. Assumes that the block that runs together with block 0 would need as many
// sectors as block 0 if it ran alone.
static uint32_t common_part(uint64_t alone, uint64_t together)
{
    if (!alone || together >= 2 * alone) return 0;
    return together < alone ? 1000 : (uint32_t)((2 * alone - together) * 1000 / alone);
}

// Runs block b, and counts the traffic of block 0, whose requests are in `log`, and block b together. Returns 1, or 0
// if b is 0, if the grid has no block b, or if the run of block b failed.
static int with(struct sampling_plan *c, struct sector_log *log, uint64_t b, struct probe_traffic *t)
{
    struct sector_log other = {0};
    struct probe p = {.log = &other};
    int ran = b && b < c->launch->blocks && !c->run(c->data, b, &p);
    if (ran) *t = c->traffic(c->data, (struct sector_log *const[]){log, &other}, 2);
    l1_log_free(&other);
    return ran;
}

static void compare_with_block(struct sampling_plan *c, struct sector_log *log, struct merging *merging)
{
    enum { APART = 3 }; // the distant block is one third of the row or column away
    const uint32_t *grid = c->launch->request->grid;
    struct probe_traffic alone = c->traffic(c->data, &log, 1), t;
    if (grid[0] > 1 && with(c, log, at_least_one(grid[0] / APART), &t) && t.fetched >= alone.fetched)
        merging->row = common_part(alone.fetched, t.fetched);
    if (grid[1] > 1 && with(c, log, grid[0] * at_least_one(grid[1] / APART), &t) && t.fetched >= alone.fetched)
        merging->column = common_part(alone.fetched, t.fetched);
    if (!alone.partial) return;
    uint64_t resident = (uint64_t)c->launch->device->sms * at_least_one(c->launch->blocks_per_sm);
    if (with(c, log, 1, &t)) merging->stored = common_part(alone.partial, t.partial);
    if (merging->stored < 1000 && grid[1] > 1 && grid[0] < resident && with(c, log, grid[0], &t)) {
        uint32_t column = common_part(alone.partial, t.partial);
        if (column > merging->stored) merging->stored = column;
    }
}

// Measures how much data the blocks of the grid share. To find out which data blocks have in common, find_common()
// compares block 0 with distant blocks in its row and column of the grid. If a block stores only a part of a sector, a
// neighbouring block may store the other part. To measure how many sectors neighbouring blocks store together,
// find_common() compares block 0 with its neighbours in the grid.
static void find_common(struct sampling_plan *c, struct merging *merging)
{
    struct sector_log log = {0};
    struct probe first = {.log = &log};
    if (c->launch->blocks <= UINT32_MAX && !c->run(c->data, 0, &first)) compare_with_block(c, &log, merging);
    l1_log_free(&log);
}

// ---------------------------------------------------------------- the sample

// Chooses about `want` blocks of stratum p (blocks with equal counters), in sequences of consecutive blocks that are
// spread evenly over the stratum. Appends the blocks that sample_stratum() chooses to the plan's order of blocks, from
// position `first` on. Returns the sample of stratum p. Blocks that end early (early[block] is 1; NULL: none does) do
// not belong to the sample.
static struct stratum_sample sample_stratum(struct sampling_plan *c, const struct stratum *p, uint64_t want,
                                            uint64_t first, const uint8_t *early)
{
    const uint32_t *grid = c->launch->request->grid;
    uint64_t size = stratum_blocks(p), length = want < SAMPLING_LEAST ? 1 : SAMPLING_LEAST, groups = size / length;
    uint64_t runs = (want + length - 1) / length, n = first;
    if (runs >= groups) runs = groups = 1, length = size;
    for (uint64_t k = 0; k < runs; k++) {
        uint64_t first_group = k * groups / runs, end = (k + 1) * groups / runs;
        uint64_t group = first_group + trace_choose(c->launch, "sampled", first + k, end - first_group);
        for (uint64_t i = 0; i < length; i++) {
            uint64_t block = stratum_block(p, grid, group * length + i);
            if (!early || !early[block]) c->order[n++] = (uint32_t)block;
        }
    }
    struct stratum_sample s = {.first = first, .run = n - first, .blocks = size};
    for (uint64_t i = 0; early && i < size; i++) {
        uint64_t block = stratum_block(p, grid, i);
        s.blocks -= early[block];
        if (!s.run && !early[block]) c->order[first] = (uint32_t)block, s.run = 1;
    }
    return s;
}

// Returns an array that says which blocks of the grid end early, or NULL if none does or none was begun. `want` is the
// number of blocks of the sample. The caller frees the array.
static uint8_t *find_early(struct sampling_plan *c, uint64_t cost, uint64_t want)
{
    uint64_t all = c->launch->blocks, fuel = BEGUN_INST / all, early = 0;
    if (!c->caches || want >= FEW || all > BEGUN_MOST) return NULL;
    if (fuel > cost / EARLY) fuel = cost / EARLY;
    uint8_t *ended = alloc_zeroed(all, 1);
    c->begin(c->data, fuel, ended);
    for (uint64_t k = 0; k < all; k++) early += ended[k];
    if (early && early < all) return ended;
    free(ended);
    return NULL;
}

// Samples each stratum of the grid (blocks with equal counters) in proportion to its size, with at least one block.
// `want` is the number of blocks of the whole sample. A small stratum (group of blocks) whose proportional number of
// blocks rounds down to 0 is sampled with one block, which the L2 model skips. The L2 model never skips the sampled
// blocks of the largest stratum (group of blocks).
static void sample_strata(struct sampling_plan *c, const struct strata *strata, uint64_t want, const uint8_t *early)
{
    uint64_t all = c->launch->blocks, first = 0;
    free(c->order);
    c->order = new_order(all);
    c->shares = 0;
    c->exact = strata->exact;
    for (uint32_t k = 0; k < strata->count; k++) {
        uint64_t here = want * stratum_blocks(&strata->stratum[k]) / all;
        struct stratum_sample *s = &c->share[c->shares++];
        *s = sample_stratum(c, &strata->stratum[k], here ? here : 1, first, early);
        s->to_l2 = !k || here;
        first += s->run;
        if (!s->run) c->shares--; // all of its blocks end early
    }
    if (!early) return;
    struct stratum_sample *s = &c->share[c->shares++];
    *s = (struct stratum_sample){.first = first};
    for (uint64_t k = 0; k < all; k++)
        if (early[k]) c->order[first + s->run++] = (uint32_t)k;
    s->blocks = s->run;
}

// Returns how many single blocks may be run, for each dimension of the grid, to divide the grid into strata (groups of
// blocks with equal counters). `want` is the number of blocks of the whole sample.
static uint32_t weighed(uint64_t want)
{
    if (want / 4 <= WEIGHED_LEAST) return WEIGHED_LEAST;
    return want / 4 > WEIGHED_MOST ? WEIGHED_MOST : (uint32_t)(want / 4);
}

// Returns 1 if the memo describes the same launch, that is, the same kernel, shape and arguments.
static int is_known(const struct sampling_memo *memo, const struct sampling_memo *now)
{
    return memo && memo->program == now->program && !memcmp(memo->grid, now->grid, sizeof now->grid) &&
           !memcmp(memo->block, now->block, sizeof now->block) && memo->shared == now->shared &&
           memo->params == now->params;
}

// Returns 1 if a block is so dear that the blocks of the grid were not compared: the sample then has SAMPLING_LEAST
// blocks, because they may differ.
static int is_dear(const struct sampling_memo *memo, const struct engine_launch *q)
{
    return memo->cost > DEAR * q->sample_inst;
}

// Weighs the grid's first block and the block in its middle, of which one may have nothing to do, and divides the grid
// into strata if single blocks are cheap enough for that.
static void weigh_blocks(struct sampling_plan *c, struct sampling_memo *now)
{
    const struct sim_launch *l = c->launch;
    struct scale scale = {.plan = c};
    const uint64_t block[2] = {0, middle_block(now->grid)};
    int failed = 0;
    for (int i = 0; i < 2; i++) {
        struct probe t = {0};
        failed |= c->run(c->data, block[i], &t);
        now->cost += t.executed;
        remember(&scale, block[i], &t.sum);
    }
    now->cost = at_least_one(now->cost / 2);
    uint64_t want = l->request->sample_inst / now->cost + 1;
    if (!failed && want < l->blocks && !is_dear(now, l->request) && l->blocks <= UINT32_MAX)
        stratum_find(&now->strata, now->grid,
                     &(struct stratum_probe){.weigh = weigh, .data = &scale, .most = weighed(want)});
    free(scale.known);
}

void sampling_plan_sample(struct sampling_plan *c, struct merging *merging)
{
    const struct sim_launch *l = c->launch;
    const struct engine_launch *q = l->request;
    struct sampling_memo now = {.program = l->program,
                                .grid = {q->grid[0], q->grid[1], q->grid[2]},
                                .block = {q->block[0], q->block[1], q->block[2]},
                                .shared = q->shared,
                                .params = hash_bytes(l->params, l->param_bytes, 0),
                                .strata = {.count = 1, .stratum = {{.extent = {q->grid[0], q->grid[1], q->grid[2]}}}}};
    if (is_known(c->memo, &now))
        now = *c->memo;
    else if (!l->program->plan->order_sensitive)
        weigh_blocks(c, &now);
    if (c->memo) *c->memo = now;
    if (l->program->plan->order_sensitive) return;
    if (c->caches && !is_dear(&now, q)) find_common(c, merging);
    uint64_t want = q->sample_inst / now.cost + 1;
    // The time comes from slices of the recorded blocks' executions. Records of fewer blocks depend on the key: with
    // four blocks, a tiled product took 1.6 times as long with one key as with another.
    if (c->caches && want < SAMPLING_LEAST) want = SAMPLING_LEAST;
    // Without caches, nothing is scaled to the whole grid, so a few dear blocks need not represent each stratum.
    if (!c->caches && want < now.strata.count) now.strata.count = (uint32_t)want;
    int is_sample = want < l->blocks && l->blocks <= UINT32_MAX;
    uint8_t *early = is_sample ? find_early(c, now.cost, want) : NULL;
    sim_memory_forget(l->memory);
    sim_memory_restore(l->memory);
    if (is_sample) sample_strata(c, &now.strata, want, early);
    free(early);
}

void sampling_plan_free(struct sampling_plan *c)
{
    free(c->order);
}
