// The gradebook's database for the other files of this folder: statements with bound values, and error handling. An
// SQLite error ends the program with exit code 2. Committed transactions are safe.
#ifndef BATCH_SQL_H
#define BATCH_SQL_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/text.h"

struct gradebook {
    sqlite3 *db;
    char path[4096];
};

// Prepares a statement and binds its values. `types` has a letter for each value: t string, i int64_t, r double, n NULL
// (takes no argument), b struct text * as a blob, z struct text * as a compressed blob.
sqlite3_stmt *sql_ask(struct gradebook *, const char *types, const char *sql, ...);
// Advances to the next row. Returns 1, or 0 after the last row; the statement is then freed.
int sql_row(struct gradebook *, sqlite3_stmt *);
// Prepares and runs a statement that returns no rows. Returns the number of rows it changed.
int sql_do(struct gradebook *, const char *types, const char *sql, ...);
// Returns a column's text, never NULL. The pointer is valid until the next sql_row().
const char *sql_text(sqlite3_stmt *, int column);
// Appends a column's text to `out`. Decompresses what was bound with z; takes plain text, which older gradebooks have,
// as it is.
void sql_unpack(struct gradebook *, sqlite3_stmt *, int column, struct text *out);
// Return a column's number; NULL counts as 0.
int64_t sql_int(sqlite3_stmt *, int column);
double sql_real(sqlite3_stmt *, int column);
// Begins a transaction that writes.
void sql_begin(struct gradebook *);
void sql_commit(struct gradebook *);
// Ends the program with a message that describes an SQLite result code.
_Noreturn void sql_fail(struct gradebook *, int code);

#endif
