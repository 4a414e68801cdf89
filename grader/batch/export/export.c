// Writes marks in the file formats of Canvas, Moodle and nbgrader. The Canvas format follows gradebook_exporter.rb and
// gradebook_importer.rb of canvas-lms. The Moodle format is the grading worksheet of mod/assign, whose import needs the
// columns Identifier, Grade and Last modified (grade). The nbgrader format follows nbgrader's CsvExportPlugin.
#define _GNU_SOURCE
#include "batch/export/export.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/export/csv_writer.h"
#include "batch/export/giveback.h"
#include "batch/unpack/timestamp.h"
#include "report/escape.h"
#include "report/json_value.h"

enum { PATH = 4096 };

// Converts points of the rubric to points of the course system's assignment, and writes them into a CSV cell. If
// `points` is NAN, put_points() leaves the CSV cell empty.
static void put_points(struct text *out, const struct results *all, const struct lab *lab, double points)
{
    int most = results_most(all, lab);
    csv_writer_put_number(out, most > 0 ? points * results_total(all, lab) / most : points, 2);
}

static double points(const struct results_lab *l)
{
    return l->mark.there ? l->mark.points : NAN;
}

static void put_cells(struct text *out, const char *const *cell)
{
    for (; *cell; ++cell) csv_writer_put(out, *cell);
}

static void put_own(struct text *out, const char *const *cell)
{
    for (; *cell; ++cell) csv_writer_put_own(out, *cell);
}

// ----------------------------------------------------------------------------------------------------------------- CSV
// Writes the title of a lab's column, by which Canvas finds the assignment. The title of a lab's column is the text of
// the lab's field "canvas" in course.json, or else the title in the roster, or else the lab's name.
static void put_assignment(const struct results *all, struct gradebook *gradebook, const struct lab *lab,
                           struct text *out)
{
    char setting[64], known[256];
    const char *named = course_lab(all->course, lab)->canvas;
    snprintf(setting, sizeof setting, "canvas %s", lab->name);
    if (!named) named = gradebook_get(gradebook, setting, known, sizeof known);
    csv_writer_put(out, named ? named : lab->name);
}

void export_canvas(const struct results *all, struct gradebook *gradebook, struct text *out)
{
    static const char *const head[] = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section", NULL};
    static const char *const possible[] = {"    Points Possible", "", "", "", "", NULL};
    put_own(out, head);
    for (uint32_t l = 0; l < all->labs; ++l) put_assignment(all, gradebook, all->lab[l], out);
    csv_writer_end(out);
    put_own(out, possible);
    for (uint32_t l = 0; l < all->labs; ++l) csv_writer_put_number(out, results_total(all, all->lab[l]), 2);
    csv_writer_end(out);
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct roster_student *s = &all->item[i].student;
        if (!results_is_listed(all, &all->item[i])) continue;
        put_cells(out, (const char *const[]){s->name, s->canvas, s->sis, s->login, s->section, NULL});
        for (uint32_t l = 0; l < all->labs; ++l) put_points(out, all, all->lab[l], points(&all->item[i].lab[l]));
        csv_writer_end(out);
    }
}

// Appends what a run's report advises to do next, or nothing if it advises nothing.
static void add_next(struct gradebook *gradebook, int64_t run, struct text *out)
{
    struct text report = {0};
    gradebook_report(gradebook, run, &report);
    json_t *root = report.length ? json_loads(report.data, 0, NULL) : NULL;
    const char *next = json_string_value(json_object_get(root, "next"));
    if (next && *next) text_say(out, "Next: %s\n", next);
    json_decref(root);
    text_free(&report);
}

// Writes the points, the course rules that were applied, and what to do next as HTML text into one cell, because Moodle
// shows the cell as HTML.
static void put_comment(struct text *out, const struct results *all, struct gradebook *gradebook,
                        const struct results_lab *l)
{
    struct text t = {0}, lines = {0};
    if (l->mark.there) text_say(&lines, "%g of %d points\n", l->mark.points, results_most(all, l->rules->lab));
    text_puts(&lines, l->mark.applied.data ? l->mark.applied.data : "");
    if (l->run) add_next(gradebook, l->run, &lines);
    for (const char *line = lines.data ? lines.data : ""; *line;) {
        size_t n = strcspn(line, "\n");
        escape_html(&t, line, n);
        if (line[n]) text_puts(&t, "<br>");
        line += n + (line[n] != '\0');
    }
    csv_writer_put(out, t.data ? t.data : "");
    text_free(&t);
    text_free(&lines);
}

void export_moodle(const struct results *all, struct gradebook *gradebook, uint32_t lab, struct text *out)
{
    static const char *const head[] = {"Identifier",
                                       "Full name",
                                       "Email address",
                                       "Status",
                                       "Group",
                                       "Grade",
                                       "Maximum Grade",
                                       "Grade can be changed",
                                       "Last modified (submission)",
                                       "Last modified (grade)",
                                       "Feedback comments",
                                       NULL};
    char when[TIMESTAMP_TEXT];
    put_own(out, head);
    csv_writer_end(out);
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct roster_student *s = &all->item[i].student;
        const struct results_lab *l = &all->item[i].lab[lab];
        if (!results_is_listed(all, &all->item[i])) continue;
        if (l->submitted) timestamp_print(l->submitted, when);
        put_cells(out,
                  (const char *const[]){l->participant, s->name, s->email,
                                        l->attempts ? "Submitted for grading" : "No submission", s->section, NULL});
        put_points(out, all, all->lab[lab], points(l));
        csv_writer_put_number(out, results_total(all, all->lab[lab]), 2);
        put_cells(out, (const char *const[]){"Yes", l->submitted ? when : "-", "-", NULL});
        put_comment(out, all, gradebook, l);
        csv_writer_end(out);
    }
}

// Writes a student's last and first name as two cells. In the roster, the last and the first name are columns of their
// own. If the roster's columns for the last and the first name are both empty, put_names() splits the student's full
// name, such as "Doe, Jane", at the comma.
static void put_names(struct text *out, const struct roster_student *s)
{
    const char *comma = *s->last || *s->first ? NULL : strstr(s->name, ", ");
    struct text last = {0};
    text_add(&last, s->name, comma ? (size_t)(comma - s->name) : strlen(s->name));
    csv_writer_put(out, *s->last ? s->last : last.data ? last.data : "");
    csv_writer_put(out, comma ? comma + 2 : s->first);
    text_free(&last);
}

void export_nbgrader(const struct results *all, struct text *out)
{
    static const char *const head[] = {"assignment", "duedate",   "timestamp",
                                       "student_id", "last_name", "first_name",
                                       "email",      "raw_score", "late_submission_penalty",
                                       "score",      "max_score", NULL};
    char due[TIMESTAMP_TEXT], when[TIMESTAMP_TEXT];
    put_own(out, head);
    csv_writer_end(out);
    for (uint32_t l = 0; l < all->labs; ++l)
        for (uint32_t i = 0; i < all->count; ++i) {
            const struct roster_student *s = &all->item[i].student;
            const struct results_lab *x = &all->item[i].lab[l];
            if (!results_is_listed(all, &all->item[i])) continue;
            timestamp_print(x->due, due);
            timestamp_print(x->submitted, when);
            put_cells(out, (const char *const[]){all->lab[l]->slug, x->due ? due : "", x->submitted ? when : "", s->key,
                                                 NULL});
            put_names(out, s);
            csv_writer_put(out, s->email);
            double none = x->attempts ? NAN : 0; // what could not be graded is no zero mark
            put_points(out, all, all->lab[l], x->mark.there ? x->mark.raw : none);
            put_points(out, all, all->lab[l], x->mark.there ? x->mark.penalty : none);
            put_points(out, all, all->lab[l], x->mark.there ? x->mark.points : none);
            csv_writer_put_number(out, results_total(all, all->lab[l]), 2);
            csv_writer_end(out);
        }
}

// ---------------------------------------------------------------------------------------------------------------- JSON
static json_t *lab_json(const struct results *all, const struct results_lab *l)
{
    json_t *o = json_object(), *rows = json_object();
    char when[TIMESTAMP_TEXT];
    put(o, "attempts", json_integer(l->attempts));
    put(o, "points", l->mark.there ? json_real(l->mark.points) : json_null());
    put(o, "of", json_integer(results_most(all, l->rules->lab)));
    put(o, "attempt", l->attempt ? json_integer(l->attempt) : json_null());
    timestamp_print(l->submitted, when);
    put(o, "submitted", l->submitted ? json_string(when) : json_null());
    put(o, "passed", l->run ? json_boolean(l->passed) : json_null());
    put(o, "penalty", json_real(l->mark.penalty));
    put(o, "by_hand", json_boolean(l->by_hand));
    for (int row = 0; row < RUBRIC_ROWS && l->run; ++row)
        put(rows, verdict_rubric[row].name, json_integer(l->points[row]));
    put(o, "rows", rows);
    put(o, "applied", json_string(l->mark.applied.data ? l->mark.applied.data : ""));
    return o;
}

void export_json(const struct results *all, int64_t now, struct text *out)
{
    json_t *root = json_object(), *students = json_array();
    put(root, "schema", json_string(EXPORT_SCHEMA));
    put(root, "course", json_string(all->course->name));
    put(root, "rubric", json_string(all->rubric.name));
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct results_student *x = &all->item[i];
        json_t *one = json_object(), *labs = json_object();
        double percent = results_percent(all, x, now);
        put(one, "key", json_string(x->student.key));
        put(one, "name", json_string(x->student.name));
        put(one, "email", json_string(x->student.email));
        put(one, "enrolled", json_boolean(results_is_listed(all, x)));
        put(one, "left", json_boolean(x->student.left));
        put(one, "percent", isnan(percent) ? json_null() : json_real(floor(percent * 100 + 0.5) / 100));
        for (uint32_t l = 0; l < all->labs; ++l) put(labs, all->lab[l]->name, lab_json(all, &x->lab[l]));
        put(one, "labs", labs);
        append(students, one);
    }
    put(root, "students", students);
    write_json(root, JSON_INDENT(1) | JSON_REAL_PRECISION(10), out);
}

// ------------------------------------------------------------------------------------------------------------ feedback
// Writes the text above a student's report: the mark and the course rules that were applied.
static void say_mark(const struct results *all, const struct results_student *x, uint32_t lab, struct text *out)
{
    const struct results_lab *l = &x->lab[lab];
    text_printf(out, "%s\n%s: %s\n%s\n\n", all->course->name, all->lab[lab]->name, _(all->lab[lab]->title),
                x->student.name);
    if (l->mark.there)
        text_say(out, "%g of %d points\n", l->mark.points, results_most(all, all->lab[lab]));
    else
        text_puts(out, _("There is no mark yet.\n"));
    for (int row = 0; row < RUBRIC_ROWS && l->run; ++row)
        for (uint32_t i = 0; i < all->rubric.labs; ++i)
            if (all->rubric.lab[i].lab == all->lab[lab])
                text_printf(out, "%s%s %d/%d%s", row ? ", " : "  ", _(verdict_rubric[row].name), l->points[row],
                            all->rubric.lab[i].rubric.of[row], row + 1 == RUBRIC_ROWS ? "\n" : "");
    text_puts(out, l->mark.applied.data ? l->mark.applied.data : "");
    if (l->run && all->rubric.text.length)
        text_say(out, "Scored by the rubric \"%s\"; the report below has the kit's own points.\n", all->rubric.name);
}

void export_feedback(const struct results *all, struct gradebook *gradebook, const struct results_student *x,
                     uint32_t lab, struct text *out)
{
    const struct results_lab *l = &x->lab[lab];
    if (!l->attempts && !l->by_hand && !l->mark.applied.length) return;
    say_mark(all, x, lab, out);
    if (!l->run) return;
    text_puts(out, "\n");
    gradebook_text(gradebook, l->run, out);
}

void export_page(const struct results *all, struct gradebook *gradebook, const struct results_student *x, uint32_t lab,
                 struct text *out)
{
    struct text page = {0}, mark = {0};
    if (x->lab[lab].run) gradebook_html(gradebook, x->lab[lab].run, &page);
    const char *body = page.length ? strstr(page.data, "<body") : NULL, *from = body ? strchr(body, '>') : NULL;
    if (from) {
        say_mark(all, x, lab, &mark);
        text_add(out, page.data, (size_t)(from + 1 - page.data));
        text_puts(out, "<pre style=\"white-space:pre-wrap\">");
        escape_html(out, mark.data, mark.length);
        text_puts(out, "</pre>");
        text_puts(out, from + 1);
    }
    text_free(&mark);
    text_free(&page);
}

// ------------------------------------------------------------------------------------------------------------- writing
static void write_file(const char *folder, const char *name, const struct text *t)
{
    char path[PATH];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        die("the path '%.60s…' is too long", folder);
    int error = text_write_file(t, path, EXPORT_FILE);
    if (error) die("cannot write '%s': %s", path, strerror(error));
}

// Makes a folder for feedback that only its owner can read. If the folder exists, make_folder() removes the access
// rights of other users.
static void make_folder(const char *path)
{
    if (mkdir(path, 0700) && errno != EEXIST) die("cannot make the folder '%s': %s", path, strerror(errno));
    if (chmod(path, 0700)) die("cannot protect the folder '%s': %s", path, strerror(errno));
}

// Makes a file name from a student's key in the gradebook. In the file name, characters other than letters, digits and
// "@.-+_" become '_'. If the file name would differ from the student's key, the first 8 digits of a hash of the
// student's key are appended to keep the file name unique. The file name is never empty and never begins with a dot.
static void file_name(const char *key, const char *end, char name[PATH])
{
    char hash[BATCH_HASH];
    size_t n = 0, length = strlen(key);
    int changed = !length || length > 120;
    for (; key[n] && n < 120; ++n) {
        int fits = isalnum((unsigned char)key[n]) || (n && strchr("@.-+_", key[n]));
        name[n] = fits ? key[n] : '_';
        changed |= !fits;
    }
    SHA256Data((const uint8_t *)key, length, hash);
    snprintf(name + n, 32, "%s%.*s%s", changed ? "-" : "", changed ? 8 : 0, hash, end);
}

// Writes a feedback file, or removes the file if there is no feedback any more, for example because a mark was undone
// or a student left.
static void renew_file(const char *folder, const char *name, const struct text *t)
{
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (t->length) make_folder(folder);
    if (t->length) write_file(folder, name, t);
    if (!t->length && unlink(path) && errno != ENOENT) die("cannot remove '%s': %s", path, strerror(errno));
}

// Writes an export, or removes the file if there is nothing to export any more.
static void renew_export(const char *folder, const char *name, const struct text *t)
{
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (t->length) write_file(folder, name, t);
    if (!t->length && unlink(path) && errno != ENOENT) die("cannot remove '%s': %s", path, strerror(errno));
}

static void giveback_name(const struct lab *lab, const struct giveback_system *to, char name[64])
{
    snprintf(name, 64, "feedback-%s-%s.zip", to->word, lab->name);
}

void export_appeal(const char *key, const struct lab *lab, const char *folder, const struct text *page,
                   struct text *path)
{
    static const char *const part[] = {"feedback", NULL, "replay"};
    char of[PATH], name[PATH];
    size_t n = (size_t)snprintf(of, sizeof of, "%s", folder);
    for (int i = 0; i < 3 && n < sizeof of; ++i) {
        n += (size_t)snprintf(of + n, sizeof of - n, "/%s", part[i] ? part[i] : lab->name);
        make_folder(of);
    }
    file_name(key, ".html", name);
    renew_file(of, name, page);
    text_printf(path, "%s/%s", of, name);
}

void export_forget(const char *key, const char *folder)
{
    static const char *const end[] = {".txt", ".html"};
    char of[PATH], name[PATH];
    for (int l = 0; lab_all[l]; ++l)
        for (int i = 0; i < 2; ++i) {
            snprintf(of, sizeof of, "%s/feedback/%s", folder, lab_all[l]->name);
            file_name(key, end[i], name);
            renew_file(of, name, &(struct text){0});
        }
    for (int l = 0; lab_all[l]; ++l)
        for (int i = 0; i < GIVEBACK_SYSTEMS; ++i) { // export_write() packs them again
            giveback_name(lab_all[l], &giveback_system[i], name);
            renew_export(folder, name, &(struct text){0});
        }
    for (int l = 0; lab_all[l]; ++l) {
        snprintf(of, sizeof of, "%s/feedback/%s/replay", folder, lab_all[l]->name);
        file_name(key, ".html", name);
        renew_file(of, name, &(struct text){0});
    }
}

static void write_feedback(const struct results *all, struct gradebook *gradebook, const char *folder)
{
    char of[PATH], name[PATH];
    snprintf(of, sizeof of, "%s/feedback", folder);
    make_folder(of);
    for (uint32_t l = 0; l < all->labs; ++l) {
        snprintf(of, sizeof of, "%s/feedback/%s", folder, all->lab[l]->name);
        for (uint32_t i = 0; i < all->count; ++i) {
            const struct results_student *x = &all->item[i];
            struct text t = {0};
            if (!x->student.left) export_feedback(all, gradebook, x, l, &t);
            file_name(x->student.key, ".txt", name);
            renew_file(of, name, &t);
            t.length = 0;
            if (!x->student.left) export_page(all, gradebook, x, l, &t);
            file_name(x->student.key, ".html", name);
            renew_file(of, name, &t);
            text_free(&t);
        }
    }
}

// Adds the name of a file to a list.
static void add_name(struct text *list, const char *name)
{
    text_printf(list, "%s%s", list->length ? ", " : "", name);
}

// Writes the archives that give the reports back. Adds their names to `names`, a list for each system.
static void write_archives(const struct results *all, struct gradebook *gradebook, const char *folder,
                           struct text names[GIVEBACK_SYSTEMS])
{
    char name[64];
    for (uint32_t l = 0; l < all->labs; ++l)
        for (int i = 0; i < GIVEBACK_SYSTEMS; ++i) {
            struct text t = {0};
            giveback_name(all->lab[l], &giveback_system[i], name);
            uint32_t shared = giveback_pack(all, gradebook, l, &giveback_system[i], &t);
            renew_export(folder, name, &t);
            if (t.length) add_name(&names[i], name);
            if (shared)
                printf(
                    _("%s: %u files are several students', so their reports are not in it, but in '%s/feedback/%s'\n"),
                    name, shared, folder, all->lab[l]->name);
            text_free(&t);
        }
}

// Returns 1 if a student in the exported files has an identifier by which Canvas imports marks.
static int is_for_canvas(const struct results *all)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct roster_student *s = &all->item[i].student;
        if (results_is_listed(all, &all->item[i]) && (*s->canvas || *s->sis || *s->login)) return 1;
    }
    return 0;
}

// Returns 1 if a student in the exported files has a number in Moodle's assignment.
static int is_for_moodle(const struct results *all, uint32_t lab)
{
    for (uint32_t i = 0; i < all->count; ++i)
        if (results_is_listed(all, &all->item[i]) && *all->item[i].lab[lab].participant) return 1;
    return 0;
}

void export_write(const struct results *all, struct gradebook *gradebook, const char *folder, struct text *told)
{
    struct text t = {0}, marks = {0}, reports[GIVEBACK_SYSTEMS] = {{0}};
    char name[64];
    if (mkdir(folder, 0700) && errno != EEXIST) die("cannot make the folder '%s': %s", folder, strerror(errno));
    int canvas = is_for_canvas(all);
    if (canvas) export_canvas(all, gradebook, &t);
    renew_export(folder, "gradebook-canvas.csv", &t);
    t.length = 0;
    export_nbgrader(all, &t);
    write_file(folder, "nbgrader.csv", &t);
    t.length = 0;
    export_json(all, timestamp_now(), &t);
    write_file(folder, "gradebook.json", &t);
    for (uint32_t l = 0; l < all->labs; ++l) {
        t.length = 0;
        snprintf(name, sizeof name, "moodle-%s.csv", all->lab[l]->name);
        if (is_for_moodle(all, l)) export_moodle(all, gradebook, l, &t);
        renew_export(folder, name, &t);
        if (t.length) add_name(&marks, name);
    }
    text_free(&t);
    write_feedback(all, gradebook, folder);
    write_archives(all, gradebook, folder, reports);
    if (told && canvas) text_say(told, "Canvas: import gradebook-canvas.csv\n");
    if (told && marks.length) text_say(told, "Moodle: upload as grading worksheets: %s\n", marks.data);
    for (int i = 0; i < GIVEBACK_SYSTEMS; text_free(&reports[i++]))
        if (told && reports[i].length)
            text_say(told, "%s: the reports go back by %s\n", giveback_system[i].origin, reports[i].data);
    text_free(&marks);
}
