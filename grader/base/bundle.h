// Defines a bundle: the text of a submission, which has the lab's file and the headers handed in beside it. A bundle is
// one text, so that a gradebook, a spool and a job hold a submission with headers like any other.
//
// The lab's file comes first. Behind it come the headers. Before each header stands a line of its own, the mark:
//
//   #line 1 "mine.h" // handed in beside the lab's file
//
// Lines are counted through the whole bundle. The compiler counts them so, too (compile/copy.c), and so do images,
// findings and counters. Only messages for people give the line of a header as "mine.h:7" (bundle_line()).
#ifndef BASE_BUNDLE_H
#define BASE_BUNDLE_H

#include <stdint.h>

#include "base/text.h"

enum {
    BUNDLE_NAME = 64,    // bytes of a header's name, NUL included
    BUNDLE_HEADERS = 32, // maximum number of headers in a bundle; more marks are lines of the last header
    BUNDLE_LINE = BUNDLE_NAME + 12,
};

// Describes a file of a bundle. A zero-initialised struct bundle_file is the position before the first file.
struct bundle_file {
    char name[BUNDLE_NAME]; // name of the header; empty: the lab's file
    const char *text;       // text of the file, in the bundle
    size_t bytes;
    uint32_t before; // number of lines of the bundle before the file's first line
    uint32_t index;  // 1: the lab's file; the first header has 2
};
// Moves to the next file of a bundle. Returns 1, or 0 if there is no further file. A bundle has at least one file.
int bundle_next(struct bundle_file *, const char *bundle, size_t bytes);

// Returns 1 if a path ends as a header's does, such as ".h" or ".cuh".
int bundle_is_header(const char *path);
// Finds the next line #include "NAME" at or behind the position *at whose header can be in the bundle and is not. The
// name of a header in a bundle has letters, digits, '.', '_', '-' and '+'.
// Stores the header's name, and the position behind the line in *at. Returns 1, or 0 if there is no further line.
int bundle_wants(const struct text *bundle, size_t *at, char name[BUNDLE_NAME]);
// Appends a header to a bundle. The header's own includes can then be found with bundle_wants().
void bundle_add(struct text *bundle, const char *name, const char *text, size_t bytes);

// Describes where messages look up lines. The text may be NULL for a source without headers.
struct bundle {
    const char *shown; // path of the lab's file; the headers lie in the same folder
    const char *text;
    size_t bytes;
};
// Writes the number of a line of the bundle for a person: "57", or "mine.h:7" in a header.
void bundle_line(const struct bundle *, uint32_t line, char out[BUNDLE_LINE]);
// Appends the path of the file that has the given line of the bundle, and returns the line's number in this file.
uint32_t bundle_place(const struct bundle *, uint32_t line, struct text *path);

#endif
