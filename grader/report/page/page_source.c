// Writes two parts of the HTML page: the findings with their source lines, and the whole source with figures and heat
// colours.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "compile/compile.h"
#include "report/escape.h"
#include "report/page/page.h"

enum { AROUND = 2 }; // lines shown before and after the line of a place

// ------------------------------------------------------------------------------------------------------------ findings
// Writes a line of the student's source, marked, with AROUND lines before and after the line.
static void write_excerpt(const struct page *p, const struct explain *source, const struct finding_place *at)
{
    if (at->file != FILE_STUDENT || !at->line || at->line > source->nlines) return;
    char number[BUNDLE_LINE];
    uint32_t first = at->line > AROUND ? at->line - AROUND : 1, last = at->line + AROUND;
    page_puts(p, "<pre tabindex=\"0\">");
    for (uint32_t n = first; n <= last && n <= source->nlines; ++n) {
        const struct explain_line *l = &source->line[n - 1];
        if (n == at->line) page_puts(p, "<mark>");
        page_printf(p, "%5s  ", judge_job_line(p->v->job, n, number));
        escape_html(p->out, l->text, l->length);
        page_puts(p, n == at->line ? "</mark>\n" : "\n");
    }
    page_puts(p, "</pre>\n");
}

static void write_place(const struct page *p, const struct finding_place *at)
{
    if (at->file != FILE_STUDENT || !at->line) {
        page_say(p, "no line of yours");
        return;
    }
    char line[BUNDLE_LINE];
    page_printf(p, "<a href=\"#L%" PRIu32 "\">", at->line);
    page_say(p, "line %s", judge_job_line(p->v->job, at->line, line));
    page_puts(p, "</a>");
}

static void write_cases_of(const struct page *p, const struct verdict_finding *f)
{
    page_puts(p, "<p class=\"soft\">");
    page_say(p, "Seen in: ");
    for (uint32_t i = 0, some = 0; i < p->v->ncases; ++i) {
        if (f->cases >> i & 1) page_textf(p, "%s%s", some++ ? " · " : "", _(p->v->item[i].which->name));
    }
    page_puts(p, ".");
    if (!f->optimised) page_say(p, " Only in the image that is not optimised, in which nothing is hidden.");
    page_puts(p, "</p>\n");
}

static void write_other_place(const struct page *p, const struct explain *source, const struct verdict_finding *f)
{
    struct text other = {0};
    if (f->finding.second) report_finding_other(f, &other);
    if (other.length) {
        page_puts(p, "<p class=\"say\">");
        page_text(p, other.data);
        page_puts(p, " (");
        write_place(p, &f->finding.other);
        page_puts(p, ").</p>\n");
        if (f->finding.other.line != f->finding.at.line) write_excerpt(p, source, &f->finding.other);
    }
    text_free(&other);
}

static void write_finding(const struct page *p, const struct explain *source, uint32_t index)
{
    const struct verdict_finding *f = &p->v->findings.item[index];
    const struct finding_info *info = verdict_info(f);
    struct finding_place at = verdict_place(f);
    struct text sentence = {0}, hint = {0};
    report_finding(f, &sentence);
    verdict_hint(f, &hint);
    page_printf(p, "<article id=\"finding-%" PRIu32 "\">\n<h3><span class=\"badge %s\">", index + 1,
                info->severity == FINDING_DEFECT ? "bad" : "warn");
    page_word(p, info->word);
    page_puts(p, "</span> ");
    write_place(p, &at);
    if (f->kernel[0]) page_say(p, ", in '%s'", f->kernel);
    page_puts(p, "</h3>\n<p class=\"say\">");
    page_text(p, sentence.data ? sentence.data : "");
    page_puts(p, ".</p>\n");
    write_excerpt(p, source, &at);
    write_other_place(p, source, f);
    page_puts(p, "<p class=\"hint\"><strong>");
    page_say(p, "What to do:");
    page_puts(p, "</strong> ");
    page_text(p, hint.data ? hint.data : "");
    page_puts(p, ".</p>\n");
    write_cases_of(p, f);
    page_puts(p, "</article>\n");
    text_free(&sentence);
    text_free(&hint);
}

// Writes the findings that follow from finding number `index`, folded: one mistake is listed once.
static void write_followers(const struct page *p, const struct explain *source, uint32_t index)
{
    uint32_t n = verdict_followers(&p->v->findings, index);
    if (!n) return;
    page_puts(p, "<details><summary>");
    if (n == 1) page_say(p, "    1 more finding follows from this one\n");
    if (n > 1) page_say(p, "    %" PRIu32 " more findings follow from this one\n", n);
    page_puts(p, "</summary>\n");
    for (uint32_t i = 0; i < p->v->findings.count; ++i)
        if (p->v->findings.item[i].follows == index + 1) write_finding(p, source, i);
    page_puts(p, "</details>\n");
}

// Points *source to the explanation of the submission's source (struct explain). If the page has no explanation, makes
// one in `own`, which contains the lines of the source without figures, and points *source to `own`.
static void open_source(const struct page *p, struct explain *own, const struct explain **source)
{
    static const struct profile nothing;
    *own = (struct explain){0};
    *source = p->more->explain;
    if (*source) return;
    // Of a source that is too large to grade, only the size is known.
    size_t kept = p->v->job->bytes > COMPILE_MOST ? 0 : p->v->job->bytes;
    explain_make(own, &nothing, p->v->job->source, kept);
    *source = own;
}

void page_findings(const struct page *p)
{
    struct explain own;
    const struct explain *source;
    open_source(p, &own, &source);
    page_section(p, "findings", N_("Findings"));
    for (uint32_t i = 0; i < p->v->findings.count; ++i) {
        if (p->v->findings.item[i].follows) continue;
        write_finding(p, source, i);
        write_followers(p, source, i);
    }
    if (p->v->findings.dropped) {
        page_puts(p, "<p>");
        page_say(p, "And %" PRIu32 " more.", p->v->findings.dropped);
        page_puts(p, "</p>\n");
    }
    page_section_end(p);
    explain_free(&own);
}

// -------------------------------------------------------------------------------------------------------------- source
static int is_unrun(const struct report_range *range, uint32_t count, uint32_t line)
{
    for (uint32_t i = 0; i < count; ++i)
        if (line >= range[i].first && line <= range[i].last) return 1;
    return 0;
}

static uint32_t finding_at(const struct page *p, uint32_t line)
{
    for (uint32_t i = 0; i < p->v->findings.count; ++i) {
        const struct finding *f = &p->v->findings.item[i].finding;
        struct finding_place at = verdict_place(&p->v->findings.item[i]);
        if (at.file == FILE_STUDENT && at.line == line) return i + 1;
        if (f->second && f->other.file == FILE_STUDENT && f->other.line == line) return i + 1;
    }
    return 0;
}

static void write_figure(const struct page *p, double value, int off, const char *class)
{
    page_printf(p, "<td class=\"%s%s\">", class, off ? " off" : "");
    if (value >= 0) page_printf(p, "%.1f", value);
    page_puts(p, "</td>");
}

void page_line_figures(const struct page *p, const struct explain_line *l)
{
    struct text count = {0};
    if (!l->counted) {
        page_puts(p, "<td></td><td class=\"wide\"></td><td class=\"wide\"></td><td></td><td></td>");
        return;
    }
    explain_count(l->instructions, &count);
    // The colour has at most half of its strength, so that the number on the colour stays readable.
    page_printf(p,
                "<td class=\"heat\" style=\"--heat:%" PRIu32 "%%\">%" PRIu32 "<span class=\"wide\">.%" PRIu32
                "</span> %%</td><td class=\"wide\">%s</td>",
                l->time_permille / 20, l->time_permille / 10, l->time_permille % 10, count.data);
    text_free(&count);
    write_figure(p, l->lanes, l->lanes < 16, "wide");
    write_figure(p, l->sectors, l->sectors > 5, "");
    write_figure(p, l->wavefronts, l->wavefronts >= 2, "");
}

static void write_call(const struct page *p, const struct explain_call *c, uint64_t whole_ps)
{
    struct text bytes = {0};
    if (!c->operations) {
        page_puts(p, "<td></td><td></td><td class=\"wide\"></td><td class=\"wide\"></td><td class=\"wide\"></td>");
        return;
    }
    double share = whole_ps ? (double)c->time_ps / (double)whole_ps : 0;
    explain_count(c->bytes, &bytes);
    page_printf(p,
                "<td class=\"heat\" style=\"--heat:%.0f%%\">%.1f %%</td><td>%.0f %%</td><td class=\"wide\">%.1f</td>"
                "<td class=\"wide\">%s</td><td class=\"wide\">%" PRIu32 "</td>",
                50 * share, 100 * share, c->all_ps ? 100.0 * (double)c->alone_ps / (double)c->all_ps : 0,
                (double)c->waited_ps / c->operations / 1e6, c->bytes ? bytes.data : "", c->operations);
    text_free(&bytes);
}

static void write_line(const struct page *p, const struct explain *e, uint32_t number, int unrun)
{
    const struct explain_line *l = &e->line[number - 1];
    char name[BUNDLE_LINE];
    uint32_t finding = finding_at(p, number);
    page_printf(p, "<tr id=\"L%" PRIu32 "\"%s>", number, unrun ? " class=\"unrun\"" : "");
    if (e->call)
        write_call(p, &e->call[number - 1], e->timeline->time_ps);
    else if (p->more->explain)
        page_line_figures(p, l);
    page_printf(p, "<td class=\"line\">%s</td><td class=\"code\">", judge_job_line(p->v->job, number, name));
    escape_html(p->out, l->text, l->length);
    if (finding) {
        page_printf(p, "  <a class=\"bad\" href=\"#finding-%" PRIu32 "\">", finding);
        page_say(p, "finding %" PRIu32, finding);
        page_puts(p, "</a>");
    }
    page_puts(p, "</td></tr>\n");
}

static void write_coverage(const struct page *p)
{
    const struct coverage *c = p->v->coverage;
    struct text unrun = {0};
    uint32_t lines = 0, ways = 0;
    if (!c) return;
    for (uint32_t i = 0; i < c->nlines; ++i) lines += c->line[i].threads != 0;
    for (uint32_t i = 0; i < c->nbranches; ++i) ways += (c->branch[i].taken != 0) + (c->branch[i].fallen != 0);
    report_uncovered_lines(p->v, &unrun);
    page_puts(p, "<p>");
    if (c->nbranches)
        page_say(p,
                 "The cases ran %" PRIu32 " of %" PRIu32 " lines with code, and %" PRIu32 " of the %" PRIu32
                 " ways that branches can go",
                 lines, c->nlines, ways, 2 * c->nbranches);
    else
        page_say(p, "The cases ran %" PRIu32 " of %" PRIu32 " lines with code", lines, c->nlines);
    page_puts(p, unrun.length ? ": " : "");
    if (unrun.length) page_text(p, unrun.data);
    page_puts(p, ".</p>\n");
    text_free(&unrun);
}

void page_source(const struct page *p)
{
    static const struct page_column of_kernels[] = {
        {N_("time"), NULL},  {N_("instr."), "wide"}, {N_("lanes"), "wide"},  {N_("sect."), NULL},
        {N_("pass."), NULL}, {N_("line"), NULL},     {N_("source"), "code"}, {NULL, NULL}};
    static const struct page_column of_calls[] = {{N_("under way"), NULL}, {N_("alone"), NULL},   {N_("waits"), "wide"},
                                                  {N_("bytes"), "wide"},   {N_("calls"), "wide"}, {N_("line"), NULL},
                                                  {N_("source"), "code"},  {NULL, NULL}};
    enum { FIGURES = 5 }; // number of columns with figures
    static struct report_range range[COVERAGE_LINES];
    struct explain own;
    const struct explain *source;
    uint32_t ranges = p->v->coverage ? report_uncovered(p->v->coverage, range, COVERAGE_LINES) : 0;
    open_source(p, &own, &source);
    page_section(p, "source", N_("Your source, line by line"));
    if (p->more->explain) {
        page_puts(p, "<p>");
        page_say(p, source->call ? N_("What the devices did for each line in the speed case.")
                                 : N_("What each line costs in the speed case."));
        page_puts(p, "</p>\n");
    }
    write_coverage(p);
    page_scroll(p, _("Your source"), " source");
    page_table(p, "lines", NULL, source->call ? of_calls : of_kernels + (p->more->explain ? 0 : FIGURES));
    for (uint32_t n = 1; n <= source->nlines; ++n) write_line(p, source, n, is_unrun(range, ranges, n));
    page_table_end(p);
    page_puts(p, "</div>\n");
    page_section_end(p);
    explain_free(&own);
}
