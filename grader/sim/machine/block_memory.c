// Updates a block's shared memory, the shadow (access records) of its shared memory, and its simulated L1;
// block_memory.h states the contracts.
#include "sim/machine/block_memory.h"

#include <string.h>

#include "sim/core/launch.h"
#include "sim/core/layout.h"
#include "sim/core/program.h"
#include "sim/hazard/shadow.h"
#include "sim/timing/l1.h"

void block_memory_begin(struct sim_block *b)
{
    b->phase = b->site = b->left = b->races_reported = 0;
    if (b->l1) l1_begin(b->l1);
    // Shared memory is set to 0, so that a kernel that reads uninitialised memory does not see another block's data.
    // Without the zeros, the results would depend on the timing of host threads, which decides which block used the
    // host memory before.
    memset(b->shared, 0, b->worker->launch->shared_bytes);
    b->clearing += b->worker->launch->shared_bytes;
    if (b->shadow) shadow_begin(b->shadow, b->linear);
    uint32_t reserved = b->worker->launch->program->shared->reserved_offset;
    if (b->shadow && reserved)
        shadow_mark_written(b->shadow, reserved, SIM_RESERVED_SHARED); // the system sets this memory to zero
}

void block_memory_barrier(struct sim_block *b)
{
    b->phase++;
    if (b->l1) l1_settle(b->l1, b);
    if (b->shadow) shadow_barrier(b->shadow);
}

void block_memory_end(struct sim_block *b)
{
    if (b->l1) l1_settle(b->l1, b);
}
