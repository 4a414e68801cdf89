// Runs the blocks of a launch on host threads, and combines their results in a fixed order.
//
// Theory of operation. CUDA allows blocks to run in any order, so they run in parallel. But the report must not depend
// on the number of host threads. Two ways of running blocks follow.
//
// In parallel (run_parallel). Workers take blocks in order from a counter. Each worker runs a block to its end in a
// place of its own, and hands the block's sequences (sector log, print) to `commit`, which takes them in block order.
// Counters and findings are sums, which workers keep and which are added at the end. Nothing depends on timing, for
// this reason: a block's execution is determined by what it reads. It reads its own shared and local memory, and global
// memory. Suppose that no two blocks access the same byte of global memory with one of them writing, except by atomics
// that commute and whose results are unused. Then a block reads only what the launch found in memory or what the block
// itself wrote. conflict.c records the blocks that access each word by their index, not by time. So whether there is a
// conflict is a property of the launch, too.
//
// Interleaved (run_interleaved). This way serves kernels that observe other blocks: through the result of an atomic, a
// volatile or acquiring load, or a float atomic, whose sum depends on the order (op/memory.c). It also serves launches
// in which blocks were found to conflict; then memory is first restored. One thread gives each resident block a quantum
// in turn, so a block that waits for another one sees it arrive. With one thread and fixed quanta, the order is fixed.
// If lanes have jitter, so have blocks: their quanta are a few instructions, drawn from the schedule's seed.
//
// Sequential order is the reference. One worker that runs the blocks one after the other decides between the two ways.
// If this run has a conflict, blocks are interleaved. If a finding in block b ends the launch, the blocks before b have
// run, and no block behind it. Several workers are equivalent to this run as long as they meet neither a conflict nor
// such a finding, because then every block did the same. Otherwise some block may have seen what it sees in no other
// run, and may have done anything. So memory is restored, what the run showed is forgotten, and one worker runs the
// blocks again. That run stops at its first conflict.
//
// Which races are checked depends on which arrays the launch writes (race.h), and this is known only after a run. So a
// run may be given up and repeated from the same memory, until it shows nothing new about arrays.
//
// A place serves one block after the other, and which blocks it served depends on timing. So a block finds zeros in
// shared memory, local memory and registers (undef.c), turns of its warps that are drawn for it alone, and an empty L1.
#include "sim/machine/grid.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "device/profile.h"
#include "sim/core/region.h"
#include "sim/core/warp.h"
#include "sim/hazard/finding_log.h"
#include "sim/machine/block.h"
#include "sim/machine/block_memory.h"
#include "sim/machine/memory.h"
#include "sim/machine/pattern.h"
#include "sim/machine/sampling_plan.h"
#include "sim/timing/l1.h"
#include "sim/timing/l2.h"
#include "sim/timing/tally.h"

enum {
    WINDOW = 1024,         // blocks that may be finished before the oldest is; PLACES_MAX in cooperative launches
    TURN_QUANTUM = 200000, // instructions of a block before the next resident one gets its turn
    SHORT_TURN = 40,       // the same at most, where blocks stray
    TURNS_SPEND = 4,       // budgets of a launch in turns: blocks that wait for others spend whole turns on it
    PLACES_MAX = 1 << 13,  // resident blocks at most
    FENCED_MOST = 1 << 13, // warp instructions of a launch that is repeated to look for missing fences: it is slow
    WORKERS_MAX = 64,
};
#define PLACES_BYTES ((uint64_t)512 << 20) // of resident blocks
#define MEETING_BYTES ((uint64_t)2 << 30)  // the same where all blocks wait for one another (cooperative launches)

// The result of a block, which is committed in the order of the blocks.
struct block_result {
    struct block_result *next; // in the list of spare results, which wait for a block
    struct sector_log sectors;
    struct text print;
    uint64_t executed, clock;
    int stopped;
};

struct run {
    struct grid *grid;
    const uint32_t *order; // positions → blocks; NULL: the same
    const struct stratum_sample *share, *now;
    uint32_t shares;
    uint64_t blocks;     // to run now
    struct counters *op; // [nops]: of these; like grid's
    uint64_t *taken, *ran;
    int turns; // 1: one thread runs them all, in turns
    uint32_t workers;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint64_t next, committed; // positions
    uint64_t spent;           // warp instructions, in turns
    uint64_t stop;            // no position behind this is run
    uint32_t window_size;
    struct block_result **window; // [p % window_size]: of position p; NULL: its block has not ended
    struct block_result *spare;   // a list, last used first, since the host's caches still hold that one
    int commits;                  // 1: a worker is about it
};

struct worker {
    struct sim_worker base;
    struct run *run;
    pthread_t thread;
    struct op_tally *tally; // of the places it had
    uint64_t *ran;          // from it, at the end
};

// ---------------------------------------------------------------- workers

static void worker_open(struct worker *w, struct run *run)
{
    struct grid *g = run->grid;
    w->run = run;
    w->base.launch = &g->launch;
    w->base.op = alloc_zeroed(g->launch.nops, sizeof *w->base.op);
    w->base.pattern = alloc_aligned(g->launch.program->plan->nmemory + 1, sizeof *w->base.pattern);
    memset(w->base.pattern, 0, g->launch.program->plan->nmemory * sizeof *w->base.pattern);
    w->base.findings = finding_log_new();
    w->tally = alloc_zeroed((size_t)g->launch.nops + 1, sizeof *w->tally);
    w->ran = alloc_zeroed(g->launch.nops, sizeof *w->ran);
}

// The runs of a place, added to the worker's.
static void take_tally(struct worker *w, const struct block *b)
{
    for (uint32_t k = 0; k <= w->base.launch->nops; k++) {
        w->tally[k].warps += b->tally[k].warps;
        w->tally[k].lanes += b->tally[k].lanes;
        w->tally[k].off += b->tally[k].off;
        w->tally[k].divergent += b->tally[k].divergent;
        w->tally[k].taken += b->tally[k].taken;
    }
}

static void close_shapes(struct worker *w)
{
    const struct sim_plan *plan = w->base.launch->program->plan;
    for (uint32_t k = 0; k < plan->nmemory; k++) {
        const struct sim_access *a = &plan->memory[k].access;
        pattern_flush(&w->base.pattern[k], a, &w->base.op[a->op]);
    }
}

static void worker_close(struct worker *w)
{
    struct run *r = w->run;
    struct grid *g = r->grid;
    tally_close(g->launch.program, w->tally, w->base.op, w->ran);
    close_shapes(w);
    for (uint32_t k = 0; k < g->launch.nops; k++) {
        counters_add(&r->op[k], &w->base.op[k]);
        r->taken[k] += w->tally[k].taken;
        r->ran[k] += w->ran[k];
    }
    finding_log_merge(g->findings, w->base.findings);
    finding_log_free(w->base.findings);
    free(w->base.op);
    free(w->base.pattern);
    free(w->tally);
    free(w->ran);
}

// ---------------------------------------------------------------- commit

static uint64_t block_at(const struct run *r, uint64_t position)
{
    return r->order ? r->order[r->now->first + position] : position;
}

// Takes what one block left. The model's L2 is the most of it; the lock need not be held.
static void commit_one(struct run *r, uint64_t position, struct block_result *l)
{
    struct grid *g = r->grid;
    if (g->l2 && r->now->to_l2) {
        l2_commit(g->l2, block_at(r, position), &l->sectors, &g->l2_counters, g->loads);
        g->l2_blocks++;
    }
    l->sectors.count = 0;
    if (g->print->length <= g->print_bytes) text_add(g->print, l->print.data ? l->print.data : "", l->print.length);
    l->print.length = 0;
    g->executed += l->executed;
    if (l->executed > g->longest) g->longest = l->executed;
    if (l->clock > g->clock) g->clock = l->clock;
    g->blocks_run++;
}

// Takes what blocks left, in order, as far as they are done. Called with the lock held; while one worker is about it,
// the others go on with their blocks. A launch that spent its budget stops here: in which block it did is known to one
// worker alone, who runs it again (begin_block).
static void commit(struct run *r)
{
    struct grid *g = r->grid;
    if (r->commits) return;
    r->commits = 1;
    while (r->committed < r->blocks && r->committed < r->stop) {
        struct block_result **done = &r->window[r->committed % r->window_size], *l = *done;
        if (!l) break;
        *done = NULL;
        pthread_mutex_unlock(&r->lock);
        commit_one(r, r->committed, l);
        pthread_mutex_lock(&r->lock);
        r->committed++;
        if (l->stopped || (r->workers > 1 && g->executed >= g->launch.budget)) {
            g->stopped = 1;
            r->stop = r->committed;
        }
        l->next = r->spare;
        r->spare = l;
        pthread_cond_broadcast(&r->moved);
    }
    r->commits = 0;
}

// The block's sequences go to the window; it gets the buffers of an earlier one.
static void leave(struct run *r, struct block *b, uint64_t position, int stopped)
{
    struct block_result *l = r->spare ? r->spare : alloc_zeroed(1, sizeof *l);
    r->spare = l->next;
    struct sector_log sectors = l->sectors;
    struct text print = l->print;
    l->sectors = b->memory.sectors;
    l->print = *b->memory.print;
    b->memory.sectors = sectors;
    *b->memory.print = print;
    l->executed = b->executed;
    l->clock = b->clock;
    l->stopped = stopped;
    r->window[position % r->window_size] = l;
    if (stopped && position + 1 < r->stop) r->stop = position + 1;
}

static void begin_block(struct run *r, struct block *b, uint64_t position)
{
    const struct grid *g = r->grid;
    uint64_t before = r->workers > 1 ? 0 : g->executed; // of several workers none knows what the others do
    block_begin(b, block_at(r, position));
    int first = r->now == r->share;
    b->budget = g->launch.budget > before ? g->launch.budget - before : 0;
    b->memory.samples = position || !first || !g->launch.request->cold ? NULL : &r->grid->samples;
    for (uint32_t w = 0; w < b->nwarps; w++)
        b->warp[w].memory.trace = first ? trace_of(&r->grid->trace, position, w) : NULL;
}

// ---------------------------------------------------------------- side by side

static int given_up(const struct run *r)
{
    const struct sim_memory *m = r->grid->launch.memory;
    return sim_memory_retry(m) || sim_memory_conflict(m);
}

static void *work_apart(void *argument)
{
    struct worker *w = argument;
    struct run *r = w->run;
    struct block *b = block_new(&w->base, r->grid);
    pthread_mutex_lock(&r->lock);
    while (!given_up(r)) {
        while (r->next < r->blocks && r->next < r->stop && r->next >= r->committed + r->window_size)
            pthread_cond_wait(&r->moved, &r->lock);
        if (r->next >= r->blocks || r->next >= r->stop) break;
        uint64_t position = r->next++;
        pthread_mutex_unlock(&r->lock);
        begin_block(r, b, position);
        enum block_state state = BLOCK_RUNNING;
        while (state == BLOCK_RUNNING) state = block_run(b, UINT64_MAX / 2);
        block_memory_end(&b->memory);
        pthread_mutex_lock(&r->lock);
        leave(r, b, position, state == BLOCK_STOPPED);
        commit(r);
    }
    pthread_mutex_unlock(&r->lock);
    take_tally(w, b);
    block_free(b);
    return NULL;
}

static void run_parallel(struct run *r, uint32_t threads)
{
    struct worker worker[WORKERS_MAX] = {0};
    uint32_t started = 1;
    if (threads > WORKERS_MAX) threads = WORKERS_MAX;
    if (threads > r->blocks) threads = (uint32_t)r->blocks;
    r->workers = threads;
    for (uint32_t k = 0; k < threads; k++) worker_open(&worker[k], r);
    for (; started < threads; started++)
        if (pthread_create(&worker[started].thread, NULL, work_apart, &worker[started])) break;
    work_apart(&worker[0]);
    for (uint32_t k = 1; k < started; k++) pthread_join(worker[k].thread, NULL);
    for (uint32_t k = 0; k < threads; k++) worker_close(&worker[k]);
}

// ---------------------------------------------------------------- in turns

static uint32_t resident(const struct grid *g, uint64_t blocks)
{
    uint64_t n = (uint64_t)g->launch.blocks_per_sm * (uint64_t)g->launch.device->sms,
             room = (g->workspace ? MEETING_BYTES : PLACES_BYTES) / block_bytes(g);
    n = n > PLACES_MAX ? PLACES_MAX : n;
    n = n > room ? room : n;
    n = n > blocks ? blocks : n;
    return n ? (uint32_t)n : 1;
}

// `stray`: NULL, or what short turns are drawn from.
static enum block_state take_turn(struct run *r, struct block *b, struct prng *jitter)
{
    uint64_t before = b->executed, budget = r->grid->launch.budget, all = TURNS_SPEND * budget;
    b->budget = before + (all > r->spent ? all - r->spent : 0);
    if (b->budget > budget) b->budget = budget;
    enum block_state state = block_run(b, jitter ? 1 + prng_below(jitter, SHORT_TURN) : TURN_QUANTUM);
    r->spent += b->executed - before;
    return state;
}

static void run_interleaved(struct run *r)
{
    struct grid *g = r->grid;
    struct worker w = {0};
    const struct engine_launch *request = g->launch.request;
    struct prng jitter = prng_stream(request->schedule_seed, "turns");
    int has_jitter = request->schedule_seed && request->jitter;
    uint32_t places = resident(g, r->blocks), busy = 0;
    struct block **place = alloc_zeroed(places, sizeof *place);
    uint64_t *position = alloc_zeroed(places, sizeof *position);
    uint8_t *taken = alloc_zeroed(places, 1);
    worker_open(&w, r);
    r->workers = 1;
    r->spent = 0;
    for (int ended = 0; !ended && !sim_memory_retry(g->launch.memory);) {
        ended = 1;
        for (uint32_t k = 0; k < places; k++) {
            if (!taken[k]) {
                if (r->next >= r->blocks || r->next >= r->stop || r->next >= r->committed + r->window_size) continue;
                if (!place[k]) place[k] = block_new(&w.base, g);
                taken[k] = 1;
                busy++;
                position[k] = r->next++;
                begin_block(r, place[k], position[k]);
            }
            ended = 0;
            enum block_state state = take_turn(r, place[k], has_jitter ? &jitter : NULL);
            if (state == BLOCK_RUNNING) continue;
            block_memory_end(&place[k]->memory);
            pthread_mutex_lock(&r->lock);
            leave(r, place[k], position[k], state == BLOCK_STOPPED);
            commit(r);
            pthread_mutex_unlock(&r->lock);
            taken[k] = 0;
            busy--;
            if (state == BLOCK_STOPPED) { // blocks that had begun besides are given up
                g->stopped = ended = 1;
                break;
            }
            if (!busy || r->next < r->blocks) k--; // the place is free again at once: most blocks end in one quantum
            if (r->next >= r->blocks && !busy) break;
        }
    }
    for (uint32_t k = 0; k < places; k++) {
        if (!place[k]) continue;
        take_tally(&w, place[k]);
        block_free(place[k]);
    }
    worker_close(&w);
    free(place);
    free(position);
    free(taken);
}

// ---------------------------------------------------------------- the launch

static void forget_share(struct run *r)
{
    memset(r->op, 0, r->grid->launch.nops * sizeof *r->op);
    memset(r->taken, 0, r->grid->launch.nops * sizeof *r->taken);
    memset(r->ran, 0, r->grid->launch.nops * sizeof *r->ran);
    r->next = r->committed = 0;
    r->stop = UINT64_MAX;
}

// What the blocks of this share counted, for all that they stand for.
static void take_share(struct run *r)
{
    struct grid *g = r->grid;
    const struct stratum_sample *s = r->now;
    uint64_t run = g->stopped ? s->blocks : s->run;
    for (uint32_t k = 0; k < g->launch.nops; k++) {
        counters_scale(&r->op[k], s->blocks, run);
        counters_add(&g->op[k], &r->op[k]);
        g->taken[k] += counter_scaled(r->taken[k], s->blocks, run);
        g->ran[k] += counter_scaled(r->ran[k], s->blocks, run);
    }
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
    if (g->launch.request->cold) trace_begin(&g->trace, &g->launch, r->blocks);
    if (g->launch.request->cold) sample_begin(&g->samples, g->launch.program->plan->nmemory);
    memset(&g->l2_counters, 0, sizeof g->l2_counters);
    if (g->findings) finding_log_free(g->findings);
    g->findings = finding_log_new();
    g->print->length = 0;
    g->executed = g->longest = g->clock = g->blocks_run = g->l2_blocks = 0;
    g->stopped = 0;
    l2_free(g->l2);
    g->l2 = l2_new(&g->launch);
    sim_memory_begin(g->launch.memory, &g->launch, r->turns || g->launch.blocks == 1);
}

static void block_result_free(struct block_result *l)
{
    if (!l) return;
    l1_log_free(&l->sectors);
    text_free(&l->print);
    free(l);
}

static void empty_window(struct run *r)
{
    for (uint32_t k = 0; k < r->window_size; k++) {
        block_result_free(r->window[k]);
        r->window[k] = NULL;
    }
    for (struct block_result *l = r->spare, *next; l; l = next) {
        next = l->next;
        block_result_free(l);
    }
    r->spare = NULL;
}

static uint64_t fetched(const struct grid *g)
{
    uint64_t sectors = 0;
    for (uint32_t k = 0; k < g->launch.nops; k++) sectors += g->loads[k].fetched;
    return sectors;
}

// As sampling_plan.h asks.
static int try_blocks(void *run, const uint32_t *block, uint32_t count, struct probe_result *t)
{
    struct run *r = run;
    const struct grid *g = r->grid;
    const struct stratum_sample alone = {.run = count, .blocks = count, .to_l2 = 1};
    r->order = block;
    r->share = &alone;
    start(r);
    run_parallel(r, 1);
    *t = (struct probe_result){.op = r->op,
                               .blocks = g->blocks_run,
                               .executed = g->executed,
                               .fetched = fetched(g),
                               .partial = g->l2_counters.l2_partial_sectors ? l2_partial(g->l2).sectors : 0,
                               .l2 = g->l2 != NULL,
                               .stopped = g->stopped};
    empty_window(r);
    return sim_memory_retry(g->launch.memory) ? -1 : 0;
}

// Bytes of the buffers that the launch's arguments name.
static uint64_t buffer_bytes(const struct sim_launch *l)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < l->request->nargs; k++)
        if (l->request->arg[k].kind == ARG_BUFFER) bytes += region_buffer_bytes(l->memory, l->request->arg[k].buffer);
    return bytes;
}

static void run_shares(struct run *r, uint32_t threads)
{
    struct grid *g = r->grid;
    start(r);
    if (g->l2 && r->share[0].run < r->share[0].blocks) l2_sample(g->l2, buffer_bytes(&g->launch), g->merging.stored);
    for (uint32_t k = 0; k < r->shares && !g->stopped; k++) {
        r->now = &r->share[k];
        r->blocks = r->now->run;
        forget_share(r);
        if (r->turns)
            run_interleaved(r);
        else
            run_parallel(r, threads);
        if (given_up(r)) break;
        take_share(r);
    }
}

static void run_all(struct run *r, int snapshot)
{
    struct grid *g = r->grid;
    for (uint32_t threads = g->threads;;) {
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
        empty_window(r);
    }
}

// A race where memory was to hand the order over: had its strong writes been releases, would it be none? Then a fence
// is missing, and the finding says so. The values are the same either way, so all else of the second run is as it was.
static void look_for_fences(struct run *r)
{
    struct grid *g = r->grid;
    if (!g->launch.memory->strong || g->executed > FENCED_MOST || !finding_log_has_races(g->findings)) return;
    struct finding_log *found = g->findings;
    g->findings = NULL;
    sim_memory_restore(g->launch.memory);
    empty_window(r);
    g->launch.memory->fenced = 1;
    run_all(r, 1);
    g->launch.memory->fenced = 0;
    finding_log_unfenced(found, g->findings);
    finding_log_free(g->findings);
    g->findings = found;
}

void grid_run(struct grid *g)
{
    struct run r = {.grid = g};
    struct sampling_plan choice = {.launch = &g->launch, .run = try_blocks, .data = &r};
    r.turns = g->launch.program->plan->order_sensitive && g->launch.blocks > 1;
    sim_memory_forget(g->launch.memory);
    g->launch.memory->fenced = 0;
    int races = (g->launch.checks & CHECK_RACES) != 0;
    int snapshot = races || (g->launch.blocks > 1 && (!r.turns || g->launch.request->sample_inst));
    if (snapshot) sim_memory_snapshot(g->launch.memory);
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.moved, NULL);
    r.window_size = g->workspace ? PLACES_MAX : WINDOW;
    r.window = alloc_zeroed(r.window_size, sizeof *r.window);
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
    r.shares = choice.shares;
    run_all(&r, snapshot);
    if (snapshot) look_for_fences(&r);
    if (g->l2) l2_end(g->l2, &g->l2_counters);
    if (snapshot) sim_memory_snapshot_free(g->launch.memory);
    empty_window(&r);
    free(r.window);
    free(r.op);
    free(r.taken);
    free(r.ran);
    sampling_plan_free(&choice);
    pthread_cond_destroy(&r.moved);
    pthread_mutex_destroy(&r.lock);
}

void grid_free(struct grid *g)
{
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
