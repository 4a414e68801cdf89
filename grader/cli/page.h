// ./grade --html: writes a verdict as an HTML page.
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli/cli.h"
#include "judge/judge.h"

// Writes the page to `path` ("-": standard output). If the verdict has no profile because the submission is not
// correct, runs the speed case once more to get the costs of lines. With `own`, the page includes the student's history
// and, after a pass, the reference's access pattern.
void cli_page_write(const struct cli_paths *, const struct verdict *, int own, const char *path);

#endif
