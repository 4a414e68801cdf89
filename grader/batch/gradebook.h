// Marks as course systems take them, and what each student gets to read.
#ifndef BATCH_GRADEBOOK_H
#define BATCH_GRADEBOOK_H

#include "batch/standing.h"

// Canvas: one file for all labs, as its gradebook exports and imports it. Students are found by ID, SIS User ID or SIS
// Login ID, assignments by the column's title ("canvas" in course.json, or as it stood in a roster from Canvas).
void gradebook_canvas(const struct standings *, struct book *, struct text *out);
// Moodle: one grading worksheet for each lab (`lab` an index into the standings' labs).
void gradebook_moodle(const struct standings *, uint32_t lab, struct text *out);
// As nbgrader's exporter writes it: a line for each student and lab.
void gradebook_nbgrader(const struct standings *, struct text *out);
#define GRADEBOOK_SCHEMA "warpwise-gradebook/1"
void gradebook_json(const struct standings *, int64_t now, struct text *out);
// One student's feedback on one lab: the mark, each rule of the course that was applied, the report. Empty when nothing
// was handed in.
void gradebook_feedback(const struct standings *, struct book *, const struct standing *, uint32_t lab,
                        struct text *out);

// The same as a page that stands alone; empty when there is no report.
void gradebook_page(const struct standings *, struct book *, const struct standing *, uint32_t lab, struct text *out);

// Writes all of it into a folder: gradebook-canvas.csv, moodle-LAB.csv, nbgrader.csv, gradebook.json,
// feedback/LAB/STUDENT.txt and .html. Each file appears whole or not at all.
void gradebook_write(const struct standings *, struct book *, const char *folder);

#endif
