// Splits and builds bundles. In a bundle, a line marks the start of a header only if it is byte by byte the line that
// bundle_add() writes. A submission's other #line directives are ordinary lines. A submitted file that contains lines
// marking headers is read as a bundle, so the bundle that a gradebook keeps can be graded again as one file.
#define _GNU_SOURCE // declares memmem()
#include "base/bundle.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char MARK[] = "#line 1 \"", MARK_END[] = "\" // handed in beside the lab's file\n";

int bundle_is_header(const char *path)
{
    static const char *const endings[] = {".h", ".cuh", ".hpp", ".hh", ".hxx", ".inl", ".inc"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        size_t m = strlen(endings[i]);
        if (n > m && !strcmp(path + n - m, endings[i])) return 1;
    }
    return 0;
}

static int is_plain(const char *name)
{
    if (!isalnum((unsigned char)*name) && *name != '_') return 0;
    for (; *name; ++name)
        if (!isalnum((unsigned char)*name) && !strchr("._-+", *name)) return 0;
    return 1;
}

// Copies the header's name that starts at `at` and ends before the next quote to `name`. Returns the length of the
// header's name, or 0 if the text before the next quote is no valid name of a header.
static size_t take_name(const char *at, const char *end, char name[BUNDLE_NAME])
{
    size_t n = 0;
    while (at + n < end && n < BUNDLE_NAME && at[n] != '"') ++n;
    if (n == BUNDLE_NAME || at + n == end) return 0;
    memcpy(name, at, n);
    name[n] = '\0';
    return is_plain(name) && bundle_is_header(name) ? n : 0;
}

// Returns the length of the line at `at` that marks the start of a header, or 0 if `at` is no such line. Stores the
// header's name.
static size_t mark_length(const char *at, const char *end, char name[BUNDLE_NAME])
{
    size_t head = sizeof MARK - 1, tail = sizeof MARK_END - 1;
    if ((size_t)(end - at) < head + tail || memcmp(at, MARK, head) != 0) return 0;
    size_t n = take_name(at + head, end, name);
    at += head + n;
    return n && (size_t)(end - at) >= tail && !memcmp(at, MARK_END, tail) ? head + n + tail : 0;
}

// Returns the start of the first line at or behind `at` that marks the start of a header, or `end` if there is no such
// line.
static const char *find_mark(const char *bundle, const char *at, const char *end)
{
    char name[BUNDLE_NAME];
    for (; at < end; ++at) {
        at = memmem(at, (size_t)(end - at), MARK, sizeof MARK - 1);
        if (!at) break;
        if ((at == bundle || at[-1] == '\n') && mark_length(at, end, name)) return at;
    }
    return end;
}

static uint32_t count_lines(const char *at, const char *end)
{
    uint32_t lines = 0;
    for (; at < end && (at = memchr(at, '\n', (size_t)(end - at))); ++at) ++lines;
    return lines;
}

int bundle_next(struct bundle_file *f, const char *bundle, size_t bytes)
{
    const char *end = bundle + bytes, *at = f->index ? f->text + f->bytes : bundle;
    struct bundle_file next = {.index = f->index + 1};
    if (f->index) {
        if (at == end) return 0;
        next.before = f->before + count_lines(f->text, at) + 1;
        at += mark_length(at, end, next.name);
    }
    next.text = at;
    next.bytes = (size_t)((next.index <= BUNDLE_HEADERS ? find_mark(bundle, at, end) : end) - at);
    *f = next;
    return 1;
}

static int has_header(const struct text *bundle, const char *name)
{
    struct bundle_file f = {.index = 0};
    while (bundle_next(&f, bundle->data, bundle->length))
        if (!strcmp(f.name, name) || f.index > BUNDLE_HEADERS) return 1;
    return 0;
}

// If the line at `at` is a directive #include "NAME", returns the position of NAME, otherwise NULL.
static const char *included(const char *at, const char *end)
{
    static const char word[] = "include";
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    if (at == end || *at++ != '#') return NULL;
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    if ((size_t)(end - at) < sizeof word || memcmp(at, word, sizeof word - 1) != 0) return NULL;
    at += sizeof word - 1;
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    return at < end && *at == '"' ? at + 1 : NULL;
}

int bundle_wants(const struct text *bundle, size_t *at, char name[BUNDLE_NAME])
{
    while (*at < bundle->length) {
        const char *line = bundle->data + *at, *end = bundle->data + bundle->length;
        const char *next = memchr(line, '\n', (size_t)(end - line)), *quote = included(line, next ? next : end);
        *at = next ? (size_t)(next + 1 - bundle->data) : bundle->length;
        if (quote && take_name(quote, next ? next : end, name) && !has_header(bundle, name)) return 1;
    }
    return 0;
}

void bundle_add(struct text *bundle, const char *name, const char *text, size_t bytes)
{
    if (bundle->length && bundle->data[bundle->length - 1] != '\n') text_puts(bundle, "\n");
    text_printf(bundle, "%s%s%s", MARK, name, MARK_END);
    text_add(bundle, text, bytes);
}

// Returns the file, that is, the lab's file or a header, that contains the line `line` of the bundle. If the bundle has
// no line `line`, file_of() returns the lab's file.
static struct bundle_file file_of(const struct bundle *b, uint32_t line)
{
    struct bundle_file f = {.index = 0}, found = {.index = 0};
    while (b->text && bundle_next(&f, b->text, b->bytes))
        if (!found.index || (line > f.before && line <= f.before + count_lines(f.text, f.text + f.bytes) + 1))
            found = f;
    return found;
}

void bundle_line(const struct bundle *b, uint32_t line, char out[BUNDLE_LINE])
{
    struct bundle_file f = file_of(b, line);
    snprintf(out, BUNDLE_LINE, "%s%s%u", f.name, *f.name ? ":" : "", line - f.before);
}

uint32_t bundle_place(const struct bundle *b, uint32_t line, struct text *path)
{
    struct bundle_file f = file_of(b, line);
    const char *slash = strrchr(b->shown, '/');
    if (!*f.name)
        text_puts(path, b->shown);
    else
        text_printf(path, "%.*s%s", slash ? (int)(slash + 1 - b->shown) : 0, b->shown, f.name);
    return line - f.before;
}

uint32_t bundle_column(const struct bundle *b, uint32_t line)
{
    const char *at = b->text, *end = at + b->bytes, *next;
    for (uint32_t i = 1; at && i < line; ++i) at = (next = memchr(at, '\n', (size_t)(end - at))) ? next + 1 : NULL;
    uint32_t blanks = 0;
    while (at && at + blanks < end && (at[blanks] == ' ' || at[blanks] == '\t')) ++blanks;
    return at && at + blanks < end && at[blanks] != '\r' && at[blanks] != '\n' ? blanks + 1 : 1;
}
