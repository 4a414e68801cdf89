// Parses the file and folder names that course systems make when an instructor downloads all submissions.
#ifndef BATCH_IMPORT_DOWNLOAD_H
#define BATCH_IMPORT_DOWNLOAD_H

#include "batch/course/mark.h"
#include "batch/course/roster.h"

// Holds the facts that the name of a downloaded file or folder contains, such as the author and the time.
struct download_name {
    const char *origin; // the course system
    struct identity who;
    char title[128];  // title of the assignment; "": the name has none
    const char *file; // the student's own name of the file, within the parsed name; "": the name has none
    int64_t when;     // time of handing in, in seconds since 1970; 0: the name has none
    int64_t version;  // orders the student's attempts in one download; 0: the name has no such number
    enum mark_clock clock;
    int late;     // as in struct mark_attempt
    int feedback; // 1: the file or folder is what an instructor gave back to the student
    int perhaps;  // 1: other names have this form, too, so that only a known login shows that a course system made it
};
// Parses one part of a path, such as the name of a folder. Returns 1, or 0 if no course system makes such a name.
int download_parse(const char *part, struct download_name *);
// Parses the name of a file that PrairieLearn put into the folder of a question, such as "lab3_1_2_4567_kernel.cu".
// Sets *version and *file as in struct download_name. Returns 1, or 0 if the name has another form.
int download_question(const char *part, int64_t *version, const char **file);

#endif
