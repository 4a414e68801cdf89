// Implements ./grade report, which prints an overview of the class. The command ./grade report also writes the overview
// as an HTML page into the folder that the option --out names.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "batch/book/attempt.h"
#include "batch/book/ledger.h"
#include "batch/export/export.h"
#include "batch/export/overview.h"
#include "batch/unpack/timestamp.h"
#include "cli/class/batch.h"
#include "report/utf8.h"

static void write_page(const struct cli_gradebook *b, const struct text *page)
{
    char path[sizeof b->out + 16];
    snprintf(path, sizeof path, "%s/report.html", b->out);
    int error = text_write_file(page, path, EXPORT_FILE);
    if (error) die("cannot write '%s': %s", path, strerror(error));
}

// Replaces the students' names and numbers by pseudonyms computed with the class's secret key, so that only a person
// who has the key can find the names.
static void hide_names(const struct cli_gradebook *b, struct results *all)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        const char *key = all->item[i].student.key;
        uint64_t word[2];
        secret_seal(gradebook_secret(b->gradebook), "pseudonym", key, strlen(key), word);
        const char *name = arena_printf(&all->arena, "student-%08" PRIx32, (uint32_t)word[0]);
        all->item[i].student = (struct roster_student){.key = name,
                                                       .name = name,
                                                       .first = "",
                                                       .last = "",
                                                       .canvas = "",
                                                       .sis = "",
                                                       .login = "",
                                                       .email = "",
                                                       .section = "",
                                                       .participant = "",
                                                       .github = "",
                                                       .root = "",
                                                       .left = all->item[i].student.left};
    }
}

// Appends a line about the mark that counts in a lab: its points, their number in the course system, who set it by
// hand, and what the rules give.
static void add_mark(const struct results *all, const struct results_lab *l, struct text *out)
{
    const struct lab *lab = l->rules->lab;
    const struct mark *m = &l->mark;
    char when[TIMESTAMP_TEXT];
    int most = results_most(all, lab);
    double total = results_total(all, lab);
    if (!l->attempts && !l->by_hand) return;
    text_puts(out, lab->name);
    if (!m->there) {
        text_puts(out, _(" mark: none yet\n"));
        return;
    }
    text_say(out, " mark: %g of %d", m->points, most);
    if (fabs(total - most) > 0 && most > 0) text_say(out, " (%.2f of %g)", m->points * total / most, total);
    timestamp_print(l->at, when);
    if (l->by_hand) text_say(out, ", set by %s %.10s: \"%s\"; by the rules ", l->by, when, l->why);
    if (l->by_hand && isnan(l->ruled))
        text_puts(out, _("there is none"));
    else if (l->by_hand)
        text_printf(out, "%g", l->ruled);
    if (m->penalty > 0) text_say(out, " = %g − %g late", m->raw, m->penalty);
    text_puts(out, "\n");
}

static void add_marks(struct cli_gradebook *b, const char *key, struct text *out)
{
    struct results all;
    cli_gradebook_read_results(&all, b);
    for (uint32_t i = 0; i < all.count; ++i)
        for (uint32_t l = 0; l < all.labs && !strcmp(all.item[i].student.key, key); ++l)
            add_mark(&all, &all.item[i].lab[l], out);
    results_free(&all);
}

// Prints the attempts of one student, and the marks that count.
static int list_attempts(const struct cli_options *options, const char *name)
{
    struct cli_gradebook b;
    struct roster all;
    struct text lines = {0}, shown = {0};
    if (options->pseudonyms) die("--pseudonyms names nobody, and '%s' is a name", name);
    cli_gradebook_open(&b, options, CLI_GRADEBOOK_READ);
    gradebook_roster(b.gradebook, &all);
    const struct roster_student *s = cli_gradebook_student(&b, &all, name);
    text_printf(&lines, "%s (%s)\n", s->key, s->name);
    if (!attempt_list(b.gradebook, s->key, &lines)) text_say(&lines, "no attempt\n");
    add_marks(&b, s->key, &lines);
    utf8_clean(&shown, lines.data, lines.length);
    utf8_clean_log(&shown);
    fputs(shown.data, stdout);
    text_free(&lines);
    text_free(&shown);
    roster_free(&all);
    cli_gradebook_close(&b);
    return 0;
}

// Appends a table of all marks: a row for each student, a column for each lab.
static void add_table(const struct results *all, struct text *out)
{
    enum { NAME = 24, CELL = 7 };
    if (!all->count || !all->labs) return;
    utf8_pad(out, _("marks"), NAME);
    for (uint32_t l = 0; l < all->labs; ++l) text_printf(out, "%*s", CELL, all->lab[l]->name);
    text_puts(out, "\n");
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct results_student *x = &all->item[i];
        struct text name = {0};
        if (x->student.left) continue;
        utf8_clean_line(&name, x->student.key, strlen(x->student.key));
        utf8_pad(out, name.data, NAME);
        for (uint32_t l = 0; l < all->labs; ++l)
            if (x->lab[l].mark.there)
                text_printf(out, "%*g", CELL, x->lab[l].mark.points);
            else
                text_printf(out, "%*s", CELL, "-");
        text_puts(out, "\n");
        text_free(&name);
    }
    text_puts(out, "\n");
}

int cli_report(const struct cli_options *options, int argc, char **argv)
{
    static struct overview overview[COURSE_LABS];
    struct cli_gradebook b;
    struct cli_paths paths;
    struct results all;
    struct text lines = {0}, page = {0};
    if (argc > 1) die("'%s' is one word too many, see './grade help report'", argv[1]);
    if (argc) return list_attempts(options, argv[0]);
    cli_paths_find(&paths);
    cli_gradebook_open(&b, options, CLI_GRADEBOOK_READ);
    struct overview_sources from = {paths.root, options->earlier ? gradebook_open_unchecked(options->earlier) : NULL};
    cli_gradebook_read_results(&all, &b);
    if (options->pseudonyms) hide_names(&b, &all);
    for (uint32_t l = 0; l < all.labs; ++l) {
        overview_make(&overview[l], &all, b.gradebook, l, &from);
        overview_print(&overview[l], &all, &lines);
        text_puts(&lines, "\n");
    }
    add_table(&all, &lines);
    if (!options->pseudonyms) ledger_list(b.gradebook, &lines);
    overview_html(overview, all.labs, &all, &page);
    write_page(&b, &page);
    if (!lines.length)
        text_say(&lines, "'%s': nobody has handed anything in; --out names the folder of another gradebook\n", b.path);
    fputs(lines.data, stdout);
    if (from.earlier) gradebook_close(from.earlier);
    results_free(&all);
    text_free(&lines);
    text_free(&page);
    cli_gradebook_close(&b);
    return 0;
}
