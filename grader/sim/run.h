// One launch of a lowered kernel: checked as a device's driver would, run, observed.
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "engine/engine.h"
#include "sim/core/program.h"

struct text;

struct sim_run {
    const struct device_profile *device;
    uint32_t threads; // of this machine
    struct sim_memory *memory;
    const struct sim_program *program;
    const struct engine_launch *request; // its arguments are not looked at
    const uint8_t *params;               // the kernel's parameters as PTX lays them out: program->plan->param_bytes
    uint64_t workspace;   // cooperative launches: address of 8 bytes, the grid's barrier in the second four; else 0
    uint64_t print_bytes; // of what the kernel prints, as many are kept
    struct text *print;   // gets it, whole; NULL: the observation alone, as far as it fits
};
void sim_run(const struct sim_run *, struct observation *);
// 1 when the device cannot run it: the observation says why. 0: its facts (registers, occupancy) are filled in.
int sim_run_refused(const struct sim_run *, struct observation *);

#endif
