// Implements counter.h. The macro COUNTER generates code for each counter that counter.def lists.
#include "engine/counter.h"

#include <stddef.h>

const struct counter_info counter_info[] = {
#define COUNTER(name, metric, meaning) {#name, metric, meaning, offsetof(struct counters, name)},
#include "engine/counter.def"
#undef COUNTER
};
const int counter_count = sizeof counter_info / sizeof counter_info[0];

void counters_add(struct counters *sum, const struct counters *more)
{
#define COUNTER(name, metric, meaning) sum->name += more->name;
#include "engine/counter.def"
#undef COUNTER
}

uint64_t counter_scaled(uint64_t count, uint64_t blocks, uint64_t run)
{
    return blocks == run || !run ? count : (uint64_t)((unsigned __int128)count * blocks / run);
}

void counters_scale(struct counters *c, uint64_t blocks, uint64_t run)
{
#define COUNTER(name, metric, meaning) c->name = counter_scaled(c->name, blocks, run);
#include "engine/counter.def"
#undef COUNTER
}
