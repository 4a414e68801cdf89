// Finds calls whose value is ignored, by a scan of the source from its begin.
//
// The scan skips comments, strings, characters and preprocessor lines, and so macros' definitions. It remembers which
// token stands before a call: a call is a statement of its own behind ";", "{", "}", "else" or "do", or behind the
// brackets of "if", "for" or "while", and if ";" follows its closing bracket. A call within a macro's argument stands
// behind "(", and may be looked at by the macro.
#include "compile/discard.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH = 256 };

struct scan {
    const char *at, *end;
    uint32_t line;
    int begins;                   // 1: a statement may begin here
    int is_control;               // 1: the last word was if, for, while or switch
    unsigned depth;               // open round brackets
    unsigned char control[DEPTH]; // 1: the bracket belongs to if, for, while or switch
};

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static int is_one_of(const char *word, size_t length, const char *const *list)
{
    for (; *list; ++list)
        if (strlen(*list) == length && !memcmp(word, *list, length)) return 1;
    return 0;
}

static void step(struct scan *s)
{
    if (*s->at == '\n') ++s->line;
    ++s->at;
}

static void skip_to(struct scan *s, const char *mark, int escapes)
{
    size_t length = strlen(mark);
    while (s->at < s->end && ((size_t)(s->end - s->at) < length || memcmp(s->at, mark, length) != 0)) {
        if (escapes && *s->at == '\\' && s->at + 1 < s->end) step(s);
        step(s);
    }
    for (size_t i = 0; i < length && s->at < s->end; ++i) step(s);
}

// Skips white space, a comment or a preprocessor line. Returns 1 if it skipped something.
static int skip_blank(struct scan *s, int in_line)
{
    if (isspace((unsigned char)*s->at))
        step(s);
    else if (*s->at == '/' && s->at + 1 < s->end && s->at[1] == '/')
        skip_to(s, "\n", 1);
    else if (*s->at == '/' && s->at + 1 < s->end && s->at[1] == '*')
        s->at += 2, skip_to(s, "*/", 0);
    else if (*s->at == '#' && !in_line)
        skip_to(s, "\n", 1);
    else
        return 0;
    return 1;
}

static void punctuate(struct scan *s)
{
    char c = *s->at;
    if (c == '"' || c == '\'') {
        step(s);
        skip_to(s, c == '"' ? "\"" : "'", 1);
        s->begins = 0;
        return;
    }
    int closes_control = 0;
    if (c == '(') {
        if (s->depth < DEPTH) s->control[s->depth] = (unsigned char)s->is_control;
        ++s->depth;
    } else if (c == ')' && s->depth) {
        --s->depth;
        closes_control = s->depth < DEPTH && s->control[s->depth];
    }
    s->begins = c == ';' || c == '{' || c == '}' || closes_control;
    s->is_control = 0;
    step(s);
}

// Returns 1 if ";" follows the brackets that open at the scan's position, and stores the line at which they close.
static int ends_statement(struct scan s, uint32_t *last)
{
    unsigned depth = s.depth;
    while (s.at < s.end && skip_blank(&s, 1)) {
    }
    if (s.at >= s.end || *s.at != '(') return 0;
    do {
        if (skip_blank(&s, 1)) continue;
        punctuate(&s);
    } while (s.at < s.end && s.depth > depth);
    *last = s.line;
    while (s.at < s.end && skip_blank(&s, 1)) {
    }
    return s.at < s.end && *s.at == ';';
}

int compile_discards(const char *source, size_t bytes, uint32_t line, const char *name)
{
    static const char *const controls[] = {"if", "for", "while", "switch", NULL}, *const openers[] = {"else", "do",
                                                                                                      NULL};
    struct scan s = {.at = source, .end = source + bytes, .line = 1, .begins = 1};
    size_t wanted = 0;
    int found = 0;
    while (is_word(name[wanted])) ++wanted;
    while (s.at < s.end && s.line <= line) {
        if (skip_blank(&s, 0)) continue;
        if (s.begins && *s.at == ':' && s.at + 1 < s.end && s.at[1] == ':') { // ::cudaMemcpy()
            s.at += 2;
            continue;
        }
        if (!is_word(*s.at)) {
            punctuate(&s);
            continue;
        }
        const char *word = s.at;
        while (s.at < s.end && is_word(*s.at)) ++s.at;
        size_t length = (size_t)(s.at - word);
        uint32_t last = s.line;
        int is_call = length == wanted && !memcmp(word, name, wanted), is_ended = is_call && ends_statement(s, &last);
        if (is_call && last >= line && !(s.begins && is_ended)) return 0;
        found |= is_call && last >= line;
        s.begins = is_one_of(word, length, openers);
        s.is_control = is_one_of(word, length, controls);
    }
    return found;
}
