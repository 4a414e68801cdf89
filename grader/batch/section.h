// Finds the folders that hold a part of a class, such as "section A", and do not belong to one student.
#ifndef BATCH_SECTION_H
#define BATCH_SECTION_H

#include "base/arena.h"
#include "base/hash.h"
#include "batch/roster.h"

struct section_folder {
    const char *path;
    uint32_t children, students; // folders, archives and sources in it; how many of them are a student's on the roster
};
// Counts the entries in the folders of a tree of submissions. Initialised with zeros. The caller frees a struct section
// with section_free().
struct section {
    struct arena arena;
    struct section_folder *folder;
    uint32_t count, room;
    struct hash_map index, seen; // folders by their paths; children by theirs
};
// Adds a path with at least one '/' to the counts. The path is that of a source, of a file of another kind (`source` is
// 0), or of a git clone, which ends with '/'.
void section_add(struct section *, const struct roster *, const char *path, int source);
// Returns 1 if the folder whose path is the first `length` bytes of `path` holds a part of a class. Such a folder does
// not have a student's name itself. At least two of its entries, and at least half of them, have a student's name.
// If `roster` is NULL, section_is() returns 0.
int section_is(const struct section *, const struct roster *, const char *path, size_t length);
void section_free(struct section *);

#endif
