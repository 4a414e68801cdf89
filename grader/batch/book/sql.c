// Implements sql.h. Values that are bound to an SQL statement with the type letter z are compressed with zstd.
#include "batch/book/sql.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/text.h"

enum { PACKING = 3, UNPACKED_MOST = 256 << 20 };

void sql_fail(struct gradebook *b, int code)
{
    int os = sqlite3_system_errno(b->db);
    switch (code & 0xff) {
    case SQLITE_FULL:
        os = ENOSPC;
        break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        die("the gradebook '%s' is held by another program for too long: try again when that has ended", b->path);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        die("'%s' is no gradebook, or it is damaged: %s", b->path, sqlite3_errmsg(b->db));
    case SQLITE_CANTOPEN:
        die("cannot open the gradebook '%s': %s", b->path, os ? strerror(os) : sqlite3_errmsg(b->db));
    case SQLITE_READONLY:
        die("the gradebook '%s' cannot be written: %s", b->path, sqlite3_errmsg(b->db));
    }
    if (os == ENOSPC || os == EDQUOT || os == EFBIG)
        die("no room is left for the gradebook '%s' (%s): what was recorded is safe; make room and start again",
            b->path, strerror(os));
    die("the gradebook '%s': %s", b->path, sqlite3_errmsg(b->db));
}

static int bind_packed(sqlite3_stmt *s, int index, const struct text *text)
{
    size_t room = ZSTD_compressBound(text->length);
    char *packed = alloc_bytes(room);
    size_t bytes = ZSTD_compress(packed, room, text->data ? text->data : "", text->length, PACKING);
    if (ZSTD_isError(bytes)) BUG("%s", ZSTD_getErrorName(bytes));
    return sqlite3_bind_blob(s, index, packed, (int)bytes, free);
}

void sql_unpack(struct gradebook *b, sqlite3_stmt *s, int column, struct text *out)
{
    if (sqlite3_column_type(s, column) != SQLITE_BLOB) {
        text_puts(out, sql_text(s, column));
        return;
    }
    const void *packed = sqlite3_column_blob(s, column);
    size_t bytes = (size_t)sqlite3_column_bytes(s, column);
    unsigned long long length = ZSTD_getFrameContentSize(packed, bytes);
    char *plain = length <= UNPACKED_MOST ? malloc(length + 1) : NULL;
    if (!plain || ZSTD_isError(ZSTD_decompress(plain, length, packed, bytes))) sql_fail(b, SQLITE_CORRUPT);
    text_add(out, plain, length);
    free(plain);
}

static sqlite3_stmt *prepare(struct gradebook *b, const char *types, const char *sql, va_list args)
{
    sqlite3_stmt *s;
    int code = sqlite3_prepare_v2(b->db, sql, -1, &s, NULL);
    for (int i = 0; types[i] && !code; ++i) {
        const struct text *blob;
        const char *text;
        switch (types[i]) {
        case 't':
            text = va_arg(args, const char *);
            code = sqlite3_bind_text(s, i + 1, text ? text : "", -1, SQLITE_TRANSIENT);
            break;
        case 'i':
            code = sqlite3_bind_int64(s, i + 1, va_arg(args, int64_t));
            break;
        case 'r':
            code = sqlite3_bind_double(s, i + 1, va_arg(args, double));
            break;
        case 'n':
            code = sqlite3_bind_null(s, i + 1);
            break;
        case 'b':
            blob = va_arg(args, const struct text *);
            code = sqlite3_bind_blob(s, i + 1, blob->data ? blob->data : "", (int)blob->length, SQLITE_TRANSIENT);
            break;
        case 'z':
            code = bind_packed(s, i + 1, va_arg(args, const struct text *));
            break;
        default:
            BUG("a value of type '%c'", types[i]);
        }
    }
    if ((code & 0xff) == SQLITE_ERROR || (code & 0xff) == SQLITE_RANGE) BUG("%s: %s", sqlite3_errmsg(b->db), sql);
    if (code) sql_fail(b, code);
    return s;
}

sqlite3_stmt *sql_ask(struct gradebook *b, const char *types, const char *sql, ...)
{
    va_list args;
    va_start(args, sql);
    sqlite3_stmt *s = prepare(b, types, sql, args);
    va_end(args);
    return s;
}

int sql_row(struct gradebook *b, sqlite3_stmt *s)
{
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) return 1;
    if (code != SQLITE_DONE) sql_fail(b, code);
    sqlite3_finalize(s);
    return 0;
}

int sql_do(struct gradebook *b, const char *types, const char *sql, ...)
{
    va_list args;
    va_start(args, sql);
    sqlite3_stmt *s = prepare(b, types, sql, args);
    va_end(args);
    while (sql_row(b, s)) continue;
    return sqlite3_changes(b->db);
}

const char *sql_text(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? text : "";
}

int64_t sql_int(sqlite3_stmt *s, int column)
{
    return sqlite3_column_int64(s, column);
}

double sql_real(sqlite3_stmt *s, int column)
{
    return sqlite3_column_double(s, column);
}

void sql_begin(struct gradebook *b)
{
    sql_do(b, "", "BEGIN IMMEDIATE");
}

void sql_commit(struct gradebook *b)
{
    sql_do(b, "", "COMMIT");
}
