// Implements the command that grades a lab, such as ./grade lab3. A command such as ./grade lab3 reads the submission,
// calls the judge, and prints the report.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/ladder.h"
#include "cli/lms.h"
#include "cli/output.h"
#include "cli/page.h"
#include "judge/judge.h"
#include "report/page/html.h"
#include "report/report.h"
#include "report/utf8.h"

// Writes the verdict in one of the formats of report.h.
static void write_as(void (*format)(const struct verdict *, struct text *), const struct verdict *v, const char *path)
{
    struct text t = {0};
    if (!path) return;
    format(v, &t);
    cli_output_write(&t, path);
    text_free(&t);
}

// Writes which source lines the test cases executed, as an lcov tracefile. The lcov tracefile contains the full path of
// the source, so that genhtml finds the source from any directory.
static void write_coverage(const struct verdict *v, const char *source, const char *path)
{
    struct text t = {0};
    char full[CLI_PATH];
    report_lcov(v, realpath(source, full) ? full : source, &t);
    cli_output_write(&t, path);
    text_free(&t);
}

static void print(struct text *t)
{
    if (fwrite(t->data, 1, t->length, stdout) != t->length || fflush(stdout))
        die("cannot write the report: %s", strerror(errno));
    text_free(t);
}

static void print_timing(struct stopwatch *timing)
{
    struct text t = {0};
    stopwatch_table(timing, &t);
    fputs(t.data, stderr);
    text_free(&t);
    stopwatch_free(timing);
}

// Prints, if the submission passed, the submission's position on the lab's ladder, a series of example kernels from
// slow to fast. Returns 1 if the student's progress record was changed.
static int show_rung(const struct cli_paths *paths, const struct verdict *v, struct cli_record *r,
                     const struct report_options *how)
{
    enum { LABEL = 10 }; // width of the label in columns, equal to the width in the report
    struct cli_ladder_rung rung[CLI_LADDER_RUNGS];
    struct text stands = {0}, line = {0}, wrapped = {0}, ascii = {0};
    uint32_t count = v->passed ? cli_ladder(paths, v->job, rung) : 0;
    if (!count) return 0;
    int stand = (int)cli_ladder_reached(rung, count, v->speed.predicted);
    if (stand > r->rung) r->rung = stand;
    r->rungs = (int)count;
    cli_ladder_describe(rung, count, v->speed.predicted, &stands);
    text_say(&line, "%s (./grade reference %s)", stands.data, v->job->lab->name);
    utf8_pad(&wrapped, _("ladder"), LABEL);
    utf8_wrap(&wrapped, line.data, LABEL, LABEL, (size_t)report_columns(how));
    text_puts(&wrapped, "\n");
    if (!how->utf8) utf8_to_ascii(&ascii, wrapped.data);
    fputs(how->utf8 ? wrapped.data : ascii.data, stdout);
    text_free(&stands);
    text_free(&line);
    text_free(&wrapped);
    text_free(&ascii);
    return 1;
}

// Writes the student's progress record, and then measures the lab's ladder of example kernels, which may take a while.
// The progress record is written first because a student may stop the command after the points are shown.
static void remember(const struct cli_paths *paths, const struct verdict *v, const struct report_options *how)
{
    struct report_attempt now = {.total = v->total, .passed = v->passed, .speedup = v->speed.speedup};
    time_t clock = time(NULL);
    struct tm *local = localtime(&clock);
    struct cli_record r = cli_record_get(paths, v->job->lab);
    if (!r.graded || v->total > r.best) r.best = v->total;
    r.graded = 1;
    r.passed = r.passed || v->passed;
    cli_record_put(paths, v->job->lab, &r);
    if (local) strftime(now.when, sizeof now.when, "%Y-%m-%d %H:%M", local);
    cli_record_attempt(paths, v->job->lab, &now);
    if (how && show_rung(paths, v, &r, how)) cli_record_put(paths, v->job->lab, &r);
}

// Returns 1 if the options use standard output for something other than the report.
static int takes_output(const struct cli_options *o)
{
    const char *const to[] = {o->json, o->html, o->junit, o->github, o->gitlab, o->coverage};
    for (size_t i = 0; i < sizeof to / sizeof *to; ++i)
        if (to[i] && !strcmp(to[i], "-")) return 1;
    return 0;
}

// Returns the lab that the command line names. Dies if it names none, or has words or options that do not fit the lab.
static const struct lab *lab_of(const struct cli_options *options, int argc, char **argv)
{
    if (!argc) die("which lab? './grade list' shows them");
    const struct lab *lab = cli_lab(argv[0]);
    if (argc > 2) die("'%s' is one word too many: ./grade %s [FILE]", argv[2], lab->name);
    if (lab->host && options->coverage) die("'%s' is host code: there are no kernel lines to cover", lab->name);
    if (options->output && !options->lms) die("-o names the file of --lms: say --lms SYSTEM too, or --json FILE");
    return lab;
}

// Holds what a grading prints while it lasts: its progress, and then the report.
struct output {
    const struct cli_options *options;
    struct progress progress;
    struct report_options how;
    int prints; // 1: the report is printed; 0: an option, such as `--json -`, writes another format to standard output
};

static void show_step(void *output, const char *what)
{
    progress_step(&((struct output *)output)->progress, what);
}

// Prints the report for a person but the advice, which may take seconds more.
static void print_verdict(void *output, struct verdict *v)
{
    struct output *o = output;
    struct text t = {0};
    progress_end(&o->progress);
    if (v->sandbox == BOX_LIMITS)
        message_warn("compiler and kernel ran with resource limits alone: grade only code that you trust");
    if (!o->prints) return;
    report_before_next(v, &o->how, &t);
    print(&t);
}

// Prints the advice, and writes all files that the options ask for, such as --json FILE.
static void write_outputs(const struct verdict *v, const struct output *o, const struct cli_paths *paths,
                          const struct cli_submission *s)
{
    const struct cli_options *options = o->options;
    struct stopwatch_lap lap = stopwatch_begin(0);
    struct text t = {0};
    if (o->prints) {
        report_next(v, &o->how, &t);
        print(&t);
    }
    // tools/hints wants the source with the change that the advice tells.
    const char *repaired = getenv("WARPWISE_REPAIRED");
    if (repaired && v->job->repaired->length) cli_output_write(v->job->repaired, repaired);
    if (options->coverage) write_coverage(v, s->path, options->coverage);
    write_as(report_json, v, options->json);
    write_as(report_junit, v, options->junit);
    write_as(report_github, v, options->github);
    write_as(report_gitlab, v, options->gitlab);
    if (s->own) remember(paths, v, o->prints ? &o->how : NULL);
    if (options->html) cli_page_write(paths, v, s->own, options->html);
    stopwatch_end(v->job->timing, &lap, 0, "reports, ladder", NULL);
    if (v->job->timing) print_timing(v->job->timing);
}

int cli_grade(const struct cli_options *options, int argc, char **argv)
{
    static struct verdict verdict;
    struct cli_paths paths;
    struct cli_submission s;
    struct compiler compiler;
    char baseline[2 * CLI_PATH], main[2 * CLI_PATH];
    const struct lab *lab = lab_of(options, argc, argv);
    struct cli_lms lms;
    cli_lms_find(&lms, options);
    cli_paths_find(&paths);
    cli_submission_read(&s, &paths, lab, argc == 2 ? argv[1] : NULL);
    cli_compiler_find(options, &compiler);
    snprintf(baseline, sizeof baseline, "%s/labs/%s/baseline.cu", paths.root, lab->slug);
    snprintf(main, sizeof main, "%s/labs/%s/main.h", paths.root, lab->slug);
    struct cli_thresholds thresholds = {0};
    int calibrated = cli_thresholds_read(&paths, lab, &thresholds);
    const char *const runner[] = {paths.runner, NULL}, *const card_runner[] = {paths.card, NULL};
    if (options->engine == CLI_ENGINE_GPU) cli_paths_need_card(&paths);
    struct text repaired = {0};
    struct output output = {.options = options,
                            .progress = progress_start(lab->name, judge_steps(lab, options->coverage != NULL)),
                            .how = cli_output_options(options, STDOUT_FILENO),
                            .prints = !takes_output(options)};
    struct judge_job job = {.lab = lab,
                            .source = s.source.data ? s.source.data : "",
                            .bytes = s.bytes,
                            .shown = s.shown,
                            .compiler = &compiler,
                            .kit = paths.kit,
                            .runner = runner,
                            .card_runner = options->engine != CLI_ENGINE_SIM && paths.card[0] ? card_runner : NULL,
                            .card = options->card,
                            .card_title = calibrated ? thresholds.card : NULL,
                            .card_threshold = thresholds.threshold,
                            .card_needed = options->engine == CLI_ENGINE_GPU,
                            .baseline = baseline,
                            .main = main,
                            .cudart = paths.cudart,
                            .cache = paths.cache,
                            .device = options->device,
                            .seed = options->seed,
                            .threads = options->threads,
                            .open = options->no_sandbox,
                            .coverage = options->coverage != NULL,
                            .timing = options->timing ? stopwatch_new() : NULL,
                            .step = show_step,
                            .step_data = &output,
                            .repairs = options->hints == CLI_HINTS_REPAIR,
                            .repaired = &repaired,
                            .graded = print_verdict};
    judge_grade(&job, &verdict);
    write_outputs(&verdict, &output, &paths, &s);
    if (lms.lms) cli_lms_write(&lms, &verdict);
    int code = lms.lms || verdict.passed ? 0 : 1; // with --lms, exit code 0 means that the submission was graded
    verdict_free(&verdict);
    text_free(&s.source);
    text_free(&repaired);
    return code;
}
