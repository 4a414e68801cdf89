// Checks a host trace (the record of a host program's run) before the grader uses the trace. Like check.c for the
// observation of a launch, this file checks that the host trace's numbers are in range, counts fit their arrays, and
// strings end.
#include "host/border/host_trace.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "wire/refuse.h"
#include "wire/wire.h"

const struct host_trace_defect_info host_trace_defect_info[HOST_TRACE_DEFECTS] = {
    [DEFECT_NONE] = {"", "", "", "", FINDING_NOTE},
#define HOST_DEFECT(id, word, severity, text, hint) [DEFECT_##id] = {#id, word, text, hint, FINDING_##severity},
#include "host/border/defect.def"
#undef HOST_DEFECT
};

static const struct {
    const char *text, *advice;
} reasons[HOST_REASONS] = {
#define FAILURE(id, text, advice) [HOST_REASON_##id] = {text, advice},
#include "host/border/failure.def"
#undef FAILURE
};

const char *host_trace_kind(uint64_t direction)
{
    static const char *const name[HOST_ANY_DIRECTION] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                                         "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    return name[direction % HOST_ANY_DIRECTION];
}

static void say(uint32_t reason, const char *format, uint64_t a, uint64_t b, struct text *out)
{
    if (reason == HOST_REASON_KIND)
        text_say(out, format, host_trace_kind(a), host_trace_kind(b));
    else
        text_say(out, format, (long long)a, (long long)b);
}

void host_trace_failure(const struct host_trace_finding *f, struct text *out)
{
    text_puts(out, f->text);
    if (f->reason == HOST_REASON_NONE || f->reason >= HOST_REASONS) return;
    text_puts(out, ", ");
    say(f->reason, reasons[f->reason].text, f->bytes, f->offset, out);
}

int host_trace_advice(uint32_t reason, uint64_t a, uint64_t b, struct text *out)
{
    if (reason == HOST_REASON_NONE || reason >= HOST_REASONS) return -1;
    say(reason, reasons[reason].advice, a, b, out);
    return 0;
}

static int check_launch(const struct host_trace_launch *l, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("a launch's time", l->time_ps, TIME_MOST);
    AT_MOST("a launch's time", l->model_ps, TIME_MOST);
    for (int i = 0; i < RESOURCES; i++) AT_MOST("a resource's time", l->resource_ps[i], TIME_MOST);
    AT_MOST("a kernel's bound", l->bound, RESOURCES - 1);
    AT_MOST("the occupancy", l->occupancy_permille, 1000);
    AT_MOST("the limit of the occupancy", l->occupancy_limit, OCCUPANCY_LIMITS - 1);
    AT_MOST("a launch's mark of the link", l->linked, 1);
    return 0;
}

static int check_line(const struct host_trace *s, const struct host_trace_line *l, char why[OBSERVATION_MESSAGE])
{
    if (l->kernel >= s->nkernels) REFUSE("a line's kernel is %u", l->kernel);
    if (l->source >= s->nsources) REFUSE("a line's file is %u", l->source);
#define COUNTER(name, metric, meaning) COUNTER_AT_MOST(#name, l->counters.name);
#include "engine/counter.def"
#undef COUNTER
    return 0;
}

static int check_kernel(struct host_trace_kernel *k, char why[OBSERVATION_MESSAGE])
{
    if (wire_check_text(k->name, sizeof k->name)) REFUSE("a kernel's name has no end");
    AT_MOST("a kernel's launches", k->launches, COUNT_MOST);
    AT_MOST("a kernel's time", k->time_ps, TIME_MOST);
    AT_MOST("a kernel's longest time", k->longest_ps, k->time_ps);
    AT_MOST("a kernel's bound", k->bound, RESOURCES - 1);
    AT_MOST("a kernel's mark of a sample", k->sampled, 1);
    AT_MOST("the occupancy", k->occupancy_permille, 1000);
#define COUNTER(name, metric, meaning) COUNTER_AT_MOST(#name, k->counters.name);
#include "engine/counter.def"
#undef COUNTER
    return check_launch(&k->longest, why);
}

static int check_place(const struct host_place *p, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("a place's object", p->object, HOST_OBJECT_LIBRARY);
    return 0;
}

static int check_span(const struct host_trace *s, const struct host_trace_span *p, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("a span's kind", p->kind, SPAN_KINDS - 1);
    AT_MOST("a span's device", p->device, s->devices - 1);
    if (p->kind == SPAN_KERNEL && p->kernel >= s->nkernels) REFUSE("a span's kernel is %u", p->kernel);
    AT_MOST("a span's side", p->pinned, 1);
    AT_MOST("a span's use", p->used, 1);
    AT_MOST("a span's bytes", p->bytes, COUNT_MOST);
    AT_MOST("a span's end", p->end_ps, TIME_MOST);
    AT_MOST("a span's start", p->start_ps, p->end_ps);
    AT_MOST("a span's issue", p->issue_ps, TIME_MOST);
    return check_place(&p->place, why);
}

static int check_finding(const struct host_trace *s, struct host_trace_finding *f, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("a finding's defect", f->defect, HOST_TRACE_DEFECTS - 1);
    if (f->kernel != HOST_TRACE_KERNELS && f->kernel >= s->nkernels) REFUSE("a finding's kernel is %u", f->kernel);
    AT_MOST("a finding's code", f->code, HOST_UNKNOWN);
    AT_MOST("a finding's reason", f->reason, HOST_REASONS - 1);
    AT_MOST("a finding's silence", f->silent, 1);
    AT_MOST("a finding's origin", f->allocated, 1);
    AT_MOST("a finding's count", f->count, COUNT_MOST);
    if (check_place(&f->place, why) || check_place(&f->other, why) || check_place(&f->origin, why)) return -1;
    if (wire_check_text(f->text, sizeof f->text)) REFUSE("a finding's text has no end");
    if (f->finding.at.path >= HOST_TRACE_SOURCES || f->finding.other.path >= HOST_TRACE_SOURCES)
        REFUSE("a finding's file is not listed");
    struct engine_launch any = {.grid = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, .block = {1024, 1024, 1024}};
    struct finding inner = f->finding;
    inner.buffer = -1; // only the runner uses this number; the grader does not use the number as an index
    if (wire_check_finding(&inner, &any, why)) return -1;
    inner.buffer = f->finding.buffer;
    f->finding = inner;
    return 0;
}

int host_trace_check(struct host_trace *s, char why[OBSERVATION_MESSAGE])
{
    if (!channel_same_build(&s->build, &HOST_TRACE_BUILD)) REFUSE("it comes from another build");
    if (!s->devices) REFUSE("there are no devices");
    AT_MOST("the number of devices", s->devices, HOST_DEVICES);
    if (wire_check_text(s->device, sizeof s->device) || wire_check_text(s->title, sizeof s->title) ||
        wire_check_message(s->message, sizeof s->message))
        REFUSE("a text has no end");
    AT_MOST("the clock", s->host_ps, TIME_MOST);
    AT_MOST("the mark of its end", s->goodbye, 1);
    AT_MOST("the number of kernels", s->nkernels, HOST_TRACE_KERNELS);
    AT_MOST("the number of spans", s->nspans, HOST_TRACE_SPANS);
    AT_MOST("the number of findings", s->nfindings, HOST_TRACE_FINDINGS);
    AT_MOST("the number of files", s->nsources, HOST_TRACE_SOURCES);
    AT_MOST("the number of lines", s->nlines, HOST_TRACE_LINES);
    AT_MOST("the error", s->error, HOST_UNKNOWN);
    for (uint32_t i = 0; i < HOST_TRACE_SOURCES; i++)
        if (wire_check_text(s->source[i], HOST_TRACE_NAME)) REFUSE("a file's name has no end");
    for (uint32_t i = 0; i < s->nkernels; i++)
        if (check_kernel(&s->kernel[i], why)) return -1;
    for (uint32_t i = 0; i < s->nlines; i++)
        if (check_line(s, &s->line[i], why)) return -1;
    for (uint32_t i = 0; i < s->nspans; i++)
        if (check_span(s, &s->span[i], why)) return -1;
    for (uint32_t i = 0; i < s->nfindings; i++)
        if (check_finding(s, &s->finding[i], why)) return -1;
    return 0;
}
