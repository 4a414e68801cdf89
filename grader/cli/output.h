// Output of reports: what a terminal can show, and writing to files.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/cli.h"
#include "report/report.h"

// Returns the options for a report on descriptor `fd`. Colour follows --color and NO_COLOR (https://no-color.org), by
// default on if `fd` is a terminal. UTF-8 follows the locale.
struct report_options cli_output_options(const struct cli_options *, int fd);
// Writes a text to a file, or to standard output if the path is "-". Dies on failure.
void cli_output_write(const struct text *, const char *path);

#endif
