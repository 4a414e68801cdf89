// Executes loads and stores of shared memory lane by lane. The functions of this file are the slow path of loads and
// stores of shared memory. The fast path for shared memory, in op/word_shared.c, handles accesses to one 32-bit word
// per lane that have an address pattern (pattern.h) and cause no finding.
#include <string.h>

#include "device/banks.h"
#include "ptx/ptx.h"
#include "sim/core/access.h"
#include "sim/core/region.h"
#include "sim/core/vector_level.h"
#include "sim/hazard/shadow.h"
#include "sim/hazard/sync.h"
#include "sim/machine/shared.h"
#include "sim/machine/transfer.h"
#include "sim/timing/waits.h"

static void count_load(struct sim_warp *w, const struct sim_access *a, uint32_t wavefronts, uint32_t conflicts)
{
    struct counters *c = access_counters(w, a);
    c->shared_ld_inst += !a->counted;
    c->shared_ld_wavefronts += wavefronts;
    c->shared_ld_conflicts += conflicts;
    c->lsu_wavefronts += wavefronts;
}

// Stores in `lanes` the host addresses that the lanes in `good` access.
static void place_lanes(const struct sim_warp *w, const struct sim_access *a, uint32_t good, struct access_lanes *lanes)
{
    lanes->mask = good;
    for (uint32_t left = good; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        lanes->host[l] = w->block->shared + a->address[l];
    }
}

// Returns 1 if an element with fewer than 4 bytes at offset `at` may be padding of a structure. Optimised code also
// copies the padding of structures. Arrays of bytes have no padding, so an element can be padding only if its
// variable's alignment is at least 2. An element is taken for padding only if another byte of the element's 4-byte word
// was written.
static int is_padding(const struct sim_warp *w, const struct sim_access *a, uint32_t at)
{
    const struct ptx_module *m = access_launch(w)->memory->module;
    return a->bytes < 4 && a->symbol >= 0 && m->var[a->symbol].align >= 2 && shadow_is_touched(w->block->shadow, at);
}

// Follows who waits for whom (timing/waits.h) through a strong access of the lanes in `good`.
static void follow_waits(struct sim_warp *w, const struct sim_access *a, uint32_t good)
{
    if (!sync_is_strong(a) || !waits_count(w)) return;
    for (uint32_t left = good; left; left &= left - 1) {
        uint64_t at = a->address[__builtin_ctz(left)];
        if (a->kind == ACCESS_READ)
            waits_read(w, a, SPACE_SHARED, at, 1);
        else
            waits_write(w, a, SPACE_SHARED, at);
    }
}

// Marks the bits `undefined` of element e, which the lanes in `same` have loaded from offset `at`.
static void mark_undefined(const struct sim_warp *w, const struct sim_access *a, uint32_t same, uint32_t e, uint32_t at,
                           uint64_t undefined, struct sim_validity *valid)
{
    for (uint32_t left = same; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        access_undefined(valid, a, SPACE_SHARED, e, l, at, undefined);
        valid->value[e][l].moved |= (uint8_t)is_padding(w, a, at);
    }
}

void shared_load(struct sim_warp *w, const struct sim_access *a, void *const row[], struct sim_validity *valid)
{
    struct access_lanes lanes;
    uint32_t good = shared_good(w, a);
    place_lanes(w, a, good, &lanes);
    for (uint32_t left = w->block->shadow ? good : 0, same = 0; left; left &= ~same) {
        same = access_neighbours(a, left);
        for (uint32_t e = 0; e < a->count; e++) {
            uint32_t at = (uint32_t)a->address[__builtin_ctz(left)] + e * a->bytes;
            uint64_t undefined = shadow_read(w, a, same, at, valid == NULL);
            if (undefined && valid) mark_undefined(w, a, same, e, at, undefined, valid);
        }
    }
    follow_waits(w, a, good);
    if (good != a->mask) transfer_zero(a, a->mask & ~good, row);
    transfer_load(a, &lanes, row);
    struct bank_cost cost = access_cost(a, a->address, good);
    count_load(w, a, cost.wavefronts, cost.conflicts);
}

// ---------------------------------------------------------------- stores

static void count_store(struct sim_warp *w, const struct sim_access *a, struct bank_cost cost)
{
    struct counters *c = access_counters(w, a);
    c->shared_st_inst += !a->counted;
    c->shared_st_wavefronts += cost.wavefronts;
    c->shared_st_conflicts += cost.conflicts;
    c->lsu_wavefronts += cost.wavefronts;
}

void shared_store(struct sim_warp *w, const struct sim_access *a, const void *const row[],
                  const struct sim_validity *valid)
{
    uint32_t good = shared_good(w, a);
    for (uint32_t left = good; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        for (uint32_t e = 0; e < a->count; e++) {
            uint32_t at = (uint32_t)a->address[l] + e * a->bytes;
            uint64_t fresh = access_row_get(row[e], l, a->row_bytes);
            if (w->block->shadow) shadow_write(w, a, l, at, &fresh, access_undefined_bits(valid, e, l));
            memcpy(w->block->shared + at, &fresh, a->bytes);
        }
    }
    follow_waits(w, a, good);
    count_store(w, a, access_cost(a, a->address, good));
}
