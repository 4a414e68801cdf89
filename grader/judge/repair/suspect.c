// Says what is suspected to cause a finding for which no repair works.
//
// Theory of operation. A rule such as "guard the access" is wrong advice where the index is wrong, and "a barrier must
// stand between the accesses" where two arrays overlap. The functions of suspect.c name the place in the source at
// which to look, and the condition that must hold there. They change nothing and claim nothing that the source does not
// show, so their sentences ask and do not say that something was tried. The cases are
//
//   an access out of bounds     the index, the length of its rows, and the condition that its column must meet
//   a barrier in a loop         the loop's condition or exit, if it depends on the thread
//   two stores to one element   the two names, if they differ
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "judge/repair/maker.h"

enum { NAMES = 32 };

// Returns the token of the bracket that opens the body of the function around token t, or NOWHERE.
static uint32_t body_around(const struct source *s, uint32_t t)
{
    while (s->token[t].inside != NOWHERE) t = s->token[t].inside;
    return source_is(s, t, "{") ? t : NOWHERE;
}

// ------------------------------------------------------------------------------------------------------------- indices
static int is_compared(const struct source *s, uint32_t body, uint32_t until, const char *index, const char *extent)
{
    char less[2 * STATEMENT + 4], leaves[2 * STATEMENT + 4], text[STATEMENT];
    snprintf(less, sizeof less, "%s < %s", index, extent);
    snprintf(leaves, sizeof leaves, "%s >= %s", index, extent);
    for (uint32_t t = body; t < until; ++t) {
        if (!maker_is_header(s, t)) continue;
        maker_copy(s, t + 2, s->token[t + 1].mate - 1, text);
        if (strstr(text, less) || strstr(text, leaves)) return 1;
    }
    return 0;
}

// Returns the bracket before the index of the finding's array in the finding's line, or NOWHERE.
static uint32_t find_subscript(const struct maker *m, uint32_t at)
{
    const struct source *s = m->s;
    const char *name = m->v->array[0] ? m->v->array : m->f->symbol, *colon = strrchr(name, ':');
    uint32_t begin = maker_begin(s, at), end = maker_end(s, begin), found = NOWHERE;
    if (colon) name = colon + 1;
    for (uint32_t t = begin + 1; t <= end; ++t) {
        if (!source_is(s, t, "[") || s->token[t].line != s->token[at].line || source_is_extent(s, t)) continue;
        if (source_is(s, t - 1, name)) return t;
        if (found == NOWHERE && !name[0]) found = t;
    }
    return found;
}

static void suspect_index(const struct maker *m, struct text *out)
{
    const struct source *s = m->s;
    uint32_t at = maker_token(s, &m->f->at), bracket = at == NOWHERE ? NOWHERE : find_subscript(m, at);
    if (bracket == NOWHERE || body_around(s, at) == NOWHERE) return;
    uint32_t first = bracket + 1, last = s->token[bracket].mate - 1, times = source_forward(s, first, "* + - / %");
    uint32_t plus = source_is(s, times, "*") ? source_forward(s, times + 1, "+ - * / %") : times;
    uint32_t line = s->token[bracket].line, body = body_around(s, at);
    char element[STATEMENT], width[STATEMENT], column[STATEMENT];
    maker_copy(s, bracket - 1, last + 1, element);
    maker_copy(s, times + 1, plus - 1, width);
    maker_copy(s, plus + 1, last, column);
    if (!element[0] || source_is(s, last + 2, "[")) return;
    int has_rows = source_is(s, times, "*") && source_is(s, plus, "+") && width[0] && column[0] &&
                   source_forward(s, plus + 1, "* / %") > last;
    if (!has_rows)
        text_say(out, "line %u: is %s the element that you mean? Compare its index with the number of elements", line,
                 element);
    else if (is_compared(s, body, s->token[bracket].mate, column, width))
        text_say(out,
                 "line %1$u: is %2$s the element that you mean? Its rows have %3$s elements; is the row less than the "
                 "number of rows?",
                 line, element, width);
    else
        text_say(out,
                 "line %1$u: is %2$s the element that you mean? Its rows have %3$s elements, so %4$s < %3$s must hold",
                 line, element, width, column);
}

// -------------------------------------------------------------------------------------------------------------- loops
struct names {
    const struct source *s;
    uint32_t token[NAMES], count;
};

// Returns 1 if the tokens from `first` to `last` use threadIdx or a variable that depends on it.
static int depends(const struct names *n, uint32_t first, uint32_t last)
{
    for (uint32_t t = first; t <= last; ++t) {
        if (source_is(n->s, t, "threadIdx")) return 1;
        for (uint32_t i = 0; i < n->count; ++i)
            if (source_same(n->s, t, n->token[i]) && !source_is(n->s, t - 1, ".")) return 1;
    }
    return 0;
}

// Finds the variables whose first value depends on threadIdx, from the beginning of the function to token `until`. The
// variable of a loop that all threads begin alike is none of them.
static void find_names(struct names *n, uint32_t body, uint32_t until)
{
    for (uint32_t t = body + 1; t < until && n->count < NAMES; ++t) {
        if (!source_is(n->s, t, "=") || n->s->token[t - 1].kind != TOKEN_WORD) continue;
        uint32_t end = source_forward(n->s, t + 1, ", ;");
        if (depends(n, t + 1, end - 1)) n->token[n->count++] = t - 1;
    }
}

// Stores the condition that ends the loop at token `loop` for a thread, the loop's own or that of a `break` before
// token `until`, in [*first, *last] if it depends on the thread.
static int find_bound(const struct names *n, uint32_t loop, uint32_t until, uint32_t *first, uint32_t *last)
{
    const struct source *s = n->s;
    uint32_t end = s->token[loop + 1].mate;
    *first = source_is(s, loop, "for") ? source_forward(s, loop + 2, ";") + 1 : loop + 2;
    *last = (source_is(s, loop, "for") ? source_forward(s, *first, ";") : end) - 1;
    if (*last >= *first && depends(n, *first, *last)) return 1;
    for (uint32_t t = end; t < until; ++t) {
        if (!source_is(s, t, "if") || !source_is(s, t + 1, "(")) continue;
        uint32_t then = s->token[t + 1].mate + 1;
        *first = t + 2;
        *last = then - 2;
        then += (uint32_t)source_is(s, then, "{");
        if ((source_is(s, then, "break") || source_is(s, then, "continue")) && depends(n, *first, *last)) return 1;
    }
    return 0;
}

static void suspect_loop(const struct maker *m, struct text *out)
{
    const struct source *s = m->s;
    const struct finding_place *place[] = {&m->f->at, &m->f->other};
    for (int i = 0; i < 1 + m->f->second; ++i) {
        uint32_t t = maker_token(s, place[i]), begin[LEVELS], first, last;
        uint32_t n = t == NOWHERE || body_around(s, t) == NOWHERE ? 0 : maker_around(s, t, begin);
        struct names names = {.s = s};
        if (!n || (!source_is(s, t, "__syncthreads") && !source_is(s, t, "__syncwarp"))) continue;
        find_names(&names, body_around(s, t), t);
        for (uint32_t level = 0; level < n; ++level) {
            char condition[STATEMENT];
            if (!maker_is_header(s, begin[level]) || source_is(s, begin[level], "if")) continue;
            if (!find_bound(&names, begin[level], t, &first, &last)) continue;
            maker_copy(s, first, last, condition);
            if (condition[0])
                text_say(out,
                         "line %1$u: '%2$s' depends on the thread, so threads leave the loop at different times. All "
                         "threads must run a loop with a barrier equally often: let the loop's bound be the same in "
                         "all threads, and put the work, without the barrier, under the condition",
                         s->token[first].line, condition);
            return;
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- stores
static void suspect_overlap(const struct maker *m, struct text *out)
{
    const struct source *s = m->s;
    struct maker_assignment a, b;
    char one[STATEMENT], two[STATEMENT];
    uint32_t t = maker_token(s, &m->f->at), other = maker_token(s, &m->f->other);
    if (m->f->space != SPACE_SHARED || t == NOWHERE || other == NOWHERE) return;
    if (!maker_assignment(s, t, &a) || !maker_assignment(s, other, &b) || source_same(s, a.left, b.left)) return;
    maker_copy(s, a.left, a.left, one);
    maker_copy(s, b.left, b.left, two);
    text_say(out,
             "lines %1$u and %2$u store to one element of shared memory: do '%3$s' and '%4$s' overlap? Each must begin "
             "behind the last element of the other",
             s->token[b.left].line, s->token[a.left].line, two, one);
}

void repair_suspect(const struct source *s, const struct verdict_finding *v, struct text *out)
{
    struct maker m = {.s = s, .v = v, .f = &v->finding};
    if (v->defect || m.f->at.file != FILE_STUDENT) return;
    if (m.f->kind == FINDING_out_of_bounds) suspect_index(&m, out);
    if (m.f->kind == FINDING_barrier_divergent || m.f->kind == FINDING_barrier_mismatch ||
        m.f->kind == FINDING_deadlock)
        suspect_loop(&m, out);
    if (m.f->kind == FINDING_race_waw && m.f->epoch && m.f->at.line != m.f->other.line) suspect_overlap(&m, out);
}
