// Writes the page with which an instructor answers an appeal: a student's report as it was, and as it is when the same
// source is judged again, side by side.
#ifndef BATCH_EXPORT_APPEAL_H
#define BATCH_EXPORT_APPEAL_H

#include <stdint.h>

#include "lab/lab.h"

struct text;

// Describes an attempt that was judged twice. Index 0 is the first time, index 1 is now.
struct appeal {
    const char *student; // the student's name, or the key
    const struct lab *lab;
    int64_t attempt;
    const char *tool[2];          // versions of the grader and of the compiler
    const struct text *report[2]; // the reports as plain text
};
// Appends an HTML page with both reports, line beside line. Lines that differ are marked.
void appeal_page(const struct appeal *, struct text *out);

#endif
