// Writes marks in the file formats of course systems, and writes feedback for each student. Each function with a
// parameter `out` appends its text to `out`.
#ifndef BATCH_EXPORT_EXPORT_H
#define BATCH_EXPORT_EXPORT_H

#include "batch/book/results.h"

// Appends the CSV file that Canvas imports as a gradebook, with all labs. Canvas finds students by ID, SIS User ID or
// SIS Login ID. Canvas finds an assignment by the title of its column. The title of a lab's column is the text of the
// lab's field "canvas" in course.json, or else the title in the roster, or else the lab's name.
void export_canvas(const struct results *, struct gradebook *, struct text *out);
// Appends the CSV file that Moodle imports as a grading worksheet for one lab. Its comments have the points, the rules
// that were applied, and what the report advises to do next. `lab` is the index of the lab in struct
// results.
void export_moodle(const struct results *, struct gradebook *, uint32_t lab, struct text *out);
// Appends marks in the CSV format of nbgrader's exporter, with one line for each student and lab.
void export_nbgrader(const struct results *, struct text *out);
#define EXPORT_SCHEMA "warpwise-gradebook/1"
// Appends all marks as JSON in the schema EXPORT_SCHEMA. A lab is overdue if its due date lies before `now`, in seconds
// since 1970.
void export_json(const struct results *, int64_t now, struct text *out);
// Appends one student's feedback on one lab: the mark, each course rule that changed the mark, and the report. Appends
// nothing if the student has neither an attempt at the lab nor a mark that a person set.
void export_feedback(const struct results *, struct gradebook *, const struct results_student *, uint32_t lab,
                     struct text *out);

// Appends the feedback of export_feedback() as an HTML page. Appends nothing if the gradebook has no HTML page for the
// student's attempt.
void export_page(const struct results *, struct gradebook *, const struct results_student *, uint32_t lab,
                 struct text *out);

enum { EXPORT_FILE = 0600 }; // access mode of files with marks: only their owner reads them, whatever the umask is
// Writes all exports into a folder. Files for a course system that knows none of the students are removed instead.
// Appends lines to `told` that say which file goes to which system; it may be NULL. The exported files are
// gradebook-canvas.csv, moodle-LAB.csv, nbgrader.csv, gradebook.json, feedback/LAB/STUDENT.txt and .html, and
// feedback-SYSTEM-LAB.zip (giveback.h). Each exported file is written completely or not at all, with mode EXPORT_FILE.
// Only the owner can read the folders that export_write() makes. Dies if a file cannot be written.
void export_write(const struct results *, struct gradebook *, const char *folder, struct text *told);
// Writes the page that answers a student's appeal (appeal.h) to feedback/LAB/replay/STUDENT.html, and its path to
// `path`. Dies if the page cannot be written.
void export_appeal(const char *key, const struct lab *, const char *folder, const struct text *page, struct text *path);
// Removes the feedback on a student's work from the folder of export_write(). Dies if a file cannot be removed.
void export_forget(const char *key, const char *folder);

#endif
