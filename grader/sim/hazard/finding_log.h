// Collects the findings of a launch: those of one kind at one place (and one other place) are one finding with a count.
#ifndef SIM_HAZARD_FINDING_LOG_H
#define SIM_HAZARD_FINDING_LOG_H

#include "engine/observation.h"
#include "sim/core/launch.h"

struct ptx_module;

struct finding_log *finding_log_new(void);
void finding_log_free(struct finding_log *);
// Adds one occurrence. `op` (and `other_op`, or UINT32_MAX) are indices into the program; places' file, line and column
// are filled in from them at the end, block and thread must be set. Of several occurrences the one with the smallest
// (block, thread) is kept as the example.
void finding_log_add(struct finding_log *, const struct finding *, uint32_t op, uint32_t other_op);
// A race in a block, whose `before` is known when the block passes its next barrier (op plus one, as in sim_block).
void finding_log_add_race(struct finding_log *, struct finding *, uint32_t op, uint32_t other_op, struct sim_block *);
void finding_log_barrier(struct finding_log *, struct sim_block *, uint32_t site);
// Races that `kept` has and `fenced`, the same launch as if every strong write were a release, has not: a fence is
// missing there.
void finding_log_unfenced(struct finding_log *kept, const struct finding_log *fenced);
int finding_log_has_races(const struct finding_log *);
void finding_log_merge(struct finding_log *into, const struct finding_log *from);
// Writes the findings, worst first, into the observation.
void finding_log_write(const struct finding_log *, const struct sim_program *, struct observation *);
// Thread index (x, y, z) of a lane, and the block's index, into a place.
void finding_log_place(struct finding_place *, const struct sim_warp *, uint32_t lane);

#endif
