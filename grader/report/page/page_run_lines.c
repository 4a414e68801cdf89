// Writes the source lines of device code that cost most into the page on a program's run. A line's share of the time
// is, summed over the kernels, the share of the warps' time that a kernel spends at the line, weighted with the time of
// the kernel. Without times, the share is that of warp instructions. The text of a line is quoted from the user's own
// files.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "report/escape.h"
#include "report/page/page_run.h"

static int by_place(const void *x, const void *y)
{
    const struct host_trace_line *a = *(const struct host_trace_line *const *)x,
                                 *b = *(const struct host_trace_line *const *)y;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

static int by_weight(const void *x, const void *y)
{
    const struct page_run_line *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

static double weight_of(const struct page_run *run, const struct host_trace_line *l)
{
    const struct host_trace_kernel *k = &run->trace->kernel[l->kernel];
    if (!run->timed) return (double)l->counters.warp_inst;
    uint64_t all = k->counters.warp_cycles;
    return all ? (double)k->time_ps * (double)l->counters.warp_cycles / (double)all : 0;
}

void page_run_make_lines(struct page_run *run)
{
    const struct host_trace *s = run->trace;
    const struct host_trace_line **line = alloc_zeroed(s->nlines + 1, sizeof *line);
    run->line = alloc_zeroed(s->nlines + 1, sizeof *run->line);
    for (uint32_t i = 0; i < s->nlines; ++i) line[i] = &s->line[i];
    qsort(line, s->nlines, sizeof *line, by_place);
    for (uint32_t i = 0; i < s->nkernels; ++i)
        run->weight += run->timed ? (double)s->kernel[i].time_ps : (double)s->kernel[i].counters.warp_inst;
    for (uint32_t i = 0; i < s->nlines;) {
        struct page_run_line *made = &run->line[run->nlines++];
        struct counters sum = {0};
        uint32_t first = i;
        *made = (struct page_run_line){.source = line[i]->source, .line = line[i]->line};
        for (; i < s->nlines && line[i]->source == line[first]->source && line[i]->line == line[first]->line; ++i) {
            counters_add(&sum, &line[i]->counters);
            made->weight += weight_of(run, line[i]);
        }
        explain_line_take(&made->figures, &sum);
    }
    qsort(run->line, run->nlines, sizeof *run->line, by_weight);
    free(line);
}

// Returns the source if its lines may be quoted, else NULL.
static const struct report_trace_source *source_of(const struct report_trace *r, const struct page_run_line *l)
{
    for (unsigned i = 0; i < r->sources; ++i)
        if (!strcmp(r->source[i].name, r->file[l->source])) return &r->source[i];
    return NULL;
}

// Writes the text of a source line without the white space before it.
static void write_code(const struct page *p, const struct report_trace_source *from, uint32_t line)
{
    struct explain source = {0};
    explain_lines(&source, from->text, from->bytes);
    if (line <= source.nlines) {
        const struct explain_line *l = &source.line[line - 1];
        size_t blank = 0;
        while (blank < l->length && (l->text[blank] == ' ' || l->text[blank] == '\t')) ++blank;
        escape_html(p->out, l->text + blank, l->length - blank);
    }
    explain_free(&source);
}

static void write_line(const struct page *p, const struct page_run *run, struct page_run_line l)
{
    const struct report_trace_source *source = source_of(p->run, &l);
    struct text place = {0};
    l.figures.time_permille = run->weight > 0 ? (uint32_t)(1000 * l.weight / run->weight) : 0;
    page_puts(p, "<tr>");
    page_line_figures(p, &l.figures);
    page_puts(p, "<td class=\"line\">");
    page_run_place(p, l.source, l.line, &place);
    page_text(p, place.data);
    page_puts(p, "</td><td class=\"code\">");
    if (source) write_code(p, source, l.line);
    page_puts(p, "</td></tr>\n");
    text_free(&place);
}

static void write_table(const struct page *p, const struct page_run *run)
{
    static const struct page_column timed[] = {
        {N_("time"), NULL},  {N_("instr."), "wide"}, {N_("lanes"), "wide"},  {N_("sect."), NULL},
        {N_("pass."), NULL}, {N_("line"), NULL},     {N_("source"), "code"}, {NULL, NULL}};
    static const struct page_column untimed[] = {
        {N_("share"), NULL}, {N_("instr."), "wide"}, {N_("lanes"), "wide"},  {N_("sect."), NULL},
        {N_("pass."), NULL}, {N_("line"), NULL},     {N_("source"), "code"}, {NULL, NULL}};
    int quoted = 1;
    page_scroll(p, _("Source lines"), " source");
    page_table(p, "lines", NULL, run->timed ? timed : untimed);
    for (uint32_t i = 0; i < run->nlines && i < PAGE_LINES; ++i) {
        if (i && 1000 * run->line[i].weight < run->weight) break; // this one and all after it round to nothing
        write_line(p, run, run->line[i]);
        quoted &= source_of(p->run, &run->line[i]) != NULL;
    }
    page_table_end(p);
    page_puts(p, "</div>\n");
    if (quoted) return;
    page_puts(p, "<p class=\"soft\">");
    page_say(p, "The text of a line is shown if the command line names its file.");
    page_puts(p, "</p>\n");
}

void page_run_lines(const struct page *p, const struct page_run *run)
{
    page_section(p, "lines", N_("Source lines that cost most"));
    page_puts(p, "<p>");
    if (!run->nlines)
        page_say(p, "No line of a .cu or .cuh file has figures: the kernels are in other headers, or were compiled "
                    "without -lineinfo.");
    else if (run->timed)
        page_say(p, "Shares are of the time of all kernels.");
    else
        page_say(p, "Shares are of the instructions of all kernels.");
    page_puts(p, "</p>\n");
    if (run->nlines) write_table(p, run);
    page_section_end(p);
}
