// The gradebook: one SQLite file (schema.sql) that holds every attempt, what was observed, and what it came to.
//
// Everything is written in transactions as it comes to be: killed at any moment, the book holds all that was finished.
// Several programs may use one book at a time. Errors end the program (exit 2) and leave the book whole.
#ifndef BATCH_BOOK_H
#define BATCH_BOOK_H

#include <stdint.h>

#include "base/text.h"
#include "batch/intake.h"
#include "batch/rubric.h"

struct book;

// Opens a book, or makes it; brings an older one up to date.
struct book *book_open(const char *path, int make);
void book_close(struct book *);
// The SQL of the book's versions up to `version`, for tests.
void book_schema(int version, struct text *out);
enum { BOOK_VERSION = 3 };

// What a run depends on besides its source.
struct book_key {
    char tool[160], profile[160];
    int64_t seed;
};
// One piece of work: a source that has no run of that key yet.
struct book_work {
    char source[BATCH_HASH];
    char lab[32];
};

void book_begin(struct book *);
void book_commit(struct book *);
void book_undo(struct book *);                                                // what was done since book_begin
const char *book_get(struct book *, const char *name, char *to, size_t size); // a setting; NULL: it is not set
void book_set(struct book *, const char *name, const char *value);

void book_put_student(struct book *, const struct student *);
// All students of the book, those of its roster first (r->enrolled of them). Free with roster_free.
void book_roster(struct book *, struct roster *);
// Records an attempt, unless it is known. 1: it is new.
int book_put_attempt(struct book *, const struct handin *);
// What of the labs (a NULL-terminated list) has no run of that key. *work is malloc'ed; the count.
uint32_t book_work(struct book *, const struct book_key *, const struct lab *const *labs, struct book_work **work);
int book_has_lab(struct book *, const struct lab *); // 1: somebody handed it in
int book_is_run(struct book *, const struct book_key *, const struct book_work *);
// A source's text; *bytes its size, which is larger when it was too large to keep.
void book_source(struct book *, const char *hash, struct text *text, size_t *bytes);

// Of a run, added to `out`: the report for a person, and as JSON; of an attempt the source.
void book_text(struct book *, int64_t run, struct text *out);
void book_html(struct book *, int64_t run, struct text *out); // as a page; nothing when the run has none
void book_report(struct book *, int64_t run, struct text *out);
void book_attempt_source(struct book *, int64_t attempt, struct text *out);
// One source of a lab after another; *after begins with 0. 0: there is no more.
int book_next_source(struct book *, const struct lab *, int64_t *after, struct text *out);

struct book_run {
    const char *report, *text; // JSON; for a person
    const struct text *html, *ptx;
    double seconds;
};
// Records a run with its score, and forgets that it failed before; of two runs with the same key the first stays.
void book_put_run(struct book *, const struct book_key *, const struct book_work *, const struct book_run *);
void book_put_failure(struct book *, const struct book_key *, const struct book_work *, const char *message);

// Calls `show` for each attempt of which that key's judgement failed. How many.
uint32_t book_failures(struct book *, const struct book_key *,
                       void (*show)(void *, const char *lab, const char *student, const char *message, int64_t tries),
                       void *data);

// An attempt as it was judged. 0; or -1: there is none. Free with book_past_free.
struct book_past {
    struct book_work work;
    struct book_key key;
    int64_t run;                         // 0: it was not judged yet
    struct text report, text, html, ptx; // owned
};
int book_attempt(struct book *, int64_t attempt, struct book_past *);
void book_past_free(struct book_past *);
// A mark set by hand; points NAN: the rules' mark counts again.
void book_override(struct book *, const char *student, const char *lab, double points, const char *who,
                   const char *why);
// Takes measurements on a card, of this book or of the one in the file `other`, for runs whose speed was a model's, and
// scores all anew. How many.
uint32_t book_merge(struct book *, const char *other);

// A rubric comes into force: its hash stands in `rubric`.
void book_put_rubric(struct book *, const struct rubric_file *);
void book_get_rubric(struct book *, struct rubric_file *); // the one in force
// Scores every run that has no score by that rubric yet; `anew`: all of them. How many. Within a transaction.
uint32_t book_score_all(struct book *, const struct rubric_file *, int anew);

#endif
