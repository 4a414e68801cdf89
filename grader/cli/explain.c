// Implements ./grade explain, which shows a lab's source with what the simulator observed on each line. The command
// ./grade explain accepts a submission with wrong results, if the submission compiles and runs to its end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/job.h"
#include "cli/output.h"
#include "device/profile.h"
#include "judge/host/host_grade.h"
#include "judge/kernel/kernel_profile.h"
#include "report/explain.h"
#include "report/page/figure.h"
#include "report/report.h"

// Returns the kernel with the longest simulated time in the profile. The options --figure occupancy and --figure grid
// draw that kernel.
static const struct profile_kernel *slowest(const struct profile *profile)
{
    const struct profile_kernel *k = &profile->kernel[0];
    for (uint32_t i = 1; i < profile->nkernels; ++i)
        if (profile->kernel[i].time_ps > k->time_ps) k = &profile->kernel[i];
    return k;
}

// Returns 1 if `what`, the argument of --figure, is `word`, alone or followed by a colon and a line number.
static int is_figure(const char *what, const char *word)
{
    size_t length = strlen(word);
    return !strncmp(what, word, length) && (!what[length] || what[length] == ':');
}

static void draw(struct explain *e, const char *what, struct text *out)
{
    static const struct figure alone = {"figure", 1};
    uint32_t space = SPACE_NONE, line = 0;
    const char *colon = what ? strchr(what, ':') : NULL;
    int grid = what && !strcmp(what, "grid");
    if (grid || (what && !strcmp(what, "occupancy"))) {
        const struct device_profile *d = device_profile_find(e->profile->device.name);
        (grid ? figure_launch : figure_occupancy)(&alone, d, slowest(e->profile), out);
        return;
    }
    if (what && is_figure(what, "banks"))
        space = SPACE_SHARED;
    else if (what && is_figure(what, "sectors"))
        space = SPACE_GLOBAL;
    else if (what)
        die("--figure takes sectors, banks, occupancy or grid, not '%s'", what);
    if (colon && !(line = (uint32_t)strtoul(colon + 1, NULL, 10))) die("--figure '%s' names no line", what);
    explain_worst(e, space, line);
    if (!e->worst) die("no access of that kind is there to be drawn");
    figure_access(&alone, e->profile, e->worst, out);
}

// Appends the report of ./grade explain to `out`. If the student has passed the lab, the report includes the worst
// memory access of the reference solution.
static void tell(const struct explain *e, const struct cli_options *options, const struct cli_job *job,
                 struct text *out)
{
    struct profile profile = {.nkernels = 0};
    struct text source = {0};
    struct explain other;
    struct report_options how = cli_output_options(options, STDOUT_FILENO);
    int both = cli_record_get(&job->paths, job->judge.lab).passed &&
               cli_job_reference(&job->paths, &job->judge, &source, &profile);
    if (both) explain_make(&other, &profile, source.data, source.length);
    explain_terminal(e, job->judge.shown, both ? &other : NULL, &how, out);
    if (both) explain_free(&other);
    profile_free(&profile);
    text_free(&source);
}

// Appends the explanation of the submission's kernels to `out`. Returns 1, or 0 with the reason in `why` if the
// submission does not compile or does not run to its end.
static int explain_kernels(const struct cli_options *options, const struct cli_job *job, struct text *out,
                           struct text *why)
{
    static struct profile profile;
    struct explain e;
    if (kernel_profile(&job->judge, &profile, why)) return 0;
    explain_make(&e, &profile, job->judge.source, job->judge.bytes);
    if (options->svg || options->figure)
        draw(&e, options->figure, out);
    else
        tell(&e, options, job, out);
    explain_free(&e);
    profile_free(&profile);
    return 1;
}

static void tell_calls(const struct verdict *v, const struct report_options *how, struct text *out)
{
    struct explain e;
    explain_make_calls(&e, v->program.timeline, v->job->source, v->job->bytes);
    explain_terminal_calls(&e, v, how, out);
    explain_free(&e);
}

// Appends the explanation of the submission's host code to `out`. Returns 1, or 0 with the reason in `why` if the
// submission does not compile or does not run to its end.
static int explain_program(const struct cli_options *options, const struct cli_job *job, struct text *out,
                           struct text *why)
{
    static const struct figure alone = {"figure", 1};
    static struct verdict v;
    struct report_options how = cli_output_options(options, STDOUT_FILENO);
    int seen = !host_profile(&job->judge, &v, why);
    if (options->figure && strcmp(options->figure, "timeline") != 0)
        die("--figure of a host lab is timeline, not '%s'", options->figure);
    if (seen && (options->svg || options->figure))
        figure_timeline(&alone, v.program.timeline, out);
    else if (seen)
        tell_calls(&v, &how, out);
    verdict_free(&v);
    return seen;
}

int cli_explain(const struct cli_options *options, int argc, char **argv)
{
    static struct cli_job job;
    struct text why = {0}, out = {0};
    if (!argc) die("which lab? './grade explain lab7'; './grade list' shows them");
    const struct lab *lab = cli_lab(argv[0]);
    if (argc > 2) die("'%s' is one word too many: ./grade explain %s [FILE]", argv[2], lab->name);
    cli_job_make(&job, options, lab, argc == 2 ? argv[1] : NULL);
    int seen = (lab->host ? explain_program : explain_kernels)(options, &job, &out, &why);
    utf8_clean_log(seen ? &out : &why);
    if (seen)
        cli_output_write(&out, options->svg ? options->svg : "-");
    else
        fputs(why.data ? why.data : "", stderr);
    text_free(&why);
    text_free(&out);
    cli_job_free(&job);
    return seen ? 0 : 1;
}
