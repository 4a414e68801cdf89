// See shadow.h: clocks, and what synchronisation does to them. Cells are in cell.c.
#include "sim/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "sim/cache.h"
#include "sim/cell.h"

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) die("out of memory (%zu cells of shared memory)", count);
    return memory;
}

struct sim_shadow *shadow_new(const struct sim_launch *launch)
{
    if (!(launch->checks & (CHECK_RACES | CHECK_WRITTEN)) || !launch->shared_bytes) return NULL;
    struct sim_shadow *s = zeroed(1, sizeof *s);
    s->checks = launch->checks;
    s->words = (launch->shared_bytes + 3) / 4;
    cells_new(&s->word, s->words);
    s->clock = s->born = s->floor = 1;
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
    free(s);
}

// After 2^31 synchronisations stamps start anew. A block that alone has more would outlast any budget.
enum { CLOCK_RENEWED = 0x7fffffff };

static void shadow_begin(struct sim_shadow *s)
{
    if (s->splits || s->clock >= CLOCK_RENEWED) cells_clear(&s->word);
    if (s->clock >= CLOCK_RENEWED) {
        cells_clear(&s->byte);
        s->clock = 1;
    }
    if (s->lanes_apart) {
        cells_forget_wide(&s->word);
        cells_forget_wide(&s->byte);
    }
    // Stamps up to born - 1 are of earlier blocks; born itself marks what counts as written before all else.
    s->born = s->floor = s->clock + 1;
    s->clock = s->born + 1;
    s->strong = 0;
    s->splits = s->lanes_apart = s->warps_apart = 0;
    memset(s->warp_floor, 0, sizeof s->warp_floor);
}

void sim_block_begin(struct sim_block *b)
{
    const struct sim_launch *launch = b->worker->launch;
    b->phase = 0;
    if (b->l1) l1_begin(b->l1);
    if (b->shadow)
        shadow_begin(b->shadow);
    else if (b->shared)
        memset(b->shared, 0, launch->shared_bytes);
}

void sim_block_end(struct sim_block *b)
{
    if (b->l1) l1_settle(b->l1, b);
}

void sim_block_barrier(struct sim_block *b)
{
    b->phase++;
    if (b->l1) l1_settle(b->l1, b);
    if (!b->shadow) return;
    b->shadow->floor = b->shadow->clock++;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// Lanes of the mask learn what each of them knew, and all that each of them did so far.
static void join_lanes(struct sim_shadow *s, uint32_t warp, uint32_t mask)
{
    if (!s->lane_known[warp]) s->lane_known[warp] = zeroed(WARP_LANES, sizeof *s->lane_known[warp]);
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

void sim_warp_barrier(struct sim_warp *w, uint32_t mask)
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
}

void sim_named_barrier(struct sim_block *b, uint32_t arrived, uint32_t waiting)
{
    struct sim_shadow *s = b->shadow;
    if (!s) return;
    if (!s->warp_known) s->warp_known = zeroed(BLOCK_WARPS_MAX, sizeof *s->warp_known);
    if (!s->warps_apart) memset(s->warp_known, 0, BLOCK_WARPS_MAX * sizeof *s->warp_known);
    s->warps_apart = 1;
    uint32_t joined[BLOCK_WARPS_MAX] = {0}, all = arrived | waiting;
    for (uint32_t left = all; left; left &= left - 1) {
        const uint32_t *row = s->warp_known[__builtin_ctz(left)];
        for (int u = 0; u < BLOCK_WARPS_MAX; u++) joined[u] = larger(joined[u], row[u]);
    }
    for (uint32_t left = all; left; left &= left - 1) joined[__builtin_ctz(left)] = s->clock;
    for (uint32_t left = waiting; left; left &= left - 1) {
        memcpy(s->warp_known[__builtin_ctz(left)], joined, sizeof joined);
    }
    s->clock++;
}
