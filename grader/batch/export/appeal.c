// Compares two reports line by line, and writes them as the two columns of a table.
//
// Lines are paired by a longest common subsequence, found with the usual table of lengths. Between two common lines,
// lines that only one report has stand beside each other as long as both reports have some.
#include "batch/export/appeal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "report/escape.h"

enum { LINES = 2000 }; // a report has some hundred lines; what follows them is left out

struct line {
    const char *text;
    size_t length;
};

static uint32_t split(const struct text *t, struct line line[LINES])
{
    uint32_t n = 0;
    for (const char *at = t->data ? t->data : ""; *at && n < LINES; ++n) {
        line[n] = (struct line){at, strcspn(at, "\n")};
        at += line[n].length + (at[line[n].length] != '\0');
    }
    return n;
}

static int same(const struct line *a, const struct line *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static void put_cell(struct text *out, const struct line *line)
{
    text_puts(out, "<td>");
    if (line) escape_html(out, line->text, line->length);
    text_puts(out, "</td>");
}

static void put_row(struct text *out, const struct line *then, const struct line *now)
{
    text_puts(out, then && now && same(then, now) ? "<tr>" : "<tr class=\"other\">");
    put_cell(out, then);
    put_cell(out, now);
    text_puts(out, "</tr>\n");
}

// Appends the rows of the table. Returns how many of them differ.
static uint32_t put_rows(struct text *out, const struct line *then, uint32_t n, const struct line *now, uint32_t m)
{
    uint32_t width = m + 1, i = 0, k = 0, other = 0;
    uint16_t *common = alloc_zeroed((size_t)(n + 1) * width, sizeof *common); // of the lines from i and from k on
    for (i = n; i-- > 0;)
        for (k = m; k-- > 0;) {
            uint16_t below = common[(i + 1) * width + k], beside = common[i * width + k + 1];
            common[i * width + k] = same(&then[i], &now[k]) ? (uint16_t)(common[(i + 1) * width + k + 1] + 1)
                                    : below > beside        ? below
                                                            : beside;
        }
    for (i = k = 0; i < n || k < m;) {
        uint16_t left = common[i * width + k];
        int equal = i < n && k < m && same(&then[i], &now[k]);
        int old = !equal && i < n && common[(i + 1) * width + k] == left;
        int fresh = !equal && k < m && common[(i + (uint32_t)old) * width + k + 1] == left;
        put_row(out, equal || old ? &then[i] : NULL, equal || fresh ? &now[k] : NULL);
        other += !equal;
        i += (uint32_t)(equal || old);
        k += (uint32_t)(equal || fresh);
    }
    free(common);
    return other;
}

static void put_text(struct text *out, const char *before, const char *text, const char *after)
{
    text_puts(out, before);
    escape_html(out, text, strlen(text));
    text_puts(out, after);
}

void appeal_page(const struct appeal *a, struct text *out)
{
    static struct line line[2][LINES];
    struct text rows = {0}, told = {0};
    uint32_t n = split(a->report[0], line[0]), m = split(a->report[1], line[1]);
    uint32_t other = put_rows(&rows, line[0], n, line[1], m);
    text_say(&told, "%s: attempt %" PRId64 " of %s, judged again", a->lab->name, a->attempt, a->student);
    put_text(out, "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>", told.data, "</title>\n");
    text_puts(out,
              "<style>\nbody { font: 1rem/1.4 sans-serif; margin: 1rem }\n"
              "td { font: 0.85rem/1.4 monospace; white-space: pre-wrap; vertical-align: top; width: 50% }\n"
              "th { text-align: left }\n.other td { background: #ffe9a8; color: #000 }\n</style>\n</head>\n<body>\n");
    put_text(out, "<h1>", told.data, "</h1>\n");
    told.length = 0;
    if (other)
        text_say(&told, "%" PRIu32 " lines differ; they are marked.", other);
    else
        text_puts(&told, _("The two reports are the same, line by line."));
    put_text(out, "<p>", told.data, "</p>\n<table>\n<tr>");
    put_text(out, "<th>", _("then"), "");
    put_text(out, ": ", a->tool[0], "</th>");
    put_text(out, "<th>", _("now"), "");
    put_text(out, ": ", a->tool[1], "</th></tr>\n");
    text_add(out, rows.data ? rows.data : "", rows.length);
    text_puts(out, "</table>\n</body>\n</html>\n");
    text_free(&rows);
    text_free(&told);
}
