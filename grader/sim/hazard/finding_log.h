// Collects the findings of a launch. Findings of the same kind, at the same ops and in the same array become one
// finding with a count.
#ifndef SIM_HAZARD_FINDING_LOG_H
#define SIM_HAZARD_FINDING_LOG_H

#include "engine/observation.h"
#include "sim/core/launch.h"

struct ptx_module;

// Returns an empty log. The caller must free the log with finding_log_free().
struct finding_log *finding_log_new(void);
void finding_log_free(struct finding_log *);
// Adds one occurrence of a finding to the log. `op` and `other_op` are op indices, from which finding_log_write()
// derives the source file, line and column of the finding's two accesses. UINT32_MAX as `other_op` means that no second
// op is known. The caller sets the block and thread indices of the finding's two accesses. Of several occurrences of a
// finding, the log keeps the one with the smallest block and thread index as the example.
void finding_log_add(struct finding_log *, const struct finding *, uint32_t op, uint32_t other_op);
// Sets the step of the recording in which the findings that are added from now on were found; 0: none.
void finding_log_step(struct finding_log *, uint32_t step);
// Returns the number of different findings in the log.
uint32_t finding_log_count(const struct finding_log *);
// Says where a race occurred: in which array, by which block of the grid and which thread of the block.
struct occurrence {
    const void *array; // any pointer that is the same for all races in the array, but not NULL
    uint64_t block;
    uint32_t thread;
};
// Counts one more occurrence of a race, without a struct finding, if the log has the same race of the same array and
// its example is not behind this occurrence in the grid. `warp` is the field of struct finding. Returns 1 if it was
// counted; otherwise, the caller calls finding_log_add_race(). A racy loop has millions of occurrences.
int finding_log_repeat(struct finding_log *, enum finding_kind, uint32_t op, uint32_t other_op, int warp,
                       const struct occurrence *);
// Adds a race to the log. The race was found while the block of the given struct sim_block ran. If the two accesses of
// the race belong to one block, finding_log_barrier() sets the field `before` of the finding when the block passes its
// next barrier.
void finding_log_add_race(struct finding_log *, struct finding *, uint32_t op, uint32_t other_op, struct sim_block *,
                          const struct occurrence *);
// Records that the block passed a barrier of all its threads. Stores `site` in the field `before` of each race that was
// found in the block since the block's previous barrier. `site` is the barrier's op index plus one, as in struct
// sim_block.
void finding_log_barrier(struct finding_log *, struct sim_block *, uint32_t site);
// Marks each race in `kept`, the log of a launch, that a fence would prevent: each race that is not in `fenced`. To
// record the log `fenced`, the simulator repeats the launch and lets every strong write (atomic, volatile or the like)
// count as a release.
void finding_log_unfenced(struct finding_log *kept, const struct finding_log *fenced);
// Returns 1 if the log has at least one race other than a race between two stores of equal values.
int finding_log_has_races(const struct finding_log *);
// Adds all findings of `from` to `into`. `from` does not change.
void finding_log_merge(struct finding_log *into, const struct finding_log *from);
// Writes the findings of the log into struct observation (the result of the launch), the worst first. At most
// OBSERVATION_FINDINGS findings are written. The field `findings_dropped` of struct observation counts the findings for
// which there is no room.
void finding_log_write(const struct finding_log *, const struct sim_program *, struct observation *);
// Sets the block index and the thread index in a struct finding_place to those of lane `lane` of the warp.
void finding_log_place(struct finding_place *, const struct sim_warp *, uint32_t lane);

#endif
