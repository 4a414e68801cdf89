// Reads course.json: the weights, dates, late rules, attempt rules and extensions that a course adds to the labs'
// points.
//
//   {"course": "CUDA C, autumn 2026", "zone": "Asia/Seoul", "attempts": "best", "cap": 10, "grace": "15m",
//    "late": {"percent": 10, "per": "1d", "most": 50, "until": "7d"},
//    "labs": {"lab3": {"due": "2026-10-01", "weight": 2, "points": 10, "canvas": "Lab 3 (1234)"}},
//    "extensions": {"s1234": {"lab3": "2026-10-05"}}}
//
// A rule at the top level of course.json applies to every lab that has no rule of the same name. A duration in
// course.json is a number followed by s, m, h, d or w: seconds, minutes, hours, days or weeks.
// A time without a zone is in the course's zone (UTC if course.json names none), and a date alone ends at 23:59:59.
#ifndef BATCH_COURSE_COURSE_H
#define BATCH_COURSE_COURSE_H

#include <stdint.h>

#include "base/arena.h"
#include "batch/course/roster.h"
#include "lab/lab.h"

struct text;

enum { COURSE_LABS = 64 };

enum course_policy { COURSE_BEST, COURSE_LAST };
// Holds a late rule, which says how many points a late attempt loses.
struct course_late {
    // percent of the lab's points that each started period of `per` seconds costs; 0: lateness costs nothing
    double percent;
    int64_t per;   // length of a period in seconds
    double most;   // upper limit of the loss, in percent of the lab's points
    int64_t until; // seconds after the due date; attempts after this time count nothing; 0: no limit
};
// Holds the course's rules for one lab.
struct course_lab {
    const struct lab *lab;
    double points; // total of the assignment in the course system, to which marks are scaled; 0: the rubric's
    double weight; // relative weight of the lab in the course mark
    int64_t due;   // seconds since 1970; 0: no due date
    int64_t grace; // seconds after the due date during which an attempt still counts as in time
    uint32_t cap;  // number of attempts that count, beginning with the earliest; 0: all attempts count
    // title of the assignment's column in Canvas; NULL: use the title in the roster, or the lab's name
    const char *canvas;
    int named; // 1: course.json has an entry for the lab
    enum course_policy policy;
    struct course_late late;
};
// Holds an extension, which gives one student a later due date.
struct course_extension {
    const char *student;   // the student's key, login, number or e-mail address, as written in course.json
    const struct lab *lab; // NULL: the extension applies to every lab
    int64_t due;           // new due date in seconds since 1970; 0: `more` applies
    int64_t more;          // seconds added to the lab's due date
    int line;              // line in course.json
};
// Holds a parsed course.json. The field `arena` owns all strings and arrays of the course.
struct course {
    struct arena arena;
    const char *name;
    const char *zone;                   // time zone, as timestamp_set_zone() takes it
    struct course_lab lab[COURSE_LABS]; // one element for each lab of lab_all, in the order of lab_all
    uint32_t labs;
    struct course_extension *extension;
    uint32_t extensions;
};

// Sets the rules that apply without a course.json: all labs have equal weights, no lab has a due date, and the best
// attempt counts.
void course_default(struct course *);
// Parses the text of a course.json, and makes the course's time zone that of timestamp.h. Returns 0, or -1 after
// appending an error message to `why` that begins with the line and the field's path ("line 7: labs.lab3.due: …"). The
// caller frees the course with course_free() after success and after failure.
int course_parse(struct course *, const char *json, size_t bytes, struct text *why);
void course_free(struct course *);
// Returns the course's rules for a lab, which must be an element of lab_all (the list of all labs).
const struct course_lab *course_lab(const struct course *, const struct lab *);
// Returns the first extension whose student is not on the roster, or NULL.
const struct course_extension *course_stranger(const struct course *, const struct roster *);
// Returns the due date of a lab for one student, in seconds since 1970, or 0 if the lab has no due date. `names` is a
// NULL-terminated list of the student's names and numbers, which roster_student_names() writes. Sets *extended to the
// number of seconds by which an extension moved the due date.
int64_t course_due(const struct course *, const struct lab *, const char *const *names, int64_t *extended);

#endif
