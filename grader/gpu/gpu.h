// The gpu engine implements struct engine_ops on a real GPU ("card") through the CUDA driver. The gpu engine runs
// kernels and measures the time of their launches. A GPU does not report which defect a kernel has. An observation of
// the gpu engine therefore contains the time, registers and shared memory of a launch, but no counters. An observation
// of the gpu engine contains a finding only if the CUDA driver reports a fault.
//
// A kernel's fault breaks the CUDA context of the process (a "sticky" error). After a fault, the gpu engine refuses
// every operation until the process ends. If a kernel does not end, the judge kills the runner process.
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "engine/engine.h"

extern const struct engine_ops gpu_engine_ops;

struct gpu_card {
    int index;
    char name[32];             // a short name, as the device profiles use: "h200", "rtx4070", "a10080gbpcie"
    char title[64];            // the driver's name of the GPU
    char bus[32];              // PCI bus id of the card: "00000000:1B:00.0"
    uint32_t sms;              // multiprocessors
    uint32_t shared_per_block; // maximum bytes of shared memory in a block that opts in
    uint32_t capability;       // 10 * major + minor
    uint32_t driver;           // CUDA version of the driver, 1000 * major + 10 * minor
    uint64_t l2_bytes, memory_bytes;
    uint64_t dram_mbs; // peak bandwidth, MB/s: memory clock × bus width × 2; 0: unknown
};
// Finds the GPU with the number ("0", "1", …) or short name `name`. If `name` is empty, finds the first GPU. Returns 0,
// or -1 if there is no GPU with the number or name `name`.
int gpu_card_find(const char *name, struct gpu_card *);
// Reads the GPU's clock frequency, throttling and number of processes through NVML, NVIDIA's management library. A
// value that NVML does not know becomes 0.
void gpu_card_health(const struct gpu_card *, struct engine_health *);

#endif
