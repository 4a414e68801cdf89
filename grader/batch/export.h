// Marks as course systems take them, and what each student gets to read.
#ifndef BATCH_EXPORT_H
#define BATCH_EXPORT_H

#include "batch/results.h"

// Canvas: one file for all labs, as its gradebook exports and imports it. Students are found by ID, SIS User ID or SIS
// Login ID, assignments by the column's title ("canvas" in course.json, or as it stood in a roster from Canvas).
void export_canvas(const struct results *, struct gradebook *, struct text *out);
// Moodle: one grading worksheet for each lab (`lab` an index into the results' labs).
void export_moodle(const struct results *, uint32_t lab, struct text *out);
// As nbgrader's exporter writes it: a line for each student and lab.
void export_nbgrader(const struct results *, struct text *out);
#define EXPORT_SCHEMA "warpwise-gradebook/1"
void export_json(const struct results *, int64_t now, struct text *out);
// One student's feedback on one lab: the mark, each rule of the course that was applied, the report. Empty when nothing
// was handed in.
void export_feedback(const struct results *, struct gradebook *, const struct results_student *, uint32_t lab,
                     struct text *out);

// The same as a page that stands alone; empty when there is no report.
void export_page(const struct results *, struct gradebook *, const struct results_student *, uint32_t lab,
                 struct text *out);

// Writes all of it into a folder: gradebook-canvas.csv, moodle-LAB.csv, nbgrader.csv, gradebook.json,
// feedback/LAB/STUDENT.txt and .html. Each file appears whole or not at all.
void export_write(const struct results *, struct gradebook *, const char *folder);

#endif
