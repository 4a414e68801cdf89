// Provides the simulator as an implementation of the interface in engine/engine.h. The simulator is a SIMT machine in
// software; sim/core/launch.h describes how its parts work together.
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "engine/engine.h"

extern const struct engine_ops sim_engine_ops;

#endif
