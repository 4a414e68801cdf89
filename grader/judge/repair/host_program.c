// Proposes repairs of host programs that give a call or a launch a wrong argument, or record an event too early.
//
// Theory of operation. Each proposal is a typical slip: a wrong cudaMemcpyKind, a grid that is rounded down, a device
// number that is one too large, a forgotten cudaSetDevice, an event that is recorded before the copy it stands for, a
// forgotten stream, a buffer of another stream, a number of elements where bytes are asked for, and a last part that is
// as long as the others. The grader makes the change and grades the program again (repair.c), so a proposal may be a
// guess.
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "host/border/host_trace.h"
#include "judge/repair/maker.h"

// --------------------------------------------------------------------------------------------------------------- calls
// Returns the first token of the statement around token t, also if t is an argument of a macro.
static uint32_t statement_of(const struct source *s, uint32_t t)
{
    while (s->token[t].inside != NOWHERE && source_is(s, s->token[t].inside, "(")) t = s->token[t].inside;
    return maker_begin(s, t);
}

// Returns the opening bracket of the innermost call of the CUDA runtime in the statement around token t, or NOWHERE.
static uint32_t call_of(const struct source *s, uint32_t t)
{
    uint32_t end = source_statement_end(s, t), found = NOWHERE;
    for (uint32_t k = maker_begin(s, t); k < end; ++k)
        if (source_word_begins(s, k, "cuda") && source_is(s, k + 1, "(")) found = k + 1;
    return found;
}

// Stores the first and last token of argument `which`, from 0, of the call whose bracket opens at token `open`. Returns
// 0, or -1 if the call has fewer arguments.
static int argument(const struct source *s, uint32_t open, uint32_t which, uint32_t *first, uint32_t *last)
{
    uint32_t end = s->token[open].mate, at = open + 1;
    for (;;) {
        uint32_t next = source_forward(s, at, ",");
        *first = at;
        *last = next - 1;
        if (!which--) return next > at && next <= end ? 0 : -1;
        if (next >= end) return -1;
        at = next + 1;
    }
}

static int is_copy(const struct source *s, uint32_t t)
{
    return (source_is(s, t, "cudaMemcpy") || source_is(s, t, "cudaMemcpyAsync")) && source_is(s, t + 1, "(");
}

// Returns 1 if the tokens from a to b have the same text as those from c to d.
static int same(const struct source *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    if (b - a != d - c) return 0;
    while (a <= b && source_same(s, a, c)) ++a, ++c;
    return a > b;
}

// Finds the last initialisation or assignment `NAME = E;` of the name at token t before t. Stores the first and the
// last token of E. Returns 0, or -1 if there is none.
static int definition(const struct source *s, uint32_t t, uint32_t *first, uint32_t *last)
{
    for (uint32_t k = t; k-- > 1;) {
        if (s->token[k].kind != TOKEN_WORD || !source_same(s, k, t) || !source_is(s, k + 1, "=")) continue;
        *first = k + 2;
        *last = source_forward(s, k + 2, ", ;") - 1;
        return *last >= *first ? 0 : -1;
    }
    return -1;
}

// -------------------------------------------------------------------------------------------------------- failed calls
static void right_kind(struct maker *m, uint32_t t)
{
    uint32_t end = source_statement_end(m->s, t);
    for (uint32_t k = maker_begin(m->s, t); k < end; ++k)
        for (uint32_t i = 0; i < HOST_ANY_DIRECTION; ++i)
            if (source_is(m->s, k, host_trace_kind(i))) maker_instead(m, k, k, host_trace_kind(m->v->a));
}

// Proposes that nothing is launched for no element: `if (NAME > 0)` before the launch, with the first name in the
// numerator of the grid's last division. A grid that is only rounded down is 0 for some elements, too, and stays wrong.
static void launch_for_some(struct maker *m, uint32_t t, uint32_t first, uint32_t last)
{
    const struct source *s = m->s;
    uint32_t at = source_backward(s, last + 1, "/"), begin = maker_begin(s, t), name = first;
    char word[STATEMENT], text[STATEMENT + 16];
    if (at <= first + 1 || !source_is(s, at - 1, "/")) return;
    while (name < at && s->token[name].kind != TOKEN_WORD) ++name;
    maker_copy(s, name, name, word);
    struct repair *r = name < at && word[0] ? maker_new(m) : NULL;
    if (!r) return;
    r->strict = 1;
    snprintf(text, sizeof text, "if (%s > 0) ", word);
    maker_replace(r, s->token[begin].begin, s->token[begin].begin, text);
    message_print(r->sentence, sizeof r->sentence, "launch nothing for no element: put 'if (%s > 0)' before line %u",
                  word, s->token[begin].line);
}

// Proposes (L + N - 1) / N for the last division L / N in the tokens from `first` to `last`.
static void round_up(struct maker *m, uint32_t first, uint32_t last)
{
    char left[STATEMENT], right[STATEMENT], text[4 * STATEMENT];
    uint32_t at = source_backward(m->s, last + 1, "/");
    if (at <= first + 1 || !source_is(m->s, at - 1, "/")) return;
    maker_copy(m->s, first, at - 2, left);
    maker_copy(m->s, at, last, right);
    snprintf(text, sizeof text, "(%s + %s - 1) / %s", left, right, right);
    if (left[0] && right[0]) maker_instead(m, first, last, text);
}

static void valid_grid(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t end = source_statement_end(s, t), first = NOWHERE, last;
    for (uint32_t k = maker_begin(s, t); k < end && first == NOWHERE; ++k)
        if (source_is(s, k, "<<") && source_is(s, k + 1, "<")) first = k + 2;
    if (first == NOWHERE) return;
    last = source_forward(s, first, ",") - 1;
    if (source_is(s, first, "dim3") && source_is(s, first + 1, "(") && s->token[first + 1].mate == last) {
        first += 2;
        last = source_forward(s, first, ",") - 1;
    }
    if (first == last && s->token[first].kind == TOKEN_WORD && definition(s, first, &first, &last)) return;
    launch_for_some(m, t, first, last);
    round_up(m, first, last);
}

static void smaller_device(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t open = call_of(s, t), first, last;
    char text[STATEMENT];
    if (open == NOWHERE || argument(s, open, 0, &first, &last) || last < first + 2) return;
    if (!source_is(s, last - 1, "+") || !source_is(s, last, "1")) return;
    maker_copy(s, first, last - 2, text);
    if (text[0]) maker_instead(m, first, last, text);
}

// Proposes cudaSetDevice before the first statement of the block that uses the launch's stream. In a loop over devices
// the stream is an element of an array, and its index is the device.
static void set_device(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t first, last;
    char device[STATEMENT], call[STATEMENT + 32];
    if (maker_stream(s, t, &first, &last)) return;
    uint32_t open = first;
    while (open < last && !source_is(s, open, "[")) ++open;
    if (open < last)
        maker_copy(s, open + 1, s->token[open].mate - 1, device);
    else
        snprintf(device, sizeof device, "%lld", (long long)m->v->a);
    uint32_t begin = maker_begin(s, t), inside = s->token[begin].inside;
    for (uint32_t k = inside == NOWHERE ? 0 : inside + 1; k + (last - first) < begin; ++k)
        if (same(s, k, k + (last - first), first, last)) {
            begin = statement_of(s, k);
            break;
        }
    struct repair *r = device[0] && s->token[begin].inside == inside ? maker_new(m) : NULL;
    if (!r) return;
    snprintf(call, sizeof call, "cudaSetDevice(%s); ", device);
    maker_replace(r, s->token[begin].begin, s->token[begin].begin, call);
    message_print(r->sentence, sizeof r->sentence, "cudaSetDevice(%s) is missing before line %u", device,
                  s->token[begin].line);
}

void maker_call(struct maker *m)
{
    uint32_t t = maker_token(m->s, &m->f->at);
    if (t == NOWHERE) return;
    if (m->v->reason == HOST_REASON_KIND) right_kind(m, t);
    if (m->v->reason == HOST_REASON_GRID) valid_grid(m, t);
    if (m->v->reason == HOST_REASON_DEVICE) smaller_device(m, t);
    if (m->v->reason == HOST_REASON_STREAM) set_device(m, t);
}

// --------------------------------------------------------------------------------------------------- unordered streams

// Finds the bracket that closes the arguments of a launch, or of an asynchronous copy, in the statement around token t,
// if no stream is among them. Stores in *open the token before the arguments, and in *missing what has to stand between
// the last argument and the stream. Returns the bracket, or NOWHERE.
static uint32_t streamless(const struct source *s, uint32_t t, uint32_t *open, const char **missing)
{
    static const char *const behind[] = {NULL, NULL, ", 0, ", ", "}; // by the number of a launch's arguments
    uint32_t end = source_statement_end(s, t), close = NOWHERE, all = 0;
    for (uint32_t k = maker_begin(s, t); k < end && close == NOWHERE; ++k) {
        all = source_is(s, k, "cudaMemcpyAsync") ? 4 : source_is(s, k, "cudaMemsetAsync") ? 3 : 0;
        int launch = source_is(s, k, "<<") && source_is(s, k + 1, "<");
        if (!launch && (!all || !source_is(s, k + 1, "("))) continue;
        *open = k + 1;
        close = launch ? k + 2 : s->token[k + 1].mate;
        while (launch && close < end && !(source_is(s, close, ">>") && source_is(s, close + 1, ">"))) ++close;
    }
    if (close == NOWHERE || close >= end) return NOWHERE;
    uint32_t count = 1;
    for (uint32_t k = *open + 1; (k = source_forward(s, k, ",")) < close; ++k) ++count;
    *missing = all ? (count == all ? ", " : NULL) : count < 4 ? behind[count] : NULL;
    return *missing ? close : NOWHERE;
}

// Proposes that the operation at token t, which names no stream, works in the stream of the operation at `other`.
static void same_stream(struct maker *m, uint32_t t, uint32_t other)
{
    const struct source *s = m->s;
    uint32_t open, first, last, close;
    const char *missing;
    char stream[STATEMENT], text[STATEMENT + 8];
    if (streamless(s, other, &open, &missing) != NOWHERE || maker_stream(s, other, &first, &last)) return;
    close = streamless(s, t, &open, &missing);
    maker_copy(s, first, last, stream);
    struct repair *r = close != NOWHERE && stream[0] ? maker_new(m) : NULL;
    if (!r) return;
    snprintf(text, sizeof text, "%s%s", missing, stream);
    maker_replace(r, s->token[close].begin, s->token[close].begin, text);
    message_print(r->sentence, sizeof r->sentence,
                  "line %u names no stream: add '%s' to its arguments, so that it works in the stream of line %u",
                  s->token[close].line, text, s->token[first].line);
}

// Proposes to record an event behind the operation at token `one` instead of before it. The event is recorded
// in the operation's stream by a statement of the same block.
static void record_later(struct maker *m, uint32_t one)
{
    const struct source *s = m->s;
    uint32_t first, last, a, b, begin = maker_begin(s, one), end = source_statement_end(s, one);
    char statement[STATEMENT], text[STATEMENT + 2];
    if (maker_stream(s, one, &first, &last)) return;
    for (uint32_t k = begin; k-- > 0 && k != s->token[begin].inside;) {
        if (!source_word_begins(s, k, "cudaEventRecord") || !source_is(s, k + 1, "(")) continue;
        uint32_t from = statement_of(s, k), to = source_statement_end(s, from);
        if (s->token[from].inside != s->token[begin].inside || argument(s, k + 1, 1, &a, &b)) continue;
        if (!same(s, a, b, first, last)) continue;
        maker_copy(s, from, to, statement);
        struct repair *r = statement[0] ? maker_new(m) : NULL;
        if (!r) return;
        snprintf(text, sizeof text, " %s", statement);
        maker_replace(r, s->token[from].begin, s->token[to].end, "");
        maker_replace(r, s->token[end].end, s->token[end].end, text);
        message_print(r->sentence, sizeof r->sentence, "record the event of line %u after the operation of line %u",
                      s->token[from].line, s->token[end].line);
        return;
    }
}

// Proposes that the operations of the stream S[j], whose last use is at token `two`, use the element j of the array of
// buffers from which the conflict comes: B[j] instead of B[i].
static void own_buffer(struct maker *m, uint32_t one, uint32_t two)
{
    const struct source *s = m->s;
    uint32_t a, b, c, d;
    if (maker_stream(s, one, &a, &b) || maker_stream(s, two, &c, &d) || !source_is(s, c + 1, "[")) return;
    if (same(s, a, b, c, d) || !source_same(s, a, c)) return;
    char index[STATEMENT], old[STATEMENT], stream[STATEMENT];
    uint32_t first = 0, last = 0; // lines
    maker_copy(s, c + 2, d - 1, index);
    uint32_t begin = maker_begin(s, two), end = source_statement_end(s, two), at = begin;
    while (at < end && !(s->token[at].kind == TOKEN_WORD && source_is(s, at + 1, "[") && !source_same(s, at, c) &&
                         !same(s, at + 2, s->token[at + 1].mate - 1, c + 2, d - 1)))
        ++at;
    if (at >= end || !index[0]) return;
    uint32_t close = s->token[at + 1].mate, inside = s->token[begin].inside;
    maker_copy(s, at, close, old);
    struct repair *r = maker_new(m);
    if (!r) return;
    r->strict = 1;
    for (uint32_t k = inside == NOWHERE ? 0 : inside; k < (inside == NOWHERE ? s->count : s->token[inside].mate); ++k) {
        if (r->nedits == REPAIR_EDITS || k + (close - at) >= s->count || !same(s, k, k + (close - at), at, close))
            continue;
        if (maker_stream(s, statement_of(s, k), &a, &b) || !same(s, a, b, c, d)) continue;
        if (r->nedits && s->token[k].begin < r->edit[r->nedits - 1].end) continue;
        if (!r->nedits) first = s->token[k].line;
        last = s->token[k].line;
        maker_replace(r, s->token[k + 2].begin, s->token[k + (close - at) - 1].end, index);
    }
    if (!r->nedits) {
        --m->count;
        return;
    }
    maker_copy(s, c, d, stream);
    message_print(r->sentence, sizeof r->sentence,
                  first == last ? N_("line %u: take element [%s] instead of %s: stream %s needs memory of its own")
                                : N_("from line %u on: take element [%s] instead of %s in all work of the stream %s, "
                                     "which needs memory of its own"),
                  first, index, old, stream);
}

void maker_order(struct maker *m, uint32_t t, uint32_t other)
{
    same_stream(m, t, other);
    same_stream(m, other, t);
    record_later(m, other);
    record_later(m, t);
    own_buffer(m, t, other);
    own_buffer(m, other, t);
}

// ---------------------------------------------------------------------------------------------------- the given kernel

// Returns 1 if the tokens from `first` to `last` seem to count elements, and not bytes.
static int counts_elements(const struct source *s, uint32_t first, uint32_t last)
{
    for (uint32_t k = first; k <= last; ++k)
        if (source_is(s, k, "sizeof") || source_is(s, k, "*")) return 0;
    return 1;
}

// Proposes `* sizeof(unsigned)` wherever a copy is given a number of elements, or a variable that holds one.
static void in_bytes(struct maker *m)
{
    const struct source *s = m->s;
    struct repair *r = NULL;
    uint32_t done[REPAIR_EDITS], n = 0, first, last, from, to;
    char old[STATEMENT], text[STATEMENT + 32];
    for (uint32_t k = 0; k < s->count && n < REPAIR_EDITS; ++k) {
        if (!is_copy(s, k) || argument(s, k + 1, 2, &first, &last) || !counts_elements(s, first, last)) continue;
        int is_name = first == last && s->token[first].kind == TOKEN_WORD;
        if (is_name && !definition(s, first, &from, &to)) {
            if (!counts_elements(s, from, to)) continue;
            int is_bytes = source_is(s, first, "bytes") || source_is(s, first, "size");
            if (is_bytes) first = from, last = to; // other variables may be used as counts as well
        }
        int is_done = 0;
        for (uint32_t i = 0; i < n; ++i) is_done |= done[i] == first;
        if (is_done || (r && s->token[first].begin < r->edit[n - 1].end)) continue;
        maker_copy(s, first, last, old);
        if (!r && !(r = maker_new(m))) return;
        snprintf(text, sizeof text, first == last ? "%s * sizeof(unsigned)" : "(%s) * sizeof(unsigned)", old);
        maker_replace(r, s->token[first].begin, s->token[last].end, text);
        message_print(r->sentence, sizeof r->sentence,
                      n ? N_("up to line %u: copies count in bytes: write '%s', and so for each copy")
                        : N_("line %u: a copy counts in bytes: write '%s'"),
                      s->token[first].line, text);
        done[n++] = first;
    }
    if (r) r->strict = 1;
}

// Proposes that the last part is what is left: in a loop `for (…; V < N; … V += STEP)`, a variable that is set to STEP
// becomes N - V < STEP ? N - V : STEP.
static void shorter_end(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t begin[LEVELS], n = maker_around(s, t, begin);
    for (uint32_t i = 0; i < n; ++i) {
        if (!source_is(s, begin[i], "for")) continue;
        uint32_t open = begin[i] + 1, close = s->token[open].mate, test = source_forward(s, open + 1, ";") + 1;
        if (test >= close || !source_is(s, test + 1, "<") || s->token[test].kind != TOKEN_WORD) continue;
        uint32_t end = source_forward(s, test, ";"), step = end + 1;
        while (step < close && !(source_same(s, step, test) && source_is(s, step + 1, "+="))) ++step;
        if (step >= close) continue;
        char all[STATEMENT], name[STATEMENT], by[STATEMENT], text[7 * STATEMENT];
        uint32_t by_last = source_forward(s, step + 2, ", ;") - 1;
        maker_copy(s, test + 2, end - 1, all);
        maker_copy(s, test, test, name);
        maker_copy(s, step + 2, by_last, by);
        for (uint32_t k = close; k < t; ++k) {
            uint32_t last = k + 1 + (by_last - step - 2);
            if (!source_is(s, k, "=") || !same(s, k + 1, last, step + 2, by_last) || !source_is(s, last + 1, ";"))
                continue;
            snprintf(text, sizeof text, "%s - %s < %s ? %s - %s : %s", all, name, by, all, name, by);
            maker_instead(m, k + 1, last, text);
        }
    }
}

void maker_given(struct maker *m)
{
    uint32_t t = maker_token(m->s, &m->f->at);
    if (t == NOWHERE) return;
    if (m->f->kind == FINDING_never_written) in_bytes(m);
    if (m->f->kind == FINDING_out_of_bounds) shorter_end(m, t);
}
