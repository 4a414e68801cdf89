// Stores the gradebook in one SQLite file (schema.sql). The gradebook contains every attempt of a student, every run of
// the grader on an attempt, and the scores.
//
// Each change of the gradebook is a transaction, so a program that is killed leaves all finished work in the file.
// Several programs may use one gradebook at the same time. An SQLite error ends the program with exit code 2 and leaves
// the gradebook consistent.
#ifndef BATCH_BOOK_GRADEBOOK_H
#define BATCH_BOOK_GRADEBOOK_H

#include <stdint.h>

#include "base/secret.h"
#include "base/text_struct.h"
#include "batch/book/rubric.h"
#include "batch/import/import.h"

struct gradebook;

// Opens a gradebook and upgrades its file to the schema version GRADEBOOK_VERSION. Creates a missing gradebook if
// `make` is 1. Reads the class's key from the file with the gradebook's path and ".key" appended. If the key file is
// missing, makes a new key for a new gradebook and for a gradebook from before rows were sealed. Dies if the gradebook
// or the key cannot be read, or if a row does not bear the key's seal (seal.h). The caller frees the gradebook with
// gradebook_close().
struct gradebook *gradebook_open(const char *path, int make);
// Opens a gradebook as gradebook_open() does, but does not check seals. If the key file is missing, makes a new key.
// The caller must not compute marks from a gradebook with unchecked seals, because its rows may be forged.
struct gradebook *gradebook_open_unchecked(const char *path);
// Opens an empty gradebook that lies in memory, has the key of practice, and leaves nothing behind.
struct gradebook *gradebook_open_scratch(void);
void gradebook_close(struct gradebook *);
// Makes the gradebook read-only for this program. A function that would change it dies.
void gradebook_freeze(struct gradebook *);
enum { GRADEBOOK_VERSION = 7 };
// Returns the path of the gradebook's file.
const char *gradebook_path(const struct gradebook *);
// Returns the class's key.
const struct secret *gradebook_secret(const struct gradebook *);
// Makes the tables of an empty database.
void gradebook_make_tables(struct gradebook *);

// Holds the key of a run of the grader: the settings, besides the source, that the run's result depends on. The field
// `tool` is the version of the grader and of the compiler. The field `profile` is the simulated device, followed by the
// card's name if a card measured the speed.
struct gradebook_key {
    char tool[160], profile[160];
    int64_t seed;
};
// Names what a worker process must judge: a source, by its SHA-256, and the lab that the source solves.
struct gradebook_work {
    char source[BATCH_HASH];
    char lab[32];
};

// The functions gradebook_begin(), gradebook_commit() and gradebook_undo() begin, commit and roll back a write
// transaction. gradebook_begin() waits up to a minute for other programs that write.
void gradebook_begin(struct gradebook *);
void gradebook_commit(struct gradebook *);
void gradebook_undo(struct gradebook *);
// Copies the value of the gradebook's setting `name` to `to` and returns `to`. Returns NULL if the gradebook has no
// setting `name`.
const char *gradebook_get(struct gradebook *, const char *name, char *to, size_t size);
// Sets the gradebook's setting `name` to `value`.
void gradebook_set(struct gradebook *, const char *name, const char *value);

// Makes a roster the newest class list: inserts its students into the gradebook or updates their rows. A student who
// was on the class list before and is not on the new roster counts as having left. For each such student, appends a
// line to `left`.
void gradebook_enrol(struct gradebook *, const struct roster *, struct text *left);
// Reads all students in the gradebook into the roster `r`: first those on the newest class list, then those who left,
// then those who are known only from submissions. Reads the aliases, too. The caller frees the roster with
// roster_free().
void gradebook_roster(struct gradebook *, struct roster *);
// Replaces the gradebook's aliases by those of the roster.
void gradebook_put_aliases(struct gradebook *, const struct roster *);
// Assigns the attempts of an author who was on no roster, stored under the key `from`, to the student on the roster
// with the key `to` (attempt_adopt()), with all else that the gradebook has of the author. If several students get
// these attempts in turn, as the members of a group, `last` is 1 for the last student.
void gradebook_adopt(struct gradebook *, const char *from, const char *to, int last);
// Removes all data of a student: rows of the class list, attempts, marks, aliases and ledger entries. Also removes the
// sources that nobody else handed in, with the grader's runs on these sources. Overwrites the removed data in the
// gradebook's file, adds a row with the time of the removal, and remembers keyed hashes of the paths, so that the same
// download does not bring the person back. Returns the number of sources that were removed.
uint32_t gradebook_forget(struct gradebook *, const char *key);
// Lists the sources that students handed in for `labs` and that have no run of the grader with the settings in the
// struct gradebook_key. The list `labs` is NULL-terminated. *work is allocated with malloc, and the caller frees *work.
// Returns the number of elements of *work.
uint32_t gradebook_work(struct gradebook *, const struct gradebook_key *, const struct lab *const *labs,
                        struct gradebook_work **work);
// Returns 1 if the gradebook has an attempt for the lab.
int gradebook_has_lab(struct gradebook *, const struct lab *);
// Returns 1 if the gradebook has a run of the grader on the source and lab in the struct gradebook_work with the
// settings in the struct gradebook_key, or a failure to run that was recorded later than `since`, in seconds since
// 1970.
int gradebook_is_tried(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *, int64_t since);
// Appends the text of the source with the SHA-256 `hash` to `text`, and sets *bytes to the source's size. If the source
// was too large to grade, the gradebook has only its size, and no text is appended. Dies if the gradebook has no source
// with the SHA-256 `hash`.
void gradebook_source(struct gradebook *, const char *hash, struct text *text, size_t *bytes);

// Appends the report of the grader's run with the number `run` to `out`. gradebook_text() appends plain text and
// gradebook_report() appends JSON. gradebook_html() appends an HTML page, or nothing if the run has no HTML page.
void gradebook_text(struct gradebook *, int64_t run, struct text *out);
void gradebook_html(struct gradebook *, int64_t run, struct text *out);
void gradebook_report(struct gradebook *, int64_t run, struct text *out);
// Appends the source of the attempt with the number `attempt` to `out`.
void gradebook_attempt_source(struct gradebook *, int64_t attempt, struct text *out);
// Appends the next source that was handed in for a lab to `out`, and returns 1. Returns 0 if there are no more sources.
// The caller sets *after to 0 before the first call of gradebook_next_source(), and leaves *after unchanged between
// calls.
int gradebook_next_source(struct gradebook *, const struct lab *, int64_t *after, struct text *out);

// Holds the result of one run of the grader on a source. The texts belong to the caller of gradebook_put_run().
struct gradebook_run {
    const char *report, *text; // the report as JSON, and as plain text
    const struct text *html, *ptx;
    double seconds;
};
// Records a run of the grader and its score, and deletes an earlier failure with the same source, lab and key. If the
// gradebook already has a run with the same source, lab and key, the old run stays and the new run is dropped.
void gradebook_put_run(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *,
                       const struct gradebook_run *);
// Records that the machine could not grade a source, and increments the number of failed tries.
void gradebook_put_failure(struct gradebook *, const struct gradebook_key *, const struct gradebook_work *,
                           const char *message);

// Returns the number of attempts that handed in this source for this lab.
uint32_t gradebook_attempts_of(struct gradebook *, const struct gradebook_work *);
// Calls `show` for each attempt that the grader failed to grade with the settings in the struct gradebook_key. Returns
// the number of calls of `show`.
uint32_t gradebook_failures(struct gradebook *, const struct gradebook_key *,
                            void (*show)(void *, const char *lab, const char *student, const char *message,
                                         int64_t tries),
                            void *data);

// Holds an attempt together with the run of the grader that the attempt's mark comes from. The caller frees the attempt
// with gradebook_attempt_free().
struct gradebook_attempt {
    struct gradebook_work work;
    struct gradebook_key key;
    int64_t run;                         // number of the run; 0: no run yet
    struct text student, name;           // the student's key and name; owned
    struct text report, text, html, ptx; // the run's texts; owned
};
// Reads the attempt with the number `attempt`. Returns 0, or -1 if the gradebook has no attempt with this number.
int gradebook_get_attempt(struct gradebook *, int64_t attempt, struct gradebook_attempt *);
void gradebook_attempt_free(struct gradebook_attempt *);
// Records a mark that a person set by hand. If `points` is NAN, the mark by the course's rules counts again.
void gradebook_override(struct gradebook *, const char *student, const char *lab, double points, const char *who,
                        const char *why);
// Adds speeds that a card measured later to the runs whose speed came from the simulator, and scores all runs again. A
// measured speed counts only if it gives more points than the simulated speed. The measured speeds come from this
// gradebook if `other` is NULL, or else from the gradebook in the file `other`. The runs in the file `other` must bear
// the seal of the same class's key. Returns the number of measured speeds that gradebook_merge() added to runs of the
// gradebook.
uint32_t gradebook_merge(struct gradebook *, const char *other);

// Stores a rubric in the gradebook and makes it the current rubric, by which all marks are computed.
void gradebook_put_rubric(struct gradebook *, const struct rubric_file *);
// Reads the gradebook's current rubric. The caller frees the rubric with rubric_free().
void gradebook_get_rubric(struct gradebook *, struct rubric_file *);
// Scores every run in the gradebook that has no score by the given rubric. If `anew` is 1, scores also the runs that
// have a score already. Returns the number of runs that were scored. The caller must call gradebook_score_all() within
// a transaction.
uint32_t gradebook_score_all(struct gradebook *, const struct rubric_file *, int anew);

#endif
