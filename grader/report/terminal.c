// Writes the report for a terminal.
//
// The sections of the terminal report are written one after the other. A verdict may have many failing test cases,
// findings and compiler messages. The terminal report shows at most FAILURES_SHOWN failing cases. The sections of
// findings and compiler messages get only the lines of the terminal report that the other sections leave. The terminal
// report is composed in UTF-8 and converted to ASCII at the end if necessary. All text from a student's file or kernel
// goes through utf8_clean() before it is written.
#define _GNU_SOURCE
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "device/occupancy.h"
#define _GNU_SOURCE
#include "base/text.h"
#include "report/explain.h"
#include "report/report.h"
#include "report/trace.h"
#include "report/utf8.h"

enum {
    LABEL = 10, // columns of a section's name
    FAILURES_SHOWN = 4,
    WARNINGS_SHOWN = 3, // of the compiler, for a source that builds
    FINDINGS_SHOWN = 5,
    PRINT_SHOWN = 4, // lines of the kernel's output that are shown
    NEXT_ROWS = 3,   // rows that are kept free for the advice, which may be longer or shorter
};

// A kernel that is AHEAD times as fast as the furthest example kernel with taught ideas counts as clearly faster.
static const double AHEAD = 1.05;

struct screen {
    const struct verdict *v;
    const struct report_options *options;
    struct text *out;
};

// ----------------------------------------------------------------------------------------------------------- writing
static void paint(const struct screen *s, enum report_paint colour, const char *text)
{
    report_paint(s->options, colour, text, s->out);
}

static void label(const struct screen *s, const char *name)
{
    struct text shown = {0};
    utf8_pad(&shown, _(name), LABEL);
    paint(s, PAINT_BOLD, shown.data);
    text_free(&shown);
}

// Writes text of unknown origin, wrapped after a label of LABEL columns.
static void body(const struct screen *s, const char *text)
{
    struct text clean = {0};
    utf8_clean(&clean, text, strlen(text));
    utf8_wrap(s->out, clean.data ? clean.data : "", LABEL, LABEL, report_columns(s->options));
    text_puts(s->out, "\n");
    text_free(&clean);
}

// Returns how many rows of the screen a text takes. A terminal breaks lines that are wider than the screen.
static unsigned count_rows(const struct screen *s, const struct text *t)
{
    size_t columns = (size_t)report_columns(s->options);
    unsigned n = 0;
    for (const char *at = t->data, *end; t->length && (end = strchr(at, '\n')); at = end + 1) {
        size_t width = utf8_width(at, (size_t)(end - at));
        n += width > columns ? (unsigned)((width + columns - 1) / columns) : 1;
    }
    return n;
}

static void source_line(const struct screen *s, uint32_t line, uint32_t column)
{
    struct bundle source = judge_job_bundle(s->v->job);
    report_quote(s->options, &source, line, column, s->out);
}

// ---------------------------------------------------------------------------------------------------------- sections
static void write_header(const struct screen *s)
{
    const struct verdict *v = s->v;
    struct text line = {0};
    label(s, v->job->lab->name);
    body(s, _(v->job->lab->title));
    label(s, "file");
    text_printf(&line, "%s · %s", v->job->shown, v->compiler);
    if (v->device.sms) text_say(&line, " · simulated %s", v->device.title);
    body(s, line.data);
    label(s, "sandbox");
    body(s, _(box_level_name(v->sandbox)));
    text_free(&line);
}

static const char *value(const struct verdict_case *c, double number, char text[40])
{
    snprintf(text, 40, c->type == LAB_F32 ? "%.9g" : "%.0f", number);
    return text;
}

// Appends the reason why a test case that is not hidden failed.
static void describe_failure(const struct verdict_case *c, struct text *out)
{
    char got[40], expected[40];
    const struct lab_comparison *d = &c->comparison;
    if (c->result == CASE_STOPPED) {
        text_say(out, ": stopped%s%s", c->message[0] ? ": " : "", c->message);
    } else if (c->result == CASE_REFUSED) {
        text_say(out, ": not launched: %s", c->message);
    } else if (c->message[0]) { // the outputs do not count; the message tells the reason
        text_printf(out, ": %s", c->message);
    } else if (d->wrong == d->poisoned && d->wrong) {
        text_say(out, ": %s[%" PRIu64 "] was never written; so %" PRIu64 " of %" PRIu64, c->buffer,
                 d->mismatch[0].index, d->wrong, c->count);
    } else {
        const struct lab_mismatch *m = &d->mismatch[0];
        text_say(out, ": %s[%" PRIu64 "] is %s, expected %s (%" PRIu64 " of %" PRIu64 " wrong)", c->buffer, m->index,
                 m->unwritten ? _("never written") : value(c, m->got, got), value(c, m->expected, expected), d->wrong,
                 c->count);
    }
}

static void write_failure(const struct screen *s, uint32_t index)
{
    const struct verdict_case *c = &s->v->item[index];
    struct text line = {0};
    paint(s, PAINT_RED, _("  wrong   "));
    text_puts(&line, _(c->which->name));
    if (c->which->flags & CASE_HIDDEN)
        text_say(&line, ": not all right");
    else
        describe_failure(c, &line);
    body(s, line.data);
    text_free(&line);
}

// Returns the failing cases that are shown, as a set of indices. The first one of each set of kernels is among them: a
// case that launches a kernel alone tells more than another size of what is shown already.
static uint64_t choose_failures(const struct verdict *v)
{
    uint64_t chosen = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (uint32_t i = 0; i < v->ncases && __builtin_popcountll(chosen) < FAILURES_SHOWN; ++i) {
            int told = pass == 0 && v->item[i].which->flags & CASE_HIDDEN; // its kernels are not known
            for (uint32_t k = 0; k < i && pass == 0; ++k)
                told |= v->item[k].result != CASE_RIGHT && v->item[k].kernels == v->item[i].kernels;
            if (v->item[i].result != CASE_RIGHT && !told) chosen |= UINT64_C(1) << i;
        }
    return chosen;
}

static void write_cases(const struct screen *s)
{
    const struct verdict *v = s->v;
    struct text right = {0}, count = {0};
    unsigned more = 0;
    uint64_t chosen = choose_failures(v);
    label(s, "cases");
    text_say(&count, "%u of %u right", v->nright, v->ncases);
    paint(s, v->nright == v->ncases ? PAINT_GREEN : PAINT_RED, count.data);
    text_puts(s->out, "\n");
    text_free(&count);
    for (uint32_t i = 0; i < v->ncases; ++i) {
        const struct verdict_case *c = &v->item[i];
        if (c->result != CASE_RIGHT) {
            if (chosen >> i & 1) write_failure(s, i);
            more += !(chosen >> i & 1);
            continue;
        }
        text_printf(&right, "%s%s", right.length ? " · " : "", _(c->which->name));
    }
    if (more) text_say(s->out, "          and %u more\n", more);
    if (right.length) {
        paint(s, PAINT_GREEN, _("  ok      "));
        body(s, right.data);
    }
    text_free(&right);
}

static void write_print(const struct screen *s)
{
    const struct verdict *v = s->v;
    if (!v->print.length) return;
    struct text clean = {0};
    utf8_clean(&clean, v->print.data, v->print.length);
    label(s, "printed");
    unsigned lines = 0;
    for (const char *at = clean.data; *at && lines < PRINT_SHOWN; ++lines) {
        size_t length = strcspn(at, "\n"), width = (size_t)report_columns(s->options) - LABEL,
               cut = length < width ? length : width;
        while (cut > 0 && cut < length && ((unsigned char)at[cut] & 0xc0) == 0x80) --cut;
        text_printf(s->out, "%*s%.*s\n", lines ? LABEL : 0, "", (int)cut, at);
        at += length + (at[length] == '\n');
        if (lines == PRINT_SHOWN - 1 && *at) text_say(s->out, "%*s… (--json has more)\n", LABEL, "");
    }
    text_free(&clean);
}

// Writes the line of a finding that editors read. Returns the place.
static struct finding_place write_first_line(const struct screen *s, const struct verdict_finding *f)
{
    struct bundle source = judge_job_bundle(s->v->job);
    struct finding_place at = verdict_place(f);
    struct text place = {0}, line = {0};
    report_place(&at, &source, &place);
    report_finding(f, &line);
    report_first_line(s->options, place.data, verdict_info(f), line.data, s->out);
    text_free(&line);
    text_free(&place);
    return at;
}

// Writes how many findings follow from finding number `index`, and these findings if the options ask for all.
static void write_followers(const struct screen *s, uint32_t index)
{
    const struct verdict_findings *all = &s->v->findings;
    uint32_t n = verdict_followers(all, index);
    if (n == 1) text_say(s->out, "    1 more finding follows from this one\n");
    if (n > 1) text_say(s->out, "    %" PRIu32 " more findings follow from this one\n", n);
    for (uint32_t i = 0; i < all->count && s->options->all; ++i)
        if (all->item[i].follows == index + 1) write_first_line(s, &all->item[i]);
}

static void write_finding(const struct screen *s, uint32_t index)
{
    const struct verdict_finding *f = &s->v->findings.item[index];
    struct bundle source = judge_job_bundle(s->v->job);
    struct text place = {0}, line = {0};
    struct finding_place at = write_first_line(s, f);
    if (at.file == FILE_STUDENT) source_line(s, at.line, at.column);
    if (f->finding.second && f->finding.other.line && f->finding.other.line != at.line) {
        report_place(&f->finding.other, &source, &place);
        report_finding_other(f, &line);
        report_note_line(place.data, line.data, s->out);
        if (f->finding.other.file == FILE_STUDENT) source_line(s, f->finding.other.line, 0);
        text_free(&line);
    }
    verdict_hint(f, &line);
    text_puts(s->out, _("    hint: "));
    utf8_wrap(s->out, line.data, 10, 10, report_columns(s->options));
    text_puts(s->out, "\n");
    write_followers(s, index);
    text_free(&line);
    text_free(&place);
}

// Writes as many findings as fit into `lines` lines, at least one and at most FINDINGS_SHOWN, or all if the options ask
// for them. A finding that follows from another finding is counted below its cause.
static void write_findings(const struct screen *s, unsigned lines)
{
    const struct verdict_findings *all = &s->v->findings;
    unsigned used = 0, shown = 0, more = all->dropped;
    for (uint32_t i = 0; i < all->count; ++i) {
        struct text one = {0};
        struct screen aside = {s->v, s->options, &one};
        if (all->item[i].follows) continue;
        write_finding(&aside, i);
        unsigned needs = count_rows(s, &one);
        int fits = shown < FINDINGS_SHOWN && (!shown || used + needs + 1 <= lines) && more == all->dropped;
        if (fits || s->options->all) {
            text_add(s->out, one.data, one.length);
            used += needs;
            ++shown;
        } else {
            more += 1 + verdict_followers(all, i);
        }
        text_free(&one);
    }
    if (more) text_say(s->out, "and %u more finding%s (--json has all)\n", more, more == 1 ? "" : "s");
}

static void write_coverage(const struct screen *s)
{
    struct text line = {0};
    report_uncovered_lines(s->v, &line);
    if (line.length) {
        label(s, "coverage");
        body(s, line.data);
    }
    text_free(&line);
}

// Writes which engine (simulator or GPU) measured the speed, and how certain the result is.
static void write_clock(const struct screen *s)
{
    const struct verdict_speed *p = &s->v->speed;
    const struct measurement *m = &p->card;
    struct text line = {0};
    if (p->model) {
        if (m->end != MEASURE_NONE)
            text_printf(&line, "%s: %s; ", m->card.title[0] ? m->card.title : _("no card"), m->message);
        if (verdict_card_failed(p))
            text_puts(&line, _("the time is a model's, and does not count"));
        else
            text_puts(&line, p->sampled ? _("simulated speed, from a sample of blocks") : _("simulated speed"));
        if (p->baseline_ran) text_puts(&line, _("; no record of the baseline matches, so it was simulated, too"));
    } else {
        text_say(&line,
                 "measured on %s: %" PRIu32 " pairs, %.2f to %.2f ×; %" PRIu32 " below the minimum%s; model: %.2f ×",
                 m->card.title, 2 * m->trials, m->ratio_low, m->ratio_high, m->test.below,
                 m->answer == SIGN_UNDECIDED ? _(", too close to tell, which counts for you") : "", p->predicted);
    }
    text_printf(s->out, "%*s", LABEL, "");
    body(s, line.data);
    text_free(&line);
}

// Writes the submission's rate of memory traffic or arithmetic, and its share of the device's limit.
static void write_rate(const struct screen *s)
{
    struct report_rate r = report_rate(s->v);
    struct text line = {0};
    if (r.arithmetic)
        text_say(&line, "%.0f GFLOP/s: %.0f %% of the device's %.0f", r.gflops, 100 * r.gflops / r.gflops_limit,
                 r.gflops_limit);
    else
        text_say(&line, "%.0f GB/s of what must be read and written", r.gbs);
    if (!r.arithmetic && r.gbs_limit > 0)
        text_say(&line, ": %.0f %% of the device's %.0f", 100 * r.gbs / r.gbs_limit, r.gbs_limit);
    text_printf(s->out, "%*s", LABEL, "");
    body(s, line.data);
    text_free(&line);
}

// Writes which resource limits a kernel, which resource would limit the kernel next, and which source lines take most
// of its time.
static void write_kernel(const struct screen *s, const struct verdict_kernel *k)
{
    struct text line = {0};
    text_say(&line, "'%s' takes most, bound by %s (%u %% of its time alone); without that, %s would allow %.1f ×",
             k->name, _(observation_resource_name[k->bound]), k->bound_permille / 10,
             _(observation_resource_name[k->next]), (double)k->next_gain_permille / 1000);
    char number[BUNDLE_LINE];
    uint32_t hot = 0;
    while (hot < k->nhot && k->hot[hot].permille >= 10) ++hot;
    for (uint32_t i = 0; i < hot; ++i)
        text_printf(&line, "%s %s (%u %%)",
                    i          ? ","
                    : hot == 1 ? _("; its time goes to line")
                               : _("; its time goes to lines"),
                    judge_job_line(s->v->job, k->hot[i].line, number), k->hot[i].permille / 10);
    text_printf(s->out, "%*s", LABEL, "");
    body(s, line.data);
    text_free(&line);
    text_say(&line, "%u registers, %u bytes shared, occupancy %u %% (limit: %s)", k->registers, k->shared_bytes,
             k->occupancy_permille / 10, _(occupancy_limit_name[k->occupancy_limit]));
    text_printf(s->out, "%*s", LABEL, "");
    body(s, line.data);
    text_free(&line);
}

static void write_speed(const struct screen *s)
{
    const struct verdict_speed *p = &s->v->speed;
    struct text line = {0};
    label(s, "speed");
    if (!p->measured) {
        text_printf(&line, "%s; ",
                    p->problem[0] ? p->problem : _("measured when all cases are right and nothing is found"));
        report_threshold(&p->threshold, &line);
        body(s, line.data);
        text_free(&line);
        return;
    }
    struct text mine = {0}, baseline = {0}, asked = {0};
    explain_time(p->time_ps, &mine);
    explain_time(p->baseline_ps, &baseline);
    report_threshold(&p->threshold, &asked);
    text_say(&line, "%1$.2f × the baseline (%2$s against %3$s); %4$s", p->speedup, mine.data, baseline.data,
             asked.data);
    text_free(&asked);
    text_free(&mine);
    text_free(&baseline);
    body(s, line.data);
    text_free(&line);
    if (s->v->passed && LAB_ALLOWANCE * p->speedup > AHEAD * p->threshold.full) {
        text_printf(s->out, "%*s", LABEL, "");
        body(s, _("well done: faster than any step that the handouts have taught so far"));
    }
    if (!s->v->program.trace) write_rate(s);
    if (!s->v->program.trace) write_kernel(s, &p->kernel[p->slowest]);
    write_clock(s);
    if (s->v->program.trace)
        report_trace_timeline(s->v->program.trace, s->v->program.from_ps, s->v->program.to_ps, s->out);
    for (uint32_t i = 0; i < p->technique.count; ++i) {
        if (i)
            text_printf(s->out, "%*s", LABEL, "");
        else
            label(s, "technique");
        paint(s, p->technique.item[i].holds ? PAINT_GREEN : PAINT_RED,
              p->technique.item[i].holds ? _("ok  ") : _("no  "));
        utf8_wrap(s->out, p->technique.item[i].text, LABEL + 4, LABEL + 4, report_columns(s->options));
        text_puts(s->out, "\n");
    }
}

static void write_score(const struct screen *s)
{
    const struct verdict *v = s->v;
    label(s, "score");
    text_say(s->out, "%d of 100  ", v->total);
    paint(s, v->passed ? PAINT_GREEN : PAINT_RED, v->passed ? _("passed") : _("not passed"));
    text_printf(s->out, "\n%*s", LABEL, "");
    for (int row = 0; row < RUBRIC_ROWS; ++row)
        text_printf(s->out, "%s%s %d/%d", row ? " · " : "", _(verdict_rubric[row].name), v->score[row],
                    verdict_rubric[row].of);
    text_puts(s->out, "\n");
}

static void write_next(const struct screen *s)
{
    label(s, "next");
    body(s, s->v->next);
}

// Writes the compiler's messages, at most `lines` lines.
static void write_messages(const struct screen *s, unsigned lines)
{
    const struct text *m = &s->v->messages;
    struct text clean = {0};
    if (!m->length) return;
    utf8_clean(&clean, m->data, m->length);
    for (const char *at = clean.data; *at;) {
        size_t length = strcspn(at, "\n");
        if (!lines--) {
            text_puts(s->out, _("… (--json has all)\n"));
            break;
        }
        text_printf(s->out, "%.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    text_free(&clean);
}

// Writes the first of the compiler's warnings, a line each, without the source lines that compilers add.
static void write_warnings(const struct screen *s, unsigned lines)
{
    struct text clean = {0};
    if (!s->v->messages.length) return;
    if (lines > WARNINGS_SHOWN && !s->options->all) lines = WARNINGS_SHOWN;
    utf8_clean(&clean, s->v->messages.data, s->v->messages.length);
    for (const char *at = clean.data; *at && lines;) {
        size_t length = strcspn(at, "\n");
        if (memmem(at, length, ": warning", 9)) {
            text_printf(s->out, "%.*s\n", (int)length, at);
            --lines;
        }
        at += length + (at[length] == '\n');
    }
    text_free(&clean);
}

static void write_launch(const struct screen *s)
{
    label(s, "launch");
    paint(s, PAINT_RED, _("refused: "));
    struct text clean = {0};
    utf8_clean(&clean, s->v->sentence, strlen(s->v->sentence));
    utf8_wrap(s->out, clean.data ? clean.data : "", LABEL + 9, LABEL, report_columns(s->options));
    text_puts(s->out, "\n");
    text_free(&clean);
}

void report_findings(const struct verdict *v, const struct report_options *options, struct text *out)
{
    const struct screen s = {v, options, out};
    write_findings(&s, REPORT_LINES);
}

static void add_screen(const struct report_options *options, struct text *screen, struct text *out)
{
    utf8_clean_log(screen);
    if (options->utf8)
        text_add(out, screen->data, screen->length);
    else
        utf8_to_ascii(out, screen->data);
}

void report_next(const struct verdict *v, const struct report_options *options, struct text *out)
{
    struct text screen = {0};
    struct screen s = {v, options, &screen};
    write_next(&s);
    add_screen(options, &screen, out);
    text_free(&screen);
}

// Returns how many lines of the screen are left below `taken` lines.
static unsigned lines_left(const struct screen *s, unsigned taken)
{
    if (s->options->all) return UINT_MAX;
    return taken < REPORT_LINES ? REPORT_LINES - taken : 0;
}

void report_terminal(const struct verdict *v, const struct report_options *options, struct text *out)
{
    report_before_next(v, options, out);
    report_next(v, options, out);
}

// Writes the command that walks to the first finding, if a recording can show one.
static void write_walk(const struct screen *s)
{
    static const char own[] = "student/";
    const struct judge_job *job = s->v->job;
    int file = strncmp(job->shown, own, strlen(own)) != 0;
    if (job->lab->host || strchr(job->shown, '\'') || !verdict_walk(&s->v->findings)) return;
    const char *quote = strpbrk(job->shown, " \"\\$`()&;<>|*?[]#~!") ? "'" : ""; // for a shell
    label(s, "step");
    text_printf(s->out, "./grade step %s", job->lab->name);
    if (file) text_printf(s->out, " %s%s%s", quote, job->shown, quote);
    text_say(s->out, " walks to it, forwards and back\n");
}

void report_before_next(const struct verdict *v, const struct report_options *options, struct text *out)
{
    struct text screen = {0}, tail = {0};
    struct screen head = {v, options, &screen}, foot = {v, options, &tail};
    write_header(&head);
    if (v->stage == STAGE_RUN) {
        write_walk(&foot);
        write_coverage(&foot);
        write_speed(&foot);
    }
    write_score(&foot);
    unsigned taken = count_rows(&head, &screen) + count_rows(&head, &tail) + NEXT_ROWS;
    if (v->stage == STAGE_BUILD) {
        write_messages(&head, lines_left(&head, taken + 1));
    } else if (v->stage == STAGE_LAUNCH) {
        write_launch(&head);
    } else {
        write_cases(&head);
        write_print(&head);
        taken = count_rows(&head, &screen) + count_rows(&head, &tail) + NEXT_ROWS;
        write_findings(&head, lines_left(&head, taken));
        taken = count_rows(&head, &screen) + count_rows(&head, &tail) + NEXT_ROWS;
        write_warnings(&head, lines_left(&head, taken));
    }
    text_add(&screen, tail.data, tail.length);
    add_screen(options, &screen, out);
    text_free(&screen);
    text_free(&tail);
}
