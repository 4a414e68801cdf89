// ./grade list and ./grade next: the labs, and what was reached in them.
#include <stdio.h>

#include "base/die.h"
#include "base/message.h"
#include "cli/cli.h"

static void no_operands(int argc, char **argv)
{
    if (argc) die("'%s' is one word too many, see './grade --help'", argv[0]);
}

int cli_list(const struct cli_options *options, int argc, char **argv)
{
    (void)options;
    struct cli_paths paths;
    int passed = 0, count = 0;
    no_operands(argc, argv);
    cli_paths_find(&paths);
    for (int i = 0; lab_all[i]; ++i, ++count) {
        struct cli_record r = cli_record_get(&paths, lab_all[i]);
        char best[16] = "-";
        if (r.graded) snprintf(best, sizeof best, "%d", r.best);
        passed += r.passed;
        char rung[24] = "";
        if (r.rungs) snprintf(rung, sizeof rung, _("rung %d/%d"), r.rung, r.rungs);
        printf("%-6s %3s  %-6s  %-9s  %s\n", lab_all[i]->name, best, r.passed ? _("passed") : "", rung,
               _(lab_all[i]->title));
    }
    printf(_("%d of %d passed\n"), passed, count);
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
        printf("  read   handouts/%s.md\n  edit   student/%s.cu\n  grade  make %s && ./grade %s\n", lab->slug,
               lab->slug, lab->name, lab->name);
        return 0;
    }
    puts(_("all labs are passed"));
    return 0;
}
