// Stores the gradebook in one SQLite file (schema.sql). The gradebook contains every attempt, every run of the grader
// on an attempt, and the scores.
//
// Each change is a transaction, so a program that is killed leaves all finished work in the file. Several programs may
// use one gradebook at the same time. An error ends the program with exit code 2 and leaves the file consistent.
#ifndef BATCH_GRADEBOOK_H
#define BATCH_GRADEBOOK_H

#include <stdint.h>

#include "base/text.h"
#include "batch/import.h"
#include "batch/rubric.h"

struct gradebook;

// Opens a gradebook and upgrades the file to schema version GRADEBOOK_VERSION. Creates a missing file if `make` is 1.
// Dies if the gradebook cannot be opened. The caller frees the gradebook with gradebook_close().
struct gradebook *gradebook_open(const char *path, int make);
void gradebook_close(struct gradebook *);
enum { GRADEBOOK_VERSION = 3 };

// The settings that a run depends on besides its source: the program version in `tool`, the device profile in `profile`
// (with the card's name, if a card measured), and the seed.
struct gradebook_key {
    char tool[160], profile[160];
    int64_t seed;
};
// A unit of work for a worker: a source and the lab that the source solves.
struct gradebook_work {
    char source[BATCH_HASH];
    char lab[32];
};

// These functions begin, commit and roll back a transaction that writes. gradebook_begin() waits up to a minute for
// other programs that write.
void gradebook_begin(struct gradebook *);
void gradebook_commit(struct gradebook *);
void gradebook_undo(struct gradebook *);
// Copies the value of a setting to `to` and returns `to`. Returns NULL if the setting does not exist.
const char *gradebook_get(struct gradebook *, const char *name, char *to, size_t size);
// Sets the setting `name` to `value`.
void gradebook_set(struct gradebook *, const char *name, const char *value);

// Inserts a student of the roster into the gradebook, or updates the student's row.
void gradebook_put_student(struct gradebook *, const struct roster_student *);
// Reads all students into the roster `r`. The first r->enrolled of these students are on the class list. The caller
// frees the roster with roster_free().
void gradebook_roster(struct gradebook *, struct roster *);
// Records an attempt and its source. Returns 1 if the attempt is new, or 0 if the gradebook has this attempt already.
int gradebook_put_attempt(struct gradebook *, const struct import_submission *);
// Lists the sources of `labs` (a NULL-terminated list) that have no run with this key. *work is allocated with malloc,
// and the caller frees *work. Returns the number of elements of *work.
uint32_t gradebook_work(struct gradebook *, const struct gradebook_key *, const struct lab *const *labs,
                        struct gradebook_work **work);
// Returns 1 if the gradebook has an attempt for the lab.
int gradebook_has_lab(struct gradebook *, const struct lab *);
// Returns 1 if the gradebook has a run of this work with this key.
int gradebook_is_run(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *);
// Appends a source's text to `text`, and sets *bytes to the source's size. If the source was too large to grade, the
// text is a note and only the size is known. Dies if the gradebook has no source with this hash.
void gradebook_source(struct gradebook *, const char *hash, struct text *text, size_t *bytes);

// Appends a run's report to `out`. gradebook_text() appends plain text and gradebook_report() appends JSON.
// gradebook_html() appends an HTML page, or nothing if the run has no HTML page.
void gradebook_text(struct gradebook *, int64_t run, struct text *out);
void gradebook_html(struct gradebook *, int64_t run, struct text *out);
void gradebook_report(struct gradebook *, int64_t run, struct text *out);
// Appends the source of an attempt to `out`.
void gradebook_attempt_source(struct gradebook *, int64_t attempt, struct text *out);
// Appends the next source that was handed in for a lab to `out`, and returns 1. Returns 0 if there are no more sources.
// The caller sets *after to 0 before the first call and passes *after unchanged to later calls.
int gradebook_next_source(struct gradebook *, const struct lab *, int64_t *after, struct text *out);

// Result of one run of the grader. The caller owns all texts.
struct gradebook_run {
    const char *report, *text; // the report as JSON, and as plain text
    const struct text *html, *ptx;
    double seconds;
};
// Records a run and its score, and deletes the failure of this work. If the gradebook has a run with this key already,
// the old run stays and the new run is dropped.
void gradebook_put_run(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *,
                       const struct gradebook_run *);
// Records that the machine could not grade this work, and increments the number of tries.
void gradebook_put_failure(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *,
                           const char *message);

// Calls `show` for each attempt that could not be graded with this key. Returns the number of calls of `show`.
uint32_t gradebook_failures(struct gradebook *, const struct gradebook_key *,
                            void (*show)(void *, const char *lab, const char *student, const char *message,
                                         int64_t tries),
                            void *data);

// An attempt together with the run that its mark comes from. The caller frees the attempt with
// gradebook_attempt_free().
struct gradebook_attempt {
    struct gradebook_work work;
    struct gradebook_key key;
    int64_t run;                         // number of the run; 0: no run yet
    struct text report, text, html, ptx; // the run's texts; owned
};
// Reads the attempt with the number `attempt`. Returns 0, or -1 if the gradebook has no attempt with this number.
int gradebook_get_attempt(struct gradebook *, int64_t attempt, struct gradebook_attempt *);
void gradebook_attempt_free(struct gradebook_attempt *);
// Records a mark that a person set. If `points` is NAN, the mark by the course's rules counts again.
void gradebook_override(struct gradebook *, const char *student, const char *lab, double points, const char *who,
                        const char *why);
// Replaces modelled speeds by speeds that a card measured later for the same source, and scores all runs again. The
// measurements come from this gradebook if `other` is NULL, or else from the gradebook in the file `other`. Returns the
// number of measurements.
uint32_t gradebook_merge(struct gradebook *, const char *other);

// Stores a rubric and makes the stored rubric the current one, which gives all scores.
void gradebook_put_rubric(struct gradebook *, const struct rubric_file *);
// Reads the current rubric. The caller frees the rubric with rubric_free().
void gradebook_get_rubric(struct gradebook *, struct rubric_file *);
// Scores every run that has no score by this rubric. If `anew` is 1, scores every run again. Returns the number of
// scored runs. The caller must call gradebook_score_all() within a transaction.
uint32_t gradebook_score_all(struct gradebook *, const struct rubric_file *, int anew);

#endif
