// Proposes repairs of accesses that are out of bounds, and of indices that name a wrong element.
//
// Theory of operation. Guards are the conditions that decide whether an access happens: those of the `if`, `for` and
// `while` around the access, and those of each `if (…) return;` before the access. The functions of guard.c do not know
// which extent belongs to which index, so they try the integer parameters of the kernel function in turn. Each proposal
// of guard.c is strict, that is, works only if all small visible test cases become right (repair.h). The proposals come
// in this order:
//
//   a guard that lets one element too many pass   `<=` becomes `<`, and where the thread leaves, `>` becomes `>=`
//   two extents confused                          they change places in a guard, or one replaces the other in an index
//   two indices confused                          `a[x][y]` becomes `a[y][x]`
//   a vector that begins before the end           `i < n` becomes `i + 3 < n`, and `(n + 3) / 4` becomes `n / 4`
//   shared memory without the padding             a factor of LAUNCH's `.shared` grows as it does in an index
//   shared memory counted in elements             LAUNCH's `.shared` is multiplied by the size of an element
//   more threads than elements                    `if (index < length)` before each statement with this index
//   an array that is too small                    one more element, or twice as many
//   an index beyond an array of known length      the remainder of the division by the length
//   no guard                                      `if (index >= extent) return;` where no thread is awaited later;
//                                                 `if (index < extent)` before the statement or, for a read,
//                                                 `index < extent ? element : 0`
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "judge/repair/maker.h"

enum { PARAMETERS = 6, GUARDS = 8, SUBSCRIPTS = 6 };

struct range {
    uint32_t first, last; // tokens
    int leaves;           // 1: the condition of an `if (…) return;`
};

struct guard {
    struct maker *m;
    const struct source *s;
    uint32_t at, body;              // the access, and the bracket that opens the function's body
    uint32_t parameter[PARAMETERS]; // tokens: names of the function's integer parameters
    uint32_t parameters;
    struct range condition[GUARDS];
    uint32_t conditions;
    uint32_t subscript[SUBSCRIPTS]; // tokens: the opening brackets of indices in the access's statement
    uint32_t subscripts;
};

// ---------------------------------------------------------------------------------------------------------- looking
// Stores the integer parameters of the function whose parameter list opens at token t in g->parameter.
static void find_parameters(struct guard *g, uint32_t t)
{
    const struct source *s = g->s;
    for (uint32_t end = s->token[t].mate, first = t + 1; first < end && g->parameters < PARAMETERS;) {
        uint32_t next = source_forward(s, first, ","), is_integer = 0, is_address = 0;
        for (uint32_t k = first; k < next; ++k) {
            is_integer |= source_is(s, k, "int") || source_is(s, k, "unsigned") || source_is(s, k, "size_t") ||
                          source_is(s, k, "long") || source_word_begins(s, k, "int32") || source_is(s, k, "uint32_t");
            is_address |= source_is(s, k, "*") || source_is(s, k, "[") || source_is(s, k, "&");
        }
        if (is_integer && !is_address && next > first + 1) g->parameter[g->parameters++] = next - 1;
        first = next + 1;
    }
}

static void add_condition(struct guard *g, uint32_t bracket, int leaves)
{
    if (g->conditions < GUARDS)
        g->condition[g->conditions++] = (struct range){bracket + 1, g->s->token[bracket].mate - 1, leaves};
}

// Stores the conditions that decide whether the access g->at happens in g->condition.
static void find_conditions(struct guard *g)
{
    const struct source *s = g->s;
    uint32_t begin[LEVELS], n = maker_around(s, g->at, begin);
    for (uint32_t level = 0; level < n; ++level)
        for (uint32_t t = begin[level]; maker_is_header(s, t) && t <= g->at; t = s->token[t + 1].mate + 1)
            add_condition(g, t + 1, 0);
    for (uint32_t t = g->body; t < g->at; ++t) {
        if (!source_is(s, t, "if") || !source_is(s, t + 1, "(")) continue;
        uint32_t then = s->token[t + 1].mate + 1;
        if (source_is(s, then, "return") || (source_is(s, then, "{") && source_is(s, then + 1, "return")))
            add_condition(g, t + 1, 1);
    }
}

static void find_subscripts(struct guard *g)
{
    const struct source *s = g->s;
    uint32_t begin = maker_begin(s, g->at), end = maker_end(s, begin);
    for (uint32_t t = begin; t <= end && g->subscripts < SUBSCRIPTS; ++t)
        if (source_is(s, t, "[") && s->token[t].line == s->token[g->at].line && !source_is_extent(s, t))
            g->subscript[g->subscripts++] = t;
}

// ------------------------------------------------------------------------------------------------------- rewriting
// Copies the tokens of the range `r` to `out`, with the name `from` replaced by the name `to`. If `swap` is 1, also
// replaces the name `to` by the name `from`. Returns 1 if these replacements change the text and the changed text fits
// into `out`.
static int renamed(const struct source *s, struct range r, uint32_t from, uint32_t to, int swap, char out[STATEMENT])
{
    uint32_t length = 0, at = s->token[r.first].begin, changed = 0;
    for (uint32_t t = r.first; t <= r.last; ++t) {
        uint32_t name = t;
        if (source_same(s, t, from)) name = to;
        if (swap && source_same(s, t, to)) name = from;
        changed += name != t;
        length += (uint32_t)snprintf(out + length, STATEMENT - length, "%.*s%.*s", (int)(s->token[t].begin - at),
                                     s->text.data + at, (int)(s->token[name].end - s->token[name].begin),
                                     s->text.data + s->token[name].begin);
        if (length >= STATEMENT) return 0;
        at = s->token[t].end;
    }
    return changed > (swap ? 1u : 0u);
}

// Proposes `<` for `<=` in the conditions around the access. A function that calls the access's own, such as a loop
// that takes a lambda, is not known, so the conditions of all loops come last (one_too_far_elsewhere).
static void one_too_far(struct guard *g)
{
    for (uint32_t i = 0; i < g->conditions; ++i)
        for (uint32_t t = g->condition[i].first; t <= g->condition[i].last; ++t) {
            if (source_is(g->s, t, "<=") && !g->condition[i].leaves) maker_instead(g->m, t, t, "<");
            if (source_is(g->s, t, ">") && g->condition[i].leaves) maker_instead(g->m, t, t, ">=");
        }
}

static void one_too_far_elsewhere(struct guard *g)
{
    const struct source *s = g->s;
    for (uint32_t t = 0; t + 1 < s->count; ++t) {
        if (!source_is(s, t, "for") || !source_is(s, t + 1, "(")) continue;
        for (uint32_t k = t + 2; k < s->token[t + 1].mate; ++k)
            if (source_is(s, k, "<=")) maker_instead(g->m, k, k, "<");
    }
}

// Returns how many elements the vector type has that the access's statement names, or 0.
static uint32_t vector_width(const struct guard *g)
{
    static const char *const type[] = {"float", "uint", "int", "double"};
    uint32_t begin = maker_begin(g->s, g->at), end = maker_end(g->s, begin);
    for (uint32_t t = begin; t <= end; ++t)
        for (size_t i = 0; i < sizeof type / sizeof *type; ++i)
            if (source_word_begins(g->s, t, type[i])) {
                char last = g->s->text.data[g->s->token[t].end - 1];
                if (last == '2' || last == '4') return (uint32_t)(last - '0');
            }
    return 0;
}

static void vector_beyond_the_end(struct guard *g)
{
    const struct source *s = g->s;
    uint32_t width = vector_width(g);
    char text[STATEMENT + 16], old[STATEMENT];
    for (uint32_t i = 0; width && i < g->conditions; ++i)
        for (uint32_t t = g->condition[i].first; t <= g->condition[i].last; ++t) {
            uint32_t last = s->token[t].mate;
            if (source_is(s, t, "<") && t > g->condition[i].first) {
                uint32_t first = source_backward(s, t, "&& || ; ,");
                maker_copy(s, first, t - 1, old);
                snprintf(text, sizeof text, "%s + %u", old, width - 1);
                if (old[0]) maker_instead(g->m, first, t - 1, text);
            }
            if (!source_is(s, t, "(") || !source_is(s, last + 1, "/") || last < t + 4) continue;
            if (!source_is(s, last - 2, "+") || s->token[last - 1].kind != TOKEN_NUMBER) continue;
            maker_copy(s, t + 1, last - 3, old);
            if (old[0]) maker_instead(g->m, t, last, old);
        }
}

static void extents_confused(struct guard *g)
{
    char text[STATEMENT];
    for (uint32_t p = 0; p < g->parameters; ++p)
        for (uint32_t q = p + 1; q < g->parameters; ++q)
            for (uint32_t i = 0; i < g->conditions; ++i)
                if (renamed(g->s, g->condition[i], g->parameter[p], g->parameter[q], 1, text))
                    maker_instead(g->m, g->condition[i].first, g->condition[i].last, text);
    for (uint32_t i = 0; i < g->subscripts; ++i) {
        struct range r = {g->subscript[i] + 1, g->s->token[g->subscript[i]].mate - 1, 0};
        for (uint32_t p = 0; p < g->parameters; ++p)
            for (uint32_t q = 0; q < g->parameters; ++q)
                if (p != q && renamed(g->s, r, g->parameter[p], g->parameter[q], 0, text))
                    maker_instead(g->m, r.first, r.last, text);
    }
}

static void indices_confused(struct guard *g)
{
    const struct source *s = g->s;
    for (uint32_t i = 0; i < g->subscripts; ++i) {
        uint32_t one = g->subscript[i], end = s->token[one].mate, two = end + 1;
        char first[STATEMENT], second[STATEMENT], text[2 * STATEMENT + 8];
        if (!source_is(s, two, "[")) continue;
        maker_copy(s, one + 1, end - 1, first);
        maker_copy(s, two + 1, s->token[two].mate - 1, second);
        snprintf(text, sizeof text, "[%s][%s]", second, first);
        if (first[0] && second[0]) maker_instead(g->m, one, s->token[two].mate, text);
    }
}

// -------------------------------------------------------------------------------------------------------- lengths
// Proposes `text` for the token `at` of the expression from `first` to `last`; the proposal names the whole expression.
static void instead_in(struct guard *g, uint32_t first, uint32_t last, uint32_t at, const char *text)
{
    const struct token *k = g->s->token;
    const char *source = g->s->text.data;
    char all[STATEMENT];
    int length = snprintf(all, sizeof all, "%.*s%s%.*s", (int)(k[at].begin - k[first].begin), source + k[first].begin,
                          text, (int)(k[last].end - k[at].end), source + k[at].end);
    if (length < STATEMENT) maker_instead(g->m, first, last, all);
}

// Proposes a larger factor for LAUNCH's `.shared`, of which the tokens from `first` to `last` are the value. An index
// such as `y * (X + PAD) + x` or `y * 33 + x` shows by how much a factor X or 32 must grow.
static void shared_with_padding(struct guard *g, uint32_t first, uint32_t last)
{
    const struct source *s = g->s;
    for (uint32_t f = first; f <= last; ++f) {
        char old[STATEMENT], text[2 * STATEMENT + 16] = "";
        int is_number = s->token[f].kind == TOKEN_NUMBER;
        if ((!is_number && s->token[f].kind != TOKEN_WORD) || s->token[f].inside != s->token[first].inside) continue;
        maker_copy(s, f, f, old);
        for (uint32_t t = 1; t + 2 < s->count && !text[0] && old[0]; ++t) {
            char more[STATEMENT];
            maker_copy(s, t, t, more);
            if (is_number && s->token[t].kind == TOKEN_NUMBER && source_is(s, t - 1, "*") &&
                strtoul(more, NULL, 0) == strtoul(old, NULL, 0) + 1)
                snprintf(text, sizeof text, "%s", more);
            maker_copy(s, t + 2, t + 2, more);
            if (source_same(s, t, f) && source_is(s, t + 1, "+") && (is_number || source_is(s, t - 1, "(")) &&
                (s->token[t + 2].kind == TOKEN_NUMBER || source_is_constant(s, t + 2)))
                snprintf(text, sizeof text, "(%s + %s)", old, more);
        }
        if (text[0]) instead_in(g, first, last, f, text);
    }
}

// Returns 1 if the size of a type is a factor of the tokens from `first` to `last`, which then count bytes.
static int counts_bytes(const struct source *s, uint32_t first, uint32_t last)
{
    for (uint32_t t = first; t <= last; ++t)
        if (source_is(s, t, "sizeof") || source_is(s, t, "4")) return 1;
    return 0;
}

static void shared_too_small(struct guard *g)
{
    const struct source *s = g->s;
    uint32_t type = NOWHERE;
    if (g->m->f->space != SPACE_SHARED) return;
    for (uint32_t t = 0; t + 3 < s->count; ++t)
        if (source_is(s, t, "extern") && source_is(s, t + 1, "__shared__")) type = t + 2;
    for (uint32_t t = 0; type != NOWHERE && t + 3 < s->count; ++t) {
        char old[STATEMENT], name[STATEMENT], text[2 * STATEMENT + 16];
        if (!source_is(s, t, ".") || !source_is(s, t + 1, "shared") || !source_is(s, t + 2, "=")) continue;
        uint32_t last = source_forward(s, t + 3, ",") - 1;
        maker_copy(s, t + 3, last, old);
        maker_copy(s, type, type, name);
        snprintf(text, sizeof text, "%s * sizeof(%s)", old, name);
        shared_with_padding(g, t + 3, last);
        if (old[0] && !counts_bytes(s, t + 3, last)) maker_instead(g->m, t + 3, last, text);
    }
}

// Proposes one more element, or twice as many, for the extent between two brackets.
static void larger_extent(struct guard *g, uint32_t first, uint32_t last)
{
    const struct source *s = g->s;
    char old[STATEMENT], text[STATEMENT + 16];
    maker_copy(s, first, last, old);
    if (!old[0]) return;
    if (first == last && s->token[first].kind == TOKEN_NUMBER) {
        unsigned long n = strtoul(old, NULL, 0);
        for (unsigned long larger = n + 1; n; larger = 2 * n) {
            snprintf(text, sizeof text, "%lu", larger);
            maker_instead(g->m, first, last, text);
            if (larger == 2 * n) return;
        }
    } else if (last > first + 1 && source_is(s, last - 1, "-") && source_is(s, last, "1")) {
        maker_copy(s, first, last - 2, text);
        maker_instead(g->m, first, last, text);
    } else {
        snprintf(text, sizeof text, "%s + 1", old);
        maker_instead(g->m, first, last, text);
        snprintf(text, sizeof text, first == last ? "2 * %s" : "2 * (%s)", old);
        maker_instead(g->m, first, last, text);
    }
}

// Proposes larger extents from the last one on: an index that is too large for its extent reaches the next row, and
// only in the last row the end of the array.
static void larger_extents(struct guard *g, uint32_t bracket)
{
    uint32_t last = bracket;
    while (source_is(g->s, g->s->token[last].mate + 1, "[")) last = g->s->token[last].mate + 1;
    for (uint32_t k = last; k >= bracket; k = g->s->token[k - 1].mate) {
        if (g->s->token[k].mate > k + 1) larger_extent(g, k + 1, g->s->token[k].mate - 1);
        if (k == bracket) return;
    }
}

static void array_too_small(struct guard *g)
{
    const struct source *s = g->s;
    const char *name = g->m->f->symbol, *colon = strrchr(name, ':');
    if (g->m->f->space != SPACE_SHARED && g->m->f->space != SPACE_LOCAL) return;
    if (colon) name = colon + 1;
    for (uint32_t t = 0; name[0] && t + 1 < s->count; ++t)
        if (source_is(s, t, name) && source_is(s, t + 1, "[") && source_is_extent(s, t + 1)) larger_extents(g, t + 1);
}

static void remainder_of_length(struct guard *g)
{
    const struct finding *f = g->m->f;
    uint64_t length = f->size ? f->extent / f->size : 0;
    if (f->space != SPACE_SHARED && f->space != SPACE_LOCAL) return;
    for (uint32_t i = 0; i < g->subscripts && length > 1; ++i) {
        uint32_t first = g->subscript[i] + 1, last = g->s->token[g->subscript[i]].mate - 1;
        char old[STATEMENT], text[STATEMENT + 32];
        maker_copy(g->s, first, last, old);
        snprintf(text, sizeof text, first == last ? "%s %% %llu" : "(%s) %% %llu", old, (unsigned long long)length);
        if (old[0]) maker_instead(g->m, first, last, text);
    }
}

// --------------------------------------------------------------------------------------------------------- no guard
// Returns the token before which `if (condition)` goes so that it decides about the access at token `at`. A condition
// of an index goes into the loop, where the loop's variables are known. Returns NOWHERE if no statement can get one.
static uint32_t place_of_condition(const struct source *s, uint32_t at)
{
    uint32_t begin = maker_begin(s, at);
    while (maker_is_header(s, begin) && !source_is(s, begin, "if") && s->token[begin + 1].mate < at)
        begin = s->token[begin + 1].mate + 1;
    return source_declares(s, begin) || source_is(s, begin, "return") || source_is(s, begin, "{") ? NOWHERE : begin;
}

// Proposes to execute the statement that begins at token `begin` only if `condition` holds.
static void only_if(struct guard *g, uint32_t begin, const char *condition)
{
    const struct source *s = g->s;
    char text[STATEMENT + 8];
    struct repair *r = begin == NOWHERE ? NULL : maker_new(g->m);
    if (!r) return;
    r->strict = 1;
    snprintf(text, sizeof text, "if (%s) ", condition);
    maker_replace(r, s->token[begin].begin, s->token[begin].begin, text);
    message_print(r->sentence, sizeof r->sentence, "put 'if (%s)' before the statement of line %u", condition,
                  s->token[begin].line);
}

// Proposes to execute each statement of the function that has the index behind the token `bracket` only if this index
// is less than the array's length. A block may have more threads than a shared array has elements.
static void under_length(struct guard *g, uint32_t bracket)
{
    const struct source *s = g->s;
    const struct finding *f = g->m->f;
    uint64_t length = f->size ? f->extent / f->size : 0;
    char index[STATEMENT], other[STATEMENT], text[STATEMENT + 32], lines[STATEMENT] = "";
    struct repair r = {.strict = 1};
    uint32_t last = NOWHERE;
    maker_copy(s, bracket + 1, s->token[bracket].mate - 1, index);
    if ((f->space != SPACE_SHARED && f->space != SPACE_LOCAL) || length < 2 || !index[0]) return;
    snprintf(text, sizeof text, "if (%s < %llu) ", index, (unsigned long long)length);
    for (uint32_t t = g->body; t < s->token[g->body].mate; ++t) {
        if (!source_is(s, t, "[") || source_is_extent(s, t)) continue;
        maker_copy(s, t + 1, s->token[t].mate - 1, other);
        if (strcmp(index, other) != 0) continue;
        uint32_t begin = place_of_condition(s, t);
        if (begin == NOWHERE || r.nedits == REPAIR_EDITS) return;
        if (begin == last) continue;
        maker_replace(&r, s->token[begin].begin, s->token[begin].begin, text);
        size_t used = strlen(lines);
        snprintf(lines + used, sizeof lines - used, used ? ", %u" : "%u", s->token[begin].line);
        last = begin;
    }
    struct repair *kept = r.nedits ? maker_new(g->m) : NULL;
    if (!kept) return;
    *kept = r;
    text[strlen(text) - 1] = '\0';
    message_print(kept->sentence, sizeof kept->sentence,
                  r.nedits == 1 ? N_("put '%s' before the statement of line %s")
                                : N_("put '%s' before each of the statements of lines %s"),
                  text, lines);
}

// Returns 1 if the threads of the block wait for each other in the function. Warps that wait for their own lanes may
// leave as a whole.
static int is_awaited(const struct guard *g)
{
    for (uint32_t t = g->body; t < g->s->token[g->body].mate; ++t)
        if (source_word_begins(g->s, t, "__syncthreads") || source_is(g->s, t, "sync") || source_is(g->s, t, "wait"))
            return 1;
    return 0;
}

// Proposes that threads leave the function before the access if their index is not less than an extent.
static void leave(struct guard *g, const char *index, const char *extent)
{
    const struct source *s = g->s;
    uint32_t begin[LEVELS], n = maker_around(s, g->at, begin);
    char text[STATEMENT];
    int length = snprintf(text, sizeof text, "if (%s >= %s) return;", index, extent);
    struct repair *r = n && length < STATEMENT - 1 && !is_awaited(g) ? maker_new(g->m) : NULL;
    if (!r) return;
    r->strict = 1;
    message_print(r->sentence, sizeof r->sentence, "put '%s' before line %u", text, s->token[begin[n - 1]].line);
    snprintf(text + length, sizeof text - (size_t)length, " ");
    maker_replace(r, s->token[begin[n - 1]].begin, s->token[begin[n - 1]].begin, text);
}

// Proposes to read an element only if `condition` holds, and to use the value 0 otherwise. The token `bracket` is the
// '[' before the element's index.
static void read_only_if(struct guard *g, uint32_t bracket, const char *condition)
{
    const struct source *s = g->s;
    uint32_t last = s->token[bracket].mate;
    char element[STATEMENT], text[2 * STATEMENT + 16];
    if (!bracket || s->token[bracket - 1].kind != TOKEN_WORD || source_is(s, last + 1, "=")) return;
    maker_copy(s, bracket - 1, last, element);
    snprintf(text, sizeof text, "(%s ? %s : 0)", condition, element);
    if (element[0]) maker_instead(g->m, bracket - 1, last, text);
}

static void name_of(const struct guard *g, uint32_t p, char out[STATEMENT])
{
    maker_copy(g->s, g->parameter[p], g->parameter[p], out);
}

// Returns 1 if a condition of the access is `index < extent` already, or if the index is the variable of a loop.
static int is_guarded(const struct guard *g, const char *index, const char *condition)
{
    char old[STATEMENT], less[STATEMENT + 4];
    snprintf(less, sizeof less, "%s <", index);
    for (uint32_t i = 0; i < g->conditions; ++i) {
        maker_copy(g->s, g->condition[i].first, g->condition[i].last, old);
        int is_loop = source_is(g->s, g->condition[i].first - 2, "for");
        if (strstr(old, is_loop ? less : condition)) return 1;
    }
    return 0;
}

// Copies the text of the tokens from `first` to `last`, without brackets around a sum.
static void copy_sum(const struct source *s, uint32_t first, uint32_t last, char out[STATEMENT])
{
    int is_sum = source_is(s, first, "(") && s->token[first].mate == last;
    for (uint32_t t = first + 1; is_sum && t < last; ++t)
        is_sum = s->token[t].kind != TOKEN_SIGN || source_is(s, t, "+") || source_is(s, t, "-") || source_is(s, t, "*");
    maker_copy(s, first + (uint32_t)is_sum, last - (uint32_t)is_sum, out);
}

static void under(struct guard *g, uint32_t bracket, const char *index, uint32_t p)
{
    char extent[STATEMENT], condition[2 * STATEMENT + 8];
    name_of(g, p, extent);
    snprintf(condition, sizeof condition, "%s < %s", index, extent);
    if (strlen(condition) >= STATEMENT || is_guarded(g, index, condition)) return;
    leave(g, index, extent);
    only_if(g, place_of_condition(g->s, bracket), condition);
    read_only_if(g, bracket, condition);
}

// Proposes conditions such as `index < extent` for the index behind the token `bracket`. In an index `row * width +
// column`, row and column get conditions of their own.
static void no_guard(struct guard *g, uint32_t bracket)
{
    const struct source *s = g->s;
    uint32_t first = bracket + 1, last = s->token[bracket].mate - 1, times = source_forward(s, first, "* + -");
    char index[STATEMENT], row[STATEMENT];
    maker_copy(s, first, last, index);
    if (!index[0]) return;
    for (uint32_t p = 0; source_is(s, times, "*") && p < g->parameters; ++p) {
        if (!source_same(s, times + 1, g->parameter[p])) continue;
        copy_sum(s, first, times - 1, row);
        for (uint32_t q = 0; q < g->parameters; ++q)
            if (q != p && row[0]) under(g, bracket, row, q);
        if (source_is(s, times + 2, "+")) maker_copy(s, times + 3, last, index), under(g, bracket, index, p);
        return;
    }
    for (uint32_t p = 0; p < g->parameters; ++p) under(g, bracket, index, p);
}

// Proposes to execute the whole statement only under a condition on a local variable that depends on the block, such as
// `row < rows`.
static void no_guard_of_blocks(struct guard *g)
{
    const struct source *s = g->s;
    uint32_t begin[LEVELS], n = maker_around(s, g->at, begin);
    for (uint32_t t = g->body; n && t < begin[n - 1]; ++t) {
        if (!source_is(s, t, "blockIdx")) continue;
        uint32_t name = source_backward(s, t, ", ;");
        while (name < t && !source_is(s, name + 1, "=")) ++name;
        for (uint32_t p = 0; name < t && p < g->parameters; ++p) {
            char variable[STATEMENT], extent[STATEMENT], condition[2 * STATEMENT + 8];
            maker_copy(s, name, name, variable);
            name_of(g, p, extent);
            snprintf(condition, sizeof condition, "%s < %s", variable, extent);
            if (strlen(condition) < STATEMENT) only_if(g, place_of_condition(s, begin[n - 1]), condition);
        }
    }
}

void maker_guard(struct maker *m)
{
    struct guard g = {.m = m, .s = m->s, .at = maker_token(m->s, &m->f->at)};
    if (g.at == NOWHERE) return;
    for (g.body = g.at; m->s->token[g.body].inside != NOWHERE;) g.body = m->s->token[g.body].inside;
    if (!source_is(m->s, g.body, "{") || !g.body || !source_is(m->s, g.body - 1, ")")) return;
    find_parameters(&g, m->s->token[g.body - 1].mate);
    find_conditions(&g);
    find_subscripts(&g);
    one_too_far(&g);
    extents_confused(&g);
    indices_confused(&g);
    if (m->f->kind != FINDING_out_of_bounds) return;
    vector_beyond_the_end(&g);
    shared_too_small(&g);
    for (uint32_t i = 0; i < g.subscripts; ++i) under_length(&g, g.subscript[i]);
    array_too_small(&g);
    remainder_of_length(&g);
    for (uint32_t i = 0; i < g.subscripts; ++i) no_guard(&g, g.subscript[i]);
    no_guard_of_blocks(&g);
    one_too_far_elsewhere(&g);
}
