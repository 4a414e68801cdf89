// Writes the table of a host program's kernels, ordered by total time, the longest first.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/trace.h"
#include "report/utf8.h"

// Appends a time with about three digits, such as "2.71 µs".
void report_trace_time(uint64_t ps, struct text *out)
{
    static const char *const unit[] = {"ps", "ns", "µs", "ms", "s"};
    double value = (double)ps;
    unsigned u = 0;
    while (u < 4 && value >= 999.5) value /= 1000, ++u;
    text_printf(out, u == 0 || value >= 99.95 ? "%.0f %s" : value >= 9.995 ? "%.1f %s" : "%.2f %s", value, unit[u]);
}

static int by_time(const void *x, const void *y)
{
    const struct host_trace_kernel *a = *(const struct host_trace_kernel *const *)x;
    const struct host_trace_kernel *b = *(const struct host_trace_kernel *const *)y;
    if (a->time_ps != b->time_ps) return a->time_ps > b->time_ps ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void cell(struct text *row, int width, const char *text)
{
    size_t columns = utf8_width(text, strlen(text));
    text_printf(row, "%*s%s", columns < (size_t)width ? width - (int)columns : 0, "", text);
}

static void time_cell(struct text *row, int width, uint64_t ps)
{
    struct text time = {0};
    report_trace_time(ps, &time);
    cell(row, width, time.data);
    text_free(&time);
}

static void ratio_cell(struct text *row, int width, uint64_t of, uint64_t over)
{
    char number[32] = "-";
    if (over) snprintf(number, sizeof number, "%.1f", (double)of / (double)over);
    cell(row, width, number);
}

static uint64_t product(const uint32_t n[3])
{
    unsigned __int128 all = (unsigned __int128)n[0] * n[1] * n[2];
    return all > UINT64_MAX ? UINT64_MAX : (uint64_t)all;
}

static void write_row(const struct report_trace *r, const struct host_trace_kernel *k, uint64_t total, struct text *row)
{
    char text[64];
    const struct counters *c = &k->counters;
    snprintf(text, sizeof text, "%.0f %%", total ? 100.0 * (double)k->time_ps / (double)total : 0.0);
    cell(row, 5, text);
    time_cell(row, 9, k->time_ps);
    snprintf(text, sizeof text, "%" PRIu64, k->launches);
    cell(row, 7, text);
    time_cell(row, 9, k->launches ? k->time_ps / k->launches : 0);
    snprintf(text, sizeof text, "%" PRIu64 " × %" PRIu64, product(k->grid), product(k->block));
    cell(row, 16, text);
    snprintf(text, sizeof text, "%u", k->registers);
    cell(row, 5, text);
    snprintf(text, sizeof text, "%u %%", (k->occupancy_permille + 5) / 10);
    cell(row, 6, text);
    ratio_cell(row, 6, c->global_ld_sectors, c->global_ld_requests);
    ratio_cell(row, 6, c->global_st_sectors, c->global_st_requests);
    ratio_cell(row, 6, c->shared_ld_wavefronts + c->shared_st_wavefronts, c->shared_ld_inst + c->shared_st_inst);
    text_printf(row, "  %-18s ", _(observation_resource_name[k->bound]));
    struct text name = {0};
    utf8_clean(&name, r->kernel[k - r->trace->kernel], strlen(r->kernel[k - r->trace->kernel]));
    text_printf(row, "%s\n", name.data ? name.data : "?");
    text_free(&name);
}

uint64_t report_trace_sort(const struct host_trace *s, const struct host_trace_kernel *kernel[HOST_TRACE_KERNELS])
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->nkernels; ++i) {
        kernel[i] = &s->kernel[i];
        total += s->kernel[i].time_ps;
    }
    qsort(kernel, s->nkernels, sizeof *kernel, by_time);
    return total;
}

void report_trace_kernels(const struct report_trace *r, struct text *out)
{
    const struct host_trace *s = r->trace;
    const struct host_trace_kernel *kernel[HOST_TRACE_KERNELS];
    uint64_t total = report_trace_sort(s, kernel);
    if (!s->nkernels) return;
    text_say(out, "kernels on a simulated %s%s (ld, st: sectors of 32 bytes a request; smem: wavefronts an access)\n",
             s->device, r->checked ? _(", as written") : "");
    text_puts(
        out,
        _("share     time  calls  average  blocks×threads regs  occ.    ld    st  smem  bound by           kernel\n"));
    for (uint32_t i = 0; i < s->nkernels; ++i) write_row(r, kernel[i], total, out);
}
