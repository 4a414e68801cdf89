// See merging.h.
//
// An H200 merges requests as follows; tests/truth/h200_merging.txt has the measurements. If two multiprocessors of one
// group load a sector at most 63 cycles apart, the L2 gets one request, otherwise two requests. A group is one of eight
// GPCs. If DRAM has to answer, the second load may come up to 450 cycles later, because the second load joins the first
// load while the first load waits. Loads of different sectors of a line are not merged. Nsight Compute calls the
// hardware unit that merges requests the L2 request coalescer.
//
// Model. The groups get blocks in turn. So every eighth block of a row is in the same group. In a column, blocks whose
// numbers differ by a multiple of eight are in the same group. Let G be the number of blocks of one group that are
// resident at once and load the same data. If the requests of the G blocks are spread evenly over a span S, and each
// request opens a window W, then G / (1 + (G - 1) W / S) requests reach the L2.
//
// S is the time within which all resident blocks reach the same load. The blocks of a multiprocessor reach the load one
// after the other, each half a memory latency after the block before. In the first generation of blocks, which all
// start together, the memory latency is DRAM's. In later generations the memory latency is the L2's. In later
// generations, only blocks of a row stay together, and only if barriers keep their warps together. The factor of one
// half is the only fitted number in this file. The factor of one half was fitted to 33 matrix products (tests/truth).
// In 27 of the 33 matrix products, the span that follows from the L2's counters is a third to twice the model's span.
// The H200 merges more loads than the model if a thread has many rows and all lanes load the same number of each
// (l1_reg_row4, l1_8x1). The H200 merges fewer loads than the model if a thread has many columns (l1_1x4, l1_vector4).
#include "sim/timing/merging.h"

#include "device/profile.h"

enum { WHOLE = 1 << 16 };

static uint64_t common_factor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t at_least(uint64_t least, uint64_t n)
{
    return n > least ? n : least;
}

// Returns how many of WHOLE loads reach the L2 if `blocks`/16 blocks of one group share the loads. `window` and `span`
// have the same unit.
static uint64_t reaching(uint64_t blocks, uint64_t window, uint64_t span)
{
    uint64_t others = blocks > 16 ? blocks - 16 : 0;
    return WHOLE * 16 * span / at_least(1, 16 * span + others * window);
}

static uint64_t resident_blocks(const struct sim_launch *l)
{
    uint64_t resident = (uint64_t)l->device->sms * at_least(1, l->blocks_per_sm);
    return resident < l->blocks ? resident : l->blocks;
}

uint64_t merging_span(const struct sim_launch *l, int64_t latency)
{
    uint64_t sms = (uint64_t)l->device->sms;
    return at_least(1, at_least(sms, resident_blocks(l)) * (uint64_t)latency / sms / 2);
}

void merging_count(const struct merging *m, const struct sim_launch *l, struct counters *c)
{
    const struct device_profile *d = l->device;
    uint64_t groups = (uint64_t)d->l2_groups, window = (uint64_t)d->l2_merge_window, wide = l->request->grid[0];
    if (!groups || c->global_ld_sectors <= c->global_ld_l1_hit_sectors) return;
    uint64_t resident = resident_blocks(l);
    // The numbers of blocks are in sixteenths of a block, so that fractions count.
    uint64_t in_row = 16 * (wide < resident ? wide : resident) / groups;
    uint64_t in_column = 16 * resident / wide * common_factor(wide, groups) / groups;
    uint64_t both = m->row + m->column > 1000 ? m->row + m->column - 1000 : 0;
    uint64_t row = m->row - both, column = m->column - both, alone = 1000 - row - column - both;
    // The spans are in hundredths of a cycle.
    uint64_t span = merging_span(l, d->latency_dram), later = merging_span(l, d->latency_l2);
    uint64_t first = row * reaching(in_row, window, span) + column * reaching(in_column, window, span) +
                     both * reaching(16 * resident / groups, window, span) + alone * WHOLE;
    uint64_t rest =
        (column + alone) * WHOLE + (row + both) * (c->block_barriers ? reaching(in_row, window, later) : WHOLE);
    // `passed` is in 1/(1000 * WHOLE) of the loads.
    uint64_t passed = (first * resident + rest * (l->blocks - resident)) / l->blocks; // loads reaching the L2
    uint64_t missed = c->global_ld_sectors - c->global_ld_l1_hit_sectors;
    uint64_t met = missed - (uint64_t)((unsigned __int128)missed * passed / 1000 / WHOLE);
    if (met > c->l2_ld_sectors) met = c->l2_ld_sectors;
    c->l2_ld_sectors -= met;
    c->l2_hit_sectors -= met < c->l2_hit_sectors ? met : c->l2_hit_sectors;
}
