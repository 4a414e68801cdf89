// Implements ./grade LAB --lms SYSTEM, which finds the course system and writes its result file.
#ifndef CLI_LMS_H
#define CLI_LMS_H

#include "cli/cli.h"
#include "judge/judge.h"
#include "report/lms.h"

// The course system that the user chose.
struct cli_lms {
    const struct lms *lms; // NULL: no course system
    const char *path;      // path of the result file; "-": write to standard output after all other output
    struct lms_about about;
};
// Finds the course system that the options name, and reads the environment variables of this course system. Dies if
// there is no such system or a required variable is not set.
void cli_lms_find(struct cli_lms *, const struct cli_options *);
// Writes the result file. Does nothing if the user chose no course system. Dies if the file cannot be written.
void cli_lms_write(struct cli_lms *, const struct verdict *);

#endif
