// Parses the names that course systems give to what students handed in, when an instructor downloads all of it.
#ifndef BATCH_DOWNLOAD_H
#define BATCH_DOWNLOAD_H

#include "batch/mark.h"
#include "batch/roster.h"

// Holds what the name of a file or folder in a download says.
struct download_name {
    const char *origin; // the course system
    struct roster_identity who;
    char title[64];   // title of the assignment; "": the name has none
    const char *file; // the student's own name of the file, within the parsed name; "": the name has none
    int64_t when;     // time of handing in, in seconds since 1970; 0: the name has none
    enum mark_clock clock;
    int late; // as in struct mark_attempt
};
// Parses one part of a path. Returns 1, or 0 if no course system makes such a name.
int download_parse(const char *part, struct download_name *);

#endif
