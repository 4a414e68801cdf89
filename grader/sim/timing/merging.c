// See merging.h.
//
// What an H200 does (tests/truth/h200_merging.txt). Two multiprocessors that load the same sector within 63 cycles of
// each other, whoever is first, cost the L2 one request if they belong to one group (a GPC, of eight), and two if not.
// When DRAM has to answer, the second may come 450 cycles later: it meets the first as long as that waits. Sectors of
// one line, but not the same, do not meet. (Nsight Compute calls the unit the L2 request coalescer.)
//
// Model. Blocks are dealt to the groups in turn. So of a row of blocks that share what they load every eighth is in one
// group, and of a column those whose numbers differ by a multiple of eight; as many as are resident at once are G. With
// G requests at times that are spread evenly over a span S, each of which opens a window W, G / (1 + (G - 1) W / S) go
// on.
//
// S is how far blocks are apart that run the same code. The blocks of a multiprocessor come to load one behind the
// other, each half a memory's latency after the one before: DRAM's in the first generation of blocks, which all start
// together, and the L2's afterwards, where only blocks of a row still do, and only if barriers keep their warps
// together. The half is the only number here that is fitted: to 33 products of matrices (tests/truth), in 27 of which
// S, by what the L2 counted, is a third to twice that. On the card loads meet more often where a thread has many rows
// and all lanes load the same number of each (l1_reg_row4, l1_8x1), and less where it has many columns (l1_1x4,
// l1_vector4).
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

// Of WHOLE loads that `blocks`/16 of one group have in common, those that go on. `window` and `span` in one unit.
static uint64_t go_on(uint64_t blocks, uint64_t window, uint64_t span)
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
    // Sixteenths of blocks, so that a part of one counts.
    uint64_t in_row = 16 * (wide < resident ? wide : resident) / groups;
    uint64_t in_column = 16 * resident / wide * common_factor(wide, groups) / groups;
    uint64_t both = m->row + m->column > 1000 ? m->row + m->column - 1000 : 0;
    uint64_t row = m->row - both, column = m->column - both, alone = 1000 - row - column - both;
    // Hundredths of cycles.
    uint64_t span = merging_span(l, d->latency_dram), later = merging_span(l, d->latency_l2);
    uint64_t first = row * go_on(in_row, window, span) + column * go_on(in_column, window, span) +
                     both * go_on(16 * resident / groups, window, span) + alone * WHOLE;
    uint64_t rest =
        (column + alone) * WHOLE + (row + both) * (c->block_barriers ? go_on(in_row, window, later) : WHOLE);
    uint64_t passed = (first * resident + rest * (l->blocks - resident)) / l->blocks; // of 1000 * WHOLE
    uint64_t missed = c->global_ld_sectors - c->global_ld_l1_hit_sectors;
    uint64_t met = missed - (uint64_t)((unsigned __int128)missed * passed / 1000 / WHOLE);
    if (met > c->l2_ld_sectors) met = c->l2_ld_sectors;
    c->l2_ld_sectors -= met;
    c->l2_hit_sectors -= met < c->l2_hit_sectors ? met : c->l2_hit_sectors;
}
