// Writes marks in the file formats of course systems, and feedback for each student. All functions append to `out`.
#ifndef BATCH_EXPORT_H
#define BATCH_EXPORT_H

#include "batch/results.h"

// Appends the CSV file that Canvas imports as a gradebook, for all labs. Canvas finds students by ID, SIS User ID or
// SIS Login ID, and assignments by the title of their column. The title is "canvas" in course.json, or the one in the
// roster.
void export_canvas(const struct results *, struct gradebook *, struct text *out);
// Appends the CSV file that Moodle imports as a grading worksheet, for one lab. `lab` is an index into the results'
// labs.
void export_moodle(const struct results *, uint32_t lab, struct text *out);
// Appends the CSV file that nbgrader's exporter would write: a line for each student and lab.
void export_nbgrader(const struct results *, struct text *out);
#define EXPORT_SCHEMA "warpwise-gradebook/1"
// Appends all marks as JSON in the schema EXPORT_SCHEMA. `now`, in seconds since 1970, decides which labs are overdue.
void export_json(const struct results *, int64_t now, struct text *out);
// Appends one student's feedback on one lab: the mark, each rule of the course that was applied, and the report.
// Appends nothing if the student handed in nothing.
void export_feedback(const struct results *, struct gradebook *, const struct results_student *, uint32_t lab,
                     struct text *out);

// Appends the same feedback as an HTML page. Appends nothing if there is no report.
void export_page(const struct results *, struct gradebook *, const struct results_student *, uint32_t lab,
                 struct text *out);

// Writes all exports into a folder: gradebook-canvas.csv, moodle-LAB.csv, nbgrader.csv, gradebook.json, and
// feedback/LAB/STUDENT.txt and .html. Each file is written completely or not at all. Dies when it cannot write.
void export_write(const struct results *, struct gradebook *, const char *folder);

#endif
