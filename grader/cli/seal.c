// Implements ./grade seal, which lists the gradebook's rows that have no valid seal, a checksum made with the class's
// secret key. The command ./grade seal also seals or removes the rows without a valid seal, as the instructor decides.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "batch/seal.h"
#include "cli/batch.h"

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
    text_free(&names);
    gradebook_close(b);
    return count && !accept && !drop;
}
