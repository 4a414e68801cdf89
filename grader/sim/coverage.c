// Counts how often a launch executed each line, branch and function of the student's file (engine/coverage.h). The
// coverage lists the lines of the whole image (the compiled CUDA module), including lines whose instructions do not
// belong to the launched kernel. This file stores the counts of the kernel's ops in an array with a count for each PTX
// instruction of the module, and sorts the instructions by line. If a PTX instruction became several ops, the largest
// count of its ops is the count of the PTX instruction. The branches of a line are numbered in the order of the branch
// instructions in the PTX text.
#include "sim/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/ptx.h"
#include "sim/core/program.h"
#include "sim/hazard/demangle.h"
#include "sim/hazard/diagnose.h"

struct tally { // counts of one instruction
    uint64_t threads, taken;
};

// Adds the counts of the copies that loop unrolling made to the counts of the original instructions. Each thread that
// enters an unrolled loop reaches the loop's first test once, and leaves the loop once.
static void join_copies(const struct ptx_func *f, struct tally *tally)
{
    for (uint32_t i = 0; i < f->ninsts; i++) {
        uint32_t of = f->inst[i].copy_of;
        if (of && !ptx_is_branch(&f->inst[of - 1])) tally[of - 1].threads += tally[i].threads;
    }
    for (uint32_t i = 0; i < f->ninsts; i++) {
        uint32_t of = f->inst[i].copy_of;
        if (!of || !ptx_is_branch(&f->inst[of - 1]) || (i && f->inst[i - 1].copy_of)) continue;
        uint64_t turns = tally[f->inst[of - 1].operand[0].index].threads;
        tally[of - 1] = (struct tally){turns, turns - tally[i].threads};
    }
}

static struct tally *tally_of(const struct grid *g, const uint32_t *base, uint32_t total)
{
    const struct sim_program *p = g->launch.program;
    struct tally *tally = alloc_zeroed(total, sizeof *tally);
    for (uint32_t k = 0; k < p->nops; k++) {
        struct tally *t = &tally[base[p->info[k].func] + p->info[k].inst];
        if (g->op[k].ptx_thread_inst > t->threads) t->threads = g->op[k].ptx_thread_inst;
        t->taken += g->taken[k];
    }
    for (uint32_t f = 0; f < p->module->nfuncs; f++) join_copies(&p->module->func[f], &tally[base[f]]);
    return tally;
}

// Describes one instruction with its source line, for sorting by line.
struct listed {
    uint32_t line;
    int is_branch;
    struct tally tally;
};

static int by_line(const void *left, const void *right)
{
    const struct listed *a = left, *b = right;
    return (a->line > b->line) - (a->line < b->line);
}

static uint32_t list_instructions(const struct ptx_module *m, const struct tally *tally, struct listed *list)
{
    uint32_t n = 0, at = 0;
    for (uint32_t f = 0; f < m->nfuncs; f++)
        for (uint32_t i = 0; i < m->func[f].ninsts; i++, at++) {
            const struct ptx_inst *inst = &m->func[f].inst[i];
            if (inst->copy_of) continue;
            struct finding_place place = program_inst_place(m, f, i);
            if (place.file != FILE_STUDENT || !place.line) continue;
            int is_branch = ptx_is_branch(inst) && inst->guard != PTX_NO_REG;
            list[n++] = (struct listed){place.line, is_branch, tally[at]};
        }
    return n;
}

static void add_line(struct coverage *c, const struct listed *l)
{
    if (!c->nlines || c->line[c->nlines - 1].line != l->line) {
        if (c->nlines == COVERAGE_LINES) return;
        c->line[c->nlines++] = (struct coverage_line){.line = l->line};
    }
    struct coverage_line *line = &c->line[c->nlines - 1];
    if (l->tally.threads > line->threads) line->threads = l->tally.threads;
}

static void add_branch(struct coverage *c, const struct listed *l)
{
    if (c->nbranches == COVERAGE_BRANCHES) return;
    struct coverage_branch *b = &c->branch[c->nbranches++];
    *b =
        (struct coverage_branch){.line = l->line, .taken = l->tally.taken, .fallen = l->tally.threads - l->tally.taken};
    if (b > c->branch && b[-1].line == b->line) b->index = b[-1].index + 1;
}

// Adds a function to the coverage; the function's line is the line of its first instruction in the student's file.
static void add_function(struct coverage *c, const struct ptx_module *m, uint32_t f, uint64_t threads)
{
    const struct ptx_func *func = &m->func[f];
    struct coverage_function made = {.threads = threads};
    for (uint32_t i = 0; i < func->ninsts && !made.line; i++) {
        struct finding_place place = program_inst_place(m, f, i);
        if (place.file == FILE_STUDENT) made.line = place.line;
    }
    if (!made.line || c->nfunctions == COVERAGE_FUNCTIONS) return;
    char name[FINDING_SYMBOL];
    demangle(name, func->name);
    memcpy(made.name, name, sizeof name);
    uint32_t at = c->nfunctions++;
    for (; at && (c->function[at - 1].line > made.line ||
                  (c->function[at - 1].line == made.line && strcmp(c->function[at - 1].name, made.name) > 0));
         at--)
        c->function[at] = c->function[at - 1];
    c->function[at] = made;
}

void coverage_observe(const struct grid *g, struct coverage *c)
{
    const struct ptx_module *m = g->launch.program->module;
    uint32_t total = 0, *base = alloc_zeroed(m->nfuncs + 1, sizeof *base);
    for (uint32_t f = 0; f < m->nfuncs; total += m->func[f++].ninsts) base[f] = total;
    struct tally *tally = tally_of(g, base, total);
    struct listed *list = alloc_zeroed(total, sizeof *list);
    uint32_t n = list_instructions(m, tally, list);
    qsort(list, n, sizeof *list, by_line);
    for (uint32_t i = 0; i < n; i++) {
        add_line(c, &list[i]);
        if (list[i].is_branch) add_branch(c, &list[i]);
    }
    for (uint32_t f = 0; f < m->nfuncs; f++)
        if (m->func[f].ninsts) add_function(c, m, f, tally[base[f]].threads);
    free(list);
    free(tally);
    free(base);
}
