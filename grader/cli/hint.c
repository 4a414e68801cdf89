// Implements ./grade hint. Each call of ./grade hint shows one more hint for the lab. The student's progress record
// contains the number of hints that were shown.
#include <stdio.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "report/utf8.h"

static int count_hints(const struct lab *lab)
{
    int n = 0;
    while (n < LAB_HINTS && lab->hint[n]) ++n;
    return n;
}

int cli_hint(const struct cli_options *options, int argc, char **argv)
{
    struct cli_paths paths;
    if (argc != 1) die("which lab? ./grade hint lab3");
    const struct lab *lab = cli_lab(argv[0]);
    cli_paths_find(&paths);
    struct cli_record r = cli_record_get(&paths, lab);
    struct report_options how = cli_output_options(options, STDOUT_FILENO);
    int all = count_hints(lab), given = options->all ? all : r.hints < all ? r.hints + 1 : all;
    for (int i = 0; i < given; ++i) {
        struct text t = {0};
        text_say(&t, "hint %d of %d: ", i + 1, all);
        utf8_wrap(&t, _(lab->hint[i]), utf8_width(t.data, t.length), 4, (size_t)report_columns(&how));
        puts(t.data);
        text_free(&t);
    }
    if (given > r.hints) {
        r.hints = given;
        cli_record_put(&paths, lab, &r);
    }
    return 0;
}
