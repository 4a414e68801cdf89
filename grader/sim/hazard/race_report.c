// Reports races.
#include "sim/hazard/race_report.h"

#include "sim/core/launch.h"
#include "sim/core/region.h"
#include "sim/hazard/diagnose.h"
#include "sim/hazard/finding_log.h"
#include "sim/hazard/stamp.h"
#include "sim/hazard/sync.h"

void race_report(struct race_touch *t, enum finding_kind kind, struct race_mark m, uint32_t thread,
                 enum access_kind access)
{
    if (t->reported >> t->lane & 1 || !(t->s->checks & CHECK_RACES)) return;
    t->reported |= 1u << t->lane;
    struct finding_log *log = t->w->block->worker->findings;
    uint32_t op = STAMP_OP(m.who), other_op = op < SHADOW_OPS ? op : UINT32_MAX;
    int is_in_warp = m.block == t->block && thread / WARP_LANES == t->w->id;
    const struct occurrence now = {.array = t->array, .block = t->block, .thread = t->thread};
    if (t->array && finding_log_repeat(log, kind, t->a->op, other_op, is_in_warp, &now)) {
        diagnose_charge(t->w);
        return;
    }
    struct finding f = diagnose_finding(t->w, t->a, t->space, t->lane, kind, t->at);
    const uint32_t *grid = t->w->block->worker->launch->request->grid;
    uint64_t x = grid[0] ? grid[0] : 1, y = grid[1] ? grid[1] : 1;
    struct sim_block block = *t->w->block;
    block.index[0] = (uint32_t)(m.block % x);
    block.index[1] = (uint32_t)(m.block / x % y);
    block.index[2] = (uint32_t)(m.block / x / y);
    struct sim_warp other = {.block = &block, .id = thread / WARP_LANES};
    finding_log_place(&f.other, &other, thread % WARP_LANES);
    f.other.access = (uint8_t)access;
    f.second = 1;
    f.warp = (uint8_t)is_in_warp;
    f.strong = t->volatiles;
    finding_log_add_race(log, &f, t->a->op, other_op, t->w->block, &now);
}
