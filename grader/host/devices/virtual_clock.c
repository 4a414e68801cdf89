// Implements the virtual clock of a host program as a discrete-event simulation of queues and engines.
//
// An operation is a copy, a fill or a kernel launch on a simulated device. The array `open` lists the operations that
// have not ended, in the order of issue. An operation is ready when all operations that it waits for have ended, but
// not earlier than queue_ns nanoseconds after the host issued the operation. A ready operation starts when its engine
// (a copy engine or the multiprocessors) is free. A copy engine executes one operation at a time. A kernel whose time
// is that of its accesses to the host's memory also needs the link of the copy engine in that direction, so that
// kernels and copies share one link. Further kernels start while a part of the device's multiprocessors is free. Among
// several ready operations, the operation of the highest stream priority starts first. Among ready operations of equal
// priority, the operation that became ready first starts first. A kernel runs at full speed if as many multiprocessors
// are free as the kernel can use. If fewer multiprocessors are free than the kernel can use, the kernel gets the free
// multiprocessors and runs slower in proportion. A kernel takes kernel_ns besides its work, in which another stream's
// kernel already has the multiprocessors: on an H200, a pipeline of 32 kernels of 43 us takes as long as one of 16
// kernels of 86 us, but for the first and the last copy (tests/truth/h200_streams16.txt). An event of the simulation is
// the moment when an operation becomes ready, leaves its engine or ends. Between two events, the speed of each
// operation is constant.
//
// The simulation runs ahead of the host's virtual time only when the host waits. An operation that the host issues at
// virtual time t can change only events after t. The simulated times therefore depend only on the sequence of the
// program's calls, not on the real time at which the program makes them.
//
// With several host threads, the virtual clock is a conservative parallel simulation (Chandy and Misra 1979). The
// library libcudart lets the host thread with the smallest virtual time act, and the simulation never passes that
// smallest time. A host thread that waits for operations does not count for the smallest virtual time. If host threads
// wait for operations, virtual_clock_progress() simulates until the wait of one of these threads is over.
//
// All arithmetic of the clock uses integers: work is counted in thousandths of a picosecond, rates in permille.
#include "host/devices/virtual_clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"

enum { FULL = 1000, DEVICES = 64, RUNNING_MOST = 128 };

enum op_state { OP_WAITING, OP_READY, OP_RUNNING, OP_DRAINING, OP_DONE };
struct op {
    uint64_t issue, ready, start, end;
    uint64_t left, drain; // remaining work, in ps * FULL; time from the end of the work to the end, in ps
    uint64_t *after;
    uint32_t nafter, demand, rate;
    int32_t priority;
    uint16_t device;
    uint8_t engine, direct, link[2], state;
};

struct host_thread {
    uint64_t host;  // the thread's virtual time in ps; the present thread's time is clock.host
    uint64_t *wait; // [nwait]: tickets of the operations that the thread waits for
    uint64_t nwait, wait_capacity;
};

struct virtual_clock {
    const struct device_profile *profile;
    uint64_t host, now;         // host: the present thread's time; now: the simulation's time; both in ps
    struct host_thread *thread; // [nthreads]
    uint64_t nthreads, threads_capacity;
    uint32_t present; // index of the present thread
    int shared;
    struct op *op; // [count + 1], indexed by ticket
    uint64_t count, capacity;
    uint64_t *open; // tickets of operations that have not ended, ascending
    uint64_t nopen, open_capacity;
};

struct virtual_clock *virtual_clock_new(const struct device_profile *profile)
{
    struct virtual_clock *c = alloc_zeroed(1, sizeof *c);
    c->profile = profile;
    ALLOC_GROW(c->op, c->capacity, 1);
    c->op[0] = (struct op){.state = OP_DONE};
    ALLOC_GROW(c->thread, c->threads_capacity, 1);
    c->thread[c->nthreads++] = (struct host_thread){.host = 0};
    return c;
}

void virtual_clock_free(struct virtual_clock *c)
{
    if (!c) return;
    for (uint64_t i = 0; i < c->nopen; i++) free(c->op[c->open[i]].after);
    for (uint64_t i = 0; i < c->nthreads; i++) free(c->thread[i].wait);
    free(c->thread);
    free(c->op);
    free(c->open);
    free(c);
}

uint64_t virtual_clock_bytes_ps(uint64_t bytes, int64_t mbs)
{
    return mbs > 0 ? (uint64_t)((unsigned __int128)bytes * 1000000 / (uint64_t)mbs) : 0;
}

// ---------------------------------------------------------------- one step

static void make_ready(struct virtual_clock *c, struct op *o)
{
    for (uint32_t i = 0; i < o->nafter; i++) {
        const struct op *before = &c->op[o->after[i]];
        if (before->state != OP_DONE) return;
        if (before->end > o->ready) o->ready = before->end;
    }
    o->state = OP_READY;
    free(o->after);
    o->after = NULL;
}

// Ends the work of an operation, which leaves its engine, and the operation itself unless it still drains.
static void end(struct op *o, uint64_t at)
{
    o->end = at + o->drain;
    o->state = o->drain ? OP_DRAINING : OP_DONE;
}

// Holds the load of a device: its running operations, the running copies to or from pinned memory, and the share of the
// multiprocessors that its kernels can use.
struct load {
    uint32_t running[CLOCK_ENGINES], direct[CLOCK_ENGINES], demand;
};

static int can_start(const struct op *o, const struct load *l)
{
    for (int way = CLOCK_WRITE; way <= CLOCK_READ; way++)
        if (o->link[way] && l->running[way]) return 0;
    if (o->engine == CLOCK_COMPUTE) return l->demand < FULL && l->running[CLOCK_COMPUTE] < RUNNING_MOST;
    return !l->running[o->engine];
}

static void add_load(const struct op *o, struct load *l)
{
    l->running[o->engine]++;
    for (int way = CLOCK_WRITE; way <= CLOCK_READ; way++) {
        l->running[way] += o->link[way];
        l->direct[way] += o->link[way];
    }
    l->direct[o->engine] += o->direct;
    if (o->engine == CLOCK_COMPUTE) l->demand += o->demand;
}

// Returns the operation to start next among the ready operations whose engine can take another operation, or NULL.
static struct op *next_start(struct virtual_clock *c, const struct load load[])
{
    struct op *best = NULL;
    for (uint64_t i = 0; i < c->nopen; i++) {
        struct op *o = &c->op[c->open[i]];
        if (o->state != OP_READY || o->ready > c->now || !can_start(o, &load[o->device])) continue;
        if (!best || o->priority < best->priority || (o->priority == best->priority && o->ready < best->ready))
            best = o;
    }
    return best;
}

// Starts all operations that can start now, and sets the rate (speed in permille) of each running operation.
static void settle(struct virtual_clock *c)
{
    struct load load[DEVICES] = {0};
    for (uint64_t i = 0; i < c->nopen; i++) {
        struct op *o = &c->op[c->open[i]];
        if (o->state == OP_WAITING) make_ready(c, o);
        if (o->state == OP_RUNNING) add_load(o, &load[o->device]);
        if (o->state != OP_READY || o->engine != CLOCK_NONE || o->ready > c->now) continue;
        o->start = o->ready;
        end(o, o->ready);
    }
    for (struct op *o; (o = next_start(c, load));) {
        o->state = OP_RUNNING;
        o->start = c->now;
        add_load(o, &load[o->device]);
    }
    uint32_t free_share[DEVICES];
    for (int d = 0; d < DEVICES; d++) free_share[d] = FULL;
    for (uint64_t i = 0; i < c->nopen; i++) {
        struct op *o = &c->op[c->open[i]];
        if (o->state != OP_RUNNING) continue;
        const struct load *l = &load[o->device];
        int both = o->direct && l->direct[CLOCK_WRITE] && l->direct[CLOCK_READ];
        o->rate = both ? (uint32_t)c->profile->host_duplex : FULL;
        if (o->engine != CLOCK_COMPUTE) continue;
        uint32_t share = o->demand < free_share[o->device] ? o->demand : free_share[o->device];
        free_share[o->device] -= share;
        o->rate = share * o->rate / o->demand;
    }
}

// Stores in *at the next time at which an operation becomes ready or ends. Returns 1, or 0 if no operation will become
// ready or end.
static int next_event(const struct virtual_clock *c, uint64_t *at)
{
    int found = 0;
    for (uint64_t i = 0; i < c->nopen; i++) {
        const struct op *o = &c->op[c->open[i]];
        uint64_t when;
        if (o->state == OP_RUNNING && o->rate)
            when = c->now + (o->left + o->rate - 1) / o->rate;
        else if (o->state == OP_DRAINING)
            when = o->end;
        else if (o->state == OP_READY && o->ready > c->now)
            when = o->ready;
        else
            continue;
        if (!found || when < *at) *at = when;
        found = 1;
    }
    return found;
}

static void pass(struct virtual_clock *c, uint64_t until)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < c->nopen; i++) {
        struct op *o = &c->op[c->open[i]];
        if (o->state == OP_RUNNING) {
            uint64_t done = (until - c->now) * o->rate;
            o->left = done < o->left ? o->left - done : 0;
            if (!o->left) end(o, until);
        } else if (o->state == OP_DRAINING && o->end <= until) {
            o->state = OP_DONE;
        }
        if (o->state != OP_DONE) c->open[kept++] = c->open[i];
    }
    c->nopen = kept;
    c->now = until;
}

// Removes ended operations from the array `open`. Returns 1 if any operation was removed; operations that wait for a
// removed operation may then start.
static int drop_ended(struct virtual_clock *c)
{
    uint64_t before = c->nopen, kept = 0;
    for (uint64_t i = 0; i < before; i++)
        if (c->op[c->open[i]].state != OP_DONE) c->open[kept++] = c->open[i];
    c->nopen = kept;
    return kept < before;
}

// Processes all events at the simulation's present time: starts and ends operations until no further operation ends at
// this time.
static void happen(struct virtual_clock *c)
{
    do settle(c);
    while (drop_ended(c));
}

// Advances the simulation's time to the next time at which an operation becomes ready or ends, but at most to `until`.
// Returns 1, or 0 if no operation becomes ready or ends up to `until`.
static int step(struct virtual_clock *c, uint64_t until)
{
    uint64_t at = 0;
    happen(c);
    if (!next_event(c, &at)) return 0;
    if (at > until) {
        pass(c, until);
        return 0;
    }
    pass(c, at);
    return 1;
}

static void run_to(struct virtual_clock *c, uint64_t until)
{
    while (step(c, until)) {
    }
    if (c->now < until) c->now = until;
}

// ---------------------------------------------------------------- the host's side

uint64_t virtual_clock_submit(struct virtual_clock *c, const struct clock_op *q)
{
    BUG_ON(q->device >= DEVICES);
    uint64_t ticket = ++c->count;
    ALLOC_GROW(c->op, c->capacity, ticket + 1);
    ALLOC_GROW(c->open, c->open_capacity, c->nopen + 1);
    struct op *o = &c->op[ticket];
    *o = (struct op){.issue = c->host,
                     .ready = c->host + (uint64_t)c->profile->queue_ns * 1000,
                     .left = q->work_ps * FULL,
                     .drain = q->drain_ps,
                     .demand = q->demand ? q->demand < FULL ? q->demand : FULL : 1,
                     .priority = q->priority,
                     .device = q->device,
                     .engine = q->engine,
                     .direct = q->direct,
                     .link = {q->link[CLOCK_WRITE], q->link[CLOCK_READ]}};
    o->after = alloc_array(q->nafter + 1, sizeof *o->after);
    for (uint32_t i = 0; i < q->nafter; i++)
        if (c->op[q->after[i]].state != OP_DONE || c->op[q->after[i]].end > o->ready)
            o->after[o->nafter++] = q->after[i];
    c->open[c->nopen++] = ticket;
    if (!c->shared) run_to(c, c->host);
    return ticket;
}

uint64_t virtual_clock_host(const struct virtual_clock *c)
{
    return c->host;
}

void virtual_clock_spend(struct virtual_clock *c, uint64_t ps)
{
    c->host += ps;
    if (!c->shared && c->host > c->now) run_to(c, c->host);
}

int virtual_clock_is_done(const struct virtual_clock *c, uint64_t ticket)
{
    return c->op[ticket].state == OP_DONE && c->op[ticket].end <= c->host;
}

void virtual_clock_wait(struct virtual_clock *c, uint64_t ticket)
{
    if (virtual_clock_is_done(c, ticket)) return;
    if (c->shared) {
        struct host_thread *t = &c->thread[c->present];
        ALLOC_GROW(t->wait, t->wait_capacity, t->nwait + 1);
        t->wait[t->nwait++] = ticket;
        return;
    }
    for (;;) { // an operation without duration ends between two events; time must not pass its end
        happen(c);
        if (c->op[ticket].state == OP_DONE) break;
        if (!step(c, UINT64_MAX)) BUG("an operation that never ends");
    }
    uint64_t seen = c->op[ticket].end + (uint64_t)c->profile->return_ns * 1000;
    if (seen > c->host) virtual_clock_spend(c, seen - c->host);
}

// ---------------------------------------------------------------- host threads

static void choose(struct virtual_clock *c, uint32_t thread)
{
    c->thread[c->present].host = c->host;
    c->present = thread;
    c->host = c->thread[thread].host;
}

void virtual_clock_turn(struct virtual_clock *c, uint32_t thread, uint64_t at_ps, int shared)
{
    BUG_ON(thread >= CLOCK_THREADS);
    ALLOC_GROW(c->thread, c->threads_capacity, (uint64_t)thread + 1);
    while (c->nthreads <= thread) c->thread[c->nthreads++] = (struct host_thread){.host = 0};
    choose(c, thread);
    if (at_ps > c->host) c->host = at_ps;
    if (c->now > c->host) c->host = c->now;
    c->shared = shared;
    if (shared || c->host > c->now) run_to(c, c->host);
}

void virtual_clock_gather(struct virtual_clock *c)
{
    for (uint64_t i = 0; i < c->nthreads; i++)
        if (c->thread[i].host > c->host) c->host = c->thread[i].host;
    c->shared = 0;
    run_to(c, c->host);
}

int virtual_clock_is_waiting(const struct virtual_clock *c)
{
    return c->thread[c->present].nwait != 0;
}

// Returns 1 if all operations that a thread waits for have ended, and stores the time at which the thread continues in
// *at.
static int wait_is_over(const struct virtual_clock *c, const struct host_thread *t, uint64_t *at)
{
    *at = t->host;
    for (uint64_t i = 0; i < t->nwait; i++) {
        const struct op *o = &c->op[t->wait[i]];
        uint64_t seen = o->end + (uint64_t)c->profile->return_ns * 1000;
        if (o->state != OP_DONE) return 0;
        if (seen > *at) *at = seen;
    }
    return t->nwait != 0;
}

// Among the threads whose waits are over, ends the wait of the thread that continues first, and stores the thread's
// number in *thread. Among threads that continue at the same time, the thread with the smallest number is first.
// Returns 1, or 0 if no thread's wait is over.
static int release_first(struct virtual_clock *c, uint32_t *thread)
{
    uint64_t first = 0, at;
    int found = 0;
    c->thread[c->present].host = c->host;
    for (uint32_t i = 0; i < c->nthreads; i++) {
        if (!wait_is_over(c, &c->thread[i], &at) || (found && at >= first)) continue;
        first = at;
        *thread = i;
        found = 1;
    }
    if (!found) return 0;
    c->thread[*thread].nwait = 0;
    choose(c, *thread);
    c->host = first;
    return 1;
}

int virtual_clock_progress(struct virtual_clock *c, uint64_t until, uint32_t *thread)
{
    int more = 1;
    if (until < c->now) until = c->now;
    for (;;) {
        happen(c);
        if (release_first(c, thread)) return 1;
        if (!more) return 0;
        more = step(c, until);
    }
}

uint64_t virtual_clock_quiet(const struct virtual_clock *c)
{
    uint64_t at = UINT64_MAX;
    next_event(c, &at);
    return at;
}

uint64_t virtual_clock_start(const struct virtual_clock *c, uint64_t ticket)
{
    return c->op[ticket].start;
}

uint64_t virtual_clock_end(const struct virtual_clock *c, uint64_t ticket)
{
    return c->op[ticket].end;
}

void virtual_clock_finish(struct virtual_clock *c)
{
    while (step(c, UINT64_MAX)) {
    }
}
