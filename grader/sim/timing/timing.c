// Estimates the time of a launch; timing.h states the contract.
//
// Theory of operation. For each resource of the device, the model computes the time that this resource alone would need
// for the work of the launch.
//   - The resources of a multiprocessor are the issue slots, the pipes, the passes of the LSU, and the lanes of shared
//     atomics on one address.
//   - The resources of the whole device are bytes through the L2 and DRAM, sectors written in part, atomics on one
//     place, and block starts.
//   - The resource "latency" stands for the time of a multiprocessor's warps if no other resource were a limit.
//   - The resource "waits" is that time, times how much longer the launch's chains of ops are because warps wait for
//     one another at locks, flags and the like (waits.h), or the time in which warps take turns in malloc and printf.
//
// The time that one resource alone would need is a lower bound of the launch's time. The report names the resource with
// the largest time, and tells how fast the launch could be if only the resource with the next largest time were the
// limit. The estimate of the launch's time comes from a replay (replay.h). The replay executes the recorded ops of the
// launch's warps on a model of the busiest multiprocessor. In the replay, all resources of a multiprocessor limit the
// warps together.
//
// The PTX has no instructions for registers that ptxas spills to local memory. The loads and stores of spilled
// registers are assumed to lie evenly between the kernel's instructions and to hit the L1. The model assumes that no
// other work hides the LSU passes that the loads and stores of spilled registers take.
//
// All values in this file are integers: times in picoseconds, latencies in hundredths of a cycle, products in 128 bits.
#include "sim/timing/timing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/profile.h"
#include "sim/core/program.h"
#include "sim/timing/cost.h"
#include "sim/timing/schedule.h"

typedef unsigned __int128 wide;

static uint64_t scaled(uint64_t amount, uint64_t times, uint64_t over)
{
    if (!over) return 0;
    wide result = (wide)amount * times / over;
    return result > UINT64_MAX / 16 ? UINT64_MAX / 16 : (uint64_t)result;
}

static uint64_t field(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// Returns the time of `cycles` / `per` cycles in picoseconds.
static uint64_t cycles_ps(const struct device_profile *d, uint64_t cycles, uint64_t per)
{
    return scaled(cycles, 1000000000, field(d->clock_khz) * per);
}

// Returns the work of the busiest multiprocessor, in units of an average block's work. The busiest multiprocessor's
// work is the larger of two numbers: the number of blocks that it gets, and the work of the launch's longest block.
static uint64_t busiest(const struct timing_input *w)
{
    uint64_t sms = field(w->launch->device->sms);
    return larger((w->launch->blocks + sms - 1) / sms, w->heaviest);
}

// Returns the time in picoseconds that the busiest multiprocessor needs for its part of the launch's `work` units at
// `rate` units a cycle.
static uint64_t sm_ps(const struct timing_input *w, uint64_t work, int64_t rate)
{
    return cycles_ps(w->launch->device, scaled(work, 100 * busiest(w), w->launch->blocks), 100 * field(rate));
}

static uint64_t bytes_ps(uint64_t bytes, int64_t gbs)
{
    return scaled(bytes, 1000, field(gbs)); // one byte at 1 GB/s takes a nanosecond
}

static uint64_t events_ps(uint64_t events, int64_t per_us)
{
    return scaled(events, 1000000, field(per_us));
}

// ---------------------------------------------------------------- of the device

// Counts the bytes of older dirty data that the L2 must write to DRAM during a launch that starts with a flushed L2
// (request->cold is 1). The flush of the L2 before a launch writes more data than the L2 holds. When the launch starts,
// the last data that the flush wrote are still dirty in the L2.
struct left_behind {
    uint64_t first;   // bytes that must go to DRAM before all data of the launch have room in the L2
    uint64_t besides; // further bytes that the launch's own dirty data evict while the launch runs
};

static struct left_behind left_behind(const struct timing_input *w)
{
    const struct counters *c = w->total;
    uint64_t dirty = field(w->launch->device->l2_dirty_bytes), clean = field(w->launch->device->l2_bytes) - dirty;
    uint64_t own = c->global_st_bytes, in = c->dram_ld_bytes + own;
    if (w->launch->request->cold != 1 || !c->l2_ld_sectors) return (struct left_behind){0};
    in = in > clean ? in - clean : 0;
    if (in > dirty) in = dirty;
    if (own > dirty) own = dirty;
    return (struct left_behind){.first = in, .besides = own > in ? own - in : 0};
}

static uint64_t making_room(const struct timing_input *w)
{
    return bytes_ps(left_behind(w).first, w->launch->device->dram_write_gbs);
}

// Returns the time in picoseconds that `sectors` sectors take to travel between multiprocessors and the L2 in `lines`
// packets. A packet has up to four sectors of one line and a fixed cost. `ps` is the time in picoseconds that the
// `sectors` sectors would take between multiprocessors and the L2 if every packet had four sectors. `one` is the number
// of sectors that travel per microsecond if each sector has its own packet.
static uint64_t in_packets(uint64_t ps, uint64_t sectors, uint64_t lines, int64_t one)
{
    uint64_t alone = events_ps(sectors, one), missing = 4 * lines > sectors ? 4 * lines - sectors : 0;
    return alone > ps ? ps + scaled(alone - ps, missing, 3 * sectors) : ps;
}

static struct cost_traffic traffic_of(const struct timing_input *w)
{
    const struct device_profile *d = w->launch->device;
    const struct counters *c = w->total;
    uint64_t whole =
        c->global_atomic_hot_whole < c->global_atomic_hot ? c->global_atomic_hot_whole : c->global_atomic_hot;
    uint64_t fill = c->dram_fill_bytes, rest = c->dram_st_bytes > fill ? c->dram_st_bytes - fill : 0;
    uint64_t read = c->dram_ld_bytes > fill ? c->dram_ld_bytes - fill : 0;
    uint64_t writes = in_packets(bytes_ps(c->l2_st_sectors * 32, d->l2_write_gbs), c->global_st_sectors, c->l2_st_lines,
                                 d->l2_write_one);
    return (struct cost_traffic){
        .l2_reads = in_packets(bytes_ps(c->l2_ld_sectors * 32, d->l2_read_gbs),
                               c->global_ld_sectors - c->global_ld_l1_hit_sectors, c->l2_ld_lines, d->l2_read_one),
        .l2_writes =
            writes + scaled(writes, c->l2_partial_sectors * field(d->l2_write_partial), 1000 * c->global_st_sectors),
        .dram_reads = bytes_ps(read, d->dram_read_gbs),
        .dram_writes = bytes_ps(rest + left_behind(w).besides, d->dram_write_gbs) +
                       larger(events_ps(c->dram_partial_lines, d->dram_partial), bytes_ps(2 * fill, d->dram_write_gbs)),
        .atomics = larger(events_ps(c->global_atomic_hot - whole, d->atomic_chunk) + events_ps(whole, d->atomic_whole),
                          events_ps(c->global_red_sectors + c->global_atom_sectors, d->atomic_all))};
}

// Returns the passes of the LSU that loads and stores of spilled registers take: one for each register and warp. Each
// load or store of a spilled register is assumed to be executed as often as the launch's executed ops are on average.
static uint64_t spill_passes(const struct timing_input *w)
{
    enum { REGISTER = 4 };
    uint64_t ran = 0, ops = 0;
    for (uint32_t k = 0; k < w->launch->nops; k++) {
        ran += w->ran[k];
        ops += w->ran[k] != 0;
    }
    return ops ? scaled(ran, w->launch->program->spilled_bytes / REGISTER, ops) : 0;
}

static void resources(const struct timing_input *w, const struct cost_traffic *t, uint64_t ps[RESOURCES])
{
    const struct sim_launch *l = w->launch;
    const struct device_profile *d = l->device;
    const struct counters *c = w->total;
    ps[RESOURCE_LAUNCH] = field(l->request->cold == 2 ? d->launch_next_ns : d->launch_ns) * 1000;
    ps[RESOURCE_ISSUE] = larger(sm_ps(w, c->warp_inst, d->schedulers), // a match delays the next match
                                sm_ps(w, scaled(c->match_words, field(d->match_word), 100), 1));
    ps[RESOURCE_FP32] = sm_ps(w, c->fp32_inst * WARP_LANES, d->lanes_fp32);
    ps[RESOURCE_INT] = sm_ps(w, c->int_inst * WARP_LANES, 2 * d->lanes_int);
    ps[RESOURCE_FP64] = sm_ps(w, c->fp64_inst * WARP_LANES, d->lanes_fp64);
    ps[RESOURCE_SFU] = sm_ps(w, c->sfu_inst * WARP_LANES, d->lanes_sfu);
    ps[RESOURCE_LSU] = sm_ps(w, c->lsu_wavefronts + c->shuffles + spill_passes(w), 1);
    ps[RESOURCE_L2] = larger(t->l2_reads, t->l2_writes); // reads and writes have separate wires
    ps[RESOURCE_DRAM] = t->dram_reads + t->dram_writes + making_room(w);
    ps[RESOURCE_ATOMIC] =
        larger(t->atomics, sm_ps(w, scaled(c->shared_atom_serial, field(d->atomic_shared_lane), 100), 1));
    ps[RESOURCE_DISPATCH] = events_ps(l->blocks, d->dispatch_per_us);
    ps[RESOURCE_LATENCY] = ps[RESOURCE_WAITS] = 0;
}

// ---------------------------------------------------------------- of a multiprocessor

static uint64_t replayed(const struct replay *r)
{
    return cycles_ps(r->launch->device, replay_run(r), REPLAY_CYCLE);
}

static uint64_t hundredths(int64_t value)
{
    return field(value) * REPLAY_CYCLE / 100;
}

// DRAM's utilization is measured over so many of its latencies: shorter than a launch, longer than the bursts in which
// the blocks of one multiprocessor load.
enum { DRAM_SPAN = 16 };

// Returns the service time of the queue model of DRAM (replay.c), in 1/REPLAY_CYCLE of a cycle.
static uint64_t dram_queue(const struct device_profile *d, const struct cost_traffic *t)
{
    uint64_t all = t->dram_reads + t->dram_writes,
             less = t->dram_reads < t->dram_writes ? t->dram_reads : t->dram_writes;
    return hundredths(d->dram_queue) + scaled(hundredths(d->dram_turn), 2 * less, all);
}

// Holds the input and the result of a replay of the launch (replay.h) in which only latencies cost time. If the host
// lets the simulator use several threads, the replay with latencies alone runs on a thread of its own, beside the
// replay in which all resources cost time.
struct waiting {
    struct replay replay;
    uint64_t ps;
};

static void *wait_alone(void *argument)
{
    struct waiting *w = argument;
    w->ps = replayed(&w->replay);
    return NULL;
}

// Returns the time in picoseconds that the launch's longest block takes if it has a multiprocessor for itself. Returns
// 0 if the launch was not repeated to record its longest block (TRACE_LONGEST).
static uint64_t longest_ps(const struct timing_input *w, const struct replay *all)
{
    const struct trace_slot *slot = &w->trace->slot[TRACE_LONGEST];
    if (!trace_has_ops(slot)) return 0;
    struct replay r = *all;
    r.slot = &slot;
    r.slots = 1;
    r.blocks = r.ran_blocks = 1;
    r.chain = slot->chain;
    r.ran = all->apart;
    r.spent = NULL;
    r.unseen = NULL;
    return replayed(&r);
}

// Stores in `slot` the records of all recorded blocks that have at least one op, and returns the number of these
// records. The record of the longest block (TRACE_LONGEST) is used only if no other record has an op.
static uint32_t recorded(const struct trace *t, const struct trace_slot *slot[TRACE_SLOTS])
{
    uint32_t n = 0;
    for (int k = 0; k < TRACE_BLOCKS; k++)
        if (trace_has_ops(&t->slot[k])) slot[n++] = &t->slot[k];
    if (!n && trace_has_ops(&t->slot[TRACE_LONGEST])) slot[n++] = &t->slot[TRACE_LONGEST];
    return n;
}

// Returns the mean chain (number of ops on the longest path) of the `n` recorded blocks in `slot`. The chain of a block
// is the number of ops on the longest path through its execution (trace.h).
static uint64_t mean_chain(const struct trace_slot *const slot[], uint32_t n)
{
    uint64_t chain = 0;
    for (uint32_t k = 0; k < n; k++) chain += slot[k]->chain;
    return n ? chain / n : 0;
}

// Returns the launch's time, in picoseconds, that a replay estimates in which all resources limit the warps together.
// Sets *latency to the launch's time, in picoseconds, that a replay estimates in which only latencies cost time, and
// *unseen to the part of the warps' time, in thousandths, that the recorded blocks do not represent.
static uint64_t together(const struct timing_input *w, const struct cost_traffic *t, uint64_t *latency,
                         uint32_t *unseen)
{
    const struct sim_launch *l = w->launch;
    const struct device_profile *d = l->device;
    const struct trace_slot *slot[TRACE_SLOTS];
    struct replay_op *op = alloc_zeroed(2 * (size_t)l->nops, sizeof *op), *only_latency = op + l->nops;
    uint64_t *longest = alloc_zeroed(l->nops, sizeof *longest);
    trace_count(&w->trace->slot[TRACE_LONGEST], longest);
    struct replay r = {.launch = l,
                       .op = op,
                       .slot = slot,
                       .slots = recorded(w->trace, slot),
                       .ran = w->ran,
                       .ran_blocks = l->blocks,
                       .apart = longest,
                       .blocks = busiest(w),
                       .start =
                           scaled(field(d->sms) * REPLAY_CYCLE, field(d->clock_khz), field(d->dispatch_per_us) * 1000),
                       .life = hundredths(d->latency_block),
                       .barrier = hundredths(d->latency_barrier),
                       .arrive = hundredths(d->latency_barrier_warp),
                       .lsu_queue = hundredths(d->lsu_queue),
                       .memory_queue = hundredths(d->memory_queue),
                       .dram_queue = dram_queue(d, t),
                       .dram_span = DRAM_SPAN * hundredths(d->latency_dram),
                       .float_pipes = d->lanes_fp32 > d->lanes_int ? (uint32_t)(d->lanes_fp32 / d->lanes_int) : 1};
    r.chain = mean_chain(slot, r.slots);
    cost_ops(w, t, r.blocks, l->blocks, op);
    struct schedule schedule;
    schedule_ops(&schedule, l->program, op);
    r.schedule = &schedule;
    struct waiting waiting = {.replay = r};
    memcpy(only_latency, op, l->nops * sizeof *op);
    cost_only_latency(only_latency, l->nops);
    waiting.replay.op = only_latency;
    waiting.replay.start = 0;
    r.spent = w->warp_cycles;
    r.unseen = unseen;
    pthread_t thread;
    int beside = w->threads > 1 && !pthread_create(&thread, NULL, wait_alone, &waiting);
    uint64_t time = larger(replayed(&r), longest_ps(w, &r));
    if (beside)
        pthread_join(thread, NULL);
    else
        wait_alone(&waiting);
    for (uint32_t k = 0; k < l->nops; k++) w->warp_cycles[k] /= REPLAY_CYCLE;
    *latency = waiting.ps;
    schedule_free(&schedule);
    free(longest);
    free(op);
    return time;
}

// Returns the largest x with x * x * x <= n.
static uint64_t cube_root(uint64_t n)
{
    uint64_t x = 0;
    for (uint64_t bit = (uint64_t)1 << 20; bit; bit >>= 1) {
        uint64_t y = x | bit;
        if ((wide)y * y * y <= n) x = y;
    }
    return x;
}

// Returns the sixth root of the sum of the sixth powers of `a` and `b`. If a multiprocessor's time and DRAM's time are
// close, neither unit is busy all the time, because work arrives in bursts. The replay (replay.h) knows how long
// requests to DRAM wait on average, but not in bursts, because it models only one multiprocessor.
static uint64_t norm(uint64_t a, uint64_t b)
{
    uint64_t most = larger(a, b), x = scaled(a, 1 << 10, most), y = scaled(b, 1 << 10, most);
    x *= x, y *= y; // at most 2^20 each, and their cubes 2^60
    uint64_t square = cube_root(x * x * x + y * y * y), root = 0;
    for (uint64_t bit = 1 << 11; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= square) root |= bit;
    return scaled(most, root, 1 << 10);
}

// Returns the minimum time of a kernel that reads the clock. The minimum time is the highest clock value that a warp of
// the kernel read, multiplied by the number of blocks that run one after the other. A kernel that waits for a clock
// value takes at least its minimum time, however little time its instructions need.
static uint64_t clocked(const struct timing_input *w)
{
    const struct sim_launch *l = w->launch;
    uint64_t room = field(l->device->sms) * (l->blocks_per_sm ? l->blocks_per_sm : 1);
    return cycles_ps(l->device, w->clock * ((l->blocks + room - 1) / room), 1);
}

// Returns the time in picoseconds that the launch takes at the least because its warps wait for one another, or 0 if
// they wait at barriers of whole blocks alone. `ps` is the time that a replay estimates in which only latencies cost
// time, and warps wait at barriers of whole blocks alone.
static uint64_t waited(const struct timing_input *w, uint64_t ps)
{
    return w->path.waiting > w->path.alone ? scaled(ps, w->path.waiting, w->path.alone) : 0;
}

void timing_estimate(const struct timing_input *w, struct observation *o)
{
    struct cost_traffic traffic = traffic_of(w);
    uint64_t *ps = o->resource_ps;
    resources(w, &traffic, ps);
    uint64_t time = 0;
    if (w->trace->warps) time = together(w, &traffic, &ps[RESOURCE_LATENCY], &o->unseen_permille);
    ps[RESOURCE_WAITS] = larger(waited(w, ps[RESOURCE_LATENCY]), cycles_ps(w->launch->device, cost_turns(w), 1));
    time += sm_ps(w, spill_passes(w), 1);
    time = norm(time, traffic.dram_reads + traffic.dram_writes);
    time = larger(time, clocked(w));
    o->bound = RESOURCE_LAUNCH;
    for (uint32_t r = 0; r < RESOURCES; r++) {
        if (ps[r] > ps[o->bound]) o->bound = r;
        if (r != RESOURCE_LAUNCH && r != RESOURCE_DRAM) time = larger(time, ps[r]);
    }
    // Loads wait until older dirty data have left the L2. On an H200, every kind of kernel takes 4 us longer if the L2
    // was flushed before the launch, and so holds dirty data, than with a clean L2.
    o->time_ps = ps[RESOURCE_LAUNCH] + making_room(w) + time;
}
