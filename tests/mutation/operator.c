// Each operator is a function that looks at one token and adds what it makes of it: one piece of text in place of
// another. They know the form of the source, never its meaning: what comes out may be equivalent, or not compile. No
// operator adds or removes a line.
#include "operator.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"

const struct operator_info operator_info[OPERATORS] = {
#define OPERATOR(id, what) {#id, what},
#include "operator.def"
#undef OPERATOR
};

struct finder {
    const struct source *s;
    struct mutants *out;
    enum operator_id by;
};

// Tokens first … last are replaced; each "%.*s" in the format stands for what was there.
static void put(struct finder *f, uint32_t first, uint32_t last, const char *format)
{
    const struct source *s = f->s;
    struct mutants *out = f->out;
    struct text instead = {0};
    uint32_t begin = s->token[first].begin, end = s->token[last].end;
    for (const char *there; (there = strstr(format, "%.*s")); format = there + 4) {
        text_add(&instead, format, (size_t)(there - format));
        text_add(&instead, s->text.data + begin, end - begin);
    }
    text_puts(&instead, format);
    text_add(&instead, "", 1);
    if (out->count == out->capacity) {
        out->capacity = 2 * out->capacity + 64;
        out->item = realloc(out->item, out->capacity * sizeof *out->item);
        if (!out->item) die("out of memory");
    }
    out->item[out->count++] = (struct mutant){
        .source = s, .by = f->by, .begin = begin, .end = end, .instead = instead.data, .line = s->token[first].line};
}

// ------------------------------------------------------------------------------------------------- synchronisation
static void remove_call(struct finder *f, uint32_t t, const char *name)
{
    if (source_word_begins(f->s, t, name) && source_is(f->s, t + 1, "(")) put(f, t, f->s->token[t + 1].mate, "");
}

static void find_barrier(struct finder *f, uint32_t t)
{
    remove_call(f, t, "__syncthreads");
}

static void find_warp_barrier(struct finder *f, uint32_t t)
{
    remove_call(f, t, "__syncwarp");
}

static void find_fence(struct finder *f, uint32_t t)
{
    remove_call(f, t, "__threadfence");
}

static void find_atomic(struct finder *f, uint32_t t)
{
    static const char *const plain[][2] = {{"atomicAdd", "+="}, {"atomicSub", "-="}, {"atomicOr", "|="},
                                           {"atomicAnd", "&="}, {"atomicXor", "^="}, {"atomicExch", "="}};
    const struct source *s = f->s;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
        if (!source_is(s, t, plain[i][0]) || !source_is(s, t + 1, "(")) continue;
        uint32_t comma = source_forward(s, t + 2, ","), end = s->token[t + 1].mate;
        struct text instead = {0};
        text_printf(&instead, "(*(%.*s) %s (%.*s))", (int)(s->token[comma].begin - s->token[t + 2].begin),
                    s->text.data + s->token[t + 2].begin, plain[i][1], (int)(s->token[end].begin - s->token[comma].end),
                    s->text.data + s->token[comma].end);
        put(f, t, end, instead.data);
        text_free(&instead);
    }
}

// ------------------------------------------------------------------------------------------------- conditions
#define OPERAND_STOPS "&& || ? : , ; = += -= return"

static int is_exit(const struct source *s, uint32_t t)
{
    t += source_is(s, t, "{");
    return source_is(s, t, "return") || source_is(s, t, "break") || source_is(s, t, "continue");
}

static void find_guard(struct finder *f, uint32_t t)
{
    const struct source *s = f->s;
    if (source_is(s, t, "if") && source_is(s, t + 1, "(")) {
        uint32_t end = s->token[t + 1].mate;
        put(f, t + 2, end - 1, is_exit(s, end + 1) ? "false" : "true");
    } else if (source_is(s, t, "?")) {
        put(f, source_backward(s, t, ", ; = += : ? return"), t - 1, "true");
    } else if (source_is(s, t, "&&") || source_is(s, t, "||")) {
        uint32_t left = source_backward(s, t, OPERAND_STOPS), right = source_forward(s, t + 1, OPERAND_STOPS);
        if (!source_is(s, left - 1, "&&") && !source_is(s, left - 1, "||")) put(f, left, t, "");
        put(f, t, right - 1, "");
    }
}

// One further than right: one less far is half of what `loop` does, and shows in the first output.
static void find_bound(struct finder *f, uint32_t t)
{
    static const char *const shifted[][2] = {{"<", "<="}, {"<=", "- 1 <="}, {">", ">="}, {">=", "+ 1 >="}};
    const struct source *s = f->s;
    for (size_t i = 0; i < sizeof shifted / sizeof *shifted; ++i)
        if (source_is(s, t, shifted[i][0]) && !s->token[t].is_template) put(f, t, t, shifted[i][1]);
    if (source_is(s, t, "min") && source_is(s, t + 1, "(")) put(f, t, s->token[t + 1].mate, "(%.*s + 1)");
}

// ------------------------------------------------------------------------------------------------- values
// Numbers, constants' names, signs and braces of them: from t up to `end`.
static int is_constant(const struct source *s, uint32_t t, uint32_t end)
{
    for (; t < end; ++t) {
        int is_word = s->token[t].kind == TOKEN_WORD;
        if (is_word ? !source_is_constant(s, t) : s->token[t].kind != TOKEN_NUMBER && s->token[t].kind != TOKEN_SIGN)
            return 0;
    }
    return 1;
}

static void find_initialisation(struct finder *f, uint32_t t)
{
    const struct source *s = f->s;
    if (!source_is(s, t, "=") || s->token[t].inside == NOWHERE || s->token[t].defines) return;
    uint32_t around = s->token[t].inside, end = source_forward(s, t + 1, ", ;"), first = source_statement(s, t);
    if (source_is(s, around - 1, "enum") || source_is(s, around - 1, "for") || source_is(s, first, "const") ||
        !is_constant(s, t + 1, end))
        return;
    if (source_declares(s, first))
        put(f, t, end - 1, "");
    else if (source_is(s, around, "{") && source_is(s, end, ";"))
        put(f, source_backward(s, t, "; } )"), end - 1, "");
}

static void find_index(struct finder *f, uint32_t t)
{
    const struct source *s = f->s;
    uint32_t end = s->token[t].mate;
    if (end == NOWHERE || end < t + 2 || s->token[t].defines) return;
    int is_cast = source_is(s, t, "(") && s->token[t].inside != NOWHERE &&
                  ((source_is(s, t - 1, ">") && s->token[t - 1].is_template && source_is(s, t - 2, "*")) ||
                   (source_is(s, t - 1, ")") && source_is(s, t - 2, "*")));
    if (is_cast ? source_is(s, source_forward(s, t + 1, "+"), "+") : source_is(s, t, "[") && !source_is_extent(s, t))
        put(f, t + 1, end - 1, "(%.*s) + 1");
}

static int is_enumerator(const struct source *s, uint32_t t)
{
    return s->token[t].inside != NOWHERE && source_is(s, s->token[t].inside - 1, "enum");
}

static void find_padding(struct finder *f, uint32_t t)
{
    const struct source *s = f->s;
    uint32_t around = s->token[t].inside;
    if (!source_is(s, t, "+") || around == NOWHERE) return;
    if ((source_is(s, around, "[") && source_is_extent(s, around)) || is_enumerator(s, t))
        put(f, t, source_forward(s, t, ",") - 1, "");
}

static void find_mask(struct finder *f, uint32_t t)
{
    const struct source *s = f->s;
    if (t == 0) return;
    int is_value = s->token[t].kind == TOKEN_NUMBER || source_is_constant(s, t);
    int follows_value = s->token[t - 1].end < s->token[t].begin; // "a & 255", not "&BINS"
    if (is_value && ((source_is(s, t - 1, "&") && follows_value) || source_is(s, t - 1, "%")))
        put(f, t, t, "(%.*s / 2)");
    else if (is_value && !strncmp(s->text.data + s->token[t].begin, "0x", 2))
        put(f, t, t, "(%.*s / 2)");
}

// #define NAME value, enum { NAME = value }, LAUNCH(kernel, .block = {value, value}, .per_sm = value)
static void find_tile(struct finder *f, uint32_t t)
{
    const struct source *s = f->s;
    const struct token *token = &s->token[t];
    if (source_is(s, t, "define") && token->defines) {
        uint32_t end = t + 2;
        while (s->token[end].defines && s->token[end].line == token->line) ++end;
        if (end > t + 2 && strncmp(s->text.data + s->token[t + 2].begin, "0x", 2) != 0)
            put(f, t + 2, end - 1, "((%.*s) / 2)");
        return;
    }
    if (source_is(s, t, "=") && is_enumerator(s, t)) put(f, t + 1, source_forward(s, t, ",") - 1, "(%.*s) / 2");
    uint32_t launch = token->inside;
    if (launch != NOWHERE && source_is(s, launch, "{")) launch = s->token[launch].inside;
    if (launch == NOWHERE || !launch || !source_is(s, launch - 1, "LAUNCH")) return;
    int begins = source_is(s, t, "{") || (source_is(s, t, "=") && !source_is(s, t + 1, "{")) ||
                 (source_is(s, t, ",") && token->inside != launch);
    if (begins) put(f, t + 1, source_forward(s, t + 1, ",") - 1, "(%.*s) / 2");
}

static void find_loop(struct finder *f, uint32_t t)
{
    const struct source *s = f->s;
    if (!source_is(s, t, "for") || !source_is(s, t + 1, "(")) return;
    uint32_t end = s->token[t + 1].mate, first_end = source_statement_end(s, t + 2);
    uint32_t step = source_statement_end(s, first_end + 1) + 1, start = source_forward(s, t + 2, "= ;");
    if (source_is(s, start, "=")) put(f, start + 1, source_forward(s, start, ", ;") - 1, "(%.*s) + 1");
    uint32_t by = source_forward(s, step, "+= -= *= /= >>= <<=");
    if (by < end)
        put(f, by + 1, source_forward(s, by, ",") - 1, "(%.*s) + 1");
    else if (source_is(s, step, "++") || source_is(s, end - 1, "++"))
        put(f, step, end - 1, "%.*s, %.*s");
}

// ------------------------------------------------------------------------------------------------- order
static int is_simple(const struct source *s, uint32_t t)
{
    static const char *const keyword[] = {"if", "for", "while", "do", "return", "break", "continue", "else", "switch"};
    for (size_t i = 0; i < sizeof keyword / sizeof *keyword; ++i)
        if (source_is(s, t, keyword[i])) return 0;
    return t < s->count && !source_is(s, t, ";") && !source_is(s, t, "{") && !source_is(s, t, "}");
}

static int touches_memory(const struct source *s, uint32_t t, uint32_t end)
{
    for (; t < end; ++t)
        if (source_is(s, t, "[") && !source_is_extent(s, t)) return 1;
    return 0;
}

static int is_barrier(const struct source *s, uint32_t t)
{
    return source_word_begins(s, t, "__sync") || source_word_begins(s, t, "__threadfence");
}

// Does what the statement at `from` assigns to occur in the tokens t … end?
static int assigns_what_is_in(const struct source *s, uint32_t from, uint32_t t, uint32_t end)
{
    uint32_t to = source_forward(s, from, "= += -= *= /= %= &= |= ^= ;"), length = to - from;
    if (source_is(s, to, ";") || source_declares(s, from)) return 0;
    for (; t + length <= end; ++t) {
        uint32_t same = 0;
        while (same < length && source_same(s, from + same, t + same)) ++same;
        if (same == length) return 1;
    }
    return 0;
}

// Neighbours that have nothing to do with each other may stand in either order: one must assign what the other uses, or
// be a barrier.
static void find_swap(struct finder *f, uint32_t t)
{
    const struct source *s = f->s;
    uint32_t around = s->token[t].inside;
    if (t == 0 || around == NOWHERE || !source_is(s, around, "{") || !is_simple(s, t)) return;
    if (!source_is(s, t - 1, ";") && !source_is(s, t - 1, "}") && t - 1 != around) return;
    uint32_t end = source_statement_end(s, t), next = end + 1, last = source_statement_end(s, next);
    if (!source_is(s, end, ";") || !source_is(s, last, ";") || !is_simple(s, next)) return;
    if (s->token[next].inside != around || !(touches_memory(s, t, end) || touches_memory(s, next, last))) return;
    if (!is_barrier(s, t) && !is_barrier(s, next) && !assigns_what_is_in(s, t, next, last) &&
        !assigns_what_is_in(s, next, t, end))
        return;
    const char *text = s->text.data;
    uint32_t gap = s->token[end].end, after = s->token[next].begin, begin = s->token[t].begin;
    struct text instead = {0};
    text_add(&instead, text + after, s->token[last].end - after);
    text_add(&instead, text + gap, after - gap);
    text_add(&instead, text + begin, gap - begin);
    if (!memchr(text + gap, '#', after - gap)) put(f, t, last, instead.data);
    text_free(&instead);
}

// ------------------------------------------------------------------------------------------------- all of them
static void (*const find[OPERATORS])(struct finder *, uint32_t) = {
#define OPERATOR(id, what) find_##id,
#include "operator.def"
#undef OPERATOR
};

void operator_source(const struct mutant *m, struct text *out)
{
    const struct text *text = &m->source->text;
    text_add(out, text->data, m->begin);
    text_puts(out, m->instead);
    text_add(out, text->data + m->end, text->length - m->end);
}

static void make_label(struct mutant *m)
{
    struct text whole = {0}, label = {0};
    operator_source(m, &whole);
    size_t at = m->begin, end = m->begin + strlen(m->instead);
    while (at > 0 && whole.data[at - 1] != '\n') --at;
    while (whole.data[end] && whole.data[end] != '\n') ++end;
    for (; at < end; ++at) {
        if (whole.data[at] == '/' && whole.data[at + 1] == '/') at += strcspn(whole.data + at, "\n");
        if (!isspace((unsigned char)whole.data[at]))
            text_add(&label, whole.data + at, 1);
        else if (label.length && label.data[label.length - 1] != ' ')
            text_puts(&label, " ");
    }
    while (label.length && label.data[label.length - 1] == ' ') --label.length;
    text_add(&label, "", 1);
    text_free(&whole);
    m->label = label.data;
}

// The second and later ones of a source that read the same get a number.
static void number_labels(struct mutants *all, uint32_t from)
{
    for (uint32_t i = all->count; i-- > from;) {
        struct mutant *m = &all->item[i];
        unsigned nth = 1;
        for (uint32_t k = from; k < i; ++k) nth += all->item[k].by == m->by && !strcmp(all->item[k].label, m->label);
        if (nth == 1) continue;
        struct text label = {0};
        text_printf(&label, "%s (%u)", m->label, nth);
        free(m->label);
        m->label = label.data;
    }
}

void operator_apply(const struct source *s, struct mutants *out, int (*skip)(void *, uint32_t), void *data)
{
    uint32_t from = out->count;
    for (uint32_t t = 0; t < s->count; ++t) {
        if (skip(data, t)) continue;
        for (int by = 0; by < OPERATORS; ++by) {
            struct finder f = {.s = s, .out = out, .by = (enum operator_id)by};
            find[by](&f, t);
        }
    }
    for (uint32_t i = from; i < out->count; ++i) make_label(&out->item[i]);
    number_labels(out, from);
}

void operator_free(struct mutants *all)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        free(all->item[i].instead);
        free(all->item[i].label);
    }
    free(all->item);
    *all = (struct mutants){0};
}
