// Splits a source into tokens. Blanks and comments separate tokens. The lexer skips the lines of #include, #pragma and
// other directives, but keeps the tokens of a #define, which end with the line. Each closing bracket matches the
// innermost open bracket. A '<' opens template arguments only if a word precedes it, and if only words, numbers and '*'
// stand between it and the next '>'. In addition, the word must be `template`, or a '(' must follow the '>'. Every
// other '<' is a comparison.
#include "judge/repair/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/text.h"

struct lexer {
    struct source *s;
    uint32_t at, line, capacity;
    uint32_t open; // innermost open bracket
    int defines;
    int is_broken; // 1: a bracket closes that none opened
};

static char peek(const struct lexer *l, uint32_t ahead)
{
    return l->at + ahead < l->s->text.length ? l->s->text.data[l->at + ahead] : '\0';
}

static void add(struct lexer *l, enum token_kind kind, uint32_t length)
{
    struct source *s = l->s;
    uint32_t end = l->at + length;
    if (s->count + 2 > l->capacity) {
        l->capacity = 2 * l->capacity + 256;
        s->token = alloc_resize(s->token, l->capacity, sizeof *s->token);
    }
    s->token[s->count++] = (struct token){.kind = kind,
                                          .begin = l->at,
                                          .end = end < s->text.length ? end : (uint32_t)s->text.length,
                                          .line = l->line,
                                          .mate = NOWHERE,
                                          .inside = l->open,
                                          .defines = (uint8_t)l->defines};
    l->at += length;
}

static void match(struct lexer *l)
{
    struct source *s = l->s;
    uint32_t t = s->count - 1;
    char sign = s->text.data[s->token[t].begin];
    if (strchr("([{", sign)) {
        l->open = t;
    } else if (strchr(")]}", sign)) {
        if (l->open == NOWHERE) l->is_broken = 1;
        if (l->open == NOWHERE) return;
        s->token[t].mate = l->open;
        s->token[l->open].mate = t;
        l->open = s->token[t].inside = s->token[l->open].inside;
    }
}

static void take_sign(struct lexer *l)
{
    static const char *const longer[] = {"<<=", ">>=", "...", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=",
                                         "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "<<", ">>", "->", "::"};
    uint32_t length = 1;
    for (size_t i = 0; i < sizeof longer / sizeof *longer && length == 1; ++i)
        if (!strncmp(l->s->text.data + l->at, longer[i], strlen(longer[i]))) length = (uint32_t)strlen(longer[i]);
    add(l, TOKEN_SIGN, length);
    if (length == 1) match(l);
}

static void skip_line(struct lexer *l)
{
    while (peek(l, 0) && peek(l, 0) != '\n') ++l->at;
}

static void take_directive(struct lexer *l)
{
    if (strncmp(l->s->text.data + l->at, "#define ", 8) != 0) {
        skip_line(l);
        return;
    }
    l->defines = 1;
    add(l, TOKEN_SIGN, 1);
}

static void take(struct lexer *l)
{
    char c = peek(l, 0);
    uint32_t length = 0;
    if (c == '\n') {
        ++l->line, ++l->at;
        l->defines = 0;
    } else if (isspace((unsigned char)c)) {
        ++l->at;
    } else if (c == '/' && peek(l, 1) == '/') {
        skip_line(l);
    } else if (c == '/' && peek(l, 1) == '*') {
        for (l->at += 2; peek(l, 0) && !(peek(l, 0) == '*' && peek(l, 1) == '/'); ++l->at)
            l->line += peek(l, 0) == '\n';
        l->at += 2;
    } else if (c == '#') {
        take_directive(l);
    } else if (isdigit((unsigned char)c)) {
        while (isalnum((unsigned char)peek(l, length)) || peek(l, length) == '.') ++length;
        add(l, TOKEN_NUMBER, length);
    } else if (isalpha((unsigned char)c) || c == '_') {
        while (isalnum((unsigned char)peek(l, length)) || peek(l, length) == '_') ++length;
        add(l, TOKEN_WORD, length);
    } else if (c == '"' || c == '\'') {
        for (length = 1; peek(l, length) && peek(l, length) != c; ++length) length += peek(l, length) == '\\';
        add(l, TOKEN_STRING, length + 1);
    } else {
        take_sign(l);
    }
}

static void find_templates(struct source *s)
{
    for (uint32_t t = 1; t < s->count; ++t) {
        if (!source_is(s, t, "<") || s->token[t - 1].kind != TOKEN_WORD) continue;
        uint32_t end = t + 1;
        while (s->token[end].kind == TOKEN_WORD || s->token[end].kind == TOKEN_NUMBER || source_is(s, end, "*")) ++end;
        if (!source_is(s, end, ">") || end == t + 1) continue;
        if (source_is(s, t - 1, "template") || source_is(s, end + 1, "("))
            s->token[t].is_template = s->token[end].is_template = 1;
    }
}

int source_split(struct source *s, const char *text, size_t bytes)
{
    *s = (struct source){0};
    text_add(&s->text, text, bytes);
    struct lexer l = {.s = s, .line = 1, .open = NOWHERE};
    while (l.at < s->text.length) take(&l);
    if (l.at > s->text.length) l.at = (uint32_t)s->text.length;
    add(&l, TOKEN_END, 0);
    --s->count;
    find_templates(s);
    return l.open != NOWHERE || l.is_broken ? -1 : 0;
}

void source_free(struct source *s)
{
    text_free(&s->text);
    free(s->token);
    s->token = NULL;
}

// ------------------------------------------------------------------------------------------------------- asking
static uint32_t length_of(const struct source *s, uint32_t t)
{
    return s->token[t].end - s->token[t].begin;
}

int source_is(const struct source *s, uint32_t t, const char *what)
{
    return t < s->count && strlen(what) == length_of(s, t) &&
           !memcmp(s->text.data + s->token[t].begin, what, length_of(s, t));
}

int source_same(const struct source *s, uint32_t a, uint32_t b)
{
    return length_of(s, a) == length_of(s, b) &&
           !memcmp(s->text.data + s->token[a].begin, s->text.data + s->token[b].begin, length_of(s, a));
}

int source_word_begins(const struct source *s, uint32_t t, const char *with)
{
    return t < s->count && s->token[t].kind == TOKEN_WORD && length_of(s, t) >= strlen(with) &&
           !memcmp(s->text.data + s->token[t].begin, with, strlen(with));
}

int source_is_constant(const struct source *s, uint32_t t)
{
    if (t >= s->count || s->token[t].kind != TOKEN_WORD) return 0;
    for (uint32_t i = s->token[t].begin; i < s->token[t].end; ++i)
        if (islower((unsigned char)s->text.data[i])) return 0;
    return 1;
}

static int is_one_of(const struct source *s, uint32_t t, const char *words)
{
    char word[16];
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");
        BUG_ON(length >= sizeof word);
        memcpy(word, words, length);
        word[length] = '\0';
        if (source_is(s, t, word)) return 1;
        words += length;
    }
    return 0;
}

static int opens(const struct source *s, uint32_t t)
{
    return s->token[t].mate != NOWHERE && s->token[t].mate > t;
}

static int closes(const struct source *s, uint32_t t)
{
    return s->token[t].mate != NOWHERE && s->token[t].mate < t;
}

uint32_t source_forward(const struct source *s, uint32_t t, const char *stops)
{
    for (; t < s->count && !closes(s, t) && !is_one_of(s, t, stops); ++t)
        if (opens(s, t)) t = s->token[t].mate;
    return t;
}

uint32_t source_backward(const struct source *s, uint32_t t, const char *stops)
{
    while (t > 0 && !opens(s, t - 1) && !is_one_of(s, t - 1, stops)) {
        --t;
        if (closes(s, t)) t = s->token[t].mate;
    }
    return t;
}

// A '}' ends the statement before it, unless a sign such as ';' or ',' follows the '}', as at the end of an initialiser
// or of a list of constants.
uint32_t source_statement(const struct source *s, uint32_t t)
{
    while (t > 0 && !opens(s, t - 1) && !source_is(s, t - 1, ";")) {
        if (source_is(s, t - 1, "}") && s->token[t].kind != TOKEN_SIGN) break;
        --t;
        if (closes(s, t)) t = s->token[t].mate;
    }
    return t;
}

uint32_t source_statement_end(const struct source *s, uint32_t t)
{
    return source_forward(s, t, ";");
}

int source_declares(const struct source *s, uint32_t t)
{
    return is_one_of(s, t, "const unsigned int float double bool char long size_t struct static extern typedef") ||
           is_one_of(s, t, "float2 float4 uint2 uint4 int2 int4 __shared__");
}

int source_is_extent(const struct source *s, uint32_t t)
{
    if (s->token[t].inside == NOWHERE) return 1;
    uint32_t around = s->token[t].inside;
    if (source_is(s, around, "(") && s->token[around].inside == NOWHERE) return 1; // a function's parameters
    uint32_t first = source_statement(s, t);
    return source_declares(s, first) && !source_is(s, source_backward(s, t, "= , ;") - 1, "=");
}

// ------------------------------------------------------------------------------------------------------- functions
static uint64_t hash_token(const struct source *s, uint32_t t, uint64_t hash)
{
    return hash_bytes(s->text.data + s->token[t].begin, length_of(s, t), hash);
}

// Adds the definition of the constant at token t, a #define or an enum constant, to `hash`, together with the
// definitions of the constants that it uses.
static uint64_t hash_constant(const struct source *s, uint32_t t, uint64_t hash)
{
    for (uint32_t d = 0; d + 1 < s->count; ++d) {
        if (d == t || !source_same(s, d, t)) continue;
        uint32_t end = d + 1;
        if (s->token[d].defines && source_is(s, d - 1, "define")) {
            while (s->token[end].defines && s->token[end].line == s->token[d].line) ++end;
        } else if (source_is(s, d + 1, "=") && s->token[d].inside != NOWHERE &&
                   source_is(s, s->token[d].inside - 1, "enum")) {
            end = source_forward(s, d, ",");
        }
        for (uint32_t i = d + 1; i < end; ++i) {
            hash = hash_token(s, i, hash);
            if (source_is_constant(s, i) && i != t) hash = hash_constant(s, i, hash);
        }
        if (end > d + 1) break;
    }
    return hash;
}

uint64_t source_function(const struct source *s, uint32_t t, uint32_t *first)
{
    while (s->token[t].inside != NOWHERE) t = s->token[t].inside;
    uint32_t begin = source_statement(s, t), end = t;
    if (s->token[t].defines || !opens(s, t) || !source_is(s, t, "{") || !source_is(s, t - 1, ")")) return 0;
    end = s->token[t].mate;
    uint64_t hash = 1;
    for (uint32_t i = begin; i <= end; ++i) {
        hash = hash_token(s, i, hash);
        if (source_is_constant(s, i)) hash = hash_constant(s, i, hash);
    }
    *first = begin;
    return hash;
}
