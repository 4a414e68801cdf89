// Implements ./grade reset, which replaces the student's file by the lab's template. The student's old file is kept
// under a backup name and never overwritten.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"

enum { BACKUPS = 1000, PATH = 2 * CLI_PATH };

// Keeps the student's file under the first free backup name, such as FILE.bak1. Returns the number at the end of the
// backup name.
static int keep(const char *path)
{
    char backup[PATH + 16];
    for (int n = 1; n < BACKUPS; ++n) {
        snprintf(backup, sizeof backup, "%s.bak%d", path, n);
        if (!link(path, backup)) return n; // link() fails if the name exists, so link() cannot overwrite a file
        if (errno != EEXIST) die("cannot keep '%s' as '%s': %s", path, backup, strerror(errno));
    }
    die("there are %d backups of '%s' already: remove some", BACKUPS, path);
}

int cli_reset(const struct cli_options *options, int argc, char **argv)
{
    struct cli_paths paths;
    struct text stub = {0};
    char from[PATH], to[PATH];
    (void)options;
    if (argc != 1) die("which lab? ./grade reset lab3");
    const struct lab *lab = cli_lab(argv[0]);
    cli_paths_find(&paths);
    snprintf(from, sizeof from, "%s/student_template/%s.cu", paths.root, lab->slug);
    snprintf(to, sizeof to, "%s/%s.cu", paths.student, lab->slug);
    int error = text_read_file(&stub, from, COMPILE_MOST);
    if (error) die("cannot read the template '%s': %s", from, strerror(error));
    int kept = access(to, F_OK) ? 0 : keep(to);
    error = text_write_file(&stub, to, 0666);
    if (error) die("cannot write '%s': %s", to, strerror(error));
    printf(_("'%s' is as it was at first"), cli_paths_shown(to));
    if (kept) printf(_("; yours is kept as '%s.bak%d'"), cli_paths_shown(to), kept);
    puts("");
    text_free(&stub);
    return 0;
}
