// Packs reports under the names by which a course system knows their students.
//
// Canvas takes the student's and the submission's number from the file's name (infer_comment_context_from_filename in
// app/models/assignment.rb), and shows the file to the student under the name that the student gave it. So each report
// has the name of the file in the download, and the report for an archive is an archive.
//
// Moodle takes the participant's number from the folder's name, in each of its forms since 2.3
// (mod/assign/feedback/file/importziplib.php), and shows the files in it.
#include "batch/export/giveback.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "batch/book/sql.h"
#include "batch/export/export.h"
#include "batch/export/zip_writer.h"
#include "batch/import/download.h"
#include "batch/import/part.h"

const struct giveback_system giveback_system[GIVEBACK_SYSTEMS] = {{"Canvas", "canvas"}, {"Moodle", "moodle"}};

// Finds the part of the path `file` that the system named. `path` is the path within the download, so that no part
// before it counts. Returns 1, or 0 if there is none.
static int find_part(const char *file, const char *path, const char *origin, char part[PART_BYTES])
{
    struct download_name d;
    size_t slashes = 0, all = 0;
    for (const char *c = path; *c; ++c) slashes += *c == '/';
    for (const char *c = file; *c; ++c) all += *c == '/';
    for (; all > slashes; --all) file = strchr(file, '/') + 1;
    while (file) {
        file = part_next(file, part);
        if (download_parse(part, &d) && !strcmp(d.origin, origin) && !d.feedback) return 1;
    }
    return 0;
}

// Writes the system's name for what a student handed in: of the attempt that counts, or else of the newest. Returns 1,
// or 0 if the student handed in nothing there.
static int find_name(struct gradebook *b, const struct results_student *x, const struct results_lab *l,
                     const char *origin, char name[PART_BYTES])
{
    int found = 0;
    sqlite3_stmt *s =
        sql_ask(b, "ttti",
                "SELECT e.file, e.path FROM evidence AS e JOIN attempt AS a ON a.id = e.attempt WHERE "
                "a.student = ? AND a.lab = ? AND e.origin = ? ORDER BY a.id = ? DESC, e.import DESC, e.id "
                "DESC",
                x->student.key, l->rules->lab->name, origin, l->attempt);
    while (sql_row(b, s)) found = found || find_part(sql_text(s, 0), sql_text(s, 1), origin, name);
    char *end = found ? strstr(name, "_assignsubmission_file") : NULL;
    if (end) end[strlen("_assignsubmission_file")] = '\0'; // Moodle's folder, also of a download without folders
    return found;
}

static void add_page(struct zip_writer *w, const char *folder, const char *lab, const char *end, const struct text *t)
{
    struct text name = {0};
    text_printf(&name, "%s/%s-report%s", folder, lab, end);
    if (t->length) zip_writer_add(w, name.data, t);
    text_free(&name);
}

static void add_reports(struct zip_writer *w, const char *name, const char *lab, const char *origin,
                        const struct text *report, const struct text *page)
{
    size_t length = strlen(name);
    if (!strcmp(origin, "Moodle")) {
        add_page(w, name, lab, ".txt", report);
        add_page(w, name, lab, ".html", page);
    } else if (length > 4 && !strcmp(name + length - 4, ".zip")) {
        struct zip_writer inner = {.count = 0};
        add_page(&inner, lab, lab, ".txt", report);
        zip_writer_end(&inner);
        zip_writer_add(w, name, &inner.members);
        text_free(&inner.members);
        text_free(&inner.directory);
    } else {
        zip_writer_add(w, name, report);
    }
}

uint32_t giveback_pack(const struct results *all, struct gradebook *b, uint32_t lab, const struct giveback_system *to,
                       struct text *out)
{
    char name[PART_BYTES];
    struct hash_map students = {0}; // number of students of each name
    struct arena names = {0};
    struct zip_writer w = {.count = 0};
    uint32_t shared = 0;
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct results_student *x = &all->item[i];
        if (!results_is_listed(all, x) || !find_name(b, x, &x->lab[lab], to->origin, name)) continue;
        int before = hash_map_get(&students, name, strlen(name));
        if (before == 1) ++shared;
        hash_map_put(&students, arena_strndup(&names, name, strlen(name)), strlen(name), before < 0 ? 1 : before + 1);
    }
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct results_student *x = &all->item[i];
        struct text report = {0}, page = {0};
        if (!results_is_listed(all, x) || !find_name(b, x, &x->lab[lab], to->origin, name)) continue;
        if (hash_map_get(&students, name, strlen(name)) != 1) continue;
        export_feedback(all, b, x, lab, &report);
        export_page(all, b, x, lab, &page);
        if (report.length) add_reports(&w, name, all->lab[lab]->name, to->origin, &report, &page);
        text_free(&report);
        text_free(&page);
    }
    zip_writer_end(&w);
    if (w.members.length) text_add(out, w.members.data, w.members.length);
    text_free(&w.members);
    text_free(&w.directory);
    hash_map_free(&students);
    arena_free(&names);
    return shared;
}
