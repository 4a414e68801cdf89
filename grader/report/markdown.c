// Implements markdown.h. The renderer reads the page line by line and collects the lines of a block: a heading, a
// paragraph, or a list item. A blank line, a new item or a code fence ends the block, which is then wrapped and
// printed.
#include "report/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/utf8.h"

struct block {
    const struct report_options *how;
    struct text *out, words; // `words` holds the block's source without its indentation
    size_t indent, hang;     // columns before the block's first line, and before its other lines
};

// ------------------------------------------------------------------------------------------------------ within a block
static const char *paint_span(const struct block *b, enum report_paint paint, const char *from, const char *to,
                              struct text *out)
{
    struct text span = {0};
    text_add(&span, from, (size_t)(to - from));
    report_paint(b->how, paint, span.data ? span.data : "", out);
    text_free(&span);
    return to;
}

// Appends the code, emphasis or link at `at`. Returns the end of its source, or NULL if nothing of this kind begins
// here.
static const char *put_span(const struct block *b, const char *at, struct text *out)
{
    const char *end, *url;
    if (*at == '`' && (end = strchr(at + 1, '`'))) {
        if (b->how->colour) return paint_span(b, PAINT_GREEN, at + 1, end, out) + 1;
        return paint_span(b, PAINT_PLAIN, at, end + 1, out);
    }
    if (!strncmp(at, "**", 2) && (end = strstr(at + 2, "**"))) return paint_span(b, PAINT_BOLD, at + 2, end, out) + 2;
    if (*at == '*' && !strchr(" \n*", at[1]) && (end = strchr(at + 1, '*')) && !strchr(" \n", end[-1]))
        return paint_span(b, PAINT_BOLD, at + 1, end, out) + 1;
    if (*at == '[' && (end = strchr(at, ']')) && end[1] == '(' && (url = strchr(end, ')'))) {
        paint_span(b, PAINT_PLAIN, at + 1, end, out);
        return url + 1;
    }
    return NULL;
}

// Returns the columns that the mark of a list item takes, such as "- " or, at the left margin, "12. ". Returns 0 if the
// line begins without a mark. `line` follows `indent` blanks.
static size_t mark_of(const char *line, size_t indent)
{
    size_t digits = indent ? 0 : strspn(line, "0123456789");
    if (digits && line[digits] == '.' && line[digits + 1] == ' ') return digits + 2;
    return !strncmp(line, "- ", 2) ? 2 : 0;
}

static void end_block(struct block *b)
{
    struct text line = {0};
    if (!b->words.length) return;
    if (*b->words.data == '#') {
        report_paint(b->how, PAINT_BOLD, b->words.data + strspn(b->words.data, "# "), &line);
    } else {
        for (const char *at = b->words.data; *at;) {
            const char *end = put_span(b, at, &line);
            if (!end) text_add(&line, at, 1);
            at = end ? end : at + 1;
        }
    }
    utf8_pad(b->out, "", b->indent);
    utf8_wrap(b->out, line.data, b->indent, b->hang, (size_t)report_columns(b->how));
    text_puts(b->out, "\n");
    text_free(&line);
    text_free(&b->words);
}

// ------------------------------------------------------------------------------------------------------ line by line
static void take_line(struct block *b, const char *line, size_t length)
{
    size_t indent = strspn(line, " ");
    struct text words = {0};
    text_add(&words, line + indent, length - indent);
    size_t mark = mark_of(words.data, indent);
    if (mark || *words.data == '#') end_block(b);
    if (!b->words.length) {
        b->indent = indent;
        b->hang = indent + mark;
    } else {
        text_puts(&b->words, "\n");
    }
    text_puts(&b->words, words.data);
    text_free(&words);
}

static void render(struct block *b, const char *page)
{
    int fenced = 0;
    for (const char *at = page; *at;) {
        size_t length = strcspn(at, "\n"), indent = strspn(at, " ");
        int fence = !strncmp(at + indent, "```", 3);
        if (fence || fenced || indent >= length) end_block(b);
        if (!fence && (fenced || indent >= length)) {
            text_add(b->out, at, length);
            text_puts(b->out, "\n");
        } else if (!fence) {
            take_line(b, at, length);
        }
        fenced ^= fence;
        at += length + (at[length] == '\n');
    }
    end_block(b);
}

void markdown_render(const char *page, const struct report_options *how, struct text *out)
{
    struct text shown = {0};
    struct block b = {.how = how, .out = how->utf8 ? out : &shown};
    render(&b, page);
    if (shown.data) utf8_to_ascii(out, shown.data);
    text_free(&shown);
}

int markdown_item(const char *page, uint32_t number, struct text *out)
{
    int found = 0;
    for (const char *at = page; *at;) {
        size_t length = strcspn(at, "\n");
        size_t whole = length + (at[length] == '\n');
        size_t digits = strspn(at, "0123456789");
        if (*at == '#' || (digits && mark_of(at, 0))) found = digits && strtoul(at, NULL, 10) == number;
        if (found) text_add(out, at, whole);
        at += whole;
    }
    while (out->length && out->data[out->length - 1] == '\n' && out->length > 1 && out->data[out->length - 2] == '\n')
        out->data[--out->length] = '\0';
    return out->length > 0;
}
