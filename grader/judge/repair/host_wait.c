// Proposes waits in host programs whose operations are not ordered.
//
// Theory of operation. The finding names the operation that came too early, and the other operation for which it had to
// wait. The wait goes in front of the early operation, outside of loops and branches that do not hold the other one:
//
//   the other operation's stream, which is the last argument of its call    cudaStreamSynchronize(stream)
//   any operation of the current device                                     cudaDeviceSynchronize()
//   a program that ends without waiting                                     cudaDeviceSynchronize() at the function's
//   end
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "host/border/host_trace.h"
#include "judge/repair/maker.h"

// Waits for all devices and leaves device 0 as the current one.
#define EACH_DEVICE                                                                                                    \
    "int ww_n; cudaGetDeviceCount(&ww_n); for (; ww_n-- > 0;) { cudaSetDevice(ww_n); cudaDeviceSynchronize(); }"

static void wait_before(struct maker *m, uint32_t begin, const char *call)
{
    const struct source *s = m->s;
    struct repair *r = maker_new(m);
    char text[REPAIR_TEXT];
    if (!r) return;
    r->pauses = 1;
    snprintf(text, sizeof text, "%s; ", call);
    maker_replace(r, s->token[begin].begin, s->token[begin].begin, text);
    message_print(r->sentence, sizeof r->sentence, "put %s before the statement of line %u", call,
                  s->token[begin].line);
}

// A call may be the argument of a macro that checks it.
int maker_stream(const struct source *s, uint32_t t, uint32_t *first, uint32_t *last)
{
    uint32_t end = t == NOWHERE ? NOWHERE : source_statement_end(s, t);
    if (end == NOWHERE || !source_is(s, end - 1, ")")) return -1;
    uint32_t close = end - 1, commas = 0;
    for (uint32_t k = maker_begin(s, t); k < end; ++k) {
        if (source_word_begins(s, k, "cuda") && source_is(s, k + 1, "(")) close = s->token[k + 1].mate;
        if (source_is(s, k, "<<") && source_is(s, k + 1, "<"))
            for (uint32_t at = k + 2; source_is(s, at = source_forward(s, at, ", >>"), ","); ++at) ++commas;
        if (!source_is(s, k, ">>") || !source_is(s, k + 1, ">")) continue;
        if (commas < 3) return -1;
        close = k;
    }
    *first = source_backward(s, close, ",");
    *last = close - 1;
    return *first > 0 && source_is(s, *first - 1, ",") ? 0 : -1;
}

static void stream_of(const struct source *s, uint32_t t, char out[STATEMENT])
{
    uint32_t first, last;
    out[0] = '\0';
    if (!maker_stream(s, t, &first, &last)) maker_copy(s, first, last, out);
}

static void wait_for_stream(struct maker *m, uint32_t t, uint32_t begin)
{
    char stream[STATEMENT], call[STATEMENT + 32];
    stream_of(m->s, t, stream);
    snprintf(call, sizeof call, "cudaStreamSynchronize(%s)", stream);
    if (stream[0]) wait_before(m, begin, call);
}

// Proposes an event behind the operation at token `one`, for which the stream of the operation at token `two` waits.
static void wait_for_event(struct maker *m, uint32_t one, uint32_t two)
{
    const struct source *s = m->s;
    char first[STATEMENT], second[STATEMENT], record[2 * STATEMENT], wait[2 * STATEMENT];
    stream_of(s, one, first);
    stream_of(s, two, second);
    struct repair *r = first[0] && second[0] && one < two ? maker_new(m) : NULL;
    if (!r) return;
    uint32_t behind = source_statement_end(s, one), before = maker_begin(s, two);
    snprintf(record, sizeof record, " cudaEvent_t ww_e; cudaEventCreate(&ww_e); cudaEventRecord(ww_e, %s);", first);
    snprintf(wait, sizeof wait, "cudaStreamWaitEvent(%s, ww_e, 0); ", second);
    maker_replace(r, s->token[behind].end, s->token[behind].end, record);
    maker_replace(r, s->token[before].begin, s->token[before].begin, wait);
    message_print(r->sentence, sizeof r->sentence,
                  "record an event in %s after line %u, and let %s wait for it before line %u", first,
                  s->token[behind].line, second, s->token[before].line);
}

static void wait_at_end(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    while (s->token[t].inside != NOWHERE) t = s->token[t].inside;
    uint32_t end = s->token[t].mate;
    for (int devices = 0; devices < 2 && source_is(s, t, "{"); ++devices) {
        struct repair *r = maker_new(m);
        if (!r) return;
        maker_replace(r, s->token[end].begin, s->token[end].begin,
                      devices ? EACH_DEVICE " " : "cudaDeviceSynchronize(); ");
        message_print(r->sentence, sizeof r->sentence,
                      devices ? N_("call %s for each device at the end of the function, in line %u")
                              : N_("put %s at the end of the function, in line %u"),
                      "cudaDeviceSynchronize()", s->token[end].line);
    }
}

// Proposes to wait for all devices before a statement.
static void wait_for_devices(struct maker *m, uint32_t begin)
{
    const struct source *s = m->s;
    struct repair *r = maker_new(m);
    if (!r) return;
    r->pauses = 1;
    maker_replace(r, s->token[begin].begin, s->token[begin].begin, EACH_DEVICE " ");
    message_print(r->sentence, sizeof r->sentence, "call %s for each device before the statement of line %u",
                  "cudaDeviceSynchronize()", s->token[begin].line);
}

void maker_wait(struct maker *m)
{
    const struct source *s = m->s;
    uint32_t t = maker_token(s, &m->f->at), other = maker_token(s, &m->f->other), begin[LEVELS], all;
    if (t == NOWHERE) return;
    // without a second place, the host reads after the function has returned
    if (m->v->defect == DEFECT_NEVER_SYNCED || (m->v->defect == DEFECT_EARLY_READ && other == NOWHERE)) {
        wait_at_end(m, t);
        return;
    }
    if (m->v->defect != DEFECT_EARLY_READ && m->v->defect != DEFECT_EARLY_WRITE &&
        m->v->defect != DEFECT_FREED_IN_USE && m->v->defect != DEFECT_UNORDERED)
        return;
    uint32_t n = maker_apart(s, t, other, begin, &all);
    if (!all) return;
    if (m->v->defect == DEFECT_UNORDERED && other != NOWHERE) {
        maker_order(m, t, other);
        wait_for_event(m, other, t);
        wait_for_event(m, t, other);
    }
    wait_for_stream(m, other, begin[n - 1]);
    wait_before(m, begin[n - 1], "cudaDeviceSynchronize()");
    if (n > 1) wait_before(m, begin[0], "cudaDeviceSynchronize()");
    wait_for_devices(m, begin[n - 1]);
}
