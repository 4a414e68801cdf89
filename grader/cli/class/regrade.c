// Implements ./grade rejudge, replay, override, move, drop, restore and merge, which change or check marks after
// grading.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/book/attempt.h"
#include "batch/book/results.h"
#include "batch/export/appeal.h"
#include "batch/export/export.h"
#include "cli/class/batch.h"

static void no_more(int argc, char **argv, int most)
{
    if (argc > most) die("'%s' is one word too many, see './grade help'", argv[most]);
}

// ------------------------------------------------------------------------------------------------------------- rejudge
int cli_regrade_rejudge(const struct cli_options *options, int argc, char **argv)
{
    struct cli_gradebook b;
    struct rubric_file rubric;
    struct results before, after;
    no_more(argc, argv, 0);
    if (!options->rubric) die("by which rubric? ./grade rejudge --rubric FILE, or --rubric kit");
    cli_gradebook_read_rubric(&rubric, options->rubric);
    cli_gradebook_open(&b, options, options->diff ? CLI_GRADEBOOK_TRY : CLI_GRADEBOOK_CHANGE);
    cli_gradebook_read_results(&before, &b);
    gradebook_begin(b.gradebook);
    gradebook_put_rubric(b.gradebook, &rubric);
    uint32_t scored = gradebook_score_all(b.gradebook, &rubric, 1);
    cli_gradebook_read_results(&after, &b);
    uint32_t changed = cli_gradebook_show_changes(&before, &after);
    if (options->diff)
        gradebook_undo(b.gradebook);
    else
        gradebook_commit(b.gradebook);
    printf(_("%" PRIu32 " runs scored, %" PRIu32 " marks %s\n"), scored, changed,
           options->diff ? _("would change") : _("changed"));
    if (!options->diff) cli_gradebook_write(&b, NULL);
    results_free(&before);
    results_free(&after);
    rubric_free(&rubric);
    cli_gradebook_close(&b);
    return 0;
}

// -------------------------------------------------------------------------------------------------------------- replay
static int64_t parse_attempt(const char *text)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < 1) die("'%s' is no attempt's number", text);
    return value;
}

static int say_same(const char *what, const struct text *then, const struct text *now)
{
    const char *x = then->data ? then->data : "", *y = now->data ? now->data : "";
    int same = !strcmp(x, y);
    printf("%s: %s\n", _(what), same ? _("the same") : _("DIFFERENT"));
    return same;
}

// Writes the page with the two reports side by side, and says where it lies.
static void write_page(const struct cli_gradebook *b, int64_t attempt, const struct gradebook_attempt *past,
                       const struct text *now, const char *tool)
{
    const struct lab *lab = lab_find(past->work.lab);
    struct text page = {0}, path = {0};
    if (!lab) return;
    struct appeal a = {.student = past->name.length ? past->name.data : past->student.data,
                       .lab = lab,
                       .attempt = attempt,
                       .tool = {past->key.tool, tool},
                       .report = {&past->text, now}};
    appeal_page(&a, &page);
    export_appeal(past->student.data, lab, b->out, &page, &path);
    printf(_("both reports side by side: %s\n"), path.data);
    text_free(&page);
    text_free(&path);
}

int cli_regrade_replay(const struct cli_options *options, int argc, char **argv)
{
    static struct cli_batch_judging judging;
    struct cli_gradebook b;
    struct gradebook_attempt past;
    struct worker_result now;
    struct pool_work work = {.work = &past.work};
    struct cli_options as = *options;
    no_more(argc, argv, 1);
    if (!argc) die("which attempt? its number stands in gradebook.json");
    cli_gradebook_open(&b, options, CLI_GRADEBOOK_READ);
    int64_t attempt = parse_attempt(argv[0]);
    if (gradebook_get_attempt(b.gradebook, attempt, &past)) die("there is no attempt %s in '%s'", argv[0], b.path);
    if (!past.run) die("attempt %s was not judged yet", argv[0]);
    if (strchr(past.key.profile, ','))
        die("attempt %s was measured on a card, and a measurement is not the same twice", argv[0]);
    as.seed = (uint64_t)past.key.seed;
    as.device = past.key.profile;
    as.engine = CLI_ENGINE_SIM;
    cli_batch_judging_make(&judging, &as);
    judging.pool.job.secret = *gradebook_secret(b.gradebook);
    if (strcmp(judging.key.tool, past.key.tool))
        message_warn("it was judged with '%s', and this is '%s'", past.key.tool, judging.key.tool);
    gradebook_source(b.gradebook, past.work.source, &work.source, &work.bytes);
    worker_pool_judge(&judging.pool, &work, &now);
    if (!now.graded) die("attempt %s could not be judged: %s", argv[0], now.message.data);
    int same = say_same("image", &past.ptx, &now.ptx);
    same &= say_same("report", &past.report, &now.report);
    same &= say_same("report as text", &past.text, &now.text);
    same &= say_same("report as a page", &past.html, &now.html);
    write_page(&b, attempt, &past, &now.text, judging.key.tool);
    worker_result_free(&now);
    gradebook_attempt_free(&past);
    cli_gradebook_close(&b);
    return same ? 0 : 1;
}

// ------------------------------------------------------------------------------------------------------------ override
// Returns the name of the person who decides something by hand.
static const char *decider(const struct cli_options *options)
{
    const struct passwd *user = getpwuid(getuid());
    const char *by = options->by ? options->by : user ? user->pw_name : NULL;
    if (!by || !*by) die("--by must say who decides this");
    return by;
}

static double parse_points(const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (!strcmp(text, "none")) return NAN;
    if (errno || end == text || *end || !(value >= 0 && value <= 10000)) die("'%s' is no number of points", text);
    return value;
}

// Writes a student's mark as the course system gets it, or "-" if there is none.
static void put_scaled(const struct results *all, const char *key, const struct lab *lab, char text[32])
{
    int most = results_most(all, lab);
    snprintf(text, 32, "-");
    for (uint32_t i = 0; i < all->count; ++i)
        for (uint32_t l = 0; l < all->labs; ++l) {
            const struct mark *m = &all->item[i].lab[l].mark;
            if (strcmp(all->item[i].student.key, key) || all->lab[l] != lab || !m->there || most <= 0) continue;
            snprintf(text, 32, "%.2f", m->points * results_total(all, lab) / most);
        }
}

// Says how a mark changed, as the course system gets it.
static void say_scaled(const struct results *before, const struct results *after, const char *key,
                       const struct lab *lab)
{
    char was[32], now[32];
    put_scaled(before, key, lab, was);
    put_scaled(after, key, lab, now);
    printf(_(": %s of %g in the course system's gradebook (was %s)\n"), now, results_total(after, lab), was);
}

int cli_regrade_override(const struct cli_options *options, int argc, char **argv)
{
    struct cli_gradebook b;
    struct roster roster;
    no_more(argc, argv, 3);
    if (argc < 3)
        die("whose mark, in which lab, and how many points? ./grade override STUDENT LAB POINTS --reason TEXT");
    if (!options->reason || !*options->reason) die("a mark set by hand needs a --reason: the student will read it");
    const struct lab *lab = cli_lab(argv[1]);
    const char *by = decider(options);
    double points = parse_points(argv[2]);
    cli_gradebook_open(&b, options, CLI_GRADEBOOK_CHANGE);
    gradebook_roster(b.gradebook, &roster);
    const struct roster_student *s = cli_gradebook_student(&b, &roster, argv[0]);
    struct results before, after;
    cli_gradebook_read_results(&before, &b);
    int most = results_most(&before, lab);
    if (points > most && !options->force) die("%s has %d points: for %g of them, say --force", lab->name, most, points);
    gradebook_override(b.gradebook, s->key, lab->name, points, by, options->reason);
    cli_gradebook_read_results(&after, &b);
    if (isnan(points))
        printf(_("%s, %s: the rules' mark counts again"), s->name, lab->name);
    else
        printf(_("%s, %s: %g of %d points, set by %s"), s->name, lab->name, points, most, by);
    say_scaled(&before, &after, s->key, lab);
    cli_gradebook_write(&b, NULL);
    results_free(&before);
    results_free(&after);
    roster_free(&roster);
    cli_gradebook_close(&b);
    return 0;
}

// ------------------------------------------------------------------------------------------------ whose an attempt is
// Checks a decision about the attempt `a`, and prints it. Returns the student for attempt_decide().
static const char *move_to(struct cli_gradebook *b, const struct roster *all, const struct attempt *a, const char *name)
{
    const struct roster_student *s = cli_gradebook_student(b, all, name);
    if (!strcmp(s->key, a->student)) die("attempt %" PRId64 " is that of '%s' already", a->id, s->key);
    int64_t twin = attempt_twin(b->gradebook, a->id, s->key);
    if (twin)
        die("'%s' has these bytes already, as attempt %" PRId64 ": './grade drop %" PRId64 " --reason TEXT' takes this "
            "one away",
            s->key, twin, a->id);
    if (*a->student)
        printf(_("%s attempt %" PRId64 ": from '%s' to '%s'\n"), a->lab, a->id, a->student, s->key);
    else
        printf(_("%s attempt %" PRId64 ": to '%s'\n"), a->lab, a->id, s->key);
    return s->key;
}

static const char *drop(const struct attempt *a)
{
    if (!*a->student) die("attempt %" PRId64 " was dropped before", a->id);
    printf(_("%s attempt %" PRId64 ": no longer counts for '%s'\n"), a->lab, a->id, a->student);
    return "";
}

static const char *restore(const struct attempt *a)
{
    if (!a->decided) die("attempt %" PRId64 " was neither moved nor dropped", a->id);
    printf(_("%s attempt %" PRId64 ": whose the import says it is\n"), a->lab, a->id);
    return NULL;
}

enum deed { MOVE, DROP, RESTORE };

static int decide(const struct cli_options *options, enum deed deed, char **argv)
{
    struct cli_gradebook b;
    struct roster all;
    struct attempt a;
    struct results before, after;
    int64_t id = parse_attempt(argv[0]);
    const char *by = decider(options);
    cli_gradebook_open(&b, options, CLI_GRADEBOOK_CHANGE);
    cli_gradebook_read_results(&before, &b);
    gradebook_roster(b.gradebook, &all);
    gradebook_begin(b.gradebook);
    attempt_begin(b.gradebook);
    if (attempt_get(b.gradebook, id, &a))
        die("there is no attempt %s in '%s': './grade report STUDENT' lists a student's attempts", argv[0], b.path);
    const char *student = deed == MOVE ? move_to(&b, &all, &a, argv[1]) : deed == DROP ? drop(&a) : restore(&a);
    attempt_decide(b.gradebook, id, student, by, options->reason ? options->reason : "");
    gradebook_commit(b.gradebook);
    cli_gradebook_read_results(&after, &b);
    uint32_t changed = cli_gradebook_show_changes(&before, &after);
    printf(_("%" PRIu32 " marks %s\n"), changed, _("changed"));
    cli_gradebook_write(&b, NULL);
    results_free(&before);
    results_free(&after);
    roster_free(&all);
    cli_gradebook_close(&b);
    return 0;
}

int cli_regrade_move(const struct cli_options *options, int argc, char **argv)
{
    no_more(argc, argv, 2);
    if (argc < 2)
        die("which attempt, and to whom? ./grade move ATTEMPT STUDENT; './grade report STUDENT' lists attempts");
    return decide(options, MOVE, argv);
}

int cli_regrade_drop(const struct cli_options *options, int argc, char **argv)
{
    no_more(argc, argv, 1);
    if (!argc) die("which attempt? ./grade drop ATTEMPT --reason TEXT; './grade report STUDENT' lists attempts");
    if (!options->reason || !*options->reason)
        die("an attempt that is dropped needs a --reason: the student will read it");
    return decide(options, DROP, argv);
}

int cli_regrade_restore(const struct cli_options *options, int argc, char **argv)
{
    no_more(argc, argv, 1);
    if (!argc) die("which attempt? ./grade restore ATTEMPT; './grade report STUDENT' lists attempts");
    return decide(options, RESTORE, argv);
}

// --------------------------------------------------------------------------------------------------------------- merge
int cli_regrade_merge(const struct cli_options *options, int argc, char **argv)
{
    struct cli_gradebook b;
    struct results before, after;
    no_more(argc, argv, 1);
    if (argc && access(argv[0], R_OK)) die("cannot read '%s': %s", argv[0], strerror(errno));
    cli_gradebook_open(&b, options, CLI_GRADEBOOK_CHANGE);
    cli_gradebook_read_results(&before, &b);
    uint32_t merged = gradebook_merge(b.gradebook, argc ? argv[0] : NULL);
    cli_gradebook_read_results(&after, &b);
    uint32_t changed = cli_gradebook_show_changes(&before, &after);
    printf(_("%" PRIu32 " measurements taken, %" PRIu32 " marks changed\n"), merged, changed);
    cli_gradebook_write(&b, NULL);
    results_free(&before);
    results_free(&after);
    cli_gradebook_close(&b);
    return 0;
}
