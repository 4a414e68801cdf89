// Decides which names of files and folders are the names of students.
#ifndef BATCH_IMPORT_PERSON_H
#define BATCH_IMPORT_PERSON_H

#include "batch/import/download.h"

// Returns 1 if exactly one student on the roster, or one group, has the name `name`. `roster` may be NULL.
int person_is_known(const struct roster *, const char *name);
// Parses one part of a path as download_parse() does, with the help of the roster, which may be NULL. If a name from
// Blackboard joins a title and a login by '_', the roster knows where the login begins. A name that a student may have
// made, too, counts only if the roster has its login.
int person_in_download(const struct roster *, const char *part, struct download_name *);
// Finds the author in the name of a folder or file. The author is the whole name if the roster knows it. If the roster
// does not know the whole name, the author is the part before or behind a lab's name that the roster knows
// ("class-lab3-jdoe"). If the roster knows no part, the author is the name without lab names and extension.
void person_in_part(const struct roster *, const char *part, struct identity *);

#endif
