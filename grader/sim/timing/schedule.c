// Finds the order in which a device executes the ops of a basic block; schedule.h states the contracts.
//
// Purpose. A device does not execute PTX in program order. The compiler ptxas moves the loads of a basic block up and
// the uses of the loaded values down, so that several loads wait at the same time. An in-order replay of the PTX would
// wait for each load in turn.
//
// Technique: list scheduling (Gibbons and Muchnick, 1986). Among the ops whose predecessors are all placed, the
// scheduler places the op that can start first. If several ops can start at the same time, the scheduler takes the op
// with the longest path to the block's end. Dependences through registers and memory make one op the predecessor of
// another. A load stays behind a store to the same space that could write the same address. Without __restrict__ or
// const data, ptxas must assume that a store and a load alias, unless both use different offsets from the same base
// register. No op moves across a barrier, a fence, an atomic or a branch. A load for whose values no
// registers are free waits until ops have read others (pressure.h).
//
// The compiler ptxas removes a branch that skips only a few ops. The condition of a removed branch becomes the guard of
// the skipped ops, and the ops around the removed branch become one block (if-conversion; Mahlke et al., MICRO 1992).
// SASS has seven predicate registers for guards, P0 to P6. A guarded body consists of the skipped ops of one removed
// branch, and all its ops have the same guard. If a kernel has more than seven guarded bodies (groups of ops under one
// guard) with loads and a sum of the loaded values, the predicate registers do not suffice for all guards. The compiler
// ptxas keeps guards for which no predicate register is left in ordinary registers. If guards are in ordinary
// registers, ptxas 13.0.88 overlaps the loads of only two guarded bodies (groups of ops under one guard) at a time. In
// kernels with up to six guarded bodies, ptxas starts the loads of all guarded bodies before their other ops. (Source:
// SASS of loops with 1 to 16 bodies `if (r < M && c < N) sum += a[r] * b[c]`, with one load and with two loads in each
// body.)
#include "sim/timing/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/instruction.h"
#include "sim/core/op.h"
#include "sim/core/plan.h"
#include "sim/core/warp.h"
#include "sim/timing/pressure.h"

enum {
    LARGEST = 1 << 13, // maximum number of ops of a region that are reordered
    SKIPPED = 12,      // maximum number of ops that a branch may skip to become a guard
    STORES = 64,       // maximum number of stores that are tracked separately
    GUARDS = 7,        // number of guard registers
    BODIES = 2,        // number of bodies that overlap if there are more than GUARDS guards
};

struct edge {
    uint32_t to, next; // next: index + 1 of the next edge of the same op; 0: none
    uint32_t delay;
};

struct node {
    uint32_t first, preds; // index + 1 of the first edge; number of predecessors not yet placed
    uint64_t height, earliest;
    uint8_t placed;
};

// Holds the latest boundary of a scheduling region, i.e. the latest op that no op may cross. After the boundary, struct
// last also holds the latest warp operation, such as a shuffle, and the latest load from outside shared memory. Each
// field of struct last is the op's index in the scheduling region plus one, or 0 if there is no such op so far.
struct last {
    uint32_t boundary, collective, global_load;
};

// Describes the bytes that a store writes, as offsets from a base register. The scheduler tracks a store until the next
// op that no memory op may cross.
struct store {
    uint32_t node, base, writer; // base register; writer: op that wrote the base, plus one
    int64_t first, end;
    int shared;
};

struct scheduler {
    const struct sim_program *program;
    const struct replay_op *cost;
    uint32_t start, n;
    struct node *node; // [n]
    struct edge *edge;
    uint32_t nedges, capacity;
    uint32_t *writer; // [nregs]: last op that writes the register, plus one
    uint32_t *reader; // [nregs]: index + 1 into `reads`: the list of ops that read the register since its last write
    struct read {
        uint32_t node, next;
    } * reads;
    uint32_t nreads, reads_capacity;
    struct pressure *pressure;
    struct last last;
    struct store store[STORES];
    uint32_t nstores;
    uint32_t guard, guarded; // the condition of a short branch, and the first op after the skipped ops
};

static void add_edge(struct scheduler *s, uint32_t from, uint32_t to, uint32_t delay)
{
    if (from == to) return;
    ALLOC_GROW(s->edge, s->capacity, s->nedges + 1);
    s->edge[s->nedges++] = (struct edge){.to = to, .next = s->node[from].first, .delay = delay};
    s->node[from].first = s->nedges;
    s->node[to].preds++;
}

// ---------------------------------------------------------------- who must come first

static uint32_t result_delay(const struct scheduler *s, uint32_t i)
{
    const struct replay_op *o = &s->cost[s->start + i];
    uint32_t delay = o->is_load && o->missing ? o->l2_latency : o->latency;
    return delay > o->issue ? delay : o->issue;
}

static void by_registers(struct scheduler *s, uint32_t i)
{
    const struct sim_op *op = &s->program->op[s->start + i];
    const uint32_t *use = &s->program->plan->use[op->regs];
    if (s->guard && s->start + i < s->guarded && s->writer[s->guard])
        add_edge(s, s->writer[s->guard] - 1, i, result_delay(s, s->writer[s->guard] - 1));
    for (uint32_t k = 0; k < 1u + op->nsources; k++) {
        uint32_t reg = use[k];
        if (!reg) continue;
        if (s->writer[reg]) add_edge(s, s->writer[reg] - 1, i, result_delay(s, s->writer[reg] - 1));
        ALLOC_GROW(s->reads, s->reads_capacity, s->nreads + 1);
        s->reads[s->nreads++] = (struct read){.node = i, .next = s->reader[reg]};
        s->reader[reg] = s->nreads;
    }
    for (uint32_t k = 1u + op->nsources; k < 1u + op->nsources + op->ndests; k++) {
        uint32_t reg = use[k];
        if (!reg) continue;
        for (uint32_t r = s->reader[reg]; r; r = s->reads[r - 1].next) add_edge(s, s->reads[r - 1].node, i, 0);
        if (s->writer[reg]) add_edge(s, s->writer[reg] - 1, i, 0);
        s->writer[reg] = i + 1;
        s->reader[reg] = 0;
    }
}

// Returns the target of branch `k` if ptxas turns the branch into the guard of the ops that it skips. Returns 0 if op
// `k` is not a branch, or if ptxas keeps the branch.
static uint32_t skips_to(const struct scheduler *s, uint32_t k)
{
    const struct sim_op *op = &s->program->op[k];
    if (op->role != ROLE_BRANCH || !op->guard || op->f <= k + 1 || op->f > k + 1 + SKIPPED) return 0;
    for (uint32_t i = k + 1; i < op->f; i++)
        if (s->program->info[i].pipe == PIPE_CONTROL || s->cost[i].is_barrier || s->cost[i].wait) return 0;
    return op->f;
}

static int is_boundary(const struct scheduler *s, uint32_t i)
{
    uint32_t k = s->start + i;
    if (skips_to(s, k)) return 0;
    const struct sim_op_info *info = &s->program->info[k];
    const struct ptx_inst *inst = &s->program->module->func[info->func].inst[info->inst];
    if (instruction_does(inst, E_LOAD | E_STORE)) return inst->sem >= PTX_VOLATILE;
    if (instruction_does(inst, E_EXCHANGE)) return 0;
    return info->pipe == PIPE_LSU || info->pipe == PIPE_CONTROL || s->cost[k].is_barrier ||
           instruction_does(inst, E_CONVERGE);
}

static void after(struct scheduler *s, uint32_t before, uint32_t i)
{
    if (before) add_edge(s, before - 1, i, 0);
}

// Returns 1 if two memory accesses may touch the same bytes. Two memory accesses with the same base register do not
// alias if their byte ranges do not overlap.
static int may_alias(const struct store *a, const struct store *b)
{
    if (a->shared != b->shared) return 0;
    if (!a->base || a->base != b->base || a->writer != b->writer) return 1;
    return a->first < b->end && b->first < a->end;
}

static void behind_stores(struct scheduler *s, const struct store *access)
{
    for (uint32_t k = 0; k < s->nstores; k++)
        if (may_alias(&s->store[k], access)) add_edge(s, s->store[k].node, access->node, 0);
}

static void by_store(struct scheduler *s, const struct store *store)
{
    if (!store->shared) after(s, s->last.global_load, store->node);
    if (s->nstores < STORES) {
        behind_stores(s, store);
    } else { // later ops that must follow one of the tracked stores follow this store
        for (uint32_t k = 0; k < s->nstores; k++) add_edge(s, s->store[k].node, store->node, 0);
        s->nstores = 0;
    }
    s->store[s->nstores++] = *store;
}

static void by_memory(struct scheduler *s, uint32_t i)
{
    const struct sim_op *op = &s->program->op[s->start + i];
    const struct sim_op_info *info = &s->program->info[s->start + i];
    const struct ptx_inst *inst = &s->program->module->func[info->func].inst[info->inst];
    after(s, s->last.boundary, i);
    if (is_boundary(s, i)) {
        for (uint32_t k = s->last.boundary; k < i; k++) add_edge(s, k, i, 0);
        s->last = (struct last){.boundary = i + 1};
        s->nstores = 0;
        return;
    }
    if (instruction_does(inst, E_EXCHANGE)) {
        after(s, s->last.collective, i);
        s->last.collective = i + 1;
    }
    if (info->pipe != PIPE_LSU || op->hidden || !instruction_does(inst, E_LOAD | E_STORE)) return;
    const struct sim_memory_op *m = &s->program->plan->memory[op->side];
    uint32_t base = s->program->plan->use[op->regs + 1];
    struct store at = {.node = i,
                       .base = base,
                       .writer = s->writer[base],
                       .first = m->offset,
                       .end = m->offset + (int64_t)m->access.bytes * m->access.count,
                       .shared = inst->space == PTX_SHARED};
    if (instruction_does(inst, E_STORE))
        by_store(s, &at);
    else if (!m->access.nc)
        behind_stores(s, &at);
    if (instruction_does(inst, E_LOAD) && !at.shared) {
        after(s, s->last.global_load, i);
        s->last.global_load = i + 1;
    }
}

// ---------------------------------------------------------------- many guards

struct body { // the ops under one guard
    uint32_t first, end, guard;
};

static int reads_from(const struct scheduler *s, uint32_t to, uint32_t from)
{
    const struct sim_op *a = &s->program->op[from], *b = &s->program->op[to];
    const uint32_t *made = &s->program->plan->use[a->regs + 1 + a->nsources], *read = &s->program->plan->use[b->regs];
    for (uint32_t d = 0; d < a->ndests; d++)
        for (uint32_t k = 0; k <= b->nsources; k++)
            if (made[d] && made[d] == read[k]) return 1;
    return 0;
}

// Returns 1 if a guarded body (the ops under one guard) loads from global memory and also computes with the loaded
// value. If a guarded body computes with a value that it loads, the predicate register of its guard is in use from the
// load to the computation. Returns 0 if the guarded body only stores the value that it loads, because the store may run
// later under a guard of its own. For example, if eight guarded loads and stores copy the elements of a tile, ptxas
// places six loads first.
static int works_on_loads(const struct scheduler *s, const struct body *b)
{
    for (uint32_t load = b->first; load < b->end; load++)
        for (uint32_t k = load + 1; s->cost[load].is_load && k < b->end; k++)
            if (s->program->op[k].ndests && reads_from(s, k, load)) return 1;
    return 0;
}

// Finds the next guarded body (the ops under one guard), from op `from` on, that loads from global memory and computes
// with the loaded value. Returns 1, or 0 if no guarded body from op `from` on computes with a value that it loads from
// global memory.
static int next_body(const struct scheduler *s, uint32_t from, struct body *b)
{
    for (uint32_t k = from; k < s->start + s->n; k++) {
        b->end = skips_to(s, k);
        if (!b->end) continue;
        b->first = k + 1;
        b->guard = s->program->plan->use[s->program->op[k].regs];
        if (works_on_loads(s, b)) return 1;
    }
    return 0;
}

static int has_many_guards(const struct scheduler *s)
{
    uint32_t guard[GUARDS], n = 0;
    struct body b = {0};
    for (uint32_t from = s->start; next_body(s, from, &b); from = b.end) {
        uint32_t k = 0;
        while (k < n && guard[k] != b.guard) k++;
        if (k < n) continue;
        if (n == GUARDS) return 1;
        guard[n++] = b.guard;
    }
    return 0;
}

// Adds edges so that the n-th guarded body (the ops under one guard) begins only after body n - BODIES has ended.
static void by_guards(struct scheduler *s)
{
    struct body before[BODIES] = {{0}}, b;
    if (!has_many_guards(s)) return;
    for (uint32_t from = s->start, n = 0; next_body(s, from, &b); from = b.end, n++) {
        for (uint32_t i = before[n % BODIES].first; i < before[n % BODIES].end; i++)
            for (uint32_t k = b.first; k < b.end; k++) add_edge(s, i - s->start, k - s->start, 0);
        before[n % BODIES] = b;
    }
}

// ---------------------------------------------------------------- putting in order

static void heights(struct scheduler *s)
{
    for (uint32_t i = s->n; i-- > 0;) {
        struct node *node = &s->node[i];
        for (uint32_t e = node->first; e; e = s->edge[e - 1].next) {
            const struct edge *edge = &s->edge[e - 1];
            uint64_t way = edge->delay + s->node[edge->to].height;
            if (way > node->height) node->height = way;
        }
    }
}

// Returns 1 if op i is placed before op k at time `now`, where both could be: an op that finds registers for what it
// loads before one that does not, the one that can start first, and then the one with the longest path to the block's
// end.
static int is_before(const struct scheduler *s, uint32_t i, uint32_t k, uint64_t now)
{
    const struct node *a = &s->node[i], *b = &s->node[k];
    int fits = pressure_fits(s->pressure, i), other = pressure_fits(s->pressure, k);
    uint64_t x = a->earliest > now ? a->earliest : now, y = b->earliest > now ? b->earliest : now;
    if (fits != other) return fits;
    if (x != y) return x < y;
    return a->height > b->height || (a->height == b->height && i < k);
}

// Returns the index in `ready` of the op that is placed next in the schedule, at time `now`. `ready` has the ops whose
// predecessors are all placed.
static uint32_t choose(const struct scheduler *s, const uint32_t *ready, uint32_t n, uint64_t now)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < n; k++)
        if (is_before(s, ready[k], ready[best], now)) best = k;
    return best;
}

static void place_all(struct scheduler *s, uint32_t *ready, uint32_t *order)
{
    uint32_t n = 0;
    uint64_t now = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->node[i].preds) ready[n++] = i;
    for (uint32_t placed = 0; n; placed++) {
        uint32_t best = choose(s, ready, n, now), i = ready[best];
        struct node *node = &s->node[i];
        ready[best] = ready[--n];
        pressure_place(s->pressure, i);
        order[s->start + placed] = s->start + i;
        uint64_t at = node->earliest > now ? node->earliest : now;
        now = at + s->cost[s->start + i].issue;
        for (uint32_t e = node->first; e; e = s->edge[e - 1].next) {
            struct node *to = &s->node[s->edge[e - 1].to];
            if (at + s->edge[e - 1].delay > to->earliest) to->earliest = at + s->edge[e - 1].delay;
            if (!--to->preds) ready[n++] = s->edge[e - 1].to;
        }
    }
}

static void schedule_block(struct scheduler *s, uint32_t *ready, uint32_t *order)
{
    uint32_t nregs = s->program->plan->nregs;
    memset(s->node, 0, s->n * sizeof *s->node);
    memset(s->writer, 0, nregs * sizeof *s->writer);
    memset(s->reader, 0, nregs * sizeof *s->reader);
    memset(&s->last, 0, sizeof s->last);
    s->nstores = 0;
    s->nedges = s->nreads = 0;
    s->guard = s->guarded = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t to = skips_to(s, s->start + i);
        by_registers(s, i);
        by_memory(s, i);
        if (!to) continue;
        s->guarded = to;
        s->guard = s->program->plan->use[s->program->op[s->start + i].regs];
    }
    by_guards(s);
    heights(s);
    pressure_region(s->pressure, s->start, s->n);
    place_all(s, ready, order);
}

// Returns the number of ops of the scheduling region that begins at op `start`.
static uint32_t region(const struct scheduler *s, uint32_t start)
{
    uint32_t end = start;
    while (end < s->program->nops) {
        uint32_t length = s->program->op[end].length ? s->program->op[end].length : 1;
        uint32_t to = skips_to(s, end + length - 1);
        if (end + length + SKIPPED - start > LARGEST) return end > start ? end - start : length;
        end += length;
        if (!to) return end - start;
        while (end < to) end += s->program->op[end].length ? s->program->op[end].length : 1;
    }
    return s->program->nops - start;
}

void schedule_ops(struct schedule *out, const struct sim_program *p, const struct replay_op *cost)
{
    struct scheduler s = {.program = p, .cost = cost, .pressure = pressure_open(p, cost)};
    uint32_t *ready = alloc_array(LARGEST, sizeof *ready);
    s.node = alloc_array(LARGEST, sizeof *s.node);
    s.writer = alloc_array(p->plan->nregs + 1, sizeof *s.writer);
    s.reader = alloc_array(p->plan->nregs + 1, sizeof *s.reader);
    out->op = alloc_array(p->nops + 1, sizeof *out->op);
    out->first = alloc_array(p->nops + 1, sizeof *out->first);
    out->last = alloc_array(p->nops + 1, sizeof *out->last);
    for (uint32_t k = 0; k < p->nops; k += s.n) {
        s.start = k;
        s.n = region(&s, k);
        for (uint32_t i = k; i < k + s.n; i++) {
            out->op[i] = i;
            out->first[i] = k;
            out->last[i] = k + s.n - 1;
        }
        if (s.n > 2 && s.n <= LARGEST) schedule_block(&s, ready, out->op);
    }
    free(ready);
    free(s.node);
    free(s.edge);
    free(s.writer);
    free(s.reader);
    free(s.reads);
    pressure_close(s.pressure);
}

void schedule_free(struct schedule *s)
{
    free(s->op);
    free(s->first);
    free(s->last);
}
