// Prints the result of `./grade explain` on a terminal: the source with its figures, a sentence for each kernel, and a
// drawing of the worst access.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/explain.h"
#include "report/report.h"
#include "report/trace.h"
#include "report/utf8.h"

enum {
    FIGURES = 44,   // columns of the figures, including the line number
    CONTEXT = 2,    // lines shown before and after lines with figures
    ROWS_SHOWN = 8, // maximum number of rows of a map
    HOT = 100,      // a line with at least this share of the time, in permille, is red
    WARM = 30,      // a line with at least this share of the time, in permille, is yellow
    FURTHER = 4,    // indentation of a source line's further rows
    CELL = 14,      // width of one sector, in columns
    ADDRESS = 13,   // columns before the first sector
    WASTED = 5,     // a request of 32 words with this many sectors is red; four sectors would suffice
};

struct screen {
    struct text *out;
    int colour, utf8, columns;
};

static void paint(const struct screen *s, const char *code, const char *text)
{
    if (s->colour) text_printf(s->out, "\033[%sm%s\033[0m", code, text);
    if (!s->colour) text_puts(s->out, text);
}

static void sentence(const struct screen *s, const char *text)
{
    utf8_wrap(s->out, text, 0, 2, (size_t)s->columns);
    text_puts(s->out, "\n");
}

// Writes an indented sentence.
static void note(const struct screen *s, const char *text)
{
    text_puts(s->out, "  ");
    utf8_wrap(s->out, text, 2, 2, (size_t)s->columns);
    text_puts(s->out, "\n");
}

// Writes the first line: the file, and what it was simulated on.
static void heading(const struct screen *s, const char *shown, const char *device)
{
    struct text line = {0};
    text_say(&line, "%s · simulated %s\n", shown, device);
    sentence(s, line.data);
    text_free(&line);
}

// ------------------------------------------------------------------------------------------------------------- source
static void figure(const struct screen *s, double value, int bad)
{
    char text[24] = "";
    if (value >= 0) snprintf(text, sizeof text, "%.1f", value);
    text_printf(s->out, "%*s", 7 - (int)strlen(text), "");
    if (bad)
        paint(s, "31", text);
    else
        text_puts(s->out, text);
}

static void figures(const struct screen *s, const struct explain_line *l)
{
    char share[16];
    struct text count = {0};
    snprintf(share, sizeof share, "%4u.%u%%", l->time_permille / 10, l->time_permille % 10);
    paint(s, l->time_permille >= HOT ? "31" : l->time_permille >= WARM ? "33" : "0", share);
    explain_count(l->instructions, &count);
    text_printf(s->out, "%8s", count.data);
    text_free(&count);
    figure(s, l->lanes, l->lanes < 16);
    figure(s, l->sectors, l->sectors > WASTED);
    figure(s, l->wavefronts, l->wavefronts >= 2);
}

static void call_figures(const struct screen *s, const struct explain_call *c, uint64_t whole_ps)
{
    char cell[24];
    struct text bytes = {0};
    double share = whole_ps ? 100.0 * (double)c->time_ps / (double)whole_ps : 0;
    snprintf(cell, sizeof cell, "%6.1f%%", share);
    paint(s, share >= HOT / 10.0 ? "31" : share >= WARM / 10.0 ? "33" : "0", cell);
    text_printf(s->out, "%6.0f%%", c->all_ps ? 100.0 * (double)c->alone_ps / (double)c->all_ps : 0);
    text_printf(s->out, "%8.1f", (double)c->waited_ps / c->operations / 1e6);
    explain_count(c->bytes, &bytes);
    text_printf(s->out, "%8s%6" PRIu32, c->bytes ? bytes.data : "", c->operations);
    text_free(&bytes);
}

// Returns how many bytes of a text fit into a row of `columns` columns. Breaks at a blank of the row's second half, if
// there is one.
static size_t row_of(const char *text, size_t length, size_t columns)
{
    size_t fits = 0, blank = 0, taken = 0;
    while (fits < length) {
        size_t end = fits + 1;
        while (end < length && ((unsigned char)text[end] & 0xc0) == 0x80) ++end;
        taken += utf8_width(text + fits, end - fits);
        if (taken > columns) break;
        if (text[fits] == ' ') blank = end;
        fits = end;
    }
    return fits < length && blank > fits / 2 ? blank : fits;
}

// Appends a row, without blanks at its end.
static void end_row(const struct screen *s, const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ') --length;
    text_printf(s->out, "%.*s\n", (int)length, text);
}

// Appends a source line. What does not fit on the screen follows in further rows.
static void source_text(const struct screen *s, const char *text, size_t length)
{
    size_t columns = (size_t)s->columns - FIGURES, indent = 0;
    while (indent < length && text[indent] == ' ') ++indent;
    size_t further = indent + FURTHER < columns / 2 ? indent + FURTHER : 0, done = row_of(text, length, columns);
    end_row(s, text, done);
    while (done < length) {
        size_t row = row_of(text + done, length - done, columns - further);
        if (!row) return; // a character that is wider than the screen
        text_printf(s->out, "%*s", FIGURES + (int)further, "");
        end_row(s, text + done, row);
        done += row;
    }
}

static void source_line(const struct screen *s, const struct explain *e, uint32_t index)
{
    const struct explain_line *l = &e->line[index];
    char number[BUNDLE_LINE];
    struct text clean = {0};
    if (l->counted && e->call)
        call_figures(s, &e->call[index], e->timeline->time_ps);
    else if (l->counted)
        figures(s, l);
    else
        text_printf(s->out, "%*s", FIGURES - 8, "");
    utf8_clean(&clean, l->text, l->length);
    for (size_t i = 0; i < clean.length; ++i)
        if (clean.data[i] == '\t') clean.data[i] = ' ';
    bundle_line(&e->source, index + 1, number);
    text_printf(s->out, " %4s | ", number);
    source_text(s, clean.data ? clean.data : "", clean.length);
    text_free(&clean);
}

static int is_near(const struct explain *e, uint32_t index)
{
    for (uint32_t i = index < CONTEXT ? 0 : index - CONTEXT; i <= index + CONTEXT && i < e->nlines; ++i)
        if (e->line[i].counted) return 1;
    return 0;
}

static void source(const struct screen *s, const struct explain *e)
{
    int gap = 0;
    paint(s, "1",
          e->call ? _("   time  alone   waits   bytes calls  line\n")
                  : _("   time   instr.  lanes  sect.   pass.  line\n"));
    for (uint32_t i = 0; i < e->nlines; ++i) {
        if (!is_near(e, i)) {
            gap = 1;
            continue;
        }
        if (gap) text_printf(s->out, "%*s...\n", FIGURES - 7, "");
        gap = 0;
        source_line(s, e, i);
    }
    if (e->call)
        sentence(s,
                 _("time: share of the timed part during which something that the line asked for was under way. alone: "
                   "how much of that while no other engine was at work, which a pipeline avoids. waits: from the call "
                   "to the start, µs, on the mean. bytes: copied. calls: operations that the line asked for."));
    else
        sentence(
            s, _("time: share of the warps' time that they spend at the line and waiting for its results. instr.: "
                 "instructions executed, one a warp. lanes: threads of a warp that took part. sect.: sectors of 32 "
                 "bytes that a request to global memory touches (4 hold 32 words). pass.: passes of an access through "
                 "the 32 banks of shared memory (1 is best)."));
}

// --------------------------------------------------------------------------------------------------------------- maps
static void draw_sectors(const struct screen *s, const struct line_access *a)
{
    struct explain_sector_map m;
    int cell = (s->columns - ADDRESS) / (COALESCE_LINE / COALESCE_SECTOR) - 2;
    if (cell > CELL) cell = CELL;
    explain_sector_map_make(&m, a);
    if (cell == CELL)
        text_puts(s->out, _("  line at      bytes 0-31      32-63           64-95           96-127\n"));
    else
        text_printf(s->out, "%*s%-*s%-*s%-*s96-127\n", ADDRESS + 2, "", cell + 2, "0-31", cell + 2, "32-63", cell + 2,
                    "64-95");
    for (uint32_t i = 0; i < m.count && i < ROWS_SHOWN; ++i) {
        text_printf(s->out, "  +0x%-8" PRIx64, m.line[i].address - a->origin);
        for (int c = 0; c < COALESCE_LINE / COALESCE_SECTOR; ++c) {
            struct text lanes = {0};
            explain_lanes(m.line[i].lanes[c], &lanes);
            text_printf(s->out, " [%-*.*s]", cell - 1, cell - 1, lanes.data ? lanes.data : "");
            text_free(&lanes);
        }
        text_puts(s->out, "\n");
    }
    if (m.count > ROWS_SHOWN) text_say(s->out, "  ... and %" PRIu32 " more lines\n", m.count - ROWS_SHOWN);
    text_puts(s->out, _("  In each sector: the lanes that name something in it.\n"));
}

// Draws the passes of a shared memory access through the banks from `first` up to, but not including, `end`.
static void draw_some_banks(const struct screen *s, const struct explain_bank_map *m, int first, int end)
{
    text_puts(s->out, _("  bank   "));
    for (int b = first; b < end; ++b) text_printf(s->out, "%3d", b);
    text_puts(s->out, "\n");
    for (uint32_t i = 0; i < m->steps.count && i < ROWS_SHOWN; ++i) {
        text_say(s->out, "  pass %-2" PRIu32, i + 1);
        for (int b = first; b < end; ++b) {
            uint32_t lanes = m->steps.step[i].lanes[b];
            if (!lanes)
                text_printf(s->out, "  %s", s->utf8 ? "·" : ".");
            else if (lanes & (lanes - 1))
                text_puts(s->out, "  *");
            else
                text_printf(s->out, "%3d", __builtin_ctz(lanes));
        }
        text_puts(s->out, "\n");
    }
}

// Draws all banks side by side if the screen is wide enough, or else in two halves, one below the other. A bank has
// three columns, and nine stand before the first.
static void draw_banks(const struct screen *s, const struct line_access *a)
{
    struct explain_bank_map m;
    explain_bank_map_make(&m, a);
    int most = s->columns >= 9 + 3 * BANKS ? BANKS : BANKS / 2;
    for (int first = 0; first < BANKS; first += most) draw_some_banks(s, &m, first, first + most);
    if (m.steps.count > ROWS_SHOWN) text_say(s->out, "  ... and %" PRIu32 " more passes\n", m.steps.count - ROWS_SHOWN);
    note(s, _("  In each bank: the lane that it serves in this pass; * serves several lanes with one word.\n"));
}

static void draw_worst(const struct screen *s, const struct explain *e, enum explain_whose whose)
{
    struct text line = {0}, place = {0};
    if (!e->worst) return;
    text_puts(s->out, "\n");
    paint(s, "1", explain_heading(e, whose));
    text_puts(s->out, "\n");
    explain_access(e->profile, e->worst, &line);
    sentence(s, line.data);
    text_free(&line);
    text_puts(&place, "(");
    explain_place(e, &place);
    text_puts(&place, ")");
    note(s, place.data);
    text_free(&place);
    if (e->worst->space == SPACE_SHARED)
        draw_banks(s, e->worst);
    else
        draw_sectors(s, e->worst);
}

static void kernels(const struct screen *s, const struct profile *profile)
{
    for (uint32_t k = 0; k < profile->nkernels; ++k) {
        struct text line = {0};
        explain_bound(&profile->kernel[k], &line);
        sentence(s, line.data);
        text_free(&line);
    }
}

static void write_screen(const struct text *screen, const struct report_options *options, struct text *out)
{
    if (options->utf8)
        text_add(out, screen->data, screen->length);
    else
        utf8_to_ascii(out, screen->data);
}

void explain_terminal(const struct explain *e, const char *shown, const struct explain *other,
                      const struct report_options *options, struct text *out)
{
    struct text screen = {0};
    struct screen s = {&screen, options->colour, options->utf8, report_columns(options)};
    heading(&s, shown, e->profile->device.title);
    source(&s, e);
    text_puts(&screen, "\n");
    kernels(&s, e->profile);
    draw_worst(&s, e, other ? EXPLAIN_YOURS : EXPLAIN_THE);
    if (other) {
        struct explain same = *other; // compares accesses to the same memory space
        if (e->worst) explain_worst(&same, e->worst->space, 0);
        draw_worst(&s, same.worst ? &same : other, EXPLAIN_REFERENCE);
        kernels(&s, other->profile);
    }
    write_screen(&screen, options, out);
    text_free(&screen);
}

void explain_terminal_calls(const struct explain *e, const struct verdict *v, const struct report_options *options,
                            struct text *out)
{
    struct text screen = {0}, line = {0};
    struct screen s = {&screen, options->colour, options->utf8, report_columns(options)};
    heading(&s, v->job->shown, v->device.title);
    source(&s, e);
    text_puts(&screen, "\n");
    explain_overlap(e->timeline, &line);
    sentence(&s, line.data);
    text_free(&line);
    report_trace_timeline(v->program.trace, v->program.from_ps, v->program.to_ps, &screen);
    if (v->findings.count) text_puts(&screen, "\n");
    report_findings(v, options, &screen);
    write_screen(&screen, options, out);
    text_free(&screen);
}
