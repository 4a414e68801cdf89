// Reports which lines, branches and functions of the source a launch executed.
#ifndef SIM_COVERAGE_H
#define SIM_COVERAGE_H

#include "engine/coverage.h"
#include "sim/machine/grid.h"

// Lists in the struct coverage all lines, branches and functions of the student's file, with the launch's execution
// counts.
void coverage_observe(const struct grid *, struct coverage *);

#endif
