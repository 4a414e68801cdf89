// See meet.h.
//
// What an H200 does (tests/truth/h200_meet.txt). Two multiprocessors that load the same sector within 63 cycles of each
// other, whoever is first, cost the L2 one request if they belong to one group (a GPC, of eight), and two if not. When
// DRAM has to answer, the second may come 450 cycles later: it meets the first as long as that waits. Sectors of one
// line, but not the same, do not meet. (Nsight Compute calls the unit the L2 request coalescer.)
//
// Model. Blocks are dealt to the groups in turn. So of a row of blocks that share what they load every eighth is in one
// group, and of a column those whose numbers differ by a multiple of eight; as many as are resident at once are G. With
// G requests at times that are spread evenly over a span S, each of which opens a window W, G / (1 + (G - 1) W / S) go
// on. W is the measured one, longer by the way to DRAM for the first generation of blocks, which finds the L2 empty.
//
// S is how far blocks are apart that run the same code. Those that wait at barriers load in bursts, one for each time
// around their loop, and keep within some three and a half of these of each other: fitted, the only number here that
// is, to seven products of tiles (tests/truth: S between 0.5 and 5 bursts; blocks of 1024 threads keep nearer together
// than that and meet more often). Without barriers a block is one burst: warps of a block drift apart, and whole blocks
// so much that next to nothing meets. Where all blocks are resident at once and nobody waits for anybody
// (l1_reg_row4, l1_reg_4x4) more meet on the card, for reasons that a model of one multiprocessor does not see: who
// meets another goes on together with it.
#include "sim/model/meet.h"

#include "device/profile.h"

enum { APART = 350, WHOLE = 1 << 16 }; // hundredths of a burst

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

void meet_count(const struct meet *m, const struct sim_launch *l, uint64_t time_ps, struct counters *c)
{
    const struct device_profile *d = l->device;
    uint64_t groups = (uint64_t)d->l2_groups, wide = l->request->grid[0];
    if (!groups || !m->bursts || !m->blocks || c->global_ld_sectors <= c->global_ld_l1_hit_sectors) return;
    uint64_t resident = (uint64_t)d->sms * at_least(1, l->blocks_per_sm);
    if (resident > l->blocks) resident = l->blocks;
    // Sixteenths of blocks, so that a part of one counts.
    uint64_t in_row = 16 * (wide < resident ? wide : resident) / groups;
    uint64_t in_column = 16 * resident / wide * common_factor(wide, groups) / groups;
    // Hundredths of cycles.
    uint64_t time = time_ps / 1000 * (uint64_t)d->clock_khz / 10000;
    uint64_t life = (uint64_t)((unsigned __int128)time * resident / l->blocks);
    uint64_t span = at_least(1, (uint64_t)((unsigned __int128)life * m->blocks / m->bursts) * APART / 100);
    uint64_t far = (uint64_t)(d->l2_meet + (d->latency_dram > d->latency_l2 ? d->latency_dram - d->latency_l2 : 0));
    uint64_t both = m->row + m->column > 1000 ? m->row + m->column - 1000 : 0;
    uint64_t row = m->row - both, column = m->column - both, passed = 0;
    for (int first = 0; first < 2; first++) {
        uint64_t window = first ? far : (uint64_t)d->l2_meet;
        uint64_t all = row * go_on(in_row, window, span) + column * go_on(in_column, window, span) +
                       both * go_on(16 * resident / groups, window, span) + (1000 - row - column - both) * WHOLE;
        passed += all / 1000 * (first ? resident : l->blocks - resident);
    }
    uint64_t missed = c->global_ld_sectors - c->global_ld_l1_hit_sectors;
    uint64_t met = missed - (uint64_t)((unsigned __int128)missed * passed / l->blocks / WHOLE);
    if (met > c->l2_ld_sectors) met = c->l2_ld_sectors;
    c->l2_ld_sectors -= met;
    c->l2_hit_sectors -= met < c->l2_hit_sectors ? met : c->l2_hit_sectors;
}
