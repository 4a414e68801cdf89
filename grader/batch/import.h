// From what an instructor has (folders, downloads, clones) to hand-ins: whose, for which lab, when, and the source.
#ifndef BATCH_IMPORT_H
#define BATCH_IMPORT_H

#include "batch/course.h"
#include "batch/mark.h"
#include "batch/roster.h"

struct import_submission {
    const struct roster_student *student; // NULL: not on the roster, or there is none
    struct roster_identity who;           // as the submission says it
    const char *key;  // names the student: his key, or what the submission calls him ("?…" when the
                      // roster does not know him)
    const char *name; // for people
    const struct lab *lab;
    const char *origin; // "Canvas", "Moodle", "Gradescope", "git", "folder"
    const char *file;   // where it lay
    const char *data;   // NULL: larger than a source may be
    size_t bytes;
    int64_t submitted; // 0: not known
    enum mark_clock clock;
    int late; // as in struct mark_attempt
};
struct import {
    const struct roster *roster; // NULL: none, and everybody is whom his submission names
    const struct course *course;
    const struct lab *const *labs; // NULL-terminated: those that are taken
    int only;                      // 1: they were asked for; a single one claims sources with any name
    void (*take)(void *, const struct import_submission *);
    void *data;
    // What is said at the end; owned, freed by import_free.
    uint32_t submissions, unmatched, unplaced, sourceless, links, strange;
    struct text notes; // a line for each thing that was not taken, and for each author whom nobody knows
};
// Takes all of a path. 0; or -1 with a sentence in why: it cannot be read at all.
int import_path(struct import *, const char *path, struct text *why);
void import_free(struct import *);

#endif
