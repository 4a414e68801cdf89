// Finds the lab that a source file is for.
#ifndef BATCH_IMPORT_ASSIGNMENT_H
#define BATCH_IMPORT_ASSIGNMENT_H

#include "batch/import/import.h"
#include "batch/unpack/tree.h"

// Returns 1 and sets *lab if `part`, a part of a path, is a lab's name, or returns 0.
int assignment_of_part(const char *part, const struct lab **lab);
// Returns 1 and sets *lab if the title of an assignment in a course system has the name of exactly one lab, or returns
// 0.
int assignment_of_title(const char *title, const struct lab **lab);
// Returns 1 if the import takes submissions for the lab, because the user asked for this lab.
int assignment_is_wanted(const struct import *, const struct lab *);
// Returns the lab that a source file is for, or NULL if the lab is unknown. `name` is the student's own name of the
// file. `folder` is the lab after which a parent folder of the file is named, or NULL. Sets *rank to the strength of
// the evidence: one of the constants NAMES_…, or 0. Sets *misnamed to the lab after which the file or folder is named
// if the kernels show another lab, or else to NULL.
const struct lab *assignment_find(const struct import *, const struct tree_file *, const char *name,
                                  const struct lab *folder, int *rank, const struct lab **misnamed);

#endif
