// The page's timeline of a host lab's program, and the same as a table.
#include <inttypes.h>

#include "report/figure.h"
#include "report/page.h"

enum { TABLE = 200 }; // operations listed

static void write_operation(const struct page *p, const struct lab_span *s)
{
    static const char *const name[LAB_ENGINES] = {"copy to the device", "kernel", "copy to the host",
                                                  "copy between devices", "the host's share"};
    page_printf(p,
                "<tr><th scope=\"row\" class=\"number\">%.1f</th><td class=\"number\">%.1f</td><td>%s</td>"
                "<td class=\"number\">%" PRIu32 "</td><td class=\"number\">",
                (double)s->start_ps / 1e6, (double)s->end_ps / 1e6, name[s->engine], s->device);
    if (s->stream)
        page_printf(p, "%" PRIu32, s->stream);
    else
        page_puts(p, s->engine == LAB_HOST ? "" : "default");
    page_puts(p, "</td><td class=\"number\">");
    if (s->bytes) page_printf(p, "%" PRIu64, s->bytes);
    page_puts(p, "</td><td class=\"number\">");
    if (s->line) page_printf(p, "<a href=\"#L%" PRIu32 "\">%" PRIu32 "</a>", s->line, s->line);
    page_puts(p, "</td></tr>\n");
}

void page_timeline(const struct page *p)
{
    static const struct figure f = {"timeline-figure", 0};
    const struct lab_timeline *t = p->v->program.timeline;
    page_section(p, "timeline", "Timeline: what was under way when");
    page_puts(
        p, "<p>Bars above each other are under way at the same time. Where one row waits for another, time is "
           "lost.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of the timeline\">\n");
    figure_timeline(&f, t, p->out);
    page_puts(
        p,
        "</div>\n<details><summary>The same as a table</summary>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of the timeline\">"
        "<table class=\"plain\"><caption>Operations by their start</caption><thead><tr><th scope=\"col\">from µs</th>"
        "<th scope=\"col\">to</th><th scope=\"col\">what</th><th scope=\"col\">device</th>"
        "<th scope=\"col\">stream</th><th scope=\"col\">bytes</th><th scope=\"col\">line</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < t->count && i < TABLE; ++i) write_operation(p, &t->span[i]);
    page_puts(p, "</tbody></table></div>");
    if (t->count > TABLE) page_printf(p, "<p>And %" PRIu32 " more.</p>", t->count - TABLE);
    page_puts(p, "</details>\n");
    page_section_end(p);
}
