// Chooses the advice on what the student should do next. The function verdict_next() tries its rules in a fixed order,
// and the first rule that applies determines the advice. The first rules for this advice are about problems that
// prevent a grading, and the last rules are about kernels that are only too slow.
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "judge/verdict/verdict.h"

enum { MOST_THREADS = 1024 }; // in a block, on all devices of compute capability 2.0 and later

// Returns the failing case that tells most: no hidden one, with the fewest kernels, the smallest size.
static const struct verdict_case *telling_failure(const struct verdict *v)
{
    const struct verdict_case *best = NULL;
    int fewest = 0;
    for (uint32_t i = 0; i < v->ncases; ++i) {
        const struct verdict_case *c = &v->item[i];
        int kernels = c->kernels ? __builtin_popcount(c->kernels) : LAB_KERNELS; // 0: not known
        if (c->result == CASE_RIGHT || (best && (kernels >= fewest || c->which->flags & CASE_HIDDEN))) continue;
        best = c;
        fewest = kernels;
    }
    return best;
}

static void next_finding(struct verdict *v, const struct verdict_finding *f)
{
    const struct finding_place *at = &f->finding.at;
    struct text hint = {0};
    char line[BUNDLE_LINE];
    verdict_hint(f, &hint);
    if (at->line && at->file == FILE_STUDENT)
        message_print(v->next, sizeof v->next,
                      strchr(judge_job_line(v->job, at->line, line), ':') ? "%s: %s" : N_("line %s: %s"), line,
                      hint.data); // a header's place has its own form: mine.h:3
    else
        message_print(v->next, sizeof v->next, "%s", hint.data);
    text_free(&hint);
}

static void next_failure(struct verdict *v, const struct verdict_case *c)
{
    if (c->which->flags & CASE_HIDDEN) {
        message_print(v->next, sizeof v->next,
                      "only hidden cases fail: think of sizes 0 and 1, sizes that no tile divides, extreme values");
    } else if (c->result == CASE_WRONG && c->comparison.shown && !c->message[0]) {
        const struct lab_mismatch *m = &c->comparison.mismatch[0];
        if (m->unwritten)
            message_print(
                v->next, sizeof v->next,
                "case '%s': find out why no thread stores %s[%llu]: it was never written, and %.9g is expected",
                _(c->which->name), c->buffer, (unsigned long long)m->index, m->expected);
        else
            message_print(
                v->next, sizeof v->next,
                c->type == LAB_F32
                    ? N_("case '%s': follow by hand what the kernel stores to %s[%llu]: it is %.9g, not %.9g")
                    : N_("case '%s': follow by hand what the kernel stores to %s[%llu]: it is %.0f, not %.0f"),
                _(c->which->name), c->buffer, (unsigned long long)m->index, m->got, m->expected);
    } else {
        message_print(v->next, sizeof v->next, "case '%s': %s", _(c->which->name),
                      c->message[0] ? c->message : _("see why the kernel was stopped"));
    }
}

// Returns the first device that computes no output word, or -1 if all devices of a host lab compute.
static int idle_device(const struct verdict *v)
{
    const struct lab_host *host = v->job->lab->host;
    for (uint32_t d = 0; host && v->program.timeline && d < host->devices; ++d)
        if (!v->program.timeline->device_words[d]) return (int)d;
    return -1;
}

// Advises on the kernel that takes most of the time. A single block cannot hide its waiting behind other blocks.
static void next_kernel(struct verdict *v, const struct verdict_kernel *k)
{
    char line[48 + BUNDLE_LINE] = "", number[BUNDLE_LINE];
    if (k->nhot)
        message_print(line, sizeof line, ", most of it at line %s", judge_job_line(v->job, k->hot[0].line, number));
    if (k->bound == RESOURCE_LATENCY && k->blocks == 1 && k->threads < MOST_THREADS)
        message_print(v->next, sizeof v->next,
                      "'%s' takes most of the time%s: its launch is a single block of %u threads, and they wait: give "
                      "the block more threads (at most %d), or less to do",
                      k->name, line, k->threads, MOST_THREADS);
    else
        message_print(v->next, sizeof v->next, "'%s' takes most of the time%s: %s", k->name, line,
                      _(verdict_advice(k->bound)));
}

// Returns 1 if the line of the submission calls the function `name`.
static int line_calls(const struct judge_job *job, uint32_t line, const char *name)
{
    const char *at = job->source, *end = at + job->bytes;
    for (uint32_t i = 1; i < line && at; ++i) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (at) ++at;
    }
    size_t length = at ? strcspn(at, "\n") : 0, wanted = strlen(name);
    for (size_t i = 0; i + wanted < length; ++i)
        if (!memcmp(at + i, name, wanted) && at[i + wanted] == '(') return 1;
    return 0;
}

// Names the first operation in the timeline that keeps others from running beside it: a copy of pageable memory, a copy
// for which the host waits, or an operation in the default stream. Returns 0, or -1 if there is none.
static int next_blocking(struct verdict *v, const struct lab_timeline *t)
{
    static const char *const cause[] = {
        N_("line %s copies pageable memory, so nothing runs beside the copy: allocate the host's memory with "
           "cudaMallocHost, and free it with cudaFreeHost"),
        N_("line %s: cudaMemcpy() lets the host wait for the copy, so nothing runs beside it: call cudaMemcpyAsync() "
           "in "
           "a stream"),
        N_("line %s works in the default stream, so nothing runs beside it: give it the stream of the copies "
           "that it belongs to"),
    };
    char line[BUNDLE_LINE];
    for (unsigned k = 0; k < sizeof cause / sizeof *cause; ++k)
        for (uint32_t i = 0; i < t->count; ++i) {
            const struct lab_span *p = &t->span[i];
            int is_copy = p->engine == LAB_COPY_IN || p->engine == LAB_COPY_OUT;
            int is_cause = k == 0   ? is_copy && !p->page_locked
                           : k == 1 ? is_copy && line_calls(v->job, p->line, "cudaMemcpy")
                                    : (is_copy || p->engine == LAB_KERNEL) && !p->stream;
            if (!is_cause || !p->line) continue;
            message_print(v->next, sizeof v->next, cause[k], judge_job_line(v->job, p->line, line));
            return 0;
        }
    return -1;
}

static void next_speed(struct verdict *v)
{
    const struct verdict_speed *s = &v->speed;
    int idle = idle_device(v);
    if (idle >= 0) {
        message_print(v->next, sizeof v->next,
                      "device %d computes nothing: call cudaSetDevice(%d) before you allocate its memory, create its "
                      "streams, copy to it and launch on it",
                      idle, idle);
        return;
    }
    for (uint32_t i = 0; i < s->technique.count; ++i)
        if (!s->technique.item[i].holds) {
            if (v->program.timeline && !next_blocking(v, v->program.timeline)) return;
            message_print(v->next, sizeof v->next,
                          v->program.timeline ? N_("the lab asks for a technique that the timeline does not show: %s")
                                              : N_("the lab asks for a technique that the counters do not show: %s"),
                          s->technique.item[i].text);
            return;
        }
    if (verdict_card_failed(s)) {
        message_print(
            v->next, sizeof v->next,
            "what the simulator ran right, the card did not: look for what is right by luck, such as memory that "
            "nobody "
            "wrote or an order that nothing enforces; if there is nothing, show it to whoever grades");
        return;
    }
    if (v->program.timeline) {
        verdict_advise_program(v->program.timeline, v->next, sizeof v->next);
        return;
    }
    if (v->nreasons && v->reason[0].id == REASON_time_unknown) {
        message_print(v->next, sizeof v->next,
                      "the time cannot be measured: the simulator records some warps, and most of the time is spent in "
                      "code that they do not execute; give the blocks equal work");
        return;
    }
    next_kernel(v, &s->kernel[s->slowest]);
}

static void next_lab(struct verdict *v)
{
    const struct lab *next = NULL;
    for (int i = 0; lab_all[i]; ++i)
        if (lab_all[i] == v->job->lab) next = lab_all[i + 1];
    if (next)
        message_print(v->next, sizeof v->next, "passed: on to %s, '%s' (make %s && ./grade %s)", next->name,
                      _(next->title), next->name, next->name);
    else
        message_print(v->next, sizeof v->next, "passed: that was the last lab; ./grade list shows them all");
}

void verdict_next(struct verdict *v)
{
    const struct verdict_case *failed = v->stage == STAGE_RUN ? telling_failure(v) : NULL;
    const struct verdict_finding *worst = v->ndefects ? &v->findings.item[0] : NULL;
    v->next[0] = '\0';
    if (v->stage == STAGE_BUILD)
        message_print(v->next, sizeof v->next, "mend the first error, then try again: later ones often follow from it");
    else if (v->stage == STAGE_LAUNCH && v->refusal != REASON_bad_launch)
        message_print(v->next, sizeof v->next,
                      "write it without what cannot be run; if it is plain CUDA C, show it to whoever grades");
    else if (v->stage == STAGE_LAUNCH)
        message_print(v->next, sizeof v->next,
                      "mend what was refused; the top of the file says how LAUNCH and the kernel's head must look");
    else if (worst)
        next_finding(v, worst);
    else if (failed)
        next_failure(v, failed);
    else if (!v->speed.measured)
        message_print(v->next, sizeof v->next, "%s", v->speed.problem);
    else if (!v->passed)
        next_speed(v);
    else
        next_lab(v);
}
