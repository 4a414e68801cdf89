// Writes the roofline of a program's kernels into the page on its run: the picture (figure_roofline.c) and a table with
// the same numbers.
#include <inttypes.h>
#include <math.h>

#include "base/message.h"
#include "base/text.h"
#include "report/page/figure.h"
#include "report/page/page_run.h"

static void write_point(const struct page *p, const struct host_trace_kernel *k, const struct figure_point *point)
{
    struct text count = {0};
    explain_count(k->counters.flop, &count);
    page_puts(p, "<tr><th scope=\"row\">");
    page_text(p, page_run_name(p, k));
    page_printf(p, "</th><td class=\"number\">%s</td><td class=\"number\">", count.data);
    text_free(&count);
    explain_count(k->counters.dram_ld_bytes + k->counters.dram_st_bytes, &count);
    page_printf(p, "%s</td><td class=\"number\">", count.data);
    text_free(&count);
    if (!isinf(point->intensity)) page_printf(p, "%.3g", point->intensity);
    figure_rate(point->gflops, &count);
    page_printf(p, "</td><td class=\"number\">%s</td><td class=\"number\">", count.data);
    text_free(&count);
    figure_rate(point->roof, &count);
    page_printf(p, "%s</td><td class=\"number\">", count.data);
    text_free(&count);
    page_textf(p, "%.0f %%", 100 * point->gflops / point->roof);
    page_puts(p, "</td></tr>\n");
}

// Names the kernels that have no point, because they do integer work only.
static void write_others(const struct page *p, const struct page_run *run)
{
    uint32_t some = 0;
    for (uint32_t i = 0; i < run->trace->nkernels && i < PAGE_KERNELS; ++i) {
        if (run->kernel[i]->counters.flop) continue;
        page_puts(p, some ? ", " : "<p class=\"soft\">");
        if (!some++) page_say(p, "Without a point, because they do no float or double operations, only integer work: ");
        page_text(p, page_run_name(p, run->kernel[i]));
    }
    if (some) page_puts(p, ".</p>\n");
}

static void write_plot(const struct page *p, const struct page_run *run, const struct figure_point *point,
                       const uint32_t *kernel, uint32_t count)
{
    static const struct figure f = {"roofline-figure", 0};
    static const struct page_column column[] = {{N_("kernel"), NULL},
                                                {N_("operations"), "number"},
                                                {N_("bytes of device memory"), "number"},
                                                {N_("operations a byte"), "number"},
                                                {N_("rate"), "number"},
                                                {N_("its roof"), "number"},
                                                {N_("of its roof"), "number"},
                                                {NULL, NULL}};
    page_puts(p, "<p>");
    page_say(p,
             "A kernel on the slope is limited by device memory, one below a level line by arithmetic. The farther a "
             "point is below the roof, the more something else costs. Dashed: the roof of double arithmetic.");
    for (uint32_t i = 0; i < count; ++i) {
        if (!isinf(point[i].intensity)) continue;
        page_say(p, " A point at the right edge moves no bytes of device memory: the caches hold its data.");
        break;
    }
    page_puts(p, "</p>\n");
    page_scroll(p, _("Picture of the roofline"), "");
    figure_roofline(&f, run->device, point, count, p->out);
    page_puts(p, "</div>\n");
    page_details(p);
    page_scroll(p, _("Table of the roofline"), "");
    page_table(p, "plain", N_("Float and double operations of all launches; a multiply-add counts as two"), column);
    for (uint32_t i = 0; i < count; ++i) write_point(p, run->kernel[kernel[i]], &point[i]);
    page_table_end(p);
    page_puts(p, "</div></details>\n");
}

void page_run_roofline(const struct page *p, const struct page_run *run)
{
    struct figure_point point[PAGE_KERNELS];
    uint32_t kernel[PAGE_KERNELS], count = 0;
    for (uint32_t i = 0; run->timed && run->device && i < run->trace->nkernels && i < PAGE_KERNELS; ++i) {
        const struct host_trace_kernel *k = run->kernel[i];
        if (!figure_point_make(&point[count], run->device, page_run_name(p, k), &k->counters, k->time_ps)) continue;
        kernel[count++] = i;
    }
    page_section(p, "roofline", N_("Roofline: how close to the device's limits"));
    if (count) write_plot(p, run, point, kernel, count);
    if (!run->timed) {
        page_puts(p, "<p>");
        page_say(p, "Without the time of kernels there are no rates.");
        page_puts(p, "</p>\n");
    } else {
        write_others(p, run);
    }
    page_section_end(p);
}
