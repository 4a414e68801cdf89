// Decides which findings follow from another finding of the same list.
//
// Theory of operation. One mistake often has consequences that the simulator reports as findings, too. A student should
// look at the cause first, so reports show the cause in full and fold the findings that follow from it. Each kind of
// finding has an effect (engine/finding.def), which says what the defect breaks for the rest of the program. The
// following table lists all rules by which one finding follows from another. In each rule of the table, both findings
// are in the same kernel, except that a result may follow from a finding in any kernel.
//
//   finding           follows from
//   a missed barrier  an earlier line's missed barrier: threads that parted once do not meet at later barriers either;
//                     an earlier line's bad mask, if the lanes that miss the barrier wait there
//   a bad mask        an earlier line's missed barrier or bad mask, if the lanes that came here miss there
//   a race            threads that did not meet: nothing orders them (a bad mask: only the lanes of its warp);
//                     an access outside its array in the same line: it hits elements of other threads
//   never written     threads that did not meet, if the memory is shared by them;
//                     an access outside the same array; a race for the same array
//   a result          threads that did not meet, an access outside an array, or a kernel that ended early
//
// In the table, a result is a finding of one of three kinds: an output that was never written, an output that depends
// on the order of threads, or a store outside an array. The finding that a kernel changed an input never follows from
// another finding. A finding of visible cases never follows from a finding of hidden cases, so a report never reveals
// more about hidden cases in this way. A note (a finding that costs no points) can follow only from a defect, and a
// defect never follows from a note.
#include <string.h>

#include "judge/verdict/verdict.h"

static enum finding_effect effect_of(const struct verdict_finding *f)
{
    return verdict_info(f)->effect;
}

static const char *array_of(const struct verdict_finding *f)
{
    return f->array[0] ? f->array : f->finding.symbol;
}

static int same_array(const struct verdict_finding *f, const struct verdict_finding *g)
{
    return array_of(f)[0] && !strcmp(array_of(f), array_of(g));
}

static int is_at(const struct finding_place *a, const struct finding_place *b)
{
    return a->line && a->line == b->line && a->file == b->file;
}

static int race_follows(const struct verdict_finding *f, const struct verdict_finding *g)
{
    const struct finding *race = &f->finding;
    if (effect_of(g) == EFFECT_ADDRESS)
        return is_at(&race->at, &g->finding.at) || (race->second && is_at(&race->other, &g->finding.at));
    return effect_of(g) == EFFECT_MEETING && race->epoch && (g->finding.kind != FINDING_bad_mask || race->warp);
}

static int value_follows(const struct verdict_finding *f, const struct verdict_finding *g)
{
    if (f->finding.kind != FINDING_never_written) return 0;
    if (effect_of(g) == EFFECT_MEETING) return f->finding.space == SPACE_SHARED || f->finding.space == SPACE_GLOBAL;
    return (effect_of(g) == EFFECT_ADDRESS || effect_of(g) == EFFECT_ORDER) && same_array(f, g);
}

static int result_follows(const struct verdict_finding *f, const struct verdict_finding *g)
{
    enum finding_effect effect = effect_of(g);
    if (f->finding.kind == FINDING_input_changed) return 0;
    return effect == EFFECT_MEETING || effect == EFFECT_ADDRESS || effect == EFFECT_STOP;
}

static int is_missed_barrier(const struct verdict_finding *f)
{
    return effect_of(f) == EFFECT_MEETING && f->finding.kind != FINDING_bad_mask;
}

// Returns 1 if finding `f` follows from finding `g` by the table's rules for missed barriers and bad masks. Each of the
// findings `f` and `g` must be a missed barrier or a bad mask.
static int meeting_follows(const struct verdict_finding *f, const struct verdict_finding *g)
{
    if (is_missed_barrier(f) && is_missed_barrier(g)) return 1;
    if (f->finding.kind == FINDING_bad_mask) return g->finding.second && is_at(&f->finding.at, &g->finding.other);
    return f->finding.second && is_at(&f->finding.other, &g->finding.at);
}

// Returns 1 if finding `f` follows from finding `g`, which stands earlier in the sorted list.
static int follows(const struct verdict_finding *f, const struct verdict_finding *g)
{
    if (f->defect || g->defect || (g->hidden && !f->hidden)) return 0;
    if (verdict_info(g)->severity != FINDING_DEFECT) return 0;
    if (effect_of(f) == EFFECT_RESULT) return result_follows(f, g);
    if (strcmp(f->kernel, g->kernel) != 0) return 0;
    switch (effect_of(f)) {
    case EFFECT_MEETING:
        return meeting_follows(f, g);
    case EFFECT_ORDER:
        return race_follows(f, g);
    case EFFECT_VALUE:
        return value_follows(f, g);
    default:
        return 0;
    }
}

void verdict_findings_trace(struct verdict_findings *list)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        uint32_t k = 0;
        while (k < i && (list->item[k].follows || !follows(&list->item[i], &list->item[k]))) ++k;
        list->item[i].follows = k < i ? k + 1 : 0;
    }
}

static int can_be_shown(const struct verdict_finding *f)
{
    const struct finding_info *info = verdict_info(f);
    return info->severity == FINDING_DEFECT && info->effect != EFFECT_RESULT && f->finding.at.line && !f->defect &&
           f->unoptimised && !f->hidden;
}

const struct verdict_finding *verdict_walk(const struct verdict_findings *list)
{
    for (int causes = 1; causes >= 0; --causes)
        for (uint32_t i = 0; i < list->count; ++i)
            if (can_be_shown(&list->item[i]) && (!causes || !list->item[i].follows)) return &list->item[i];
    return NULL;
}

uint32_t verdict_followers(const struct verdict_findings *list, uint32_t index)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->count; ++i) n += list->item[i].follows == index + 1;
    return n;
}
