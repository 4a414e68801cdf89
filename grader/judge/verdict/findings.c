// Merges findings that several launches, test cases and images report for one mistake.
//
// One mistake in a submission often causes many findings. A mistake may appear in every test case, in the optimised and
// the unoptimised image, and as several races. A student should see each mistake once, with the clearest example. The
// clearest example of a mistake comes from a visible test case and, if possible, from the optimised image.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/border/host_trace.h"
#include "judge/verdict/verdict.h"

static const struct finding_info host_info[HOST_TRACE_DEFECTS] = {
#define HOST_DEFECT(id, word, severity, text, hint)                                                                    \
    [DEFECT_##id] = {#id, word, hint, FINDING_##severity, EFFECT_RESULT},
#include "host/border/defect.def"
#undef HOST_DEFECT
};

const struct finding_info *verdict_info(const struct verdict_finding *f)
{
    return f->defect ? &host_info[f->defect] : &finding_info[f->finding.kind];
}

struct finding_place verdict_place(const struct verdict_finding *f)
{
    struct finding_place p = f->finding.at;
    if (p.line || !f->definition) return p;
    p.file = FILE_STUDENT;
    p.line = f->definition;
    return p;
}

uint32_t verdict_defects(const struct verdict_findings *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->count; ++i) n += verdict_info(&list->item[i])->severity == FINDING_DEFECT;
    return n;
}

int verdict_is_race(const struct finding *f)
{
    return finding_info[f->kind].effect == EFFECT_ORDER;
}

static int same_place(const struct finding_place *a, const struct finding_place *b)
{
    return a->file == b->file && a->path == b->path && a->line == b->line;
}

static int same(const struct verdict_finding *a, const struct verdict_finding *b)
{
    const struct finding *f = &a->finding, *g = &b->finding;
    if (a->defect != b->defect || strcmp(a->array, b->array) != 0 || strcmp(f->symbol, g->symbol) != 0) return 0;
    if (verdict_is_race(f) && verdict_is_race(g) && f->second &&
        g->second) // the two races concern the same two lines, in either order
        return (same_place(&f->at, &g->at) && same_place(&f->other, &g->other)) ||
               (same_place(&f->at, &g->other) && same_place(&f->other, &g->at));
    if (f->kind != g->kind || !same_place(&f->at, &g->at)) return 0;
    // findings without a line number are the same only if they are in the same kernel
    return f->at.line || !strcmp(a->kernel, b->kernel);
}

static void drop(struct verdict_findings *list, uint32_t at)
{
    memmove(&list->item[at], &list->item[at + 1], (--list->count - at) * sizeof *list->item);
}

// Makes room for a finding of a visible case by removing a finding of a hidden case. Returns 1 if there is room.
static int make_room(struct verdict_findings *list)
{
    uint32_t i = list->count;
    if (i < VERDICT_FINDINGS) return 1;
    while (i && !list->item[i - 1].hidden) --i;
    if (i) drop(list, i - 1);
    return i != 0;
}

void verdict_findings_add(struct verdict_findings *list, const struct verdict_finding *f)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        struct verdict_finding *old = &list->item[i];
        if (old->hidden != f->hidden || !same(old, f)) continue;
        struct verdict_finding merged = f->optimised && !old->optimised ? *f : *old;
        merged.cases = old->cases | f->cases;
        merged.optimised = old->optimised || f->optimised;
        merged.unoptimised = old->unoptimised || f->unoptimised;
        merged.finding.unoptimised = (uint8_t)(!merged.optimised);
        merged.finding.warp = old->finding.warp && f->finding.warp;
        *old = merged;
        return;
    }
    if (f->hidden ? list->count < VERDICT_FINDINGS : make_room(list))
        list->item[list->count++] = *f;
    else
        list->dropped += !f->hidden;
}

// Returns 1 if the finding is a call that failed by its own arguments. What kernels do afterwards follows from it. A
// copy that is too large has a count too many, as the launch beside it, so the launch is told first.
static int explains(const struct verdict_finding *v)
{
    return v->defect == DEFECT_UNCHECKED && v->reason != HOST_REASON_SIZE && v->reason != HOST_REASON_NONE;
}

static int by_severity(const void *left, const void *right)
{
    const struct verdict_finding *v = left, *w = right;
    const struct finding *a = &v->finding, *b = &w->finding;
    enum finding_severity severity = verdict_info(v)->severity;
    if (severity != verdict_info(w)->severity) return severity == FINDING_DEFECT ? -1 : 1;
    if (!v->hidden != !w->hidden) return v->hidden ? 1 : -1;
    if (explains(v) != explains(w)) return explains(v) ? -1 : 1;
    if (v->defect != w->defect) return v->defect < w->defect ? -1 : 1;
    // threads that part in an earlier line are missing in the later ones
    int meetings = verdict_info(v)->effect == EFFECT_MEETING && verdict_info(w)->effect == EFFECT_MEETING;
    if (meetings && a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
    if (a->other.line != b->other.line) return a->other.line < b->other.line ? -1 : 1;
    return strcmp(v->array, w->array);
}

static const char *name_of(const struct verdict_finding *f)
{
    return f->array[0] ? f->array : f->finding.symbol;
}

static const struct finding_place *second_place(const struct finding *f)
{
    return verdict_first(f) == &f->at ? &f->other : &f->at;
}

// Returns 1 if the barrier that fixes race `f` also fixes race `g`. One barrier fixes two races if both races need a
// barrier after the same line. If two races lie between the same two existing barriers and their second accesses are on
// the same line, one barrier before this line fixes both races.
static int one_barrier(const struct finding *f, const struct finding *g)
{
    if (!verdict_is_race(f) || !verdict_is_race(g) || !f->epoch || !g->epoch || f->fence != g->fence) return 0;
    if (same_place(verdict_first(f), verdict_first(g))) return 1;
    return f->after == g->after && f->before == g->before && same_place(second_place(f), second_place(g));
}

// Returns 1 if finding `f` is a consequence of finding `g`. Two kinds of findings may be consequences of a race: reads
// of an element that no thread has written yet, and writes of equal values to an element by several threads. If `g` is
// a wrong lane mask, it may have two consequences. A shuffle may return a value that no lane supplied, and lanes that
// ran ahead of the shuffle may be missing at a later operation.
static int follows(const struct verdict_finding *f, const struct verdict_finding *g)
{
    if (f->finding.kind == FINDING_bad_mask && g->finding.kind == FINDING_bad_mask)
        return f != g && g->finding.second && same_place(&f->finding.at, &g->finding.other);
    if (f->finding.kind == FINDING_never_written && g->finding.kind == FINDING_bad_mask)
        return !name_of(f)[0] && f->finding.at.line >= g->finding.at.line && !strcmp(f->kernel, g->kernel);
    if (f->finding.kind == FINDING_race_same_value && g->finding.kind == FINDING_race_waw)
        return same_place(&f->finding.at, &g->finding.at) && !strcmp(name_of(f), name_of(g));
    return f->finding.kind == FINDING_never_written && verdict_is_race(&g->finding) &&
           g->finding.other.access == ACCESS_WRITE && same_place(&f->finding.at, &g->finding.at) &&
           !strcmp(name_of(f), name_of(g));
}

// Returns 1 if findings `f` and `g` are parts of one lost update. In a lost update, some threads read an element at a
// source line at which other threads write the element.
static int lost_update(const struct verdict_finding *f, const struct verdict_finding *g)
{
    const struct finding *race = &f->finding, *twice = &g->finding;
    return (race->kind == FINDING_race_raw || race->kind == FINDING_race_war) &&
           (twice->kind == FINDING_race_waw || twice->kind == FINDING_race_same_value) &&
           same_place(&race->at, &race->other) && same_place(&race->at, &twice->at) && !strcmp(name_of(f), name_of(g));
}

// Returns 1 if the optimised and the unoptimised image report the same access of the same thread to the same element.
// The optimised and the unoptimised image report different lines for one access if the optimiser merges accesses of two
// lines, or if a statement spans several lines.
static int one_access(const struct verdict_finding *v, const struct verdict_finding *w)
{
    const struct finding *f = &v->finding, *g = &w->finding;
    const struct finding_place *a = &f->at, *b = &g->at;
    if (v->defect || w->defect || v->which != w->which || strcmp(name_of(v), name_of(w)) != 0) return 0;
    if (v->optimised == w->optimised || v->unoptimised == w->unoptimised || strcmp(v->kernel, w->kernel) != 0) return 0;
    if (f->kind != g->kind || f->space != g->space || f->offset != g->offset || f->second != g->second) return 0;
    if (f->second && (memcmp(f->other.thread, g->other.thread, sizeof a->thread) != 0 ||
                      memcmp(f->other.block, g->other.block, sizeof a->block) != 0))
        return 0;
    return a->access == b->access && !memcmp(a->thread, b->thread, sizeof a->thread) &&
           !memcmp(a->block, b->block, sizeof a->block);
}

static void take_in(struct verdict_finding *into, const struct verdict_finding *f)
{
    into->cases |= f->cases;
    into->optimised = into->optimised || f->optimised;
    into->unoptimised = into->unoptimised || f->unoptimised;
}

// Returns 1 if one access of race `f` has lost its line, and race `g` has it. The optimiser merges the stores of `if`
// and `else` to one, and this store then seems to be in the line of the next statement, often the line that reads. Only
// the unoptimised image knows the line of the store.
static int has_lost_line(const struct verdict_finding *f, const struct verdict_finding *g)
{
    return f->optimised && !f->unoptimised && g->unoptimised && same_place(&f->finding.at, &f->finding.other) &&
           !same_place(&g->finding.at, &g->finding.other);
}

// Merges findings `i` and `k`, which are two races that one barrier fixes. Of the races `i` and `k`, keeps the race
// whose first access is on the later source line, because one barrier fixes both races only if it comes after both
// first accesses. If the source lines of only one of the races `i` and `k` are known, keeps this race.
static void join(struct verdict_findings *list, uint32_t i, uint32_t k)
{
    const struct verdict_finding *a = &list->item[i], *b = &list->item[k];
    int down = verdict_first(&b->finding)->line > verdict_first(&a->finding)->line;
    // prefer the finding whose line is known
    if (!a->finding.at.line != !b->finding.at.line) down = !a->finding.at.line;
    if (has_lost_line(a, b) || has_lost_line(b, a)) down = has_lost_line(a, b);
    struct verdict_finding kept = down ? *b : *a;
    const struct verdict_finding *gone = down ? a : b;
    if (strcmp(name_of(&kept), name_of(gone)) != 0) snprintf(kept.also, sizeof kept.also, "%s", name_of(gone));
    kept.finding.warp = a->finding.warp && b->finding.warp;
    take_in(&kept, gone);
    kept.finding.unoptimised = (uint8_t)(!kept.optimised);
    list->item[i] = kept;
    drop(list, k);
}

// Merges findings `i` and `k`, which the optimised and the unoptimised image report for one access. Keeps the finding
// of the unoptimised image, because its line is the line of the access in the source.
static void join_images(struct verdict_findings *list, uint32_t i, uint32_t k)
{
    struct verdict_finding kept = list->item[list->item[i].unoptimised ? i : k];
    take_in(&kept, &list->item[list->item[i].unoptimised ? k : i]);
    kept.finding.unoptimised = 0;
    list->item[i] = kept;
    drop(list, k);
}

// Returns 1 if finding `k` may change what the verdict says of finding `i`. A finding of hidden cases must not change
// what the verdict says of a finding of visible cases.
static int may_change(const struct verdict_finding *i, const struct verdict_finding *k)
{
    return i->hidden || !k->hidden;
}

void verdict_findings_reduce(struct verdict_findings *list)
{
    for (uint32_t i = 0; i < list->count; ++i)
        for (uint32_t k = i + 1; k < list->count;)
            if (list->item[i].hidden != list->item[k].hidden)
                ++k;
            else if (one_barrier(&list->item[i].finding, &list->item[k].finding))
                join(list, i, k);
            else if (one_access(&list->item[i], &list->item[k]))
                join_images(list, i, k);
            else
                ++k;
    for (uint32_t i = 0; i < list->count; ++i)
        for (uint32_t k = 0; k < list->count; ++k)
            list->item[i].lost_update |=
                may_change(&list->item[i], &list->item[k]) && lost_update(&list->item[i], &list->item[k]);
    for (uint32_t i = 0; i < list->count;) {
        uint32_t k = 0;
        while (k < list->count &&
               !(may_change(&list->item[i], &list->item[k]) &&
                 (follows(&list->item[i], &list->item[k]) || lost_update(&list->item[k], &list->item[i]))))
            ++k;
        if (k < list->count)
            drop(list, i);
        else
            ++i;
    }
}

void verdict_findings_sort(struct verdict_findings *list)
{
    qsort(list->item, list->count, sizeof *list->item, by_severity);
}

// Returns 1 if finding `f` of hidden cases tells nothing that finding `g` of visible cases does not tell.
static int is_known(const struct verdict_finding *f, const struct verdict_finding *g)
{
    return same(f, g) || one_barrier(&f->finding, &g->finding);
}

int verdict_findings_hide(struct verdict_findings *list)
{
    int defect = 0, kept = 0;
    for (uint32_t i = 0; i < list->count;) {
        const struct verdict_finding *f = &list->item[i];
        uint32_t k = 0;
        while (k < list->count && (list->item[k].hidden || !is_known(f, &list->item[k]))) ++k;
        if (!f->hidden) {
            ++i;
        } else if (kept || k < list->count) {
            drop(list, i);
        } else {
            kept = 1;
            defect = verdict_info(f)->severity == FINDING_DEFECT;
            ++i;
        }
    }
    return defect;
}
