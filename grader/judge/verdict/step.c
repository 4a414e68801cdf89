// Finds the steps of a recording that a finding is about. The step in which a race was found is that of the access that
// the simulator executed later. The other access is the latest one before it, of the other thread to the same element
// at the other line. An access may be wider than an element: then the race is about the element that both accessed.
#include "judge/verdict/step.h"

#include <string.h>

#include "base/text.h"

uint32_t verdict_step_thread(const struct verdict_step *s, const uint32_t thread[3])
{
    return thread[0] + s->threads[0] * (thread[1] + s->threads[1] * thread[2]);
}

// Returns the index of a block in the recording, or -1.
static int slot_of(const struct verdict_step *s, const uint32_t block[3])
{
    for (uint32_t b = 0; b < s->recording.nblocks; ++b)
        if (!memcmp(s->recording.block[b], block, sizeof s->recording.block[b])) return (int)b;
    return -1;
}

// A thread of the recording: its warp and its lane.
struct thread {
    int there;
    uint32_t warp, lane;
};
static struct thread thread_at(const struct verdict_step *s, const struct finding_place *p)
{
    int slot = slot_of(s, p->block);
    uint32_t t = verdict_step_thread(s, p->thread);
    return (struct thread){slot >= 0, (uint32_t)slot * s->recording.warps + t / RECORDING_LANES, t % RECORDING_LANES};
}

// Sets the element that the finding is about.
static void find_cell(const struct verdict_step *s, struct verdict_shown *w)
{
    const struct finding *f = &w->finding->finding;
    int slot = slot_of(s, w->at.block);
    if (slot < 0 || (f->space != SPACE_SHARED && f->space != SPACE_GLOBAL)) return;
    for (uint32_t a = 0; a < s->recording.narrays && !w->has_cell; ++a) {
        const struct recording_array *array = &s->recording.array[a];
        int same = f->space == SPACE_SHARED
                       ? array->shared && !strncmp(array->name, f->symbol, FINDING_SYMBOL - 1)
                       : !array->shared && (f->buffer >= 0 ? array->buffer == f->buffer
                                                           : array->buffer < 0 && !strcmp(array->name, f->symbol));
        if (!same) continue;
        int64_t bytes = array->bytes;
        w->has_cell = 1;
        w->slot = array->shared ? (uint32_t)slot : 0;
        w->array = a;
        w->element = f->offset / bytes - (f->offset % bytes < 0);
    }
}

static int is_access(uint32_t tag)
{
    return tag == RECORDING_READ || tag == RECORDING_WRITE || tag == RECORDING_ATOMIC;
}

// Returns how many elements from w->element on the finding's access covers.
static int64_t width_of(const struct verdict_step *s, const struct verdict_shown *w)
{
    int64_t n = w->has_cell ? w->finding->finding.size / s->recording.array[w->array].bytes : 0;
    return n > 1 ? n : 1;
}

// Returns the last step up to that of the finding in which the thread was at the line and, if the finding is about
// elements, accessed *element, the first of them that it ever did there; or 0.
static uint32_t last_step(const struct verdict_step *s, const struct verdict_shown *w, const struct finding_place *p,
                          int64_t *element)
{
    struct thread t = thread_at(s, p);
    struct recording_reader reader;
    int64_t end = w->element + width_of(s, w);
    uint32_t found = 0;
    *element = end;
    recording_begin(&reader, &s->recording);
    while (t.there && recording_next(&reader) && reader.step <= w->step) {
        const struct recording_event *e = &reader.event;
        if (!reader.step || e->warp != t.warp || !(e->mask >> t.lane & 1) || e->line != p->line) continue;
        if (w->has_cell) {
            int64_t at = e->element[t.lane];
            if (!is_access(e->tag) || e->index != w->array || at < w->element || at >= end || at > *element) continue;
            *element = at;
        } else if (e->tag != RECORDING_STEP) {
            continue;
        }
        found = reader.step;
    }
    return found;
}

// Sets the other access. Without one, the finding may have been made later than the access, where a value that was
// never written was used: then the step becomes that of the access.
static void find_accesses(const struct verdict_step *s, struct verdict_shown *w)
{
    int64_t element;
    uint32_t step = last_step(s, w, w->has_other ? &w->other : &w->at, &element);
    if (!step) return;
    if (w->has_other) w->other_step = step;
    if (w->has_cell && w->has_other) w->element = element;
    if (w->has_cell && !w->has_other) w->step = step;
}

// Returns 1 if the thread at the place executed the step.
static int is_step_of(const struct verdict_step *s, uint32_t step, const struct finding_place *p)
{
    struct thread t = thread_at(s, p);
    struct recording_reader reader;
    recording_begin(&reader, &s->recording);
    while (recording_next(&reader))
        if (reader.step == step && reader.event.tag == RECORDING_STEP)
            return t.there && reader.event.warp == t.warp && reader.event.line == p->line;
    return 0;
}

// Returns 1 if both are one thread at one line: a thread that is at a barrier alone.
static int is_same(const struct finding_place *a, const struct finding_place *b)
{
    return a->line == b->line && !memcmp(a->block, b->block, sizeof a->block) &&
           !memcmp(a->thread, b->thread, sizeof a->thread);
}

void verdict_step_show(struct verdict_step *s)
{
    s->nshown = 0;
    for (uint32_t i = 0; i < s->findings.count; ++i) {
        const struct finding *f = &s->findings.item[i].finding;
        if (!f->step || f->step < s->recording.first || f->step > s->recording.steps) continue;
        struct verdict_shown *w = &s->shown[s->nshown++];
        *w = (struct verdict_shown){.finding = &s->findings.item[i], .step = f->step, .at = f->at, .other = f->other};
        w->has_other = f->second && !is_same(&f->at, &f->other);
        // A report may name the two accesses in the other order than they were made.
        if (f->second && !is_step_of(s, f->step, &f->at) && is_step_of(s, f->step, &f->other)) {
            w->at = f->other;
            w->other = f->at;
        }
        find_cell(s, w);
        find_accesses(s, w);
    }
}

void verdict_step_free(struct verdict_step *s)
{
    recording_close(&s->recording);
    text_free(&s->bytes);
}
