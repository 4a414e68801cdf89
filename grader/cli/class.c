// Starts the program "class", which runs the commands for a class of students. The program "class" is in the folder of
// the executable grade. The commands for a class need libraries (SQLite, libarchive, libgit2, libyaml) that a student's
// machine may not have.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/cli.h"

int cli_class(const struct cli_options *options, int argc, char **argv)
{
    struct cli_paths paths;
    char program[CLI_PATH + 8];
    (void)argc;
    cli_paths_find(&paths);
    snprintf(program, sizeof program, "%.*sclass", (int)(strrchr(paths.runner, '/') - paths.runner + 1), paths.runner);
    execv(program, options->words);
    if (errno == ENOENT) die("'%s' needs what is not built here: run 'make setup-dev' and 'make'", argv[-1]);
    die("cannot start '%s': %s", program, strerror(errno));
}
