// A warp: its register file, its splits and its call frames; and the block that it belongs to.
//
// The lanes of a warp need not be at one place. A *split* is a set of lanes with one pc and one call frame. The splits
// of a warp have disjoint lanes. Ops are ordered so that a smaller pc means "earlier on every path" (rank.c), and the
// split with the smallest pc runs. So lanes that wait at a join converge with the others there (thread frontiers:
// Diamos et al., MICRO 2011). When a split has used up its quantum and others can run, the others run first. So lanes
// that poll until another lane of their warp does something see it happen, as with independent thread scheduling.
#ifndef SIM_CORE_WARP_H
#define SIM_CORE_WARP_H

#include <stddef.h>
#include <stdint.h>

#include "base/prng.h"
#include "sim/core/access.h"
#include "sim/core/op.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"

#define ALL_LANES 0xffffffffu

enum {
    SPLIT_QUANTUM = 20000,  // instructions until another split of the warp runs
    WARP_QUANTUM = 50000,   // instructions until another warp of the block runs
    POLLS_MOST = 64,        // strong accesses after which a split yields: it may be polling
    FRAME_DEPTH_MAX = 1000, // depth of nested calls
    CALL_RESULTS = 64,      // words that a function returns at most
};

enum split_state {
    SPLIT_RUNNABLE,
    SPLIT_AT_BARRIER, // arrived at a barrier of the block
    SPLIT_PARKED,     // before an aligned barrier, until preempted lanes of the warp arrive
    SPLIT_AT_WARP_OP, // at a shuffle, vote, __syncwarp …, until all lanes of the mask arrive
};

// One activation of a function. Frames form a tree, because lanes that diverge inside a call share its frame.
struct frame {
    struct frame *parent; // NULL: the kernel made the call
    uint32_t references;  // number of splits and frames that refer to it
    uint32_t depth;
    uint32_t call;       // the call's op
    uint32_t callee;     // index in module->func
    uint32_t is_saved;   // 1: `saved` holds the caller's rows
    uint32_t local_base; // of the called function's .local variables
    uint32_t saved_bytes;
    uint8_t *saved; // [saved_bytes]: the caller's rows, if the caller may be entered again before this call returns
};

struct split {
    uint32_t pc, mask;
    uint32_t turn;       // number of quanta that it used up while others waited
    uint8_t state;       // enum split_state
    uint8_t barrier;     // SPLIT_AT_BARRIER: number of the barrier
    uint32_t wait_mask;  // SPLIT_AT_WARP_OP: lanes that it waits for
    struct frame *frame; // NULL in the kernel itself; holds a reference
};

// Executions of ops, as differences: a prefix sum over the ops at the end of the launch gives the counts.
struct op_tally {
    int64_t warps, lanes; // added at the first op of a run, subtracted after its last
    uint64_t off;         // lanes whose guard was false
    uint64_t divergent;
    uint64_t taken; // lanes that a conditional branch took elsewhere
};

struct block;
struct pattern; // pattern.h
struct warp {
    struct sim_warp memory;         // the warp as memory sees it
    uint8_t *rows;                  // the register file
    const struct sim_op *ops, *end; // the program; end of the current run of ops
    const struct sim_plan *plan;
    uint32_t pc;          // where the current split goes on
    uint32_t mask;        // its lanes
    uint32_t event;       // 1: splits changed, so the split that runs must be chosen again
    uint32_t yields;      // 1: the current split waits for others
    uint32_t polls;       // strong reads since the last yield
    uint32_t all_yielded; // 1: warp_run ended because all splits yielded
    uint32_t current, nsplits;
    struct split split[WARP_LANES];
    struct op_tally *tally;  // the worker's
    struct pattern *pattern; // [plan->nmemory]: latest pattern of each access; the worker owns it
    struct sim_access access;
    uint64_t executed;   // instructions
    uint64_t slept;      // cycles of nanosleep and the like
    uint32_t preempted;  // 1: since the warp's latest barrier, a quantum separated lanes that could have converged
    uint32_t has_jitter; // 1: lane jitter: some lanes run ahead at random, as `jitter` draws
    uint32_t jitter_in;  // instructions until lanes separate next
    struct prng jitter;
    uint32_t last_branch; // op of the last backward branch, for endless loops
    struct frame *frame;  // the current split's
    struct frame *free_frames;
    uint32_t *undef;                  // [plan->nregs]: lanes whose register has undefined bits
    uint32_t nundef;                  // registers with such lanes
    struct sim_undefined **undefined; // [plan->nregs][lane]: of these lanes; NULL until a lane has undefined bits
    uint32_t initial;                 // lanes at the start
    uint32_t running;                 // 1: in warp_run
    struct block *block;
};

// Registers that one barrier has.
enum { BARRIERS = 16 };
struct barrier {
    uint32_t arrived[BLOCK_WARPS_MAX]; // lanes that wait, for each warp
    uint32_t passed;                   // threads that arrived by bar.arrive and do not wait
    uint32_t expected;                 // threads that it waits for; 0: all of the block
    uint32_t op;                       // op of the first arrival, plus one; 0: no arrival
    uint32_t site;                     // frame_site of that op, plus one
    uint32_t mismatch;                 // 1: the mismatch was reported
};

struct block {
    struct sim_block memory;
    struct warp *warp;
    uint32_t nwarps, live_warps;
    struct barrier barrier[BARRIERS];
    uint32_t open;   // bit n: threads have arrived at barrier n
    uint32_t *order; // warps in the order in which they take turns
    uint32_t turn;   // index in `order` of the warp that runs
    struct op_tally *tally;
    uint64_t executed;     // warp instructions
    uint64_t clock;        // the latest clock that its warps read, in cycles
    uint64_t budget;       // warp instructions for this block: what earlier blocks left of the launch's
    uint32_t stopped;      // 1: a finding ended the launch here
    uint32_t changed;      // 1: lanes arrived at a barrier or exited, so barrier_check must run
    const uint8_t *params; // the kernel's
};

enum { NO_SPLIT = 0xffffffffu };

static inline uint32_t *warp_pred(const struct warp *w, uint32_t offset)
{
    return (uint32_t *)(void *)(w->rows + offset);
}
static inline uint32_t *warp_row(const struct warp *w, uint32_t offset)
{
    return (uint32_t *)(void *)(w->rows + offset);
}
static inline uint32_t warp_op_index(const struct warp *w, const struct sim_op *op)
{
    return (uint32_t)(op - w->ops);
}
static inline uint32_t warp_local_base(const struct warp *w)
{
    return w->frame ? w->frame->local_base : 0;
}
// Ends the run of ops after this op. The split goes on at `pc`, unless its state says otherwise.
static inline void warp_stop(struct warp *w, const struct sim_op *op, uint32_t pc)
{
    w->end = op + 1;
    w->pc = pc;
    w->event = 1;
}
// Makes the current split yield after this op: all others run first.
static inline void warp_yield(struct warp *w, const struct sim_op *op)
{
    w->yields = 1;
    warp_stop(w, op, warp_op_index(w, op) + 1);
}
// Counts a strong read of the current split. After POLLS_MOST of them the split yields.
static inline void warp_poll(struct warp *w, const struct sim_op *op)
{
    if (++w->polls < POLLS_MOST) return;
    w->polls = 0;
    warp_yield(w, op);
}
// Returns the lanes of `mask` whose guard is true.
static inline uint32_t warp_guard(const struct warp *w, const struct sim_op *op, uint32_t mask)
{
    if (!op->guard) return mask;
    uint32_t p = *warp_pred(w, op->guard);
    return mask & (op->guard_negated ? ~p : p);
}

// Handlers outside the vector files: control.c, barrier.c, collective.c, call.c
sim_handler control_bra, control_bra_guarded, control_jump, control_brx, call_return, control_exit, control_trap;
sim_handler control_nop, control_guarded, control_clock, control_local_address, control_fence, control_sleep;
sim_handler control_alloca;
sim_handler call_enter, call_store_param, call_load_param, call_load_entry_param, call_spill_param;
sim_handler barrier_sync, barrier_arrive, barrier_red;
sim_handler copy_async, control_check_divisor, control_copy_commit, control_copy_wait;

#endif
