// Gives an imported source to its students, and tells what became of each path of an import.
#ifndef BATCH_IMPORT_HANDIN_H
#define BATCH_IMPORT_HANDIN_H

#include "batch/import/import.h"

// Notes which alias names the author of a submission for a lab. If an alias that lacks the author's number fits two
// authors in one download, it does not count there. The caller calls handin_announce() for each submission of a
// download, then handin_give() for each of them, and then handin_end().
void handin_announce(struct import *, const struct identity *, const struct lab *);
void handin_end(struct import *);
// Begins the import of a path on the command line.
void handin_begin(struct import *);
// Hands a submission to the import's callback take(): once for its author, or once for each member of a group. Cleans
// the author's names and numbers in h->who, and sets the fields `student`, `key` and `name`.
void handin_give(struct import *, struct import_submission *h);
// Tells the import's callback saw() what became of a path. The ledger gets the author's key in the gradebook. `who`,
// `lab` and `why` are NULL if they are unknown. If an archive has several files with the same path, each has an entry
// of its own: the number of the file follows the path of the others.
void handin_tell(struct import *, const char *path, const struct identity *who, const struct lab *lab, enum ledger_fate,
                 const char *why);

#endif
