// Quotes a line of the student's source with a caret below a column, and writes the lines of findings that editors
// read. Also implements colours and the line length for terminal reports.
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/report.h"
#include "report/utf8.h"

// Appends line number `line` of the source. A source line that is longer than the screen is cut. A tab in the source
// becomes one blank, so that the caret stands below its column.
void report_quote(const struct report_options *options, const struct bundle *source, uint32_t line, uint32_t column,
                  struct text *out)
{
    const char *at = source->text, *end = at + source->bytes;
    for (uint32_t i = 1; i < line && at < end; ++i) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    if (!line || at >= end) return;
    size_t length = 0;
    while (at + length < end && !strchr("\r\n", at[length])) ++length;
    struct text clean = {0}, path = {0};
    line = bundle_place(source, line, &path);
    utf8_clean(&clean, at, length);
    for (size_t i = 0; i < clean.length; ++i)
        if (clean.data[i] == '\t') clean.data[i] = ' ';
    // A character has at most four bytes, so that a line of any length is cut in a short time.
    size_t columns = (size_t)report_columns(options) - 8, cut = clean.length < 4 * columns ? clean.length : 4 * columns;
    while (cut > 0 && utf8_width(clean.data, cut) > columns) --cut;
    while (cut > 0 && cut < clean.length && ((unsigned char)clean.data[cut] & 0xc0) == 0x80) --cut;
    text_printf(out, "%5u | %.*s\n", line, (int)cut, clean.data ? clean.data : "");
    if (column && column - 1 < cut) {
        text_puts(out, "      | ");
        for (size_t i = utf8_width(clean.data, column - 1); i > 0; --i) text_puts(out, " ");
        report_paint(options, PAINT_GREEN, "^", out);
        text_puts(out, "\n");
    }
    text_free(&clean);
    text_free(&path);
}

void report_first_line(const struct report_options *options, const char *place, const struct finding_info *info,
                       const char *sentence, struct text *out)
{
    int is_defect = info->severity == FINDING_DEFECT;
    text_printf(out, "%s: %s: ", place, is_defect ? "error" : "warning");
    report_paint(options, is_defect ? PAINT_RED : PAINT_YELLOW, _(info->word), out);
    text_puts(out, ": ");
    utf8_clean_line(out, sentence, strlen(sentence));
    text_puts(out, "\n");
}

void report_note_line(const char *place, const char *sentence, struct text *out)
{
    text_printf(out, "%s: note: ", place);
    utf8_clean_line(out, sentence, strlen(sentence));
    text_puts(out, "\n");
}

int report_columns(const struct report_options *options)
{
    return options->columns ? options->columns : REPORT_COLUMNS;
}

void report_paint(const struct report_options *options, enum report_paint paint, const char *text, struct text *out)
{
    static const char *const code[] = {"", "\033[31m", "\033[32m", "\033[33m", "\033[1m"};
    if (options->colour && paint) text_puts(out, code[paint]);
    text_puts(out, text);
    if (options->colour && paint) text_puts(out, "\033[0m");
}
