// Prints the commands' help, and suggests a command for an unknown word.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"
#include "report/report.h"
#include "report/utf8.h"

const struct cli_command *cli_command_find(const char *name)
{
    for (const struct cli_command *c = cli_command; c->name; ++c)
        if (!strcmp(c->name, name)) return c;
    return NULL;
}

// Appends a list of the commands for a class if `class` is 1, or else of all other commands. Each command takes one row
// of the list, with the command's summary in a column.
static void put_commands(struct text *t, int class)
{
    enum { LEFT = 2, COLUMN = 26 };
    for (const struct cli_command *c = cli_command; c->name; ++c) {
        if ((c->run == cli_class) != class || !*c->summary || !strcmp(c->name, "grade")) continue;
        size_t begin = t->length;
        text_printf(t, "%*s%s %s", LEFT, "", c->name, c->arguments);
        size_t used = t->length - begin;
        if (used >= COLUMN) text_puts(t, "\n");
        text_printf(t, "%*s", (int)(used < COLUMN ? COLUMN - used : COLUMN), "");
        utf8_wrap(t, _(c->summary), COLUMN, COLUMN, REPORT_COLUMNS);
        text_puts(t, "\n");
    }
}

void cli_usage(struct text *t)
{
    text_puts(t, _("usage: ./grade LAB [FILE]      grades a lab's file\n"
                   "       ./grade COMMAND ...     does one of these; ./grade COMMAND --help explains it\n\n"));
    put_commands(t, 0);
    text_puts(t, _("\nfor a class:\n"));
    put_commands(t, 1);
    text_puts(t, _("\nlabs:\n"));
    for (int i = 0; lab_all[i]; ++i) text_printf(t, "  %-6s %s\n", lab_all[i]->name, _(lab_all[i]->title));
}

void cli_help_on(const struct cli_command *c, struct text *t)
{
    const char *summary = *c->summary ? _(c->summary) : "";
    text_say(t, "usage: ./grade %s%s%s\n%s\n", c->name, *c->arguments ? " " : "", c->arguments, summary);
    if (*c->options) text_printf(t, "\n%s", _(c->options));
}

int cli_help(const struct cli_options *options, int argc, char **argv)
{
    (void)options;
    struct text t = {0};
    const struct cli_command *c = argc ? cli_command_find(argv[0]) : NULL;
    if (argc && !c && lab_find(argv[0])) c = cli_command_find("grade");
    if (argc && !c) die("there is no command '%s', see './grade --help'", argv[0]);
    if (c)
        cli_help_on(c, &t);
    else
        cli_usage(&t);
    fputs(t.data, stdout);
    text_free(&t);
    return 0;
}

// Returns the Levenshtein distance of the words `a` and `b`, or MOST if a word is longer than MOST characters. Computes
// the Levenshtein distance by dynamic programming, and keeps only one row of the table of distances.
static size_t distance(const char *a, const char *b)
{
    enum { MOST = 63 };
    size_t row[MOST + 1], n = strlen(b);
    if (n > MOST || strlen(a) > MOST) return MOST;
    for (size_t j = 0; j <= n; ++j) row[j] = j;
    for (size_t i = 1; a[i - 1]; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; ++j) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[n];
}

static void consider(const char *name, const char *candidate, const char *stands_for, size_t *best,
                     const char **nearest)
{
    size_t length = strlen(name), far = distance(name, candidate);
    if (length > 2 && !strncmp(candidate, name, length)) far = 1; // `name` is the beginning of the candidate
    if (far < *best) {
        *best = far;
        *nearest = stands_for;
    }
}

const char *cli_nearest(const char *name)
{
    size_t best = 4; // a distance of 4 or more means that the words are not similar
    const char *nearest = NULL;
    for (const struct cli_command *c = cli_command; c->name; ++c) consider(name, c->name, c->name, &best, &nearest);
    for (int i = 0; lab_all[i]; ++i) {
        const struct lab *lab = lab_all[i];
        const char *topic = strchr(lab->slug, '_');
        consider(name, lab->name, lab->name, &best, &nearest);
        consider(name, lab->slug, lab->name, &best, &nearest);
        if (topic) consider(name, topic + 1, lab->name, &best, &nearest);
    }
    return nearest;
}

const struct lab *cli_lab(const char *name)
{
    const struct lab *lab = lab_find(name);
    if (lab) return lab;
    const char *nearest = cli_nearest(name);
    if (nearest) die("there is no lab or command '%.80s': is '%s' meant?", name, nearest);
    die("there is no lab or command '%.80s': './grade list' shows the labs", name);
}
