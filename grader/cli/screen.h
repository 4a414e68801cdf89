// What standard output can show.
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "cli/cli.h"
#include "report/report.h"

// Colour as --color and NO_COLOR (https://no-color.org) say, by default on a terminal alone; UTF-8 as the locale says.
struct report_options cli_screen(const struct cli_options *);

#endif
