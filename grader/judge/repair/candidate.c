// Proposes changes of a source that may remove a finding.
//
// Theory of operation. The source is a list of tokens with matched brackets (source.h). A finding gives a line and a
// column. From there, a statement is found, and the statements around it. No meaning of names is known: a proposal need
// only be plausible, because repair.c tries each one and forgets those that do not work.
//
//   a race in a block      put a barrier behind the first access, outside of loops and branches that do not hold the
//                          second one; or read into a variable, wait, and write
//   a lost update          make `x += y` an atomicAdd()
//   a barrier in a branch  move it in front of the branch or behind it, or close the branch before it
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "judge/repair/repair.h"

enum { LEVELS = 8, STATEMENT = 80 };

struct maker {
    const struct source *s;
    const struct finding *f;
    struct repair *out;
    uint32_t count;
};

// --------------------------------------------------------------------------------------------------------- statements
static uint32_t line_begin(const struct source *s, uint32_t at)
{
    while (at && s->text.data[at - 1] != '\n') --at;
    return at;
}

// Returns the token at a place of the source, or NOWHERE. Without a column, returns the line's first token.
static uint32_t token_at(const struct source *s, const struct finding_place *p)
{
    uint32_t found = NOWHERE;
    if (p->file != FILE_STUDENT || !p->line) return NOWHERE;
    for (uint32_t t = 0; t < s->count && s->token[t].line <= p->line; ++t) {
        const struct token *k = &s->token[t];
        if (k->line != p->line || k->defines) continue;
        if (found == NOWHERE || k->begin - line_begin(s, k->begin) < p->column) found = t;
    }
    return found;
}

static int is_header(const struct source *s, uint32_t t)
{
    return (source_is(s, t, "if") || source_is(s, t, "for") || source_is(s, t, "while")) && source_is(s, t + 1, "(");
}

// Returns the last token of the statement that begins at token t, with its else.
static uint32_t end_of(const struct source *s, uint32_t t)
{
    uint32_t first = t;
    while (is_header(s, t)) t = s->token[t + 1].mate + 1;
    uint32_t end = source_is(s, t, "{") ? s->token[t].mate : source_statement_end(s, t);
    while (source_is(s, first, "if") && source_is(s, end + 1, "else")) end = end_of(s, end + 2);
    return end;
}

// Returns the first token of the statement that holds token t; in a header, of the statement with the header.
static uint32_t begin_of(const struct source *s, uint32_t t)
{
    while (s->token[t].inside != NOWHERE && !source_is(s, s->token[t].inside, "{")) t = s->token[t].inside;
    uint32_t begin = source_statement(s, t);
    while (source_is(s, begin, "else") && begin && source_is(s, begin - 1, "}"))
        begin = source_statement(s, s->token[begin - 1].mate);
    return begin;
}

// Stores the statements around token t in `begin`, from the innermost to the function's own. Returns how many they are.
static uint32_t statements_around(const struct source *s, uint32_t t, uint32_t begin[LEVELS])
{
    uint32_t n = 0;
    while (t != NOWHERE && n < LEVELS) {
        begin[n] = begin_of(s, t);
        t = s->token[begin[n]].inside;
        if (t == NOWHERE) break; // that is the function itself
        ++n;
    }
    return n;
}

static int holds(const struct source *s, uint32_t begin, uint32_t t)
{
    return t != NOWHERE && begin <= t && t <= end_of(s, begin);
}

static void copy(const struct source *s, uint32_t first, uint32_t last, char out[STATEMENT])
{
    uint32_t length = last < first ? 0 : s->token[last].end - s->token[first].begin;
    snprintf(out, STATEMENT, "%.*s", (int)(length < STATEMENT ? length : 0), s->text.data + s->token[first].begin);
}

// ------------------------------------------------------------------------------------------------------------- making
static struct repair *new_repair(struct maker *m)
{
    struct repair *r = m->count < REPAIR_CANDIDATES ? &m->out[m->count++] : NULL;
    if (r) *r = (struct repair){0};
    return r;
}

static void replace(struct repair *r, uint32_t begin, uint32_t end, const char *text)
{
    struct repair_edit *e = &r->edit[r->nedits++];
    e->begin = begin;
    e->end = end;
    snprintf(e->text, sizeof e->text, "%s", text);
}

// --------------------------------------------------------------------------------------------------------------- races
static const char *barrier_of(const struct maker *m)
{
    return m->f->warp ? "__syncwarp()" : "__syncthreads()";
}

static void barrier_behind(struct maker *m, uint32_t begin)
{
    uint32_t last = end_of(m->s, begin), at = m->s->token[last].end;
    struct repair *r = new_repair(m);
    char text[REPAIR_TEXT];
    if (!r) return;
    snprintf(text, sizeof text, " %s;", barrier_of(m));
    replace(r, at, at, text);
    message_print(r->sentence, sizeof r->sentence,
                  "put %s after line %u, at a point that every thread of the %s reaches", barrier_of(m),
                  m->s->token[last].line, _(m->f->warp ? N_("warp") : N_("block")));
}

// Finds the parts of the statement `[if (C)] L op R;` at token t. Returns 0 if it has another form.
struct assignment {
    uint32_t begin, condition, left, op, right, end; // `condition`: the bracket of the if, or NOWHERE
};
static int find_assignment(const struct source *s, uint32_t t, struct assignment *a)
{
    uint32_t begin = begin_of(s, t);
    a->condition = NOWHERE;
    while (is_header(s, begin) && !source_is(s, begin, "if")) begin = s->token[begin + 1].mate + 1;
    a->begin = a->left = begin;
    if (source_is(s, begin, "if") && source_is(s, begin + 1, "(")) {
        a->condition = begin + 1;
        a->left = s->token[begin + 1].mate + 1;
    }
    if (source_is(s, a->left, "{") || is_header(s, a->left)) return 0;
    a->end = source_statement_end(s, a->left);
    a->op = source_forward(s, a->left, "= += -= *= |= &= ^= ;");
    a->right = a->op + 1;
    return source_is(s, a->end, ";") && a->op < a->end && !source_is(s, a->end + 1, "else");
}

// Proposes for a statement that reads and writes: a barrier behind it in its loop, and a barrier between its halves.
static void split_statement(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    struct assignment a;
    char left[STATEMENT], right[STATEMENT], condition[STATEMENT] = "";
    if (!find_assignment(s, t, &a)) return;
    copy(s, a.left, a.op - 1, left);
    copy(s, a.right, a.end - 1, right);
    if (a.condition != NOWHERE) copy(s, a.begin, s->token[a.condition].mate, condition);
    const char *barrier = barrier_of(m);
    struct repair *r = new_repair(m);
    char text[REPAIR_TEXT];
    if (r) {
        replace(r, s->token[a.begin].begin, s->token[a.begin].begin, "{ ");
        snprintf(text, sizeof text, " %s; }", barrier);
        replace(r, s->token[a.end].end, s->token[a.end].end, text);
        message_print(r->sentence, sizeof r->sentence,
                      "put %s after line %u, at a point that every thread of the %s reaches", barrier,
                      s->token[a.end].line, _(m->f->warp ? N_("warp") : N_("block")));
    }
    r = left[0] && right[0] && (a.condition == NOWHERE || condition[0]) ? new_repair(m) : NULL;
    if (!r) return;
    snprintf(text, sizeof text, "{ decltype(%s + 0) ww_kept = 0; %s ww_kept = ", left, condition);
    replace(r, s->token[a.begin].begin, s->token[a.right].begin, text);
    char op[STATEMENT];
    copy(s, a.op, a.op, op);
    struct text behind = {0};
    text_printf(&behind, "; %s; %s %s %s ww_kept; }", barrier, condition, left, op);
    replace(r, s->token[a.end].begin, s->token[a.end].end, behind.data);
    if (behind.length >= REPAIR_TEXT) --m->count; // too long to tell
    text_free(&behind);
    message_print(r->sentence, sizeof r->sentence,
                  "line %u reads and writes in one statement: read into a variable, then %s, then write",
                  s->token[a.op].line, barrier);
}

static void race_in_block(struct maker *m)
{
    const struct finding_place *first = verdict_first(m->f);
    uint32_t begin[LEVELS], one = token_at(m->s, first),
                            two = token_at(m->s, first == &m->f->at ? &m->f->other : &m->f->at);
    if (one == NOWHERE) return;
    if (m->f->at.line == m->f->other.line) {
        split_statement(m, one);
        return;
    }
    uint32_t n = statements_around(m->s, one, begin), most = 0;
    int meets = n && two != NOWHERE && holds(m->s, begin[n - 1], two);
    while (most + 1 < n && !holds(m->s, begin[most + 1], two)) ++most;
    if (meets || most + 1 < n)
        for (uint32_t level = most + 1; level-- > 0;) barrier_behind(m, begin[level]);
    else
        for (uint32_t level = 0; level < n; ++level) barrier_behind(m, begin[level]);
}

static void make_atomic(struct maker *m)
{
    const struct source *s = m->s;
    struct assignment a;
    uint32_t t = token_at(s, &m->f->at);
    if (t == NOWHERE || !find_assignment(s, t, &a) || !source_is(s, a.op, "+=")) return;
    struct repair *r = new_repair(m);
    char left[STATEMENT];
    if (!r) return;
    copy(s, a.left, a.op - 1, left);
    replace(r, s->token[a.left].begin, s->token[a.left].begin, "atomicAdd(&");
    replace(r, s->token[a.op].begin, s->token[a.op].end, ",");
    replace(r, s->token[a.end].begin, s->token[a.end].begin, ")");
    message_print(r->sentence, sizeof r->sentence, "line %u: add with atomicAdd(&%s, …)", s->token[a.op].line, left);
}

// ------------------------------------------------------------------------------------------------------------ barriers
static uint32_t barrier_at(const struct source *s, uint32_t line)
{
    for (uint32_t t = 0; t < s->count; ++t)
        if (s->token[t].line == line && source_is(s, t + 1, "(") &&
            (source_is(s, t, "__syncthreads") || source_is(s, t, "__syncwarp")))
            return t;
    return NOWHERE;
}

static void move_barrier(struct maker *m, uint32_t t, uint32_t branch, int is_behind)
{
    const struct source *s = m->s;
    struct repair *r = new_repair(m);
    uint32_t end = source_statement_end(s, t), at = s->token[branch].begin;
    char name[STATEMENT], text[REPAIR_TEXT];
    if (!r) return;
    copy(s, t, end, name);
    uint32_t to = s->token[end_of(s, branch)].end;
    snprintf(text, sizeof text, " %s ", name);
    if (!is_behind) replace(r, at, at, text);
    replace(r, s->token[t].begin, s->token[end].end, ";");
    if (is_behind) replace(r, to, to, text);
    if (strchr(name, ';')) *strchr(name, ';') = '\0';
    message_print(r->sentence, sizeof r->sentence,
                  is_behind ? N_("move %s from line %u to a place behind the branch or loop that begins in line %u")
                            : N_("move %s from line %u to a place before the branch or loop that begins in line %u"),
                  name, s->token[t].line, s->token[branch].line);
}

static void close_branch(struct maker *m, uint32_t t, uint32_t branch)
{
    const struct source *s = m->s;
    char condition[STATEMENT], name[STATEMENT], text[2 * STATEMENT + 16];
    uint32_t end = source_statement_end(s, t);
    copy(s, branch, s->token[branch + 1].mate, condition);
    copy(s, t, end, name);
    struct repair *r = condition[0] && name[0] ? new_repair(m) : NULL;
    if (!r) return;
    snprintf(text, sizeof text, "} %s %s {", name, condition);
    replace(r, s->token[t].begin, s->token[end].end, text);
    if (strchr(name, ';')) *strchr(name, ';') = '\0';
    message_print(r->sentence, sizeof r->sentence,
                  "close the branch of line %u before %s in line %u, and open it again behind it",
                  s->token[branch].line, name, s->token[t].line);
}

static void barrier_in_branch(struct maker *m)
{
    const struct source *s = m->s;
    uint32_t t = barrier_at(s, m->f->at.line), begin[LEVELS];
    if (t == NOWHERE && m->f->second) t = barrier_at(s, m->f->other.line);
    if (t == NOWHERE || m->f->at.file != FILE_STUDENT) return;
    uint32_t n = statements_around(s, t, begin);
    uint32_t level = n && is_header(s, begin[0]) ? 0 : 1; // `if (C) __syncthreads();` without braces
    if (level >= n || !is_header(s, begin[level])) return;
    uint32_t end = source_statement_end(s, t);
    int is_last = source_is(s, end + 1, "}"), is_if = source_is(s, begin[level], "if");
    if (is_last) move_barrier(m, t, begin[level], 1);
    if (!is_last && is_if && level && source_is(s, t - 1, "{") == 0) close_branch(m, t, begin[level]);
    move_barrier(m, t, begin[level], 0);
    if (!is_last) move_barrier(m, t, begin[level], 1);
}

uint32_t repair_propose(const struct source *s, const struct finding *f, int is_lost_update,
                        struct repair out[REPAIR_CANDIDATES])
{
    struct maker m = {s, f, out, 0};
    if (verdict_is_race(f) && f->second && !f->fence) {
        if (f->at.line == f->other.line && (is_lost_update || !f->epoch)) make_atomic(&m);
        if (f->epoch) race_in_block(&m);
    }
    if (f->kind == FINDING_barrier_divergent || f->kind == FINDING_bad_mask || f->kind == FINDING_barrier_mismatch)
        barrier_in_branch(&m);
    return m.count;
}
