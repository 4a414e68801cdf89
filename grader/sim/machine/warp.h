// A warp at work: picks a split, runs its ops, splits and merges, and makes findings.
#ifndef SIM_MACHINE_WARP_H
#define SIM_MACHINE_WARP_H

#include "sim/core/warp.h"

// Runs the warp until it waits, ends, or used up about `fuel` instructions. Returns the number of instructions that it
// executed.
uint64_t warp_run(struct warp *, uint64_t fuel);
// Starts the warp at the kernel's entry with the lanes in `live`. The caller has set up the register file; it fills the
// rows that depend on the block afterwards.
void warp_begin(struct warp *, struct block *, uint32_t id, uint32_t live);
// Switches lane jitter on: from now on, some lanes run ahead of the others at random, as the seed draws.
void warp_jitter(struct warp *, uint64_t seed);
// Releases the splits and frames of a warp that did not end.
void warp_abandon(struct warp *);
// Ends the lanes in `mask`, which are lanes of the current split.
void warp_exit(struct warp *, const struct sim_op *, uint32_t mask);
// Splits the current split: the lanes in `mask` stay in it, the others go on at `others_pc` as a split of their own.
void warp_split(struct warp *, uint32_t mask, uint32_t others_pc);
// Removes a split and releases its frame.
void warp_remove_split(struct warp *, uint32_t split);
// Adds one occurrence of a finding by a lane at an op. `text` (NULL: none) and `value` go into the finding. `second`:
// the other op of the finding; UINT32_MAX: none.
void warp_finding(struct warp *, uint32_t kind, uint32_t op, uint32_t lane, const char *text, uint64_t value,
                  uint32_t second);
// Adds the finding and ends the launch.
void warp_fault(struct warp *, uint32_t kind, uint32_t op, uint32_t lane, const char *text, uint64_t value);
// Ends the launch with a deadlock. `waits` groups of threads wait, at most FINDING_WAITS.
void warp_deadlock(struct warp *, uint32_t op, uint32_t lane, const struct finding_wait *, uint32_t waits);

#endif
