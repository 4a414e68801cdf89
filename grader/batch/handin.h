// Gives an imported source to its students, and tells what became of each path of an import.
#ifndef BATCH_HANDIN_H
#define BATCH_HANDIN_H

#include "batch/import.h"

// Begins the import of a path on the command line.
void handin_begin(struct import *);
// Hands a submission to the import's callback take(): once for its author, or once for each member of a group. Cleans
// the author's names and numbers in h->who, and sets the fields `student`, `key` and `name`.
void handin_give(struct import *, struct import_submission *h);
// Tells the import's callback saw() what became of a path. The ledger gets the author's key in the gradebook. `who`,
// `lab` and `why` are NULL if they are unknown. If an archive has several files with the same path, each has an entry
// of its own: the number of the file follows the path of the others.
void handin_tell(struct import *, const char *path, const struct roster_identity *who, const struct lab *lab,
                 enum ledger_fate, const char *why);

#endif
