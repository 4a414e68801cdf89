// Writes the parts of the HTML page about a kernel: worst memory access, resources and occupancy.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "device/profile.h"
#include "report/escape.h"
#include "report/page/figure.h"
#include "report/page/page.h"

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
    static const struct page_column column[] = {{N_("line of 128 bytes at byte"), NULL},
                                                {N_("bytes 0-31"), NULL},
                                                {"32-63", NULL},
                                                {"64-95", NULL},
                                                {"96-127", NULL},
                                                {NULL, NULL}};
    struct explain_sector_map m;
    explain_sector_map_make(&m, a);
    page_table(p, "plain", N_("Lanes that name something in each sector"), column);
    for (uint32_t i = 0; i < m.count; ++i) {
        page_printf(p, "<tr><th scope=\"row\">%" PRIu64 "</th>", m.line[i].address - a->origin);
        for (int s = 0; s < COALESCE_LINE / COALESCE_SECTOR; ++s) cell_of_lanes(p, m.line[i].lanes[s]);
        page_puts(p, "</tr>\n");
    }
    page_table_end(p);
}

static void table_of_banks(const struct page *p, const struct line_access *a)
{
    static const struct page_column column[] = {{N_("pass"), NULL}, {N_("bank: lanes"), NULL}, {NULL, NULL}};
    struct explain_bank_map m;
    explain_bank_map_make(&m, a);
    page_table(p, "plain", N_("What the banks do, pass by pass"), column);
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
    page_table_end(p);
}

static void write_access(const struct page *p, const struct explain *e, enum explain_whose whose, const char *id)
{
    const struct figure f = {id, 0};
    struct text sentence = {0}, place = {0}, name = {0};
    explain_access(e->profile, e->worst, &sentence);
    explain_place(e, &place);
    page_puts(p, "<h4>");
    page_text(p, explain_heading(e, whose));
    page_puts(p, "</h4>\n<p class=\"say\">");
    page_text(p, sentence.data);
    page_puts(p, ".</p>\n<p class=\"soft\">");
    page_say(p, "Drawn: %s.", place.data);
    page_puts(p, "</p>\n");
    text_printf(&name, "%s: %s", explain_heading(e, whose), id);
    page_scroll(p, name.data, "");
    figure_access(&f, e->profile, e->worst, p->out);
    page_puts(p, "</div>\n");
    page_details(p);
    text_say(&name, ", as a table");
    page_scroll(p, name.data, "");
    if (e->worst->space == SPACE_SHARED)
        table_of_banks(p, e->worst);
    else
        table_of_sectors(p, e->worst);
    page_puts(p, "</div></details>\n");
    text_free(&sentence);
    text_free(&place);
    text_free(&name);
}

// Writes the worst access to a memory space, with the reference solution's worst access to the same memory space.
// Returns 1, or 0 if the kernels do not access the memory space.
static int write_space(const struct page *p, uint32_t space, const char *heading, const char *id)
{
    struct explain mine = *p->more->explain;
    char other[40];
    explain_worst(&mine, space, 0);
    if (!mine.worst) return 0;
    page_puts(p, "<h3>");
    page_text(p, _(heading));
    page_puts(p, "</h3>\n");
    write_access(p, &mine, EXPLAIN_YOURS, id);
    if (!p->more->reference) return 1;
    struct explain theirs = *p->more->reference;
    explain_worst(&theirs, space, 0);
    snprintf(other, sizeof other, "reference-%s", id);
    if (theirs.worst) write_access(p, &theirs, EXPLAIN_REFERENCE, other);
    return 1;
}

void page_access(const struct page *p)
{
    page_section(p, "memory", N_("Memory: where the lanes go"));
    int some = write_space(p, SPACE_GLOBAL, N_("Global memory: lanes and sectors"), "sectors");
    some |= write_space(p, SPACE_SHARED, N_("Shared memory: banks, pass by pass"), "banks");
    page_puts(p, "<p class=\"soft\">");
    if (!some)
        page_say(p, "Nothing goes to memory.");
    else if (!p->more->reference)
        page_say(p, "When you have passed, the reference's accesses are drawn here too.");
    page_puts(p, "</p>\n");
    page_section_end(p);
}

// ----------------------------------------------------------------------------------------------------------- resources
static void write_resource(const struct page *p, int resource, uint64_t resource_ps, uint64_t time_ps, int is_bound)
{
    struct text time = {0};
    explain_time(resource_ps, &time);
    page_puts(p, "<tr><th scope=\"row\">");
    page_word(p, observation_resource_name[resource]);
    page_printf(p, "</th><td class=\"number\">%s</td><td class=\"track\">", time.data);
    page_meter(p, (uint32_t)(1000.0 * (double)resource_ps / (double)(time_ps ? time_ps : 1)), is_bound ? "bad" : "");
    page_puts(p, "</td></tr>\n");
    text_free(&time);
}

void page_resource_table(const struct page *p, const char *caption, const uint64_t resource_ps[RESOURCES],
                         uint64_t time_ps, uint32_t bound)
{
    static const struct page_column column[] = {
        {N_("resource"), NULL}, {N_("its time"), "number"}, {"", NULL}, {NULL, NULL}};
    int written[RESOURCES] = {0};
    page_table(p, "bars", caption, column);
    for (int n = 0; n < RESOURCES; ++n) { // the resource with the longest time first
        int most = -1;
        for (int r = 0; r < RESOURCES; ++r)
            if (!written[r] && resource_ps[r] && (most < 0 || resource_ps[r] > resource_ps[most])) most = r;
        if (most < 0) break;
        written[most] = 1;
        write_resource(p, most, resource_ps[most], time_ps, (uint32_t)most == bound);
    }
    page_table_end(p);
}

static void write_resources(const struct page *p, const struct profile_kernel *k)
{
    const struct observation *o = k->seen;
    struct text sentence = {0};
    explain_bound(k, &sentence);
    page_puts(p, "<h3>");
    page_text(p, k->name);
    page_puts(p, "</h3>\n<p>");
    page_text(p, sentence.data);
    page_puts(p, ".</p>\n");
    text_free(&sentence);
    page_resource_table(p, N_("What each resource alone would take, of the last launch"), o->resource_ps, o->time_ps,
                        o->bound);
}

void page_resources(const struct page *p)
{
    const struct profile *profile = p->more->explain->profile;
    page_section(p, "resources", N_("Resources: what bounds the time"));
    page_puts(p, "<p>");
    page_say(p,
             "A full bar is the kernel's whole time. The longest bar is what to work on; the second says how far that "
             "helps.");
    page_puts(p, "</p>\n");
    for (uint32_t k = 0; k < profile->nkernels; ++k) write_resources(p, &profile->kernel[k]);
    page_section_end(p);
}

// ----------------------------------------------------------------------------------------------------------- occupancy
static void table_of_limits(const struct page *p, const struct device_profile *d, const struct occupancy *o)
{
    static const struct page_column column[] = {
        {N_("what ends"), NULL}, {N_("blocks that it allows"), "number"}, {NULL, NULL}};
    page_details(p);
    page_table(p, "plain", NULL, column);
    for (int i = 0; i < OCCUPANCY_LIMITS; ++i) {
        page_puts(p, "<tr><th scope=\"row\">");
        page_word(p, occupancy_limit_name[i]);
        page_printf(p, "</th><td class=\"number\">%" PRIu32, o->by[i]);
        if ((enum occupancy_limit)i == o->limit) page_say(p, " (the limit)");
        page_puts(p, "</td></tr>\n");
    }
    page_table_end(p);
    page_puts(p, "<p>");
    page_say(p, "%" PRIu32 " of %" PRId64 " warps.", o->warps, d->warps_per_sm);
    page_puts(p, "</p></details>\n");
}

static void write_occupancy(const struct page *p, const struct device_profile *d, const struct profile_kernel *k,
                            uint32_t index)
{
    const uint32_t threads = k->block[0] * k->block[1] * k->block[2];
    struct occupancy o = occupancy_of(d, threads, k->seen->registers, k->seen->shared_bytes);
    struct text name = {0};
    char id[32];
    snprintf(id, sizeof id, "occupancy-%" PRIu32, index + 1);
    const struct figure f = {id, 0};
    page_puts(p, "<h3>");
    page_text(p, k->name);
    page_puts(p, "</h3>\n<p>");
    page_say(p,
             "Blocks of %" PRIu32 " threads with %" PRIu32 " registers a thread and %" PRIu32
             " bytes of shared memory: %" PRIu32 " fit on a multiprocessor at once. What stops one more: ",
             threads, k->seen->registers, k->seen->shared_bytes, o.blocks);
    page_word(p, occupancy_limit_name[o.limit]);
    page_puts(p, ".</p>\n");
    text_say(&name, "Picture of the occupancy of '%s'", k->name);
    page_scroll(p, name.data, "");
    text_free(&name);
    figure_occupancy(&f, d, k, p->out);
    page_puts(p, "</div>\n");
    table_of_limits(p, d, &o);
}

void page_occupancy(const struct page *p)
{
    const struct profile *profile = p->more->explain->profile;
    const struct device_profile *d = device_profile_find(profile->device.name);
    page_section(p, "occupancy", N_("Occupancy: how many warps are there to switch between"));
    for (uint32_t k = 0; d && k < profile->nkernels; ++k) write_occupancy(p, d, &profile->kernel[k], k);
    page_section_end(p);
}
