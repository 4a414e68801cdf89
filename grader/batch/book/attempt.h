// Keeps whose each attempt is. An attempt is one source that one student handed in for one lab.
//
// An import gives a source to a student by evidence, the path in the download (evidence.h). An attempt exists as long
// as there is evidence for it. If the same evidence gives the source to another student in a later import, because a
// class list, an alias or a list of a group's members was corrected, the attempt follows. Evidence that a later import
// does not contain stays, because a download may be a part of another one. A decision by hand comes before all
// evidence.
#ifndef BATCH_BOOK_ATTEMPT_H
#define BATCH_BOOK_ATTEMPT_H

#include <stdint.h>

#include "batch/book/gradebook.h"
#include "batch/import/import.h"

struct text;

// Describes an attempt for messages.
struct attempt {
    int64_t id;        // 0: the attempt has no number yet
    char student[512]; // the student's key; "": the attempt was dropped
    char lab[32];
    int decided; // 1: the student was chosen by hand
    int untimed; // 1: attempt_put() knows neither a time of hand-in nor whether the attempt is late
};
// Begins an import: numbers the evidence for attempts that an older program recorded. The caller has begun a
// transaction.
void attempt_begin(struct gradebook *);
// Records that an import gives a source to a student, and the source itself. Sets *a to the student's attempt with
// these bytes. Returns 1 if the student has no such attempt yet, or 0. The submission time in the gradebook changes
// only if the new one comes from a more reliable clock (enum mark_clock), or from the same clock and is earlier. The
// lateness is that of the newest import that tells it.
int attempt_put(struct gradebook *, const struct import_submission *, struct attempt *a);
// Records that an import knows whose a source at the path `shown` is, although it does not take it, because the student
// has a newer one. An attempt of an earlier import from this path follows, unless the student shares it with others.
void attempt_see(struct gradebook *, const char *shown, const char *lab, const char *student);
// Makes the attempts follow the evidence of the path `root` on the command line, after its last attempt_put(). Appends
// a line to `lines` for each attempt that changed its student or its lateness, or whose time a course system tells now.
// Returns the number of new attempts.
uint32_t attempt_settle(struct gradebook *, const char *root, struct text *lines);
// Gives the evidence for an author who was on no roster, stored under the key `from`, to the student on the roster with
// the key `to`. If several students get it in turn, as the members of a group, `last` is 1 for the last student.
void attempt_adopt(struct gradebook *, const char *from, const char *to, int last);

// Reads the attempt with the number `id`, also a dropped one. Returns 0, or -1 if there is none.
int attempt_get(struct gradebook *, int64_t id, struct attempt *);
// Returns the number of the student's attempt with the same bytes for the same lab as the attempt `id`, or 0.
int64_t attempt_twin(struct gradebook *, int64_t id, const char *student);
// Records a decision by hand. `student` is the key of the student whose attempt it is, "" if the attempt counts for
// nobody, or NULL if it is the import's student's again. Attempts, and the ledger, change at once.
void attempt_decide(struct gradebook *, int64_t id, const char *student, const char *who, const char *why);
// Appends a line for each attempt of a student, with its number, its points and the decisions about it. Returns the
// number of attempts.
uint32_t attempt_list(struct gradebook *, const char *student, struct text *out);
// Appends a line for each attempt of a student for a lab that was dropped, for the student's feedback.
void attempt_say_dropped(struct gradebook *, const char *student, const char *lab, struct text *out);
// Removes what attempt_put() and attempt_decide() recorded of a student, and remembers a keyed hash of each path.
// Attempts of the student that were others' by the import count for nobody afterwards.
void attempt_forget(struct gradebook *, const char *student);
// Returns 1 if a person who was forgotten handed in this submission, at the same path with the same bytes.
int attempt_is_forgotten(struct gradebook *, const struct import_submission *);
// Returns 1 if the path, as messages show it, was a forgotten person's.
int attempt_is_forgotten_path(struct gradebook *, const char *shown);
// Makes a submission one that was not forgotten.
void attempt_remember(struct gradebook *, const struct import_submission *);

#endif
