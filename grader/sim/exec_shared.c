#include "device/banks.h"
#include "sim/access.h"

static void place_lanes(const struct sim_warp *w, const struct sim_access *a, uint32_t good, struct access_lanes *lanes)
{
    lanes->mask = good;
    for (uint32_t left = good; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        lanes->host[l] = w->block->shared + a->address[l];
    }
}

void shared_load(struct sim_warp *w, const struct sim_access *a, void *const row[], uint32_t valid[])
{
    (void)valid;
    struct access_lanes lanes;
    uint32_t good = shared_good(w, a);
    place_lanes(w, a, good, &lanes);
    access_zero_lanes(a, a->mask & ~good, row);
    access_load_lanes(a, &lanes, row);
}

void shared_store(struct sim_warp *w, const struct sim_access *a, const void *const row[], const uint32_t valid[])
{
    (void)valid;
    struct access_lanes lanes;
    place_lanes(w, a, shared_good(w, a), &lanes);
    access_store_lanes(a, &lanes, row);
}
