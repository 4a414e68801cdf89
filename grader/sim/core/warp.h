// A warp of the executor: register file, splits, call frames.
//
// A warp's lanes need not stand at one place. A *split* is a set of lanes with one pc and one call frame; the lanes of
// a warp's splits are disjoint. Ops are laid out so that a smaller pc means "earlier on every path" (rank.c), and the
// split with the smallest pc runs: so lanes that wait at a join are met there by the others (thread frontiers: Diamos
// et al., MICRO 2011). When a split used up its quantum and others could run, they get their turn first: so lanes that
// spin until another lane of their warp did something see it happen, as with independent thread scheduling.
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
    SPLIT_QUANTUM = 20000,  // instructions before another split of the warp gets its turn
    WARP_QUANTUM = 50000,   // instructions before another warp of the block gets its turn
    POLLS_MOST = 64,        // strong accesses: who looks at memory that often may be waiting for somebody
    FRAME_DEPTH_MAX = 1000, // calls on top of each other
    CALL_RESULTS = 64,      // words that a function returns
};

enum split_state {
    SPLIT_RUNNABLE,
    SPLIT_AT_BARRIER, // arrived at a barrier of the block
    SPLIT_PARKED,     // at an aligned barrier, before the other lanes of the warp, which were preempted
    SPLIT_AT_WARP_OP, // at a shuffle, vote, __syncwarp …: other lanes of the mask have not arrived
};

// One activation of a function. Frames form a tree, because lanes that part inside a call share its frame.
struct frame {
    struct frame *parent; // NULL: called by the kernel itself
    uint32_t references;  // splits and frames that hold it
    uint32_t depth;
    uint32_t call;       // the call's op
    uint32_t callee;     // module's index
    uint32_t is_saved;   // 1: `saved` holds the caller's rows
    uint32_t local_base; // of the called function's .local variables
    uint32_t saved_bytes;
    uint8_t *saved; // the caller's rows, where it may be entered again before this call returns; saved_bytes large
};

struct split {
    uint32_t pc, mask;
    uint32_t turn;       // how often it used up its quantum while others waited
    uint8_t state;       // enum split_state
    uint8_t barrier;     // SPLIT_AT_BARRIER: its number
    uint32_t wait_mask;  // SPLIT_AT_WARP_OP: lanes it waits for
    struct frame *frame; // NULL in the kernel itself; holds a reference
};

// How often runs of ops were entered and left: differences, summed up over the ops at the end of the launch.
struct op_tally {
    int64_t warps, lanes; // added at the first op of a run, subtracted behind its last
    uint64_t off;         // lanes whose guard did not hold
    uint64_t divergent;
    uint64_t taken; // lanes that a conditional branch took elsewhere
};

struct block;
struct pattern; // pattern.h
struct warp {
    struct sim_warp memory;         // what the memory half knows of a warp
    uint8_t *rows;                  // the register file
    const struct sim_op *ops, *end; // the program; the end of the current run of ops
    const struct sim_plan *plan;
    uint32_t pc;          // where the current split goes on
    uint32_t mask;        // its lanes
    uint32_t event;       // 1: splits changed, look again who runs
    uint32_t yields;      // 1: the current split waits for others
    uint32_t polls;       // strong accesses that brought a value, since the last yield
    uint32_t all_yielded; // 1: warp_run ended because all splits yielded
    uint32_t current, nsplits;
    struct split split[WARP_LANES];
    struct op_tally *tally; // the worker's
    struct pattern *shape;  // [plan->nmemory]: the last shape of each access; the worker's
    struct sim_access access;
    uint64_t executed;   // instructions
    uint64_t slept;      // cycles of pauses
    uint32_t preempted;  // 1: since all lanes last met at a barrier, a quantum parted some that might have met
    uint32_t has_jitter; // 1: lanes leave each other at random, as `stray` draws
    uint32_t jitter_in;  // instructions until they do next
    struct prng jitter;
    uint32_t last_branch; // op of the last backward branch, for endless loops
    struct frame *frame;  // the current split's
    struct frame *free_frames;
    uint32_t *undef;                  // [plan->nregs]: lanes whose register holds bits that were never written
    uint32_t nundef;                  // registers with such lanes
    struct sim_undefined **undefined; // [plan->nregs]: of those lanes, by lane; NULL until there is one
    uint32_t initial;                 // lanes that it had at its start
    uint32_t running;                 // 1: in warp_run
    struct block *block;
};

// Registers that one barrier has.
enum { BARRIERS = 16 };
struct barrier {
    uint32_t arrived[BLOCK_WARPS_MAX]; // lanes that wait
    uint32_t passed;                   // threads counted by bar.arrive
    uint32_t expected;                 // threads; 0: all of the block
    uint32_t op;                       // of the first that came, plus one; 0: nobody
    uint32_t site;                     // the same, as frame_site has it
    uint32_t mismatch;                 // 1: reported
};

struct block {
    struct sim_block memory;
    struct warp *warp;
    uint32_t nwarps, live_warps;
    struct barrier barrier[BARRIERS];
    uint32_t open;   // bit n: threads have come to barrier n
    uint32_t *order; // warps in the order in which they take turns
    uint32_t turn;   // whose it is: index into order
    struct op_tally *tally;
    uint64_t executed;     // warp instructions
    uint64_t clock;        // the latest that its warps read, in cycles
    uint64_t budget;       // of them, for this block: what the blocks before left
    uint32_t stopped;      // 1: a finding ended the launch here
    uint32_t changed;      // 1: lanes arrived at a barrier or exited: barrier_check has something to do
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
// The run ends behind this op; the split goes on at `pc` unless its state says otherwise.
static inline void warp_stop(struct warp *w, const struct sim_op *op, uint32_t pc)
{
    w->end = op + 1;
    w->pc = pc;
    w->event = 1;
}
// The current split cannot go on yet: behind this op all others get their turn first.
static inline void warp_yield(struct warp *w, const struct sim_op *op)
{
    w->yields = 1;
    warp_stop(w, op, warp_op_index(w, op) + 1);
}
// The current split has looked at memory that others change.
static inline void warp_poll(struct warp *w, const struct sim_op *op)
{
    if (++w->polls < POLLS_MOST) return;
    w->polls = 0;
    warp_yield(w, op);
}
// The lanes of `mask` whose guard holds.
static inline uint32_t warp_guard(const struct warp *w, const struct sim_op *op, uint32_t mask)
{
    if (!op->guard) return mask;
    uint32_t p = *warp_pred(w, op->guard);
    return mask & (op->guard_negated ? ~p : p);
}

// Handlers outside the vector files: control.c, barrier.c, collective.c, call.c
sim_handler control_bra, control_bra_guarded, control_jump, control_brx, control_ret, control_exit, control_trap;
sim_handler control_nop, control_guarded, control_clock, control_local_address, control_fence, control_sleep;
sim_handler control_alloca;
sim_handler call_enter, call_store_param, call_load_param, call_load_entry_param, call_spill_param;
sim_handler barrier_sync, barrier_arrive, barrier_red;
sim_handler copy_async, control_check_divisor, control_copy_commit, control_copy_wait;

#endif
