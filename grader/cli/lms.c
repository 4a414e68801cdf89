// Writes the file from which a course system, such as Gradescope, reads the result of grading. The program ends with an
// error if an environment variable that the course system must set is missing. The program does not guess the value of
// a missing environment variable, because a wrong guess could give the mark to another student.
#define _GNU_SOURCE
#include "cli/lms.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/text.h"
#include "cli/output.h"

static const char *told(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    if (value && *value) return value;
    if (!otherwise) die("classroom50 says in $%s what is graded: it is not set", name);
    return otherwise;
}

static void choose(struct cli_lms *l, const char *name)
{
    struct text known = {0};
    l->lms = lms_find(name);
    if (l->lms) return;
    for (const struct lms *other = lms_all; other->name; ++other)
        text_printf(&known, "%s%s", known.length ? ", " : "", other->name);
    die("--lms takes one of %s, not '%s'", known.data, name);
}

void cli_lms_find(struct cli_lms *l, const struct cli_options *options)
{
    *l = (struct cli_lms){.lms = NULL};
    if (!options->lms) return;
    choose(l, options->lms);
    l->path = options->output ? options->output : l->lms->path;
    if (strcmp(l->lms->name, "classroom50") != 0) return;
    const char *commit = told("COMMIT_URL", NULL);
    l->about = (struct lms_about){.classroom = told("CLASSROOM", NULL),
                                  .assignment = told("ASSIGNMENT", NULL),
                                  .submission = told("SUBMISSION_TAG", NULL),
                                  .commit = commit,
                                  .release = told("RELEASE_URL", NULL),
                                  .review = told("REVIEW_URL", commit)};
}

void cli_lms_write(struct cli_lms *l, const struct verdict *v)
{
    struct text t = {0};
    char when[32] = "";
    time_t clock = time(NULL);
    struct tm *utc = gmtime(&clock);
    if (utc) strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", utc);
    l->about.when = when;
    l->lms->write(v, &l->about, &t);
    cli_output_write(&t, l->path);
    text_free(&t);
}
