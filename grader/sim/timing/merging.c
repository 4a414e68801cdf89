// Models how load requests of different multiprocessors are merged; merging.h states the contracts.
//
// The measurements in tests/truth/h200_merging.txt show how an H200 merges load requests. If two multiprocessors of one
// GPC load the same sector at most 63 cycles apart, the L2 gets one request instead of two. An H200 has eight GPCs,
// which the code in this file calls groups. If DRAM has to answer the first load, a load of the same sector up to 450
// cycles later joins the waiting first load. Loads of different sectors of a line are not merged. Nsight Compute calls
// the hardware unit that merges requests the L2 request coalescer.
//
// Model. The GPCs get blocks in turn. Because the eight GPCs get blocks in turn, every eighth block of a row of the
// grid is on the same GPC. In a column of the grid, blocks whose linear indices differ by a multiple of eight are on
// the same GPC. Let G be the number of resident blocks on one GPC that load the same data. If the requests of G blocks
// are spread evenly over a time S, and requests within a time W are merged, then G / (1 + (G - 1) W / S) requests reach
// the L2.
//
// The span S is the time within which all resident blocks reach the same load instruction. The model assumes that the
// blocks of a multiprocessor reach a load instruction one after the other. Among the first blocks of a launch, which
// all start together, each block reaches the load half a DRAM latency after the previous block. Among blocks that start
// when earlier blocks have ended, each block reaches the load half an L2 latency after the previous block. Of the
// blocks that start when earlier blocks have ended, only those in one row of the grid reach a load at about the same
// time, if barriers keep their warps together.
//
// The time between the loads of two successive blocks is assumed to be half a memory latency, because the factor one
// half fits the 33 matrix-product kernels of tests/truth. Apart from the factor one half by which the model multiplies
// a memory latency, no number in this file was fitted to measurements. The span S, within which all resident blocks
// reach a load, can also be computed from measured L2 counters. For 27 of the 33 matrix products, the span S from
// measured counters is between a third and twice the span S of the model. In the kernels l1_reg_row4 and l1_8x1 of
// tests/truth, a thread computes many rows and all lanes load the same element of each row. For kernels in which a
// thread computes many rows, such as l1_reg_row4 and l1_8x1, an H200 merges more loads than the model. For kernels in
// which a thread computes many columns, such as l1_1x4 and l1_vector4 of tests/truth, an H200 merges fewer loads than
// the model.
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

// Returns the fraction of load requests, in 1/WHOLE, that reach the L2 if `blocks`/16 blocks on one GPC load the same
// data. The function assumes that the load requests are spread evenly over the time `span`, and that requests within
// the time `window` are merged. `window` and `span` have the same unit.
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
