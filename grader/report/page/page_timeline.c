// Writes the timeline of a host program into the HTML page, as a picture and as a table. The page is that of a host
// lab, or of the run of a whole program.
#include <inttypes.h>

#include "base/message.h"
#include "base/text.h"
#include "report/page/figure.h"
#include "report/page/page.h"

enum { TABLE = 200 }; // maximum number of operations in the table

static void write_place(const struct page *p, const struct lab_span *s)
{
    char line[BUNDLE_LINE];
    if (p->run && p->run->span[s->operation].line)
        page_textf(p, "%s:%" PRIu32, p->run->span[s->operation].file, p->run->span[s->operation].line);
    if (!p->run && s->line)
        page_printf(p, "<a href=\"#L%" PRIu32 "\">%s</a>", s->line, judge_job_line(p->v->job, s->line, line));
}

static void write_operation(const struct page *p, const struct lab_span *s)
{
    page_printf(p, "<tr><th scope=\"row\" class=\"number\">%.1f</th><td class=\"number\">%.1f</td><td>",
                (double)s->start_ps / 1e6, (double)s->end_ps / 1e6);
    page_word(p, explain_engine[s->engine]);
    if (s->name) page_textf(p, " %s", s->name);
    page_printf(p, "</td><td class=\"number\">%" PRIu32 "</td><td class=\"number\">", s->device);
    if (s->stream)
        page_printf(p, "%" PRIu32, s->stream);
    else if (s->engine != LAB_HOST)
        page_say(p, "default");
    page_puts(p, "</td><td class=\"number\">");
    if (s->bytes) page_printf(p, "%" PRIu64, s->bytes);
    page_puts(p, "</td><td class=\"number\">");
    write_place(p, s);
    page_puts(p, "</td></tr>\n");
}

void page_operations(const struct page *p, const struct lab_timeline *t)
{
    static const struct figure f = {"timeline-figure", 0};
    static const struct page_column column[] = {
        {N_("from µs"), "number"}, {N_("to µs"), "number"}, {N_("what"), NULL},     {N_("device"), "number"},
        {N_("stream"), "number"},  {N_("bytes"), "number"}, {N_("line"), "number"}, {NULL, NULL}};
    page_scroll(p, _("Picture of the timeline"), "");
    figure_timeline(&f, t, p->out);
    page_puts(p, "</div>\n");
    page_details(p);
    page_scroll(p, _("Table of the timeline"), "");
    page_table(p, "plain", N_("Operations by their start"), column);
    for (uint32_t i = 0; i < t->count && i < TABLE; ++i) write_operation(p, &t->span[i]);
    page_table_end(p);
    page_puts(p, "</div>\n");
    if (t->count > TABLE) page_say(p, "And %" PRIu32 " more.", t->count - TABLE);
    page_puts(p, "</details>\n");
}

void page_timeline(const struct page *p)
{
    const struct lab_timeline *t = p->more->explain->timeline;
    page_section(p, "timeline", N_("Timeline: what was under way when"));
    page_puts(p, "<p>");
    page_say(p, "Bars above each other are under way at the same time. Where one row waits for another, time is lost.");
    page_puts(p, "</p>\n");
    struct text together = {0};
    explain_overlap(t, &together);
    page_puts(p, "<p class=\"say\">");
    page_text(p, together.data);
    page_puts(p, ".</p>\n");
    text_free(&together);
    page_operations(p, t);
    page_section_end(p);
}
