// Counters of a launch, named as in Nsight Compute. counter.def lists them.
#ifndef ENGINE_COUNTER_H
#define ENGINE_COUNTER_H

#include <stdint.h>

struct counters {
#define COUNTER(name, metric, meaning) uint64_t name;
#include "engine/counter.def"
#undef COUNTER
};

// Adds each counter of `more` to `sum`.
void counters_add(struct counters *sum, const struct counters *more);
// Returns count * blocks / run, rounded down: a count of `run` executed blocks scaled to `blocks` blocks. Returns
// `count` if `run` is 0.
uint64_t counter_scaled(uint64_t count, uint64_t blocks, uint64_t run);
// Scales each counter in the same way.
void counters_scale(struct counters *, uint64_t blocks, uint64_t run);
// A row of counter.def: name, metric of Nsight Compute, meaning, and the place in the struct.
struct counter_info {
    const char *name, *metric, *meaning;
    uint32_t offset; // bytes from the start of struct counters
};
extern const struct counter_info counter_info[];
extern const int counter_count;

#endif
