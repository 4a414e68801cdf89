// Tells an instructor when the times of hand-in in a gradebook cannot be trusted.
#ifndef BATCH_BOOK_DOUBTFUL_TIME_H
#define BATCH_BOOK_DOUBTFUL_TIME_H

#include "batch/book/gradebook.h"

// Appends notes about the times of the submissions that the present import saw (ledger.h): which have no time, which
// keep a file's time although it is that of a download, and in which lab nearly all are late by times of files that lie
// close together. `worksheet` is 1 if the roster is Moodle's grading worksheet. Each note is a line.
void doubtful_time_note(struct gradebook *, const struct course *, int worksheet, struct text *out);

#endif
