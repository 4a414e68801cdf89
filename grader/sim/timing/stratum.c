// Divides a grid of blocks into strata, boxes of blocks with equal counters; stratum.h states the contracts.
//
// Purpose. Counts of sampled blocks, scaled to the whole grid, are exact only if all blocks do the same work. Blocks at
// the end of an array do less work than other blocks, and blocks at a matrix's edge have a narrower tile. The first
// blocks of a grid-stride loop may do one iteration more than other blocks. Users compare the report's counts with a
// profiler's counts, so even a small error matters.
//
// Technique. Along each dimension of the grid, stratum_find() runs the first, the middle and the last block on a line
// through the grid's middle block. If the first and the middle block, or the middle and the last block, have different
// counts of memory requests, bisection finds the blocks at which the counts change. Counts that depend on the kernel's
// input data may change at every block. The grid is not divided along a dimension if the blocks' memory-request counts
// change at more than STRATUM_CUTS places along it. The grid is also not divided along a dimension that needs too many
// test blocks.
#include "sim/timing/stratum.h"

#include <string.h>

struct line { // blocks along one dimension of the grid
    const struct stratum_probe *scale;
    uint64_t origin, step;
    uint32_t left;  // number of blocks that may still be run
    uint32_t count; // number of cuts; STRATUM_CUTS + 1: too many cuts, or a block could not be run
    uint32_t cut[STRATUM_CUTS + 1];
};

// Returns 1 if two blocks have equal counts of memory requests, sectors, stored bytes and shared-memory instructions.
// Compares only counts that depend on addresses alone. Does not compare the sector counts of atomics, because they
// depend on the kernel's data.
static int is_alike(const struct counters *a, const struct counters *b)
{
#define SAME(counter) (a->counter == b->counter)
    return SAME(global_ld_requests) && SAME(global_ld_sectors) && SAME(global_st_requests) && SAME(global_st_sectors) &&
           SAME(local_ld_requests) && SAME(local_ld_sectors) && SAME(local_st_requests) && SAME(local_st_sectors) &&
           SAME(global_st_bytes) && SAME(global_red_requests) && SAME(global_atom_requests) && SAME(shared_ld_inst) &&
           SAME(shared_st_inst) && SAME(shared_atom_inst);
#undef SAME
}

static void give_up(struct line *l)
{
    l->count = STRATUM_CUTS + 1;
}

static void weigh(struct line *l, uint32_t at, struct counters *c)
{
    memset(c, 0, sizeof *c);
    if (!l->left || l->scale->weigh(l->scale->data, l->origin + at * l->step, c)) give_up(l);
    if (l->left) l->left--;
}

// Finds, by bisection, the places between block `a` and block `b` at which neighbouring blocks differ in their counts
// of memory requests (is_alike()). The blocks are numbered along one dimension of the grid.
static void halve(struct line *l, uint32_t a, const struct counters *of_a, uint32_t b, const struct counters *of_b)
{
    struct counters of_middle;
    if (l->count > STRATUM_CUTS || is_alike(of_a, of_b)) return;
    if (b - a == 1) {
        l->cut[l->count++] = b;
        return;
    }
    uint32_t middle = a + (b - a) / 2;
    weigh(l, middle, &of_middle);
    halve(l, a, of_a, middle, &of_middle);
    halve(l, middle, &of_middle, b, of_b);
}

static void cut_line(struct line *l, uint32_t extent)
{
    struct counters first, middle, last;
    if (extent < 2) return;
    weigh(l, 0, &first);
    weigh(l, extent / 2, &middle);
    weigh(l, extent - 1, &last);
    halve(l, 0, &first, extent / 2, &middle);
    halve(l, extent / 2, &middle, extent - 1, &last);
}

uint64_t stratum_blocks(const struct stratum *p)
{
    return (uint64_t)p->extent[0] * p->extent[1] * p->extent[2];
}

uint64_t stratum_block(const struct stratum *p, const uint32_t grid[3], uint64_t at)
{
    uint64_t x = p->first[0] + at % p->extent[0], y = p->first[1] + at / p->extent[0] % p->extent[1],
             z = p->first[2] + at / p->extent[0] / p->extent[1];
    return (z * grid[1] + y) * grid[0] + x;
}

static void add(struct strata *strata, const struct line line[3], const uint32_t grid[3], const uint32_t which[3])
{
    struct stratum p;
    for (int d = 0; d < 3; d++) {
        const struct line *l = &line[d];
        p.first[d] = which[d] ? l->cut[which[d] - 1] : 0;
        p.extent[d] = (which[d] < l->count ? l->cut[which[d]] : grid[d]) - p.first[d];
    }
    strata->stratum[strata->count++] = p;
    struct stratum *largest = &strata->stratum[0];
    if (stratum_blocks(&p) <= stratum_blocks(largest)) return;
    strata->stratum[strata->count - 1] = *largest;
    *largest = p;
}

void stratum_find(struct strata *strata, const uint32_t grid[3], const struct stratum_probe *scale)
{
    struct line line[3] = {{0}};
    uint64_t step[3] = {1, grid[0], (uint64_t)grid[0] * grid[1]}, middle = 0;
    strata->exact = 1;
    for (int d = 0; d < 3; d++) middle += grid[d] / 2 * step[d];
    for (int d = 0; d < 3; d++) {
        line[d] = (struct line){.scale = scale, .step = step[d], .left = scale->most};
        line[d].origin = middle - grid[d] / 2 * step[d];
        cut_line(&line[d], grid[d]);
        if (line[d].count > STRATUM_CUTS) strata->exact = line[d].count = 0;
    }
    strata->count = 0;
    uint32_t which[3];
    for (which[2] = 0; which[2] <= line[2].count; which[2]++)
        for (which[1] = 0; which[1] <= line[1].count; which[1]++)
            for (which[0] = 0; which[0] <= line[0].count; which[0]++) add(strata, line, grid, which);
}
