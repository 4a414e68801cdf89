// Parses file names in downloads of course systems, and finds the author and the lab in the parts of a path.
#ifndef BATCH_UNPACK_NAMES_H
#define BATCH_UNPACK_NAMES_H

#include "batch/unpack/identity.h"
#include "lab/lab.h"

// Parses a name from a Canvas download, such as "doejane_LATE_1234_5678_lab3.cu". A Canvas name has the fields student,
// lateness, user number, attachment number and file. In an anonymous Canvas download, the field student is "anon_…".
// Returns 1 and sets *file to the student's own file name, or returns 0 if `part` is not a Canvas name.
int names_canvas(const char *part, struct identity *, int *late, const char **file);
// Parses a name from a Moodle download, such as "Jane Doe_1234_assignsubmission_file_lab3.cu". In a Moodle download, a
// folder's name has no file part, so names_moodle() sets *file to "". Returns 1 if `part` is a name from a Moodle
// download, or 0.
int names_moodle(const char *part, struct identity *, const char **file);

// Ranks the evidence that a file belongs to a lab, from the weakest (NAMES_CONTENT) to the strongest (NAMES_WHOLE).
// NAMES_CONTENT means that the file defines the lab's kernels, and NAMES_FOLDER that the file's folder has the lab's
// name. NAMES_BEGIN means that the file's name begins with or contains the lab's name, such as "lab3-2.cu" or
// "alice_lab3.cu". NAMES_WHOLE means that the file's name is the lab's name. The rank 0 means that the file does not
// belong to the lab.
enum { NAMES_CONTENT = 1, NAMES_FOLDER, NAMES_BEGIN, NAMES_WHOLE };
// Compares a file's name ("lab3_syncthreads.cu", "lab3-2.cu") with a lab. Returns NAMES_WHOLE, NAMES_BEGIN or 0.
int names_file_lab(const char *file, const struct lab *);
// Returns how many of the lab's kernels the text of a file declares with __global__. For a host lab, names_kernels()
// returns 0, because the student writes none of the lab's kernels.
int names_kernels(const char *data, size_t bytes, const struct lab *);
// Returns how many kernels a lab has.
int names_kernels_of(const struct lab *);
// Returns 1 if `part`, a part of a path, is the lab's name and nothing else ("lab3", "Lab 3", "lab3_syncthreads").
// Blanks and separators around the name do not count ("lab3 "), nor does the word "submissions" after the name.
int names_is_lab(const char *part, const struct lab *);
// Returns the length of the extension of an archive that can be unpacked, such as 7 for ".tar.gz", with which the first
// `length` bytes of `name` end. Returns 0 if there is none.
size_t names_archive_ending(const char *name, size_t length);
// Extracts the author from the name of a file or folder and writes the author to `author`. The author is the file or
// folder name without lab names and without the file extension. Where a lab
// name was removed, the separators around it are removed, too. For example, "lab3-alice" and
// "alice_lab3_syncthreads.cu" both give "alice". The author may be an empty string.
void names_author(const char *part, char *author, size_t size);
// Splits a file or folder name at the first lab's name in it: "class-lab3-jdoe.zip" gives "class" and "jdoe". Returns
// 1, or 0 if the file or folder name contains no lab's name. The arrays `before` and `after` have room for `size` bytes
// each, and may receive empty strings.
int names_around_lab(const char *part, char *before, char *after, size_t size);

#endif
