// Parses the file and folder names that course systems make when an instructor downloads all submissions.
#ifndef BATCH_DOWNLOAD_H
#define BATCH_DOWNLOAD_H

#include "batch/mark.h"
#include "batch/roster.h"

// Holds the facts that the name of a downloaded file or folder contains, such as the author and the time.
struct download_name {
    const char *origin; // the course system
    struct roster_identity who;
    char title[64];   // title of the assignment; "": the name has none
    const char *file; // the student's own name of the file, within the parsed name; "": the name has none
    int64_t when;     // time of handing in, in seconds since 1970; 0: the name has none
    enum mark_clock clock;
    int late; // as in struct mark_attempt
};
// Parses one part of a path, such as the name of a folder. Returns 1, or 0 if no course system makes such a name.
int download_parse(const char *part, struct download_name *);

#endif
