// Merging findings over launches, cases and images. One mistake shows in many places of a run: the same line in every
// case, in both images, as a race of a write with a read and of the read with the next write. A student is to see it
// once, with the clearest example there is: from a case that may be shown, and from the optimised image if it can.
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"

static int is_race(const struct finding *f)
{
    switch ((enum finding_kind)f->kind) {
    case FINDING_race_raw:
    case FINDING_race_war:
    case FINDING_race_waw:
    case FINDING_race_atomic:
        return 1;
    default:
        return 0;
    }
}

static int same_place(const struct finding_place *a, const struct finding_place *b)
{
    return a->file == b->file && a->line == b->line;
}

static int same(const struct verdict_finding *a, const struct verdict_finding *b)
{
    const struct finding *f = &a->finding, *g = &b->finding;
    if (strcmp(a->array, b->array) != 0 || strcmp(f->symbol, g->symbol) != 0) return 0;
    if (is_race(f) && is_race(g) && f->second && g->second) // two lines, whichever came first
        return (same_place(&f->at, &g->at) && same_place(&f->other, &g->other)) ||
               (same_place(&f->at, &g->other) && same_place(&f->other, &g->at));
    if (f->kind != g->kind || !same_place(&f->at, &g->at)) return 0;
    // Without a line the kernel tells places apart.
    return f->at.line || !strcmp(a->kernel, b->kernel);
}

static int better_example(const struct verdict_finding *a, const struct verdict_finding *b)
{
    if (a->hidden != b->hidden) return !a->hidden;
    return a->optimised && !b->optimised;
}

void verdict_findings_add(struct verdict_findings *list, const struct verdict_finding *f)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        struct verdict_finding *old = &list->item[i];
        if (!same(old, f)) continue;
        struct verdict_finding merged = better_example(f, old) ? *f : *old;
        merged.cases = old->cases | f->cases;
        merged.hidden = old->hidden && f->hidden;
        merged.optimised = old->optimised || f->optimised;
        merged.unoptimised = old->unoptimised || f->unoptimised;
        merged.finding.unoptimised = (uint8_t)(!merged.optimised);
        *old = merged;
        return;
    }
    if (list->count == VERDICT_FINDINGS)
        ++list->dropped;
    else
        list->item[list->count++] = *f;
}

static int by_severity(const void *left, const void *right)
{
    const struct finding *a = &((const struct verdict_finding *)left)->finding;
    const struct finding *b = &((const struct verdict_finding *)right)->finding;
    if (finding_info[a->kind].severity != finding_info[b->kind].severity)
        return finding_info[a->kind].severity == FINDING_DEFECT ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
    if (a->other.line != b->other.line) return a->other.line < b->other.line ? -1 : 1;
    return strcmp(((const struct verdict_finding *)left)->array, ((const struct verdict_finding *)right)->array);
}

void verdict_findings_sort(struct verdict_findings *list)
{
    qsort(list->item, list->count, sizeof *list->item, by_severity);
}
