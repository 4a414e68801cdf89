// course.json: what the course adds to a lab's points: weights, dates, lateness, which attempt counts, extensions.
//
//   {"course": "CUDA C, autumn 2026", "attempts": "best", "cap": 10, "grace": "15m",
//    "late": {"percent": 10, "per": "1d", "most": 50, "until": "7d"},
//    "labs": {"lab3": {"due": "2026-10-01T23:59:00+09:00", "weight": 2, "canvas": "Lab 3 (1234)"}},
//    "extensions": {"s1234": {"lab3": "2026-10-05"}}}
//
// What stands at the top holds for every lab that does not say otherwise. Durations: a number and s, m, h, d or w.
#ifndef BATCH_COURSE_H
#define BATCH_COURSE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/lab.h"

enum { COURSE_LABS = 64 };

enum course_policy { COURSE_BEST, COURSE_LAST };
struct course_late {
    double percent; // of the lab's points, taken for each `per` begun; 0: lateness costs nothing
    int64_t per;    // seconds
    double most;    // percent taken at most
    int64_t until;  // seconds after which nothing counts; 0: no limit
};
struct course_lab {
    const struct lab *lab;
    double weight;      // in the course's mark
    int64_t due;        // 0: none
    int64_t grace;      // seconds behind it that cost nothing
    uint32_t cap;       // attempts that count, from the first on; 0: all
    const char *canvas; // the assignment's column in Canvas; NULL: as the roster has it, else the lab's name
    int named;          // 1: the course names it
    enum course_policy policy;
    struct course_late late;
};
struct course_extension {
    const char *student;   // as the file names him: key, login, number or address
    const struct lab *lab; // NULL: every lab
    int64_t due;           // 0: by `more`
    int64_t more;          // seconds
};
struct course {
    struct arena arena;
    const char *name;
    struct course_lab lab[COURSE_LABS]; // one for each of lab_all, in its order
    uint32_t labs;
    struct course_extension *extension;
    uint32_t extensions;
};

// Without a file: every lab weighs 1, nothing is due, the best attempt counts.
void course_default(struct course *);
// Reads the text of a course.json. 0; or -1 with a sentence in why that begins with the path of the field
// ("labs.lab3.due: …"). Free with course_free in both cases.
int course_parse(struct course *, const char *json, size_t bytes, struct text *why);
void course_free(struct course *);
const struct course_lab *course_lab(const struct course *, const struct lab *);
// When the lab is due for a student of whom these names are known (NULL-terminated); 0: never. `extended`: by how much
// it was moved, 0: not.
int64_t course_due(const struct course *, const struct lab *, const char *const *names, int64_t *extended);

#endif
