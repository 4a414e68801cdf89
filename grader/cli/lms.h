// Implements ./grade LAB --lms SYSTEM, which finds the course system and writes its result file.
#ifndef CLI_LMS_H
#define CLI_LMS_H

#include "cli/cli.h"
#include "judge/judge.h"
#include "report/lms/lms.h"

// Holds the course system that the user chose with the option --lms.
struct cli_lms {
    const struct lms *lms; // NULL: no course system
    const char *path;      // path of the result file; "-": write to standard output after all other output
    struct lms_about about;
};
// Finds the course system that the options name, and reads the environment variables of this course system. Dies if
// there is no such course system or a required environment variable is not set.
void cli_lms_find(struct cli_lms *, const struct cli_options *);
// Writes the result file. The caller must not call cli_lms_write() if the user chose no course system. Dies if the
// result file cannot be written.
void cli_lms_write(struct cli_lms *, const struct verdict *);

#endif
