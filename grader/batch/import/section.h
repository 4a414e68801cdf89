// Tells folders that hold a part of a class, such as "section A", from folders that belong to one student.
#ifndef BATCH_IMPORT_SECTION_H
#define BATCH_IMPORT_SECTION_H

#include "base/arena.h"
#include "base/hash.h"
#include "batch/course/roster.h"
#include "lab/lab.h"

enum section_kind {
    SECTION_NONE,    // one student's
    SECTION_PART,    // a part of the class
    SECTION_UNCLEAR, // one student's or a part of the class
};
struct section_folder {
    const char *path;
    uint32_t children, students; // folders, archives and sources in it; how many of them are a student's on the roster
    // Labs as bits: those for which a folder or archive in it holds a source, and those for which two of them do.
    uint32_t one, two;
    uint32_t systems;         // 2: names in it that a course system made are two persons'
    int loose;                // 1: a source lies in it directly
    const char *example[2];   // names of two folders in it that hold a source
    enum section_kind kind;   // set by section_decide()
    int own;                  // 1: its own name is a student's on the roster, or a course system made it; -1: neither
    char label[ROSTER_LABEL]; // the first person whom a course system's name in it names
};
// Counts the entries in the folders of a tree of submissions. Initialised with zeros. The caller frees a struct section
// with section_free().
struct section {
    struct arena arena;
    struct section_folder *folder;
    uint32_t count, room;
    struct hash_map index, seen, labs; // folders by their paths; children by theirs, and their labs
    uint32_t owned;                    // number of outermost entries that have a student's name
};
// Adds a path to the counts. The path is that of a source, of a file of another kind (`source` is 0), or of a git
// clone, which ends with '/'.
void section_add(struct section *, const struct roster *, const char *path, int source);
// Adds a source or git clone to those of the outermost folder that is not named after a lab. `lab` is the source's lab;
// NULL: any lab. The roster may be NULL.
void section_add_source(struct section *, const struct roster *, const char *path, const struct lab *lab);
// Decides what kind each folder is, from all paths that were added.
void section_decide(struct section *, const struct roster *);
// Returns the kind of the folder whose path is the first `length` bytes of `path`.
enum section_kind section_of(const struct section *, const char *path, size_t length);
void section_free(struct section *);

#endif
