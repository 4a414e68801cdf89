// ./grade LAB --lms SYSTEM: which course system, and its result file.
#ifndef CLI_LMS_H
#define CLI_LMS_H

#include "cli/cli.h"
#include "judge/judge.h"
#include "report/lms.h"

struct cli_lms {
    const struct lms *lms; // NULL: none is asked for
    const char *path;      // "-": standard output, behind all else
    struct lms_about about;
};
// Dies when there is no such system, or it did not say what its file must repeat: before anything is graded.
void cli_lms_find(struct cli_lms *, const struct cli_options *);
void cli_lms_write(struct cli_lms *, const struct verdict *);

#endif
