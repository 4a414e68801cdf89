// Implements output.h.
#define _GNU_SOURCE
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/die.h"

static int wants_colour(const struct cli_options *options, int fd)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    if (options->colour) return options->colour > 0;
    return isatty(fd) && term && strcmp(term, "dumb") != 0 && !(no && *no);
}

// Returns the width, in columns, that a report must have on the terminal `fd`: the terminal's width, but at least
// FEWEST. If `fd` is no terminal, or its width is unknown or greater than REPORT_COLUMNS, returns 0, so that the report
// has its default width.
static int columns_of(int fd)
{
    enum { FEWEST = 64 };
    struct winsize size;
    if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col || size.ws_col > REPORT_COLUMNS) return 0;
    return size.ws_col < FEWEST ? FEWEST : size.ws_col;
}

struct report_options cli_output_options(const struct cli_options *options, int fd)
{
    return (struct report_options){.colour = wants_colour(options, fd),
                                   .utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
                                   .columns = columns_of(fd),
                                   .all = options->all};
}

void cli_output_write(const struct text *t, const char *path)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!file) die("cannot write '%s': %s", path, strerror(errno));
    size_t written = fwrite(t->data, 1, t->length, file);
    int error = file == stdout ? fflush(file) : fclose(file);
    if (error || written != t->length) die("cannot write '%s': %s", path, strerror(errno));
}

void cli_output_check(const char *path)
{
    if (!strcmp(path, "-")) return;
    int is_new = access(path, F_OK) != 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0 && errno == ENXIO) return; // a pipe that nobody reads yet
    if (fd < 0) die("cannot write '%s': %s", path, strerror(errno));
    close(fd);
    if (is_new) unlink(path);
}
