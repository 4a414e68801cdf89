// Writes reports to the terminal or to files, in a form that the terminal can show.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/cli.h"
#include "report/report.h"

// Returns the options for a report on the file descriptor `fd`. The option --color and the variable NO_COLOR
// (https://no-color.org) decide whether a report is coloured. By default, a report is coloured if `fd` is a terminal.
// The locale decides whether a report contains UTF-8 or only ASCII.
struct report_options cli_output_options(const struct cli_options *, int fd);
// Writes a text to a file, or to standard output if `path` is "-". Dies if the text cannot be written.
void cli_output_write(const struct text *, const char *path);

// Dies if the file could not be written. Leaves an existing file as it is, and creates none.
void cli_output_check(const char *path);

#endif
