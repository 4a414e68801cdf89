// Draws the timeline of a host program as an SVG picture. Four colours in turn distinguish the streams; the default
// stream is grey. The title of each bar and the table on the HTML page tell the stream's number. Positions in the
// picture are rounded to tenths of a unit of the SVG viewBox.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/escape.h"
#include "report/page/figure.h"
#include "report/page/figure_frame.h"

enum { LEFT = 140, SPAN_WIDTH = 640, ROW = 26, TOP = 10, FOOT = 40, DEVICES = 16, TICKS = 5 };

// Returns the horizontal distance of the time `ps` from the timeline's start, in tenths of a unit of the SVG viewBox.
static uint64_t place(const struct lab_timeline *t, uint64_t ps)
{
    return t->time_ps ? (uint64_t)((unsigned __int128)ps * SPAN_WIDTH * 10 / t->time_ps) : 0;
}

static void bar(const struct lab_timeline *t, const struct lab_span *s, int y, struct text *out)
{
    static const char *const colour[] = {"q0", "q1", "q2", "q3"};
    uint64_t from = place(t, s->start_ps) + 10 * LEFT, to = place(t, s->end_ps) + 10 * LEFT;
    if (to < from + 5) to = from + 5;
    text_printf(out,
                "<rect x=\"%" PRIu64 ".%" PRIu64 "\" y=\"%d\" width=\"%" PRIu64 ".%" PRIu64
                "\" height=\"%d\" class=\"%s\">",
                from / 10, from % 10, y, (to - from) / 10, (to - from) % 10, ROW - 6,
                s->stream ? colour[(s->stream - 1) % 4] : "q4");
    struct text who = {0};
    if (s->engine == LAB_HOST)
        text_puts(&who, _(explain_engine[LAB_HOST]));
    else if (s->stream)
        text_say(&who, "%1$s, stream %2$" PRIu32, _(explain_engine[s->engine]), s->stream);
    else
        text_say(&who, "%s, default stream", _(explain_engine[s->engine]));
    if (s->name) text_puts(&who, ", ");
    if (s->name) escape_html(&who, s->name, strlen(s->name));
    text_puts(out, "<title>");
    text_say(out, "%1$s: %2$.1f to %3$.1f µs", who.data, (double)s->start_ps / 1e6, (double)s->end_ps / 1e6);
    if (s->line) text_say(out, ", line %" PRIu32, s->line);
    text_puts(out, "</title></rect>\n");
    text_free(&who);
}

// Draws the timeline's row of an engine if the engine did any work. Returns the y coordinate of the timeline's next
// row.
static int row(const struct lab_timeline *t, int devices, uint32_t device, enum lab_engine engine, int y,
               struct text *out)
{
    int some = 0;
    for (uint32_t i = 0; i < t->count && i < FIGURE_SPANS; ++i) {
        const struct lab_span *s = &t->span[i];
        if (s->engine != engine || (s->device != device && engine != LAB_HOST)) continue;
        if (!some++) {
            if (devices > 1 && engine != LAB_HOST)
                figure_label(out, LEFT - 8, y + 15, "end soft", "%" PRIu32 ": %s", device, _(explain_engine[engine]));
            else
                figure_label(out, LEFT - 8, y + 15, "end soft", "%s", _(explain_engine[engine]));
            figure_box(out, LEFT, y, SPAN_WIDTH, ROW - 6, "room");
        }
        bar(t, s, y, out);
    }
    return some ? y + ROW : y;
}

static void axis(const struct lab_timeline *t, int y, struct text *out)
{
    for (int i = 0; i <= TICKS; ++i) {
        double us = (double)t->time_ps * i / TICKS / 1e6;
        figure_label(out, LEFT + SPAN_WIDTH * i / TICKS, y + 12, "mid soft", us < 100 ? "%.1f" : "%.0f", us);
    }
    figure_label(out, LEFT, y + 28, "soft", "%s",
                 t->count > FIGURE_SPANS || t->dropped
                     ? _("µs; a colour is a stream, grey the default one; not all operations are drawn")
                     : _("µs; a colour is a stream, grey the default one"));
}

void figure_timeline(const struct figure *f, const struct lab_timeline *t, struct text *out)
{
    struct text rows = {0}, told = {0};
    uint32_t devices = 1;
    int y = TOP;
    for (uint32_t i = 0; i < t->count; ++i)
        if (t->span[i].device < DEVICES && t->span[i].device >= devices) devices = t->span[i].device + 1;
    for (uint32_t d = 0; d < devices; ++d)
        for (int e = 0; e < LAB_HOST; ++e) y = row(t, (int)devices, d, (enum lab_engine)e, y, &rows);
    y = row(t, (int)devices, 0, LAB_HOST, y, &rows);
    axis(t, y, &rows);
    text_say(&told,
             devices == 1 ? N_("%1$" PRIu64 " operations in %2$.1f µs on one device")
                          : N_("%1$" PRIu64 " operations in %2$.1f µs on %3$" PRIu32 " devices"),
             (uint64_t)t->count + t->dropped, (double)t->time_ps / 1e6, devices);
    figure_open(f, LEFT + SPAN_WIDTH + 30, y + FOOT, _("What was under way when"), &told, out);
    text_add(out, rows.data, rows.length);
    figure_close(out);
    text_free(&rows);
    text_free(&told);
}
