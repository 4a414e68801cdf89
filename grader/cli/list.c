// Implements ./grade list and ./grade next, which show the labs and the student's progress in the labs.
#include <stdio.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"
#include "report/utf8.h"

static void no_operands(int argc, char **argv)
{
    if (argc) die("'%s' is one word too many, see './grade --help'", argv[0]);
}

// Appends a line about a lab, such as "lab3    100  passed  rung 4/5   A prefix sum with __syncthreads".
static void say_lab(const struct cli_paths *paths, const struct lab *lab, struct text *out)
{
    struct cli_record r = cli_record_get(paths, lab);
    struct text rung = {0};
    char best[16] = "-";
    if (r.graded) snprintf(best, sizeof best, "%d", r.best);
    if (r.rungs) text_say(&rung, "rung %d/%d", r.rung, r.rungs);
    text_printf(out, "%-6s %3s  ", lab->name, best);
    utf8_pad(out, r.passed ? _("passed") : "", 8);
    utf8_pad(out, rung.data ? rung.data : "", 11);
    text_printf(out, "%s\n", _(lab->title));
    text_free(&rung);
}

int cli_list(const struct cli_options *options, int argc, char **argv)
{
    (void)options;
    struct cli_paths paths;
    struct text out = {0};
    int passed = 0, count = 0;
    no_operands(argc, argv);
    cli_paths_find(&paths);
    for (; lab_all[count]; ++count) {
        passed += cli_record_get(&paths, lab_all[count]).passed;
        say_lab(&paths, lab_all[count], &out);
    }
    text_say(&out, "%1$d of %2$d passed\n", passed, count);
    fputs(out.data, stdout);
    text_free(&out);
    return 0;
}

int cli_next(const struct cli_options *options, int argc, char **argv)
{
    (void)options;
    struct cli_paths paths;
    no_operands(argc, argv);
    cli_paths_find(&paths);
    for (int i = 0; lab_all[i]; ++i) {
        const struct lab *lab = lab_all[i];
        struct cli_record r = cli_record_get(&paths, lab);
        if (r.passed) continue;
        printf("%s: %s\n%s\n", lab->name, _(lab->title), _(lab->task));
        // Translators: the handouts in your language are in a folder of handouts/ that has the name of the language.
        printf(_("  read   handouts/%s.md\n  edit   %s/%s.cu\n  grade  make %s && ./grade %s\n"), lab->slug,
               cli_paths_shown(paths.student), lab->slug, lab->name, lab->name);
        return 0;
    }
    puts(_("all labs are passed"));
    return 0;
}
