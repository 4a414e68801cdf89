// Reports which lines, branches and functions of the source a launch executed.
#ifndef SIM_COVERAGE_H
#define SIM_COVERAGE_H

#include "engine/coverage.h"
#include "sim/machine/grid.h"

// Lists all lines, branches and functions of the image that are in the student's file, with this launch's counts.
void coverage_observe(const struct grid *, struct coverage *);

#endif
