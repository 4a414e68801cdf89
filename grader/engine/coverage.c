// Implements coverage.h. The lists of lines, branches and functions stay sorted by source line. Inserting an entry into
// a coverage list moves all later entries, but each line, branch and function of an image is inserted only once.
#include "engine/coverage.h"

#include <string.h>

static struct coverage_line *line_of(struct coverage *c, uint32_t line, int make)
{
    uint32_t at = 0;
    while (at < c->nlines && c->line[at].line < line) at++;
    if (at < c->nlines && c->line[at].line == line) return &c->line[at];
    if (!make || c->nlines == COVERAGE_LINES) return NULL;
    memmove(&c->line[at + 1], &c->line[at], (c->nlines++ - at) * sizeof *c->line);
    c->line[at] = (struct coverage_line){.line = line};
    return &c->line[at];
}

static struct coverage_branch *branch_of(struct coverage *c, const struct coverage_branch *b, int make)
{
    uint32_t at = 0;
    while (at < c->nbranches &&
           (c->branch[at].line < b->line || (c->branch[at].line == b->line && c->branch[at].index < b->index)))
        at++;
    if (at < c->nbranches && c->branch[at].line == b->line && c->branch[at].index == b->index) return &c->branch[at];
    if (!make || c->nbranches == COVERAGE_BRANCHES) return NULL;
    memmove(&c->branch[at + 1], &c->branch[at], (c->nbranches++ - at) * sizeof *c->branch);
    c->branch[at] = (struct coverage_branch){.line = b->line, .index = b->index};
    return &c->branch[at];
}

static struct coverage_function *function_of(struct coverage *c, const struct coverage_function *f, int make)
{
    uint32_t at = 0;
    while (at < c->nfunctions && (c->function[at].line < f->line ||
                                  (c->function[at].line == f->line && strcmp(c->function[at].name, f->name) < 0)))
        at++;
    if (at < c->nfunctions && !strcmp(c->function[at].name, f->name) && c->function[at].line == f->line)
        return &c->function[at];
    if (!make || c->nfunctions == COVERAGE_FUNCTIONS) return NULL;
    memmove(&c->function[at + 1], &c->function[at], (c->nfunctions++ - at) * sizeof *c->function);
    c->function[at] = *f;
    c->function[at].threads = 0;
    return &c->function[at];
}

void coverage_add(struct coverage *sum, const struct coverage *more)
{
    for (uint32_t i = 0; i < more->nlines; i++) {
        struct coverage_line *l = line_of(sum, more->line[i].line, 1);
        if (l) l->threads += more->line[i].threads;
    }
    for (uint32_t i = 0; i < more->nbranches; i++) {
        struct coverage_branch *b = branch_of(sum, &more->branch[i], 1);
        if (!b) continue;
        b->taken += more->branch[i].taken;
        b->fallen += more->branch[i].fallen;
    }
    for (uint32_t i = 0; i < more->nfunctions; i++) {
        struct coverage_function *f = function_of(sum, &more->function[i], 1);
        if (f) f->threads += more->function[i].threads;
    }
}

static void mark(uint64_t *count, uint64_t more)
{
    if (!*count && more) *count = 1;
}

void coverage_mark(struct coverage *sum, const struct coverage *more)
{
    for (uint32_t i = 0; i < more->nlines; i++) {
        struct coverage_line *l = line_of(sum, more->line[i].line, 0);
        if (l) mark(&l->threads, more->line[i].threads);
    }
    for (uint32_t i = 0; i < more->nbranches; i++) {
        struct coverage_branch *b = branch_of(sum, &more->branch[i], 0);
        if (!b) continue;
        mark(&b->taken, more->branch[i].taken);
        mark(&b->fallen, more->branch[i].fallen);
    }
    for (uint32_t i = 0; i < more->nfunctions; i++) {
        struct coverage_function *f = function_of(sum, &more->function[i], 0);
        if (f) mark(&f->threads, more->function[i].threads);
    }
}
