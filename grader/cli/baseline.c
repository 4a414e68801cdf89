// Implements ./grade baseline, a command for maintainers, which no help lists. The command simulates a lab's baseline
// with the practice key and prints its record for one device (judge/job/record.h). tools/baselines collects these
// records in labs/<slug>/baseline.record.
#include <stdio.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"
#include "judge/host/host_baseline.h"
#include "judge/job/judge_baseline.h"
#include "judge/kernel/kernel_baseline.h"

static void simulate(const struct judge_job *job, struct judge_record *record)
{
    struct text image = {0};
    if (!job->lab->host) {
        kernel_baseline_run(job, record);
        return;
    }
    judge_baseline_kernel(job, &image);
    host_baseline_run(job, &image, record);
    text_free(&image);
}

int cli_baseline(const struct cli_options *options, int argc, char **argv)
{
    struct cli_paths paths;
    struct compiler compiler;
    struct judge_record record;
    struct text out = {0};
    char baseline[2 * CLI_PATH], main[2 * CLI_PATH];
    if (argc != 1) die("which lab? './grade list' shows them");
    const struct lab *lab = cli_lab(argv[0]);
    cli_paths_find(&paths);
    snprintf(baseline, sizeof baseline, "%s/labs/%s/baseline.cu", paths.root, lab->slug);
    snprintf(main, sizeof main, "%s/labs/%s/main.h", paths.root, lab->slug);
    const char *const runner[] = {paths.runner, NULL};
    struct judge_job job = {.lab = lab,
                            .source = "",
                            .shown = baseline,
                            .compiler = &compiler,
                            .kit = paths.kit,
                            .runner = runner,
                            .baseline = baseline,
                            .main = main,
                            .cudart = paths.cudart,
                            .cache = paths.cache,
                            .device = options->device,
                            .seed = options->seed,
                            .threads = options->threads,
                            .open = options->no_sandbox};
    if (options->check) {
        enum judge_record_match match = judge_record_find(&job, &record);
        if (match != RECORD_MATCHES)
            message_warn("the baseline of '%s' would be run: %s", lab->name, _(judge_record_why[match]));
        return match != RECORD_MATCHES;
    }
    cli_compiler_find(options, &compiler);
    simulate(&job, &record);
    judge_record_print(&job, &record, &out);
    fputs(out.data, stdout);
    text_free(&out);
    return 0;
}
