// Defines a bundle: one text that holds a submission's main file (the lab's file) and the headers that were handed in
// with this file. Since a bundle is one text, a gradebook, a spool folder or a grading job stores a submission with
// headers like a submission of one file.
//
// In a bundle, the lab's file comes first and the headers follow. In a bundle, each header follows a line that marks
// its start:
//
//   #line 1 "mine.h" // handed in beside the lab's file
//
// Line numbers count through the whole bundle, from the first line of the lab's file to the last line of the last
// header. The compiler (compile/copy.c), kernel images, findings and counters also use these line numbers of the whole
// bundle. Only messages for people give a line of a header as "mine.h:7" (bundle_line()).
#ifndef BASE_BUNDLE_H
#define BASE_BUNDLE_H

#include <stddef.h>
#include <stdint.h>

struct text;

enum {
    BUNDLE_NAME = 64,    // bytes of a header's name, NUL included
    BUNDLE_HEADERS = 32, // maximum number of headers in a bundle; more marks are lines of the last header
    BUNDLE_LINE = BUNDLE_NAME + 12,
};

// Describes one file of a bundle: the lab's file or a header. A zero-initialised struct bundle_file is the position
// before the first file.
struct bundle_file {
    char name[BUNDLE_NAME]; // name of the header; empty: the lab's file
    const char *text;       // text of the file, in the bundle
    size_t bytes;
    uint32_t before; // number of lines of the bundle before the file's first line
    uint32_t index;  // 1: the lab's file; the first header has 2
};
// Sets the struct bundle_file to the next file of the bundle. Returns 1, or 0 if the bundle has no further file. A
// bundle has at least one file.
int bundle_next(struct bundle_file *, const char *bundle, size_t bytes);

// Returns 1 if a path ends as a header's does, such as ".h" or ".cuh".
int bundle_is_header(const char *path);
// Finds the next line #include "NAME" at or behind the position *at whose header may be in the bundle but is missing
// there. A header can be in a bundle only if its name consists of letters, digits, '.', '_', '-' and '+'. Stores the
// missing header's name in `name`, and the position behind the #include line in *at. Returns 1, or 0 if no further
// #include line names a missing header.
int bundle_wants(const struct text *bundle, size_t *at, char name[BUNDLE_NAME]);
// Appends the header `name` with the content `text` to a bundle. The header's own includes can then be found with
// bundle_wants().
void bundle_add(struct text *bundle, const char *name, const char *text, size_t bytes);

// Describes a source in which messages look up the file and line number of a line of the bundle. The field `text` may
// be NULL for a source without headers.
struct bundle {
    const char *shown; // path of the lab's file; the headers lie in the same folder
    const char *text;
    size_t bytes;
};
// Writes the line number that people read for a line of the bundle: "57" in the lab's file, or "mine.h:7" in a header.
void bundle_line(const struct bundle *, uint32_t line, char out[BUNDLE_LINE]);
// Returns the column of the first character of a line of the bundle that is not blank, from 1. Returns 1 for a blank
// line, and for a line that the bundle's text does not have.
uint32_t bundle_column(const struct bundle *, uint32_t line);
// Appends the path of the file that contains the line `line` of the bundle to `path`, and returns the line's number in
// this file.
uint32_t bundle_place(const struct bundle *, uint32_t line, struct text *path);

#endif
