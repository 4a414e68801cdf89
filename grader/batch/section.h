// Finds the folders that hold a part of a class, such as "section A", and are no student's.
#ifndef BATCH_SECTION_H
#define BATCH_SECTION_H

#include "base/arena.h"
#include "base/hash.h"
#include "batch/roster.h"

struct section_folder {
    const char *path;
    uint32_t children, students; // folders, archives and sources in it; how many of them are a student's on the roster
};
// Holds what is in the folders of a tree. Initialised with zeros. The caller frees it with section_free().
struct section {
    struct arena arena;
    struct section_folder *folder;
    uint32_t count, room;
    struct hash_map index, seen; // folders by their paths; children by theirs
};
// Adds a path with at least one '/': a source, a file of another kind (`source` is 0), or a clone with '/' at its end.
void section_add(struct section *, const struct roster *, const char *path, int source);
// Returns 1 if the folder whose path has this length at the begin of `path` holds a part of a class: its own name is no
// student's, and at least two of its children, and half of them, are. Without a roster, no folder is one.
int section_is(const struct section *, const struct roster *, const char *path, size_t length);
void section_free(struct section *);

#endif
