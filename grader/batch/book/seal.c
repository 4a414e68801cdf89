// Implements seal.h with seal(), a function that SQL statements call, and with temporary triggers that call seal()
// after each change of a row.
//
// Theory of operation: each row of a gradebook has a seal of its own. When a gradebook is opened, the seal of every row
// in the tables of tables[] is checked before any row is used. If one row does not bear the class's seal (a hash keyed
// with the class's secret key), no command makes marks from the gradebook. After the check of all seals, a command uses
// only data that the seals cover, for the following reasons:
//
//   - The names of the columns are hashed with their values. A renamed column therefore breaks the seal.
//   - A score and a measured speed are bound to the seal of their run, and not only to its number. Rows of two
//     gradebooks with the same key cannot be mixed.
//   - A forged file may contain a schema of its own, such as a view instead of a table, or a trigger. Tables must
//     have exactly the columns that schema.sql makes, and a file with a trigger is refused. SQLite refuses to call
//     seal() from the file's schema.
//
// A row's seal shows that a program with the class's key wrote the row. The seals do not show whether rows were
// removed, or whether a row comes from an earlier state of the same gradebook.
#define _GNU_SOURCE
#include "batch/book/seal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/secret.h"
#include "base/text.h"
#include "base/utf8.h"
#include "batch/book/gradebook.h"
#include "batch/book/sql.h"

enum { SHOWN = 20 };

// Lists the tables whose rows are sealed. Each table follows the tables to which its rows refer. The field `name` is an
// SQL expression for the text that names a row `t` in messages. The field `bound` is an SQL expression for data that
// the seal covers in addition to the row's columns.
#define STUDENTS                                                                                                       \
    "coalesce((SELECT group_concat(DISTINCT a.student) FROM main.attempt AS a WHERE a.source = r.source AND a.lab = "  \
    "r.lab), 'source ' || r.source)"
#define OF_RUN "coalesce((SELECT r.lab || ', ' || " STUDENTS " FROM main.run AS r WHERE r.id = t.run), '?')"
#define SEAL_OF_RUN "(SELECT r.seal FROM main.run AS r WHERE r.id = run)"
static const struct table {
    const char *table, *name, *bound;
} tables[] = {
    {"setting", "'setting ' || t.name", "''"},
    {"student", "'student ' || t.key", "''"},
    {"source", "'source ' || t.hash", "''"},
    {"rubric", "'rubric ' || t.name", "''"},
    {"attempt", "'attempt ' || t.id || ' (' || t.lab || ', ' || t.student || ')'", "''"},
    {"run",
     "'run ' || t.id || ' (' || t.lab || ', ' || (SELECT " STUDENTS " FROM (SELECT t.source, t.lab) AS r) || ')'",
     "''"},
    {"measured", "'measured speed of run ' || t.run || ' (' || " OF_RUN " || ')'", SEAL_OF_RUN},
    {"score", "'score of run ' || t.run || ' (' || " OF_RUN " || ')'", SEAL_OF_RUN},
    {"override", "'override ' || t.id || ' (' || t.lab || ', ' || t.student || ')'", "''"},
    {"participant", "'participant ' || t.number || ' (' || t.lab || ', ' || t.student || ')'", "''"},
    {"forgotten", "'forgotten ' || t.id", "''"},
    {"alias", "'alias ' || t.name || ' (' || t.student || ')'", "''"},
    {"evidence", "'evidence ' || t.id || ' (' || t.lab || ', ' || t.student || ')'", "''"},
    {"forgotten_path", "'forgotten_path ' || t.hash", "''"},
    {"rules", "'rules ' || t.path", "''"},
    {"decision", "'decision ' || t.id || ' (attempt ' || t.attempt || ')'", "''"},
};
enum { TABLES = sizeof tables / sizeof *tables, RUN = 5 };

// ------------------------------------------------------------------------------------------------------------ the seal
// Appends an SQL value to `t` in such a form that different lists of values always give different texts.
static void add_value(struct text *t, sqlite3_value *v)
{
    int type = sqlite3_value_type(v);
    if (type == SQLITE_FLOAT) {
        text_printf(t, "r%.17g;", sqlite3_value_double(v));
        return;
    }
    const void *data = type == SQLITE_BLOB ? sqlite3_value_blob(v) : sqlite3_value_text(v);
    int bytes = sqlite3_value_bytes(v);
    text_printf(t, "%d:%d:", type, bytes);
    text_add(t, data ? data : "", (size_t)bytes);
}

static void seal(sqlite3_context *c, int count, sqlite3_value **value)
{
    const struct gradebook *b = sqlite3_user_data(c);
    struct text t = {0};
    uint64_t word[2];
    char digits[33];
    for (int i = 0; i < count; ++i) add_value(&t, value[i]);
    secret_seal(&b->secret, "row of a gradebook", t.data, t.length, word);
    snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, word[0], word[1]);
    sqlite3_result_text(c, digits, -1, SQLITE_TRANSIENT);
    text_free(&t);
}

// Appends an SQL call of seal() for a row of a table, such as seal('run', '', 'id', "id", …). The second argument of
// seal() is the SQL expression in the table's field `bound`.
static void add_call(struct gradebook *b, const struct table *t, struct text *sql)
{
    sqlite3_stmt *s = sql_ask(b, "t", "SELECT name FROM pragma_table_info(?, 'main') WHERE name <> 'seal'", t->table);
    text_printf(sql, "seal('%s', %s", t->table, t->bound);
    while (sql_row(b, s)) text_printf(sql, ", '%s', \"%s\"", sql_text(s, 0), sql_text(s, 0));
    text_puts(sql, ")");
}

// Makes temporary triggers that seal a row of the table after each INSERT or UPDATE.
static void add_triggers(struct gradebook *b, const struct table *t)
{
    static const char *const events[] = {"INSERT", "UPDATE"};
    struct text where = {0}, columns = {0};
    const char *and = "";
    sqlite3_stmt *s =
        sql_ask(b, "t", "SELECT name, pk FROM pragma_table_info(?, 'main') WHERE name <> 'seal'", t->table);
    for (; sql_row(b, s); and = " AND ") {
        text_printf(&columns, "%s\"%s\"", *and? ", " : "", sql_text(s, 0));
        if (sql_int(s, 1))
            text_printf(&where, "%s\"%s\" = NEW.\"%s\"", where.length ? and : "", sql_text(s, 0), sql_text(s, 0));
    }
    for (int i = 0; i < 2; ++i) {
        struct text sql = {0};
        text_printf(&sql,
                    "CREATE TEMP TRIGGER seal_%s_%s AFTER %s%s%s ON main.%s BEGIN UPDATE %s SET seal = ", events[i],
                    t->table, events[i], i ? " OF " : "", i ? columns.data : "", t->table, t->table);
        add_call(b, t, &sql);
        text_printf(&sql, " WHERE %s; END", where.data);
        sql_do(b, "", sql.data);
        text_free(&sql);
    }
    text_free(&where);
    text_free(&columns);
}

// -------------------------------------------------------------------------------------------------------- the schema
// Appends the columns of a table to `out`, as the database declares them. The text for a view or for a table with
// generated columns differs from the text for the table that schema.sql makes.
static void add_columns(struct gradebook *b, const char *database, const char *table, struct text *out)
{
    sqlite3_stmt *s =
        sql_ask(b, "tt", "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?, ?)", table, database);
    while (sql_row(b, s))
        text_printf(out, "%s %s %d %d %d\n", sql_text(s, 0), sql_text(s, 1), (int)sql_int(s, 2), (int)sql_int(s, 3),
                    (int)sql_int(s, 4));
}

// Returns 1 if a table has the same columns in the database `database` as in the gradebook `right`, and is neither a
// view nor a virtual table.
static int is_table(struct gradebook *b, const char *database, struct gradebook *right, const char *table)
{
    struct text sql = {0}, columns[2] = {{0}, {0}};
    text_printf(&sql, "SELECT count(*) FROM %s.sqlite_schema WHERE name = ? AND type = 'table' AND rootpage > 0",
                database);
    sqlite3_stmt *s = sql_ask(b, "t", sql.data, table);
    int same = sql_row(b, s) && sql_int(s, 0) == 1;
    sqlite3_finalize(s);
    if (same) { // SQLite would execute a view to find its columns
        add_columns(b, database, table, &columns[0]);
        add_columns(right, "main", table, &columns[1]);
        same = columns[0].length && !strcmp(columns[0].data, columns[1].data);
    }
    text_free(&columns[0]);
    text_free(&columns[1]);
    text_free(&sql);
    return same;
}

// Dies if a table of the database differs from the table that schema.sql makes, or if the database contains a trigger.
static void check_schema(struct gradebook *b, const char *database, const char *path)
{
    struct gradebook right = {.path = ":memory:"};
    struct text sql = {0};
    int code = sqlite3_open(right.path, &right.db);
    if (code) sql_fail(&right, code);
    gradebook_make_tables(&right);
    text_printf(&sql, "SELECT count(*) FROM %s.sqlite_schema WHERE type = 'trigger'", database);
    sqlite3_stmt *s = sql_ask(b, "", sql.data);
    int same = sql_row(b, s) && !sql_int(s, 0);
    sqlite3_finalize(s);
    for (int i = 0; i < TABLES && same; ++i) same = is_table(b, database, &right, tables[i].table);
    sqlite3_close(right.db);
    text_free(&sql);
    if (!same) die("'%s' is no gradebook of this program: somebody changed its tables", path);
}

void seal_begin(struct gradebook *b)
{
    sqlite3_db_config(b->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL); // the file's schema must not call seal()
    int code = sqlite3_create_function(b->db, "seal", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, b, seal, NULL, NULL);
    if (code) sql_fail(b, code);
    check_schema(b, "main", b->path);
    for (int i = 0; i < TABLES; ++i) add_triggers(b, &tables[i]);
}

// ----------------------------------------------------------------------------------------------------------- checking
// Counts the checked rows, the rows without a valid seal (`wrong`), and the rows that an older program wrote without
// any seal (`blank`).
struct count {
    uint32_t rows, wrong, blank;
};

// Checks the seals of a table's rows, and appends the names of the rows without a valid seal to `names`, one per line.
static void check_table(struct gradebook *b, const char *database, const struct table *t, struct count *count,
                        struct text *names)
{
    struct text sql = {0};
    text_printf(&sql, "SELECT t.seal IS ");
    add_call(b, t, &sql);
    text_printf(&sql, ", t.seal = '', %s FROM %s.%s AS t", t->name, database, t->table);
    sqlite3_stmt *s = sql_ask(b, "", sql.data);
    for (; sql_row(b, s); ++count->rows) {
        if (sql_int(s, 0)) continue;
        ++count->wrong;
        count->blank += (uint32_t)sql_int(s, 1);
        utf8_clean_line(names, sql_text(s, 2), (size_t)sqlite3_column_bytes(s, 2));
        text_puts(names, "\n");
    }
    text_free(&sql);
}

static void check_all(struct gradebook *b, struct count *count, struct text *names)
{
    for (int i = 0; i < TABLES; ++i) check_table(b, "main", &tables[i], count, names);
}

// Prints a warning for each row in `names`, a list of rows without a valid seal, but prints at most SHOWN warnings.
static void warn(const char *path, const struct text *names)
{
    const char *at = names->data;
    for (int i = 0; *at && i < SHOWN; ++i, at = strchr(at, '\n') + 1)
        message_warn("'%s': the row '%.*s' does not bear the class's seal", path, (int)strcspn(at, "\n"), at);
}

void seal_check(struct gradebook *b)
{
    struct count n = {0};
    struct text names = {0};
    check_all(b, &n, &names);
    if (n.wrong && n.blank == n.rows)
        die("the gradebook '%s' was written before rows were sealed: if nobody else could change it, run './grade seal "
            "accept' once",
            b->path);
    if (n.wrong && n.wrong == n.rows)
        die("no row of the gradebook '%s' bears the seal of the key '%s.key': this is another gradebook's key", b->path,
            b->path);
    if (n.wrong) warn(b->path, &names);
    if (n.wrong)
        die("the gradebook '%s' has rows without the class's seal (%u), so no marks are made: see './grade help seal'",
            b->path, n.wrong);
    text_free(&names);
}

void seal_attach(struct gradebook *b, const char *path)
{
    struct gradebook *later = alloc_zeroed(1, sizeof *later); // the same connection: an error is that of the other file
    struct count n = {0};
    struct text names = {0};
    *later = *b;
    snprintf(later->path, sizeof later->path, "%s", path);
    sql_do(later, "t", "ATTACH ? AS later", path);
    sqlite3_stmt *s = sql_ask(later, "", "PRAGMA later.user_version");
    int version = sql_row(later, s) ? (int)sql_int(s, 0) : 0;
    sqlite3_finalize(s);
    if (!version) die("'%s' is no gradebook", path);
    if (version != GRADEBOOK_VERSION)
        die("the gradebook '%s' has the version %d, and this program merges version %d", path, version,
            GRADEBOOK_VERSION);
    check_schema(later, "later", path);
    check_table(later, "later", &tables[RUN], &n, &names);
    if (n.wrong && n.wrong == n.rows)
        die("no run of '%s' bears the seal of this class's key: copy '%s.key' beside that gradebook before it grades",
            path, b->path);
    if (n.wrong) warn(path, &names);
    if (n.wrong) die("'%s' has runs without the class's seal (%u): nothing is merged", path, n.wrong);
    text_free(&names);
    free(later);
}

uint32_t seal_list(struct gradebook *b, struct text *names)
{
    struct count n = {0};
    check_all(b, &n, names);
    return n.wrong;
}

// Runs an SQL statement, UPDATE or DELETE, on those rows of a table that have no valid seal (a hash keyed with the
// class's secret key).
static void change(struct gradebook *b, const struct table *t, const char *begin, const char *set)
{
    struct text sql = {0};
    text_printf(&sql, "%s main.%s%s", begin, t->table, set);
    if (*set) add_call(b, t, &sql);
    text_puts(&sql, " WHERE seal IS NOT ");
    add_call(b, t, &sql);
    sql_do(b, "", sql.data);
    text_free(&sql);
}

void seal_accept(struct gradebook *b)
{
    sql_begin(b);
    for (int i = 0; i < TABLES; ++i) change(b, &tables[i], "UPDATE", " SET seal = ");
    sql_commit(b);
}

void seal_drop(struct gradebook *b)
{
    static const char *const orphans[] = {
        "DELETE FROM attempt WHERE source NOT IN (SELECT hash FROM source) OR student NOT IN (SELECT key FROM student)",
        "DELETE FROM evidence WHERE source NOT IN (SELECT hash FROM source) OR student NOT IN (SELECT key FROM "
        "student)",
        "DELETE FROM override WHERE student NOT IN (SELECT key FROM student)",
        "DELETE FROM run WHERE source NOT IN (SELECT hash FROM source)",
        "DELETE FROM measured WHERE run NOT IN (SELECT id FROM run)",
        "DELETE FROM score WHERE run NOT IN (SELECT id FROM run) OR rubric NOT IN (SELECT hash FROM rubric)",
    };
    sql_do(b, "", "PRAGMA foreign_keys = OFF");
    sql_begin(b);
    for (int i = TABLES; i-- > 0;) change(b, &tables[i], "DELETE FROM", "");
    for (size_t i = 0; i < sizeof orphans / sizeof *orphans; ++i) sql_do(b, "", orphans[i]);
    sql_commit(b);
    sql_do(b, "", "PRAGMA foreign_keys = ON");
}
