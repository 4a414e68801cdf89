// Implements ./grade step: records a block of a lab's kernel, and shows the walk to its first finding, as text or as a
// page.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/job.h"
#include "cli/output.h"
#include "judge/kernel/kernel_step.h"
#include "report/page/page_step.h"
#include "report/step.h"

static void write_step(const struct cli_options *options, const struct verdict_step *step)
{
    struct report_options how = cli_output_options(options, STDOUT_FILENO);
    struct text out = {0};
    how.all = options->all;
    if (options->json) {
        report_step_json(step, NULL, &out);
        cli_output_write(&out, options->json);
        out.length = 0;
    }
    if (options->html) {
        page_step(step, &out);
        cli_output_write(&out, options->html);
        out.length = 0;
    }
    int to_stdout = (options->json && !strcmp(options->json, "-")) || (options->html && !strcmp(options->html, "-"));
    if (!to_stdout) {
        report_step(step, &how, &out);
        utf8_clean_log(&out);
        cli_output_write(&out, "-");
    }
    text_free(&out);
}

int cli_step(const struct cli_options *options, int argc, char **argv)
{
    static struct cli_job job;
    static struct verdict_step step;
    struct text why = {0};
    struct kernel_step_request request = {.number = options->number,
                                          .kernel = options->kernel,
                                          .has_block = cli_options_given("block"),
                                          .block = options->block};
    if (!argc) die("which lab? './grade step lab3'; './grade list' shows them");
    const struct lab *lab = cli_lab(argv[0]);
    if (argc > 2) die("'%s' is one word too many: ./grade step %s [FILE]", argv[2], lab->name);
    if (lab->host)
        die("%s is a lab of host code: './grade explain %s --figure timeline' shows what it does", lab->name,
            lab->name);
    if (options->json) cli_output_check(options->json);
    if (options->html) cli_output_check(options->html);
    cli_job_make(&job, options, lab, argc == 2 ? argv[1] : NULL);
    int failed = kernel_step(&job.judge, &request, &step, &why);
    if (failed) {
        utf8_clean_log(&why);
        fputs(why.data ? why.data : "", stderr);
    } else {
        write_step(options, &step);
    }
    text_free(&why);
    verdict_step_free(&step);
    cli_job_free(&job);
    return failed ? 1 : 0;
}
