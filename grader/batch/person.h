// Decides which names of files and folders are the names of students.
#ifndef BATCH_PERSON_H
#define BATCH_PERSON_H

#include "batch/roster.h"

// Returns 1 if exactly one student on the roster, or one group, has the name `name`. `roster` may be NULL.
int person_is_known(const struct roster *, const char *name);
// Finds the author in the name of a folder or file. The author is the whole name if the roster knows it. If the roster
// does not know the whole name, the author is the part before or behind a lab's name that the roster knows
// ("class-lab3-jdoe"). If the roster knows no part, the author is the name without lab names and extension.
void person_in_part(const struct roster *, const char *part, struct roster_identity *);

#endif
