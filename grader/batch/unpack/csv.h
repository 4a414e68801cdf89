// Reads and writes comma-separated values (RFC 4180), for rosters and for exported marks.
#ifndef BATCH_UNPACK_CSV_H
#define BATCH_UNPACK_CSV_H

#include <stdint.h>

#include "base/arena.h"

struct text;

enum { CSV_CELLS = 64, CSV_ROWS = 1 << 17 };
// A parsed CSV file.
struct csv {
    struct arena arena; // owns all cells
    struct csv_row {
        const char **cell; // `count` strings; every string is non-NULL
        uint32_t count;
    } * row;
    uint32_t count;
};
// Splits a CSV text into rows and cells. Cells of a row beyond CSV_CELLS are dropped. The separator of the cells is the
// character that a first line "sep=;" names, or else the comma, semicolon, tab or vertical bar that is most frequent in
// the first line. Skips a byte order mark, the line "sep=;" and empty lines. The caller frees the result with
// arena_free(&csv->arena).
void csv_parse(struct csv *, const char *data, size_t bytes);

// Converts a table that a person saved to UTF-8. In contrast to encoding_to_utf8(), also converts UTF-16 without a byte
// order mark, as some exports have it. Returns 0, or -1 with the reason as a sentence in *why if the text is a workbook
// of a spreadsheet program.
int csv_to_utf8(struct text *, struct text *why);
// Parses a CSV text of any encoding in a sandbox (unpack.h). Returns 0, or -1 with the reason as a sentence in *why.
// The reason may be a limit of the sandbox, or more than CSV_ROWS rows in the text. The caller frees the result with
// arena_free(&csv->arena) after success and after failure.
int csv_read(struct csv *, const char *data, size_t bytes, struct text *why);

#endif
