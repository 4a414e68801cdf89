// The simulator as an engine: a SIMT machine in software. See launch.h for how its parts work together.
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "engine/engine.h"

extern const struct engine_ops sim_engine_ops;

#endif
