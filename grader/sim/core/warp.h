// Defines the state of a warp and its block: the register file, the splits (groups of lanes) and the call frames of the
// warp.
//
// The lanes of a warp need not be at the same op. A *split* is a group of lanes of one warp with the same pc and the
// same call frame. A lane belongs to only one split (group of lanes) at a time. Ops are ordered so that, on every path
// outside loops, a smaller pc comes earlier (rank.c). Of a warp's splits (groups of lanes), the simulator runs the one
// with the smallest pc. Running the smallest pc first lets diverged lanes converge where their paths join ("thread
// frontiers", Diamos et al., MICRO 2011). When a group of lanes has used up its quantum of instructions, the warp's
// other groups that can run go first. Because groups of diverged lanes take turns, a lane can poll until another lane
// of its warp changes memory, as with independent thread scheduling.
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
    SPLIT_QUANTUM = 20000,  // instructions of a split (group of lanes) until another split of the warp runs
    WARP_QUANTUM = 50000,   // instructions of a warp until another warp of the block runs
    TURN_OF_WARP = 16,      // the same in a timed launch whose warps wait for words (sim_plan.takes_turns)
    BARRIER_PATHS = 64,     // number of answers about paths to barriers that a block keeps
    POLLS_FEW = 4,          // strong reads after which the simulator looks whether the lanes poll (machine/poll.h)
    POLLS_MOST = 64,        // strong reads after which the lanes that run yield, because they may be polling
    FRAME_DEPTH_MAX = 1000, // largest depth of nested calls
    CALL_RESULTS = 64,      // largest number of 32-bit words that a function returns
};

enum split_state {
    SPLIT_RUNNABLE,
    SPLIT_AT_BARRIER, // waits at a barrier of the block
    SPLIT_PARKED,     // waits before an aligned barrier until preempted lanes of the warp arrive
    SPLIT_ASLEEP,     // polls memory, and waits until another thread changes it (machine/poll.h)
    SPLIT_AT_WARP_OP, // waits at a shuffle, vote, __syncwarp or similar op until all lanes of its mask arrive
};

// Describes one active call of a device function. Call frames form a tree, because lanes that diverge inside a call
// share the call's frame.
struct frame {
    struct frame *parent; // NULL: the kernel made the call
    uint32_t references;  // number of splits (groups of lanes) and frames that refer to this frame
    uint32_t depth;
    uint32_t call;       // index of the op that made the call
    uint32_t callee;     // index in module->func
    uint32_t is_saved;   // 1: `saved` holds the caller's registers
    uint32_t local_base; // offset of the called function's .local variables in local memory
    uint32_t saved_bytes;
    uint8_t *saved; // [saved_bytes]: the caller's registers; saved if the call may run the caller recursively
};

struct split {
    uint32_t pc, mask;
    uint32_t turn;       // number of quanta that the split used up while other splits waited
    uint8_t state;       // enum split_state
    uint8_t barrier;     // SPLIT_AT_BARRIER: number of the barrier
    uint32_t wait_mask;  // SPLIT_AT_WARP_OP: lanes for which the split waits
    uint32_t polled;     // SPLIT_ASLEEP: op of the first read in the loop
    struct frame *frame; // NULL in the kernel itself; the split holds a reference
};

// Counts the executions of an op. The fields `warps` and `lanes` hold the difference between an op's count and the
// previous op's count. At the end of the launch, a prefix sum over the ops gives the counts of each op.
struct op_tally {
    int64_t warps, lanes; // added at the first op of a run, subtracted at the op after the run's last op
    uint64_t off;         // lanes whose guard was false
    uint64_t divergent;
    uint64_t taken; // lanes that took a conditional branch
};

struct block;
struct pattern; // pattern.h
struct poll;    // machine/poll.c
struct sleeper;
struct warp {
    struct sim_warp memory;         // the part of the warp that memory accesses use
    uint8_t *rows;                  // the register file
    const struct sim_op *ops, *end; // first op of the program; end of the current run of ops
    const struct sim_plan *plan;
    uint32_t pc;          // index of the op at which the current split continues
    uint32_t mask;        // lanes of the current split
    uint32_t event;       // 1: splits changed, so the split that runs must be chosen again
    uint32_t yields;      // 1: the current split yields to other splits
    uint32_t polls;       // strong reads since the last yield
    uint32_t all_yielded; // 1: warp_run ended because all splits yielded
    uint32_t current, nsplits;
    struct split split[WARP_LANES];
    struct op_tally *tally;  // the worker's
    struct pattern *pattern; // [plan->nmemory]: latest pattern of each access; the worker owns it
    struct sim_access access;
    uint64_t slept;      // cycles of nanosleep and the like
    uint32_t preempted;  // 1: since the warp's latest barrier, a quantum separated lanes that could have converged
    uint32_t has_jitter; // 1: some lanes run ahead at random (lane jitter)
    uint32_t separate;   // 1: two groups of lanes that never merge (lanes apart)
    uint32_t jitter_in;  // instructions until lanes are separated the next time
    struct prng jitter;
    uint32_t mixed;       // converge.c: 1 + op of a warp operation that executed together with a later one; 0: none
    uint32_t unmixed[2];  // converge.c: ops that executed together, of which none leads to the other
    uint32_t last_branch; // op of the latest backward branch; used to report a launch that takes too long
    struct frame *frame;  // frame of the current split; NULL in the kernel itself
    struct frame *free_frames;
    uint32_t *undef;                  // [plan->nregs]: lanes whose register has undefined bits
    uint32_t nundef;                  // number of registers with undefined bits in any lane
    struct sim_undefined **undefined; // [plan->nregs][lane]: undefined values; NULL until a lane has undefined bits
    uint32_t initial;                 // mask of the lanes that exist at the start
    uint32_t running;                 // 1: warp_run() is running this warp
    uint32_t probing;                 // 1: a probe observes whether the lanes of poll->mask poll (machine/poll.h)
    uint32_t poll_due;                // 1: an occasion for a probe
    uint32_t poll_pause, poll_gap;    // occasions until the next probe; the latest pause
    struct poll *poll;                // NULL: no probe was ever made
    struct block *block;
};

// Watches what the warps of some blocks do (sim/record). A watched launch runs on one host thread.
struct sim_watcher {
    // A run of the launch begins, on one host thread. What earlier runs did is void.
    void (*start)(struct sim_watcher *, const struct sim_launch *);
    // A block begins. Returns 1 if the block's ops are to be watched.
    int (*begin)(struct sim_watcher *, struct block *);
    // A block takes a turn, watched or not.
    void (*turn)(struct sim_watcher *, struct block *);
    // Lanes of a watched block may have begun or ended to wait, after a warp of the block has run.
    void (*waited)(struct sim_watcher *, struct block *);
    // The lanes in `mask` of a warp of a watched block execute an op.
    void (*before)(struct sim_watcher *, struct warp *, const struct sim_op *, uint32_t mask);
    void (*after)(struct sim_watcher *, struct warp *, const struct sim_op *, uint32_t mask);
};

// Gives the number of barriers of a block (CUDA barriers 0 to 15).
enum { BARRIERS = 16 };
struct barrier {
    uint32_t arrived[BLOCK_WARPS_MAX]; // [warp]: mask of the lanes that wait
    struct sim_path path;              // the longest path of the warps that arrived
    uint32_t passed;                   // number of threads that arrived by bar.arrive and do not wait
    uint32_t expected;                 // number of threads that the barrier expects; 0: all threads of the block
    uint32_t op;                       // op of the first arrival, plus one; 0: no arrival
    uint32_t site;                     // frame_site of the first arrival's op, plus one
    uint32_t mismatch;                 // 1: a finding about threads that wait at different places was recorded
};

struct block {
    struct sim_block memory;
    struct warp *warp;
    uint32_t nwarps, live_warps;
    struct barrier barrier[BARRIERS];
    uint32_t open;   // bit n: at least one thread has arrived at barrier n
    uint32_t *order; // warps in the order in which they take turns
    uint32_t turn;   // index in `order` of the warp that runs
    struct op_tally *tally;
    uint64_t executed;    // number of warp instructions executed, and of those that stand for other work
    uint64_t charged;     // number of the latter
    uint64_t clock;       // the latest clock value that the block's warps read, in cycles
    uint64_t budget;      // warp instructions allowed for this block: the rest of the launch's budget
    uint32_t stopped;     // 1: a finding in this block ended the launch
    uint32_t changed;     // 1: lanes arrived at a barrier or exited, so barrier_check() must run
    struct barrier_path { // answers of barrier.c: 1 in `leads` if every path from op `from` leads to op `to` - 1
        uint32_t from, to;
        int leads;
    } path[BARRIER_PATHS];
    struct sleeper *sleepers;    // lanes that sleep (machine/poll.h); NULL: none
    const uint8_t *params;       // values of the kernel's parameters
    struct sim_watcher *watcher; // NULL: nobody watches the block's ops
};

enum { NO_SPLIT = 0xffffffffu };

// Returns the predicate at offset `offset` of the warp's register file: a mask with one bit for each lane.
static inline uint32_t *warp_pred(const struct warp *w, uint32_t offset)
{
    return (uint32_t *)(void *)(w->rows + offset);
}
// Returns the 32-bit register at offset `offset` of the warp's register file: an array with one word for each lane.
static inline uint32_t *warp_row(const struct warp *w, uint32_t offset)
{
    return (uint32_t *)(void *)(w->rows + offset);
}
// Returns the index of the op `op` in the lowered program.
static inline uint32_t warp_op_index(const struct warp *w, const struct sim_op *op)
{
    return (uint32_t)(op - w->ops);
}
// Returns the offset in local memory of the current function's .local variables.
static inline uint32_t warp_local_base(const struct warp *w)
{
    return w->frame ? w->frame->local_base : 0;
}
// Makes the warp stop after the op `op` and choose again which split (group of lanes) runs. The lanes that executed
// `op` continue at the op with index `pc`, unless the state of their split makes them wait.
static inline void warp_stop(struct warp *w, const struct sim_op *op, uint32_t pc)
{
    w->end = op + 1;
    w->pc = pc;
    w->event = 1;
}
// Makes the current split (the group of lanes that is executing) yield after the op `op`, so that all other lanes of
// the warp that can run go first.
static inline void warp_yield(struct warp *w, const struct sim_op *op)
{
    w->yields = 1;
    warp_stop(w, op, warp_op_index(w, op) + 1);
}
// Counts one strong read (a volatile load, an atomic with a result or the like), which the current split has executed.
// After POLLS_FEW strong reads, a probe looks whether the lanes poll. After POLLS_MOST, the current split yields to the
// warp's other lanes.
static inline void warp_poll(struct warp *w, const struct sim_op *op)
{
    if (++w->polls == POLLS_FEW) w->poll_due = 1;
    if (w->polls < POLLS_MOST) return;
    w->polls = 0;
    warp_yield(w, op);
}
// Returns the lanes of `mask` whose guard predicate for the op `op` is true. An op without a guard applies to all
// lanes.
static inline uint32_t warp_guard(const struct warp *w, const struct sim_op *op, uint32_t mask)
{
    if (!op->guard) return mask;
    uint32_t p = *warp_pred(w, op->guard);
    return mask & (op->guard_negated ? ~p : p);
}

// Handlers outside the vectorised files: op/control.c, machine/barrier.c, machine/call.c
sim_handler control_bra, control_bra_guarded, control_jump, control_brx, call_return, control_exit, control_trap;
sim_handler control_nop, control_guarded, control_clock, control_local_address, control_fence, control_sleep;
sim_handler control_alloca;
sim_handler call_enter, call_store_param, call_load_param, call_load_entry_param, call_spill_param;
sim_handler barrier_sync, barrier_arrive, barrier_red;
sim_handler control_check_divisor, control_copy_commit, control_copy_wait;

#endif
