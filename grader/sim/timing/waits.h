// Measures how long warps wait for one another, in ops: through locks, flags, tickets, mbarriers and named barriers.
//
// Theory of operation. The replay (replay.h) runs the blocks of one multiprocessor and knows no waits but those at
// barriers of a whole block. A kernel whose blocks wait for one another, one at a time, would cost it nothing. So while
// the simulator executes a timed launch, it keeps for each warp the length of the longest chain of ops that had to come
// before the warp's next op: a warp that reads what another one released goes on at the later of its own and the
// releaser's length (a Lamport clock, CACM 1978, that counts ops). A launch whose longest chain is k times as long as
// it would be if only barriers of whole blocks made warps wait takes at least k times as long as the latencies of its
// ops (timing.c).
//
//   - Strong stores and atomics release. A store, and an atomic that continues a release sequence, leaves its warp's
//     length at the word.
//   - Strong loads, and compare-and-swaps, exchanges and acquiring atomics whose result is used, acquire, and so do
//   other
//     atomics that leave the word as it is, such as atomicAdd(&flag, 0). A relaxed counter does not: many blocks draw
//     numbers from it side by side, whatever order the simulator runs them in.
//   - An mbarrier's phase has the length of its longest arrival, and a named barrier, too.
//   - A block begins when the block before it at its place has ended.
//
// A chain can only be as right as the order in which the simulator executes things that could come in any order. While
// a launch with locks or flags is timed, warps and blocks therefore take turns of a few instructions
// (sim_plan.takes_turns), so that they advance side by side, as on a device.
//
// Limits. An op counts as one, whatever it takes: a chain through ops that are slower than the launch's mean is longer
// than it seems, and rounds of polling before lanes sleep (machine/poll.h) count as ops of their warp.
//
// Words are kept in tables of a fixed size. Where two words meet at one place, the older one is forgotten, which can
// only shorten a chain.
#ifndef SIM_TIMING_WAITS_H
#define SIM_TIMING_WAITS_H

#include "sim/core/access.h"
#include "sim/core/launch.h"

struct waits;

// Returns an empty table for a launch's words in global memory. The caller frees it with waits_free().
struct waits *waits_new(void);
void waits_free(struct waits *);
// Prepares a block that begins after a chain of `start` ops. None of its words has been released.
void waits_begin_block(struct sim_block *, uint64_t start);
// Returns the path up to op number `op` of the warp's current run, or up to the end of its latest run.
static inline struct sim_path waits_path(const struct sim_warp *w, uint32_t op)
{
    uint64_t ran = w->executed + (op > w->run ? op - w->run : 0);
    return (struct sim_path){w->before.waiting + ran, w->before.alone + ran};
}
static inline void waits_longer(struct sim_path *a, struct sim_path b)
{
    if (b.waiting > a->waiting) a->waiting = b.waiting;
    if (b.alone > a->alone) a->alone = b.alone;
}
// Returns 1 if the warp's launch is timed.
static inline int waits_count(const struct sim_warp *w)
{
    return w->block->worker->launch->request->cold != 0;
}
// Follow one element of a strong access, at `at` in global or shared memory, whose value was read or written. `keeps`
// is 1 if the word has the same value as before.
void waits_read(struct sim_warp *, const struct sim_access *, uint32_t space, uint64_t at, int keeps);
void waits_write(struct sim_warp *, const struct sim_access *, uint32_t space, uint64_t at);
// Follows an arrival at the mbarrier at `at` in shared memory. `completes` is 1 if it completes the mbarrier's phase.
void waits_arrive(struct sim_warp *, const struct sim_access *, uint64_t at, int completes);
// Makes a warp, which is at op number `op`, go on not before `path`.
void waits_until(struct sim_warp *, uint32_t op, struct sim_path path);

#endif
