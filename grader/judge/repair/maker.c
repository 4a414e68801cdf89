// Finds statements in a source, and stores proposals for a repair.
#include "judge/repair/maker.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

// --------------------------------------------------------------------------------------------------------- statements
static uint32_t line_begin(const struct source *s, uint32_t at)
{
    while (at && s->text.data[at - 1] != '\n') --at;
    return at;
}

uint32_t maker_token(const struct source *s, const struct finding_place *p)
{
    uint32_t found = NOWHERE, begin = 0;
    if (p->file != FILE_STUDENT || !p->line) return NOWHERE;
    for (uint32_t t = 0; t < s->count && s->token[t].line <= p->line; ++t) {
        const struct token *k = &s->token[t];
        if (k->line != p->line || k->defines) continue;
        if (found == NOWHERE) begin = line_begin(s, k->begin);
        if (found == NOWHERE || k->begin - begin < p->column) found = t;
    }
    return found;
}

int maker_is_header(const struct source *s, uint32_t t)
{
    return (source_is(s, t, "if") || source_is(s, t, "for") || source_is(s, t, "while")) && source_is(s, t + 1, "(");
}

uint32_t maker_end(const struct source *s, uint32_t t)
{
    uint32_t first = t;
    while (maker_is_header(s, t)) t = s->token[t + 1].mate + 1;
    uint32_t end = source_is(s, t, "{") ? s->token[t].mate : source_statement_end(s, t);
    while (source_is(s, first, "if") && source_is(s, end + 1, "else")) end = maker_end(s, end + 2);
    return end;
}

uint32_t maker_begin(const struct source *s, uint32_t t)
{
    while (s->token[t].inside != NOWHERE && !source_is(s, s->token[t].inside, "{")) t = s->token[t].inside;
    uint32_t begin = source_statement(s, t);
    while (source_is(s, begin, "else") && begin && source_is(s, begin - 1, "}"))
        begin = source_statement(s, s->token[begin - 1].mate);
    return begin;
}

uint32_t maker_around(const struct source *s, uint32_t t, uint32_t begin[LEVELS])
{
    uint32_t n = 0;
    while (t != NOWHERE && n < LEVELS) {
        begin[n] = maker_begin(s, t);
        t = s->token[begin[n]].inside;
        if (t == NOWHERE) break; // that is the function itself
        ++n;
    }
    return n;
}

int maker_holds(const struct source *s, uint32_t begin, uint32_t t)
{
    return t != NOWHERE && begin <= t && t <= maker_end(s, begin);
}

uint32_t maker_apart(const struct source *s, uint32_t t, uint32_t other, uint32_t begin[LEVELS], uint32_t *all)
{
    uint32_t n = 1;
    *all = maker_around(s, t, begin);
    while (n < *all && !maker_holds(s, begin[n], other)) ++n;
    return n;
}

void maker_copy(const struct source *s, uint32_t first, uint32_t last, char out[STATEMENT])
{
    uint32_t length = last < first ? 0 : s->token[last].end - s->token[first].begin;
    snprintf(out, STATEMENT, "%.*s", (int)(length < STATEMENT ? length : 0), s->text.data + s->token[first].begin);
}

// ------------------------------------------------------------------------------------------------------------- making
struct repair *maker_new(struct maker *m)
{
    struct repair *r = m->count < REPAIR_CANDIDATES ? &m->out[m->count++] : NULL;
    if (r) *r = (struct repair){0};
    return r;
}

void maker_replace(struct repair *r, uint32_t begin, uint32_t end, const char *text)
{
    struct repair_edit *e = &r->edit[r->nedits++];
    e->begin = begin;
    e->end = end;
    snprintf(e->text, sizeof e->text, "%s", text);
}

struct repair *maker_instead(struct maker *m, uint32_t first, uint32_t last, const char *text)
{
    char old[STATEMENT];
    maker_copy(m->s, first, last, old);
    struct repair *r = old[0] && strlen(text) < STATEMENT && strcmp(old, text) ? maker_new(m) : NULL;
    if (!r) return NULL;
    r->strict = 1;
    maker_replace(r, m->s->token[first].begin, m->s->token[last].end, text);
    message_print(r->sentence, sizeof r->sentence, "line %u: write '%s' instead of '%s'", m->s->token[first].line, text,
                  old);
    return r;
}

// -------------------------------------------------------------------------------------------------------- assignments
int maker_assignment(const struct source *s, uint32_t t, struct maker_assignment *a)
{
    uint32_t begin = maker_begin(s, t);
    a->condition = NOWHERE;
    while (maker_is_header(s, begin) && !source_is(s, begin, "if")) begin = s->token[begin + 1].mate + 1;
    a->begin = a->left = begin;
    if (source_is(s, begin, "if") && source_is(s, begin + 1, "(")) {
        a->condition = begin + 1;
        a->left = s->token[begin + 1].mate + 1;
    }
    if (source_is(s, a->left, "{") || maker_is_header(s, a->left)) return 0;
    a->end = source_statement_end(s, a->left);
    a->op = source_forward(s, a->left, "= += -= *= |= &= ^= ;");
    a->right = a->op + 1;
    return source_is(s, a->end, ";") && a->op < a->end && !source_is(s, a->end + 1, "else");
}
