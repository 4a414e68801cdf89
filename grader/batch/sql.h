// The gradebook's database as the other files of this folder use it: statements with their values, and what goes wrong.
// Whatever SQLite cannot do ends the program (exit 2) with a sentence; what was committed before is safe.
#ifndef BATCH_SQL_H
#define BATCH_SQL_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/text.h"

struct gradebook {
    sqlite3 *db;
    char path[4096];
};

// Prepares a statement and binds its values, a letter each: t text, i int64_t, r double, n NULL (takes no value),
// b struct text * (as a blob).
sqlite3_stmt *sql_ask(struct gradebook *, const char *types, const char *sql, ...);
int sql_row(struct gradebook *, sqlite3_stmt *); // 1: there is a row; 0: no more, and the statement is freed
// The same for a statement that has no rows. How many it changed.
int sql_do(struct gradebook *, const char *types, const char *sql, ...);
const char *sql_text(sqlite3_stmt *, int column); // never NULL
// Adds what was bound by z, or a text as it stands: what older books have.
void sql_unpack(struct gradebook *, sqlite3_stmt *, int column, struct text *out);
int64_t sql_int(sqlite3_stmt *, int column);
double sql_real(sqlite3_stmt *, int column);
void sql_begin(struct gradebook *); // of a transaction that writes
void sql_commit(struct gradebook *);
_Noreturn void sql_fail(struct gradebook *, int code);

#endif
