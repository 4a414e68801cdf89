// A card as an engine: the CUDA driver behind struct engine_ops. It runs kernels and measures their time; what a kernel
// did wrong, hardware does not say, so an observation of it has time, registers and shared memory, no counters, and a
// finding only where the driver reports a fault.
//
// A fault spoils the process's context ("sticky" errors): from then on every operation is refused, and the judge starts
// a fresh runner. A kernel that does not end is ended by killing the runner.
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "engine/engine.h"

extern const struct engine_ops gpu_engine_ops;

struct gpu_card {
    int index;
    char name[32];             // as a profile is named: "h200", "rtx4070", "a10080gbpcie"
    char title[64];            // the driver's name for it
    char bus[32];              // its place on the bus: "00000000:1B:00.0"
    uint32_t sms;              // multiprocessors
    uint32_t shared_per_block; // bytes, when asked for
    uint32_t capability;       // 10 * major + minor
    uint32_t driver;           // 1000 * major + 10 * minor of the CUDA that the driver speaks
    uint64_t l2_bytes, memory_bytes;
    uint64_t dram_mbs; // MB/s: memory clock × bus width × 2; 0: the driver does not say
};
// The card of that number ("0", "1", …) or of that name; "" is the first. 0, or -1 when there is none.
int gpu_card_find(const char *name, struct gpu_card *);
// What NVML says of it now; zeros where it does not.
void gpu_card_health(const struct gpu_card *, struct engine_health *);

#endif
