// Imports submissions from folders, downloads of course systems and git clones. For each submission, import_path()
// finds the author, the lab, the time and the source.
#ifndef BATCH_IMPORT_IMPORT_H
#define BATCH_IMPORT_IMPORT_H

#include "base/arena.h"
#include "base/hash.h"
#include "batch/course/course.h"
#include "batch/course/mark.h"
#include "batch/course/roster.h"
#include "batch/import/fate.h"

// Holds one author's source for one lab.
struct import_submission {
    const struct roster_student *student; // NULL: the roster does not contain the author, or there is no roster
    struct identity who;                  // names and numbers of the author that the submission contains
    // `key` identifies the student in the gradebook. If the roster contains the author, `key` is the student's key in
    // the roster. Otherwise `key` is the name that the submission gives the author, with a "?" before the name if there
    // is a roster.
    const char *key;
    const char *name; // name of the student, for display
    const struct lab *lab;
    const char *origin; // "Canvas", "Moodle", "Gradescope", "git", "folder"
    const char *file;   // path of the file, for display
    // The evidence by which the source is its author's (evidence.h): a path within the download; NULL: `file`.
    const char *evidence;
    int64_t node;     // number of the file, or of the student's archive or clone, in its file system; 0: unknown
    const char *data; // text of the source; NULL: the source is larger than COMPILE_MOST bytes
    size_t bytes;
    int64_t submitted; // seconds since 1970; 0: unknown
    enum mark_clock clock;
    int late; // lateness by the course system, encoded as in struct mark_attempt
};
// Holds the settings and the results of an import. The caller of import_path() sets the settings: the fields of struct
// import from `roster` to `data`. The fields of struct import after `data` are the results, to which import_path()
// adds.
struct import {
    const struct roster *roster; // NULL: there is no roster, and the submission's name for its author names the student
    const struct course *course;
    const struct lab *const *labs; // NULL-terminated list of the labs whose submissions are imported
    // 1: the user chose these labs. If `labs` has only one lab, sources whose lab is unknown then belong to this lab.
    int only;
    // Pattern of paths, such as "section *" "/*", relative to the folder or archive on the command line: what its last
    // part matches is a student's. NULL: the import finds out.
    const char *students;
    int student; // 1: each folder or archive on the command line is one student's
    // Times of hand-in by Moodle's grading worksheet (roster_times()); NULL: there is no worksheet.
    const struct roster_time *time;
    uint32_t times;
    const char *names; // encoding of names that have no mark of it, as iconv() calls it; NULL: the import guesses it
    // Callback for each submission. The submission is valid only during the call.
    void (*take)(void *, const struct import_submission *);
    // Callback that returns 1 for a submission of a person who was forgotten, which is then neither taken nor told;
    // NULL: nobody was. The submission is valid only during the call.
    int (*forgotten)(void *, const struct import_submission *);
    // Callback for what became of each path; NULL: not wanted. The entry is valid only during the call.
    void (*saw)(void *, const struct ledger_entry *);
    void *data;
    // The following fields are counts for the summary of the import. `unmatched` counts authors who are not on the
    // roster. `unplaced` counts sources of no known lab whose author has no other source. `sourceless` counts authors
    // without a source. `unread` counts paths that could not be read. `strange` counts entries that are not regular
    // files.
    // `past` counts submissions of persons who were forgotten.
    uint32_t submissions, unmatched, unplaced, sourceless, unread, links, strange, past;
    // Aliases of the roster that named the author of a submission, and those that fit several submissions of a download
    // and therefore do not count there.
    struct hash_map used, vague;
    struct hash_map other_labs; // number of sources for each lab that was not asked for, by the lab's name
    struct hash_map announced;  // what handin_announce() saw in the present download (handin.h)
    struct arena arena;         // owns the keys of `announced`
    // one line for each submission that was not imported and for each unknown author; owned, freed by import_free()
    struct text notes;
    struct hash_map told; // entries of the ledger that saw() got in the present import (handin.c)
    struct arena told_keys;
};
// Imports all submissions in `path`: a folder, an archive, a git clone or a single source. Returns 0, or -1 with an
// error message in `why` if `path` cannot be read.
int import_path(struct import *, const char *path, struct text *why);
void import_free(struct import *);

#endif
