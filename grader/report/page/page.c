// Writes the report as an HTML page: head, verdict, test cases, speed and history. The files page_*.c write the
// findings, the source, the pictures, the timeline and the glossary of the HTML page.
//
// The HTML page loads nothing, and has no script but that of a recorded block (page_step.c). A content security policy
// in the page's head forbids the browser to run scripts and to load other files. Because of the content security
// policy, text from a submission could do no harm on the HTML page even without escaping. Each picture on the page is
// SVG, and a table has the same data. Each bar on the page stands beside its number. Because each picture has a table
// and each bar has a number, the HTML page can be printed, searched and read aloud by a screen reader.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "base/message.h"
#include "base/text.h"
#include "report/escape.h"
#include "report/page/figure.h"
#include "report/page/page.h"

EMBED(figure_css, "grader/report/page/figure.css");
EMBED(page_css, "grader/report/page/page.css");

// ------------------------------------------------------------------------------------------------------------ writing
static int is_unit(const char *text)
{
    static const char *const unit[] = {"%", "×", "µs", "ms", "ns"};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; ++i)
        if (!strncmp(text, unit[i], strlen(unit[i]))) return 1;
    return 0;
}

void page_text(const struct page *p, const char *text)
{
    struct text whole = {0};
    for (const char *at = text; *at; ++at) // a number stays on one line with its unit
        if (at > text && *at == ' ' && isdigit((unsigned char)at[-1]) && is_unit(at + 1))
            text_puts(&whole, "\u00a0");
        else
            text_add(&whole, at, 1);
    if (whole.length) escape_html(p->out, whole.data, whole.length);
    text_free(&whole);
}

static void put_text(const struct page *p, struct text *t)
{
    if (t->length) page_text(p, t->data);
    text_free(t);
}

void page_textf(const struct page *p, const char *format, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&t, format, args);
    va_end(args);
    put_text(p, &t);
}

void page_say(const struct page *p, const char *format, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vsay(&t, format, args);
    va_end(args);
    put_text(p, &t);
}

void page_puts(const struct page *p, const char *markup)
{
    text_puts(p->out, markup);
}

void page_printf(const struct page *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprintf(p->out, format, args);
    va_end(args);
}

void page_meter(const struct page *p, uint32_t permille, const char *class)
{
    if (permille > 1000) permille = 1000;
    page_printf(p,
                "<span class=\"meter\" aria-hidden=\"true\"><i class=\"%s\" style=\"width:%" PRIu32 ".%" PRIu32
                "%%\"></i></span>",
                class, permille / 10, permille % 10);
}

void page_section(const struct page *p, const char *id, const char *heading)
{
    page_printf(p, "<section id=\"%s\" aria-labelledby=\"%s-heading\">\n<h2 id=\"%s-heading\">", id, id, id);
    page_text(p, _(heading));
    page_puts(p, "</h2>\n");
}

void page_section_end(const struct page *p)
{
    page_puts(p, "</section>\n");
}

void page_scroll(const struct page *p, const char *name, const char *class)
{
    page_printf(p, "<div class=\"scroll%s\" tabindex=\"0\" role=\"region\" aria-label=\"", class);
    page_text(p, name);
    page_puts(p, "\">\n");
}

void page_details(const struct page *p)
{
    page_puts(p, "<details><summary>");
    page_say(p, "The same as a table");
    page_puts(p, "</summary>\n");
}

void page_table(const struct page *p, const char *class, const char *caption, const struct page_column *column)
{
    page_printf(p, "<table class=\"%s\">", class);
    if (caption) page_puts(p, "<caption>");
    if (caption) page_text(p, _(caption));
    page_puts(p, caption ? "</caption>\n<thead><tr>" : "\n<thead><tr>");
    for (; column->heading; ++column) {
        if (!*column->heading) {
            page_puts(p, "<td></td>");
            continue;
        }
        page_puts(p, "<th scope=\"col\"");
        if (column->class) page_printf(p, " class=\"%s\"", column->class);
        page_puts(p, ">");
        page_word(p, column->heading);
        page_puts(p, "</th>");
    }
    page_puts(p, "</tr></thead>\n<tbody>\n");
}

void page_table_end(const struct page *p)
{
    page_puts(p, "</tbody></table>\n");
}

// --------------------------------------------------------------------------------------------------------------- head
static const char *outcome(int passed)
{
    return passed ? N_("passed") : N_("not passed");
}

void page_open(const struct page *p, const struct text *title, const char *first, const char *skip)
{
    page_puts(p, "<!doctype html>\n<html lang=\"");
    // Translators: the language that you translate to, by its code: "ko".
    page_say(p, "en");
    page_puts(p, "\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                 "'unsafe-inline'");
    if (p->scripts) page_step_policy(p);
    page_puts(p, "\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    page_text(p, title->data);
    page_puts(p, "</title>\n<style>\n");
    page_puts(p, figure_css);
    page_puts(p, page_css);
    if (p->scripts) page_step_style(p);
    page_printf(p, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#%s\">", first);
    page_text(p, _(skip));
    page_puts(p, "</a>\n");
}

static void write_head(const struct page *p)
{
    const struct verdict *v = p->v;
    struct text title = {0};
    text_say(&title, "%s: %d of 100, %s", v->job->lab->name, v->total, _(outcome(v->passed)));
    page_open(p, &title, "verdict", N_("To the verdict"));
    text_free(&title);
    page_puts(p, "<header>\n<p class=\"kicker\">");
    page_textf(p, "%s · %s", v->job->lab->name, _(v->job->lab->title));
    page_printf(p, "</p>\n<h1>%d <span class=\"of\">", v->total);
    page_say(p, "of 100");
    page_printf(p, "</span> <span class=\"badge %s\">", v->passed ? "good" : "bad");
    page_text(p, _(outcome(v->passed)));
    page_puts(p, "</span></h1>\n<p class=\"soft\">");
    page_textf(p, "%s · %s", v->job->shown, v->compiler);
    if (v->device.sms) page_say(p, " · simulated %s", v->device.title);
    page_puts(p, "</p>\n</header>\n");
}

void page_navigation(const struct page *p, const struct page_part *part, size_t parts)
{
    page_puts(p, "<nav aria-label=\"");
    page_say(p, "Parts of the report");
    page_puts(p, "\"><ul>");
    for (size_t i = 0; i < parts; ++i) {
        if (!part[i].there) continue;
        page_printf(p, "<li><a href=\"#%s\">", part[i].id);
        page_text(p, _(part[i].name));
        page_puts(p, "</a></li>");
    }
    page_puts(p, "</ul></nav>\n");
}

static void write_navigation(const struct page *p)
{
    const struct verdict *v = p->v;
    const struct explain *e = p->more->explain;
    int run = v->stage == STAGE_RUN, kernels = e && e->profile, program = e && e->timeline;
    const struct page_part part[] = {
        {1, "verdict", N_("Verdict")},
        {v->findings.count > 0, "findings", N_("Findings")},
        {p->more->step != NULL, "walk", N_("Step by step")},
        {run, "cases", N_("Cases")},
        {run, "speed", N_("Speed")},
        {kernels, "memory", N_("Memory")},
        {program, "timeline", N_("Timeline")},
        {1, "source", N_("Source")},
        {kernels, "resources", N_("Resources")},
        {kernels, "occupancy", N_("Occupancy")},
        {p->more->attempts > 0, "history", N_("History")},
        {1, "words", N_("Words")},
    };
    page_navigation(p, part, sizeof part / sizeof *part);
}

// ------------------------------------------------------------------------------------------------------------ verdict
static void write_rubric(const struct page *p)
{
    static const struct page_column column[] = {{N_("for"), NULL}, {N_("points"), "number"}, {"", NULL}, {NULL, NULL}};
    const struct verdict *v = p->v;
    page_table(p, "bars", N_("Points"), column);
    for (int row = 0; row < RUBRIC_ROWS; ++row) {
        int of = v->rubric ? v->rubric->of[row] : verdict_rubric[row].of;
        if (!of) continue;
        page_puts(p, "<tr><th scope=\"row\">");
        page_word(p, verdict_rubric[row].name);
        page_puts(p, "</th><td class=\"number\">");
        page_say(p, "%d of %d", v->score[row], of);
        page_puts(p, "</td><td class=\"track\">");
        page_meter(p, (uint32_t)(1000 * v->score[row] / of), v->score[row] == of ? "good" : "");
        page_puts(p, "</td></tr>\n");
    }
    page_table_end(p);
}

static void write_reasons(const struct page *p)
{
    const struct verdict *v = p->v;
    char line[BUNDLE_LINE];
    if (!v->nreasons) return;
    page_puts(p, "<p>");
    page_say(p, "Not passed because of: ");
    for (uint32_t i = 0; i < v->nreasons; ++i) {
        page_puts(p, i ? "; " : "");
        page_word(p, v->reason[i].word);
        if (v->reason[i].line) page_say(p, " at line %s", judge_job_line(v->job, v->reason[i].line, line));
    }
    page_puts(p, ".</p>\n");
}

static void write_verbatim(const struct page *p, const char *heading, const struct text *said)
{
    if (!said->length) return;
    page_puts(p, "<h3>");
    page_text(p, _(heading));
    page_puts(p, "</h3>\n<pre tabindex=\"0\">");
    escape_html(p->out, said->data, said->length);
    page_puts(p, "</pre>\n");
}

static void write_verdict(const struct page *p)
{
    const struct verdict *v = p->v;
    page_section(p, "verdict", N_("Verdict"));
    page_puts(p, "<div class=\"next\"><p class=\"say\"><strong>");
    page_say(p, "Next:");
    page_puts(p, "</strong> ");
    page_text(p, v->next);
    page_puts(p, "</p></div>\n");
    write_rubric(p);
    write_reasons(p);
    if (v->stage == STAGE_LAUNCH) {
        page_puts(p, "<p class=\"bad\">");
        page_say(p, "The launch is refused: %s", v->sentence);
        page_puts(p, "</p>\n");
    }
    write_verbatim(p, N_("The compiler says"), &v->messages);
    page_section_end(p);
}

// -------------------------------------------------------------------------------------------------------------- cases
static void write_outcome(const struct page *p, const struct verdict_case *c)
{
    const struct lab_mismatch *m = &c->comparison.mismatch[0];
    if (c->result == CASE_WRONG && c->comparison.shown && m->unwritten)
        page_say(p, "%s[%" PRIu64 "] was never written, expected %.9g; %" PRIu64 " of %" PRIu64 " wrong", c->buffer,
                 m->index, m->expected, c->comparison.wrong, c->count);
    else if (c->result == CASE_WRONG && c->comparison.shown)
        page_say(p,
                 c->type == LAB_F32 ? N_("%s[%" PRIu64 "] is %.9g, expected %.9g; %" PRIu64 " of %" PRIu64 " wrong")
                                    : N_("%s[%" PRIu64 "] is %.0f, expected %.0f; %" PRIu64 " of %" PRIu64 " wrong"),
                 c->buffer, m->index, m->got, m->expected, c->comparison.wrong, c->count);
    else if (c->result != CASE_RIGHT)
        page_text(p, c->message);
}

static void write_wrong_case(const struct page *p, uint32_t index)
{
    static const char *const word[CASE_RESULTS] = {N_("right"), N_("wrong"), N_("stopped"), N_("refused")};
    const struct verdict_case *c = &p->v->item[index];
    page_puts(p, "<tr><th scope=\"row\">");
    page_word(p, c->which->name);
    page_puts(p, "</th><td class=\"bad\">");
    page_word(p, c->which->flags & CASE_HIDDEN ? N_("not all right") : word[c->result]);
    page_puts(p, "</td><td>");
    write_outcome(p, c);
    page_puts(p, "</td></tr>\n");
}

static void write_wrong_cases(const struct page *p)
{
    static const struct page_column column[] = {
        {N_("case"), NULL}, {N_("result"), NULL}, {N_("what was wrong"), NULL}, {NULL, NULL}};
    if (p->v->nright == p->v->ncases) return;
    page_scroll(p, _("Table of wrong cases"), "");
    page_table(p, "plain", NULL, column);
    for (uint32_t i = 0; i < p->v->ncases; ++i)
        if (p->v->item[i].result != CASE_RIGHT) write_wrong_case(p, i);
    page_table_end(p);
    page_puts(p, "</div>\n");
}

static void write_right_cases(const struct page *p)
{
    if (!p->v->nright) return;
    page_puts(p, "<ul class=\"chips\" aria-label=\"");
    page_say(p, "Cases that are right");
    page_puts(p, "\">\n");
    for (uint32_t i = 0; i < p->v->ncases; ++i) {
        if (p->v->item[i].result != CASE_RIGHT) continue;
        page_puts(p, "<li>");
        page_word(p, p->v->item[i].which->name);
        page_puts(p, "</li>\n");
    }
    page_puts(p, "</ul>\n");
}

static void write_cases(const struct page *p)
{
    const struct verdict *v = p->v;
    page_section(p, "cases", N_("Cases"));
    page_puts(p, "<p>");
    page_say(p, "%" PRIu32 " of %" PRIu32 " are right. All hidden cases count as one.", v->nright, v->ncases);
    page_puts(p, "</p>\n");
    write_wrong_cases(p);
    write_right_cases(p);
    write_verbatim(p, N_("The kernel printed"), &v->print);
    page_section_end(p);
}

// -------------------------------------------------------------------------------------------------------------- speed
static void speed_row(const struct page *p, const char *name, double speedup, double most, const char *class)
{
    page_puts(p, "<tr><th scope=\"row\">");
    page_word(p, name);
    page_printf(p, "</th><td class=\"number\">%.2f ×</td><td class=\"track\">", speedup);
    page_meter(p, (uint32_t)(1000 * speedup / most), class);
    page_puts(p, "</td></tr>\n");
}

static void write_speedups(const struct page *p)
{
    static const struct page_column column[] = {{N_("whose"), NULL}, {N_("times"), "number"}, {"", NULL}, {NULL, NULL}};
    const struct verdict_speed *s = &p->v->speed;
    double most = s->threshold.full > s->speedup ? s->threshold.full : s->speedup;
    page_table(p, "bars", N_("Speed, the baseline's being 1"), column);
    speed_row(p, N_("baseline"), 1, most, "");
    if (s->measured) speed_row(p, N_("yours"), s->speedup, most, s->speedup >= s->threshold.minimum ? "good" : "bad");
    if (s->threshold.minimum > 0) speed_row(p, N_("to pass"), s->threshold.minimum, most, "");
    speed_row(p, N_("full marks"), s->threshold.full, most, "");
    page_table_end(p);
}

static void write_times(const struct page *p)
{
    const struct verdict_speed *s = &p->v->speed;
    struct text mine = {0}, baseline = {0};
    explain_time(s->time_ps, &mine);
    explain_time(s->baseline_ps, &baseline);
    page_puts(p, "<p>");
    if (!s->measured)
        page_text(p, s->problem[0] ? s->problem : _("It is measured when all cases are right and nothing is found."));
    else if (s->model)
        page_say(p, "Yours took %s, the baseline %s. These times are a model's, the same on every machine.", mine.data,
                 baseline.data);
    else
        page_say(p, "Yours took %s, the baseline %s, measured on %s.", mine.data, baseline.data, s->card.card.title);
    if (s->measured && s->model && s->baseline_ran)
        page_say(p, " No record of the baseline matches, so it was simulated, too.");
    page_puts(p, "</p>\n");
    text_free(&mine);
    text_free(&baseline);
}

static void write_technique(const struct page *p, const struct lab_techniques *all)
{
    if (!all->count) return;
    page_puts(p, "<h3>");
    page_say(p, "Technique");
    page_puts(p, "</h3>\n<ul>\n");
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct lab_technique *t = &all->item[i];
        page_printf(p, "<li><span class=\"%s\">", t->holds ? "good" : "bad");
        page_text(p, t->holds ? _("holds:") : _("missing:"));
        page_puts(p, "</span> ");
        page_text(p, t->text);
        page_puts(p, "</li>\n");
    }
    page_puts(p, "</ul>\n");
}

static void write_speed(const struct page *p)
{
    page_section(p, "speed", N_("Speed"));
    write_speedups(p);
    write_times(p);
    write_technique(p, &p->v->speed.technique);
    page_section_end(p);
}

// ------------------------------------------------------------------------------------------------------------ history
enum { DRAWN = 100 };

static void write_attempt(const struct page *p, const struct report_attempt *a)
{
    page_puts(p, "<tr><th scope=\"row\">");
    page_text(p, a->when);
    page_printf(p, "</th><td class=\"number\">%d</td><td class=\"number\">", a->total);
    if (a->speedup > 0) page_printf(p, "%.2f ×", a->speedup);
    page_puts(p, "</td><td>");
    page_text(p, _(outcome(a->passed)));
    page_puts(p, "</td></tr>\n");
}

static void write_history(const struct page *p)
{
    static const struct figure f = {"history-figure", 0};
    static const struct page_column column[] = {
        {N_("when"), NULL}, {N_("points"), "number"}, {N_("speedup"), "number"}, {N_("verdict"), NULL}, {NULL, NULL}};
    struct figure_attempt drawn[DRAWN];
    uint32_t n = p->more->attempts, first = n > DRAWN ? n - DRAWN : 0;
    for (uint32_t i = first; i < n; ++i)
        drawn[i - first] = (struct figure_attempt){p->more->attempt[i].total, p->more->attempt[i].passed};
    page_section(p, "history", N_("Your attempts"));
    page_scroll(p, _("Picture of your attempts"), "");
    figure_history(&f, drawn, n - first, p->out);
    page_puts(p, "</div>\n");
    page_details(p);
    page_table(p, "plain", NULL, column);
    for (uint32_t i = n; i-- > first;) write_attempt(p, &p->more->attempt[i]);
    page_table_end(p);
    page_puts(p, "</details>\n");
    page_section_end(p);
}

static void write_walk(const struct page *p)
{
    page_section(p, "walk", N_("Step by step"));
    page_puts(p, "<p>");
    page_say(p,
             "The first finding, in the smallest case that shows it: walk from one access to the other. ./grade step "
             "%s shows other cases and blocks.",
             p->v->job->lab->name);
    page_puts(p, "</p>\n");
    page_step_walk(p, p->more->step);
    page_section_end(p);
}

void report_html(const struct verdict *v, const struct report_page *more, struct text *out)
{
    const struct page p = {.v = v, .more = more, .out = out, .scripts = more->step != NULL};
    write_head(&p);
    write_navigation(&p);
    page_puts(&p, "<main>\n");
    write_verdict(&p);
    if (v->findings.count) page_findings(&p);
    if (more->step) write_walk(&p);
    if (v->stage == STAGE_RUN) write_cases(&p);
    if (v->stage == STAGE_RUN) write_speed(&p);
    if (more->explain && more->explain->profile) page_access(&p);
    if (more->explain && more->explain->timeline) page_timeline(&p);
    page_source(&p);
    if (more->explain && more->explain->profile) {
        page_resources(&p);
        page_occupancy(&p);
    }
    if (more->attempts) write_history(&p);
    page_words(&p);
    page_puts(&p, "</main>\n<footer><p>");
    page_say(&p, "Made by Warpwise. Everything here was counted by a simulated GPU that ran your kernel; the same "
                 "submission gives the same figures on every machine.");
    page_puts(&p, "</p><p>");
    if (v->speed.threshold.version)
        page_say(&p, "Thresholds: version %d.", v->speed.threshold.version);
    else
        page_say(&p, "Thresholds: calibrated on this machine.");
    page_puts(&p, "</p></footer>\n");
    if (more->step) page_step_script(&p);
    page_puts(&p, "</body>\n</html>\n");
}
