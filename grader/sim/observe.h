// Turns what a launch left behind into an observation: totals, lines, findings, print, occupancy and time.
#ifndef SIM_OBSERVE_H
#define SIM_OBSERVE_H

#include "engine/observation.h"
#include "sim/machine/grid.h"

void observe_grid(const struct grid *, struct observation *);

#endif
