// Records what lanes wait for, when they go on, and when they end.
//
// What a lane waits for is read from the splits of its warp (sim/core/warp.h). A barrier may be complete because a lane
// of another warp arrived or ended, so all warps of the block are looked at for lanes that no longer wait at a barrier.
// The masks of waiting lanes are compared first, because nearly always nothing has changed.
#include "sim/record/state.h"

#include "sim/machine/converge.h"

int lanes_is_warp_barrier(const struct warp *w, const struct sim_op *op)
{
    return (op->run == converge || op->inner == converge) && w->plan->exchange[op->side].barrier;
}

static struct lane_masks masks_of(const struct warp *w)
{
    struct lane_masks m = {.ended = w->initial & ~w->memory.live};
    for (uint32_t i = 0; i < w->nsplits; i++) {
        const struct split *s = &w->split[i];
        if (s->state == SPLIT_AT_BARRIER)
            m.barrier |= s->mask;
        else if (s->state == SPLIT_ASLEEP)
            m.asleep |= s->mask;
        else if (s->state != SPLIT_RUNNABLE)
            m.waits |= s->mask;
        if (s->state == SPLIT_AT_WARP_OP && lanes_is_warp_barrier(w, &w->ops[s->pc])) m.warp_barrier |= s->mask;
    }
    return m;
}

static void put(struct recorder *r, uint32_t tag, uint32_t index, uint32_t mask)
{
    if (mask) recorder_put(r, &(struct recording_event){.tag = tag, .index = index, .mask = mask});
}

// Records that barrier `barrier` of a recorded block is complete: no lane waits there any more.
static void record_pass(struct recorder *r, uint32_t slot, uint32_t barrier)
{
    put(r, RECORDING_PASS, barrier, ALL_LANES);
    for (uint32_t w = slot * r->head.warps; w < (slot + 1) * r->head.warps; w++)
        for (uint32_t left = r->masks[w].barrier; left; left &= left - 1) {
            struct lane_state *lane = &r->now.lane[w][__builtin_ctz(left)];
            if (lane->barrier != barrier) continue;
            lane->status = LANE_RUNS;
            r->masks[w].barrier &= ~(left & -left);
        }
}

void lanes_record_passes(struct recorder *r, const struct block *b, uint32_t slot)
{
    for (uint32_t k = 0; k < b->nwarps; k++) {
        uint32_t w = slot * r->head.warps + k, passed;
        if (!r->masks[w].barrier) continue;
        while ((passed = r->masks[w].barrier & ~masks_of(&b->warp[k]).barrier) != 0)
            record_pass(r, slot, r->now.lane[w][__builtin_ctz(passed)].barrier);
    }
}

// Sets what the lanes in `mask` of the open step's warp do now, and records it.
static void change(struct recorder *r, uint32_t mask, enum lane_status status, uint32_t tag)
{
    for (uint32_t left = mask; left; left &= left - 1)
        r->now.lane[r->open.warp][__builtin_ctz(left)].status = (uint8_t)status;
    put(r, tag, 0, mask);
}

// Records the lanes in `mask` that have come to a barrier, for each barrier of the block.
static void arrive(struct recorder *r, const struct warp *w, uint32_t mask)
{
    for (uint32_t i = 0; i < w->nsplits && mask; i++) {
        const struct split *s = &w->split[i];
        if (s->state != SPLIT_AT_BARRIER || !(s->mask & mask)) continue;
        for (uint32_t left = s->mask & mask; left; left &= left - 1) {
            struct lane_state *lane = &r->now.lane[r->open.warp][__builtin_ctz(left)];
            lane->status = LANE_AT_BARRIER;
            lane->barrier = s->barrier;
        }
        put(r, RECORDING_WAIT, s->barrier, s->mask & mask);
    }
}

void lanes_record(struct recorder *r, const struct warp *w, uint32_t at_warp_barrier)
{
    lanes_record_passes(r, w->block, r->open.warp / r->head.warps);
    struct lane_masks *was = &r->masks[r->open.warp], now = masks_of(w);
    uint32_t before = was->waits | was->asleep, after = now.waits | now.asleep | now.barrier | now.ended;
    change(r, before & ~after, LANE_RUNS, RECORDING_GO);
    put(r, RECORDING_MEET, 0, (was->warp_barrier | at_warp_barrier) & ~now.waits & ~now.ended);
    change(r, now.waits & ~was->waits, LANE_WAITS, RECORDING_WARP_WAIT);
    change(r, now.asleep & ~was->asleep, LANE_SLEEPS, RECORDING_SLEEP);
    change(r, now.ended & ~was->ended, LANE_EXITED, RECORDING_EXIT);
    arrive(r, w, now.barrier & ~was->barrier);
    *was = now;
}

void lanes_sleep(struct recorder *r, const struct warp *w)
{
    struct lane_masks *was = &r->masks[r->open.warp], now = masks_of(w);
    change(r, now.asleep & ~was->asleep, LANE_SLEEPS, RECORDING_SLEEP);
    was->asleep |= now.asleep;
}
