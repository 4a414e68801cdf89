// Implements ./grade calibrate, which measures kernels on this machine's graphics card and computes the labs' speedup
// thresholds. The command ./grade calibrate measures each lab's reference solution and its ladder, the example kernels
// that lead to the solution. A lab's thresholds on this card follow from the speedups of two example kernels of its
// ladder, whose source files have a mark in the first line (lab/threshold.c). The command ./grade calibrate writes one
// JSON file, which describes the card and contains the times and speedups of all kernels and of the two marked example
// kernels.
//
//   {"schema": …, "card": {…}, "date": …, "compiler": …, "kernels": [{"lab", "kernel", "time_us", "baseline_us",
//    "speedup", "low", "high", "pairs"}, …], "thresholds": {"lab1": {"lesson", "furthest"}, …}}
//
// The speedups in the labs' sources were measured on the H200 card whose measurements are in
// reference/measured/h200.json, a file of the same format.
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/message.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/cli.h"
#include "judge/card/card.h"
#include "judge/card/kernels.h"
#include "judge/host/host_grade.h"
#include "report/json_value.h"

#define SCHEMA "warpwise-measured/1"
#define OWN "calibration.json"

// ------------------------------------------------------------------------------------------------------------- reading
// Returns the JSON object of the calibration file, which ./grade calibrate writes, or NULL if there is no such file.
static json_t *load(const struct cli_paths *paths)
{
    char path[CLI_PATH + 64];
    json_error_t error;
    snprintf(path, sizeof path, "%s/" OWN, paths->root);
    json_t *root = json_load_file(path, 0, &error);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (root && schema && !strcmp(schema, SCHEMA)) return root;
    if (!root && json_error_code(&error) == json_error_cannot_open_file) return NULL;
    die("'%s' is no file of measurements%s%s: './grade calibrate' writes one", path, root ? "" : ": ",
        root ? "" : error.text);
}

int cli_thresholds_read(const struct cli_paths *paths, const struct lab *lab, struct cli_thresholds *t)
{
    json_t *root = load(paths);
    const json_t *mine = json_object_get(json_object_get(root, "thresholds"), lab->name);
    const char *card = json_string_value(json_object_get(json_object_get(root, "card"), "title"));
    double lesson = mine ? json_number_value(json_object_get(mine, "lesson")) : lab->lesson;
    double furthest = mine ? json_number_value(json_object_get(mine, "furthest")) : lab->furthest;
    *t = (struct cli_thresholds){.threshold = lab_threshold_of(lesson, furthest)};
    if (!mine) t->threshold.version = LAB_THRESHOLD_VERSION;
    if (root && (!card || !(lesson > 0 && furthest > 0)))
        die("'%s' is damaged: delete it, or run './grade calibrate' again", OWN);
    snprintf(t->card, sizeof t->card, "%s", card ? card : "");
    json_decref(root);
    return mine != NULL;
}

// ----------------------------------------------------------------------------------------------------------- measuring
struct calibration {
    const struct cli_options *options;
    struct cli_paths paths;
    struct compiler compiler;
    struct wire_device card;
    struct engine_health health;
    json_t *kernels, *thresholds;
    double lesson, furthest; // speedups of the current lab's marked steps; 0: not measured
    struct progress progress;
};

static void add_row(struct calibration *c, const struct lab *lab, const char *path, const struct measurement *m)
{
    json_t *row = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:i}", "lab", lab->name, "kernel", path, "time_us",
                            (double)m->student_ps / 1e6, "baseline_us", (double)m->baseline_ps / 1e6, "speedup",
                            m->ratio, "low", m->ratio_low, "high", m->ratio_high, "pairs", 2 * (int)m->trials);
    json_array_append_new(c->kernels, row);
}

static void measure_kernels(const struct judge_job *job, struct measurement *m)
{
    struct text student = {0}, base = {0};
    char why[OBSERVATION_MESSAGE] = "";
    if (card_images(job, &student, &base, why)) die("%s", why);
    if (!student.length) die("'%s' does not compile", job->shown);
    kernels_measure(job, &student, &base, m, 1);
    if (m->end != MEASURE_DONE) die("'%s' cannot be measured: %s", job->shown, m->message);
    text_free(&student);
    text_free(&base);
}

// Measures the program of a host lab (a lab whose students write host code). Prints a warning if the program cannot be
// measured, for example because it needs more cards than the machine has.
static void measure_program(const struct judge_job *job, struct measurement *m)
{
    struct text why = {0};
    if (host_measure(job, m, 1, &why)) die("'%s' does not compile", job->shown);
    if (m->end != MEASURE_DONE) message_warn("'%s' is left out: %s", job->shown, m->message);
    text_free(&why);
}

// Returns 1 if the first line of an example kernel's source file has the mark, for example "// Rung 4, full marks: …".
static int is_marked(const char *source, const char *mark)
{
    char text[64];
    snprintf(text, sizeof text, ", %s:", mark);
    const char *found = strstr(source, text);
    return found && found < source + strcspn(source, "\n");
}

// Measures the kernels or the program in the source file `path` on the card. `path` is relative to the root folder of
// the autograder's repository.
static void measure(struct calibration *c, const struct lab *lab, const char *path)
{
    char file[CLI_PATH], baseline[2 * CLI_PATH], main[2 * CLI_PATH];
    static struct measurement m;
    struct text source = {0};
    const char *const runner[] = {c->paths.runner, NULL}, *const card[] = {c->paths.card, NULL};
    if (snprintf(file, sizeof file, "%s/%s", c->paths.root, path) >= (int)sizeof file) die("'%s': too long", path);
    snprintf(baseline, sizeof baseline, "%s/labs/%s/baseline.cu", c->paths.root, lab->slug);
    snprintf(main, sizeof main, "%s/labs/%s/main.h", c->paths.root, lab->slug);
    if (text_read_file(&source, file, COMPILE_MOST)) die("cannot read '%s'", file);
    struct judge_job job = {.lab = lab,
                            .source = source.data,
                            .bytes = source.length,
                            .shown = path,
                            .compiler = &c->compiler,
                            .kit = c->paths.kit,
                            .runner = runner,
                            .card_runner = card,
                            .card = c->options->card,
                            .baseline = baseline,
                            .main = main,
                            .cudart = c->paths.cudart,
                            .cache = c->paths.cache,
                            .seed = c->options->seed,
                            .open = c->options->no_sandbox};
    (lab->host ? measure_program : measure_kernels)(&job, &m);
    if (m.end == MEASURE_DONE) {
        add_row(c, lab, path, &m);
        if (is_marked(source.data, "the lesson's own step")) c->lesson = m.ratio;
        if (is_marked(source.data, "full marks")) c->furthest = m.ratio;
    }
    text_free(&source);
    progress_step(&c->progress, path);
}

// Prints the thresholds of a lab on this card. If the lab's two marked example kernels could not be measured, prints
// nothing, and the lab keeps its thresholds for an H200.
static void print_threshold(const struct calibration *c, const struct lab *lab)
{
    const json_t *mine = json_object_get(c->thresholds, lab->name);
    struct lab_threshold here = lab_threshold_of(json_number_value(json_object_get(mine, "lesson")),
                                                 json_number_value(json_object_get(mine, "furthest"))),
                         home = lab_threshold_of(lab->lesson, lab->furthest);
    if (!mine) return;
    if (!(here.minimum > 0))
        printf(_("%-6s no minimum: the lesson's own step reaches %.2f ×; full marks %6.2f × (%.2f × at home)\n"),
               lab->name, here.lesson, here.full, home.full);
    else
        printf(_("%-6s to pass %6.2f × (%.2f × at home), full marks %6.2f × (%.2f ×)\n"), lab->name, here.minimum,
               home.minimum, here.full, home.full);
}

static void ladder(const struct calibration *c, const struct lab *lab, glob_t *files)
{
    char pattern[2 * CLI_PATH];
    snprintf(pattern, sizeof pattern, "%s/reference/ladder/%s/*.cu", c->paths.root, lab->slug);
    if (glob(pattern, 0, NULL, files)) files->gl_pathc = 0;
}

static void calibrate_lab(struct calibration *c, const struct lab *lab)
{
    glob_t files = {0};
    char reference[CLI_PATH];
    c->lesson = c->furthest = 0;
    snprintf(reference, sizeof reference, "reference/%s.cu", lab->slug);
    ladder(c, lab, &files);
    for (size_t i = 0; i < files.gl_pathc; ++i) measure(c, lab, files.gl_pathv[i] + strlen(c->paths.root) + 1);
    globfree(&files);
    measure(c, lab, reference);
    if (c->lesson > 0 && c->furthest > 0)
        json_object_set_new(c->thresholds, lab->name,
                            json_pack("{s:f, s:f}", "lesson", c->lesson, "furthest", c->furthest));
}

static int wanted(const struct lab *lab, int argc, char **argv)
{
    for (int i = 0; i < argc; ++i)
        if (cli_lab(argv[i]) == lab) return 1;
    return argc == 0;
}

static json_t *describe(const struct calibration *c)
{
    char date[16];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    json_t *card =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i}", "name", c->card.name, "title", c->card.title, "capability",
                  (int)c->card.capability, "sms", (int)c->card.sms, "driver", (int)c->card.driver, "clock_khz",
                  (int)c->health.clock_khz, "clock_most_khz", (int)c->health.clock_most_khz);
    return json_pack("{s:s, s:o, s:s, s:s, s:O, s:O}", "schema", SCHEMA, "card", card, "date", date, "compiler",
                     c->compiler.version, "kernels", c->kernels, "thresholds", c->thresholds);
}

int cli_calibrate(const struct cli_options *options, int argc, char **argv)
{
    static struct calibration c;
    char path[CLI_PATH + 64], why[OBSERVATION_MESSAGE] = "";
    int total = 0;
    c.options = options;
    cli_paths_find(&c.paths);
    cli_paths_need_card(&c.paths);
    if (!cli_reference_path(&c.paths, lab_all[0], path, sizeof path))
        die("this kit has no kernels to calibrate with: ask your course for its file '%s'", OWN);
    cli_compiler_find(options, &c.compiler);
    const char *const card[] = {c.paths.card, NULL};
    struct judge_job probe = {.card_runner = card, .card = options->card, .open = options->no_sandbox};
    if (card_find(&probe, &c.card, &c.health, why)) die("there is no card to calibrate: %s", why);
    c.kernels = json_array();
    c.thresholds = json_object();
    for (int i = 0; lab_all[i]; ++i) {
        glob_t files = {0};
        if (!wanted(lab_all[i], argc, argv)) continue;
        ladder(&c, lab_all[i], &files);
        total += (int)files.gl_pathc + 1;
        globfree(&files);
    }
    c.progress = progress_start("calibrate", total);
    for (int i = 0; lab_all[i]; ++i)
        if (wanted(lab_all[i], argc, argv)) calibrate_lab(&c, lab_all[i]);
    progress_end(&c.progress);
    for (int i = 0; lab_all[i]; ++i)
        if (wanted(lab_all[i], argc, argv)) print_threshold(&c, lab_all[i]);
    snprintf(path, sizeof path, "%s%s%s", options->output ? options->output : c.paths.root, options->output ? "" : "/",
             options->output ? "" : OWN);
    struct text file = {0};
    write_json(describe(&c), JSON_INDENT(2) | JSON_REAL_PRECISION(6), &file);
    int error = text_write_file(&file, path, 0666);
    if (error) die("cannot write '%s': %s", path, strerror(error));
    text_free(&file);
    printf(_("written to %s\n"), cli_paths_shown(path));
    return 0;
}
