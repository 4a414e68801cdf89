// Proposes repairs of masks that name absent lanes, and of exits that threads take before others wait for them.
//
// Theory of operation. A mask must name the lanes that execute the instruction, and a barrier waits for all threads.
// The usual mistake is that some threads took another branch or returned, so most proposals let these threads come.
// Each proposal is strict, that is, works only if all test cases with which it is tried become right (repair.h):
//
//   a mask of some lanes                       the mask of all lanes
//   an instruction in a branch                 the branch's condition goes
//   an instruction in a loop                   its statement moves behind the loop
//   `if (c) return;` or `break` before it      the exit goes; then also, of the statements behind it, the loads, or the
//                                              loads and the stores, get its condition instead
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "judge/repair/maker.h"

// Returns the token of the warp operation in a source line, that is, of a function whose first argument is a lane mask.
static uint32_t warp_operation(const struct source *s, uint32_t line)
{
    static const char *const name[] = {"__shfl",    "__ballot_sync", "__any_sync", "__all_sync",
                                       "__reduce_", "__match_",      "__syncwarp"};
    for (uint32_t t = 0; t < s->count; ++t)
        for (size_t i = 0; i < sizeof name / sizeof *name && s->token[t].line == line; ++i)
            if (source_word_begins(s, t, name[i]) && source_is(s, t + 1, "(")) return t;
    return NOWHERE;
}

static void all_lanes(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t first = t + 2, end = source_forward(s, first, ",");
    if (end > first) maker_instead(m, first, end - 1, "0xffffffff");
}

static void without_branch(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t begin[LEVELS], n = maker_around(s, t, begin);
    for (uint32_t level = 0; level < n; ++level)
        for (uint32_t k = begin[level]; maker_is_header(s, k) && k < t; k = s->token[k + 1].mate + 1) {
            char branch[STATEMENT];
            uint32_t last = s->token[k + 1].mate;
            if (!source_is(s, k, "if") || last > t || source_is(s, maker_end(s, k) + 1, "else")) continue;
            maker_copy(s, k, last, branch);
            struct repair *r = branch[0] ? maker_new(m) : NULL;
            if (!r) return;
            r->strict = 1;
            maker_replace(r, s->token[k].begin, s->token[last].end, "");
            message_print(r->sentence, sizeof r->sentence, "remove '%s' from line %u: all lanes must come here", branch,
                          s->token[k].line);
        }
}

static void behind_loop(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t begin[LEVELS], n = maker_around(s, t, begin);
    for (uint32_t level = 1; level < n; ++level) {
        uint32_t first = begin[level - 1], last = maker_end(s, first), end = s->token[maker_end(s, begin[level])].end;
        char moved[STATEMENT], text[STATEMENT + 8];
        if (!source_is(s, begin[level], "for") && !source_is(s, begin[level], "while")) continue;
        maker_copy(s, first, last, moved);
        struct repair *r = moved[0] ? maker_new(m) : NULL;
        if (!r) return;
        r->strict = 1;
        snprintf(text, sizeof text, " %s", moved);
        maker_replace(r, s->token[first].begin, s->token[last].end, ";");
        maker_replace(r, end, end, text);
        message_print(r->sentence, sizeof r->sentence, "move the statement of line %u behind the loop of line %u",
                      s->token[first].line, s->token[begin[level]].line);
    }
}

// --------------------------------------------------------------------------------------------------------------- exits
struct exit {
    uint32_t first, last, end; // tokens: `if`, the closing bracket, and the last token of the statement
    uint32_t function;         // the bracket that opens the function's body
    uint32_t left;             // the bracket that opens what the threads leave: the function or a loop's body
    char condition[STATEMENT]; // of the threads that leave
    char stays[STATEMENT];     // the condition of the others
};

// Stores the condition under which threads do not leave at an exit. Returns 0 if this condition is too long.
static int find_stays(const struct source *s, struct exit *e)
{
    const char *compares = ">= > < <= == != && || ?";
    uint32_t first = e->first + 2, sign = source_forward(s, first, compares);
    char left[STATEMENT], right[STATEMENT], text[2 * STATEMENT + 8];
    if (source_is(s, sign, ">=") && source_forward(s, sign + 1, compares) == e->last) {
        maker_copy(s, first, sign - 1, left);
        maker_copy(s, sign + 1, e->last - 1, right);
        snprintf(text, sizeof text, "%s < %s", left, right);
    } else {
        snprintf(text, sizeof text, "!(%s)", e->condition);
    }
    if (strlen(text) >= STATEMENT) return 0;
    memcpy(e->stays, text, strlen(text) + 1);
    return e->condition[0] != '\0';
}

// Returns 1 if the statement at token t is `if (c) return;`, `if (c) break;` or `if (c) continue;`, with or without
// braces.
static int find_exit(const struct source *s, uint32_t t, struct exit *e)
{
    if (!source_is(s, t, "if") || !source_is(s, t + 1, "(")) return 0;
    uint32_t last = s->token[t + 1].mate, k = last + 1 + (uint32_t)source_is(s, last + 1, "{");
    if (!source_is(s, k, "return") && !source_is(s, k, "break") && !source_is(s, k, "continue")) return 0;
    if (!source_is(s, k + 1, ";")) return 0;
    *e = (struct exit){.first = t, .last = last, .end = maker_end(s, t), .function = t};
    while (s->token[e->function].inside != NOWHERE) e->function = s->token[e->function].inside;
    e->left = source_is(s, k, "return") ? e->function : s->token[t].inside;
    maker_copy(s, t + 2, last - 1, e->condition);
    return find_stays(s, e);
}

// Returns 1 if token t is a pointer among the parameters of the function whose body token `body` opens.
static int is_pointer(const struct source *s, uint32_t t, uint32_t body)
{
    if (!body || !source_is(s, body - 1, ")")) return 0;
    for (uint32_t k = s->token[body - 1].mate + 1, star = 0; k < body - 1; ++k) {
        if (source_is(s, k, ",")) star = 0;
        star |= (uint32_t)source_is(s, k, "*");
        if (star && source_same(s, k, t)) return 1;
    }
    return 0;
}

// Adds edits by which only the threads that would not have left at an exit execute the loads behind this exit. If
// `stores` is 1, the edits do the same for the stores. Returns the number of accesses that the edits change, or 0 if
// there are too many accesses.
static uint32_t guard_accesses(struct maker *m, struct repair *r, const struct exit *e, int stores)
{
    const struct source *s = m->s;
    uint32_t n = 0;
    for (uint32_t t = e->end + 1; t < s->token[e->left].mate; ++t) {
        if (s->token[t].kind != TOKEN_WORD || !source_is(s, t + 1, "[") || !is_pointer(s, t, e->function)) continue;
        uint32_t last = s->token[t + 1].mate, begin = maker_begin(s, t);
        char element[STATEMENT], text[2 * STATEMENT + 16];
        struct maker_assignment a;
        int is_store = maker_assignment(s, t, &a) && a.left == t && a.op == last + 1;
        maker_copy(s, begin, maker_end(s, begin), text);
        if ((is_store && !stores) || strstr(text, e->stays)) continue;
        if (source_is(s, t - 1, "&") && !stores) continue;
        if (r->nedits == REPAIR_EDITS || source_is(s, t - 1, "&")) return 0;
        maker_copy(s, t, last, element);
        snprintf(text, sizeof text, is_store ? "if (%s) %s" : "(%s ? %s : 0)", e->stays, element);
        if (!element[0] || strlen(text) >= REPAIR_TEXT) return 0;
        maker_replace(r, s->token[t].begin, s->token[last].end, text);
        t = last;
        ++n;
    }
    return n;
}

static void remove_exit(struct maker *m, const struct exit *e)
{
    const struct source *s = m->s;
    char old[STATEMENT];
    maker_copy(s, e->first, e->end, old);
    for (int guards = 0; guards < 3 && old[0]; ++guards) {
        struct repair *r = maker_new(m);
        if (!r) return;
        r->strict = 1;
        maker_replace(r, s->token[e->first].begin, s->token[e->end].end, "");
        if (!guards)
            message_print(r->sentence, sizeof r->sentence, "remove '%s' from line %u, so that every thread goes on",
                          old, s->token[e->first].line);
        else
            message_print(r->sentence, sizeof r->sentence,
                          guards == 1 ? N_("remove '%s' from line %u, so that every thread goes on, and load from "
                                           "global memory only if %s")
                                      : N_("remove '%s' from line %u, so that every thread goes on, and use global "
                                           "memory only if %s"),
                          old, s->token[e->first].line, e->stays);
        if (guards && !guard_accesses(m, r, e, guards == 2)) --m->count;
    }
}

void maker_exit(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    struct exit e;
    for (uint32_t k = 0; k < s->count && (t == NOWHERE || k < t); ++k) {
        if (!find_exit(s, k, &e)) continue;
        uint32_t end = s->token[e.function].mate, is_awaited = t != NOWHERE && end > t;
        for (uint32_t i = e.end; t == NOWHERE && i < end; ++i) is_awaited |= (uint32_t)source_is(s, i, "__syncthreads");
        if (is_awaited) remove_exit(m, &e);
    }
}

void maker_mask(struct maker *m)
{
    uint32_t t = warp_operation(m->s, m->f->at.line);
    if (t == NOWHERE && m->f->second) t = warp_operation(m->s, m->f->other.line);
    if (t == NOWHERE || m->f->at.file != FILE_STUDENT) return;
    all_lanes(m, t);
    without_branch(m, t);
    behind_loop(m, t);
    maker_exit(m, t);
}
