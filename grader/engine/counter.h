// Defines the performance counters of a kernel launch, such as executed instructions. Most counters correspond to a
// metric of Nsight Compute. The file counter.def lists all counters.
#ifndef ENGINE_COUNTER_H
#define ENGINE_COUNTER_H

#include <stdint.h>

struct counters {
#define COUNTER(name, metric, meaning) uint64_t name;
#include "engine/counter.def"
#undef COUNTER
};

// Adds each counter of `more` to the same counter of `sum`.
void counters_add(struct counters *sum, const struct counters *more);
// Extrapolates `count`, a counter's value after `run` executed blocks, to a grid of `blocks` blocks. Returns count *
// blocks / run, rounded down, or `count` if `run` is 0.
uint64_t counter_scaled(uint64_t count, uint64_t blocks, uint64_t run);
// Extrapolates each counter from `run` executed blocks to a grid of `blocks` blocks, as counter_scaled() does.
void counters_scale(struct counters *, uint64_t blocks, uint64_t run);
// Describes a counter of counter.def: its name, its metric of Nsight Compute, its meaning, and its offset in struct
// counters.
struct counter_info {
    const char *name, *metric, *meaning;
    uint32_t offset; // bytes from the start of struct counters to the counter
};
extern const struct counter_info counter_info[];
extern const int counter_count;

#endif
