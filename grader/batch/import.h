// Imports submissions from folders, downloads of course systems and git clones. Finds the author, the lab, the time and
// the source of each.
#ifndef BATCH_IMPORT_H
#define BATCH_IMPORT_H

#include "batch/course.h"
#include "batch/mark.h"
#include "batch/roster.h"

// One author's source for one lab.
struct import_submission {
    const struct roster_student *student; // NULL: the roster has no such student, or there is no roster
    struct roster_identity who;           // the author as the submission names him
    // Names the student in the gradebook: the roster's key. Without a roster it is the submission's name for the
    // author; a "?" precedes it if there is a roster without that student.
    const char *key;
    const char *name; // for display
    const struct lab *lab;
    const char *origin; // "Canvas", "Moodle", "Gradescope", "git", "folder"
    const char *file;   // path of the file, for display
    const char *data;   // NULL: larger than a source may be
    size_t bytes;
    int64_t submitted; // seconds since 1970; 0: unknown
    enum mark_clock clock;
    int late; // as in struct mark_attempt
};
// An import: the caller sets the fields up to `data`, import_path() counts in the others.
struct import {
    const struct roster *roster; // NULL: none, every submission names its own student
    const struct course *course;
    const struct lab *const *labs; // NULL-terminated: the labs whose submissions are taken
    int only; // 1: the user chose these labs; if there is one only, it also takes sources whose lab cannot be told
    // Called for each submission, which is valid during the call.
    void (*take)(void *, const struct import_submission *);
    void *data;
    // Counts for the summary: submissions taken, authors not on the roster, sources of no known lab, authors without a
    // source, links, and entries that are no regular files.
    uint32_t submissions, unmatched, unplaced, sourceless, links, strange;
    // a line for each submission not taken and for each unknown author; owned, freed by import_free()
    struct text notes;
};
// Imports everything below a path. Returns 0, or -1 with a sentence in `why` if the path cannot be read.
int import_path(struct import *, const char *path, struct text *why);
void import_free(struct import *);

#endif
