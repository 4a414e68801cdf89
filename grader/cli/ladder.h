// Reads the example kernels of a lab that show the steps from a slow to a fast kernel, and simulates their speedups.
// The series of a lab's example kernels is called its ladder, and each example kernel is a rung of the ladder. The last
// example kernel (rung) of a ladder is the lab's reference solution.
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
// Reads the rungs (example kernels) of a lab's ladder, from the first rung to the reference solution. The first call of
// cli_ladder() simulates the example kernels with the settings of the struct judge_job. Later calls of cli_ladder()
// read the times of the example kernels from a cache. Returns the number of example kernels, or 0 if the folder
// reference/ladder has none for the lab.
uint32_t cli_ladder(const struct cli_paths *, const struct judge_job *, struct cli_ladder_rung rung[CLI_LADDER_RUNGS]);
// Returns the number, counted from 1, of the last rung (example kernel) whose speedup a kernel with the speedup
// `speedup` reaches, up to a tolerance of 2 %. Returns 0 if the kernel is slower than every rung (example kernel).
uint32_t cli_ladder_reached(const struct cli_ladder_rung *, uint32_t count, double speedup);
// Appends a text that compares a kernel's speedup with the speedups of the rungs (example kernels) of the lab's ladder.
// For example, cli_ladder_describe() appends "as fast as rung 2 of 5, '2_padded'; next: '3_two_tiles', 4.90 × the
// baseline". Appends nothing if `count`, the number of elements of the array of struct cli_ladder_rung, is 0.
void cli_ladder_describe(const struct cli_ladder_rung *, uint32_t count, double speedup, struct text *);

#endif
