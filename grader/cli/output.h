// What a terminal or a file can show.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/cli.h"
#include "report/report.h"

// Colour as --color and NO_COLOR (https://no-color.org) say, by default when descriptor `fd` is a terminal; UTF-8 as
// the locale says.
struct report_options cli_output_options(const struct cli_options *, int fd);
// Writes a text to a file, or, named "-", to standard output. Dies when it cannot.
void cli_output_write(const struct text *, const char *path);

#endif
