// Writes the HTML page on the run of a host program: head, what ran, findings, timeline. The files page_run_*.c write
// the kernels, the roofline and the source lines. Everything on the page comes from the host trace
// (host/border/host_trace.h), and the quoted lines from the sources of the struct report_trace.
//
// The page has the policy, the colours and the parts of the page on a lab (page.c). It stays below 600 KB, because each
// list has a limit (page_run.h, FIGURE_SPANS), however many kernels and operations the program has.
#include "report/page/page_run.h"
#include "report/page/html.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "report/escape.h"

const char *page_run_name(const struct page *p, const struct host_trace_kernel *k)
{
    return p->run->kernel[k - p->run->trace->kernel];
}

void page_run_place(const struct page *p, uint32_t source, uint32_t line, struct text *out)
{
    if (p->run->trace->nsources > 1 || strcmp(p->run->file[source], p->run->program) != 0)
        text_printf(out, "%s:%" PRIu32, p->run->file[source], line);
    else
        text_printf(out, "%" PRIu32, line);
}

// --------------------------------------------------------------------------------------------------------------- head
static void write_head(const struct page *p, const struct page_run *run)
{
    const struct report_trace *r = p->run;
    struct text title = {0};
    text_say(&title, "%1$s: run on a simulated %2$s, exit status %3$d", r->program, run->trace->title, r->exit_code);
    page_open(p, &title, "run", N_("To the run"));
    text_free(&title);
    page_puts(p, "<header>\n<p class=\"kicker\">");
    page_say(p, "A program's run");
    page_puts(p, "</p>\n<h1>");
    page_text(p, r->program);
    page_printf(p, " <span class=\"badge %s\">", r->exit_code ? "bad" : run->trace->message[0] ? "warn" : "good");
    page_say(p, "exit status %d", r->exit_code);
    page_puts(p, "</span></h1>\n<p class=\"soft\">");
    if (r->compiler) page_textf(p, "%s · ", r->compiler);
    page_say(p, "simulated %s", run->trace->title);
    page_puts(p, "</p>\n</header>\n");
}

static void write_navigation(const struct page *p, const struct page_run *run)
{
    const struct page_part part[] = {
        {1, "run", N_("Run")},
        {run->trace->nfindings > 0, "findings", N_("Findings")},
        {1, "kernels", N_("Kernels")},
        {run->trace->nkernels > 0, "roofline", N_("Roofline")},
        {run->trace->nkernels > 0, "lines", N_("Lines")},
        {run->timeline != NULL, "timeline", N_("Timeline")},
        {1, "words", N_("Words")},
    };
    page_navigation(p, part, sizeof part / sizeof *part);
}

// ----------------------------------------------------------------------------------------------------------- what ran
static void write_row(const struct page *p, const char *name, struct text *value)
{
    page_puts(p, "<tr><th scope=\"row\">");
    page_text(p, _(name));
    page_puts(p, "</th><td>");
    if (value->length) page_text(p, value->data);
    page_puts(p, "</td></tr>\n");
    text_free(value);
}

static void write_traffic(const struct page *p, const struct host_trace *s)
{
    struct text value = {0}, in = {0}, back = {0};
    explain_count(s->h2d_bytes, &in);
    explain_count(s->d2h_bytes, &back);
    text_say(&value, "%1$" PRIu64 "; bytes to the device: %2$s, to the host: %3$s", s->copies, in.data, back.data);
    text_free(&in);
    text_free(&back);
    write_row(p, N_("copies"), &value);
}

static void write_words(const struct page *p, const struct page_run *run)
{
    static const struct page_column column[] = {{N_("property"), NULL}, {N_("value"), NULL}, {NULL, NULL}};
    const struct host_trace *s = run->trace;
    struct text value = {0};
    page_scroll(p, _("The run as a table"), "");
    page_table(p, "plain", NULL, column);
    text_puts(&value, p->run->program);
    write_row(p, N_("program"), &value);
    for (unsigned i = 0; p->run->arguments && p->run->arguments[i]; ++i)
        text_printf(&value, i ? " %s" : "%s", p->run->arguments[i]);
    if (value.length) write_row(p, N_("arguments"), &value);
    if (p->run->compiler) text_puts(&value, p->run->compiler);
    if (value.length) write_row(p, N_("compiler"), &value);
    if (s->devices > 1) text_printf(&value, "%u × ", s->devices);
    text_say(&value, "simulated %s", s->title);
    write_row(p, N_("device"), &value);
    text_printf(&value, "%d", p->run->exit_code);
    write_row(p, N_("exit status"), &value);
    report_trace_time(run->to_ps - run->from_ps, &value);
    write_row(p, N_("time of the devices"), &value);
    text_printf(&value, "%" PRIu64, s->launches);
    write_row(p, N_("launches"), &value);
    write_traffic(p, s);
    page_table_end(p);
    page_puts(p, "</div>\n");
}

static void write_run(const struct page *p, const struct page_run *run)
{
    page_section(p, "run", N_("What ran"));
    page_run_next(p, run);
    if (run->trace->message[0]) {
        page_puts(p, "<p class=\"bad\">");
        page_say(p, "The run is incomplete: %s", run->trace->message);
        page_puts(p, "</p>\n");
    }
    if (p->run->checked) {
        page_puts(p, "<p>");
        page_say(p, "Device code was run as written, and checked for hazards (--check).");
        page_puts(p, "</p>\n");
    }
    write_words(p, run);
    page_section_end(p);
}

// ----------------------------------------------------------------------------------------------- findings and timeline
static void write_findings(const struct page *p)
{
    const struct report_options plain = {.utf8 = 1};
    struct text said = {0};
    report_trace_findings(p->run, &plain, &said);
    page_section(p, "findings", N_("Findings"));
    page_puts(p, "<pre tabindex=\"0\">");
    if (said.length) escape_html(p->out, said.data, said.length);
    page_puts(p, "</pre>\n");
    page_section_end(p);
    text_free(&said);
}

static void write_timeline(const struct page *p, const struct page_run *run)
{
    uint64_t alone[LAB_ENGINES], idle = lab_alone(run->timeline, alone), all = run->timeline->time_ps;
    struct text time = {0};
    report_trace_time(all, &time);
    page_section(p, "timeline", N_("Timeline: what was under way when"));
    page_puts(p, "<p>");
    page_say(p, "Bars above each other are under way at the same time. Where one row waits for another, time is lost.");
    page_puts(p, "</p>\n<p>");
    page_say(p, "From the first operation to the end of the last: %1$s. Nothing is at work during %2$u %% of it.",
             time.data, (unsigned)(100 * idle / all));
    page_puts(p, "</p>\n");
    text_free(&time);
    page_operations(p, run->timeline);
    page_section_end(p);
}

// Copies a kernel's name, cut at a character so that it fits.
static void make_brief(char brief[64], const char *name)
{
    enum { MOST = 48 };
    size_t length = strlen(name), kept = length < MOST ? length : MOST;
    while (kept < length && kept && ((unsigned char)name[kept] & 0xc0) == 0x80) --kept;
    snprintf(brief, 64, "%.*s%s", (int)kept, name, kept < length ? "…" : "");
}

static void make_timeline(const struct page *p, struct page_run *run)
{
    const struct host_trace *s = run->trace;
    uint32_t *line = alloc_zeroed(s->nspans + 1, sizeof *line);
    const char *file = NULL;
    int files = 0; // with lines of operations
    for (uint32_t i = 0; i < s->nspans; ++i) {
        const struct compile_place *at = &p->run->span[i];
        if (at->line && (!file || strcmp(file, at->file) != 0)) ++files, file = at->file;
    }
    for (uint32_t i = 0; i < s->nspans && files == 1; ++i) line[i] = p->run->span[i].line;
    for (uint32_t i = 0; i < s->nkernels; ++i) make_brief(run->brief[i], p->run->kernel[i]);
    run->timeline = verdict_timeline(s, line, run->from_ps, run->to_ps);
    for (uint32_t i = 0; i < run->timeline->count; ++i) {
        struct lab_span *span = &run->timeline->span[i];
        const struct host_trace_span *from = &s->span[span->operation];
        if (from->kind == SPAN_KERNEL) span->name = run->brief[from->kernel];
    }
    free(line);
}

// ---------------------------------------------------------------------------------------------------------------- page
static void make(const struct page *p, struct page_run *run)
{
    run->trace = p->run->trace;
    run->device = device_profile_find(run->trace->device);
    run->total_ps = report_trace_sort(run->trace, run->kernel);
    for (uint32_t i = 0; i < run->trace->nkernels; ++i) run->timed |= run->kernel[i]->counters.warp_cycles != 0;
    report_trace_window(run->trace, &run->from_ps, &run->to_ps);
    if (run->to_ps > run->from_ps) make_timeline(p, run);
    page_run_make_lines(run);
}

void report_html_trace(const struct report_trace *r, struct text *out)
{
    const struct page p = {.run = r, .out = out};
    struct page_run *run = alloc_zeroed(1, sizeof *run);
    make(&p, run);
    write_head(&p, run);
    write_navigation(&p, run);
    page_puts(&p, "<main>\n");
    write_run(&p, run);
    if (r->trace->nfindings) write_findings(&p);
    page_run_kernels(&p, run);
    if (r->trace->nkernels) page_run_roofline(&p, run);
    if (r->trace->nkernels) page_run_lines(&p, run);
    if (run->timeline) write_timeline(&p, run);
    page_words(&p);
    page_puts(&p, "</main>\n<footer><p>");
    page_say(&p, "Made by Warpwise. A simulated GPU counted everything here; its times come from a model. The same "
                 "program gives the same figures on every machine.");
    page_puts(&p, "</p></footer>\n</body>\n</html>\n");
    if (run->timeline) free(run->timeline->span);
    free(run->timeline);
    free(run->line);
    free(run);
}
