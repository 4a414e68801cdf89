// Proposes repairs of values that are used before they were written.
//
// Theory of operation. The value that should have been written is unknown. Zero is the usual start of a sum and the
// usual filling of a tile, and a zero that is wrong is dropped, because all small visible test cases must become right
// (strict repairs in repair.h). The proposals are
//
//   an element that adds to what it held        `+=` becomes `=`
//   a store under a condition                   `if (c) tile[t] = x;` becomes `tile[t] = c ? x : 0;`
//   a local variable without a first value      `= 0`, or `= {}` for an array
//   a shared array that nobody clears           a loop behind the declaration that clears it, and a barrier
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "judge/repair/maker.h"

static void adds_to_nothing(struct maker *m, uint32_t t)
{
    struct maker_assignment a;
    if (maker_assignment(m->s, t, &a) && source_is(m->s, a.op, "+=")) maker_instead(m, a.op, a.op, "=");
}

// Returns 1 if the statement that begins at token `begin` uses the name that token `name` has.
static int uses(const struct source *s, uint32_t begin, uint32_t name)
{
    for (uint32_t t = begin, end = maker_end(s, begin); t <= end; ++t)
        if (s->token[t].kind == TOKEN_WORD && source_same(s, t, name)) return 1;
    return 0;
}

// Proposes, for all arrays that the statement at token `reader` reads, to store 0 where a condition prevents a store.
static void stores_under_condition(struct maker *m, uint32_t body, uint32_t reader)
{
    const struct source *s = m->s;
    struct repair *r = NULL;
    for (uint32_t t = body; t < reader; ++t) {
        struct maker_assignment a;
        char condition[STATEMENT], left[STATEMENT], right[STATEMENT], text[3 * STATEMENT + 16];
        if (!source_is(s, t, "if") || !maker_assignment(s, t, &a) || a.begin != t || a.condition == NOWHERE) continue;
        if (!source_is(s, a.op, "=") || !uses(s, reader, a.left)) continue;
        maker_copy(s, a.condition + 1, s->token[a.condition].mate - 1, condition);
        maker_copy(s, a.left, a.op - 1, left);
        maker_copy(s, a.right, a.end - 1, right);
        snprintf(text, sizeof text, "%s = %s ? %s : 0;", left, condition, right);
        if (!condition[0] || !left[0] || !right[0] || strlen(text) >= STATEMENT) continue;
        if (!r)
            r = maker_instead(m, a.begin, a.end, text);
        else if (r->nedits < REPAIR_EDITS)
            maker_replace(r, s->token[a.begin].begin, s->token[a.end].end, text);
    }
}

// Proposes initial values for those variables of the declaration at token `begin` that have none and that the statement
// at token `reader` uses.
static void declaration_without_value(struct maker *m, uint32_t begin, uint32_t reader)
{
    const struct source *s = m->s;
    for (uint32_t t = begin + 1; t < reader && !source_is(s, t, ";"); ++t) {
        uint32_t end = t + 1, is_array = source_is(s, end, "[");
        while (source_is(s, end, "[")) end = s->token[end].mate + 1;
        if (s->token[t].kind != TOKEN_WORD || !uses(s, reader, t)) continue;
        if (!source_is(s, end, ",") && !source_is(s, end, ";")) continue;
        char old[STATEMENT], text[STATEMENT + 8];
        maker_copy(s, t, end - 1, old);
        snprintf(text, sizeof text, "%s = %s", old, is_array ? "{}" : "0");
        if (old[0]) maker_instead(m, t, end - 1, text);
    }
}

static void clear_shared(struct maker *m, uint32_t begin, uint32_t reader)
{
    const struct source *s = m->s;
    uint32_t end = source_statement_end(s, begin), bracket = source_forward(s, begin, "[");
    char type[STATEMENT], name[STATEMENT], text[4 * STATEMENT + 200];
    if (bracket >= end || bracket < begin + 3 || !uses(s, reader, bracket - 1)) return;
    maker_copy(s, begin + 1, bracket - 2, type);
    maker_copy(s, bracket - 1, bracket - 1, name);
    snprintf(text, sizeof text,
             " for (unsigned ww_i = threadIdx.x + blockDim.x * threadIdx.y; ww_i < sizeof %s / sizeof(%s); ww_i += "
             "blockDim.x * blockDim.y) ((%s *)%s)[ww_i] = 0; __syncthreads();",
             name, type, type, name);
    if (m->v->job && m->v->job->lab->without_block_barriers) return;
    struct repair *r = type[0] && strlen(text) < REPAIR_TEXT ? maker_new(m) : NULL;
    if (!r) return;
    r->strict = 1;
    maker_replace(r, s->token[end].end, s->token[end].end, text);
    message_print(r->sentence, sizeof r->sentence,
                  "store 0 to all of '%s' behind line %u, and put __syncthreads() there", name, s->token[end].line);
}

void maker_value(struct maker *m)
{
    const struct source *s = m->s;
    uint32_t t = maker_token(s, &m->f->at), body = t;
    if (t == NOWHERE) return;
    while (s->token[body].inside != NOWHERE) body = s->token[body].inside;
    if (!source_is(s, body, "{")) return;
    uint32_t reader = maker_begin(s, t);
    adds_to_nothing(m, t);
    stores_under_condition(m, body, reader);
    for (uint32_t k = body + 1; k < reader; ++k)
        if (source_is(s, k - 1, ";") || source_is(s, k - 1, "{") || source_is(s, k - 1, "}")) {
            if (source_is(s, k, "__shared__"))
                clear_shared(m, k, reader);
            else if (source_declares(s, k))
                declaration_without_value(m, k, reader);
        }
}
