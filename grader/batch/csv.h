// Comma-separated values (RFC 4180): rosters in, gradebooks out.
#ifndef BATCH_CSV_H
#define BATCH_CSV_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

struct csv {
    struct arena arena; // owns all cells
    struct csv_row {
        const char **cell; // `count` of them, never NULL
        uint32_t count;
    } * row;
    uint32_t count;
};
// Splits a text; the separator (comma, semicolon or tab) is the one that the first line has most of, a byte order mark
// is skipped, empty lines are left out. Free with csv_free.
void csv_parse(struct csv *, const char *data, size_t bytes);
void csv_free(struct csv *);
const char *csv_cell(const struct csv *, uint32_t row, uint32_t column); // "" beyond the row's end

// Adds one cell, behind a comma unless it begins the line: a stranger's text, which a spreadsheet shall not take for a
// formula (report/escape.h), or one of ours, as it stands.
void csv_put(struct text *out, const char *cell);
void csv_put_own(struct text *out, const char *cell);
void csv_put_number(struct text *out, double value, int decimals); // NaN: an empty cell
void csv_end(struct text *out);                                    // ends the line

#endif
