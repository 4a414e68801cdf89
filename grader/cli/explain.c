// ./grade explain: what the simulator saw of a lab's file, beside its source. It need not be right for that: only to
// compile, and to run to its end.
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "cli/job.h"
#include "cli/screen.h"
#include "report/explain.h"
#include "report/report.h"

// The reference as a submission, for who has passed. 1: `job` and `look` are filled in.
static int look_at_reference(struct cli_job *job, const struct cli_options *options, const struct lab *lab,
                             struct look *look)
{
    struct cli_paths paths;
    char path[2 * CLI_PATH];
    struct text why = {0};
    cli_paths_find(&paths);
    if (!cli_record_get(&paths, lab).passed || !cli_reference_path(&paths, lab, path, sizeof path)) return 0;
    cli_job_make(job, options, lab, path);
    if (judge_look(&job->judge, look, &why)) die("the reference '%s' does not run: %s", path, why.data);
    return 1;
}

int cli_explain(const struct cli_options *options, int argc, char **argv)
{
    static struct cli_job job, reference;
    static struct look look, other;
    struct explain e, r;
    struct text why = {0}, out = {0};
    if (!argc) die("which lab? './grade explain lab7'; './grade list' shows them");
    const struct lab *lab = cli_lab(argv[0]);
    if (argc > 2) die("'%s' is one word too many: ./grade explain %s [FILE]", argv[2], lab->name);
    cli_job_make(&job, options, lab, argc == 2 ? argv[1] : NULL);
    if (judge_look(&job.judge, &look, &why)) {
        fputs(why.data, stderr);
        text_free(&why);
        cli_job_free(&job);
        return 1;
    }
    explain_make(&e, &look, job.judge.source, job.judge.bytes);
    int both = look_at_reference(&reference, options, lab, &other);
    if (both) explain_make(&r, &other, reference.judge.source, reference.judge.bytes);
    printf("%s: %s · %s · simulated %s\n", lab->name, job.judge.shown, job.compiler.version, look.device.title);
    struct report_options how = cli_screen(options);
    explain_terminal(&e, both ? &r : NULL, &how, &out);
    fputs(out.data, stdout);
    text_free(&out);
    explain_free(&e);
    look_free(&look);
    if (both) {
        explain_free(&r);
        look_free(&other);
        cli_job_free(&reference);
    }
    cli_job_free(&job);
    return 0;
}
