// ./grade --html: the page of a verdict.
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli/cli.h"
#include "judge/judge.h"

// Writes the page to `path` ("-": standard output). A submission that runs but is not right is run once more, for what
// its lines cost. With `own` the student's history and, when he has passed, the reference's access are on it.
void cli_page_write(const struct cli_paths *, const struct verdict *, int own, const char *path);

#endif
