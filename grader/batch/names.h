// The names that course systems give to what they hand out, and what a path says of author and lab.
#ifndef BATCH_NAMES_H
#define BATCH_NAMES_H

#include "batch/roster.h"
#include "lab/lab.h"

// "doejane_LATE_1234_5678_lab3.cu" (Canvas: sortable name, user, attachment, file), "anon_…" when graded blindly. 1,
// with the file's own name; or 0: it is no such name.
int names_canvas(const char *part, struct roster_identity *, int *late, const char **file);
// "Jane Doe_1234_assignsubmission_file_lab3.cu", or the same without a file: then it is a folder, and *file "". 1 or 0.
int names_moodle(const char *part, struct roster_identity *, const char **file);

// How surely a file is the lab's: 0 not at all; the higher the surer.
enum { NAMES_CONTENT = 1, NAMES_FOLDER, NAMES_BEGIN, NAMES_WHOLE };
// By the file's name ("lab3_syncthreads.cu", "lab3-2.cu").
int names_file_lab(const char *file, const struct lab *);
// By what it defines: all kernels of the lab.
int names_content_lab(const char *data, size_t bytes, const struct lab *);
// A part of a path that is the lab's name and nothing else ("lab3", "Lab 3", "lab3_syncthreads").
int names_is_lab(const char *part, const struct lab *);
// "lab3-alice", "alice_lab3_syncthreads.cu" → "alice": a name without the labs' names and the file's end. May be empty.
void names_author(const char *part, char *author, size_t size);

#endif
