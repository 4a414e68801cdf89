// Splits a path of a submission into its parts, which stand between slashes.
#ifndef BATCH_IMPORT_PART_H
#define BATCH_IMPORT_PART_H

#include "lab/lab.h"

enum { PART_BYTES = 256 };

// Copies the part of a path up to the next '/' to `part`. Returns the path after the first '/', or NULL if the path has
// no '/'.
const char *part_next(const char *path, char part[PART_BYTES]);
// Returns the last part of a path.
const char *part_last(const char *path);
// Returns the part of a path that names a student, by the pattern of the option --students, or NULL if the path does
// not match the pattern. Sets *folder to the lab after which a folder before the student's part of the path is named.
const char *part_by_pattern(const char *pattern, const char *path, const struct lab **folder);

#endif
