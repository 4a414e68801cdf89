// Keeps the ledger, a list of what became of each path that an import saw, so that no submitted file is lost unnoticed.
//
// A path in the ledger is the path of a file, of a git clone, or of a file inside an archive. For a group's submission,
// the ledger has one entry for each member. For a git clone, the ledger has one entry for each lab.
#ifndef BATCH_BOOK_LEDGER_H
#define BATCH_BOOK_LEDGER_H

#include <stdint.h>

#include "batch/import/fate.h"

struct gradebook;
struct text;

// Returns the number of this process's import, which is larger than the numbers of earlier imports.
int64_t ledger_import(void);
// Records an entry in the gradebook's ledger. Deletes the entries that an earlier import made for the same path.
void ledger_put(struct gradebook *, const struct ledger_entry *);
// Appends a ledger entry to `out` as one line of text for people.
void ledger_print(const struct ledger_entry *, struct text *out);
// Appends the ledger to `out` as text: the number of paths with each fate, and the entries that were not taken, sorted
// by student.
void ledger_list(struct gradebook *, struct text *out);

#endif
