// Writes the overview of a class as text for a terminal and as an HTML page.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "batch/export/overview.h"
#include "report/escape.h"
#include "report/utf8.h"

enum { BAR = 40, LABEL = 10 };
static const double SHOWN = 0.6; // students are listed if their similarity to other sources is at least SHOWN

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

// Writes the label of a row in the terminal overview, translated from English. A row with an empty label belongs to the
// labelled row above it.
static void put_label(struct text *out, const char *name)
{
    text_puts(out, "  ");
    utf8_pad(out, *name ? _(name) : "", LABEL + 1);
}

// Writes the translation of `what`, an English text that the overview counted in the reports of a class, such as a kind
// of finding. If `what` ends in " at line N", the line number is translated separately.
static void put_what(struct text *out, const char *what)
{
    static const char at_line[] = " at line ";
    const char *at = strstr(what, at_line);
    struct text word = {0};
    text_add(&word, what, at ? (size_t)(at - what) : strlen(what));
    text_puts(out, *word.data ? _(word.data) : "");
    if (at) text_say(out, " at line %s", at + sizeof at_line - 1);
    text_free(&word);
}

static void print_counts(const char *title, const struct overview_counts *c, struct text *out)
{
    for (uint32_t i = 0; i < c->count; ++i) {
        put_label(out, i ? "" : title);
        text_printf(out, "%4" PRIu32 "  ", c->item[i].students);
        put_what(out, c->item[i].what);
        text_puts(out, "\n");
    }
}

// Returns the highest similarity of two sources in the group whose first member is student i. Adds the number of
// students in the group of student i to *members.
static double group_share(const struct overview *o, const struct results *all, uint32_t i, uint32_t *members)
{
    double share = 0;
    for (uint32_t k = i; k < all->count; ++k) {
        if (o->group[k] != i) continue;
        ++*members;
        if (o->classmate[k] > share) share = o->classmate[k];
    }
    return share;
}

static void put_group(const struct overview *o, const struct results *all, uint32_t i,
                      void (*put)(struct text *, const char *), struct text *out)
{
    for (uint32_t k = i; k < all->count; ++k) {
        if (o->group[k] != i) continue;
        if (k != i) text_puts(out, ", ");
        put(out, all->item[k].student.key);
    }
}

static void print_similarity(const struct overview *o, const struct results *all, struct text *out)
{
    const size_t before = out->length;
    for (uint32_t i = 0, n = 0; i < all->count; ++i) {
        uint32_t members = 0;
        double share = group_share(o, all, i, &members);
        if (members < 2) continue;
        put_label(out, n++ ? "" : N_("alike"));
        text_printf(out, "%3.0f %%  ", 100 * share);
        put_group(o, all, i, put_name, out);
        text_puts(out, "\n");
    }
    const struct {
        const char *title;
        const double *share;
    } to[] = {{N_("solution"), o->reference}, {N_("ladder"), o->rung}, {N_("earlier"), o->earlier}};
    for (int k = 0; k < 3; ++k)
        for (uint32_t i = 0, n = 0; i < all->count && to[k].share; ++i) {
            if (to[k].share[i] < SHOWN) continue;
            put_label(out, n++ ? "" : to[k].title);
            text_printf(out, "%3.0f %%  ", 100 * to[k].share[i]);
            put_name(out, all->item[i].student.key);
            text_puts(out, "\n");
        }
    if (out->length == before) return;
    put_label(out, "");
    text_say(out, "share of fingerprints in common, without the stub: a list to look at, never a verdict\n");
}

void overview_print(const struct overview *o, const struct results *all, struct text *out)
{
    text_printf(out, "%s  %s\n", o->lab->name, _(o->lab->title));
    put_label(out, N_("handed in"));
    text_say(out, "%1$4" PRIu32 " of %2$" PRIu32 " students, %3$" PRIu32 " graded, %4$" PRIu32 " passed\n",
             o->handed_in, o->students, o->graded, o->passed);
    if (o->graded) {
        put_label(out, N_("marks"));
        text_say(out, "%4.0f mean, %.0f median, in percent\n", o->mean, o->median);
    }
    for (int i = 0; i < OVERVIEW_BARS && o->graded; ++i)
        text_printf(out, "  %10s %4" PRIu32 "%s%.*s\n", bar_name(i), o->bar[i], o->bar[i] ? "  " : "",
                    (int)(o->bar[i] * BAR / tallest(o)), "########################################");
    print_counts(N_("lost in"), &o->rows, out);
    print_counts(N_("refused"), &o->reasons, out);
    print_counts(N_("findings"), &o->findings, out);
    if (o->measured) {
        put_label(out, N_("speedup"));
        text_say(out,
                 "%4" PRIu32 "  measured: %" PRIu32 " below %.2f x (the minimum), %" PRIu32 " up to %.2f x, %" PRIu32
                 " with full marks; quartiles %.2f, %.2f, %.2f x\n",
                 o->measured, o->below, o->minimum, o->between, o->most, o->full, o->quartile[0], o->quartile[1],
                 o->quartile[2]);
    }
    print_counts(N_("unusual"), &o->unusual, out);
    for (uint32_t i = 0; o->missing[i]; ++i) {
        put_label(out, i ? "" : N_("missing"));
        text_puts(out, "      ");
        put_name(out, o->missing[i]);
        text_puts(out, "\n");
    }
    print_similarity(o, all, out);
}

// ---------------------------------------------------------------------------------------------------------------- HTML
static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:.5em 0 1.5em}td,th{padding:.1em .8em .1em "
    "0;text-align:left;vertical-align:top}"
    "td.n{text-align:right;white-space:nowrap}.bar{background:#3a6ea5;height:.9em;display:inline-block;min-width:1px}"
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

static void heading(struct text *out, const char *title)
{
    text_puts(out, "<h3>");
    put_html(out, _(title));
    text_puts(out, "</h3>\n");
}

static void column(struct text *out, const char *title)
{
    text_puts(out, "<th>");
    put_html(out, *title ? _(title) : "");
    text_puts(out, "</th>");
}

static void html_counts(const char *title, const struct overview_counts *c, struct text *out)
{
    if (!c->count) return;
    heading(out, title);
    text_puts(out, "<table><tr>");
    column(out, N_("students"));
    text_puts(out, "<td></td></tr>\n");
    for (uint32_t i = 0; i < c->count; ++i) {
        text_printf(out, "<tr><td class=\"n\">%" PRIu32 "</td>", c->item[i].students);
        struct text what = {0};
        put_what(&what, c->item[i].what);
        cell(out, what.data);
        text_free(&what);
        text_puts(out, "</tr>\n");
    }
    text_puts(out, "</table>\n");
}

static void html_similarity(const struct overview *o, const struct results *all, struct text *out)
{
    heading(out, N_("Alike"));
    text_puts(out, "<p>");
    text_say(out, "A list to look at, never a verdict.");
    text_puts(out, "</p>\n<table>\n");
    for (uint32_t i = 0; i < all->count; ++i) {
        uint32_t members = 0;
        double share = group_share(o, all, i, &members);
        if (members < 2) continue;
        text_printf(out, "<tr><td class=\"n\">%.0f&nbsp;%%</td><td>", 100 * share);
        put_group(o, all, i, put_html, out);
        text_puts(out, "</td></tr>\n");
    }
    text_puts(out, "</table>\n");
    heading(out, N_("Similarity"));
    text_puts(out, "<table><tr>");
    column(out, N_("student"));
    column(out, N_("solution"));
    column(out, N_("ladder"));
    if (o->earlier) column(out, N_("earlier"));
    text_puts(out, "</tr>\n");
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

static void html_lab(const struct overview *o, const struct results *all, struct text *out)
{
    text_printf(out, "<h2>%s: ", o->lab->name);
    put_html(out, _(o->lab->title));
    text_puts(out, "</h2>\n<p>");
    text_say(out,
             "%1$" PRIu32 " of %2$" PRIu32 " students handed in, %3$" PRIu32 " are graded, %4$" PRIu32
             " passed. Marks: %5$.0f %% in the mean, median %6$.0f %%.",
             o->handed_in, o->students, o->graded, o->passed, o->mean, o->median);
    text_puts(out, "</p>\n<table>\n");
    for (int i = 0; i < OVERVIEW_BARS; ++i) {
        double share = (double)o->bar[i] / tallest(o);
        text_printf(out,
                    "<tr><td class=\"n\">%s&nbsp;%%</td><td class=\"n\">%" PRIu32 "</td><td><span class=\"bar\" "
                    "style=\"width:min(%.1fvw,%.1fem)\"></span></td></tr>\n",
                    bar_name(i), o->bar[i], 55 * share, 20 * share);
    }
    text_puts(out, "</table>\n");
    html_counts(N_("Points lost in"), &o->rows, out);
    html_counts(N_("Not passed because"), &o->reasons, out);
    html_counts(N_("Findings"), &o->findings, out);
    if (o->measured) {
        heading(out, N_("Speedup"));
        text_puts(out, "<p>");
        text_say(out,
                 "%" PRIu32 " measured: %" PRIu32 " below the minimum of %.2f ×, %" PRIu32 " up to %.2f ×, %" PRIu32
                 " with full marks; quartiles %.2f, %.2f and %.2f ×.",
                 o->measured, o->below, o->minimum, o->between, o->most, o->full, o->quartile[0], o->quartile[1],
                 o->quartile[2]);
        text_puts(out, "</p>\n");
    }
    html_counts(N_("Unusual"), &o->unusual, out);
    if (o->missing[0]) heading(out, N_("Not handed in"));
    if (o->missing[0]) text_puts(out, "<ul>\n");
    for (uint32_t i = 0; o->missing[i]; ++i) {
        text_puts(out, "<li>");
        escape_html(out, o->missing[i], strlen(o->missing[i]));
        text_puts(out, "</li>\n");
    }
    if (o->missing[0]) text_puts(out, "</ul>\n");
    html_similarity(o, all, out);
}

void overview_html(const struct overview *o, uint32_t count, const struct results *all, struct text *out)
{
    text_printf(out,
                "<!doctype html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\">"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>",
                _("en"));
    escape_html(out, all->course->name, strlen(all->course->name));
    text_printf(out, "</title><style>%s</style></head><body><main>\n<h1>", style);
    escape_html(out, all->course->name, strlen(all->course->name));
    text_puts(out, "</h1>\n");
    for (uint32_t i = 0; i < count; ++i) html_lab(&o[i], all, out);
    text_puts(out, "</main></body></html>\n");
}
