// Computes the totals, the counters of each source line and the time of a finished launch for its observation
// (observe.h).
#include "sim/observe.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "device/occupancy.h"
#include "device/profile.h"
#include "sim/core/launch.h"
#include "sim/core/program.h"
#include "sim/coverage.h"
#include "sim/hazard/finding_log.h"
#include "sim/machine/memory.h"
#include "sim/timing/l2.h"
#include "sim/timing/timing.h"

static uint64_t cost(const struct counters *c)
{
    return c->warp_cycles ? c->warp_cycles : c->warp_inst + 8 * c->lsu_wavefronts;
}

static int by_place(const void *a, const void *b)
{
    const struct line_counters *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->path != y->path) return x->path < y->path ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int by_cost(const void *a, const void *b)
{
    uint64_t x = cost(&((const struct line_counters *)a)->counters),
             y = cost(&((const struct line_counters *)b)->counters);
    return x > y ? -1 : x < y ? 1 : by_place(a, b);
}

static void observe_lines(const struct grid *g, struct observation *o)
{
    const struct sim_program *p = g->launch.program;
    struct line_counters *line = alloc_zeroed(p->nops, sizeof *line);
    uint32_t n = 0, lines = 0;
    static const struct counters nothing;
    for (uint32_t k = 0; k < p->nops; k++) {
        if (!memcmp(&g->op[k], &nothing, sizeof nothing)) continue;
        struct finding_place place = program_op_place(p, k);
        line[n++] = (struct line_counters){.file = place.file,
                                           .line = place.line,
                                           .path = place.file == FILE_STUDENT ? place.path : 0,
                                           .counters = g->op[k]};
    }
    qsort(line, n, sizeof *line, by_place);
    for (uint32_t k = 0; k < n; k++) {
        if (lines && !by_place(&line[lines - 1], &line[k]))
            counters_add(&line[lines - 1].counters, &line[k].counters);
        else
            line[lines++] = line[k];
    }
    qsort(line, lines, sizeof *line, by_cost);
    o->nlines = lines < OBSERVATION_LINES ? lines : OBSERVATION_LINES;
    for (uint32_t k = 0; k < o->nlines; k++) o->line[k] = line[k];
    free(line);
}

// Estimates the time of the launch and of each op, and stores both times in the observation.
static void observe_time(const struct grid *g, struct timing_input *work, struct observation *o)
{
    uint32_t nops = g->launch.nops;
    work->warp_cycles = alloc_zeroed(nops, sizeof *work->warp_cycles);
    timing_estimate(work, o);
    struct counters sum = {0};
    for (uint32_t k = 0; k < nops; k++) sum.warp_cycles += g->op[k].warp_cycles = work->warp_cycles[k];
    counters_add(&o->counters, &sum);
    free(work->warp_cycles);
}

// Returns the number of warp instructions of the longest block divided by the average number per block, rounded to the
// nearest integer. The quotient is 1 if all blocks execute about the same number of instructions.
static uint64_t heaviest(const struct grid *g)
{
    unsigned __int128 all = (unsigned __int128)g->longest * g->blocks_run;
    return g->executed ? (uint64_t)((all + g->executed / 2) / g->executed) : 1;
}

void observe_grid(const struct grid *g, struct observation *o)
{
    const struct sim_launch *l = &g->launch;
    o->status = g->crowded ? OBSERVED_UNSUPPORTED : g->stopped ? OBSERVED_FAULT : OBSERVED_OK;
    if (g->crowded)
        message_print(o->message, sizeof o->message,
                      "the kernel's blocks wait for each other, and the simulator has memory for only %u at a time",
                      g->crowded);
    o->blocks = l->blocks;
    o->blocks_run = g->blocks_run;
    o->written_words = g->written;
    o->exact = (uint32_t)g->exact;
    for (uint32_t k = 0; k < l->nops; k++) counters_add(&o->counters, &g->op[k]);
    uint64_t run = g->stopped ? o->blocks : g->l2_blocks;
    struct timing_input work = {.launch = l,
                                .total = &o->counters,
                                .op = g->op,
                                .ran = g->ran,
                                .loads = g->loads,
                                .loads_blocks = run,
                                .heaviest = heaviest(g),
                                .path = g->path,
                                .clock = g->clock,
                                .dram_part = REPLAY_WHOLE,
                                .trace = &g->trace,
                                .threads = g->threads};
    if (g->l2) {
        struct counters l2 = g->l2_counters, all = l2;
        counters_scale(&all, o->blocks, run);
        l2_scale(g->l2, &l2, o->blocks, run, sim_memory_bytes_read(l->memory));
        counters_add(&o->counters, &l2);
        if (l2.dram_ld_bytes < all.dram_ld_bytes)
            work.dram_part = (uint32_t)((unsigned __int128)l2.dram_ld_bytes * REPLAY_WHOLE / all.dram_ld_bytes);
    }
    observe_time(g, &work, o);
    merging_count(&g->merging, l, &o->counters);
    observe_lines(g, o);
    sample_observe(&g->samples, l, o);
    coverage_observe(g, &o->coverage);
    finding_log_write(g->findings, l->program, o);
    size_t printed = g->print->length < OBSERVATION_PRINT ? g->print->length : OBSERVATION_PRINT;
    if (printed) memcpy(o->print, g->print->data, printed);
    o->print_bytes = (uint32_t)printed;
    o->print_dropped = g->print->length > OBSERVATION_PRINT;
}
