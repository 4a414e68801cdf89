// The gradebook: one SQLite file (schema.sql) that holds every attempt, what was observed, and what it came to.
//
// Everything is written in transactions as it comes to be: killed at any moment, the gradebook holds all that was
// finished. Several programs may use one gradebook at a time. Errors end the program (exit 2) and leave the gradebook
// whole.
#ifndef BATCH_GRADEBOOK_H
#define BATCH_GRADEBOOK_H

#include <stdint.h>

#include "base/text.h"
#include "batch/import.h"
#include "batch/rubric.h"

struct gradebook;

// Opens a gradebook, or makes it; brings an older one up to date.
struct gradebook *gradebook_open(const char *path, int make);
void gradebook_close(struct gradebook *);
// The SQL of the gradebook's versions up to `version`, for tests.
void gradebook_schema(int version, struct text *out);
enum { GRADEBOOK_VERSION = 3 };

// What a run depends on besides its source.
struct gradebook_key {
    char tool[160], profile[160];
    int64_t seed;
};
// One piece of work: a source that has no run of that key yet.
struct gradebook_work {
    char source[BATCH_HASH];
    char lab[32];
};

void gradebook_begin(struct gradebook *);
void gradebook_commit(struct gradebook *);
void gradebook_undo(struct gradebook *); // what was done since gradebook_begin
const char *gradebook_get(struct gradebook *, const char *name, char *to,
                          size_t size); // a setting; NULL: it is not set
void gradebook_set(struct gradebook *, const char *name, const char *value);

void gradebook_put_student(struct gradebook *, const struct roster_student *);
// All students of the gradebook, those of its roster first (r->enrolled of them). Free with roster_free.
void gradebook_roster(struct gradebook *, struct roster *);
// Records an attempt, unless it is known. 1: it is new.
int gradebook_put_attempt(struct gradebook *, const struct import_submission *);
// What of the labs (a NULL-terminated list) has no run of that key. *work is malloc'ed; the count.
uint32_t gradebook_work(struct gradebook *, const struct gradebook_key *, const struct lab *const *labs,
                        struct gradebook_work **work);
int gradebook_has_lab(struct gradebook *, const struct lab *); // 1: somebody handed it in
int gradebook_is_run(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *);
// A source's text; *bytes its size, which is larger when it was too large to keep.
void gradebook_source(struct gradebook *, const char *hash, struct text *text, size_t *bytes);

// Of a run, added to `out`: the report for a person, and as JSON; of an attempt the source.
void gradebook_text(struct gradebook *, int64_t run, struct text *out);
void gradebook_html(struct gradebook *, int64_t run, struct text *out); // as a page; nothing when the run has none
void gradebook_report(struct gradebook *, int64_t run, struct text *out);
void gradebook_attempt_source(struct gradebook *, int64_t attempt, struct text *out);
// One source of a lab after another; *after begins with 0. 0: there is no more.
int gradebook_next_source(struct gradebook *, const struct lab *, int64_t *after, struct text *out);

struct gradebook_run {
    const char *report, *text; // JSON; for a person
    const struct text *html, *ptx;
    double seconds;
};
// Records a run with its score, and forgets that it failed before; of two runs with the same key the first stays.
void gradebook_put_run(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *,
                       const struct gradebook_run *);
void gradebook_put_failure(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *,
                           const char *message);

// Calls `show` for each attempt of which that key's judgement failed. How many.
uint32_t gradebook_failures(struct gradebook *, const struct gradebook_key *,
                            void (*show)(void *, const char *lab, const char *student, const char *message,
                                         int64_t tries),
                            void *data);

// An attempt as it was judged. 0; or -1: there is none. Free with gradebook_attempt_free.
struct gradebook_attempt {
    struct gradebook_work work;
    struct gradebook_key key;
    int64_t run;                         // 0: it was not judged yet
    struct text report, text, html, ptx; // owned
};
int gradebook_get_attempt(struct gradebook *, int64_t attempt, struct gradebook_attempt *);
void gradebook_attempt_free(struct gradebook_attempt *);
// A mark set by hand; points NAN: the rules' mark counts again.
void gradebook_override(struct gradebook *, const char *student, const char *lab, double points, const char *who,
                        const char *why);
// Takes measurements on a card, of this gradebook or of the one in the file `other`, for runs whose speed was a
// model's, and scores all anew. How many.
uint32_t gradebook_merge(struct gradebook *, const char *other);

// A rubric comes into force: its hash stands in `rubric`.
void gradebook_put_rubric(struct gradebook *, const struct rubric_file *);
void gradebook_get_rubric(struct gradebook *, struct rubric_file *); // the one in force
// Scores every run that has no score by that rubric yet; `anew`: all of them. How many. Within a transaction.
uint32_t gradebook_score_all(struct gradebook *, const struct rubric_file *, int anew);

#endif
