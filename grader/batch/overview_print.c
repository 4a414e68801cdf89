// The overview as lines for a terminal, and the same figures as a page.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/utf8.h"
#include "batch/overview.h"
#include "report/escape.h"

enum { BAR = 40 };
static const double SHOWN = 0.6; // likeness to the kit's or an earlier term's sources from which a student is named

static const char *bar_name(int bar)
{
    static const char *const name[OVERVIEW_BARS] = {"0-9",   "10-19", "20-29", "30-39", "40-49", "50-59",
                                                    "60-69", "70-79", "80-89", "90-99", "100"};
    return name[bar];
}

static uint32_t tallest(const struct overview *o)
{
    uint32_t most = 1;
    for (int i = 0; i < OVERVIEW_BARS; ++i)
        if (o->bar[i] > most) most = o->bar[i];
    return most;
}

static void put_name(struct text *out, const char *name)
{
    utf8_clean_line(out, name, strlen(name));
}

static void print_counts(const char *title, const struct overview_counts *c, struct text *out)
{
    for (uint32_t i = 0; i < c->count; ++i)
        text_printf(out, "  %-10s %4" PRIu32 "  %s\n", i ? "" : title, c->item[i].students, c->item[i].what);
}

// The highest likeness in the group that student i is the first of, and its size.
static double group_share(const struct overview *o, const struct standings *all, uint32_t i, uint32_t *members)
{
    double share = 0;
    for (uint32_t k = i; k < all->count; ++k) {
        if (o->group[k] != i) continue;
        ++*members;
        if (o->classmate[k] > share) share = o->classmate[k];
    }
    return share;
}

static void put_group(const struct overview *o, const struct standings *all, uint32_t i,
                      void (*put)(struct text *, const char *), struct text *out)
{
    for (uint32_t k = i; k < all->count; ++k) {
        if (o->group[k] != i) continue;
        if (k != i) text_puts(out, ", ");
        put(out, all->item[k].student.key);
    }
}

static void print_likeness(const struct overview *o, const struct standings *all, struct text *out)
{
    for (uint32_t i = 0, n = 0; i < all->count; ++i) {
        uint32_t members = 0;
        double share = group_share(o, all, i, &members);
        if (members < 2) continue;
        text_printf(out, "  %-10s %3.0f %%  ", n++ ? "" : "alike", 100 * share);
        put_group(o, all, i, put_name, out);
        text_puts(out, "\n");
    }
    const struct {
        const char *title;
        const double *share;
    } to[] = {{"solution", o->reference}, {"ladder", o->rung}, {"earlier", o->earlier}};
    for (int k = 0; k < 3; ++k)
        for (uint32_t i = 0, n = 0; i < all->count && to[k].share; ++i) {
            if (to[k].share[i] < SHOWN) continue;
            text_printf(out, "  %-10s %3.0f %%  ", n++ ? "" : to[k].title, 100 * to[k].share[i]);
            put_name(out, all->item[i].student.key);
            text_puts(out, "\n");
        }
}

void overview_print(const struct overview *o, const struct standings *all, struct text *out)
{
    text_printf(out, "%s  %s\n", o->lab->name, o->lab->title);
    text_say(out, "  %-10s %4" PRIu32 " of %" PRIu32 " students, %" PRIu32 " graded, %" PRIu32 " passed\n", "handed in",
             o->handed_in, o->students, o->graded, o->passed);
    if (o->graded) text_say(out, "  %-10s %4.0f mean, %.0f median, in percent\n", "marks", o->mean, o->median);
    for (int i = 0; i < OVERVIEW_BARS && o->graded; ++i)
        text_printf(out, "  %10s %4" PRIu32 "%s%.*s\n", bar_name(i), o->bar[i], o->bar[i] ? "  " : "",
                    (int)(o->bar[i] * BAR / tallest(o)), "########################################");
    print_counts("lost in", &o->rows, out);
    print_counts("refused", &o->reasons, out);
    print_counts("findings", &o->findings, out);
    if (o->measured)
        text_say(out,
                 "  %-10s %4" PRIu32 "  measured: %" PRIu32 " below %.2f x (the minimum), %" PRIu32
                 " up to %.2f x, %" PRIu32 " with full marks; quartiles %.2f, %.2f, %.2f x\n",
                 "speedup", o->measured, o->below, o->minimum, o->between, o->most, o->full, o->quartile[0],
                 o->quartile[1], o->quartile[2]);
    print_counts("unusual", &o->unusual, out);
    for (uint32_t i = 0; o->missing[i]; ++i) {
        text_printf(out, "  %-10s       ", i ? "" : "missing");
        put_name(out, o->missing[i]);
        text_puts(out, "\n");
    }
    print_likeness(o, all, out);
}

// ---------------------------------------------------------------------------------------------------------------- HTML
static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:.5em 0 1.5em}td,th{padding:.1em .8em .1em "
    "0;text-align:left;vertical-align:top}"
    "td.n{text-align:right}.bar{background:#3a6ea5;height:.9em;display:inline-block;min-width:1px}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.bar{background:#7aa7d6}}";

static void put_html(struct text *out, const char *text)
{
    escape_html(out, text, strlen(text));
}

static void cell(struct text *out, const char *text)
{
    text_puts(out, "<td>");
    put_html(out, text);
    text_puts(out, "</td>");
}

static void html_counts(const char *title, const struct overview_counts *c, struct text *out)
{
    if (!c->count) return;
    text_printf(out, "<h3>%s</h3>\n<table><tr><th>students</th><th></th></tr>\n", title);
    for (uint32_t i = 0; i < c->count; ++i) {
        text_printf(out, "<tr><td class=\"n\">%" PRIu32 "</td>", c->item[i].students);
        cell(out, c->item[i].what);
        text_puts(out, "</tr>\n");
    }
    text_puts(out, "</table>\n");
}

static void html_likeness(const struct overview *o, const struct standings *all, struct text *out)
{
    text_puts(out, "<h3>Alike</h3>\n<p>A list to look at, never a verdict.</p>\n<table>\n");
    for (uint32_t i = 0; i < all->count; ++i) {
        uint32_t members = 0;
        double share = group_share(o, all, i, &members);
        if (members < 2) continue;
        text_printf(out, "<tr><td class=\"n\">%.0f&nbsp;%%</td><td>", 100 * share);
        put_group(o, all, i, put_html, out);
        text_puts(out, "</td></tr>\n");
    }
    text_puts(out, "</table>\n");
    text_printf(out, "<h3>Likeness</h3>\n<table><tr><th>student</th><th>solution</th><th>ladder</th>%s</tr>\n",
                o->earlier ? "<th>earlier</th>" : "");
    for (uint32_t i = 0; i < all->count; ++i) {
        if (o->reference[i] < SHOWN && o->rung[i] < SHOWN && !(o->earlier && o->earlier[i] >= SHOWN)) continue;
        text_puts(out, "<tr>");
        cell(out, all->item[i].student.key);
        text_printf(out, "<td class=\"n\">%.0f&nbsp;%%</td><td class=\"n\">%.0f&nbsp;%%</td>", 100 * o->reference[i],
                    100 * o->rung[i]);
        if (o->earlier) text_printf(out, "<td class=\"n\">%.0f&nbsp;%%</td>", 100 * o->earlier[i]);
        text_puts(out, "</tr>\n");
    }
    text_puts(out, "</table>\n");
}

static void html_lab(const struct overview *o, const struct standings *all, struct text *out)
{
    text_printf(out,
                "<h2>%s: %s</h2>\n<p>%" PRIu32 " of %" PRIu32 " students handed in, %" PRIu32 " are graded, %" PRIu32
                " passed. ",
                o->lab->name, o->lab->title, o->handed_in, o->students, o->graded, o->passed);
    text_printf(out, "Marks: %.0f&nbsp;%% in the mean, median %.0f&nbsp;%%.</p>\n<table>\n", o->mean, o->median);
    for (int i = 0; i < OVERVIEW_BARS; ++i)
        text_printf(out,
                    "<tr><td class=\"n\">%s&nbsp;%%</td><td class=\"n\">%" PRIu32 "</td><td><span class=\"bar\" "
                    "style=\"width:%.1fem\"></span></td></tr>\n",
                    bar_name(i), o->bar[i], 20.0 * o->bar[i] / tallest(o));
    text_puts(out, "</table>\n");
    html_counts("Points lost in", &o->rows, out);
    html_counts("Not passed because", &o->reasons, out);
    html_counts("Findings", &o->findings, out);
    if (o->measured)
        text_printf(out,
                    "<h3>Speedup</h3>\n<p>%" PRIu32 " measured: %" PRIu32 " below the minimum of %.2f&nbsp;×, %" PRIu32
                    " up to %.2f&nbsp;×, %" PRIu32 " with full marks; quartiles %.2f, %.2f and %.2f&nbsp;×.</p>\n",
                    o->measured, o->below, o->minimum, o->between, o->most, o->full, o->quartile[0], o->quartile[1],
                    o->quartile[2]);
    html_counts("Unusual", &o->unusual, out);
    if (o->missing[0]) text_puts(out, "<h3>Not handed in</h3>\n<ul>\n");
    for (uint32_t i = 0; o->missing[i]; ++i) {
        text_puts(out, "<li>");
        escape_html(out, o->missing[i], strlen(o->missing[i]));
        text_puts(out, "</li>\n");
    }
    if (o->missing[0]) text_puts(out, "</ul>\n");
    html_likeness(o, all, out);
}

void overview_html(const struct overview *o, uint32_t count, const struct standings *all, struct text *out)
{
    text_puts(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    escape_html(out, all->course->name, strlen(all->course->name));
    text_printf(out, "</title><style>%s</style></head><body>\n<h1>", style);
    escape_html(out, all->course->name, strlen(all->course->name));
    text_puts(out, "</h1>\n");
    for (uint32_t i = 0; i < count; ++i) html_lab(&o[i], all, out);
    text_puts(out, "</body></html>\n");
}
