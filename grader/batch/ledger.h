// Keeps the ledger, a list of what became of each path that an import saw, so that no submitted file is lost unnoticed.
//
// A path in the ledger is the path of a file, of a git clone, or of a file inside an archive. For a group's submission,
// the ledger has one entry for each member. For a git clone, the ledger has one entry for each lab.
#ifndef BATCH_LEDGER_H
#define BATCH_LEDGER_H

#include <stdint.h>

struct gradebook;
struct text;

enum ledger_fate {
#define FATE(name, word, title) LEDGER_##name,
#include "batch/ledger.def"
#undef FATE
    LEDGER_FATES
};
struct ledger_entry {
    const char *path;    // begins with the path on the command line
    const char *student; // the student's key or name; "": unknown
    const char *lab;     // "": unknown
    const char *why;     // more words for people, or ""
    enum ledger_fate fate;
};
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
