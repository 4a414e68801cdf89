// Collects the findings of a launch. Findings of the same kind at the same two places and in the same array become one
// finding with a count.
#ifndef SIM_HAZARD_FINDING_LOG_H
#define SIM_HAZARD_FINDING_LOG_H

#include "engine/observation.h"
#include "sim/core/launch.h"

struct ptx_module;

// Returns an empty log. The caller frees the log with finding_log_free().
struct finding_log *finding_log_new(void);
void finding_log_free(struct finding_log *);
// Adds one occurrence of a finding to the log. `op` and `other_op` are ops of the program, from which
// finding_log_write() derives file, line and column. UINT32_MAX as `other_op` means that there is no second place. The
// caller sets block and thread of the places. Of several occurrences, the log keeps the one with the smallest block and
// thread as the example.
void finding_log_add(struct finding_log *, const struct finding *, uint32_t op, uint32_t other_op);
// Adds a race that a block found. If both accesses belong to this block, finding_log_barrier() completes the finding's
// field `before` when the block passes its next barrier.
void finding_log_add_race(struct finding_log *, struct finding *, uint32_t op, uint32_t other_op, struct sim_block *);
// Records that the block passed a barrier of all its threads. Completes the field `before` of the block's races since
// its previous barrier. `site`: the barrier's op plus one, as in struct sim_block.
void finding_log_barrier(struct finding_log *, struct sim_block *, uint32_t site);
// Marks the races in `kept` that a fence would prevent: the races that are not in `fenced`. `fenced` is the log of the
// same launch in a run that treats every strong write as a release.
void finding_log_unfenced(struct finding_log *kept, const struct finding_log *fenced);
// Returns 1 if the log has at least one race. Races of equal values do not count.
int finding_log_has_races(const struct finding_log *);
// Adds all findings of `from` to `into`. `from` does not change.
void finding_log_merge(struct finding_log *into, const struct finding_log *from);
// Writes the findings into the observation, the worst first. An observation holds at most OBSERVATION_FINDINGS
// findings. `findings_dropped` counts the findings that are left out.
void finding_log_write(const struct finding_log *, const struct sim_program *, struct observation *);
// Sets the block index and the thread index of the place to the indices of the warp's block and of a lane's thread.
void finding_log_place(struct finding_place *, const struct sim_warp *, uint32_t lane);

#endif
