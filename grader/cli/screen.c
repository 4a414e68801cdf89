// See screen.h.
#define _GNU_SOURCE
#include "cli/screen.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int wants_colour(const struct cli_options *options)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    if (options->colour) return options->colour > 0;
    return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 && !(no && *no);
}

struct report_options cli_screen(const struct cli_options *options)
{
    return (struct report_options){.colour = wants_colour(options), .utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8")};
}
