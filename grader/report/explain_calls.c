// Computes figures for each source line of a host program, such as the time of its device operations, from the timeline
// of the program's devices. The spans (operations) of the timeline are sorted by their start. Because the spans are
// sorted, one pass over the timeline finds the time during which at least one span of a source line was running.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "report/explain.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static int is_same_engine(const struct lab_span *a, const struct lab_span *b)
{
    return a->engine == b->engine && a->device == b->device;
}

// Returns the part of a span's time, in picoseconds, during which at least one other engine also worked.
static uint64_t accompanied(const struct lab_timeline *t, const struct lab_span *s)
{
    uint64_t sum = 0, until = s->start_ps;
    for (uint32_t i = 0; i < t->count && t->span[i].start_ps < s->end_ps; ++i) {
        const struct lab_span *other = &t->span[i];
        uint64_t end = other->end_ps < s->end_ps ? other->end_ps : s->end_ps;
        if (is_same_engine(s, other) || end <= until) continue;
        sum += end - later(until, other->start_ps);
        until = end;
    }
    return sum;
}

void explain_make_calls(struct explain *e, const struct lab_timeline *t, const char *source, size_t bytes)
{
    *e = (struct explain){.timeline = t};
    explain_lines(e, source, bytes);
    e->call = alloc_zeroed(e->nlines, sizeof *e->call);
    uint64_t *until = alloc_zeroed(e->nlines, sizeof *until); // for each line, the latest end of its spans so far
    for (uint32_t i = 0; i < t->count; ++i) {
        const struct lab_span *s = &t->span[i];
        if (!s->line || s->line > e->nlines) continue;
        struct explain_call *c = &e->call[s->line - 1];
        uint64_t from = later(s->start_ps, until[s->line - 1]);
        ++c->operations;
        c->bytes += s->bytes;
        c->waited_ps += s->start_ps - s->issue_ps;
        c->all_ps += s->end_ps - s->start_ps;
        c->alone_ps += s->end_ps - s->start_ps - accompanied(t, s);
        if (s->end_ps > from) c->time_ps += s->end_ps - from;
        until[s->line - 1] = later(until[s->line - 1], s->end_ps);
        e->line[s->line - 1].counted = 1;
    }
    free(until);
}

static int engine_key(const struct lab_span *s)
{
    return (int)(s->engine * 16 + s->device % 16);
}

void explain_overlap(const struct lab_timeline *t, struct text *out)
{
    struct text time = {0};
    uint64_t shared = lab_overlap(t, engine_key);
    explain_time(t->time_ps, &time);
    text_say(out, "the timed part takes %1$s; more than one engine is at work during %2$u %% of it", time.data,
             t->time_ps ? (unsigned)(100.0 * (double)shared / (double)t->time_ps) : 0);
    text_free(&time);
}
