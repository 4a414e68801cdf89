// See occupancy.h.
#include "device/occupancy.h"

#include "base/message.h"

const char *const occupancy_limit_name[OCCUPANCY_LIMITS] = {
    [LIMIT_WARPS] = N_("warps"),
    [LIMIT_BLOCKS] = N_("blocks"),
    [LIMIT_REGISTERS] = N_("registers"),
    [LIMIT_SHARED] = N_("shared memory"),
};

static int64_t rounded_up(int64_t value, int64_t step)
{
    return step > 1 ? (value + step - 1) / step * step : value;
}

struct occupancy occupancy_of(const struct device_profile *p, uint32_t threads, uint32_t registers, uint32_t shared)
{
    struct occupancy o = {.blocks = UINT32_MAX};
    int64_t warps = threads ? (threads + 31) / 32 : 1;
    int64_t warp_registers = rounded_up((int64_t)(registers ? registers : 1) * 32, p->register_granularity);
    int64_t block_shared = rounded_up(shared, p->shared_granularity) + p->shared_reserved;
    o.by[LIMIT_WARPS] = (uint32_t)(p->warps_per_sm / warps);
    o.by[LIMIT_BLOCKS] = (uint32_t)p->blocks_per_sm;
    int64_t register_warps = p->registers_per_sm / warp_registers;
    if (p->warp_granularity > 1) register_warps -= register_warps % p->warp_granularity;
    o.by[LIMIT_REGISTERS] = (uint32_t)(register_warps / warps);
    o.by[LIMIT_SHARED] = block_shared ? (uint32_t)(p->shared_per_sm / block_shared) : o.by[LIMIT_BLOCKS];
    if (threads > p->threads_per_block) o.by[LIMIT_WARPS] = 0;
    if (registers > p->registers_per_thread) o.by[LIMIT_REGISTERS] = 0;
    if (shared > p->shared_per_block) o.by[LIMIT_SHARED] = 0;
    for (int i = 0; i < OCCUPANCY_LIMITS; i++) {
        if (o.by[i] >= o.blocks) continue;
        o.blocks = o.by[i];
        o.limit = (enum occupancy_limit)i;
    }
    o.warps = o.blocks * (uint32_t)warps;
    o.permille = (uint32_t)(o.warps * 1000 / p->warps_per_sm);
    return o;
}
