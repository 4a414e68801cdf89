// The page's pictures of a kernel: the worst access, resources, occupancy.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "device/profile.h"
#include "report/escape.h"
#include "report/figure.h"
#include "report/page.h"

// -------------------------------------------------------------------------------------------------------------- access
static void cell_of_lanes(const struct page *p, uint32_t mask)
{
    struct text lanes = {0};
    explain_lanes(mask, &lanes);
    page_printf(p, "<td>%s</td>", lanes.data ? lanes.data : "");
    text_free(&lanes);
}

static void table_of_sectors(const struct page *p, const struct line_access *a)
{
    struct sector_map m;
    sector_map_make(&m, a);
    page_puts(p, "<table class=\"plain\"><caption>Lanes that name something in each sector</caption><thead><tr>"
                 "<th scope=\"col\">line of 128 bytes at byte</th><th scope=\"col\">bytes 0-31</th>"
                 "<th scope=\"col\">32-63</th><th scope=\"col\">64-95</th><th "
                 "scope=\"col\">96-127</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < m.count; ++i) {
        page_printf(p, "<tr><th scope=\"row\">%" PRIu64 "</th>", m.line[i].address - a->origin);
        for (int s = 0; s < COALESCE_LINE / COALESCE_SECTOR; ++s) cell_of_lanes(p, m.line[i].lanes[s]);
        page_puts(p, "</tr>\n");
    }
    page_puts(p, "</tbody></table>\n");
}

static void table_of_banks(const struct page *p, const struct line_access *a)
{
    struct bank_map m;
    bank_map_make(&m, a);
    page_puts(p, "<table class=\"plain\"><caption>What the banks do, pass by pass</caption><thead><tr><th "
                 "scope=\"col\">pass</th>"
                 "<th scope=\"col\">bank: lanes</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < m.steps.count; ++i) {
        int some = 0;
        page_printf(p, "<tr><th scope=\"row\">%" PRIu32 "</th><td>", i + 1);
        for (int b = 0; b < BANKS; ++b) {
            struct text lanes = {0};
            if (!m.steps.step[i].lanes[b]) continue;
            explain_lanes(m.steps.step[i].lanes[b], &lanes);
            page_printf(p, "%s%d: %s", some++ ? "; " : "", b, lanes.data);
            text_free(&lanes);
        }
        page_puts(p, "</td></tr>\n");
    }
    page_puts(p, "</tbody></table>\n");
}

static void write_access(const struct page *p, const struct explain *e, const char *whose, const char *id)
{
    const struct figure f = {id, 0};
    struct text sentence = {0}, requests = {0};
    explain_access(e->look, e->worst, &sentence);
    explain_count(e->requests, &requests);
    page_printf(p, "<h4>%s %s access</h4>\n<p class=\"say\">", whose, e->worst->excess ? "worst" : "busiest");
    page_text(p, sentence.data);
    page_printf(p,
                ".</p>\n<p class=\"soft\">Drawn: warp %" PRIu32 " of block %" PRIu32 ", %" PRIu32 ", %" PRIu32
                ". The line does this %s times.</p>\n",
                e->worst->warp, e->worst->block[0], e->worst->block[1], e->worst->block[2], requests.data);
    page_printf(p, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture: %s\">\n", id);
    figure_access(&f, e->look, e->worst, p->out);
    page_puts(p, "</div>\n<details><summary>The same as a table</summary>\n"
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: ");
    page_printf(p, "%s\">\n", id);
    if (e->worst->space == SPACE_SHARED)
        table_of_banks(p, e->worst);
    else
        table_of_sectors(p, e->worst);
    page_puts(p, "</div></details>\n");
    text_free(&sentence);
    text_free(&requests);
}

// The worst access to that space, and the reference's, so that like stands beside like. 1: there is one.
static int write_space(const struct page *p, uint32_t space, const char *heading, const char *id)
{
    struct explain mine = *p->more->explain;
    char other[40];
    explain_worst(&mine, space, 0);
    if (!mine.worst) return 0;
    page_printf(p, "<h3>%s</h3>\n", heading);
    write_access(p, &mine, "Your", id);
    if (!p->more->reference) return 1;
    struct explain theirs = *p->more->reference;
    explain_worst(&theirs, space, 0);
    snprintf(other, sizeof other, "reference-%s", id);
    if (theirs.worst) write_access(p, &theirs, "The reference's", other);
    return 1;
}

void page_access(const struct page *p)
{
    page_section(p, "memory", "Memory: where the lanes go");
    int some = write_space(p, SPACE_GLOBAL, "Global memory: lanes and sectors", "sectors");
    some |= write_space(p, SPACE_SHARED, "Shared memory: banks, pass by pass", "banks");
    if (!some) page_puts(p, "<p>Nothing goes to memory.</p>\n");
    if (some && !p->more->reference)
        page_puts(p, "<p class=\"soft\">When you have passed, the reference's accesses are drawn here too.</p>\n");
    page_section_end(p);
}

// ----------------------------------------------------------------------------------------------------------- resources
static void write_resources(const struct page *p, const struct look_kernel *k)
{
    const struct observation *o = k->seen;
    int written[RESOURCES] = {0};
    struct text sentence = {0};
    explain_bound(k, &sentence);
    page_puts(p, "<h3>");
    page_text(p, k->name);
    page_puts(p, "</h3>\n<p>");
    page_text(p, sentence.data);
    page_puts(p,
              ".</p>\n<table class=\"bars\"><caption>What each resource alone would take, of the last launch</caption>"
              "<thead><tr><th scope=\"col\">resource</th><th scope=\"col\" "
              "class=\"number\">time</th><td></td></tr></thead>\n<tbody>\n");
    text_free(&sentence);
    for (int n = 0; n < RESOURCES; ++n) { // the longest first
        int most = -1;
        for (int r = 0; r < RESOURCES; ++r)
            if (!written[r] && o->resource_ps[r] && (most < 0 || o->resource_ps[r] > o->resource_ps[most])) most = r;
        if (most < 0) break;
        written[most] = 1;
        page_printf(p, "<tr><th scope=\"row\">%s</th><td class=\"number\">", _(resource_name[most]));
        page_time(p, o->resource_ps[most]);
        page_puts(p, "</td><td class=\"track\">");
        page_meter(p, (uint32_t)(1000.0 * (double)o->resource_ps[most] / (double)(o->time_ps ? o->time_ps : 1)),
                   (uint32_t)most == o->bound ? "bad" : "");
        page_puts(p, "</td></tr>\n");
    }
    page_puts(p, "</tbody></table>\n");
}

void page_resources(const struct page *p)
{
    const struct look *look = p->more->explain->look;
    page_section(p, "resources", "Resources: what bounds the time");
    page_puts(p,
              "<p>A full bar is the kernel's whole time. The longest bar is what to work on; the second says how far "
              "that helps.</p>\n");
    for (uint32_t k = 0; k < look->nkernels; ++k) write_resources(p, &look->kernel[k]);
    page_section_end(p);
}

// ----------------------------------------------------------------------------------------------------------- occupancy
static void write_occupancy(const struct page *p, const struct device_profile *d, const struct look_kernel *k,
                            uint32_t index)
{
    const uint32_t threads = k->block[0] * k->block[1] * k->block[2];
    struct occupancy o = occupancy_of(d, threads, k->seen->registers, k->seen->shared_bytes);
    char id[32];
    snprintf(id, sizeof id, "occupancy-%" PRIu32, index + 1);
    const struct figure f = {id, 0};
    page_puts(p, "<h3>");
    page_text(p, k->name);
    page_printf(p,
                "</h3>\n<p>Blocks of %" PRIu32 " threads with %" PRIu32 " registers a thread and %" PRIu32
                " bytes of shared memory: %" PRIu32 " fit on a multiprocessor at once. What stops one more: %s.</p>\n",
                threads, k->seen->registers, k->seen->shared_bytes, o.blocks, _(occupancy_limit_name[o.limit]));
    page_printf(
        p,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of the occupancy, kernel %" PRIu32
        "\">\n",
        index + 1);
    figure_occupancy(&f, d, k, p->out);
    page_puts(p, "</div>\n<details><summary>The same as a table</summary>\n<table class=\"plain\"><thead><tr>"
                 "<th scope=\"col\">what ends</th><th scope=\"col\" class=\"number\">blocks that it "
                 "allows</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < OCCUPANCY_LIMITS; ++i)
        page_printf(p, "<tr><th scope=\"row\">%s</th><td class=\"number\">%" PRIu32 "%s</td></tr>\n",
                    _(occupancy_limit_name[i]), o.by[i], (enum occupancy_limit)i == o.limit ? " (the limit)" : "");
    page_printf(p, "</tbody></table>\n<p>%" PRIu32 " of %" PRId64 " warps.</p></details>\n", o.warps, d->warps_per_sm);
}

void page_occupancy(const struct page *p)
{
    const struct look *look = p->more->explain->look;
    const struct device_profile *d = device_find(look->device.name);
    page_section(p, "occupancy", "Occupancy: how many warps are there to switch between");
    for (uint32_t k = 0; d && k < look->nkernels; ++k) write_occupancy(p, d, &look->kernel[k], k);
    page_section_end(p);
}
