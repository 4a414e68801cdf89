// What an instructor hands over, read into memory: a folder, an archive, one state of a git clone. Nothing is unpacked
// onto a disk, no link is followed, and only what can matter is kept: CUDA sources, archives within, course systems'
// lists.
#ifndef BATCH_TREE_H
#define BATCH_TREE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

struct tree_file {
    const char *path; // relative, '/' between its parts, no ".."; an archive within counts as a folder
    const char *data; // NULL: more than a source may have
    size_t bytes;
    int64_t time; // seconds since 1970; 0: not known
};
struct tree {
    struct arena arena; // owns all
    struct tree_file *file;
    uint32_t count, room;
    uint64_t bytes;          // that were read or unpacked
    uint32_t entries;        // that were looked at
    uint32_t links, strange; // not taken: links; what is neither file nor folder, or has a name that leads elsewhere
    struct text refused;     // a line for each archive or folder that could not be read to its end; owned
    const char **clone;      // folders that are git clones, relative; read by tree_read_clone
    uint32_t clones;
    const char **other; // the first regular files that are nothing of the kind: whose author may have meant one
    uint32_t others;
};
enum {
    TREE_ENTRIES = 200000, // of one folder or download at most …
    TREE_DEPTH = 16,       // … and folders in folders
    TREE_OTHERS = 1 << 14,
    TREE_RATIO = 100, // times its size that an archive may unpack to, beyond TREE_SLACK
    TREE_SLACK = 1 << 20,
    TREE_WITHIN_ENTRIES = 4096,   // of a student's archive within a download at most …
    TREE_WITHIN_BYTES = 16 << 20, // … and unpacked bytes
};
#define TREE_BYTES (UINT64_C(2) << 30) // of one folder or download at most, unpacked

// Reads a folder, an archive (zip, tar with any usual compression, 7z) or a single source. 0; or -1 with a sentence in
// why. Free with tree_free in both cases.
int tree_read(struct tree *, const char *path, struct text *why);
// Reads the sources of the last commit of a clone's HEAD that was made not later than `before` (0: any). `when`: the
// commit's date. 0; 1: there is no such commit; -1 with a sentence in why.
int tree_read_clone(struct tree *, const char *path, int64_t before, int64_t *when, struct text *why);
int tree_is_clone(const char *path);
void tree_free(struct tree *);

// The parts. Adds a file, or what an archive holds; `data` is copied where it is kept.
void tree_add(struct tree *, const char *path, const char *data, size_t bytes, int64_t time);
void tree_add_other(struct tree *, const char *path);
int tree_wants(const char *path); // 1: its contents matter
int tree_is_archive(const char *path);
void tree_add_archive(struct tree *, const char *prefix, const char *data, size_t bytes, int depth);
void tree_add_clone(struct tree *, const char *path);
void tree_refuse(struct tree *, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
