// Puts lanes to sleep that poll memory: lanes that run a loop which changes nothing until another thread changes what
// the loop reads. Lanes that sleep execute no instruction, and wake when a value that their loop read has changed.
#ifndef SIM_MACHINE_POLL_H
#define SIM_MACHINE_POLL_H

#include "sim/core/warp.h"

// Considers the lanes that run for a probe, because they may poll: they read strongly several times, or used up the
// warp's quantum. During a probe (w->probing), warp_run() executes ops by poll_execute() and calls poll_step() after
// each run of ops.
void poll_consider(struct warp *);
// Executes an op and records the words that it reads, and whether it changes anything that lasts.
void poll_execute(struct warp *, const struct sim_op *, uint32_t mask);
// Ends the probe if the lanes that run are found to poll, which puts them to sleep, or not to poll. `from` is the op at
// which the latest run of ops began.
void poll_step(struct warp *, uint32_t from);
// Wakes the lanes of the block that sleep and whose loop read a value that has changed since.
void poll_wake(struct block *);
// Adds the finding that lanes of the block sleep which nobody will ever wake, and ends the launch. `text` says why.
void poll_deadlock(struct block *, const char *text);
// Forgets the block's lanes that sleep.
void poll_forget(struct block *);
void poll_free(struct warp *);

#endif
