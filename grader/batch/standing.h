// Where everybody stands: each student's mark in each lab, by the course's rules and what was set by hand.
#ifndef BATCH_STANDING_H
#define BATCH_STANDING_H

#include "batch/book.h"
#include "batch/mark.h"

struct standing_lab {
    const struct course_lab *rules;
    uint32_t attempts;
    struct mark mark; // owned
    int by_hand;      // 1: the mark was set by hand
    int64_t run;      // whose report is the feedback: that of the mark's attempt, or the last one's; 0: none
    int64_t attempt;  // of it
    int64_t submitted, due;
    int points[RUBRIC_ROWS];
    int passed;
};
struct standing {
    struct student student;   // in the arena
    int enrolled;             // 0: not on the roster
    struct standing_lab *lab; // one for each of the labs
};
struct standings {
    struct arena arena;
    const struct course *course;
    const struct lab *const *lab; // NULL-terminated
    uint32_t labs;
    struct rubric_file rubric; // the one in force; owned
    struct standing *item;     // by name
    uint32_t count;
};
// Reads all of a book. Free with standings_free.
void standings_read(struct standings *, struct book *, const struct course *, const struct lab *const *labs);
void standings_free(struct standings *);
// The course's mark so far in percent, by the labs' weights; NAN when nothing counts yet. A lab that is due and was not
// handed in counts zero.
double standing_percent(const struct standings *, const struct standing *, int64_t now);

#endif
