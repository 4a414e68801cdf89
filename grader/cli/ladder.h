// Reads the ladder of a lab and simulates the speedup of each rung. A lab's ladder is a series of example kernels,
// called rungs, from slow to fast. The last rung of the ladder is the lab's reference solution.
#ifndef CLI_LADDER_H
#define CLI_LADDER_H

#include "cli/cli.h"
#include "judge/judge.h"

enum { CLI_LADDER_RUNGS = 16 };
// Describes one rung (one example kernel) of a lab's ladder.
struct cli_ladder_rung {
    char name[64];   // "2_padded"; "reference" for the last rung
    char about[240]; // first sentence of the kernel's comment
    double speedup;  // simulated speedup over the baseline
};
// Reads the rungs of a lab's ladder, from the first rung to the reference solution. The first call of cli_ladder()
// simulates the rungs with the settings of `job`. Later calls of cli_ladder() read the rungs' times from a cache.
// Returns the number of rungs, or 0 if the kit has no ladder for the lab.
uint32_t cli_ladder(const struct cli_paths *, const struct judge_job *, struct cli_ladder_rung rung[CLI_LADDER_RUNGS]);
// Returns the number, counted from 1, of the highest rung that a kernel with the speedup `speedup` reaches. Returns 0
// if all rungs of the ladder are faster.
uint32_t cli_ladder_reached(const struct cli_ladder_rung *, uint32_t count, double speedup);
// Appends a text about the position of a speedup on the ladder. An example of the text is "as fast as rung 2 of 5,
// '2_padded'; next: '3_two_tiles', 4.90 × the baseline". Appends nothing if `count`, the number of rungs, is 0.
void cli_ladder_describe(const struct cli_ladder_rung *, uint32_t count, double speedup, struct text *);

#endif
