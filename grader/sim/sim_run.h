// Runs one launch of a lowered kernel: checks the request as a CUDA driver would, executes the kernel, and stores the
// results in a struct observation.
#ifndef SIM_SIM_RUN_H
#define SIM_SIM_RUN_H

#include "engine/engine.h"
#include "sim/core/program.h"

struct l2_lines;
struct sampling_memo;
struct sim_watcher;
struct text;
struct device_profile;

struct sim_run {
    const struct device_profile *device;
    uint32_t threads; // host threads to use
    struct sim_memory *memory;
    const struct sim_program *program;
    const struct engine_launch *request; // its arguments are ignored: `params` holds them
    const uint8_t *params;               // the kernel's parameters as PTX lays them out: program->plan->param_bytes
    uint64_t workspace;     // cooperative launches: address of 8 bytes, the grid's barrier in the second four; else 0
    uint64_t print_bytes;   // bytes of the kernel's output that are kept
    struct l2_lines *lines; // what the device's L2 holds, if the launch simulates caches; NULL: an empty L2
    struct sampling_memo *memo;  // keeps what sampled launches of this kernel found out; NULL: nothing is kept
    struct sim_watcher *watcher; // watches some blocks; NULL: nobody watches
    struct text *print;          // receives the kept output; NULL: only the observation has it, as far as it fits
};
// Runs the launch, unless the device would refuse it, and stores its results in the struct observation.
void sim_run(const struct sim_run *, struct observation *);
// Returns 1 if the device cannot run the launch, and stores the reason in the struct observation. If the device can run
// the launch, returns 0 and stores the launch's registers, shared memory and occupancy.
int sim_run_refused(const struct sim_run *, struct observation *);
// Returns the number of registers that a thread gets in a launch with `threads` threads in each block. If the number of
// registers is only an estimate, the function limits it so that one block fits into a multiprocessor. An estimated
// number of registers therefore never makes the simulator refuse a launch.
uint32_t sim_run_registers(const struct device_profile *, const struct sim_program *, uint32_t threads);

#endif
