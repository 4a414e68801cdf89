// Reads course.json: the weights, dates, late rules, attempt rules and extensions that a course adds to the labs'
// points.
//
//   {"course": "CUDA C, autumn 2026", "attempts": "best", "cap": 10, "grace": "15m",
//    "late": {"percent": 10, "per": "1d", "most": 50, "until": "7d"},
//    "labs": {"lab3": {"due": "2026-10-01T23:59:00+09:00", "weight": 2, "canvas": "Lab 3 (1234)"}},
//    "extensions": {"s1234": {"lab3": "2026-10-05"}}}
//
// A rule at the top level applies to every lab that does not override it. A duration is a number followed by s, m, h, d
// or w.
#ifndef BATCH_COURSE_H
#define BATCH_COURSE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/lab.h"

enum { COURSE_LABS = 64 };

enum course_policy { COURSE_BEST, COURSE_LAST };
// What lateness costs.
struct course_late {
    double percent; // percent of the lab's points, subtracted for each `per` that has begun; 0: lateness costs nothing
    int64_t per;    // seconds
    double most;    // percent, upper limit of what lateness costs
    int64_t until;  // seconds after the due date; a later attempt counts nothing; 0: no limit
};
// A course's rules for one lab.
struct course_lab {
    const struct lab *lab;
    double weight;      // relative weight in the mark of the course
    int64_t due;        // seconds since 1970; 0: no due date
    int64_t grace;      // seconds after the due date in which an attempt still counts as in time
    uint32_t cap;       // number of attempts that count, the earliest first; 0: all
    const char *canvas; // title of the assignment's column in Canvas; NULL: the title in the roster, or the lab's name
    int named;          // 1: course.json has an entry for the lab
    enum course_policy policy;
    struct course_late late;
};
// A new due date for one student.
struct course_extension {
    const char *student;   // key, login, number or e-mail address, as course.json has it
    const struct lab *lab; // NULL: every lab
    int64_t due;           // seconds since 1970; 0: `more` applies
    int64_t more;          // seconds added to the lab's due date
};
// A parsed course.json.
struct course {
    struct arena arena;
    const char *name;
    struct course_lab lab[COURSE_LABS]; // one element for each lab of lab_all, in that order
    uint32_t labs;
    struct course_extension *extension;
    uint32_t extensions;
};

// Sets the rules that apply without a course.json: equal weights, no due dates, the best attempt counts.
void course_default(struct course *);
// Parses the text of a course.json. Returns 0, or -1 with a sentence in `why` that begins with the path of the field
// ("labs.lab3.due: …"). Free the course with course_free() in both cases.
int course_parse(struct course *, const char *json, size_t bytes, struct text *why);
void course_free(struct course *);
// Returns the rules for a lab of lab_all.
const struct course_lab *course_lab(const struct course *, const struct lab *);
// Returns the due date of a lab for one student, in seconds since 1970, or 0 if there is none. `names` is a
// NULL-terminated list of the student's names, see roster_student_names(). *extended becomes the seconds by which an
// extension moved the date.
int64_t course_due(const struct course *, const struct lab *, const char *const *names, int64_t *extended);

#endif
