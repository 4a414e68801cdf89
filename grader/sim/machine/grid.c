// Runs the blocks of a launch on host threads, and combines their results in a fixed order.
//
// Theory of operation. CUDA allows the blocks of a launch to run in any order, so the simulator may run blocks in
// parallel. The grader's report, however, must not depend on the number of host threads. The simulator runs the blocks
// of a launch either in parallel or interleaved.
//
// The file blocks.c runs the blocks of a launch in either way.
//
// The sequential run of a launch, in which one worker executes the blocks one after the other, defines the right
// results and decides whether the launch must run interleaved. If the sequential run has a conflict between blocks, the
// launch is repeated interleaved. If a finding in block b ends the sequential run, the blocks before b have run and the
// blocks after b have not. A run with several workers is equivalent to the sequential run if the parallel run has
// neither a conflict nor a finding that ends the launch. Without conflicts between blocks, every block executes the
// same instructions in the parallel run and in the sequential run. With a conflict between blocks, some block may have
// read a value that the sequential run never produces. After a parallel run with a conflict or with a finding that ends
// the launch, memory is restored and the results are discarded. After a parallel run is discarded, one worker runs the
// blocks again one after the other, and stops at the first conflict between blocks.
//
// The race check records reads of an array only if the launch also writes the array (race.h), which is not known before
// the launch runs. If a launch reads and writes an array whose reads the race check does not record, the simulator
// abandons the run of the launch. When the launch runs again from the same memory contents, the race check records the
// reads of each array that the abandoned run both read and wrote.
//
// A `struct block` serves one block after the other, and which blocks use the same structure depends on timing. To make
// results independent of timing, each block starts with zeros in shared memory, local memory and registers (undef.c),
// and with an empty L1. The random order of a block's warps depends only on the schedule seed and on the block's index.
#include "sim/machine/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "device/profile.h"
#include "sim/core/region.h"
#include "sim/hazard/finding_log.h"
#include "sim/machine/block.h"
#include "sim/machine/blocks.h"
#include "sim/machine/memory.h"
#include "sim/machine/sampling_plan.h"
#include "sim/timing/l1.h"
#include "sim/timing/l2.h"
#include "sim/timing/waits.h"

enum {
    LONGEST_RATIO = 2,       // a block that is longer than this multiple of the average is recorded
    REPEATED_MOST = 4 << 20, // largest launch, in warp instructions, that is repeated to record its longest block,
                             // unless the launch is sampled
    FENCED_MOST = 1 << 13,   // largest launch, in warp instructions, that is repeated, slowly, to find missing fences
};

static void forget_share(struct run *r)
{
    memset(r->op, 0, r->grid->launch.nops * sizeof *r->op);
    memset(r->taken, 0, r->grid->launch.nops * sizeof *r->taken);
    memset(r->ran, 0, r->grid->launch.nops * sizeof *r->ran);
    r->next = r->committed = 0;
    r->stop = UINT64_MAX;
}

// Returns the number of words in the buffers among the launch's arguments that were written completely, in buffers that
// the caller did not write as a whole. Returns 0 if the launch is not a timed sample, because nobody asks then.
static uint64_t written_words(const struct sim_launch *l)
{
    uint64_t words = 0;
    for (uint32_t k = 0; l->request->sample_inst && l->request->cold && k < l->request->nargs; k++)
        if (l->request->arg[k].kind == ARG_BUFFER) words += region_written_words(l->memory, l->request->arg[k].buffer);
    return words;
}

// Adds the counters of the current sample of blocks to the grid's counters, scaled to the number of blocks that the
// sample represents.
static void take_share(struct run *r)
{
    struct grid *g = r->grid;
    const struct stratum_sample *s = r->now;
    uint64_t run = g->stopped ? s->blocks : s->run, written = written_words(&g->launch);
    g->written += counter_scaled(written - r->written, s->blocks, run);
    r->written = written;
    for (uint32_t k = 0; k < g->launch.nops; k++) {
        counters_scale(&r->op[k], s->blocks, run);
        counters_add(&g->op[k], &r->op[k]);
        g->taken[k] += counter_scaled(r->taken[k], s->blocks, run);
        g->ran[k] += counter_scaled(r->ran[k], s->blocks, run);
    }
}

// Chooses the blocks that are recorded for the replay (trace.h). Divides the sequence of blocks in the first sample
// into TRACE_BLOCKS equal parts, and chooses one block of each part. If the launch is repeated to record its longest
// block, also chooses this block (r->longest).
static void record_blocks(struct run *r)
{
    const struct grid *g = r->grid;
    uint64_t block[TRACE_SLOTS];
    for (uint64_t k = 0; k < TRACE_BLOCKS; k++) {
        uint64_t first = k * r->blocks / TRACE_BLOCKS, end = (k + 1) * r->blocks / TRACE_BLOCKS;
        block[k] =
            first == end ? TRACE_NO_BLOCK : blocks_at(r, first + trace_choose(&g->launch, "recorded", k, end - first));
    }
    block[TRACE_LONGEST] = r->longest;
    trace_begin(&r->grid->trace, &g->launch, block);
}

static void start(struct run *r)
{
    struct grid *g = r->grid;
    memset(g->op, 0, g->launch.nops * sizeof *g->op);
    memset(g->taken, 0, g->launch.nops * sizeof *g->taken);
    memset(g->ran, 0, g->launch.nops * sizeof *g->ran);
    memset(g->loads, 0, g->launch.nops * sizeof *g->loads);
    r->now = r->share;
    r->blocks = r->share[0].run;
    forget_share(r);
    if (g->launch.request->cold) record_blocks(r);
    if (g->launch.request->cold) sample_begin(&g->samples, g->launch.program->plan->nmemory);
    memset(&g->l2_counters, 0, sizeof g->l2_counters);
    if (g->findings) finding_log_free(g->findings);
    g->findings = finding_log_new();
    g->print->length = 0;
    g->executed = g->charged = g->longest = g->clock = g->blocks_run = g->l2_blocks = g->written = 0;
    g->stopped = 0;
    g->path = g->longest_path = (struct sim_path){0};
    waits_free(g->launch.waits);
    g->launch.waits = r->turns && g->launch.request->cold ? waits_new() : NULL;
    l2_free(g->l2);
    g->l2 = l2_new(&g->launch, g->lines);
    sim_memory_begin(g->launch.memory, &g->launch, r->turns || g->launch.blocks == 1);
    if (g->watcher) g->watcher->start(g->watcher, &g->launch);
}

// Implements sampling_plan.run: runs one block of the launch alone, without checks. Returns 0, or -1 if a finding ended
// the run. If the block conflicts with no other block, it does the same here as in the launch.
static int probe_block(void *run, uint64_t block, struct probe *p)
{
    struct run *r = run;
    struct sim_launch *l = &r->grid->launch;
    const struct stratum_sample alone = {.run = 1, .blocks = 1};
    const struct engine_launch *request = l->request;
    struct engine_launch quiet = *request;
    uint32_t checks = l->checks, index = (uint32_t)block;
    if (!p->log) quiet.cold = 0;
    l->request = &quiet;
    l->checks = 0;
    r->order = &index;
    r->share = &alone;
    r->log = p->log;
    start(r);
    blocks_run_parallel(r, 1);
    blocks_empty_window(r);
    r->log = NULL;
    l->request = request;
    l->checks = checks;
    p->executed = r->grid->executed;
    for (uint32_t k = 0; k < l->nops; k++) counters_add(&p->sum, &r->op[k]);
    return r->grid->stopped ? -1 : 0;
}

// Implements sampling_plan.begin, without checks and without caches.
static void begin_blocks(void *run, uint64_t fuel, uint8_t *ended)
{
    struct run *r = run;
    struct sim_launch *l = &r->grid->launch;
    const struct stratum_sample all = {.run = l->blocks, .blocks = l->blocks};
    const struct engine_launch *request = l->request;
    struct engine_launch quiet = *request;
    struct worker w = {0};
    uint32_t checks = l->checks;
    quiet.cold = 0;
    l->request = &quiet;
    l->checks = 0;
    r->order = NULL;
    r->share = &all;
    start(r);
    blocks_worker_open(&w, r);
    struct block *b = block_new(&w.base, r->grid);
    for (uint64_t k = 0; k < l->blocks; k++) {
        block_begin(b, k, 0);
        b->budget = UINT64_MAX;
        ended[k] = block_run(b, fuel) == BLOCK_DONE;
    }
    block_free(b);
    blocks_worker_close(&w);
    l->request = request;
    l->checks = checks;
}

// Implements sampling_plan.traffic.
static struct probe_traffic probe_l2(void *run, struct sector_log *const log[], uint32_t count)
{
    struct grid *g = ((struct run *)run)->grid;
    struct l2 *l2 = l2_new(&g->launch, g->lines);
    struct counters c = {0};
    struct probe_traffic t = {0};
    memset(g->loads, 0, g->launch.nops * sizeof *g->loads);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t requests = log[k]->count;
        l2_commit(l2, k, log[k], &c, g->loads);
        log[k]->count = requests;
    }
    for (uint32_t k = 0; k < g->launch.nops; k++) t.fetched += g->loads[k].fetched;
    t.partial = c.l2_partial_sectors ? l2_partial(l2).sectors : 0;
    l2_free(l2);
    return t;
}

// Returns the total size in bytes of the buffers among the launch's arguments.
static uint64_t buffer_bytes(const struct sim_launch *l)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < l->request->nargs; k++)
        if (l->request->arg[k].kind == ARG_BUFFER) bytes += region_buffer_bytes(l->memory, l->request->arg[k].buffer);
    return bytes;
}

// Runs all samples of blocks in the sampling plan once, either in parallel on up to `threads` worker threads or
// interleaved.
static void run_shares(struct run *r, uint32_t threads)
{
    struct grid *g = r->grid;
    start(r);
    r->written = written_words(&g->launch);
    if (g->l2 && r->share[0].run < r->share[0].blocks) l2_sample(g->l2, buffer_bytes(&g->launch), g->merging.stored);
    for (uint32_t k = 0; k < r->shares && !g->stopped; k++) {
        r->now = &r->share[k];
        r->blocks = r->now->run;
        forget_share(r);
        if (r->turns)
            blocks_run_interleaved(r);
        else
            blocks_run_parallel(r, threads);
        if (blocks_given_up(r)) break;
        take_share(r);
    }
}

// Runs the launch, and repeats it until a run is valid if there is a snapshot of memory. Restores memory from the
// snapshot before each repetition of the launch. If a run with several workers has a conflict between blocks or a
// finding that ends the launch, one worker runs the blocks one after the other. If a run with one worker has a conflict
// between blocks, the blocks are run interleaved.
static void run_all(struct run *r, int snapshot)
{
    struct grid *g = r->grid;
    for (uint32_t threads = g->watcher ? 1 : g->threads;;) {
        run_shares(r, threads);
        int conflict = sim_memory_conflict(g->launch.memory);
        if (!snapshot) break;
        if (!sim_memory_retry(g->launch.memory)) {
            if (r->turns || (!conflict && (!g->stopped || threads == 1))) break;
            r->turns = threads == 1;
            threads = 1;
            sim_memory_forget(g->launch.memory);
        }
        sim_memory_restore(g->launch.memory);
        blocks_empty_window(r);
    }
}

// Repeats the finished launch if its longest block is much longer than the average block and was not recorded. The
// launch takes at least the time of its longest block, and the replay can estimate this time only from a record of the
// block.
static void record_longest(struct run *r)
{
    struct grid *g = r->grid;
    if (!g->launch.request->cold || g->stopped || !g->blocks_run) return;
    if (!g->launch.request->sample_inst && g->executed > REPEATED_MOST) return;
    if (g->longest / LONGEST_RATIO < g->executed / g->blocks_run || trace_of(&g->trace, g->longest_block, 0)) return;
    r->longest = g->longest_block;
    sim_memory_restore(g->launch.memory);
    blocks_empty_window(r);
    run_all(r, 1);
}

// Finds the races that a missing fence causes, and marks their findings. Repeats the finished launch and treats each
// strong write (volatile or atomic) as a release. If a race occurs in the launch but not in the repetition by
// look_for_fences(), a missing fence causes the race. The repeated launch computes the same values as the first, so
// look_for_fences() leaves memory and counters as they are, and changes only the list of findings.
static void look_for_fences(struct run *r)
{
    struct grid *g = r->grid;
    if (!g->launch.memory->strong || g->executed > FENCED_MOST || !finding_log_has_races(g->findings)) return;
    struct finding_log *found = g->findings;
    g->findings = NULL;
    g->watcher = NULL;
    sim_memory_restore(g->launch.memory);
    blocks_empty_window(r);
    g->launch.memory->fenced = 1;
    run_all(r, 1);
    g->launch.memory->fenced = 0;
    finding_log_unfenced(found, g->findings);
    finding_log_free(g->findings);
    g->findings = found;
}

void grid_run(struct grid *g)
{
    struct run r = {.grid = g, .longest = TRACE_NO_BLOCK};
    struct sampling_plan choice = {.launch = &g->launch,
                                   .memo = g->memo,
                                   .caches = g->launch.request->cold != 0,
                                   .run = probe_block,
                                   .traffic = probe_l2,
                                   .begin = begin_blocks,
                                   .data = &r};
    r.turns = g->launch.program->plan->order_sensitive && g->launch.blocks > 1;
    sim_memory_forget(g->launch.memory);
    g->launch.memory->fenced = 0;
    int races = (g->launch.checks & CHECK_RACES) != 0;
    int snapshot = races || (g->launch.blocks > 1 && (!r.turns || g->launch.request->sample_inst));
    if (snapshot) sim_memory_snapshot(g->launch.memory);
    blocks_open(&r);
    g->op = alloc_zeroed(g->launch.nops, sizeof *g->op);
    g->taken = alloc_zeroed(g->launch.nops, sizeof *g->taken);
    g->ran = alloc_zeroed(g->launch.nops, sizeof *g->ran);
    r.op = alloc_zeroed(g->launch.nops, sizeof *r.op);
    r.taken = alloc_zeroed(g->launch.nops, sizeof *r.taken);
    r.ran = alloc_zeroed(g->launch.nops, sizeof *r.ran);
    g->loads = alloc_zeroed(g->launch.nops, sizeof *g->loads);
    g->print = alloc_zeroed(1, sizeof *g->print);
    sampling_plan_all(&choice);
    if (g->launch.request->sample_inst && g->launch.blocks > SAMPLING_LEAST && snapshot)
        sampling_plan_sample(&choice, &g->merging);
    r.order = choice.order;
    r.share = choice.share;
    g->exact = choice.exact;
    r.shares = choice.shares;
    run_all(&r, snapshot);
    if (snapshot) record_longest(&r);
    if (snapshot) look_for_fences(&r);
    if (g->l2) l2_end(g->l2, &g->l2_counters);
    if (snapshot) sim_memory_snapshot_free(g->launch.memory);
    blocks_close(&r);
    free(r.op);
    free(r.taken);
    free(r.ran);
    sampling_plan_free(&choice);
}

void grid_free(struct grid *g)
{
    waits_free(g->launch.waits);
    free(g->op);
    free(g->taken);
    free(g->ran);
    free(g->loads);
    trace_free(&g->trace);
    sample_free(&g->samples);
    if (g->findings) finding_log_free(g->findings);
    if (g->print) text_free(g->print);
    free(g->print);
    l2_free(g->l2);
}
