// Runs the blocks of a launch in parallel or interleaved; blocks.h states the contracts.
//
// In parallel (blocks_run_parallel). Several worker threads take block indices in ascending order from a shared
// counter. Each worker runs one block at a time to its end, in a `struct block` of its own. When a block ends, the
// worker passes the block's log of L2 requests (sector log) and the printed text to commit(), which takes the results
// in block order. Each worker sums its counters and findings, and the sums of all workers are added at the end of the
// run. The results of a parallel run do not depend on timing, because timing affects neither the bytes that a block
// reads nor the detection of conflicts between blocks. The bytes that a block reads determine the block's execution. A
// block reads its own shared memory, its own local memory, and global memory. If a block accesses no byte of global
// memory that another block writes, the block reads only bytes that the launch found in memory and bytes that the block
// itself wrote. Two blocks conflict if they access the same byte of global memory and at least one of them writes it.
// Atomics that commute and whose results are unused do not count as conflicting accesses. Accesses to each word are
// recorded by block index and not by time (conflict.c). The detection of conflicts between blocks therefore does not
// depend on timing.
//
// Interleaved (blocks_run_interleaved). Launches of kernels whose blocks observe other blocks run interleaved. A block
// can observe other blocks through the result of an atomic, or through a volatile or acquiring load (op/memory.c).
// Atomics on floats and the atomics exch, cas, inc and dec also count as observations of other blocks, because their
// effect depends on the order of blocks. If a launch shows a conflict between blocks when its blocks run one after the
// other, memory is restored and the launch runs again interleaved. In an interleaved run, one host thread runs each
// resident block for one quantum of instructions, in turn. Because blocks take turns, a block that polls for another
// block's write sees the write happen. With one host thread and fixed quanta, the order in which blocks execute is
// fixed. If the launch has lane jitter (random lanes run ahead), the quanta of blocks are a few instructions long and
// are drawn from the schedule seed.
#include "sim/machine/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "device/profile.h"
#include "sim/core/warp.h"
#include "sim/hazard/finding_log.h"
#include "sim/machine/block.h"
#include "sim/machine/block_memory.h"
#include "sim/machine/memory.h"
#include "sim/machine/pattern.h"
#include "sim/machine/poll.h"
#include "sim/timing/l1.h"
#include "sim/timing/l2.h"
#include "sim/timing/tally.h"
#include "sim/timing/trace.h"
#include "sim/timing/waits.h"

enum {
    WINDOW = 1024,         // size of the window of blocks that run ahead of the oldest uncommitted block; cooperative
                           // launches use PLACES_MAX instead
    WINDOW_MOST = 1 << 17, // size up to which it grows while a block waits for later ones
    TURN_QUANTUM = 200000, // warp instructions of a block until the next resident block runs; in timed launches
                           // TURN_OF_WARP for each warp, so that blocks advance side by side
    SHORT_TURN = 40,       // with jitter: largest quantum of a block, in warp instructions
    TURNS_SPEND = 4,       // an interleaved launch may use this multiple of its budget, because blocks also spend
                           // instructions on polling
    PLACES_MAX = 1 << 13,  // largest number of resident blocks
    WORKERS_MAX = 64,      // largest number of host threads
};
#define PLACES_BYTES ((uint64_t)512 << 20)   // limit of the host memory of all resident blocks
#define REQUESTS_BYTES ((uint64_t)128 << 20) // limit of the host memory of their queued requests to the L1 and the L2
#define MEETING_BYTES ((uint64_t)2 << 30)    // limit of this memory in cooperative launches

void blocks_open(struct run *r)
{
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->moved, NULL);
    r->window_size = r->grid->workspace ? PLACES_MAX : WINDOW;
    r->window = alloc_zeroed(r->window_size, sizeof *r->window);
}

void blocks_close(struct run *r)
{
    blocks_empty_window(r);
    free(r->window);
    pthread_cond_destroy(&r->moved);
    pthread_mutex_destroy(&r->lock);
}

// ---------------------------------------------------------------- workers

void blocks_worker_open(struct worker *w, struct run *run)
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

// Adds the execution counts (tally) of a `struct block` to the worker's counts.
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

void blocks_worker_close(struct worker *w)
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

uint64_t blocks_at(const struct run *r, uint64_t position)
{
    return r->order ? r->order[r->now->first + position] : position;
}

// Adds the L2 accesses, the printed text and the instruction counts of one block to the results of the grid. The caller
// of commit_one() need not hold the lock of the run. Simulating the L2 takes most of the time of commit_one().
static void commit_one(struct run *r, uint64_t position, struct block_result *l)
{
    struct grid *g = r->grid;
    if (r->log) {
        struct sector_log empty = *r->log;
        *r->log = l->sectors;
        l->sectors = empty;
    }
    if (g->l2 && r->now->to_l2) {
        l2_commit(g->l2, blocks_at(r, position), &l->sectors, &g->l2_counters, g->loads);
        g->l2_blocks++;
    }
    l->sectors.count = 0;
    if (g->print->length <= g->print_bytes) text_add(g->print, l->print.data ? l->print.data : "", l->print.length);
    l->print.length = 0;
    g->executed += l->executed;
    g->path.waiting += l->path.waiting;
    g->path.alone += l->path.alone;
    waits_longer(&g->longest_path, l->path);
    g->charged += l->charged;
    if (l->executed > g->longest) g->longest = l->executed, g->longest_block = blocks_at(r, position);
    if (l->clock > g->clock) g->clock = l->clock;
    g->blocks_run++;
}

// Commits the results of finished blocks: adds them to the results of the grid in block order, up to the first
// unfinished block. The caller holds the lock of the run. Only one worker at a time commits results of blocks, and the
// other workers run blocks meanwhile. With several workers, commit() stops a launch that has used up its budget of
// instructions. If commit() has stopped a launch, one worker runs the launch again from the start (run_all()), to find
// the block in which the launch uses up its budget.
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
        if (l->stopped || (r->workers > 1 && g->executed + g->charged >= g->launch.budget)) {
            g->stopped = 1;
            r->stop = r->committed;
        }
        l->next = r->spare;
        r->spare = l;
        pthread_cond_broadcast(&r->moved);
    }
    r->commits = 0;
}

// Moves the sector log (L2 requests) and the printed text of a finished block to run.window, the results that are not
// yet committed. Gives the `struct block` empty buffers for its next sector log and printed text, from the list of
// unused struct block_result or newly allocated.
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
    l->executed = b->executed - b->charged;
    l->path = block_path(b);
    if (b->warp[0].memory.trace) b->warp[0].memory.trace->slot->chain = l->path.alone;
    l->charged = b->charged;
    l->clock = b->clock;
    l->stopped = stopped;
    r->window[position % r->window_size] = l;
    if (stopped && position + 1 < r->stop) r->stop = position + 1;
}

// Starts the block at `position` in the order of blocks, and sets the block's instruction budget, trace and samples.
static void begin_block(struct run *r, struct block *b, uint64_t position, uint64_t start)
{
    const struct grid *g = r->grid;
    // With several workers, the instruction count of earlier blocks is not yet known.
    uint64_t before = r->workers > 1 ? 0 : g->executed + g->charged;
    block_begin(b, blocks_at(r, position), start);
    int first = r->now == r->share;
    b->budget = g->launch.budget > before ? g->launch.budget - before : 0;
    b->memory.samples = position || !first || !g->launch.request->cold ? NULL : &r->grid->samples;
    for (uint32_t w = 0; w < b->nwarps; w++)
        b->warp[w].memory.trace = trace_of(&r->grid->trace, blocks_at(r, position), w);
    b->watcher = g->watcher && g->watcher->begin(g->watcher, b) ? g->watcher : NULL;
}

// Runs the block as block_run() does.
static enum block_state run_block(struct run *r, struct block *b, uint64_t fuel)
{
    struct sim_watcher *watcher = r->grid->watcher;
    if (watcher) watcher->turn(watcher, b);
    return block_run(b, fuel);
}

// ---------------------------------------------------------------- parallel runs

int blocks_given_up(const struct run *r)
{
    const struct sim_memory *m = r->grid->launch.memory;
    return sim_memory_retry(m) || sim_memory_conflict(m);
}

// Ends the launch, because block b sleeps and no thread can go on that could wake it. If `waiting` is 1, there are
// blocks that have not begun.
static enum block_state sleeps_for_ever(struct block *b, int waiting)
{
    poll_deadlock(b, waiting ? N_("the loop's value may come from a block that cannot begin before another ends")
                             : N_("no thread that can still go on changes what the loop reads"));
    return BLOCK_STOPPED;
}

// Runs blocks on one worker thread until no blocks are left or the run must be repeated.
static void *work_apart(void *argument)
{
    struct worker *w = argument;
    struct run *r = w->run;
    struct block *b = block_new(&w->base, r->grid);
    pthread_mutex_lock(&r->lock);
    while (!blocks_given_up(r)) {
        while (r->next < r->blocks && r->next < r->stop && r->next >= r->committed + r->window_size)
            pthread_cond_wait(&r->moved, &r->lock);
        if (r->next >= r->blocks || r->next >= r->stop) break;
        uint64_t position = r->next++;
        pthread_mutex_unlock(&r->lock);
        begin_block(r, b, position, 0);
        enum block_state state = BLOCK_RUNNING;
        while (state == BLOCK_RUNNING) state = run_block(r, b, UINT64_MAX / 2);
        if (state == BLOCK_ASLEEP) state = sleeps_for_ever(b, 0); // only threads of the block could wake it
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

void blocks_run_parallel(struct run *r, uint32_t threads)
{
    struct worker worker[WORKERS_MAX] = {0};
    uint32_t started = 1;
    if (threads > WORKERS_MAX) threads = WORKERS_MAX;
    if (threads > r->blocks) threads = (uint32_t)r->blocks;
    r->workers = threads;
    for (uint32_t k = 0; k < threads; k++) blocks_worker_open(&worker[k], r);
    for (; started < threads; started++)
        if (pthread_create(&worker[started].thread, NULL, work_apart, &worker[started])) break;
    work_apart(&worker[0]);
    for (uint32_t k = 1; k < started; k++) pthread_join(worker[k].thread, NULL);
    for (uint32_t k = 0; k < threads; k++) blocks_worker_close(&worker[k]);
}

// ---------------------------------------------------------------- interleaved runs

// Returns the number of blocks that are resident at once on a device.
static uint64_t resident_on_device(const struct grid *g, uint64_t blocks)
{
    uint64_t n = (uint64_t)g->launch.blocks_per_sm * (uint64_t)g->launch.device->sms;
    n = n > blocks ? blocks : n;
    return n ? n : 1;
}

// Returns the number of blocks that are resident at once in an interleaved run, 1 to PLACES_MAX.
static uint32_t resident(const struct grid *g, uint64_t blocks)
{
    uint64_t n = resident_on_device(g, blocks), room = (g->workspace ? MEETING_BYTES : PLACES_BYTES) / block_bytes(g);
    n = n > PLACES_MAX ? PLACES_MAX : n;
    n = n > room ? room : n;
    return n ? (uint32_t)n : 1;
}

// Runs the block for one quantum of instructions. The random generator `jitter` draws the length of short quanta; if
// `jitter` is NULL, the quantum has full length.
static enum block_state take_turn(struct run *r, struct block *b, struct prng *jitter)
{
    uint64_t before = b->executed, budget = r->grid->launch.budget, all = TURNS_SPEND * budget;
    b->budget = before + (all > r->spent ? all - r->spent : 0);
    if (b->budget > budget) b->budget = budget;
    const struct sim_launch *l = &r->grid->launch;
    uint64_t turn = l->waits ? (uint64_t)TURN_OF_WARP * l->warps : TURN_QUANTUM;
    enum block_state state = run_block(r, b, jitter ? 1 + prng_below(jitter, SHORT_TURN) : turn);
    r->spent += b->executed - before;
    return state;
}

// The blocks that are resident in an interleaved run.
struct places {
    uint32_t count, busy;
    uint64_t *end, begun, ended; // [count], a ring: paths of blocks that have ended, for blocks that begin after them
    struct block **block;        // [count]; NULL: no block was ever at this place
    uint64_t *position;          // [count]: position of the block, in the order in which blocks are run
    uint8_t *taken;              // [count]: 1: the block has not ended
};

// Returns 1 if the window has room for the next block. A block that waits keeps the results of all later blocks in the
// window, which therefore grows, up to WINDOW_MOST.
static int has_room(struct run *r)
{
    if (r->next < r->committed + r->window_size) return 1;
    if (r->window_size >= WINDOW_MOST) return 0;
    struct block_result **wider = alloc_zeroed(2 * (size_t)r->window_size, sizeof *wider);
    for (uint64_t p = r->committed; p < r->next; p++) wider[p % (2 * r->window_size)] = r->window[p % r->window_size];
    free(r->window);
    r->window = wider;
    r->window_size *= 2;
    return 1;
}

// Returns the path after which the next block begins: on a device, the block after the first `count` ones begins when
// one of them ends. Which place the simulator puts it at says nothing: short blocks run one after the other at one.
static uint64_t room_since(struct places *p)
{
    uint64_t begun = p->begun++;
    return begun < p->count ? 0 : p->end[begun % p->count];
}

// Begins the next block at place k. Returns 1, or 0 if no block may begin now.
static int occupy(struct run *r, struct worker *w, struct places *p, uint32_t k)
{
    if (r->next >= r->blocks || r->next >= r->stop || !has_room(r)) return 0;
    if (!p->block[k]) {
        p->block[k] = block_new(&w->base, r->grid);
        l1_limit(p->block[k]->memory.l1, REQUESTS_BYTES / p->count);
    }
    p->taken[k] = 1;
    p->busy++;
    p->position[k] = r->next++;
    begin_block(r, p->block[k], p->position[k], room_since(p));
    return 1;
}

// Commits the results of the block at place k, which has ended.
static void vacate(struct run *r, struct places *p, uint32_t k, enum block_state state)
{
    block_memory_end(&p->block[k]->memory);
    p->end[p->ended++ % p->count] = block_path(p->block[k]).waiting;
    pthread_mutex_lock(&r->lock);
    leave(r, p->block[k], p->position[k], state == BLOCK_STOPPED);
    commit(r);
    pthread_mutex_unlock(&r->lock);
    p->taken[k] = 0;
    p->busy--;
    if (state == BLOCK_STOPPED) r->grid->stopped = 1; // the other resident blocks are abandoned
}

// Commits the requests to the L2 that the block at place k has made so far, if they take much memory.
static void commit_early(struct run *r, struct places *p, uint32_t k)
{
    struct grid *g = r->grid;
    struct sector_log *log = &p->block[k]->memory.sectors;
    if (log->count < REQUESTS_BYTES / p->count / sizeof *log->entry) return;
    if (g->l2 && r->now->to_l2) l2_commit(g->l2, blocks_at(r, p->position[k]), log, &g->l2_counters, g->loads);
    log->count = 0;
}

// Ends the launch because all resident blocks wait, and the block at place k sleeps. If a device had room for more
// blocks, or for the results of later ones, another block might wake it, and the launch ends without a finding.
static void end_asleep(struct run *r, struct places *p, uint32_t k)
{
    int waiting = r->next < r->blocks;
    if (waiting && (p->count < resident_on_device(r->grid, r->blocks) || !has_room(r)))
        r->grid->crowded = p->count;
    else
        sleeps_for_ever(p->block[k], waiting);
    vacate(r, p, k, BLOCK_STOPPED);
}

// Gives each place one turn. Returns 1 if blocks are left. Blocks are left, but none of them can go on, if `asleep`
// receives the place of a block that sleeps, instead of NO_PLACE.
enum { NO_PLACE = 0xffffffffu };
static int take_turns(struct run *r, struct worker *w, struct places *p, struct prng *jitter, uint32_t *asleep)
{
    uint64_t spent = r->spent;
    int left = 0, moved = 0;
    *asleep = NO_PLACE;
    for (uint32_t k = 0; k < p->count; k++) {
        if (!p->taken[k] && !occupy(r, w, p, k)) continue;
        left = 1;
        enum block_state state = take_turn(r, p->block[k], jitter);
        if (state == BLOCK_ASLEEP && *asleep == NO_PLACE) *asleep = k;
        if (state == BLOCK_RUNNING || state == BLOCK_ASLEEP) {
            commit_early(r, p, k);
            continue;
        }
        moved = 1;
        vacate(r, p, k, state);
        if (state == BLOCK_STOPPED) return 0;
        if (!p->busy || r->next < r->blocks) k--; // reuse place k for the next block at once
        if (r->next >= r->blocks && !p->busy) break;
    }
    if (moved || r->spent != spent) *asleep = NO_PLACE;
    return left;
}

// Makes the sum of the blocks' paths the path of the launch, whose blocks took turns at `places` places. If blocks did
// not wait for one another, each place would have the same number of them, one after the other.
static void path_in_turns(struct grid *g, uint32_t places)
{
    uint64_t run = g->blocks_run ? g->blocks_run : 1, alone = (run + places - 1) / places * (g->path.alone / run);
    g->path.waiting = g->longest_path.waiting;
    g->path.alone = alone > g->longest_path.alone ? alone : g->longest_path.alone;
}

void blocks_run_interleaved(struct run *r)
{
    struct grid *g = r->grid;
    struct worker w = {0};
    const struct engine_launch *request = g->launch.request;
    struct prng jitter = prng_stream(request->schedule_seed, "turns");
    int has_jitter = request->schedule_seed && request->jitter;
    struct places p = {.count = resident(g, r->blocks)};
    uint32_t asleep = NO_PLACE;
    p.block = alloc_zeroed(p.count, sizeof *p.block);
    p.end = alloc_zeroed(p.count, sizeof *p.end);
    p.position = alloc_zeroed(p.count, sizeof *p.position);
    p.taken = alloc_zeroed(p.count, 1);
    blocks_worker_open(&w, r);
    r->workers = 1;
    r->spent = 0;
    while (!sim_memory_retry(g->launch.memory) && take_turns(r, &w, &p, has_jitter ? &jitter : NULL, &asleep)) {
        if (asleep == NO_PLACE) continue;
        end_asleep(r, &p, asleep);
        break;
    }
    path_in_turns(g, p.count);
    for (uint32_t k = 0; k < p.count; k++) {
        if (!p.block[k]) continue;
        take_tally(&w, p.block[k]);
        block_free(p.block[k]);
    }
    blocks_worker_close(&w);
    free(p.block);
    free(p.end);
    free(p.position);
    free(p.taken);
}

static void block_result_free(struct block_result *l)
{
    if (!l) return;
    l1_log_free(&l->sectors);
    text_free(&l->print);
    free(l);
}

void blocks_empty_window(struct run *r)
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
