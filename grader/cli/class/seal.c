// Implements ./grade seal, which lists the gradebook's rows that have no valid seal, a checksum made with the class's
// secret key. The command ./grade seal also seals or removes the rows without a valid seal, as the instructor decides.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/book/seal.h"
#include "cli/class/batch.h"

// Says what the rows that were removed cost, and what brings it back. `names` is the list of seal_list().
static void say_cost(const char *names)
{
    static const struct {
        const char *table, *cost;
    } costs[] = {
        {"student ", N_("some students are no longer on the class list: say --roster FILE with the next batch")},
        {"alias ", N_("some aliases are gone: say --alias FILE with the next batch")},
        {"rules ", N_("the course's rules are gone: say --course FILE with the next command")},
        {"decision ", N_("some attempts that were moved or dropped by hand are as the next import says")},
        {"override ", N_("some marks by hand are gone")},
    };
    for (size_t i = 0; i < sizeof costs / sizeof *costs; ++i)
        for (const char *line = names; line && *line; line = strchr(line, '\n') + 1) {
            if (strncmp(line, costs[i].table, strlen(costs[i].table)) != 0) continue;
            puts(_(costs[i].cost));
            break;
        }
}

int cli_seal(const struct cli_options *options, int argc, char **argv)
{
    char path[2 * CLI_PATH];
    struct text names = {0};
    int accept = argc == 1 && !strcmp(argv[0], "accept"), drop = argc == 1 && !strcmp(argv[0], "drop");
    if (argc && !accept && !drop) die("'%s' is neither 'accept' nor 'drop', see './grade help seal'", argv[argc - 1]);
    cli_gradebook_path(options, path, sizeof path);
    struct gradebook *b = gradebook_open_unchecked(path);
    uint32_t count = seal_list(b, &names);
    fputs(names.data ? names.data : "", stdout);
    if (accept)
        seal_accept(b);
    else if (drop)
        seal_drop(b);
    printf(accept ? _("%" PRIu32 " rows sealed as they stand\n")
           : drop ? _("%" PRIu32 " rows removed\n")
                  : _("%" PRIu32 " rows do not bear the class's seal\n"),
           count);
    if (drop) say_cost(names.data);
    text_free(&names);
    gradebook_close(b);
    return count && !accept && !drop;
}
