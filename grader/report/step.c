// Prints the walk from one access of a finding to the other for a terminal.
//
// The walk has the steps of the two threads alone: what they executed, read and wrote, and how their variables changed.
// Steps of other warps in between are counted. A walk that is longer than WALK_MOST steps keeps its beginning and its
// end.
#include "report/step.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "report/step_value.h"

enum { WALK_MOST = 24, INDENT = 14 };

// A thread that the walk follows, and the latest values of its variables.
struct follower {
    uint32_t warp, lane;
    const uint32_t *thread, *block; // its indices
    uint64_t *value;                // [nparts]
    uint8_t *known;                 // [nparts]: 1: a value; 2: an undefined value
};

struct walk {
    const struct verdict_step *s;
    const struct report_options *how;
    struct text *out;
    struct follower follower[2];
    uint32_t followers;
    uint32_t from, to;       // steps
    uint32_t steps, printed; // of the followers in the walk; printed so far
    uint32_t others;         // steps of other warps since the last one that was printed
    uint32_t skipped;        // steps that are left out in the middle
};

// ---------------------------------------------------------------- a step

static void name_thread(const struct follower *f, struct text *out)
{
    text_say(out, "thread (%1$u,%2$u,%3$u)", f->thread[0], f->thread[1], f->thread[2]);
}

// Appends the start of a line about a step.
static void begin_line(const struct walk *w)
{
    for (int i = 0; i < INDENT; ++i) text_puts(w->out, " ");
}

static void tell_access(const struct walk *w, const struct follower *f, const struct recording_event *e)
{
    const struct recording *r = &w->s->recording;
    struct text element = {0}, thread = {0}, value = {0};
    const char *said = e->tag == RECORDING_READ ? N_("%1$s reads %2$s\n") : N_("%1$s writes %2$s = %3$s\n");
    if (e->tag == RECORDING_ATOMIC) said = N_("%1$s changes %2$s by an atomic: it is %3$s now\n");
    if (e->index == RECORDING_NO_ARRAY) {
        text_printf(&element, "0x%" PRIx64, (uint64_t)e->element[f->lane]);
    } else {
        const struct recording_array *a = &r->array[e->index];
        step_value_element(a, e->element[f->lane], &element);
        if (e->tag != RECORDING_READ) step_value(r, e->value[f->lane], a->kind, a->bytes, &value);
    }
    if (e->undefined >> f->lane & 1) value.length = 0;
    name_thread(f, &thread);
    begin_line(w);
    text_say(w->out, said, thread.data, element.data, value.length ? value.data : "?");
    text_free(&element);
    text_free(&thread);
    text_free(&value);
}

static void name_part(const struct recording *r, uint32_t part, struct text *out)
{
    for (uint32_t i = 0; i < r->nvariables; ++i) {
        const struct recording_variable *v = &r->variable[i];
        if (part >= v->first && part < v->first + v->parts) text_printf(out, "%s%s", v->name, r->part[part].path);
    }
}

static void put_value(const struct recording *r, uint32_t part, uint64_t bits, uint8_t known, struct text *out)
{
    if (known == 2)
        text_puts(out, "?");
    else
        step_value(r, bits, r->part[part].kind, r->part[part].bytes, out);
}

// Tells that a variable of the follower has a new value, which is already in its list; `was` is the old one.
static void tell_value(const struct walk *w, const struct follower *f, uint32_t part, uint64_t was, uint8_t was_known)
{
    const struct recording *r = &w->s->recording;
    struct text name = {0}, now = {0}, then = {0}, thread = {0};
    name_part(r, part, &name);
    put_value(r, part, f->value[part], f->known[part], &now);
    if (was_known) put_value(r, part, was, was_known, &then);
    name_thread(f, &thread);
    begin_line(w);
    if (was_known)
        text_say(w->out, "%1$s: %2$s = %3$s (was %4$s)\n", thread.data, name.data, now.data, then.data);
    else
        text_say(w->out, "%1$s: %2$s = %3$s\n", thread.data, name.data, now.data);
    text_free(&name);
    text_free(&now);
    text_free(&then);
    text_free(&thread);
}

static void tell_status(const struct walk *w, const struct follower *f, const struct recording_event *e)
{
    static const char *const said[RECORDING_TAGS] = {[RECORDING_WAIT] = N_("%s waits at the block's barrier\n"),
                                                     [RECORDING_WARP_WAIT] = N_("%s waits for lanes of its warp\n"),
                                                     [RECORDING_SLEEP] =
                                                         N_("%s reads again and again what nobody changes\n"),
                                                     [RECORDING_EXIT] = N_("%s has ended\n")};
    struct text thread = {0};
    if (!said[e->tag]) return;
    name_thread(f, &thread);
    begin_line(w);
    text_say(w->out, said[e->tag], thread.data);
    text_free(&thread);
}

// ---------------------------------------------------------------- the walk

static int is_follower(const struct walk *w, const struct recording_event *step)
{
    for (uint32_t i = 0; i < w->followers; ++i)
        if (step->warp == w->follower[i].warp && step->mask >> w->follower[i].lane & 1) return 1;
    return 0;
}

static void tell_others(struct walk *w)
{
    if (w->skipped) text_say(w->out, "… %u more steps of these threads; --all shows them\n", w->skipped);
    if (w->others) text_say(w->out, "… %u steps of other threads\n", w->others);
    w->others = w->skipped = 0;
}

// Returns 1 if the follower's step that comes next is printed: not in the middle of a long walk.
static int is_printed(struct walk *w)
{
    uint32_t half = WALK_MOST / 2, n = w->printed++;
    if (w->how->all || w->steps <= WALK_MOST || n < half || n >= w->steps - half) return 1;
    w->skipped++;
    return 0;
}

static void tell_step(struct walk *w, const struct recording_event *e, uint32_t step)
{
    struct bundle source = judge_job_bundle(w->s->job);
    const struct verdict_shown *shown = w->s->nshown ? &w->s->shown[0] : NULL;
    tell_others(w);
    text_say(w->out, "step %u", step);
    if (shown && step == shown->other_step) text_say(w->out, ", the first access");
    if (shown && step == shown->step && shown->other_step) text_say(w->out, ", the second access");
    text_say(w->out, ": warp %u", e->warp % w->s->recording.warps);
    if (w->s->recording.nblocks > 1) {
        const uint32_t *b = w->s->recording.block[e->warp / w->s->recording.warps];
        text_say(w->out, " of block (%1$u,%2$u,%3$u)", b[0], b[1], b[2]);
    }
    text_say(w->out, ", %u lanes\n", (unsigned)__builtin_popcount(e->mask));
    report_quote(w->how, &source, e->line, 0, w->out);
}

// Takes an event of a step of which `prints` is 1 if it is printed.
static void take_event(struct walk *w, const struct recording_event *e, int prints)
{
    for (uint32_t i = 0; i < w->followers; ++i) {
        struct follower *f = &w->follower[i];
        if (e->warp != f->warp || !(e->mask >> f->lane & 1)) continue;
        if (e->tag == RECORDING_VALUE) {
            uint64_t was = f->value[e->index];
            uint8_t known = f->known[e->index];
            f->value[e->index] = e->value[f->lane];
            f->known[e->index] = e->undefined >> f->lane & 1 ? 2 : 1;
            if (prints) tell_value(w, f, e->index, was, known);
        } else if (prints && (e->tag == RECORDING_READ || e->tag == RECORDING_WRITE || e->tag == RECORDING_ATOMIC)) {
            tell_access(w, f, e);
        } else if (prints) {
            tell_status(w, f, e);
        }
    }
}

static void count_steps(struct walk *w)
{
    struct recording_reader reader;
    recording_begin(&reader, &w->s->recording);
    while (recording_next(&reader))
        if (reader.event.tag == RECORDING_STEP && reader.step >= w->from && reader.step <= w->to)
            w->steps += (uint32_t)is_follower(w, &reader.event);
}

static void tell_walk(struct walk *w)
{
    struct recording_reader reader;
    int prints = 0;
    count_steps(w);
    recording_begin(&reader, &w->s->recording);
    while (recording_next(&reader) && reader.step <= w->to) {
        const struct recording_event *e = &reader.event;
        int within = reader.step && reader.step >= w->from;
        if (e->tag != RECORDING_STEP) {
            if (e->tag == RECORDING_PASS && within) {
                tell_others(w);
                text_say(w->out, "barrier complete: all threads that waited go on\n");
            }
            take_event(w, e, prints);
            continue;
        }
        int follows = is_follower(w, e);
        prints = within && follows && is_printed(w);
        if (within && !follows) w->others++;
        if (prints) tell_step(w, e, reader.step);
    }
    tell_others(w);
}

static void follow(struct walk *w, const struct finding_place *p)
{
    const struct recording *r = &w->s->recording;
    uint32_t t = verdict_step_thread(w->s, p->thread);
    for (uint32_t b = 0; b < r->nblocks; ++b) {
        if (memcmp(r->block[b], p->block, sizeof p->block) != 0) continue;
        struct follower f = {.warp = b * r->warps + t / RECORDING_LANES,
                             .lane = t % RECORDING_LANES,
                             .thread = p->thread,
                             .block = p->block,
                             .value = alloc_zeroed(r->nparts + 1, sizeof *f.value),
                             .known = alloc_zeroed(r->nparts + 1, 1)};
        w->follower[w->followers++] = f;
        return;
    }
}

// ---------------------------------------------------------------- head and foot

static void tell_head(const struct walk *w)
{
    const struct verdict_step *s = w->s;
    const uint32_t *b = s->recording.block[0];
    text_say(w->out, "%1$s, kernel '%2$s', case '%3$s': block (%4$u,%5$u,%6$u), %7$u steps\n", s->job->lab->name,
             s->kernel, _(s->which), b[0], b[1], b[2], s->recording.steps);
    if (s->recording.first > 1)
        text_say(w->out, "the recording is too long: its first %u steps were dropped\n", s->recording.first - 1);
    if (!s->recording.complete) text_say(w->out, "the recording ends before the block does\n");
}

static void tell_finding(const struct walk *w, const struct verdict_shown *shown)
{
    struct bundle source = judge_job_bundle(w->s->job);
    struct finding_place place = verdict_place(shown->finding);
    struct text where = {0}, sentence = {0};
    report_place(&place, &source, &where);
    report_finding(shown->finding, &sentence);
    report_first_line(w->how, where.data, verdict_info(shown->finding), sentence.data, w->out);
    text_puts(w->out, "\n");
    text_free(&where);
    text_free(&sentence);
}

void report_step(const struct verdict_step *s, const struct report_options *how, struct text *out)
{
    static const struct finding_place first_thread;
    struct walk w = {.s = s, .how = how, .out = out, .from = s->recording.first, .to = s->recording.steps};
    const struct verdict_shown *shown = s->nshown ? &s->shown[0] : NULL;
    struct finding_place start = first_thread;
    memcpy(start.block, s->recording.block[0], sizeof start.block);
    tell_head(&w);
    if (shown) {
        tell_finding(&w, shown);
        follow(&w, &shown->at);
        w.to = shown->step;
        if (shown->has_other) follow(&w, &shown->other);
        if (shown->other_step) w.from = shown->other_step;
    } else {
        follow(&w, &start);
    }
    tell_walk(&w);
    for (uint32_t i = 0; i < w.followers; ++i) {
        free(w.follower[i].value);
        free(w.follower[i].known);
    }
    if (!shown || !shown->other_step) return;
    struct text hint = {0};
    verdict_hint(shown->finding, &hint);
    if (hint.length) text_say(out, "hint: %s\n", hint.data);
    text_free(&hint);
}
