// Gives the files of grader/batch access to the gradebook's SQLite database, with bound values and error handling. An
// SQLite error ends the program with exit code 2. An SQLite error does not damage transactions that were committed.
#ifndef BATCH_BOOK_SQL_H
#define BATCH_BOOK_SQL_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/secret.h"

struct text;

struct gradebook {
    sqlite3 *db;
    char path[4096];
    struct secret secret; // the class's key
    int scratch;          // 1: the database lies in memory, and no file has the key
};

// Prepares an SQL statement and binds values to the statement's parameters. `types` has one type letter for each bound
// value. The type letters are t for a string, i for int64_t, r for double, and n for NULL, which takes no argument. The
// type letter b binds a struct text * as a blob. The type letter z binds a struct text * as a compressed blob.
sqlite3_stmt *sql_ask(struct gradebook *, const char *types, const char *sql, ...);
// Advances an SQL statement to the next row of its result. Returns 1 if the statement has a next row. After the last
// row, sql_row() frees the statement and returns 0.
int sql_row(struct gradebook *, sqlite3_stmt *);
// Prepares and runs an SQL statement that returns no rows. Returns the number of rows that the statement changed.
int sql_do(struct gradebook *, const char *types, const char *sql, ...);
// Returns the text of a column in the statement's current row. The returned text is never NULL and is valid until the
// next call of sql_row().
const char *sql_text(sqlite3_stmt *, int column);
// Appends the text of a column in the statement's current row to `out`. Decompresses a value that was bound with the
// type letter z. Copies uncompressed text, which older gradebooks contain, unchanged.
void sql_unpack(struct gradebook *, sqlite3_stmt *, int column, struct text *out);
// sql_int() and sql_real() return the number in a column. NULL counts as 0.
int64_t sql_int(sqlite3_stmt *, int column);
double sql_real(sqlite3_stmt *, int column);
// sql_begin() begins a transaction that writes, and sql_commit() commits the transaction.
void sql_begin(struct gradebook *);
void sql_commit(struct gradebook *);
// Ends the program with a message that describes the SQLite result code `code`.
_Noreturn void sql_fail(struct gradebook *, int code);

#endif
