// The ladder of a lab: the kernels between its baseline and its reference, with their simulated speedups.
#ifndef CLI_LADDER_H
#define CLI_LADDER_H

#include "cli/cli.h"
#include "judge/judge.h"

enum { CLI_LADDER_RUNGS = 16 };
// A rung of the ladder.
struct cli_ladder_rung {
    char name[64];   // "2_padded"; "reference" for the last rung
    char about[240]; // first sentence of the kernel's comment
    double speedup;  // over the baseline, on the simulator
};
// Reads the rungs from the lowest to the reference. Measures them under the conditions of a job at the first call;
// later calls read the cache. Returns their number, or 0 if the kit has no ladder for the lab.
uint32_t cli_ladder(const struct cli_paths *, const struct judge_job *, struct cli_ladder_rung rung[CLI_LADDER_RUNGS]);
// Returns the number of the highest rung that is not faster than `speedup`, counted from 1; 0 if all are faster.
uint32_t cli_ladder_reached(const struct cli_ladder_rung *, uint32_t count, double speedup);
// Appends a sentence on the position of a speedup: "rung 2 of 5, '2_padded'; the next, '3_two_tiles', is 4.90 × as fast
// as the baseline". Appends nothing if `count` is 0.
void cli_ladder_describe(const struct cli_ladder_rung *, uint32_t count, double speedup, struct text *);

#endif
