// Names the evidence by which an import gives a source to its author: the path of the source within the download.
//
// The same evidence in a later import is the same hand-in, even if a corrected class list gives it to somebody else
// (attempt.h). It does not depend on where the download lies or on the name of its archive.
#ifndef BATCH_IMPORT_EVIDENCE_H
#define BATCH_IMPORT_EVIDENCE_H

#include <stddef.h>
#include <stdint.h>

// Writes the evidence to `name`. `naming` is the path of the source from the part on that names its author. `base` is
// the name on the command line if that name is the author's, or else NULL. Canvas writes into a file's name whether the
// file is late, which may change from one download to the next, so the evidence is the name without this word.
void evidence_name(const char *origin, const char *base, const char *naming, char *name, size_t size);
// Returns the number in the file system (inode) of the file at `shown`, or of the student's archive that contains it. A
// file that is renamed keeps this number. Returns 0 if nothing below `root`, the path on the command line, is found.
int64_t evidence_node(const char *root, const char *shown);

#endif
