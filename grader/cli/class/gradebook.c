// Opens and closes the gradebook for the commands for a class, and prepares the settings for judging (batch.h).
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/export/export.h"
#include "batch/unpack/timestamp.h"
#include "cli/class/batch.h"
#include "device/profile.h"
#include "judge/card/card.h"

enum { FILE_MOST = 16 << 20 };

// Parses the rules `r` into `course`. Dies if they are wrong.
static void parse_rules(struct course *course, const struct rules *r, const char *shown)
{
    struct text why = {0};
    if (course_parse(course, r->text.data ? r->text.data : "", r->text.length, &why)) die("%s: %s", shown, why.data);
}

// Without a roster, cli_gradebook_check_names() only warns, because a student may still hand in under a name in
// course.json.
void cli_gradebook_check_names(const struct cli_gradebook *b)
{
    struct roster all;
    gradebook_roster(b->gradebook, &all);
    const struct course_extension *e = course_stranger(&b->course, &all);
    if (e && all.enrolled)
        die("%s: line %d: extensions.%s: nobody in the class has this name or number", b->course_file, e->line,
            e->student);
    if (e)
        message_warn("%s: line %d: extensions.%s: nobody has handed in under this name or number", b->course_file,
                     e->line, e->student);
    roster_free(&all);
}

// Parses the argument of the option --lab, a list such as "lab3,lab7". A NULL list means every lab.
static void choose_labs(struct cli_gradebook *b, const char *list)
{
    uint32_t n = 0;
    char name[64];
    for (int i = 0; !list && lab_all[i] && n < COURSE_LABS; ++i) b->lab[n++] = lab_all[i];
    for (const char *at = list; at && *at && n < COURSE_LABS;) {
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        b->lab[n++] = cli_lab(name);
        at += length + (at[length] == ',');
    }
    b->lab[n] = NULL;
}

// Says if the file from which the gradebook's rules were taken is no longer as it was.
static void compare_file(const struct rules *known)
{
    struct rules file;
    char when[TIMESTAMP_TEXT];
    int error = rules_read(&file, known->path);
    timestamp_print(known->at, when);
    if (error)
        message_warn(
            "'%s', from which the course's rules were taken, cannot be read: %s; the gradebook's copy of %s holds",
            known->path, strerror(error), when);
    else if (strcmp(file.hash, known->hash) != 0)
        message_warn("'%s' has changed: the course's rules as the gradebook took them, %s, hold until you say --course",
                     known->path, when);
    rules_free(&file);
}

// Reads the course's rules: those of the option --course, or else the gradebook's. A gradebook of an older version has
// only the path of a file.
static void take_rules(struct cli_gradebook *b)
{
    struct rules known, *r = &b->rules;
    const char *given = b->options->course;
    int any = rules_get(b->gradebook, &known), error = 0;
    if (given && (error = rules_read(r, given)) != 0) die("cannot read '%s': %s", given, strerror(error));
    if (!given && any && !known.at && (error = rules_read(r, known.path)) != 0)
        die("the gradebook '%s' has no rules of its own, and '%s', where they were, cannot be read: %s; no mark is "
            "made "
            "without them, so say --course FILE",
            b->path, known.path, strerror(error));
    if (given || (any && !known.at)) {
        b->fresh_rules = !known.at || strcmp(known.hash, r->hash) != 0 || strcmp(known.path, r->path) != 0;
        rules_free(&known);
    } else {
        *r = known;
        if (any) compare_file(r);
    }
    snprintf(b->course_file, sizeof b->course_file, "%s", given ? given : r->path);
    if (any || given)
        parse_rules(&b->course, r, b->course_file);
    else
        course_default(&b->course);
}

void cli_gradebook_keep_rules(struct cli_gradebook *b)
{
    struct rules known;
    struct course past;
    struct results before, after;
    if (!b->fresh_rules) return;
    rules_get(b->gradebook, &known);
    if (known.at)
        parse_rules(&past, &known, known.path);
    else
        course_default(&past);
    results_read(&before, b->gradebook, &past, b->lab);
    timestamp_set_zone(b->course.zone);
    results_read(&after, b->gradebook, &b->course, b->lab);
    printf(_("the course's rules are in the gradebook now, as '%s' has them\n"), b->course_file);
    if (known.at || b->options->course) cli_gradebook_show_changes(&before, &after);
    rules_put(b->gradebook, &b->rules);
    b->fresh_rules = 0;
    results_free(&before);
    results_free(&after);
    course_free(&past);
    rules_free(&known);
}

void cli_gradebook_path(const struct cli_options *options, char *path, size_t size)
{
    const char *out = options->output ? options->output : "grades";
    snprintf(path, size, "%s%s", options->book ? options->book : out, options->book ? "" : "/book.db");
}

void cli_gradebook_open(struct cli_gradebook *b, const struct cli_options *options, enum cli_gradebook_use use)
{
    int dry = use == CLI_GRADEBOOK_TRY && options->dry_run, make = use == CLI_GRADEBOOK_MAKE;
    *b = (struct cli_gradebook){.options = options};
    choose_labs(b, options->labs);
    snprintf(b->out, sizeof b->out, "%s", options->output ? options->output : "grades");
    cli_gradebook_path(options, b->path, sizeof b->path);
    if (make && mkdir(b->out, 0700) && errno != EEXIST) die("cannot make the folder '%s': %s", b->out, strerror(errno));
    if (dry && access(b->path, F_OK))
        b->gradebook = gradebook_open_scratch();
    else
        b->gradebook = gradebook_open(b->path, make);
    take_rules(b);
    if (use == CLI_GRADEBOOK_READ) gradebook_freeze(b->gradebook);
    if (make || dry) return;
    cli_gradebook_check_names(b);
    if (use == CLI_GRADEBOOK_CHANGE) cli_gradebook_keep_rules(b);
}

void cli_gradebook_read_results(struct results *all, struct cli_gradebook *b)
{
    memset(b->known, 0, sizeof b->known);
    for (uint32_t i = 0, n = 0; b->lab[i]; ++i)
        if (b->options->labs || course_lab(&b->course, b->lab[i])->named || gradebook_has_lab(b->gradebook, b->lab[i]))
            b->known[n++] = b->lab[i];
    results_read(all, b->gradebook, &b->course, b->known);
}

void cli_gradebook_write(struct cli_gradebook *b, struct text *told)
{
    struct results all;
    cli_gradebook_read_results(&all, b);
    export_write(&all, b->gradebook, b->out, told);
    results_free(&all);
}

static void print_points(const struct results_lab *l)
{
    if (l->mark.there)
        printf("%g", l->mark.points);
    else
        printf("-");
}

uint32_t cli_gradebook_show_changes(const struct results *before, const struct results *after)
{
    uint32_t changed = 0;
    for (uint32_t i = 0; i < before->count; ++i)
        for (uint32_t l = 0; l < before->labs; ++l) {
            const struct results_lab *x = &before->item[i].lab[l], *y = &after->item[i].lab[l];
            if (x->mark.there == y->mark.there && (!x->mark.there || !(fabs(x->mark.points - y->mark.points) > 1e-9)) &&
                x->passed == y->passed)
                continue;
            ++changed;
            printf("%s %s: ", before->item[i].student.key, before->lab[l]->name);
            print_points(x);
            printf("%s -> ", x->passed ? " passed" : "");
            print_points(y);
            printf("%s\n", y->passed ? " passed" : "");
        }
    return changed;
}

const struct roster_student *cli_gradebook_student(const struct cli_gradebook *b, const struct roster *r,
                                                   const char *name)
{
    const struct roster_student *match[ROSTER_MEMBERS], *s = roster_by_key(r, name);
    struct text keys = {0};
    uint32_t count = s ? 1 : roster_matches(r, name, match);
    if (s) return s;
    if (!count)
        die("'%s' matches no student in this gradebook, '%s'; --out names the folder of another", name, b->path);
    for (uint32_t i = 0; i < count; ++i) text_printf(&keys, "%s'%s'", i ? ", " : "", match[i]->key);
    if (count > 1) die("'%s' means %" PRIu32 " students: say the key of one of them, %s", name, count, keys.data);
    text_free(&keys);
    return match[0];
}

void cli_gradebook_close(struct cli_gradebook *b)
{
    gradebook_close(b->gradebook);
    course_free(&b->course);
    rules_free(&b->rules);
}

void cli_gradebook_read_rubric(struct rubric_file *r, const char *path)
{
    struct text text = {0}, why = {0};
    if (!strcmp(path, "kit")) {
        rubric_parse(r, "", 0, &why);
        return;
    }
    int error = text_read_file(&text, path, FILE_MOST);
    if (error) die("cannot read '%s': %s", path, strerror(error));
    if (!text.length) die("'%s' is empty", path);
    if (rubric_parse(r, text.data, text.length, &why)) die("%s: %s", path, why.data);
    text_free(&text);
}

// ------------------------------------------------------------------------------------------------------------- judging
static void prepare(void *data, const struct lab *lab, struct judge_job *job)
{
    struct cli_batch_judging *j = data;
    int calibrated = cli_thresholds_read(&j->paths, lab, &j->thresholds);
    snprintf(j->baseline, sizeof j->baseline, "%s/labs/%s/baseline.cu", j->paths.root, lab->slug);
    snprintf(j->main, sizeof j->main, "%s/labs/%s/main.h", j->paths.root, lab->slug);
    job->lab = lab;
    job->baseline = j->baseline;
    job->main = j->main;
    job->card_title = calibrated ? j->thresholds.card : NULL;
    job->card_threshold = j->thresholds.threshold;
}

// Finds the graphics card for measuring speed. The graphics card's name becomes part of the key under which the
// gradebook stores each run (one grading of a submission). Without a graphics card, the key of a run (one grading of a
// submission) contains only the name of the simulated device.
static void find_card(struct cli_batch_judging *j, const struct cli_options *options)
{
    struct wire_device card;
    struct engine_health health;
    char why[OBSERVATION_MESSAGE];
    struct judge_job *job = &j->pool.job;
    snprintf(why, sizeof why, "%s", _(CLI_CARDLESS));
    job->card_runner = options->engine != CLI_ENGINE_SIM && j->paths.card[0] ? j->card_runner : NULL;
    if (job->card_runner && card_find(job, &card, &health, why)) job->card_runner = NULL;
    if (job->card_runner) snprintf(j->card, sizeof j->card, ", %s", card.title);
    if (!job->card_runner && options->engine == CLI_ENGINE_GPU) die("there is no card to measure on: %s", why);
    job->card_needed = options->engine == CLI_ENGINE_GPU;
}

void cli_batch_judging_make(struct cli_batch_judging *j, const struct cli_options *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *j = (struct cli_batch_judging){.pool = {.prepare = prepare, .data = j}};
    cli_paths_find(&j->paths);
    cli_compiler_find(options, &j->compiler);
    j->runner[0] = j->paths.runner;
    j->card_runner[0] = j->paths.card;
    j->pool.jobs = options->jobs ? options->jobs : processors > 0 ? (uint32_t)processors : 1;
    j->pool.job = (struct judge_job){.compiler = &j->compiler,
                                     .kit = j->paths.kit,
                                     .runner = j->runner,
                                     .card = options->card,
                                     .cudart = j->paths.cudart,
                                     .cache = j->paths.cache,
                                     .device = options->device,
                                     .seed = options->seed,
                                     // Judging several submissions at the same time with one thread each is faster than
                                     // judging one submission with all threads.
                                     .threads = options->threads   ? options->threads
                                                : j->pool.jobs > 1 ? 1
                                                                   : 0,
                                     .open = options->no_sandbox};
    find_card(j, options);
    const struct device_profile *device = device_profile_find(options->device);
    if (!device) die("there is no device '%s'", options->device);
    snprintf(j->key.tool, sizeof j->key.tool, "%s, %s", CLI_VERSION, j->compiler.version);
    snprintf(j->key.profile, sizeof j->key.profile, "%s%s", device->name, j->card);
    j->key.seed = (int64_t)options->seed;
}
