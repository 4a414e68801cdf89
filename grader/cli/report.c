// Implements ./grade report, which prints an overview of the class. The command ./grade report also writes the overview
// as an HTML page into the folder that the option --out names.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/utf8.h"
#include "batch/attempt.h"
#include "batch/export.h"
#include "batch/ledger.h"
#include "batch/overview.h"
#include "cli/batch.h"

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

// Prints the attempts of one student.
static int list_attempts(const struct cli_options *options, const char *name)
{
    struct cli_gradebook b;
    struct roster all;
    struct text lines = {0}, shown = {0};
    if (options->pseudonyms) die("--pseudonyms names nobody, and '%s' is a name", name);
    cli_gradebook_open(&b, options, CLI_GRADEBOOK_READ);
    gradebook_roster(b.gradebook, &all);
    const struct roster_student *s = cli_gradebook_student(&all, name);
    text_printf(&lines, "%s (%s)\n", s->key, s->name);
    if (!attempt_list(b.gradebook, s->key, &lines)) text_say(&lines, "no attempt\n");
    utf8_clean(&shown, lines.data, lines.length);
    utf8_clean_log(&shown);
    fputs(shown.data, stdout);
    text_free(&lines);
    text_free(&shown);
    roster_free(&all);
    cli_gradebook_close(&b);
    return 0;
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
    if (!options->pseudonyms) ledger_list(b.gradebook, &lines);
    overview_html(overview, all.labs, &all, &page);
    write_page(&b, &page);
    fputs(lines.data ? lines.data : _("nobody has handed anything in\n"), stdout);
    if (from.earlier) gradebook_close(from.earlier);
    results_free(&all);
    text_free(&lines);
    text_free(&page);
    cli_gradebook_close(&b);
    return 0;
}
