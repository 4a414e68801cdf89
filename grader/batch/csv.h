// Reads and writes comma-separated values (RFC 4180), for rosters and for exported marks.
#ifndef BATCH_CSV_H
#define BATCH_CSV_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

// A parsed file.
struct csv {
    struct arena arena; // owns all cells
    struct csv_row {
        const char **cell; // `count` strings, none of them NULL
        uint32_t count;
    } * row;
    uint32_t count;
};
// Splits a text into rows and cells. The separator is the comma, semicolon or tab that is most frequent in the first
// line. A byte order mark and empty lines are skipped. Free with arena_free(&csv->arena).
void csv_parse(struct csv *, const char *data, size_t bytes);

// Appends a cell with text of unknown origin, quoted and safe from being read as a formula (report/escape.h). A comma
// precedes every cell except the first of its line.
void csv_put(struct text *out, const char *cell);
// Appends a cell whose text this program wrote, unchanged; quotes it only if it has a comma or blank.
void csv_put_own(struct text *out, const char *cell);
// Appends a number with so many decimals, or an empty cell for NaN.
void csv_put_number(struct text *out, double value, int decimals);
// Ends the line.
void csv_end(struct text *out);

#endif
