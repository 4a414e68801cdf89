// Imports git clones.
#ifndef BATCH_IMPORT_REPOSITORY_H
#define BATCH_IMPORT_REPOSITORY_H

#include "batch/import/import.h"

// Imports, for each lab, the newest commit of the git clone `path` before the due date of the author `who`. If all
// commits of the clone are after the due date, imports the newest commit, which is late. `path` is the clone's path for
// display, `name` is the same path in the bytes of the file system, and `naming` is the name that decided the author.
void repository_take(struct import *, const char *path, const char *name, const char *naming,
                     const struct identity *who);

#endif
