// Computes how long each op of a launch occupies the units of a multiprocessor, for the replay (replay.h); cost.h
// states the contracts.
//
// The cost of an op is a mean over the launch: the op's counters divided by the number of times that warps executed the
// op. An op's counters count SASS instructions, which differ from the PTX instructions. For example, a PTX access that
// ptxas merges into a neighbouring access costs no instruction and no wavefront.
#include "sim/timing/cost.h"

#include "device/profile.h"
#include "ptx/isa.h"
#include "sim/core/instruction.h"
#include "sim/core/program.h"
#include "sim/core/warp.h"
#include "sim/timing/merging.h"

typedef unsigned __int128 wide;

static uint64_t field(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

static uint32_t bounded(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static uint64_t scaled(uint64_t amount, uint64_t times, uint64_t over)
{
    return over ? (uint64_t)((wide)amount * times / over) : 0;
}

// Converts hundredths of a cycle into 1/REPLAY_CYCLE of a cycle.
static uint32_t latency(int64_t hundredths)
{
    return bounded(field(hundredths) * REPLAY_CYCLE / 100);
}

// Returns the quotient of `count` cycles and `n` executions, in 1/REPLAY_CYCLE of a cycle.
static uint32_t each(uint64_t count, uint64_t n)
{
    return bounded(scaled(count, REPLAY_CYCLE, n));
}

// ---------------------------------------------------------------- arithmetic

// Returns how long one warp instruction occupies the part of a pipe that belongs to the warp's scheduler, in
// 1/REPLAY_CYCLE of a cycle. `lanes` is the number of the pipe's lanes in the whole multiprocessor.
static uint32_t busy(const struct device_profile *d, int64_t lanes, uint32_t issue)
{
    return bounded(scaled((uint64_t)issue * WARP_LANES, field(d->schedulers), field(lanes)));
}

static void arithmetic(const struct device_profile *d, const struct sim_op_info *info, struct replay_op *o)
{
    o->latency = latency(instruction_latency(d, info->latency));
    switch (info->pipe) {
    case PIPE_FP32:
        o->pipe = REPLAY_FLOAT;
        o->busy = busy(d, d->lanes_fp32 < d->lanes_int ? d->lanes_fp32 : d->lanes_int, o->issue);
        break;
    case PIPE_INT:
        o->pipe = REPLAY_EITHER;
        o->busy = busy(d, d->lanes_int, o->issue);
        break;
    case PIPE_ALU:
        o->pipe = REPLAY_ALU;
        o->busy = busy(d, d->lanes_int, o->issue);
        break;
    case PIPE_MUL:
        o->pipe = REPLAY_MUL;
        o->busy = info->passes * busy(d, d->lanes_int, o->issue);
        break;
    case PIPE_FP64:
        o->pipe = REPLAY_DOUBLE;
        o->busy = busy(d, d->lanes_fp64, o->issue);
        break;
    case PIPE_SFU:
        o->pipe = REPLAY_SPECIAL;
        // Only one of the op's instructions uses the SFU. The op's other instructions prepare the operand of the SFU
        // instruction.
        o->busy = busy(d, d->lanes_sfu, o->issue < REPLAY_CYCLE ? o->issue : REPLAY_CYCLE);
        break;
    default:
        break;
    }
}

// ---------------------------------------------------------------- memory

// Holds the times, in 1/REPLAY_CYCLE of a cycle, for which one sector occupies a multiprocessor's share of the L2, of
// DRAM and of the atomic units.
struct shares {
    uint64_t l2_read, l2_write, dram_read, dram_write, atomic;
};

// Returns the time that one sector takes on a multiprocessor that transfers `part` / `whole` of a launch's sectors, in
// 1/REPLAY_CYCLE of a cycle. `ps` is the time in picoseconds that the whole device needs for all `sectors` sectors.
static uint64_t share(const struct device_profile *d, uint64_t ps, uint64_t sectors, uint64_t part, uint64_t whole)
{
    uint64_t cycles = scaled(ps, field(d->clock_khz) * REPLAY_CYCLE, 1000000000);
    return scaled(scaled(cycles, 16, sectors), whole, 16 * part);
}

static struct shares shares_of(const struct timing_input *w, const struct cost_traffic *t, uint64_t part,
                               uint64_t whole)
{
    const struct device_profile *d = w->launch->device;
    const struct counters *c = w->total;
    uint64_t missed = c->global_ld_sectors - c->global_ld_l1_hit_sectors, port = 0;
    if (d->l2_port) port = 32 * REPLAY_CYCLE / field(d->l2_port);
    struct shares s = {.l2_read = share(d, t->l2_reads, missed, part, whole),
                       .l2_write = share(d, t->l2_writes, c->global_st_sectors, part, whole),
                       .dram_read = share(d, t->dram_reads, c->dram_ld_bytes / 32, part, whole),
                       .dram_write = share(d, t->dram_writes, c->global_st_sectors, part, whole),
                       .atomic = share(d, t->atomics, c->global_red_sectors + c->global_atom_sectors, part, whole)};
    if (s.l2_read < port) s.l2_read = port;
    if (s.l2_write < port) s.l2_write = port;
    return s;
}

// Returns the fraction, in 1/REPLAY_WHOLE, of the pending loads that reach the L2 before DRAM has answered. A load is
// pending if another block that runs the same code has just requested the same sector from DRAM. On an H200 with one or
// two blocks on each multiprocessor, a matrix product of 512 x 512 takes 1.5 times as long with an empty L2 as with a
// filled L2. With four or eight blocks on each multiprocessor of an H200, the matrix product takes the same time with
// an empty and with a filled L2.
static uint64_t late_share(const struct sim_launch *l)
{
    int64_t wait = l->device->latency_dram - l->device->latency_l2;
    uint64_t share = scaled(2 * field(wait), REPLAY_WHOLE, merging_span(l, l->device->latency_dram));
    return share < REPLAY_WHOLE ? share : REPLAY_WHOLE;
}

static void global_load(const struct timing_input *w, uint32_t k, const struct shares *s, struct replay_op *o)
{
    const struct counters *c = &w->op[k];
    uint64_t missed = c->global_ld_missed_requests, sectors = c->global_ld_sectors - c->global_ld_l1_hit_sectors;
    // Some data are shared by all blocks and stay in the L2. Only the launch's first resident blocks get the shared
    // data from DRAM, and all loads of shared data by these first blocks wait for DRAM.
    uint64_t room = field(w->launch->device->sms) * (w->launch->blocks_per_sm ? w->launch->blocks_per_sm : 1);
    uint64_t generations = w->dram_part < REPLAY_WHOLE ? (w->launch->blocks + room - 1) / room : 1;
    uint64_t answered_far = counter_scaled(w->loads[k].dram, w->launch->blocks, w->loads_blocks);
    uint64_t answered_late = scaled(counter_scaled(w->loads[k].pending, w->launch->blocks, w->loads_blocks),
                                    late_share(w->launch), REPLAY_WHOLE);
    uint64_t far = scaled(answered_far, w->dram_part, REPLAY_WHOLE), n = c->global_ld_requests;
    uint64_t first = answered_far + answered_late, wait = first / (generations ? generations : 1);
    if (wait < far) wait = far;
    o->is_load = 1;
    o->lsu = each(c->lsu_wavefronts, n); // divided by loads, because the record tells which executions load
    uint32_t least = latency(w->launch->device->load_request);
    if (o->lsu < least) o->lsu = least; // the addresses of a request have 64 bits each
    if (!missed) return;
    o->missing = bounded(scaled(missed, REPLAY_WHOLE, w->ran[k]));
    o->far = bounded(scaled(wait, REPLAY_WHOLE, sectors));
    o->l2 = bounded(scaled(sectors, s->l2_read, missed));
    o->dram = bounded(scaled(scaled(sectors, s->dram_read, missed), far, wait)); // of a load that waits for DRAM
}

// Returns 1 if the machine has no instruction for the atomic on shared memory: a loop of compare-and-swaps, in which
// one lane after the other of those with the same address succeeds.
static int is_loop(const struct sim_program *p, uint32_t k)
{
    const struct ptx_inst *i = &p->module->func[p->info[k].func].inst[p->info[k].inst];
    uint64_t type = T_BIT(i->type[0]);
    return i->atom != PTX_ATOM_CAS && i->atom != PTX_ATOM_EXCH && (type & (T_FLOAT | T_HALF));
}

// Gives the time in cycles of one turn of such a loop. An H200 takes 95 a turn for float, 110 for double; warps that
// work on the same address delay one another besides, 43 a turn (tests/truth/h200_micro.txt, "float atomicAdd").
enum { LOOP_CYCLES = 95 };

static void memory(const struct timing_input *w, uint32_t k, const struct shares *s, struct replay_op *o)
{
    const struct device_profile *d = w->launch->device;
    const struct counters *c = &w->op[k];
    uint64_t n = w->ran[k], stored = c->global_st_sectors, atomic = c->global_red_sectors + c->global_atom_sectors;
    o->lsu = each(c->lsu_wavefronts + c->shuffles, n);
    o->l2_latency = latency(d->latency_l2);
    o->dram_latency = latency(d->latency_dram);
    if (c->shared_ld_inst) o->latency = latency(d->latency_shared);
    if (c->global_ld_requests || c->local_ld_requests) o->latency = latency(d->latency_l1);
    if (c->match_words) {
        o->match = bounded(scaled(c->match_words, latency(d->match_word), n));
        o->latency += bounded(scaled(c->match_words, latency(d->latency_match_word), n));
    }
    if (c->shared_atom_inst) {
        o->latency = latency(d->latency_atomic_shared);
        o->lane = bounded(scaled(c->shared_atom_serial, latency(d->atomic_shared_lane), n));
        if (is_loop(w->launch->program, k))
            o->wait = bounded(scaled(c->shared_atom_serial, LOOP_CYCLES * REPLAY_CYCLE, n));
    }
    if (c->global_ld_requests) global_load(w, k, s, o);
    if (!stored && !atomic) return;
    o->missing = o->far = REPLAY_WHOLE;
    o->l2 = bounded(scaled(stored, s->l2_write, n));
    o->dram = bounded(scaled(stored, s->dram_write, n));
    o->atomic = bounded(scaled(atomic, s->atomic, n));
    o->dram_latency = c->global_atom_requests ? latency(d->latency_atomic_global) : o->l2_latency;
}

// ---------------------------------------------------------------- calls of the CUDA runtime's routines

// Holds the times of a routine in cycles, measured on an H200 (tests/truth/h200_micro.txt, "malloc" and "printf"). A
// warp waits `call` cycles, and `lane` for each lane that calls. The device serves one warp after the other: `turn`
// cycles, and `turn_lane` for each lane.
struct routine {
    uint64_t call, lane, turn, turn_lane;
};
static const struct routine allocator = {.call = 25200, .lane = 2300, .turn = 1500, .turn_lane = 250};
static const struct routine printer = {.call = 43500, .lane = 180, .turn = 3500, .turn_lane = 440};

static const struct routine *routine_of(const struct sim_op *op)
{
    return op->role == ROLE_ALLOCATE ? &allocator : op->role == ROLE_PRINT ? &printer : NULL;
}

// Returns the time that a warp waits for a call by its lanes, in 1/REPLAY_CYCLE of a cycle.
static uint32_t call_wait(const struct timing_input *w, uint32_t k, const struct routine *r)
{
    const struct counters *c = &w->op[k];
    return each(c->ptx_inst * r->call + c->ptx_thread_inst * r->lane, c->ptx_inst);
}

uint64_t cost_turns(const struct timing_input *w)
{
    uint64_t cycles = 0;
    for (uint32_t k = 0; k < w->launch->nops; k++) {
        const struct routine *r = routine_of(&w->launch->program->op[k]);
        if (r && w->ran[k]) cycles += w->op[k].ptx_inst * r->turn + w->op[k].ptx_thread_inst * r->turn_lane;
    }
    return cycles;
}

// ---------------------------------------------------------------- all

void cost_ops(const struct timing_input *w, const struct cost_traffic *t, uint64_t part, uint64_t whole,
              struct replay_op *out)
{
    const struct sim_launch *l = w->launch;
    struct shares s = shares_of(w, t, part, whole);
    for (uint32_t k = 0; k < l->nops; k++) {
        const struct sim_op_info *info = &l->program->info[k];
        struct replay_op *o = &out[k];
        *o = (struct replay_op){0};
        if (!w->ran[k]) continue;
        o->issue = each(w->op[k].warp_inst, w->ran[k]);
        arithmetic(l->device, info, o);
        memory(w, k, &s, o);
        if (!o->issue && info->pipe != PIPE_LSU) o->latency = 0; // executed as part of another op
        o->is_barrier = w->op[k].block_barriers * 2 > w->ran[k];
        if (l->program->op[k].role == ROLE_FENCE) o->wait = latency(l->device->latency_fence);
        const struct routine *routine = routine_of(&l->program->op[k]);
        if (routine) o->wait = call_wait(w, k, routine);
    }
}

void cost_only_latency(struct replay_op *op, uint32_t nops)
{
    for (uint32_t k = 0; k < nops; k++) {
        struct replay_op *o = &op[k];
        o->issue = o->busy = o->match = o->l2 = o->dram = o->atomic = 0;
        if (o->lsu) o->lsu = 1;
        if (o->lane) o->lane = 1;
    }
}
