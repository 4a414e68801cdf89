// The page: head, verdict, cases, speed, history; its other parts are page_*.c. See report.h.
//
// Nothing on the page moves or fetches: there is no script, and a policy in its head forbids one, so that text of a
// submission could do nothing even if it were not escaped. Pictures are SVG, each with the same data as a table; bars
// stand beside their numbers. So the page can be read, printed, searched and listened to as it is.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/escape.h"
#include "report/figure.h"
#include "report/figure_css.h"
#include "report/page.h"
#include "report/page_css.h"

// ------------------------------------------------------------------------------------------------------------ writing
void page_text(const struct page *p, const char *text)
{
    escape_html(p->out, text, strlen(text));
}

void page_textf(const struct page *p, const char *format, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&t, format, args);
    va_end(args);
    if (t.length) escape_html(p->out, t.data, t.length);
    text_free(&t);
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
    page_printf(p, "<section id=\"%s\" aria-labelledby=\"%s-heading\">\n<h2 id=\"%s-heading\">%s</h2>\n", id, id, id,
                heading);
}

void page_section_end(const struct page *p)
{
    page_puts(p, "</section>\n");
}

void page_time(const struct page *p, uint64_t ps)
{
    page_printf(p, ps < 10000000 ? "%.2f µs" : "%.1f µs", (double)ps / 1e6);
}

// --------------------------------------------------------------------------------------------------------------- head
static void write_head(const struct page *p)
{
    const struct verdict *v = p->v;
    page_puts(
        p, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    page_textf(p, "%s: %d of 100, %s", v->job->lab->name, v->total, v->passed ? "passed" : "not passed");
    page_puts(p, "</title>\n<style>\n");
    page_puts(p, figure_css);
    page_puts(p, page_css);
    page_puts(p, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#verdict\">To the verdict</a>\n<header>\n"
                 "<p class=\"kicker\">");
    page_textf(p, "%s · %s", v->job->lab->name, v->job->lab->title);
    page_printf(
        p, "</p>\n<h1>%d <span class=\"of\">of 100</span> <span class=\"badge %s\">%s</span></h1>\n<p class=\"soft\">",
        v->total, v->passed ? "good" : "bad", v->passed ? "passed" : "not passed");
    page_textf(p, "%s · %s", v->job->shown, v->compiler);
    if (v->device.sms) page_textf(p, " · simulated %s", v->device.title);
    page_puts(p, "</p>\n</header>\n");
}

static void write_link(const struct page *p, const char *id, const char *name)
{
    page_printf(p, "<li><a href=\"#%s\">%s</a></li>", id, name);
}

static void write_navigation(const struct page *p)
{
    const struct verdict *v = p->v;
    page_puts(p, "<nav aria-label=\"Parts of the report\"><ul>");
    write_link(p, "verdict", "Verdict");
    if (v->findings.count) write_link(p, "findings", "Findings");
    if (v->stage == STAGE_RUN) write_link(p, "cases", "Cases");
    if (v->stage == STAGE_RUN) write_link(p, "speed", "Speed");
    if (p->more->explain) write_link(p, "memory", "Memory");
    if (v->program.timeline) write_link(p, "timeline", "Timeline");
    write_link(p, "source", "Source");
    if (p->more->explain) {
        write_link(p, "resources", "Resources");
        write_link(p, "occupancy", "Occupancy");
    }
    if (p->more->attempts) write_link(p, "history", "History");
    write_link(p, "words", "Words");
    page_puts(p, "</ul></nav>\n");
}

// ------------------------------------------------------------------------------------------------------------ verdict
static void write_rubric(const struct page *p)
{
    const struct verdict *v = p->v;
    page_puts(p, "<table class=\"bars\"><caption>Points</caption>\n<thead><tr><th scope=\"col\">for</th>"
                 "<th scope=\"col\" class=\"number\">points</th><td></td></tr></thead>\n<tbody>\n");
    for (int row = 0; row < RUBRIC_ROWS; ++row) {
        int of = v->rubric ? v->rubric->of[row] : rubric_info[row].of;
        if (!of) continue;
        page_printf(p, "<tr><th scope=\"row\">%s</th><td class=\"number\">%d of %d</td><td class=\"track\">",
                    rubric_info[row].name, v->score[row], of);
        page_meter(p, (uint32_t)(1000 * v->score[row] / of), v->score[row] == of ? "good" : "");
        page_puts(p, "</td></tr>\n");
    }
    page_puts(p, "</tbody></table>\n");
}

static void write_verdict(const struct page *p)
{
    const struct verdict *v = p->v;
    page_section(p, "verdict", "Verdict");
    page_puts(p, "<div class=\"next\"><p class=\"say\"><strong>Next:</strong> ");
    page_text(p, v->next);
    page_puts(p, "</p></div>\n");
    write_rubric(p);
    if (v->nreasons) {
        page_puts(p, "<p>Not passed because of: ");
        for (uint32_t i = 0; i < v->nreasons; ++i) page_textf(p, "%s%s", i ? "; " : "", v->reason[i]);
        page_puts(p, ".</p>\n");
    }
    if (v->stage == STAGE_LAUNCH) {
        page_puts(p, "<p class=\"bad\">The launch is refused: ");
        page_text(p, v->sentence);
        page_puts(p, "</p>\n");
    }
    if (v->messages.length) {
        page_puts(p, "<h3>The compiler says</h3>\n<pre tabindex=\"0\">");
        escape_html(p->out, v->messages.data, v->messages.length);
        page_puts(p, "</pre>\n");
    }
    page_section_end(p);
}

// -------------------------------------------------------------------------------------------------------------- cases
static void write_outcome(const struct page *p, const struct verdict_case *c)
{
    const struct lab_mismatch *m = &c->comparison.mismatch[0];
    if (c->which->flags & CASE_HIDDEN) return;
    if (c->result == CASE_WRONG && c->comparison.shown)
        page_textf(p,
                   c->type == LAB_F32 ? "%s[%" PRIu64 "] is %.9g, expected %.9g; %" PRIu64 " of %" PRIu64 " wrong"
                                      : "%s[%" PRIu64 "] is %.0f, expected %.0f; %" PRIu64 " of %" PRIu64 " wrong",
                   c->buffer, m->index, m->got, m->expected, c->comparison.wrong, c->count);
    else if (c->result != CASE_RIGHT)
        page_text(p, c->message);
}

static void write_wrong_case(const struct page *p, uint32_t index)
{
    static const char *const word[CASE_RESULTS] = {"right", "wrong", "stopped", "refused"};
    const struct verdict_case *c = &p->v->item[index];
    struct text name = {0};
    report_case_name(p->v, index, &name);
    page_puts(p, "<tr><th scope=\"row\">");
    page_text(p, name.data);
    text_free(&name);
    page_printf(p, "</th><td class=\"bad\">%s</td><td>", word[c->result]);
    write_outcome(p, c);
    page_puts(p, "</td></tr>\n");
}

static void write_right_cases(const struct page *p)
{
    page_puts(p, "<ul class=\"chips\" aria-label=\"Cases that are right\">\n");
    for (uint32_t i = 0; i < p->v->ncases; ++i) {
        struct text name = {0};
        if (p->v->item[i].result != CASE_RIGHT) continue;
        report_case_name(p->v, i, &name);
        page_puts(p, "<li>");
        page_text(p, name.data);
        page_puts(p, "</li>\n");
        text_free(&name);
    }
    page_puts(p, "</ul>\n");
}

static void write_cases(const struct page *p)
{
    const struct verdict *v = p->v;
    page_section(p, "cases", "Cases");
    page_printf(p, "<p>%" PRIu32 " of %" PRIu32 " are right. Hidden ones are graded, and not shown.</p>\n", v->nright,
                v->ncases);
    if (v->nright < v->ncases) {
        page_puts(p, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of wrong cases\">"
                     "<table class=\"plain\"><thead><tr><th scope=\"col\">case</th><th scope=\"col\">result</th>"
                     "<th scope=\"col\">what was wrong</th></tr></thead>\n<tbody>\n");
        for (uint32_t i = 0; i < v->ncases; ++i)
            if (v->item[i].result != CASE_RIGHT) write_wrong_case(p, i);
        page_puts(p, "</tbody></table></div>\n");
    }
    if (v->nright) write_right_cases(p);
    if (v->print.length) {
        page_puts(p, "<h3>The kernel printed</h3>\n<pre tabindex=\"0\">");
        escape_html(p->out, v->print.data, v->print.length);
        page_puts(p, "</pre>\n");
    }
    page_section_end(p);
}

// -------------------------------------------------------------------------------------------------------------- speed
static void speed_row(const struct page *p, const char *name, double speedup, double most, const char *class)
{
    page_printf(p, "<tr><th scope=\"row\">%s</th><td class=\"number\">%.2f ×</td><td class=\"track\">", name, speedup);
    page_meter(p, (uint32_t)(1000 * speedup / most), class);
    page_puts(p, "</td></tr>\n");
}

static void write_speed(const struct page *p)
{
    const struct verdict_speed *s = &p->v->speed;
    double most = s->full > s->speedup ? s->full : s->speedup;
    page_section(p, "speed", "Speed");
    page_puts(p, "<table class=\"bars\"><caption>Speed, the baseline's being 1</caption>\n<thead><tr><th "
                 "scope=\"col\">whose</th>"
                 "<th scope=\"col\" class=\"number\">times</th><td></td></tr></thead>\n<tbody>\n");
    speed_row(p, "baseline", 1, most, "");
    if (s->measured) speed_row(p, "yours", s->speedup, most, s->speedup >= s->needed ? "good" : "bad");
    speed_row(p, "to pass", s->needed, most, "");
    speed_row(p, "full marks", s->full, most, "");
    page_puts(p, "</tbody></table>\n<p>");
    if (s->measured) {
        page_puts(p, "Yours took ");
        page_time(p, s->time_ps);
        page_puts(p, ", the baseline ");
        page_time(p, s->baseline_ps);
        page_puts(p, s->model ? ". These times are a model's, the same on every machine.</p>\n" : ", measured on ");
        if (!s->model) page_textf(p, "%s.", s->card.card.title);
        if (!s->model) page_puts(p, "</p>\n");
    } else {
        page_text(p, s->problem[0] ? s->problem : "It is measured when all cases are right and nothing is found.");
        page_puts(p, "</p>\n");
    }
    if (s->technique.count) page_puts(p, "<h3>Technique</h3>\n<ul>\n");
    for (uint32_t i = 0; i < s->technique.count; ++i) {
        const struct lab_technique *t = &s->technique.item[i];
        page_printf(p, "<li><span class=\"%s\">%s</span> ", t->holds ? "good" : "bad",
                    t->holds ? "holds:" : "missing:");
        page_text(p, t->text);
        page_puts(p, "</li>\n");
    }
    if (s->technique.count) page_puts(p, "</ul>\n");
    page_section_end(p);
}

// ------------------------------------------------------------------------------------------------------------ history
enum { DRAWN = 100 };

static void write_history(const struct page *p)
{
    static const struct figure f = {"history-figure", 0};
    struct figure_attempt drawn[DRAWN];
    uint32_t n = p->more->attempts, first = n > DRAWN ? n - DRAWN : 0;
    for (uint32_t i = first; i < n; ++i)
        drawn[i - first] = (struct figure_attempt){p->more->attempt[i].total, p->more->attempt[i].passed};
    page_section(p, "history", "Your attempts");
    page_puts(p, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of your attempts\">\n");
    figure_history(&f, drawn, n - first, p->out);
    page_puts(p, "</div>\n<details><summary>The same as a table</summary>\n<table class=\"plain\"><thead><tr>"
                 "<th scope=\"col\">when</th><th scope=\"col\" class=\"number\">points</th>"
                 "<th scope=\"col\" class=\"number\">speed</th><th scope=\"col\">verdict</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = n; i-- > first;) {
        const struct report_attempt *a = &p->more->attempt[i];
        page_puts(p, "<tr><th scope=\"row\">");
        page_text(p, a->when);
        page_printf(p, "</th><td class=\"number\">%d</td><td class=\"number\">", a->total);
        if (a->speedup > 0) page_printf(p, "%.2f ×", a->speedup);
        page_printf(p, "</td><td>%s</td></tr>\n", a->passed ? "passed" : "not passed");
    }
    page_puts(p, "</tbody></table></details>\n");
    page_section_end(p);
}

void report_html(const struct verdict *v, const struct report_page *more, struct text *out)
{
    const struct page p = {v, more, out};
    write_head(&p);
    write_navigation(&p);
    page_puts(&p, "<main>\n");
    write_verdict(&p);
    if (v->findings.count) page_findings(&p);
    if (v->stage == STAGE_RUN) write_cases(&p);
    if (v->stage == STAGE_RUN) write_speed(&p);
    if (more->explain) page_access(&p);
    if (v->program.timeline) page_timeline(&p);
    page_source(&p);
    if (more->explain) {
        page_resources(&p);
        page_occupancy(&p);
    }
    if (more->attempts) write_history(&p);
    page_words(&p);
    page_puts(&p,
              "</main>\n<footer><p>Made by Warpwise. Everything here was counted by a simulated GPU that ran your "
              "kernel; the same submission gives the same figures on every machine.</p></footer>\n</body>\n</html>\n");
}
