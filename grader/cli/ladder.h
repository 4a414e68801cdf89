// Reads the ladder of a lab and simulates its speedups. The ladder is a series of example kernels, called rungs, from
// slow to fast. The last rung is the lab's reference.
#ifndef CLI_LADDER_H
#define CLI_LADDER_H

#include "cli/cli.h"
#include "judge/judge.h"

enum { CLI_LADDER_RUNGS = 16 };
// One rung of the ladder.
struct cli_ladder_rung {
    char name[64];   // "2_padded"; "reference" for the last rung
    char about[240]; // first sentence of the kernel's comment
    double speedup;  // simulated speedup over the baseline
};
// Reads the rungs of a lab, from the first rung to the reference. The first call measures the rungs with the settings
// of `job`. Later calls of cli_ladder() read the cached times. Returns the number of rungs, or 0 if the kit has no
// ladder for the lab.
uint32_t cli_ladder(const struct cli_paths *, const struct judge_job *, struct cli_ladder_rung rung[CLI_LADDER_RUNGS]);
// Returns the number of the highest rung that is not faster than `speedup`, counted from 1. Returns 0 if all rungs are
// faster.
uint32_t cli_ladder_reached(const struct cli_ladder_rung *, uint32_t count, double speedup);
// Appends a sentence about the position of a speedup on the ladder. An example is "rung 2 of 5, '2_padded'; the next,
// '3_two_tiles', is 4.90 × as fast as the baseline". Appends nothing if `count` is 0.
void cli_ladder_describe(const struct cli_ladder_rung *, uint32_t count, double speedup, struct text *);

#endif
