// Advances the clock of a block's shadow (the record of its accesses to shared memory) at each synchronisation, and
// answers which accesses are ordered before others. The header shadow.h explains the shadow's clocks, and cell.c checks
// and records accesses.
#include "sim/hazard/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/hazard/cell.h"
#include "sim/hazard/copies.h"
#include "sim/hazard/stamp.h"
#include "sim/hazard/sync.h"

// Holds, for one named barrier, which accesses are ordered before the arrivals of warps that arrive there without
// waiting (bar.arrive). Accesses that are ordered before an arrival at a named barrier are also ordered before the
// later accesses of the warps that wait there (bar.sync).
struct shadow_arrival {
    uint32_t known[BLOCK_WARPS_MAX]; // stamp up to which accesses of each warp are known
    struct sync_state *sync;         // state of one thread: knowledge from release/acquire synchronisation; NULL: none
};

// Clears the record of the warps that arrived at a named barrier without waiting (bar.arrive).
static void forget_arrival(struct shadow_arrival *a)
{
    sync_free(a->sync);
    *a = (struct shadow_arrival){.sync = NULL};
}

struct sim_shadow *shadow_new(const struct sim_launch *launch)
{
    if (!(launch->checks & (CHECK_RACES | CHECK_WRITTEN))) return NULL;
    struct sim_shadow *s = alloc_zeroed(1, sizeof *s);
    s->checks = launch->checks;
    s->words = (launch->shared_bytes + 3) / 4;
    s->warps = launch->warps;
    cells_new(&s->word, s->words);
    s->clock = s->first_stamp = s->floor = 1;
    return s;
}

void shadow_free(struct sim_shadow *s)
{
    if (!s) return;
    cells_free(&s->word);
    cells_free(&s->byte);
    for (int w = 0; w < BLOCK_WARPS_MAX; w++) free(s->lane_known[w]);
    free(s->warp_known);
    free(s->undefined);
    sync_free(s->sync);
    sync_free(s->idle_sync);
    for (uint32_t id = 0; s->arrival && id < SHADOW_BARRIERS; id++) forget_arrival(&s->arrival[id]);
    free(s->arrival);
    copies_free(s->copies);
    free(s);
}

void shadow_start_sync(struct sim_shadow *s)
{
    if (s->sync) return;
    s->sync = s->idle_sync ? s->idle_sync : sync_new(s->warps * WARP_LANES);
    s->idle_sync = NULL;
}

int shadow_knows(const struct sim_shadow *s, uint32_t warp, uint32_t lane, uint32_t thread, uint32_t stamp)
{
    uint32_t other = thread / WARP_LANES, self = warp * WARP_LANES + lane;
    if (stamp == SHADOW_IN_FLIGHT) return 0;
    if (STAMP_IS_ORDERED(s, stamp, thread, warp, self)) return 1;
    if (other == warp && (s->lanes_apart >> warp & 1) && stamp <= s->lane_known[warp][lane][thread % WARP_LANES])
        return 1;
    if (s->warps_apart && stamp <= s->warp_known[warp][other]) return 1;
    return s->sync && vector_clock_knows(s->sync->known[self], s->block, thread, stamp);
}

static const uint32_t all_lanes[BLOCK_WARPS_MAX] = {[0 ... BLOCK_WARPS_MAX - 1] = 0xffffffffu};

// The stamp of an access is the 32-bit value of the shadow's field `clock` at the time of the access. If the field
// `clock` is at least CLOCK_RENEWED when a block begins, shadow_begin() clears all shadow cells and sets `clock` back
// to 1. A block that begins with a `clock` below CLOCK_RENEWED can use at least 2^31 clock values. The launch's
// instruction budget ends the launch before a block uses 2^31 clock values.
enum { CLOCK_RENEWED = 0x7fffffff };

void shadow_begin(struct sim_shadow *s, uint64_t block)
{
    s->block = block;
    if (s->splits || s->clock >= CLOCK_RENEWED) cells_clear(&s->word);
    if (s->clock >= CLOCK_RENEWED) {
        cells_clear(&s->byte);
        s->clock = 1;
    }
    if (s->lanes_apart || s->warps_apart || s->sync) {
        cells_free_extra(&s->word);
        cells_free_extra(&s->byte);
    }
    if (s->sync) {
        sync_begin(s->sync);
        s->idle_sync = s->sync;
        s->sync = NULL;
    }
    for (uint32_t id = 0; s->arrival && id < SHADOW_BARRIERS; id++) forget_arrival(&s->arrival[id]);
    if (s->copies) copies_begin(s->copies);
    // Stamps below first_stamp belong to earlier blocks. The stamp first_stamp itself marks words that count as written
    // before all accesses of the block.
    s->first_stamp = s->floor = s->clock + 1;
    s->clock = s->first_stamp + 1;
    s->strong = 0;
    s->splits = s->lanes_apart = s->warps_apart = 0;
    memset(s->warp_floor, 0, sizeof s->warp_floor);
}

void shadow_barrier(struct sim_shadow *s)
{
    s->floor = s->clock++;
    if (s->sync) sync_join(s->sync, all_lanes, all_lanes);
}

// Returns the larger of two stamps (clock values of accesses).
static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// Orders all accesses that the lanes in `mask` have made so far before the later accesses of these lanes. After
// join_lanes(), an earlier access of the warp that was ordered before one lane in `mask` is ordered before all lanes in
// `mask`.
static void join_lanes(struct sim_shadow *s, uint32_t warp, uint32_t mask)
{
    if (!s->lane_known[warp]) s->lane_known[warp] = alloc_zeroed(WARP_LANES, sizeof *s->lane_known[warp]);
    uint32_t(*known)[WARP_LANES] = s->lane_known[warp];
    if (!(s->lanes_apart >> warp & 1)) memset(known, 0, WARP_LANES * sizeof *known);
    s->lanes_apart |= 1u << warp;
    uint32_t joined[WARP_LANES] = {0};
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t *row = known[__builtin_ctz(left)];
        for (int u = 0; u < WARP_LANES; u++) joined[u] = larger(joined[u], row[u]);
    }
    for (uint32_t left = mask; left; left &= left - 1) joined[__builtin_ctz(left)] = s->clock;
    for (uint32_t left = mask; left; left &= left - 1) memcpy(known[__builtin_ctz(left)], joined, sizeof joined);
}

void shadow_warp_barrier(struct sim_warp *w, uint32_t mask)
{
    int all = (w->live & ~mask) == 0;
    if (all) w->phase++;
    struct sim_shadow *s = w->block->shadow;
    if (!s) return;
    if (all)
        s->warp_floor[w->id] = s->clock;
    else
        join_lanes(s, w->id, mask);
    s->clock++;
    if (!s->sync) return;
    uint32_t lanes[BLOCK_WARPS_MAX] = {0};
    lanes[w->id] = mask;
    sync_join(s->sync, lanes, lanes);
}

// Starts the use of the table `warp_known`, unless the block uses the table already. For each pair of warps,
// `warp_known` holds the stamp up to which one warp's accesses are ordered before the other warp's next accesses. The
// functions shadow_named_arrive() and shadow_named_barrier() call part_warps() first.
static void part_warps(struct sim_shadow *s)
{
    if (!s->warp_known) s->warp_known = alloc_zeroed(BLOCK_WARPS_MAX, sizeof *s->warp_known);
    if (!s->warps_apart) memset(s->warp_known, 0, BLOCK_WARPS_MAX * sizeof *s->warp_known);
    s->warps_apart = 1;
}

void shadow_named_arrive(struct sim_block *b, uint32_t id, uint32_t warp)
{
    struct sim_shadow *s = b->shadow;
    if (!s) return;
    part_warps(s);
    if (!s->arrival) s->arrival = alloc_zeroed(SHADOW_BARRIERS, sizeof *s->arrival);
    struct shadow_arrival *a = &s->arrival[id];
    for (int u = 0; u < BLOCK_WARPS_MAX; u++) a->known[u] = larger(a->known[u], s->warp_known[warp][u]);
    a->known[warp] = s->clock++;
    if (!s->sync) return;
    if (!a->sync) a->sync = sync_new(1);
    sync_gather(a->sync, s->sync, warp);
}

void shadow_named_barrier(struct sim_block *b, uint32_t id, uint32_t waited)
{
    struct sim_shadow *s = b->shadow;
    if (!s) return;
    part_warps(s);
    struct shadow_arrival *a = s->arrival ? &s->arrival[id] : NULL;
    uint32_t joined[BLOCK_WARPS_MAX] = {0}, lanes[BLOCK_WARPS_MAX] = {0};
    if (a) memcpy(joined, a->known, sizeof joined);
    for (uint32_t left = waited; left; left &= left - 1) {
        const uint32_t *row = s->warp_known[__builtin_ctz(left)];
        lanes[__builtin_ctz(left)] = 0xffffffffu;
        for (int u = 0; u < BLOCK_WARPS_MAX; u++) joined[u] = larger(joined[u], row[u]);
    }
    for (uint32_t left = waited; left; left &= left - 1) joined[__builtin_ctz(left)] = s->clock;
    for (uint32_t left = waited; left; left &= left - 1) {
        memcpy(s->warp_known[__builtin_ctz(left)], joined, sizeof joined);
    }
    s->clock++;
    if (a && a->sync) {
        shadow_start_sync(s);
        for (uint32_t left = waited; left; left &= left - 1) {
            sync_scatter(s->sync, (uint32_t)__builtin_ctz(left), a->sync);
        }
    }
    if (s->sync) sync_join(s->sync, lanes, lanes);
    if (a) forget_arrival(a);
}
