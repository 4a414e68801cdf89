// Writes the kernels of a host program into the page on its run: a table of all kernels, and for each of the first ones
// what bounds its longest launch, what would help most, and the time that each resource alone would take.
#include <inttypes.h>
#include <stdio.h>

#include "base/message.h"
#include "base/text.h"
#include "report/page/page_run.h"

static uint64_t product(const uint32_t n[3])
{
    return (uint64_t)n[0] * n[1] * n[2];
}

static unsigned percent(uint64_t part, uint64_t whole)
{
    return whole ? (unsigned)(100.0 * (double)part / (double)whole + 0.5) : 0;
}

static struct verdict_kernel bounds_of(const struct host_trace_launch *l)
{
    struct verdict_kernel k = {.name = NULL};
    verdict_take_bounds(&k, (enum resource)l->bound, l->resource_ps, l->model_ps);
    return k;
}

static const char *bound_name(const struct host_trace_launch *l)
{
    return l->linked ? N_("the link to the host") : observation_resource_name[l->bound];
}

// --------------------------------------------------------------------------------------------------------------- table
static void write_shape(const struct page *p, const uint32_t n[3])
{
    page_printf(p, "%" PRIu32, n[0]);
    if (n[1] > 1 || n[2] > 1) page_printf(p, ",%" PRIu32, n[1]);
    if (n[2] > 1) page_printf(p, ",%" PRIu32, n[2]);
}

static void write_time(const struct page *p, uint64_t time_ps, uint64_t total_ps)
{
    struct text time = {0};
    report_trace_time(time_ps, &time);
    page_puts(p, "<td class=\"number\">");
    page_text(p, time.data);
    page_puts(p, "</td><td class=\"number\">");
    page_textf(p, "%u %%", percent(time_ps, total_ps));
    page_puts(p, "</td>");
    text_free(&time);
}

static void write_kernel_row(const struct page *p, const struct page_run *run, uint32_t index)
{
    const struct host_trace_kernel *k = run->kernel[index];
    const struct host_trace_launch *l = &k->longest;
    page_puts(p, "<tr><th scope=\"row\">");
    if (index < PAGE_ARTICLES) page_printf(p, "<a href=\"#kernel-%" PRIu32 "\">", index + 1);
    page_text(p, page_run_name(p, k));
    if (index < PAGE_ARTICLES) page_puts(p, "</a>");
    page_printf(p, "</th><td class=\"number\">%" PRIu64 "</td>", k->launches);
    if (run->timed) write_time(p, k->time_ps, run->total_ps);
    page_printf(p, "<td class=\"number\">%" PRIu32 "</td><td class=\"number\">", l->registers);
    write_shape(p, l->grid);
    page_puts(p, " × ");
    write_shape(p, l->block);
    page_puts(p, "</td><td class=\"number\">");
    page_textf(p, "%u %%", (l->occupancy_permille + 5) / 10);
    page_puts(p, "</td>");
    if (run->timed) {
        page_puts(p, "<td>");
        page_word(p, bound_name(l));
        page_puts(p, "</td><td class=\"number\">");
        if (!l->linked) page_textf(p, "%" PRIu32 " %%", bounds_of(l).bound_permille / 10);
        page_puts(p, "</td>");
    }
    page_puts(p, "</tr>\n");
}

// Writes one row for the kernels after the first PAGE_KERNELS.
static void write_others(const struct page *p, const struct page_run *run)
{
    uint64_t launches = 0, time_ps = 0;
    if (run->trace->nkernels <= PAGE_KERNELS) return;
    for (uint32_t i = PAGE_KERNELS; i < run->trace->nkernels; ++i) {
        launches += run->kernel[i]->launches;
        time_ps += run->kernel[i]->time_ps;
    }
    page_puts(p, "<tr><th scope=\"row\">");
    page_say(p, "%" PRIu32 " more kernels", run->trace->nkernels - PAGE_KERNELS);
    page_printf(p, "</th><td class=\"number\">%" PRIu64 "</td>", launches);
    if (run->timed) write_time(p, time_ps, run->total_ps);
    page_puts(p, run->timed ? "<td></td><td></td><td></td><td></td><td></td></tr>\n"
                            : "<td></td><td></td><td></td></tr>\n");
}

static void write_table(const struct page *p, const struct page_run *run)
{
    static const struct page_column timed[] = {{N_("kernel"), NULL},           {N_("launches"), "number"},
                                               {N_("all its time"), "number"}, {N_("share"), "number"},
                                               {N_("registers"), "number"},    {N_("grid × block"), "number"},
                                               {N_("occupancy"), "number"},    {N_("bound by"), NULL},
                                               {N_("of its bound"), "number"}, {NULL, NULL}};
    static const struct page_column untimed[] = {{N_("kernel"), NULL},        {N_("launches"), "number"},
                                                 {N_("registers"), "number"}, {N_("grid × block"), "number"},
                                                 {N_("occupancy"), "number"}, {NULL, NULL}};
    page_scroll(p, _("Table of kernels"), "");
    page_table(p, "plain", N_("Launches and time are of all launches, the rest is of the longest one"),
               run->timed ? timed : untimed);
    for (uint32_t i = 0; i < run->trace->nkernels && i < PAGE_KERNELS; ++i) write_kernel_row(p, run, i);
    write_others(p, run);
    page_table_end(p);
    page_puts(p, "</div>\n");
}

// -------------------------------------------------------------------------------------------------------------- advice
// Appends what would help the kernel most, in the user's language.
static void advise(const struct page_run *run, const struct host_trace_launch *l, struct text *out)
{
    uint64_t blocks = product(l->grid);
    if (l->linked)
        text_say(out, "its data lie in the host's memory: copy them to the device first");
    else if (blocks < run->trace->sms && l->bound != RESOURCE_LAUNCH && l->bound != RESOURCE_WAITS)
        text_say(out,
                 "its grid is smaller than the device: blocks: %1$" PRIu64
                 ", multiprocessors: %2$u; divide the work into more blocks",
                 blocks, run->trace->sms);
    else
        text_puts(out, _(verdict_advice((enum resource)l->bound)));
}

static const struct host_trace_line *hottest(const struct page_run *run, const struct host_trace_kernel *k)
{
    const struct host_trace *s = run->trace;
    const struct host_trace_line *most = NULL;
    for (uint32_t i = 0; i < s->nlines; ++i)
        if (&s->kernel[s->line[i].kernel] == k &&
            (!most || s->line[i].counters.warp_cycles > most->counters.warp_cycles))
            most = &s->line[i];
    return most;
}

static void advise_kernel(const struct page *p, const struct page_run *run, struct text *out)
{
    const struct host_trace_kernel *k = run->kernel[0];
    const struct host_trace_line *hot = hottest(run, k);
    struct text place = {0}, where = {0}, what = {0};
    if (hot) page_run_place(p, hot->source, hot->line, &place);
    if (hot) text_say(&where, ", most of it at line %s", place.data);
    advise(run, &k->longest, &what);
    text_say(out, "'%s' takes most of the time%s: %s", page_run_name(p, k), where.length ? where.data : "", what.data);
    text_free(&place);
    text_free(&where);
    text_free(&what);
}

void page_run_next(const struct page *p, const struct page_run *run)
{
    struct text said = {0};
    char program[2 * OBSERVATION_MESSAGE];
    if (!run->timed || !run->timeline) return;
    if (2 * run->total_ps >= run->to_ps - run->from_ps) {
        advise_kernel(p, run, &said);
    } else {
        verdict_advise_program(run->timeline, program, sizeof program);
        text_puts(&said, program);
    }
    page_puts(p, "<div class=\"next\"><p class=\"say\"><strong>");
    page_say(p, "What would help most:");
    page_puts(p, "</strong> ");
    page_text(p, said.data);
    page_puts(p, ".</p></div>\n");
    text_free(&said);
}

// ------------------------------------------------------------------------------------------------------- single
// kernels
static void write_bound(const struct page *p, const struct host_trace_launch *l)
{
    struct verdict_kernel k = bounds_of(l);
    page_puts(p, "<p>");
    if (l->linked)
        page_say(p, "Bottleneck: the link to the host, over which the kernel reads or writes the host's memory.");
    else if (k.next == k.bound)
        page_say(p, "Bottleneck: %1$s, %2$u %% of its longest launch.", _(observation_resource_name[k.bound]),
                 k.bound_permille / 10);
    else
        page_say(p,
                 "Bottleneck: %1$s, %2$u %% of its longest launch. Without this limit it would run at %3$.1f × its "
                 "present speed. Next is %4$s, with %5$u %%.",
                 _(observation_resource_name[k.bound]), k.bound_permille / 10, (double)k.next_gain_permille / 1000,
                 _(observation_resource_name[k.next]), k.next_permille / 10);
    page_puts(p, "</p>\n");
}

static void write_ratio(const struct page *p, const char *said, uint64_t of, uint64_t over)
{
    if (!over) return;
    page_puts(p, " ");
    page_say(p, said, (double)of / (double)over);
}

static void write_facts(const struct page *p, const struct host_trace_kernel *k)
{
    const struct host_trace_launch *l = &k->longest;
    const struct counters *c = &k->counters;
    page_puts(p, "<p class=\"soft\">");
    page_say(p,
             "Blocks of %" PRIu32 " threads with %" PRIu32 " registers a thread and %" PRIu32
             " bytes of shared memory: %" PRIu32 " fit on a multiprocessor at once. What stops one more: ",
             (uint32_t)product(l->block), l->registers, l->shared_bytes, l->blocks_per_sm);
    page_word(p, occupancy_limit_name[l->occupancy_limit]);
    page_puts(p, ".");
    write_ratio(p, N_("Global loads: %.1f sectors a request."), c->global_ld_sectors, c->global_ld_requests);
    write_ratio(p, N_("Global stores: %.1f sectors a request."), c->global_st_sectors, c->global_st_requests);
    write_ratio(p, N_("Shared memory: %.1f passes an access."), c->shared_ld_wavefronts + c->shared_st_wavefronts,
                c->shared_ld_inst + c->shared_st_inst);
    if (k->sampled) page_puts(p, " ");
    if (k->sampled) page_say(p, "Only some of its blocks were run, and its counters are scaled up.");
    page_puts(p, "</p>\n");
}

static void write_kernel(const struct page *p, const struct page_run *run, uint32_t index)
{
    const struct host_trace_kernel *k = run->kernel[index];
    const struct host_trace_launch *l = &k->longest;
    struct text what = {0};
    page_printf(p, "<article id=\"kernel-%" PRIu32 "\">\n<h3>", index + 1);
    page_text(p, page_run_name(p, k));
    page_puts(p, "</h3>\n");
    if (run->timed) {
        write_bound(p, l);
        advise(run, l, &what);
        page_puts(p, "<p class=\"hint\"><strong>");
        page_say(p, "What would help most:");
        page_puts(p, "</strong> ");
        page_text(p, what.data);
        page_puts(p, ".</p>\n");
        text_free(&what);
    }
    write_facts(p, k);
    if (run->timed) {
        page_puts(p, "<details><summary>");
        page_say(p, "What each resource alone would take");
        page_puts(p, "</summary>\n");
        page_resource_table(p, N_("A full bar is the time of the longest launch"), l->resource_ps, l->model_ps,
                            l->bound);
        page_puts(p, "</details>\n");
    }
    page_puts(p, "</article>\n");
}

void page_run_kernels(const struct page *p, const struct page_run *run)
{
    page_section(p, "kernels", N_("Kernels"));
    if (!run->trace->nkernels) {
        page_puts(p, "<p>");
        page_say(p, "The program launched no kernel.");
        page_puts(p, "</p>\n");
    } else {
        write_table(p, run);
    }
    if (run->trace->nkernels && !run->timed) {
        page_puts(p, "<p>");
        page_say(p, "The time of kernels was not modelled, so nothing is said of it (--check, --no-time).");
        page_puts(p, "</p>\n");
    }
    for (uint32_t i = 0; i < run->trace->nkernels && i < PAGE_ARTICLES; ++i) write_kernel(p, run, i);
    page_section_end(p);
}
