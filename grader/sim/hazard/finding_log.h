// Collects the findings of a launch. Findings of the same kind at the same place, with the same second place, are one
// finding with a count.
#ifndef SIM_HAZARD_FINDING_LOG_H
#define SIM_HAZARD_FINDING_LOG_H

#include "engine/observation.h"
#include "sim/core/launch.h"

struct ptx_module;

// Returns an empty log. The caller frees it with finding_log_free.
struct finding_log *finding_log_new(void);
void finding_log_free(struct finding_log *);
// Adds one occurrence. `op` and `other_op` (UINT32_MAX: none) are ops of the program, from which finding_log_write
// takes file, line and column. The caller sets block and thread. Of several occurrences, the one with the smallest
// block and thread is kept as the example.
void finding_log_add(struct finding_log *, const struct finding *, uint32_t op, uint32_t other_op);
// Adds a race in a block. Its field `before` is set by finding_log_barrier, when the block passes its next barrier.
// `site` is the barrier's op plus one, as in struct sim_block.
void finding_log_add_race(struct finding_log *, struct finding *, uint32_t op, uint32_t other_op, struct sim_block *);
void finding_log_barrier(struct finding_log *, struct sim_block *, uint32_t site);
// Marks the races in `kept` that a fence would prevent: those that `fenced` lacks. `fenced` is the log of the same
// launch with every strong write treated as a release.
void finding_log_unfenced(struct finding_log *kept, const struct finding_log *fenced);
// Returns 1 if the log has a race.
int finding_log_has_races(const struct finding_log *);
// Adds all findings of `from` to `into`.
void finding_log_merge(struct finding_log *into, const struct finding_log *from);
// Writes the findings into the observation, the worst first.
void finding_log_write(const struct finding_log *, const struct sim_program *, struct observation *);
// Sets the thread index of a lane and the index of its block in a place.
void finding_log_place(struct finding_place *, const struct sim_warp *, uint32_t lane);

#endif
