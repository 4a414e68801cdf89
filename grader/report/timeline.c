// Writes the timeline of a host program as text, with a row for each engine of each device and a column for each slice
// of time. Each column of the timeline shows the number of the stream that worked longest in the column's slice of
// time. The timeline numbers the streams in the order of their first use. In the timeline, '-' is the default stream,
// and '.' means idle.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/trace.h"
#include "report/utf8.h"

enum { NAME = 12, COLUMNS = 72, HOST_ROW = 4, ROWS, STREAMS = 36 };
static const char digit[] = "-123456789abcdefghijklmnopqrstuvwxyz";

// A struct row is a kind of row of the timeline, such as copies to the device. The host's row is the last row of the
// timeline and belongs to no device.
struct row {
    const char *name;
    uint32_t kinds; // set of bits 1 << enum host_trace_span_kind
};
static const struct row rows[ROWS] = {
    {N_("to device"), 1u << SPAN_H2D}, {N_("kernels"), 1u << SPAN_KERNEL | 1u << SPAN_FILL | 1u << SPAN_D2D},
    {N_("to host"), 1u << SPAN_D2H},   {N_("to peers"), 1u << SPAN_PEER},
    {N_("host"), 1u << SPAN_HOST},
};

struct slices {
    const struct host_trace *trace;
    uint64_t from, to;        // limits of the shown time, in picoseconds
    uint32_t stream[STREAMS]; // streams by number, from 1; the last element stands for all further streams
    unsigned streams;
    uint64_t busy[COLUMNS][STREAMS]; // time in picoseconds, by slice and stream number
};

static int is_inside(const struct slices *s, const struct host_trace_span *p)
{
    return p->end_ps > s->from && p->start_ps < s->to;
}

static unsigned number_of(struct slices *s, uint32_t stream)
{
    unsigned k = 1;
    if (!stream) return 0;
    while (k <= s->streams && s->stream[k] != stream) ++k;
    if (k == STREAMS) return STREAMS - 1;
    if (k > s->streams) s->stream[s->streams = k] = stream;
    return k;
}

static uint64_t edge(const struct slices *s, unsigned column)
{
    return s->from + (uint64_t)((unsigned __int128)(s->to - s->from) * column / COLUMNS);
}

static void add(struct slices *s, const struct host_trace_span *p)
{
    uint64_t start = p->start_ps > s->from ? p->start_ps : s->from, end = p->end_ps < s->to ? p->end_ps : s->to;
    unsigned stream = number_of(s, p->stream);
    unsigned first = (unsigned)((unsigned __int128)(start - s->from) * COLUMNS / (s->to - s->from));
    for (unsigned c = first; c < COLUMNS && edge(s, c) < end; ++c) {
        uint64_t low = edge(s, c), high = edge(s, c + 1);
        if (low < start) low = start;
        if (high > end) high = end;
        if (high > low) s->busy[c][stream] += high - low;
    }
}

static void write_bar(const struct slices *s, struct text *out)
{
    for (unsigned c = 0; c < COLUMNS; ++c) {
        unsigned most = 0;
        for (unsigned k = 1; k < STREAMS; ++k)
            if (s->busy[c][k] > s->busy[c][most]) most = k;
        text_add(out, s->busy[c][most] ? &digit[most] : ".", 1);
    }
}

static void write_row(struct slices *s, uint32_t device, const struct row *row, struct text *out)
{
    struct text name = {0};
    uint64_t spans = 0;
    memset(s->busy, 0, sizeof s->busy);
    for (uint32_t i = 0; i < s->trace->nspans; ++i) {
        const struct host_trace_span *p = &s->trace->span[i];
        if (p->device != device || !(row->kinds >> p->kind & 1) || !is_inside(s, p)) continue;
        add(s, p);
        ++spans;
    }
    if (!spans) return;
    if (s->trace->devices > 1 && row != &rows[HOST_ROW])
        text_printf(&name, "%u %s", device, _(row->name));
    else
        text_puts(&name, _(row->name));
    utf8_pad(out, name.data, NAME);
    text_free(&name);
    text_puts(out, "|");
    write_bar(s, out);
    text_printf(out, "| %" PRIu64 "\n", spans);
}

void report_trace_window(const struct host_trace *s, uint64_t *from, uint64_t *to)
{
    *from = s->nspans ? UINT64_MAX : 0;
    *to = 0;
    for (uint32_t i = 0; i < s->nspans; ++i) {
        if (s->span[i].start_ps < *from) *from = s->span[i].start_ps;
        if (s->span[i].end_ps > *to) *to = s->span[i].end_ps;
    }
}

void report_trace_timeline(const struct host_trace *trace, uint64_t from_ps, uint64_t to_ps, struct text *out)
{
    struct slices s = {.trace = trace, .from = from_ps, .to = to_ps};
    if (to_ps <= from_ps) return;
    for (uint32_t i = 0; i < trace->nspans; ++i) // spans are in the order of issue
        if (is_inside(&s, &trace->span[i])) number_of(&s, trace->span[i].stream);
    struct text all = {0}, column = {0};
    report_trace_time(to_ps - from_ps, &all);
    report_trace_time((to_ps - from_ps) / COLUMNS, &column);
    text_say(out, "timeline: %1$s, a column is %2$s; digits are streams, '-' the default one; last: how many\n",
             all.data, column.data);
    text_free(&all);
    text_free(&column);
    if (trace->spans_total > trace->nspans)
        text_say(out, "the first %u of %" PRIu64 " operations\n", trace->nspans, trace->spans_total);
    for (uint32_t d = 0; d < trace->devices; ++d)
        for (unsigned r = 0; r < HOST_ROW; ++r) write_row(&s, d, &rows[r], out);
    write_row(&s, 0, &rows[HOST_ROW], out);
}
