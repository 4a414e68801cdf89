// The common case of the rule of races (race_rule.h) for shared memory: plain accesses, and no order but barriers of
// whole blocks and whole warps. The lanes of a warp are then treated alike, and a word that was written before the last
// barrier can be read without a race. The functions here are for one word that several lanes read, op/word_shared.c has
// their like for eight consecutive words.
#ifndef SIM_HAZARD_PLAIN_H
#define SIM_HAZARD_PLAIN_H

#include <stdint.h>

#include "sim/hazard/shadow.h"
#include "sim/hazard/stamp.h"

// Returns 1 if plain accesses of the warp are the common case: there was no other synchronisation, such as a fence, and
// no strong access since the block's last barrier.
static inline int plain_is_simple(const struct sim_shadow *s, uint32_t warp)
{
    return s->strong <= s->floor && !s->warps_apart && !s->sync && !(s->lanes_apart >> warp & 1);
}

// Returns 1 if any lane of the warp may read the word: the block has written all its bytes, and the last write is
// ordered before the read.
static inline int plain_may_read(const struct sim_shadow *s, uint32_t word, uint32_t warp)
{
    uint32_t stamp = s->word.write_stamp[word];
    if (stamp - s->first_stamp <= s->floor - s->first_stamp) return 1;
    return stamp >= s->first_stamp && stamp < SHADOW_IN_FLIGHT &&
           STAMP_IS_ORDERED_IN_WARP(s, stamp, s->word.writer[word], warp);
}

// Records that `lanes` of the warp read the word by the op with index `op`, as record_read() of race_rule.h would.
static inline void plain_record_read(struct sim_shadow *s, uint32_t word, uint32_t warp, uint32_t op, uint32_t lanes)
{
    struct shadow_cells *c = &s->word;
    uint32_t stamp = c->read_stamp[word], own = STAMP_WARP_ACCESS_WARP(c->reader[word]) == warp;
    int keeps_op = 0; // as in join_set()
    if (stamp <= s->floor || (own && stamp <= s->warp_floor[warp])) {
        c->read_lanes[word] = lanes;
    } else if (own) {
        c->read_lanes[word] |= lanes;
        keeps_op = STAMP_IS_OF_LANES(c->writer[word], warp, lanes);
    } else {
        if (c->other_stamp[word] > s->floor) return;
        c->other_stamp[word] = s->clock;
        c->other[word] = STAMP_WARP_ACCESS(op, warp);
        c->other_lanes[word] = lanes;
        return;
    }
    c->read_stamp[word] = s->clock;
    if (!keeps_op) c->reader[word] = STAMP_WARP_ACCESS(op, warp);
}

#endif
