// Implements ./grade reference, which shows a lab's reference solution to a student who has passed the lab. The command
// ./grade reference also shows the lab's ladder, the example kernels, from slow to fast, that lead to the reference
// solution. The command ./grade reference runs the program diff to compare the student's file with the reference
// solution, or with one example kernel of the ladder.
#define _GNU_SOURCE
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/job.h"
#include "cli/ladder.h"
#include "cli/output.h"
#include "report/utf8.h"

extern char **environ;

static int show_difference(const char *own, const char *shown, const char *other, const char *name, int colour)
{
    char *const argv[] = {"diff",       "-u",          colour ? "--color=always" : "--color=never",
                          "--label",    (char *)shown, "--label",
                          (char *)name, (char *)own,   (char *)other,
                          NULL};
    pid_t pid;
    int status;
    fflush(stdout);
    int error = posix_spawnp(&pid, "diff", NULL, NULL, argv, environ);
    if (error) die("cannot start 'diff': %s", strerror(error));
    if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > 1) die("'diff' failed");
    return WEXITSTATUS(status);
}

static void show_ladder(const struct cli_ladder_rung *rung, uint32_t count, const struct report_options *how)
{
    struct text t = {0};
    for (uint32_t i = 0; i < count; ++i) {
        size_t column = t.length;
        text_say(&t, "%-20s %5.2f × the baseline  ", rung[i].name, rung[i].speedup);
        utf8_wrap(&t, rung[i].about, utf8_width(t.data + column, t.length - column),
                  report_columns(how) < REPORT_COLUMNS ? 4 : 44, (size_t)report_columns(how));
        text_puts(&t, "\n");
    }
    struct text ascii = {0};
    if (!how->utf8 && t.data) utf8_to_ascii(&ascii, t.data);
    if (t.data) fputs(how->utf8 ? t.data : ascii.data, stdout);
    text_free(&ascii);
    text_free(&t);
}

// Writes the path of an example kernel's source to `path`. The example kernels of a lab's ladder are called rungs, and
// the last rung is the reference solution. `word` is the number of an example kernel, counted from 1, or its name, such
// as "2_padded". Dies if no example kernel (rung) of the lab has the number or name `word`.
static void find_rung(const struct cli_paths *paths, const struct lab *lab, const struct cli_ladder_rung *rung,
                      uint32_t count, const char *word, char *path, size_t capacity)
{
    for (uint32_t i = 0; i < count; ++i) {
        char number[12];
        snprintf(number, sizeof number, "%" PRIu32, i + 1);
        if (strcmp(word, number) != 0 && strcmp(word, rung[i].name) != 0) continue;
        if (i + 1 == count)
            cli_reference_path(paths, lab, path, capacity);
        else
            snprintf(path, capacity, "%s/reference/ladder/%s/%s.cu", paths->root, lab->slug, rung[i].name);
        return;
    }
    die("%s has no rung '%.40s': './grade reference %s' shows them", lab->name, word, lab->name);
}

int cli_reference(const struct cli_options *options, int argc, char **argv)
{
    static struct cli_job job;
    struct cli_ladder_rung rung[CLI_LADDER_RUNGS];
    char path[2 * CLI_PATH];
    if (!argc) die("which lab? './grade reference lab7'");
    const struct lab *lab = cli_lab(argv[0]);
    if (argc > 2) die("'%s' is one word too many: ./grade reference %s [RUNG]", argv[2], lab->name);
    cli_paths_find(&job.paths);
    if (!cli_record_get(&job.paths, lab).passed) {
        printf(_("the reference of %s opens when you have passed it; './grade hint %s' helps on the way\n"), lab->name,
               lab->name);
        return 1;
    }
    if (!cli_reference_path(&job.paths, lab, path, sizeof path)) die("this kit has no references");
    cli_job_make(&job, options, lab, NULL);
    struct report_options how = cli_output_options(options, STDOUT_FILENO);
    uint32_t count = cli_ladder(&job.paths, &job.judge, rung);
    if (argc == 2)
        find_rung(&job.paths, lab, rung, count, argv[1], path, sizeof path);
    else
        show_ladder(rung, count, &how);
    if (!show_difference(job.submission.path, job.submission.shown, path, strrchr(path, '/') + 1, how.colour))
        puts(_("yours is the same"));
    cli_job_free(&job);
    return 0;
}
