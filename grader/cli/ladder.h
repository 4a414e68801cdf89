// The ladder of a lab: the steps from its baseline to its reference, and how fast each is on the simulator.
#ifndef CLI_LADDER_H
#define CLI_LADDER_H

#include "cli/cli.h"
#include "judge/judge.h"

enum { CLI_LADDER_RUNGS = 16 };
struct cli_ladder_rung {
    char name[64];   // "2_padded"; the last one is "reference"
    char about[240]; // the first sentence of its comment
    double speedup;  // over the baseline, by the simulator's model
};
// The rungs from the lowest to the reference, in the circumstances of a job; 0: this kit has none. Measured once, then
// taken from the cache.
uint32_t cli_ladder(const struct cli_paths *, const struct judge_job *, struct cli_ladder_rung rung[CLI_LADDER_RUNGS]);
// On which rung a speedup stands: rungs as fast as that, or slower, counted from below; 0: on the ground.
uint32_t cli_ladder_reached(const struct cli_ladder_rung *, uint32_t count, double speedup);
// "rung 2 of 5, '2_padded'; the next, '3_two_tiles', is 4.90 × as fast as the baseline": one sentence, or nothing.
void cli_ladder_describe(const struct cli_ladder_rung *, uint32_t count, double speedup, struct text *);

#endif
