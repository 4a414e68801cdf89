// Says what became of a path that an import saw. The ledger keeps these entries (book/ledger.h).
#ifndef BATCH_IMPORT_FATE_H
#define BATCH_IMPORT_FATE_H

enum ledger_fate {
#define FATE(name, word, title) LEDGER_##name,
#include "batch/import/fate.def"
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

#endif
