// Executes warps: chooses which split (group of lanes with one pc) of a warp runs, executes its ops, divides and merges
// splits, and adds findings.
#ifndef SIM_MACHINE_WARP_H
#define SIM_MACHINE_WARP_H

#include "sim/core/warp.h"

// Runs the warp until all its lanes wait, yield or have exited, or until a finding ends the launch. The function also
// returns when the warp has executed about `fuel` instructions. Returns the number of executed warp instructions.
uint64_t warp_run(struct warp *, uint64_t fuel);
// Starts warp number `id` of the block at the kernel's entry, with the lanes in `live`. Before the call, the caller
// sets up the warp's register file. After the call, the caller stores the special registers that depend on the block,
// such as %ctaid, in the register file.
void warp_begin(struct warp *, struct block *, uint32_t id, uint32_t live);
// Switches lane jitter on until the warp ends: some lanes run ahead of the others at random times, drawn from `seed`.
void warp_jitter(struct warp *, uint64_t seed);
// Divides the lanes of a warp that has just begun into two groups, which run one after the other, each until it waits
// or ends. The lanes whose index has an even number of one bits run first if `backwards` is 0, and last if it is 1.
void warp_separate(struct warp *, uint32_t backwards);
// Releases the splits (groups of lanes) and call frames of a warp whose lanes have not all exited.
void warp_abandon(struct warp *);
// Executes the exit of the lanes in `mask`, which belong to the group of lanes that runs.
void warp_exit(struct warp *, const struct sim_op *, uint32_t mask);
// Divides the current group of lanes (w->mask), which keeps only the lanes in `mask`. The lanes of the current group
// that are not in `mask` form a new group of lanes (split), which continues at op `others_pc`. Does nothing if `mask`
// contains all lanes of the current group.
void warp_split(struct warp *, uint32_t mask, uint32_t others_pc);
// Removes a split (a group of lanes) from the warp and releases its call frame.
void warp_remove_split(struct warp *, uint32_t split);
// Adds one occurrence of a finding (an error of the kernel) by a lane at an op. The finding receives `text` (NULL:
// none) and `value`. If a second op takes part in the finding, such as the op where the warp's other lanes are,
// `second` is its index, otherwise UINT32_MAX.
void warp_finding(struct warp *, uint32_t kind, uint32_t op, uint32_t lane, const char *text, uint64_t value,
                  uint32_t second);
// Adds a finding (an error of the kernel) by a lane at an op, and ends the launch.
void warp_fault(struct warp *, uint32_t kind, uint32_t op, uint32_t lane, const char *text, uint64_t value);
// Adds a deadlock finding and ends the launch. The finding lists the `waits` groups of threads that wait (at most
// FINDING_WAITS). `text` says more about the cause; NULL: nothing.
void warp_deadlock(struct warp *, uint32_t op, uint32_t lane, const char *text, const struct finding_wait *,
                   uint32_t waits);

#endif
