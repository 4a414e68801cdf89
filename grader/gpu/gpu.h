// The gpu engine: a card behind struct engine_ops, by way of the CUDA driver. It runs kernels and measures their time.
// The hardware does not say what a kernel did wrong. So an observation has the time, registers and shared memory, but
// no counters, and a finding only if the driver reports a fault.
//
// A fault breaks the process's context (a "sticky" error): every later operation is refused, and the judge starts a new
// runner. The judge ends a kernel that does not end by killing the runner.
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "engine/engine.h"

extern const struct engine_ops gpu_engine_ops;

struct gpu_card {
    int index;
    char name[32];             // a short name, as profiles have: "h200", "rtx4070", "a10080gbpcie"
    char title[64];            // the driver's name for it
    char bus[32];              // its PCI bus id: "00000000:1B:00.0"
    uint32_t sms;              // multiprocessors
    uint32_t shared_per_block; // maximum bytes of shared memory in a block that opts in to it
    uint32_t capability;       // 10 * major + minor
    uint32_t driver;           // CUDA version of the driver, 1000 * major + 10 * minor
    uint64_t l2_bytes, memory_bytes;
    uint64_t dram_mbs; // peak bandwidth, MB/s: memory clock × bus width × 2; 0: unknown
};
// Finds the card with that number ("0", "1", …) or short name; "": the first card. Returns 0, or -1 if there is none.
int gpu_card_find(const char *name, struct gpu_card *);
// Asks NVML for the card's present state; a value that NVML does not know becomes 0.
void gpu_card_health(const struct gpu_card *, struct engine_health *);

#endif
