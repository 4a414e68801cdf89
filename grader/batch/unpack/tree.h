// Reads into memory the submissions that an instructor imports. The submissions come from a folder, an archive, a
// single source file, or one commit of a git clone. The import never unpacks files to disk and never follows links.
// Only CUDA sources, headers, archives, and the student lists of course systems are read.
#ifndef BATCH_UNPACK_TREE_H
#define BATCH_UNPACK_TREE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/text_struct.h"
#include "batch/unpack/filename.h"

// Holds the path and the contents of a file that was read.
struct tree_file {
    // relative path with '/' between parts and without "..", decoded by filename_decode(); an archive counts as a
    // folder
    const char *path;
    const char *data; // contents; NULL: the file is larger than COMPILE_MOST bytes
    size_t bytes;
    int64_t time;   // modification time of the outermost file of the student, in seconds since 1970; 0: unknown
    int64_t inside; // modification time inside the student's archive; 0: unknown, or not in an archive
    int taken;      // 1: a header that an imported source includes
};
// Names a path that was not read, and says why the path was not read.
struct tree_left {
    const char *path, *why;
};
// Names a git clone.
struct tree_clone {
    const char *path; // relative path, as in struct tree_file, with '/' at the end
    const char *name; // the same path in the bytes of the file system
};
// Holds the files that were read, and notes about the entries that were not read.
struct tree {
    struct arena arena; // owns all strings and arrays
    struct tree_file *file;
    uint32_t count, room;
    struct tree_file *header; // headers, which belong to the sources that include them (base/bundle.h)
    uint32_t headers;
    // Files that may hold a source under another name, such as "lab3.cu.txt"; their paths are in `other`, too.
    struct tree_file *text;
    uint32_t texts;
    int64_t time;     // modification time of an archive on the command line; 0: it is no archive
    uint64_t bytes;   // bytes read or unpacked so far
    uint32_t entries; // files and folders seen so far
    // Numbers of skipped entries. `links` counts links. `strange` counts entries that are not regular files or whose
    // names lead out of the folder.
    uint32_t links, strange;
    struct filename_rule names; // how names are decoded. The caller of tree_read() sets `names.encoding`
    struct hash_map git;        // the .git folders in archives
    struct text refused;        // one line for each archive or folder that could not be read completely; owned
    // Paths that were not read: with the reason, as in `refused`, or with NULL if the entry is hidden, a link, or no
    // regular file.
    struct tree_left *left;
    uint32_t lefts;
    struct tree_clone *clone; // git clones; the caller reads the clones with tree_read_clone()
    uint32_t clones;
    // Paths of the regular files that are not sources, headers included. The import uses these paths to find students
    // who handed in no source.
    const char **other;
    uint32_t others;
};
enum {
    TREE_ENTRIES = 200000, // maximum number of entries in one folder or download
    TREE_DEPTH = 16,       // maximum depth of folders
    TREE_RATIO = 100,      // an archive may unpack to at most its size times TREE_RATIO, plus TREE_SLACK, in bytes
    TREE_SLACK = 1 << 20,
    TREE_WITHIN_ENTRIES = 4096,   // maximum number of entries in a student's archive inside a download
    TREE_WITHIN_BYTES = 16 << 20, // maximum number of unpacked bytes of a student's archive inside a download
};
#define TREE_BYTES (UINT64_C(2) << 30) // maximum number of unpacked bytes of one folder or download

// Reads a folder, an archive (zip, tar with any usual compression, 7z) or a single source file into a tree that is
// empty but for `names`. Returns 0, or -1 with an error message in `why` if `path` cannot be read. The caller frees the
// tree with tree_free() after success and after failure.
int tree_read(struct tree *, const char *path, struct text *why);
// Holds the CUDA sources of one commit of a git clone.
struct tree_commit {
    struct tree tree; // the caller frees it with tree_free()
    int64_t when;     // the commit's date in seconds since 1970
    int missing;      // 1: the clone has no commit
};
// The function tree_read_clone() reads the CUDA sources of `count` commits (at most TREE_COMMITS) in the history of a
// git clone's HEAD. Commit i is the newest commit that was made at or before before[i], a time in seconds since 1970,
// where 0 means no limit. If all commits were made after before[i], commit i is the newest commit. tree_read_clone()
// returns 0, or -1 with an error message in `why`. The caller frees the trees of all commits after success and after
// failure.
enum { TREE_COMMITS = 64 };
int tree_read_clone(struct tree_commit *, const char *path, const int64_t *before, uint32_t count, struct text *why);
// Returns 1 if the folder `path` has a .git folder.
int tree_is_clone(const char *path);
void tree_free(struct tree *);

// Appends a source, and those headers of its folder that it includes, to `bundle` (base/bundle.h), and marks these
// headers as taken. Appends nothing if the source is too large. `own_name` returns the name by which the source's
// author includes a header, or NULL if the header is another author's. If `own_name` is NULL, each header is included
// by its file name.
void tree_bundle(struct tree *, const struct tree_file *source,
                 const char *(*own_name)(void *, const struct tree_file *header), void *, struct text *bundle);

// With the functions from tree_add() to tree_refuse(), the files clone.c, import.c and tree.c fill a tree.
//
// Adds a copy of a file's path and contents to the tree: a source, a student list, or a header. If `data` is NULL, the
// file is too large to keep, and the tree has only its path and size.
void tree_add(struct tree *, const char *path, const char *data, size_t bytes, int64_t time, int64_t inside);
// Adds the path of a file that is not a source to the tree.
void tree_add_other(struct tree *, const char *path);
// Returns 1 if the file is a CUDA source or a student list of a course system.
int tree_wants(const char *path);
// Returns 1 if the tree keeps the contents of the file: if the file is a header, if tree_wants() returns 1, or if the
// file may hold a source under another name.
int tree_keeps(const char *path);
// Returns 1 if the file's extension is the extension of an archive.
int tree_is_archive(const char *path);
// Unpacks an archive in a sandbox (unpack.h) and adds its files to the tree, with `prefix` before their paths. `depth`
// is the number of archives that contain this archive. If a student handed in the archive, `time` is the archive's
// modification time. If the command line names the archive, `time` is 0, and each file's own time counts.
void tree_add_archive(struct tree *, const char *prefix, const char *data, size_t bytes, int depth, int64_t time);
// Returns 1 if the path is relative, not empty, and no part of it is "..".
int tree_stays_inside(const char *path);
// Appends an untrusted text as one line without control characters.
void tree_clean(struct text *, const char *);
// Adds a git clone to the tree.
void tree_add_clone(struct tree *, const struct tree_clone *);
// Adds the path of an entry that is not read, because the entry is hidden, a link, or no regular file, to the tree.
void tree_skip(struct tree *, const char *path);
// Adds a line to the tree's field `refused` with `path` and the reason why `path` was not read completely.
void tree_refuse(struct tree *, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
