// Reads an instructor's input into memory: a folder, an archive, or one commit of a git clone. It never unpacks to disk
// and never follows links. It keeps only CUDA sources, archives inside the input, and the lists of course systems.
#ifndef BATCH_TREE_H
#define BATCH_TREE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

// A file with its contents.
struct tree_file {
    const char *path; // relative, with '/' between parts and no ".."; an archive counts as a folder
    const char *data; // NULL: larger than a source may be
    size_t bytes;
    int64_t time; // seconds since 1970; 0: unknown
};
// The files that were read, and what was not read.
struct tree {
    struct arena arena; // owns all strings and arrays
    struct tree_file *file;
    uint32_t count, room;
    uint64_t bytes;   // bytes read or unpacked so far
    uint32_t entries; // files and folders seen so far
    // Entries not taken: links; and entries that are no regular files or whose names lead out of the folder.
    uint32_t links, strange;
    struct text refused; // a line for each archive or folder that could not be read completely; owned
    const char **clone;  // relative paths of git clones, to be read with tree_read_clone()
    uint32_t clones;
    // The first TREE_OTHERS regular files that are no sources. A student who handed in only such files may be told so.
    const char **other;
    uint32_t others;
};
enum {
    TREE_ENTRIES = 200000, // most entries in one folder or download
    TREE_DEPTH = 16,       // most levels of folders
    TREE_OTHERS = 1 << 14,
    TREE_RATIO = 100, // most bytes that an archive may unpack to: its size times TREE_RATIO, plus TREE_SLACK
    TREE_SLACK = 1 << 20,
    TREE_WITHIN_ENTRIES = 4096,   // most entries in a student's archive inside a download
    TREE_WITHIN_BYTES = 16 << 20, // most unpacked bytes of such an archive
};
#define TREE_BYTES (UINT64_C(2) << 30) // most unpacked bytes of one folder or download

// Reads a folder, an archive (zip, tar with any usual compression, 7z) or a single source. Returns 0, or -1 with a
// sentence in `why`. Free with tree_free() in both cases.
int tree_read(struct tree *, const char *path, struct text *why);
// Reads the sources of the newest commit on HEAD that was made at or before `before`, in seconds since 1970 (0: any
// time). *when becomes the commit's date. Returns 0, 1 if there is no such commit, or -1 with a sentence in `why`.
int tree_read_clone(struct tree *, const char *path, int64_t before, int64_t *when, struct text *why);
// Returns 1 if a folder has a .git folder.
int tree_is_clone(const char *path);
void tree_free(struct tree *);

// Functions for archive.c, clone.c and tree.c, which fill a tree.
//
// Adds a file with its contents, which are copied if tree_wants() the file. NULL for `data` marks a file that is too
// large.
void tree_add(struct tree *, const char *path, const char *data, size_t bytes, int64_t time);
// Adds a file that is no source.
void tree_add_other(struct tree *, const char *path);
// Returns 1 if the file's contents are kept: a CUDA source or a course system's list.
int tree_wants(const char *path);
// Returns 1 if the file's extension is that of an archive.
int tree_is_archive(const char *path);
// Adds the files in an archive, with `prefix` before their paths. `depth` is the number of archives around it.
void tree_add_archive(struct tree *, const char *prefix, const char *data, size_t bytes, int depth);
// Adds the relative path of a git clone.
void tree_add_clone(struct tree *, const char *path);
// Adds a line to `refused`: the path and the reason why it was not read completely.
void tree_refuse(struct tree *, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
