// Implements the option --html of ./grade, which writes the judge's verdict as an HTML page.
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli/cli.h"
#include "judge/judge.h"

// Writes the verdict's HTML page to `path`, where "-" means standard output. A verdict has no profile (the costs of
// source lines) if grading stopped before the test case that measures speed. If the verdict has no profile,
// cli_page_write() runs the test case that measures speed to get a profile. If `own` is 1, the HTML page includes the
// student's history of attempts. If the student has passed the lab, the HTML page also includes the access pattern of
// the reference solution.
void cli_page_write(const struct cli_paths *, const struct verdict *, int own, const char *path);

#endif
