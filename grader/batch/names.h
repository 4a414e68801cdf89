// Reads the file names of course systems, and finds the author and the lab in parts of a path.
#ifndef BATCH_NAMES_H
#define BATCH_NAMES_H

#include "batch/roster.h"
#include "lab/lab.h"

// Parses a name of a Canvas download, "doejane_LATE_1234_5678_lab3.cu": student, lateness, user, attachment, file. In
// an anonymous download the student is "anon_…". Returns 1 with *file set to the student's own file name, or 0.
int names_canvas(const char *part, struct roster_identity *, int *late, const char **file);
// Parses a name of a Moodle download, "Jane Doe_1234_assignsubmission_file_lab3.cu". For a folder, where the name has
// no file part, *file becomes "". Returns 1 or 0.
int names_moodle(const char *part, struct roster_identity *, const char **file);

// How certain it is that a file belongs to a lab, from weak to strong: its kernels, its folder, the begin of its name,
// its whole name. 0 means that it does not belong to the lab.
enum { NAMES_CONTENT = 1, NAMES_FOLDER, NAMES_BEGIN, NAMES_WHOLE };
// Judges by the file's name ("lab3_syncthreads.cu", "lab3-2.cu"). Returns NAMES_WHOLE, NAMES_BEGIN or 0.
int names_file_lab(const char *file, const struct lab *);
// Judges by the text. Returns NAMES_CONTENT if the text defines all kernels of the lab, or 0.
int names_content_lab(const char *data, size_t bytes, const struct lab *);
// Returns 1 if a part of a path is the lab's name and nothing else ("lab3", "Lab 3", "lab3_syncthreads").
int names_is_lab(const char *part, const struct lab *);
// Writes the author in a file or folder name to `author`: the name without lab names and file extension. It may be
// empty. "lab3-alice" and "alice_lab3_syncthreads.cu" give "alice".
void names_author(const char *part, char *author, size_t size);

#endif
