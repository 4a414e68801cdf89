// The gradebook: one SQLite file (schema.sql) with every attempt, every run of the grader on it, and the scores.
//
// Each change is a transaction, so a program that is killed leaves all finished work in the file. Several programs may
// use one gradebook at a time. An error ends the program with exit code 2 and leaves the file consistent.
#ifndef BATCH_GRADEBOOK_H
#define BATCH_GRADEBOOK_H

#include <stdint.h>

#include "base/text.h"
#include "batch/import.h"
#include "batch/rubric.h"

struct gradebook;

// Opens a gradebook and brings it to the current version. If `make` is 1, creates a missing file. Dies on failure.
struct gradebook *gradebook_open(const char *path, int make);
void gradebook_close(struct gradebook *);
enum { GRADEBOOK_VERSION = 3 };

// What a run depends on besides its source: program version, device profile (with the card's name, if any) and seed.
struct gradebook_key {
    char tool[160], profile[160];
    int64_t seed;
};
// A unit of work for a worker: a source and the lab it is for.
struct gradebook_work {
    char source[BATCH_HASH];
    char lab[32];
};

// Begins, commits and rolls back a transaction that writes. Waits up to a minute for other programs.
void gradebook_begin(struct gradebook *);
void gradebook_commit(struct gradebook *);
void gradebook_undo(struct gradebook *);
// Copies the value of a setting to `to` and returns `to`. Returns NULL if the setting does not exist.
const char *gradebook_get(struct gradebook *, const char *name, char *to, size_t size);
// Sets a setting.
void gradebook_set(struct gradebook *, const char *name, const char *value);

// Inserts or updates a student of the roster.
void gradebook_put_student(struct gradebook *, const struct roster_student *);
// Reads all students into a roster. The first r->enrolled of them are on the class list. Free with roster_free().
void gradebook_roster(struct gradebook *, struct roster *);
// Records an attempt and its source. Returns 1 if the attempt is new, or 0 if the gradebook has it already.
int gradebook_put_attempt(struct gradebook *, const struct import_submission *);
// Lists the sources of these labs (a NULL-terminated list) that have no run with this key. *work is allocated with
// malloc; the caller frees it. Returns the number of its elements.
uint32_t gradebook_work(struct gradebook *, const struct gradebook_key *, const struct lab *const *labs,
                        struct gradebook_work **work);
// Returns 1 if the gradebook has an attempt for the lab.
int gradebook_has_lab(struct gradebook *, const struct lab *);
// Returns 1 if this work has a run with this key.
int gradebook_is_run(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *);
// Appends a source's text to `text`, and sets *bytes to the source's size. Of a source that was too large to grade,
// only the size is known and the text is a note. Dies if the gradebook has no such source.
void gradebook_source(struct gradebook *, const char *hash, struct text *text, size_t *bytes);

// Appends a run's report to `out`: as plain text, as an HTML page (nothing if the run has none), or as JSON.
void gradebook_text(struct gradebook *, int64_t run, struct text *out);
void gradebook_html(struct gradebook *, int64_t run, struct text *out);
void gradebook_report(struct gradebook *, int64_t run, struct text *out);
// Appends the source of an attempt.
void gradebook_attempt_source(struct gradebook *, int64_t attempt, struct text *out);
// Appends the next source that was handed in for a lab. Set *after to 0 before the first call. Returns 0 at the end.
int gradebook_next_source(struct gradebook *, const struct lab *, int64_t *after, struct text *out);

// The result of one run. The caller owns all texts.
struct gradebook_run {
    const char *report, *text; // JSON; plain text
    const struct text *html, *ptx;
    double seconds;
};
// Records a run and its score, and deletes the failure of this work. If there is a run with the same key, that one
// stays.
void gradebook_put_run(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *,
                       const struct gradebook_run *);
// Records that the machine could not grade this work, and counts the tries.
void gradebook_put_failure(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *,
                           const char *message);

// Calls `show` for each attempt that could not be graded with this key. Returns the number of calls.
uint32_t gradebook_failures(struct gradebook *, const struct gradebook_key *,
                            void (*show)(void *, const char *lab, const char *student, const char *message,
                                         int64_t tries),
                            void *data);

// An attempt with the run that its mark comes from. Free with gradebook_attempt_free().
struct gradebook_attempt {
    struct gradebook_work work;
    struct gradebook_key key;
    int64_t run;                         // number of the run; 0: no run yet
    struct text report, text, html, ptx; // of the run; owned
};
// Reads an attempt. Returns 0, or -1 if the gradebook has no attempt of that number.
int gradebook_get_attempt(struct gradebook *, int64_t attempt, struct gradebook_attempt *);
void gradebook_attempt_free(struct gradebook_attempt *);
// Records a mark that a person set. With `points` NAN the mark by the course's rules counts again.
void gradebook_override(struct gradebook *, const char *student, const char *lab, double points, const char *who,
                        const char *why);
// Replaces modelled speeds by speeds that a card measured later for the same source, and scores all runs again. The
// measurements come from this gradebook, or from the gradebook in the file `other`. Returns the number of measurements.
uint32_t gradebook_merge(struct gradebook *, const char *other);

// Stores a rubric and makes it the one that scores.
void gradebook_put_rubric(struct gradebook *, const struct rubric_file *);
// Reads the rubric that scores. Free with rubric_free().
void gradebook_get_rubric(struct gradebook *, struct rubric_file *);
// Scores every run that has no score by this rubric; if `anew` is 1, every run. Returns the number of runs. Call it
// within a transaction.
uint32_t gradebook_score_all(struct gradebook *, const struct rubric_file *, int anew);

#endif
