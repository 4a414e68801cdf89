// Finds host code in the source of a kernel lab, so that the student gets a clear message about the host code.
//
// "nvcc -ptx" silently ignores host code, and a student would not know why main() does not run. clang prints a page of
// errors about unknown functions. So this code scans the source before the source is compiled. The scanner splits the
// source into tokens as C++ does. The scanner skips comments, string and character literals, raw strings, spliced lines
// and "#if 0" groups. A launch (<<<), a function main and calls of the CUDA runtime (cudaMalloc …) are host code. The
// scanner is not a security measure, because host code of a kernel lab is never built.
#include "compile/invocation.h"

#include <ctype.h>
#include <string.h>

struct scanner {
    const char *at, *end;
    unsigned line;
    int line_start; // 1: only white space since the start of the line
    unsigned off;   // nesting depth of #if groups inside "#if 0"; 0: the text is code
};

static int ahead(const struct scanner *s, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(s->end - s->at) >= length && !memcmp(s->at, word, length);
}

// Skips a character and counts lines. Also skips a backslash at the end of a line, which joins the line with the next
// line.
static void step(struct scanner *s)
{
    char c = *s->at++;
    if (c == '\n') {
        ++s->line;
        s->line_start = 1;
    } else if (c == '\\' && (ahead(s, "\n") || ahead(s, "\r\n"))) {
        s->at += *s->at == '\r' ? 2 : 1;
        ++s->line;
    }
}

static void skip_line(struct scanner *s)
{
    while (s->at < s->end && *s->at != '\n') step(s);
}

static void skip_comment(struct scanner *s)
{
    s->at += 2;
    while (s->at < s->end && !ahead(s, "*/")) step(s);
    s->at += s->at < s->end ? 2 : 0;
}

static void skip_literal(struct scanner *s) // stops at the end of the line if the closing quote is missing
{
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        if (*s->at == '\\' && s->end - s->at > 1 && s->at[1] != '\n' && s->at[1] != '\r') ++s->at;
        step(s);
    }
    s->at += s->at < s->end && *s->at == quote;
}

static void skip_raw_string(struct scanner *s) // starts at the quote of "delimiter( … )delimiter"
{
    char close[20] = ")";
    size_t length = 1;
    for (++s->at; s->at < s->end && *s->at != '(' && length < sizeof close - 2; ++s->at) close[length++] = *s->at;
    close[length++] = '"';
    close[length] = '\0';
    while (s->at < s->end && !ahead(s, close)) step(s);
    s->at += s->at < s->end ? length : 0;
}

static size_t read_word(struct scanner *s, char word[64])
{
    size_t length = 0;
    for (; s->at < s->end && (isalnum((unsigned char)*s->at) || *s->at == '_'); ++s->at)
        if (length < 63) word[length++] = *s->at;
    word[length] = '\0';
    return length;
}

static void skip_blanks(struct scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t')) ++s->at;
}

// Reads a preprocessor directive. Keeps track of "#if 0" and its end. All other groups count as code, whether the
// compiler compiles the groups or not. The text of a #define also counts as code.
static void directive(struct scanner *s)
{
    char word[64], condition[64];
    ++s->at;
    skip_blanks(s);
    read_word(s, word);
    skip_blanks(s);
    if (!strcmp(word, "if") || !strcmp(word, "ifdef") || !strcmp(word, "ifndef")) {
        if (s->off) {
            ++s->off;
        } else if (!strcmp(word, "if")) {
            const char *start = s->at;
            read_word(s, condition);
            s->off = !strcmp(condition, "0");
            s->at = start;
        }
    } else if (!strcmp(word, "endif")) {
        s->off -= s->off > 0;
    } else if (!strcmp(word, "else") || !strcmp(word, "elif")) {
        s->off -= s->off == 1;
    }
    if (strcmp(word, "define") != 0) skip_line(s);
}

static int starts_with(const char *word, const char *prefix)
{
    return !strncmp(word, prefix, strlen(prefix));
}

// Reads a word. Returns 1 if the word is host code. Types and constants (cudaStream_t, cudaSuccess) are not host code.
static int is_host_word(const struct scanner *after, const char *word)
{
    struct scanner next = *after;
    while (next.at < next.end && isspace((unsigned char)*next.at)) ++next.at;
    if (next.at == next.end || *next.at != '(') return 0;
    if (!strcmp(word, "main")) return 1;
    return starts_with(word, "cuda") && isupper((unsigned char)word[4]);
}

const char *compile_scan_host_code(const char *source, size_t bytes, char name[64], unsigned *line)
{
    struct scanner s = {.at = source, .end = source + bytes, .line = 1, .line_start = 1};
    while (s.at < s.end) {
        char c = *s.at;
        if (isspace((unsigned char)c) || c == '\\') {
            step(&s);
            continue;
        }
        int first = s.line_start;
        s.line_start = 0;
        if (ahead(&s, "//")) {
            skip_line(&s);
        } else if (ahead(&s, "/*")) {
            skip_comment(&s);
            s.line_start = first;
        } else if (c == '#' && first) {
            directive(&s);
        } else if (s.off) {
            skip_line(&s);
        } else if (c == '"' || c == '\'') {
            skip_literal(&s);
        } else if (isalpha((unsigned char)c) || c == '_') {
            *line = s.line;
            size_t length = read_word(&s, name);
            int raw = s.at < s.end && *s.at == '"' && name[length - 1] == 'R' && length <= 3;
            if (raw) skip_raw_string(&s);
            if (!raw && is_host_word(&s, name)) return name;
        } else if (isdigit((unsigned char)c)) {
            while (s.at < s.end && (isalnum((unsigned char)*s.at) || *s.at == '.' || *s.at == '\'' || *s.at == '_'))
                ++s.at; // a number may contain digit separators ('), which are not quotes
        } else if (ahead(&s, "<<<")) {
            *line = s.line;
            return memcpy(name, "<<<", sizeof "<<<");
        } else {
            ++s.at;
        }
    }
    return NULL;
}
