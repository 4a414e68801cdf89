// Replays recorded warps on a model of one multiprocessor; replay.h states the contract.
//
// Theory of operation. How long warps wait, and how much of this time other warps fill, depends on the warps' ops and
// on the order of the ops. The replay therefore lets the resident warps of a multiprocessor execute their recorded ops
// in order, with a scoreboard for each warp. An op issues when its operands are available, its scheduler has a slot and
// its pipe is free. With a scoreboard, independent loads of a warp are in flight together until the first use of a
// result. The waiting times of different warps overlap, and a barrier takes as long as its slowest warp. Interval
// models, in contrast, estimate the time of a multiprocessor from one warp and probabilities (Hong and Kim, ISCA 2009;
// Huang et al., GPUMech, MICRO 2014).
//
// Schedulers. A block's first warp goes to the scheduler after the scheduler of the previous block's last warp. If the
// first warps of two successive blocks would go to the same scheduler, the later block's first warp goes one scheduler
// further. If a block has eight warps, the first warps of successive blocks on an H200 have the %warpid 0, 9, 18, 27,
// 32, 41 and so on. The slot of a warp on its multiprocessor is free for a warp of the next block as soon as the warp
// has ended, even if other warps of its block still run.
//
// The kernel l3_serial0 of tests/truth shows on an H200 how blocks get schedulers and warp slots
// (tests/truth/h200.csv). In the kernel l3_serial0, one thread of each 256-thread block adds up 256 values, so a
// block's other seven warps end early. If the first warps of all blocks of the kernel l3_serial0 shared one scheduler,
// the kernel would take longer than an H200 needs. An H200 therefore puts the first warps of different blocks on
// different schedulers. While the kernel l3_serial0 runs on an H200, the profiler reports that 67 % of the warp slots
// are active. If an ended warp kept its slot until its block ends, 67 % active warp slots would mean that 256 dependent
// additions took only 678 cycles. Dependent additions cannot take fewer than three cycles each, so an H200 frees a
// warp's slot as soon as the warp has ended.
//
// The replay's model of a multiprocessor is simplified, so that the replay of a launch takes only milliseconds.
//   - The warp that can issue first always goes first. Each unit that warps share, such as a pipe, handles requests in
//     their order (struct server). The only state of a unit that warps share is the time until which the unit is busy
//     with earlier requests. The units that warps share are the issue slots, the pipes, the LSU, and the
//     multiprocessor's share of the L2, of DRAM and of the atomic units.
//   - All multiprocessors are assumed to do the same work, so each has an equal share of the device's rates.
//   - A load misses the L1 in the replay if the load missed in the launch. A load of a line that another warp has just
//     requested waits for that line. For each op, DRAM answers a fixed fraction of the L1 misses, spread evenly over
//     the op's executions.
//   - If a launch has many blocks, only some blocks are replayed. Every other block is assumed to take as long as the
//     replayed blocks take on average, not counting the first resident blocks.
//   - The recorded ops may not be typical of the launch, because blocks may differ, and because only slices of long
//     warps are recorded (trace.h). The replay therefore measures, for each op, the mean time that a warp spends at one
//     execution of the op. For an op that was never replayed, the replay assumes that the op takes the time that it
//     needs if nothing hides its latency. The work of a block is the sum, over all ops, of the op's number of
//     executions times the op's mean time. The launch's time is the replay's time multiplied by a ratio: the work of an
//     average block of the launch, divided by the work of an average replayed block.
//   - The record cannot tell the time of ops that it holds far too seldom. An op's share of the recorded executions
//     should be its share of the launch's. An op's share of the recorded executions predicts how often the launch
//     executes the op. If the launch executes an op more than SELDOM times as often as predicted, the executions beyond
//     that are called unseen. Executions of an op that the recorded longest block executes are never unseen, because
//     the record of the longest block shows how long the op takes. The report tells which part of the time belongs to
//     unseen executions (executions that the record does not represent), and a judge may refuse the time.
//   - The ratio by which the replay's time is multiplied is at least the chain of a whole block divided by the chain of
//     a replayed block (trace.h defines chains). Without this lower limit, the estimate would ignore that the same ops
//     take longer if one warp executes all of them while the block's other warps wait.
#include "sim/timing/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/profile.h"
#include "sim/core/op.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"
#include "sim/timing/schedule.h"

enum {
    RESIDENT_MAX = 64, // maximum number of resident warps of a multiprocessor
    FEW = 8,           // number of warps in a group that shares one element of `soonest`
    SCHEDULERS_MAX = 8,
    OPS_MOST = 1 << 20,  // maximum number of ops that are replayed
    GENERATIONS = 3,     // minimum number of generations of resident blocks that are replayed
    ASKED_FOR = 1 << 10, // maximum number of a block's lines that may be on their way
    FLOAT_PIPES_MAX = 4,
    STRETCH_BITS = 16,
};
#define NEVER UINT64_MAX

struct warp_state {
    const struct trace_warp *trace;
    uint32_t run, at;            // index of the run in the trace; position of the next op in the schedule
    uint32_t load;               // index of the next load in the trace
    uint32_t place;              // index of the block's place
    struct partition *partition; // the warp's scheduler and its pipes
    struct value {               // state of a register
        uint64_t there;          // time when the value is available
        uint32_t op;             // op that computes the value
    } * value;                   // [nregs]
    uint64_t stored;             // time when the warp's last store reaches memory; the warp cannot end earlier
    uint64_t since;              // time when the warp arrived at the barrier
    uint32_t barrier;            // the barrier's op
    uint64_t chain;              // ops on the longest path through the block that ends at this warp
};

struct place { // room for one resident block
    uint32_t live, waiting;
    struct asked { // a line that a load has missed, and the time when the line arrives
        uint64_t line, there;
    } * asked;        // [ASKED_FOR], indexed by line number modulo ASKED_FOR
    uint64_t arrived; // time when the last warp arrived at the barrier
    uint64_t freed;   // time when the last warp of the place's block ended
    uint64_t begin;   // time when the place's block started
    uint64_t which;   // index of the block's record
    int64_t shift;    // by how much later the place's blocks would have ended with even records (note_end())
    uint64_t path;    // largest chain of a warp that arrived at a barrier
    uint64_t chain;   // largest chain of the block's ended warps
};

struct server {
    uint64_t free; // time until which the server is busy
};

struct partition { // a scheduler and its pipes
    struct server slot, alu, multiply, wide, special, flt[FLOAT_PIPES_MAX];
};

struct machine {
    const struct replay *r;
    const struct sim_program *program;
    const uint64_t *stretch;                   // [r->slots]: see stretches()
    uint32_t warps, slots, places, schedulers; // `warps`: of a block; the others: of the multiprocessor
    struct warp_state runner[RESIDENT_MAX];
    uint64_t when[RESIDENT_MAX]; // earliest time when the warp could issue; NEVER: the warp waits at a barrier, or the
                                 // slot is empty
    uint64_t soonest[RESIDENT_MAX / FEW]; // minimum of `when` in each group of FEW slots
    struct place place[RESIDENT_MAX];
    struct partition partition[SCHEDULERS_MAX];
    struct server lsu, lanes, matches, from_l2, to_l2, dram, atomic;
    uint32_t *due_miss, *due_far; // [nops]: fractions of REPLAY_WHOLE carried over by is_due()
    uint64_t *spent;              // [nops]: time of all warps at an op, the wait for its results included
    uint64_t *done;               // [nops]: executions of an op
    uint64_t chain;               // sum of the ended blocks' chains
    uint32_t first;               // scheduler for the first warp of the next block
    uint64_t dram_busy, dram_at;  // work of DRAM in the past, which fades; the time to which it has faded
    uint64_t turn;                // index of the recorded block that starts first
    uint64_t next_start, started, ended, ops;
    uint64_t end, half_end, half; // end of the last block; end of block number `half`
    uint64_t even_end;            // end of the last block if the blocks' records were even
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// Adds a request that takes the time `work` to the unit `s`, which warps share, such as a pipe. The unit `s` begins
// with the request when its earlier requests are done, but not before the time `at`. Returns the time when the unit `s`
// begins with the request.
static uint64_t serve(struct server *s, uint64_t at, uint64_t work)
{
    uint64_t begin = later(s->free, at);
    s->free = begin + work;
    return begin;
}

// Returns the earliest time at which the unit `s`, such as the LSU, needs at most the time `work` to finish all
// requests that it has accepted.
static uint64_t free_but(const struct server *s, uint64_t work)
{
    return s->free > work ? s->free - work : 0;
}

static void set_when(struct machine *m, uint32_t k, uint64_t at)
{
    const uint64_t *few = &m->when[k / FEW * FEW];
    uint64_t soonest = NEVER;
    m->when[k] = at;
    for (uint32_t i = 0; i < FEW; i++) soonest = few[i] < soonest ? few[i] : soonest;
    m->soonest[k / FEW] = soonest;
}

// ---------------------------------------------------------------- blocks

// Finds the next op of the recorded sequence of consecutive ops (struct trace_run) that the warp executes now. Looks
// for the warp's next op in the order of struct schedule, from position `at` on. Sets the field `at` of the struct
// warp_state to the position of the warp's next op. Returns 1, or 0 if the recorded sequence of ops has no more ops.
static int find_place(const struct machine *m, struct warp_state *r, uint32_t at)
{
    const struct schedule *s = m->r->schedule;
    const struct trace_run *run = &r->trace->run[r->run];
    for (uint32_t last = s->last[run->op + run->length - 1]; at <= last; at++) {
        if (s->op[at] < run->op || s->op[at] >= run->op + run->length) continue;
        r->at = at;
        return 1;
    }
    return 0;
}

static void enter_run(const struct machine *m, struct warp_state *r)
{
    if (r->trace->count > r->run) find_place(m, r, m->r->schedule->first[r->trace->run[r->run].op]);
}

// Starts the next warp of recorded block number `which` in the multiprocessor's warp slot number `slot`.
static void start_warp(struct machine *m, uint32_t slot, uint32_t place, uint64_t which, uint64_t begin)
{
    struct warp_state *r = &m->runner[slot];
    uint32_t w = m->place[place].live++;
    *r = (struct warp_state){.trace = &m->r->slot[which]->warp[w],
                             .place = place,
                             .partition = &m->partition[(m->first + w) % m->schedulers],
                             .value = r->value};
    memset(r->value, 0, m->program->plan->nregs * sizeof *r->value);
    set_when(m, slot, begin + m->r->life);
    enter_run(m, r);
}

// Returns the index of the block place (the room for one resident block) that has been free for the longest time.
// Returns m->places if no block place is free.
static uint32_t free_place(const struct machine *m)
{
    uint32_t best = m->places;
    for (uint32_t k = 0; k < m->places; k++)
        if (!m->place[k].live && (best == m->places || m->place[k].freed < m->place[best].freed)) best = k;
    return best;
}

// Starts the next block if the multiprocessor has room for the block. Returns 1 if the block starts, or 0 if there is
// no room. A warp slot is free again as soon as its warp ends. A block's place (its shared memory, its registers and
// its entry in the multiprocessor's list of blocks) is free again when all warps of the block have ended.
static int start_block(struct machine *m)
{
    uint32_t slot[RESIDENT_MAX], n = 0, place = free_place(m);
    if (place == m->places) return 0;
    uint64_t begin = later(m->place[place].freed, m->next_start);
    for (uint32_t k = 0; k < m->slots && n < m->warps; k++)
        if (!m->runner[k].trace) slot[n++] = k;
    if (n < m->warps) return 0;
    for (uint32_t i = 0; i < n; i++) begin = later(begin, m->runner[slot[i]].stored);
    m->next_start = begin + m->r->start;
    struct asked *asked = m->place[place].asked;
    memset(asked, 0, ASKED_FOR * sizeof *asked);
    uint64_t which = (m->turn + m->started) % m->r->slots;
    m->place[place] = (struct place){.asked = asked, .begin = begin, .which = which, .shift = m->place[place].shift};
    for (uint32_t i = 0; i < n; i++) start_warp(m, slot[i], place, which, begin);
    m->first = (m->first + m->warps + (m->warps % m->schedulers == 0)) % m->schedulers;
    m->started++;
    return 1;
}

static void start_blocks(struct machine *m)
{
    uint64_t enough = (uint64_t)GENERATIONS * m->slots / m->warps;
    while (m->started < m->r->blocks && (m->ops < OPS_MOST || m->ended < enough) && start_block(m)) continue;
}

static void release_barrier(struct machine *m, uint32_t place)
{
    struct place *p = &m->place[place];
    uint64_t at = p->arrived + m->r->barrier;
    for (uint32_t k = 0; k < m->slots; k++) {
        struct warp_state *r = &m->runner[k];
        if (r->place != place || m->when[k] != NEVER || !r->trace) continue;
        set_when(m, k, at);
        r->chain = p->path;
        m->spent[r->barrier] += at - r->since;
    }
    p->waiting = 0;
}

// Notes when the place's block would have ended if the records of all blocks held the same part of their ops. Of blocks
// that do the same, one record may hold a slice more than another (trace.h), and the last end counts.
static void note_end(struct machine *m, struct place *p)
{
    uint64_t took = p->freed - p->begin;
    uint64_t even = (uint64_t)((unsigned __int128)took * m->stretch[p->which] >> STRETCH_BITS);
    p->shift += (int64_t)(even - took);
    m->even_end = later(m->even_end, p->freed + (uint64_t)p->shift);
}

static void end_warp(struct machine *m, uint32_t k, uint64_t at)
{
    struct warp_state *r = &m->runner[k];
    struct place *p = &m->place[r->place];
    r->stored = later(r->stored, at);
    p->freed = later(p->freed, r->stored);
    p->chain = later(p->chain, r->chain);
    set_when(m, k, NEVER);
    r->trace = NULL;
    if (--p->live) {
        if (p->waiting && p->waiting == p->live) release_barrier(m, r->place);
    } else {
        m->ended++;
        m->chain += p->chain;
        m->end = later(m->end, p->freed);
        note_end(m, p);
        if (m->ended == m->half) m->half_end = m->end;
    }
    start_blocks(m);
}

// ---------------------------------------------------------------- ops

static struct server *pipe_of(struct machine *m, struct partition *p, uint32_t pipe)
{
    struct server *first = &p->flt[0];
    switch (pipe) {
    case REPLAY_ALU:
        return &p->alu;
    case REPLAY_MUL:
        return first; // integer multiplications use one of the float pipes
    case REPLAY_FLOAT:
        for (uint32_t k = 1; k < m->r->float_pipes; k++)
            if (p->flt[k].free <= first->free) first = &p->flt[k];
        return first;
    case REPLAY_EITHER:
        return p->alu.free <= first->free ? &p->alu : first;
    case REPLAY_DOUBLE:
        return &p->wide;
    case REPLAY_SPECIAL:
        return &p->special;
    default:
        return NULL;
    }
}

// Returns 1 in `share` of every REPLAY_WHOLE calls, evenly spread, and otherwise 0. `*due` sums up `share` over the
// calls, and a call that returns 1 subtracts REPLAY_WHOLE from `*due`.
static int is_due(uint32_t *due, uint32_t share)
{
    *due += share;
    if (*due < REPLAY_WHOLE) return 0;
    *due -= REPLAY_WHOLE;
    return 1;
}

// Returns how long a request to DRAM, which takes `work` of its time, waits because others come irregularly: the
// waiting time of a queue with one server (Pollaczek and Khinchine, M/D/1). The server of struct machine knows only one
// multiprocessor's requests, which come in the replay's even order. On an H200, loads wait longer the busier DRAM is,
// and three times as long if as much is written as read (device/profiles/h200.def).
static uint64_t queued(struct machine *m, uint64_t at, uint64_t work)
{
    uint64_t span = m->r->dram_span, past = at > m->dram_at ? at - m->dram_at : 0;
    if (!m->r->dram_queue || !span) return 0;
    m->dram_busy -= past < span ? m->dram_busy * past / span : m->dram_busy;
    m->dram_at += past;
    m->dram_busy += work;
    uint64_t busy = m->dram_busy < span / 4 * 3 ? m->dram_busy : span / 4 * 3; // above this, the server's rate decides
    return m->r->dram_queue * busy / (2 * (span - busy));
}

// Sends a request from the multiprocessor to the L2 and, for a part of the requests, to DRAM. Returns the time when the
// request's results are available.
static uint64_t beyond(struct machine *m, uint32_t index, const struct replay_op *o, uint64_t at)
{
    int far = is_due(&m->due_far[index], o->far);
    uint64_t there = serve(o->is_load ? &m->from_l2 : &m->to_l2, at, o->l2) + o->l2;
    if (far && o->dram) there = later(there, serve(&m->dram, at, o->dram) + o->dram) + queued(m, at, o->dram);
    if (o->atomic) there = later(there, serve(&m->atomic, at, o->atomic) + o->atomic);
    return there + (far ? o->dram_latency : o->l2_latency);
}

// Returns the trace's record of the load that the warp executes now, or NULL if the warp loads nothing in this
// execution of the op.
static const struct trace_load *load_of(struct warp_state *r, uint32_t index)
{
    const struct trace_warp *t = r->trace;
    if (r->load + 1 < t->loads && t->load[r->load].op != index && t->load[r->load + 1].op == index) r->load++;
    if (r->load >= t->loads || t->load[r->load].op != index) return NULL;
    return &t->load[r->load++];
}

static uint64_t load_global(struct machine *m, struct warp_state *r, uint32_t index, const struct replay_op *o,
                            uint64_t at)
{
    const struct trace_load *load = load_of(r, index);
    if (!load) return at;
    uint64_t done = serve(&m->lsu, at, o->lsu) + o->lsu;
    struct asked *asked = &m->place[r->place].asked[load->line % ASKED_FOR];
    if (load->missed) {
        done = beyond(m, index, o, done);
        *asked = (struct asked){.line = load->line, .there = done};
        return done;
    }
    done += o->latency;
    return asked->line == load->line ? later(done, asked->there) : done;
}

// Sends a memory op through the LSU and the units behind the LSU. Returns the time when the op's results are available.
static uint64_t through_memory(struct machine *m, struct warp_state *r, uint32_t index, const struct replay_op *o,
                               uint64_t at)
{
    if (o->is_load) return load_global(m, r, index, o, at);
    uint64_t done = serve(&m->lsu, at, o->lsu) + o->lsu;
    if (o->lane) done = later(done, serve(&m->lanes, done, o->lane) + o->lane);
    if (!o->missing || !is_due(&m->due_miss[index], o->missing)) return done + o->latency;
    done = beyond(m, index, o, done);
    r->stored = later(r->stored, done);
    return done;
}

// Returns the earliest time when the memory system accepts another memory op.
static uint64_t taken(const struct machine *m, const struct replay_op *o)
{
    uint64_t at = free_but(&m->lsu, m->r->lsu_queue);
    uint64_t behind = o->missing ? later(o->is_load ? m->from_l2.free : m->to_l2.free,
                                         later(o->dram ? m->dram.free : 0, o->atomic ? m->atomic.free : 0))
                                 : 0;
    return later(at, behind > m->r->memory_queue ? behind - m->r->memory_queue : 0);
}

static const struct sim_op *op_at(const struct machine *m, const struct warp_state *r)
{
    return &m->program->op[m->r->schedule->op[r->at]];
}

// Returns the time, at least `at`, when all operands of the warp's next op are available. Adds the time that the warp
// waits for its operands, from `at` on, to the entry in m->spent of the op that computes the last available operand.
static uint64_t operands(struct machine *m, const struct warp_state *r, uint64_t at)
{
    const struct sim_op *op = op_at(m, r);
    const uint32_t *use = &m->program->plan->use[op->regs];
    const struct value *last = &r->value[0];     // register 0 stands for no register; its value is always available
    for (uint32_t i = 0; i <= op->nsources; i++) // the guard is the first operand
        if (r->value[use[i]].there > last->there) last = &r->value[use[i]];
    if (last->there <= at) return at;
    m->spent[last->op] += last->there - at;
    return last->there;
}

static void step(struct machine *m, uint32_t k)
{
    struct warp_state *r = &m->runner[k];
    if (!r->trace->count) { // the launch was stopped before the warp ran
        end_warp(m, k, m->when[k]);
        return;
    }
    const struct sim_op *op = op_at(m, r);
    uint32_t index = (uint32_t)(op - m->program->op);
    const struct replay_op *o = &m->r->op[index];
    struct partition *partition = r->partition;
    uint64_t from = m->when[k], at = serve(&partition->slot, from, o->issue);
    struct server *pipe = pipe_of(m, partition, o->pipe);
    if (pipe && o->busy) at = serve(pipe, at, o->busy);
    if (o->match) at = later(at, free_but(&m->matches, m->r->lsu_queue));
    uint64_t done = (o->match ? serve(&m->matches, at, o->match) : at) + o->latency;
    if (o->lsu || o->missing) {
        at = later(at, taken(m, o));
        done = through_memory(m, r, index, o, at);
    }
    const uint32_t *result = &m->program->plan->use[op->regs + 1 + op->nsources];
    for (uint32_t i = 0; i < op->ndests; i++)
        if (result[i]) r->value[result[i]] = (struct value){.there = done, .op = index};
    m->ops++;
    r->chain++;
    m->done[index]++;
    at += o->issue + o->wait;
    m->spent[index] += at - from;
    if (!find_place(m, r, r->at + 1)) r->run++, enter_run(m, r);
    if (o->is_barrier) {
        struct place *p = &m->place[r->place];
        p->arrived = later(p->arrived, at) + m->r->arrive;
        p->path = later(p->path, r->chain);
        p->waiting++;
        set_when(m, k, NEVER);
        r->since = at;
        r->barrier = index;
        if (r->run == r->trace->count) {
            p->waiting--;
            end_warp(m, k, at);
        } else if (p->waiting == p->live) {
            release_barrier(m, r->place);
        }
        return;
    }
    if (r->run == r->trace->count)
        end_warp(m, k, at);
    else
        set_when(m, k, operands(m, r, at));
}

// Returns the slot of the warp that can issue first, or RESIDENT_MAX if no warp can issue.
static uint32_t first_warp(const struct machine *m)
{
    uint64_t best = NEVER;
    uint32_t k = RESIDENT_MAX;
    for (uint32_t few = 0; few < RESIDENT_MAX / FEW; few++)
        if (m->soonest[few] < best) best = m->soonest[few], k = few * FEW;
    if (k < RESIDENT_MAX)
        while (m->when[k] != best) k++;
    return k;
}

static void run_all(struct machine *m)
{
    for (;;) {
        uint32_t k = first_warp(m);
        if (k < RESIDENT_MAX) {
            step(m, k);
            continue;
        }
        // No warp can issue, because all warps wait at barriers. The recorded ops do not show how many warps a barrier
        // waits for, so the replay lets all barriers release their warps when no warp can issue.
        uint32_t waiting = 0;
        for (uint32_t place = 0; place < m->places; place++) {
            waiting += m->place[place].waiting;
            if (m->place[place].waiting) release_barrier(m, place);
        }
        if (!waiting) break;
    }
}

// ---------------------------------------------------------------- the whole

// Holds sums over several replays of a launch, such as the sum of their times.
struct sum {
    uint64_t *spent, *done; // [nops]: as in struct machine
    uint64_t time, turns;   // sum of the times of the replays; number of replays
    uint64_t chain, ended;
};

// Returns the mean time that a warp spends at an execution of op `k`, including the wait for the op's results.
static uint64_t mean_spent(const struct replay *r, const struct sum *sum, uint32_t k)
{
    const struct replay_op *o = &r->op[k];
    if (sum->done[k]) return sum->spent[k] / sum->done[k];
    uint64_t latency = !o->missing ? o->latency : o->far ? o->dram_latency : o->l2_latency;
    return o->issue + o->wait + latency + (o->is_barrier ? r->barrier : 0);
}

// Returns the part of the warps' time, in thousandths, that belongs to unseen executions, i.e. executions of ops that
// the record does not represent.
static uint32_t unseen(const struct replay *r, const struct sum *sum)
{
    enum { SELDOM = 4 };
    unsigned __int128 all = 0, missing = 0;
    uint64_t ran = 0, seen = 0;
    for (uint32_t k = 0; k < r->launch->nops; k++) {
        ran += r->ran[k];
        seen += sum->done[k];
    }
    for (uint32_t k = 0; k < r->launch->nops; k++) {
        uint64_t mean = mean_spent(r, sum, k);
        uint64_t promised = seen ? (uint64_t)((unsigned __int128)sum->done[k] * SELDOM * ran / seen) : 0;
        all += (unsigned __int128)mean * r->ran[k];
        if (r->ran[k] > promised && !r->apart[k]) missing += (unsigned __int128)mean * (r->ran[k] - promised);
    }
    return all ? (uint32_t)(missing * 1000 / all) : 0;
}

// Returns the estimated time of the launch: the mean time of the replays, scaled from the replayed blocks to all blocks
// as the head of this file explains. Stores in replay.spent, unless it is NULL, the time that the warps of
// replay.ran_blocks blocks spent at each op.
static uint64_t scaled_to_ran(const struct replay *r, const struct sum *sum)
{
    unsigned __int128 ran = 0, replayed = 0; // time of warps: of ran_blocks blocks, and of the replayed blocks
    for (uint32_t k = 0; k < r->launch->nops; k++) {
        uint64_t mean = mean_spent(r, sum, k);
        ran += (unsigned __int128)mean * r->ran[k];
        replayed += (unsigned __int128)mean * sum->done[k];
        if (r->spent) r->spent[k] = mean * r->ran[k];
    }
    uint64_t time = sum->time / sum->turns;
    if (!replayed) return time;
    unsigned __int128 work = (ran << 16) / replayed * sum->ended / r->ran_blocks;
    unsigned __int128 chain = sum->chain ? ((unsigned __int128)r->chain << 16) * sum->ended / sum->chain : 0;
    return (uint64_t)(time * (work > chain ? work : chain) >> 16);
}

static uint32_t resident_blocks(const struct replay *r, uint32_t warps)
{
    uint32_t resident = r->launch->blocks_per_sm ? r->launch->blocks_per_sm : 1;
    while (resident > 1 && resident * warps > RESIDENT_MAX) resident--;
    return resident > r->blocks ? (uint32_t)r->blocks : resident;
}

// Replays the blocks of one multiprocessor once, starting with recorded block number `turn`, and adds the results to
// *sum.
static void run_once(const struct replay *r, uint64_t turn, const uint64_t *stretch, struct sum *sum)
{
    const struct sim_launch *l = r->launch;
    struct machine *m = alloc_zeroed(1, sizeof *m);
    m->r = r;
    m->program = l->program;
    m->turn = turn;
    m->stretch = stretch;
    m->spent = sum->spent;
    m->done = sum->done;
    m->warps = l->warps;
    m->schedulers = (uint32_t)l->device->schedulers;
    if (m->schedulers < 1 || m->schedulers > SCHEDULERS_MAX) m->schedulers = 1;
    uint32_t resident = resident_blocks(r, m->warps), nregs = l->program->plan->nregs;
    m->slots = resident * m->warps;
    m->places = l->places_per_sm > resident ? l->places_per_sm : resident;
    m->half = resident;
    m->due_miss = alloc_zeroed(l->nops, sizeof *m->due_miss);
    m->due_far = alloc_zeroed(l->nops, sizeof *m->due_far);
    struct value *value = alloc_zeroed((size_t)m->slots * nregs, sizeof *value);
    for (uint32_t k = 0; k < RESIDENT_MAX; k++) m->when[k] = m->soonest[k / FEW] = NEVER;
    for (uint32_t k = 0; k < m->slots; k++) m->runner[k].value = value + (size_t)k * nregs;
    struct asked *asked = alloc_zeroed((size_t)m->places * ASKED_FOR, sizeof *asked);
    for (uint32_t place = 0; place < m->places; place++) m->place[place].asked = asked + (size_t)place * ASKED_FOR;
    start_blocks(m);
    run_all(m);
    uint64_t time = m->ended < r->blocks ? m->end : m->even_end;
    if (m->ended < r->blocks && m->ended > m->half)
        time += (uint64_t)((unsigned __int128)(m->end - m->half_end) * (r->blocks - m->ended) / (m->ended - m->half));
    sum->time += time;
    sum->turns++;
    sum->chain += m->chain;
    sum->ended += m->ended;
    free(value);
    free(asked);
    free(m->due_miss);
    free(m->due_far);
    free(m);
}

// Sets stretch[k] to the ops that block k executed for each op of its record, divided by the same quotient of all
// recorded blocks together, in 2^-STRETCH_BITS.
static void stretches(const struct replay *r, uint64_t stretch[])
{
    uint64_t all[TRACE_SLOTS], kept[TRACE_SLOTS], whole = 0, recorded = 0;
    for (uint32_t k = 0; k < r->slots; k++) {
        trace_ops(r->slot[k], &all[k], &kept[k]);
        whole += all[k];
        recorded += kept[k];
    }
    for (uint32_t k = 0; k < r->slots; k++)
        stretch[k] =
            (uint64_t)(((unsigned __int128)all[k] * recorded << STRETCH_BITS) / ((unsigned __int128)kept[k] * whole));
}

uint64_t replay_run(const struct replay *r)
{
    if (!r->slots || !r->blocks) return 0;
    uint64_t stretch[TRACE_SLOTS];
    stretches(r, stretch);
    uint32_t nops = r->launch->nops;
    struct sum sum = {.spent = alloc_zeroed(nops, sizeof *sum.spent), .done = alloc_zeroed(nops, sizeof *sum.done)};
    for (uint64_t turn = 0; turn < r->slots; turn += r->blocks) run_once(r, turn, stretch, &sum);
    uint64_t time = scaled_to_ran(r, &sum);
    if (r->unseen) *r->unseen = unseen(r, &sum);
    free(sum.spent);
    free(sum.done);
    return time;
}
