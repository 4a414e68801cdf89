// Computes the results of a class from the runs of the grader in the gradebook. The gradebook may have several runs of
// the grader on one attempt. The gradebook's settings name a program version, a seed and a device profile. The mark of
// a submission (attempt) comes from the run with the program version, seed and device profile that the gradebook's
// settings name. If no run of an attempt agrees with the gradebook's settings, the attempt's mark comes from the newest
// run.
#include "batch/book/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/book/attempt.h"
#include "batch/book/sql.h"
#include "batch/unpack/timestamp.h"

// Holds an attempt and the result of the grader's run on it.
struct scored {
    struct mark_attempt attempt;
    int64_t run;
    int points[RUBRIC_ROWS], passed;
};
struct reader {
    struct results *all;
    struct gradebook *gradebook;
    char tool[160], profile[160];
    char seed[32];
    struct scored *scored;
    struct mark_attempt *attempt;
    uint32_t room;
};

static void reserve(struct reader *r, uint32_t count)
{
    if (count < r->room) return;
    r->room = r->room ? 2 * r->room : 32;
    r->scored = alloc_resize(r->scored, r->room, sizeof *r->scored);
    r->attempt = alloc_resize(r->attempt, r->room, sizeof *r->attempt);
}

// Reads a student's attempts, sorted by time. An attempt whose time is unknown comes behind those that were imported
// before it. (In Canvas no time is known, and an attempt from there comes before all that have one.)
static uint32_t read_attempts(struct reader *r, const char *student, const char *lab)
{
    uint32_t n = 0;
    sqlite3_stmt *s = sql_ask(
        r->gradebook, "tttttt",
        "SELECT a.id, a.submitted, a.clock, a.late, c.run, c.builds, c.correct, c.safe, c.technique, c.speed, c.total, "
        "c.most, c.passed FROM (SELECT *, max(submitted) OVER (ORDER BY id) AS known FROM attempt WHERE student = ?1 "
        "AND lab = ?2) AS a LEFT JOIN score AS c ON c.rubric = ?6 AND c.run = "
        "(SELECT id FROM run WHERE source = a.source AND lab = a.lab ORDER BY (tool = ?3 AND seed = ?4 AND "
        "profile = ?5) DESC, id DESC LIMIT 1) ORDER BY iif(a.submitted = 0 AND a.origin <> 'Canvas', a.known, "
        "a.submitted), a.id",
        student, lab, r->tool, r->seed, r->profile, r->all->rubric.hash);
    for (; sql_row(r->gradebook, s); ++n) {
        reserve(r, n);
        struct scored *x = &r->scored[n];
        x->attempt = (struct mark_attempt){.id = sql_int(s, 0),
                                           .submitted = sql_int(s, 1),
                                           .clock = (enum mark_clock)sql_int(s, 2),
                                           .late = (int)sql_int(s, 3),
                                           .graded = sql_int(s, 4) != 0,
                                           .total = sql_real(s, 10),
                                           .of = sql_real(s, 11)};
        x->run = sql_int(s, 4);
        for (int row = 0; row < RUBRIC_ROWS; ++row) x->points[row] = (int)sql_int(s, 5 + row);
        x->passed = (int)sql_int(s, 12);
        r->attempt[n] = x->attempt;
    }
    return n;
}

static void take_override(struct reader *r, const char *student, struct results_lab *l)
{
    char when[TIMESTAMP_TEXT];
    sqlite3_stmt *s = sql_ask(r->gradebook, "tt",
                              "SELECT points, who, why, at FROM override WHERE student = ? AND lab = ? "
                              "ORDER BY id DESC LIMIT 1",
                              student, l->rules->lab->name);
    if (!sql_row(r->gradebook, s)) return;
    timestamp_print(sql_int(s, 3), when);
    l->by_hand = sqlite3_column_type(s, 0) != SQLITE_NULL;
    if (l->by_hand) {
        l->ruled = l->mark.there ? l->mark.points : NAN;
        l->by = arena_strndup(&r->all->arena, sql_text(s, 1), strlen(sql_text(s, 1)));
        l->why = arena_strndup(&r->all->arena, sql_text(s, 2), strlen(sql_text(s, 2)));
        l->at = sql_int(s, 3);
        text_say(&l->mark.applied, "Set to %g by %s, %s: %s\n", sql_real(s, 0), l->by, when, l->why);
        if (l->mark.penalty > 0) text_puts(&l->mark.applied, _("This mark stands, whatever the lateness.\n"));
        l->mark.there = 1;
        l->mark.points = sql_real(s, 0);
        if (!(l->mark.of > 0)) l->mark.of = 100;
    }
    sqlite3_finalize(s);
}

// Moodle gives a student another number (participant ID) in each assignment. A class list from Moodle has the numbers
// of one assignment only. Uses them for a lab if the gradebook knows no student's number for this lab.
static void read_participant(struct reader *r, const struct roster_student *who, struct results_lab *l)
{
    sqlite3_stmt *s = sql_ask(r->gradebook, "tt",
                              "SELECT (SELECT number FROM participant WHERE student = ?1 AND lab = ?2), EXISTS (SELECT "
                              "1 FROM participant WHERE lab = ?2)",
                              who->key, l->rules->lab->name);
    int row = sql_row(r->gradebook, s);
    const char *number = row && sql_int(s, 1) ? sql_text(s, 0) : who->participant;
    l->participant = arena_strndup(&r->all->arena, number, strlen(number));
    if (row) sqlite3_finalize(s);
}

static void read_lab(struct reader *r, const struct results_student *who, struct results_lab *l)
{
    const char *names[ROSTER_STUDENT_NAMES];
    int64_t extended;
    const struct scored *of = NULL;
    roster_student_names(&who->student, names);
    l->attempts = read_attempts(r, who->student.key, l->rules->lab->name);
    l->due = course_due(r->all->course, l->rules->lab, names, &extended);
    if (l->attempts) mark_decide(l->rules, l->due, extended, r->attempt, l->attempts, &l->mark);
    for (uint32_t i = 0; i < l->attempts; ++i)
        if (r->scored[i].run && (!l->mark.there || r->scored[i].attempt.id == l->mark.attempt)) of = &r->scored[i];
    attempt_say_dropped(r->gradebook, who->student.key, l->rules->lab->name, &l->mark.applied);
    take_override(r, who->student.key, l);
    read_participant(r, &who->student, l);
    if (!of) return;
    l->run = of->run;
    l->attempt = of->attempt.id;
    l->submitted = of->attempt.submitted;
    memcpy(l->points, of->points, sizeof l->points);
    l->passed = of->passed;
}

static void read_students(struct reader *r)
{
    struct results *all = r->all;
    struct roster roster;
    gradebook_roster(r->gradebook, &roster);
    all->item = ARENA_ARRAY(&all->arena, roster.count + 1, struct results_student);
    for (uint32_t i = 0; i < roster.count; ++i)
        all->item[all->count++] =
            (struct results_student){.student = roster.student[i],
                                     .enrolled = i < roster.enrolled,
                                     .lab = ARENA_ARRAY(&all->arena, all->labs + 1, struct results_lab)};
    arena_join(&all->arena, &roster.arena);
}

void results_read(struct results *all, struct gradebook *gradebook, const struct course *course,
                  const struct lab *const *labs)
{
    struct reader r = {.all = all, .gradebook = gradebook};
    *all = (struct results){.course = course, .lab = labs};
    while (labs[all->labs]) ++all->labs;
    gradebook_get_rubric(gradebook, &all->rubric);
    gradebook_get(gradebook, "tool", r.tool, sizeof r.tool);
    gradebook_get(gradebook, "profile", r.profile, sizeof r.profile);
    gradebook_get(gradebook, "seed", r.seed, sizeof r.seed);
    read_students(&r);
    for (uint32_t i = 0; i < all->count; ++i)
        for (uint32_t l = 0; l < all->labs; ++l) {
            all->item[i].lab[l].rules = course_lab(course, labs[l]);
            read_lab(&r, &all->item[i], &all->item[i].lab[l]);
        }
    free(r.scored);
    free(r.attempt);
}

void results_free(struct results *all)
{
    for (uint32_t i = 0; i < all->count; ++i)
        for (uint32_t l = 0; l < all->labs; ++l) mark_free(&all->item[i].lab[l].mark);
    rubric_free(&all->rubric);
    arena_free(&all->arena);
}

int results_is_listed(const struct results *all, const struct results_student *x)
{
    int roster = all->count && all->item[0].enrolled; // enrolled students come first
    return !x->student.left && (x->enrolled || !roster);
}

int results_most(const struct results *all, const struct lab *lab)
{
    int most = 0;
    for (uint32_t i = 0; i < all->rubric.labs; ++i)
        for (int row = 0; row < RUBRIC_ROWS && all->rubric.lab[i].lab == lab; ++row)
            most += all->rubric.lab[i].rubric.of[row];
    return most;
}

double results_total(const struct results *all, const struct lab *lab)
{
    double total = course_lab(all->course, lab)->points;
    return total > 0 ? total : results_most(all, lab);
}

double results_percent(const struct results *all, const struct results_student *x, int64_t now)
{
    double sum = 0, weight = 0;
    for (uint32_t l = 0; l < all->labs; ++l) {
        const struct results_lab *s = &x->lab[l];
        int missing = !s->attempts && s->due && s->due < now;
        if (!s->mark.there && !missing) continue;
        sum += s->mark.there ? s->rules->weight * s->mark.points / s->mark.of : 0;
        weight += s->rules->weight;
    }
    return weight > 0 ? 100 * sum / weight : NAN;
}
