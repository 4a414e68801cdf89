// Tells which names of files and folders are students'.
#ifndef BATCH_PERSON_H
#define BATCH_PERSON_H

#include "batch/roster.h"

// Returns 1 if the roster has exactly one student, or one group, of this name. `roster` may be NULL.
int person_is_known(const struct roster *, const char *name);
// Finds the author in the name of a folder or file. The author is the whole name if the roster knows it. If not, the
// author is the part before or behind a lab's name that the roster knows ("class-lab3-jdoe"), or else what remains of
// the name when lab names and the extension are removed.
void person_in_part(const struct roster *, const char *part, struct roster_identity *);

#endif
