// Implements ./grade --html, which writes a verdict as an HTML page.
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli/cli.h"
#include "judge/judge.h"

// Writes the verdict's HTML page to `path`, where "-" means standard output. A verdict has no profile if the submission
// is not correct. If the verdict has no profile, cli_page_write() runs the speed case once more to get the costs of
// source lines. If `own` is 1, the page includes the student's history. After a pass, the page also includes the
// reference's access pattern.
void cli_page_write(const struct cli_paths *, const struct verdict *, int own, const char *path);

#endif
