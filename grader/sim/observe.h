// Converts the state of a finished launch into an observation: totals, lines, findings, printed output, occupancy and
// time.
#ifndef SIM_OBSERVE_H
#define SIM_OBSERVE_H

#include "engine/observation.h"
#include "sim/machine/grid.h"

void observe_grid(const struct grid *, struct observation *);

#endif
