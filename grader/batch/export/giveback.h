// Packs the reports of a lab for the course system from which the submissions came, so that one upload gives all of
// them back.
#ifndef BATCH_EXPORT_GIVEBACK_H
#define BATCH_EXPORT_GIVEBACK_H

#include "batch/book/results.h"

enum { GIVEBACK_SYSTEMS = 2 };
// A course system that takes reports back.
struct giveback_system {
    const char *origin; // as in struct import_submission
    const char *word;   // in the name of the archive: "feedback-WORD-LAB.zip"
};
extern const struct giveback_system giveback_system[GIVEBACK_SYSTEMS];
// Appends an archive with the reports of one lab to `out`, under the names that the submissions have in the system's
// download. `lab` is the index of the lab in the results. Appends nothing if no submission came from this system. A
// file that is several students' is left out, because its report names only one of them. Returns the number of files
// that were left out.
uint32_t giveback_pack(const struct results *, struct gradebook *, uint32_t lab, const struct giveback_system *,
                       struct text *out);

#endif
