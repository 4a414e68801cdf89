// Reads the class list, and finds the student whose name or number appears in a submission.
#ifndef BATCH_COURSE_ROSTER_H
#define BATCH_COURSE_ROSTER_H

#include <stdint.h>

#include "base/arena.h"
#include "batch/unpack/identity.h"

struct text;

// Describes a student on the class list. A student's field is "" if the class list has no column for this field.
struct roster_student {
    // Key of the student in the gradebook and in file names. The key is the first non-empty field of sis, login,
    // canvas, email, participant, github and name.
    const char *key;
    const char *name, *first, *last;
    const char *canvas, *sis, *login, *email, *section, *participant, *github, *root;
    const char *submitted; // when the student handed in, in Moodle's words; NULL if the roster is a gradebook's
    int left;              // 1: the student is not on the newest class list, but was on an earlier one
};
// Assigns a name that appears in submissions to a student, as the instructor decided. The name of a group has one alias
// for each member of the group.
struct roster_alias {
    const char *name, *key; // name, or name and number as the ledger shows them; the student's key
};
// Holds a class list. The field `arena` owns all strings of the class list.
struct roster {
    struct arena arena;
    struct roster_student *student;
    uint32_t count;
    // Number of students on the newest class list, who come first, and number of students who left, who come next. Set
    // only if the roster was read from a gradebook.
    uint32_t enrolled, left;
    struct roster_alias *alias;
    uint32_t aliases;
    // titles of the assignment columns, such as "Lab 3 (1234)", if the roster comes from Canvas
    const char **assignment;
    uint32_t assignments;
    // The columns of the class list that were understood, and those that were ignored, as a sentence without a full
    // stop. NULL if the roster comes from a gradebook.
    const char *columns;
};
// Parses a class list in CSV of any encoding, in a sandbox. Returns 0, or -1 with an error message in `why` if the text
// is not a class list, or if two rows have the same number or login. The caller frees the roster with roster_free()
// after success and after failure.
int roster_parse(struct roster *, const char *data, size_t bytes, struct text *why);
void roster_free(struct roster *);

// Returns the student on the roster whom an author's names and numbers match. Returns NULL if the author's names and
// numbers match no student or more than one student, or contradict each other. A student who left is found only if
// nobody on the newest class list matches.
const struct roster_student *roster_find(const struct roster *, const struct identity *);
// Holds when a student handed in, as a class list tells it for one assignment in Moodle.
struct roster_time {
    const char *number; // the student's number in the assignment, such as "1234"
    int64_t when;       // seconds since 1970
};
// Finds the times of hand-in on a class list that is Moodle's grading worksheet. Sets *time to an array of *count
// elements, which the roster owns. Returns the first time of an unknown form, or NULL. (worksheet.c)
const char *roster_times(struct roster *, struct roster_time **time, uint32_t *count);
enum { ROSTER_MEMBERS = 32 };
// Finds the students whom a name, number or address means that a person typed. Writes at most ROSTER_MEMBERS of them to
// `match`, and returns their number: 0 or 1, or more if several students have this name. Students who left are found
// only if nobody else is.
uint32_t roster_matches(const struct roster *, const char *name, const struct roster_student *match[ROSTER_MEMBERS]);
// Finds the students for whom a submission counts: the students whom an alias names, or else the student whom
// roster_find() returns. Writes these students to `member`, and returns their number. An alias that is only a person's
// name does not count if two students have this name, and the submission has a number that tells them apart.
uint32_t roster_members(const struct roster *, const struct identity *,
                        const struct roster_student *member[ROSTER_MEMBERS]);
// Returns the alias that names the author of a submission, or NULL. An alias may be the author's name, number, login or
// address, the name and the number as roster_label() and the ledger show them, or the name of the folder or file in the
// download. Sets *vague to 1 if the alias is one student's and lacks the number that the submission has, so that it may
// fit several submissions.
const char *roster_alias_of(const struct roster *, const struct identity *, int *vague);
enum { ROSTER_LABEL = 384 };
// Writes the words by which an alias file can name an author: the student number, or the name and, joined by '_',
// roster_number(), such as "Jane Doe_1234".
void roster_label(const struct identity *, char label[ROSTER_LABEL]);
// Returns what tells an author from others of the same name: the number, login or address in the course system, or "".
const char *roster_number(const struct identity *);
// Returns the number of students on the newest class list whose name is `name`. Appends their keys to `keys`, separated
// by commas. `keys` may be NULL.
uint32_t roster_namesakes(const struct roster *, const char *name, struct text *keys);
// Returns 1 if `name` is the student's name, or a login, number or address by which the student may be called.
int roster_is_called(const struct roster_student *, const char *name);
// Returns the student with this key, or NULL.
const struct roster_student *roster_by_key(const struct roster *, const char *key);
// Parses an alias file in CSV and makes its rows the roster's aliases. Each row contains a name that appears in
// submissions, in the column alias, group or group_name. Each row also contains a student of the roster, in one or more
// of the columns student, login_id, login, user_id, sis_id, canvas_user_id, id, email and name. Returns 0, or -1 with
// an error message in `why`. (alias.c)
int roster_read_aliases(struct roster *, const char *data, size_t bytes, struct text *why);
// Returns 1 if an author's number or e-mail address is one student's, and the author's name is another student's. The
// number may also stand in the author's name, as in "2001_Jane Doe". Sets both[0] to the student with the number or
// address, and both[1] to the student with the name.
int roster_contradiction(const struct roster *, const struct identity *, const struct roster_student *both[2]);
enum { ROSTER_STUDENT_NAMES = 8 };
// Writes a NULL-terminated list of a student's names, numbers and e-mail address to `names`. Elements of the list
// `names` may be "".
void roster_student_names(const struct roster_student *, const char *names[ROSTER_STUDENT_NAMES]);
// Returns 1 if the names `a` and `b` have the same words in any order, ignoring case and punctuation. For example,
// "Doe, Jane", "jane doe" and "doejane" are the same name.
int roster_same_name(const char *a, const char *b);
// Writes the letters and digits of a text to `squeezed`, in lower case.
void roster_squeeze(const char *text, char squeezed[ROSTER_LABEL]);

#endif
