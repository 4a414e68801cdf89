// Writes marks in the file formats of course systems, and writes feedback for each student. The functions with a
// parameter `out` append to `out`.
#ifndef BATCH_EXPORT_H
#define BATCH_EXPORT_H

#include "batch/results.h"

// Appends the CSV file that Canvas imports as a gradebook, with all labs. Canvas finds students by ID, SIS User ID or
// SIS Login ID. Canvas finds assignments by the title of their column. The title is "canvas" in course.json, or else
// the title in the roster, or else the lab's name.
void export_canvas(const struct results *, struct gradebook *, struct text *out);
// Appends the CSV file that Moodle imports as a grading worksheet for one lab. `lab` is an index into the labs of the
// results.
void export_moodle(const struct results *, uint32_t lab, struct text *out);
// Appends marks in the CSV format of nbgrader's exporter, with one line for each student and lab.
void export_nbgrader(const struct results *, struct text *out);
#define EXPORT_SCHEMA "warpwise-gradebook/1"
// Appends all marks as JSON in the schema EXPORT_SCHEMA. `now`, in seconds since 1970, decides which labs are overdue.
void export_json(const struct results *, int64_t now, struct text *out);
// Appends one student's feedback on one lab: the mark, each course rule that changed the mark, and the report. Appends
// nothing if the student handed in nothing.
void export_feedback(const struct results *, struct gradebook *, const struct results_student *, uint32_t lab,
                     struct text *out);

// Appends the feedback of export_feedback() as an HTML page. Appends nothing if the student's attempt has no report.
void export_page(const struct results *, struct gradebook *, const struct results_student *, uint32_t lab,
                 struct text *out);

// Writes all exports into a folder. The files are gradebook-canvas.csv, moodle-LAB.csv, nbgrader.csv, gradebook.json,
// and feedback/LAB/STUDENT.txt and .html. A file is written completely or not at all. Dies if a file cannot be written.
void export_write(const struct results *, struct gradebook *, const char *folder);

#endif
