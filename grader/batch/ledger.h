// Keeps a ledger of what became of each path that an import saw, so that nothing that was handed in vanishes.
//
// A path is a file, a git clone, or what an archive contains. A path of a group has an entry for each member, and a
// clone has one for each lab.
#ifndef BATCH_LEDGER_H
#define BATCH_LEDGER_H

#include "base/text.h"

struct gradebook;

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
// Records an entry. Replaces the entries that an earlier import made for the same path.
void ledger_put(struct gradebook *, const struct ledger_entry *);
// Appends an entry as one line for people.
void ledger_print(const struct ledger_entry *, struct text *out);
// Appends the ledger: how many paths had each fate, and each path that was not taken, by student.
void ledger_list(struct gradebook *, struct text *out);

#endif
