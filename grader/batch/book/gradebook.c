// Reads and writes the gradebook's SQLite file. Only the owner can read the gradebook's file, because it holds
// students' marks and sources. SQLite's write-ahead log (WAL) lets other programs read while a batch writes. On a
// network file system, the shared memory of WAL does not work, so the gradebook uses SQLite's rollback journal. The SQL
// schema in schema.sql is part of the executable.
#define _GNU_SOURCE
#include "batch/book/gradebook.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <sha2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/book/attempt.h"
#include "batch/book/seal.h"
#include "batch/book/sql.h"
#include "batch/unpack/timestamp.h"

_Static_assert(BATCH_HASH == SHA256_DIGEST_STRING_LENGTH, "libmd's digits fit");

// APPLICATION is "WARP" in ASCII, the application id in the header of the SQLite file
// FIRST_SEALED is the first version whose rows are sealed.
enum { BUSY_MS = 60000, APPLICATION = 0x57415250, FIRST_SEALED = 4 };

EMBED(gradebook_schema, "grader/batch/book/schema.sql");

// Appends the SQL of one schema version, or nothing if `version` is newer than the last version.
static void schema_of(int version, struct text *out)
{
    char line[32];
    snprintf(line, sizeof line, "\n-- version %d\n", version);
    const char *from = strstr(gradebook_schema, line), *to = from ? strstr(from + 1, "\n-- version ") : NULL;
    if (from) text_add(out, from, to ? (size_t)(to - from) : strlen(from));
}

static void run_script(struct gradebook *b, const char *sql)
{
    int code = sqlite3_exec(b->db, sql, NULL, NULL, NULL);
    if (code) sql_fail(b, sqlite3_extended_errcode(b->db));
}

static int64_t pragma(struct gradebook *b, const char *sql)
{
    sqlite3_stmt *s = sql_ask(b, "", sql);
    int64_t value = sql_row(b, s) ? sql_int(s, 0) : 0;
    sqlite3_finalize(s);
    return value;
}

// Returns 1 if the file lies on a network file system, where WAL does not work (https://sqlite.org/wal.html). The array
// `network` contains the magic numbers by which statfs(2) identifies network file systems.
static int is_shared(const char *path)
{
    static const uint32_t network[] = {0x6969,     0xff534d42, 0xfe534d42, 0x517b,     0x0bd00bd0, 0x47504653,
                                       0x00c36400, 0x5346414f, 0x73757245, 0x65735546, 0x01021997, 0x19830326};
    char folder[4096];
    struct statfs fs;
    snprintf(folder, sizeof folder, "%s", path);
    if (statfs(dirname(folder), &fs)) return 0;
    for (size_t i = 0; i < sizeof network / sizeof *network; ++i)
        if ((uint32_t)fs.f_type == network[i]) return 1;
    return getenv("WARPWISE_SHARED_BOOK") != NULL;
}

void gradebook_make_tables(struct gradebook *b)
{
    struct text sql = {0};
    for (int v = 1; v <= GRADEBOOK_VERSION; ++v) schema_of(v, &sql);
    run_script(b, sql.data);
    text_free(&sql);
}

// Reads the class's key. If the key file is missing and `make` is 1, makes a new key.
static void read_key(struct gradebook *b, int make)
{
    char path[sizeof b->path + sizeof ".key"];
    struct text why = {0};
    if (b->scratch) return;
    snprintf(path, sizeof path, "%s.key", b->path);
    if (secret_read(&b->secret, path, make, &why)) die("%s", why.data);
}

static void migrate(struct gradebook *b)
{
    struct text sql = {0};
    if (pragma(b, "PRAGMA user_version") == GRADEBOOK_VERSION) return;
    sql_begin(b); // waits until another program has finished migrating the file
    int64_t version = pragma(b, "PRAGMA user_version");
    if (version > GRADEBOOK_VERSION)
        die("the gradebook '%s' was written by a newer version of this program (%" PRId64 ", known: %d)", b->path,
            version, GRADEBOOK_VERSION);
    if (!version && pragma(b, "SELECT count(*) FROM sqlite_schema"))
        die("'%s' is a database, but no gradebook", b->path);
    read_key(b, version < FIRST_SEALED); // before another program sees a gradebook of this version
    for (int v = (int)version + 1; v <= GRADEBOOK_VERSION; ++v) schema_of(v, &sql);
    text_printf(&sql, "\nPRAGMA user_version = %d;\nPRAGMA application_id = %d;\n", GRADEBOOK_VERSION, APPLICATION);
    run_script(b, sql.data);
    sql_commit(b);
    text_free(&sql);
}

// Makes the gradebook's file readable for its owner alone, before SQLite writes marks into it. SQLite gives its journal
// files the mode of the gradebook's file. If other users can access an existing gradebook or journal file, protect()
// removes their access rights.
static void protect(const char *path, int make)
{
    static const char *const end[] = {"", "-wal", "-shm", "-journal", ".lock"};
    char file[4096 + 16];
    struct stat status;
    int fd = make ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) close(fd);
    for (size_t i = 0; i < sizeof end / sizeof *end; ++i) {
        snprintf(file, sizeof file, "%s%s", path, end[i]);
        if (stat(file, &status) || !(status.st_mode & 077) || status.st_uid != geteuid()) continue;
        if (chmod(file, status.st_mode & 0700)) message_warn("other users can read '%s': protect it", file);
    }
}

static void connect_to(struct gradebook *b, const char *journal)
{
    int code = sqlite3_open_v2(b->path, &b->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (code) sql_fail(b, code);
    sqlite3_extended_result_codes(b->db, 1);
    sqlite3_busy_timeout(b->db, BUSY_MS);
    run_script(b, journal);
    run_script(b, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    migrate(b);
}

// Opens the gradebook's SQLite file and upgrades its schema, but checks no seals.
static struct gradebook *open_file(const char *path, int make)
{
    struct gradebook *b = alloc_zeroed(1, sizeof *b);
    snprintf(b->path, sizeof b->path, "%s", path);
    if (!make && access(path, F_OK))
        die("there is no gradebook '%s': %s; --out names the folder of another, --book its file", path,
            strerror(errno));
    protect(path, make);
    // write() then reports a file size limit as an error, and the process does not die from SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
    connect_to(b, is_shared(path) ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL");
    return b;
}

struct gradebook *gradebook_open_scratch(void)
{
    struct gradebook *b = alloc_zeroed(1, sizeof *b);
    snprintf(b->path, sizeof b->path, ":memory:");
    b->scratch = 1;
    connect_to(b, "");
    seal_begin(b);
    return b;
}

struct gradebook *gradebook_open(const char *path, int make)
{
    struct gradebook *b = open_file(path, make);
    read_key(b, 0);
    seal_begin(b);
    seal_check(b);
    return b;
}

struct gradebook *gradebook_open_unchecked(const char *path)
{
    struct gradebook *b = open_file(path, 0);
    read_key(b, 1);
    seal_begin(b);
    return b;
}

const char *gradebook_path(const struct gradebook *b)
{
    return b->path;
}

const struct secret *gradebook_secret(const struct gradebook *b)
{
    return &b->secret;
}

void gradebook_close(struct gradebook *b)
{
    sqlite3_close(b->db);
    free(b);
}

void gradebook_freeze(struct gradebook *b)
{
    run_script(b, "PRAGMA query_only = ON");
}

void gradebook_begin(struct gradebook *b)
{
    sql_begin(b);
}

void gradebook_commit(struct gradebook *b)
{
    sql_commit(b);
}

void gradebook_undo(struct gradebook *b)
{
    sql_do(b, "", "ROLLBACK");
}

const char *gradebook_get(struct gradebook *b, const char *name, char *to, size_t size)
{
    sqlite3_stmt *s = sql_ask(b, "t", "SELECT value FROM setting WHERE name = ?", name);
    int there = sql_row(b, s);
    if (there) snprintf(to, size, "%s", sql_text(s, 0));
    if (there) sqlite3_finalize(s);
    return there ? to : NULL;
}

void gradebook_set(struct gradebook *b, const char *name, const char *value)
{
    sql_do(b, "tt", "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
           name, value);
}

// ------------------------------------------------------------------------------------------------ attempts and sources
static void put_student(struct gradebook *b, const struct roster_student *s)
{
    sql_do(b, "tttttttttttt",
           "INSERT INTO student VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, '') ON CONFLICT DO UPDATE SET "
           "name = excluded.name, first = excluded.first, last = excluded.last, canvas = excluded.canvas, "
           "sis = excluded.sis, login = excluded.login, email = excluded.email, section = excluded.section, "
           "participant = excluded.participant, github = excluded.github, root = excluded.root, enrolled = 1",
           s->key, s->name, s->first, s->last, s->canvas, s->sis, s->login, s->email, s->section, s->participant,
           s->github, s->root);
}

void gradebook_enrol(struct gradebook *b, const struct roster *r, struct text *left)
{
    enum { PERHAPS_LEFT = 2 }; // within this transaction: a student of the list before
    sql_do(b, "i", "UPDATE student SET enrolled = ? WHERE enrolled = 1", (int64_t)PERHAPS_LEFT);
    for (uint32_t i = 0; i < r->count; ++i) put_student(b, &r->student[i]);
    sqlite3_stmt *s =
        sql_ask(b, "i", "SELECT key, name FROM student WHERE enrolled = ? ORDER BY name, key", (int64_t)PERHAPS_LEFT);
    while (sql_row(b, s))
        text_say(left, "no longer on the roster, so in no exported file: '%s' (%s)\n", sql_text(s, 0), sql_text(s, 1));
    sql_do(b, "i", "UPDATE student SET enrolled = -1 WHERE enrolled = ?", (int64_t)PERHAPS_LEFT);
}

static void read_aliases(struct gradebook *b, struct roster *r)
{
    sqlite3_stmt *s = sql_ask(b, "", "SELECT count(*) FROM alias");
    uint32_t count = sql_row(b, s) ? (uint32_t)sql_int(s, 0) : 0;
    sqlite3_finalize(s);
    r->alias = ARENA_ARRAY(&r->arena, count + 1, struct roster_alias);
    s = sql_ask(b, "", "SELECT name, student FROM alias ORDER BY name, student");
    while (sql_row(b, s)) {
        const char *name = sql_text(s, 0), *key = sql_text(s, 1);
        r->alias[r->aliases].name = arena_strndup(&r->arena, name, strlen(name));
        r->alias[r->aliases++].key = arena_strndup(&r->arena, key, strlen(key));
    }
}

void gradebook_roster(struct gradebook *b, struct roster *r)
{
    sqlite3_stmt *s = sql_ask(b, "", "SELECT count(*) FROM student");
    uint32_t count = sql_row(b, s) ? (uint32_t)sql_int(s, 0) : 0;
    sqlite3_finalize(s);
    *r = (struct roster){0};
    r->student = ARENA_ARRAY(&r->arena, count + 1, struct roster_student);
    s = sql_ask(b, "",
                "SELECT key, name, first, last, canvas, sis, login, email, section, participant, github, root, "
                "enrolled FROM student ORDER BY abs(enrolled) DESC, enrolled DESC, name, key");
    while (sql_row(b, s)) {
        struct roster_student *x = &r->student[r->count++];
        const char **field[] = {&x->key,   &x->name,  &x->first,   &x->last,        &x->canvas, &x->sis,
                                &x->login, &x->email, &x->section, &x->participant, &x->github, &x->root};
        for (int i = 0; i < (int)(sizeof field / sizeof *field); ++i) {
            const char *text = sql_text(s, i);
            *field[i] = arena_strndup(&r->arena, text, strlen(text));
        }
        x->left = sql_int(s, 12) < 0;
        r->enrolled += sql_int(s, 12) > 0;
        r->left += (uint32_t)x->left;
    }
    read_aliases(b, r);
}

void gradebook_put_aliases(struct gradebook *b, const struct roster *r)
{
    sql_do(b, "", "DELETE FROM alias");
    for (uint32_t i = 0; i < r->aliases; ++i)
        sql_do(b, "tt", "INSERT OR IGNORE INTO alias (name, student) VALUES (?, ?)", r->alias[i].name, r->alias[i].key);
}

// What an author handed in, and marks by hand, become the student's.
void gradebook_adopt(struct gradebook *b, const char *from, const char *to, int last)
{
    attempt_adopt(b, from, to, last);
    sql_do(
        b, "tt",
        "INSERT INTO override (student, lab, points, who, why, at) SELECT ?2, lab, points, who, why, at FROM override "
        "WHERE student = ?1 ORDER BY id",
        from, to);
    sql_do(b, "tt",
           "INSERT OR IGNORE INTO input SELECT path, ?2, lab, iif(fate = 'unmatched', 'taken', fate), why, import FROM "
           "input WHERE student = ?1",
           from, to);
    if (!last) return;
    sql_do(b, "tt",
           "INSERT OR IGNORE INTO participant (student, lab, number) SELECT ?2, lab, number FROM participant WHERE "
           "student = ?1",
           from, to);
    sql_do(b, "t", "DELETE FROM participant WHERE student = ?", from);
    sql_do(b, "t", "DELETE FROM override WHERE student = ?", from);
    sql_do(b, "t", "DELETE FROM input WHERE student = ?", from);
    sql_do(b, "t", "DELETE FROM student WHERE key = ?", from);
}

#define HANDED_IN "(SELECT source FROM evidence UNION SELECT source FROM attempt)"
uint32_t gradebook_forget(struct gradebook *b, const char *key)
{
    static const char *const of_student[] = {
        "DELETE FROM override WHERE student = ?", "DELETE FROM participant WHERE student = ?",
        "DELETE FROM alias WHERE student = ?", "DELETE FROM input WHERE student = ?",
        "DELETE FROM student WHERE key = ?"};
    static const char *const of_nobody[] = {
        "DELETE FROM measured WHERE run IN (SELECT id FROM run WHERE source NOT IN " HANDED_IN ")",
        "DELETE FROM score WHERE run IN (SELECT id FROM run WHERE source NOT IN " HANDED_IN ")",
        "DELETE FROM run WHERE source NOT IN " HANDED_IN, "DELETE FROM failure WHERE source NOT IN " HANDED_IN};
    run_script(b, "PRAGMA secure_delete = ON");
    sql_begin(b);
    attempt_forget(b, key);
    for (size_t i = 0; i < sizeof of_student / sizeof *of_student; ++i) sql_do(b, "t", of_student[i], key);
    for (size_t i = 0; i < sizeof of_nobody / sizeof *of_nobody; ++i) sql_do(b, "", of_nobody[i]);
    int sources = sql_do(b, "", "DELETE FROM source WHERE hash NOT IN " HANDED_IN);
    sql_do(b, "i", "INSERT INTO forgotten (at) VALUES (?)", timestamp_now());
    sql_commit(b);
    run_script(b, "PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    return (uint32_t)sources;
}

// ---------------------------------------------------------------------------------------------------------------- work
uint32_t gradebook_work(struct gradebook *b, const struct gradebook_key *k, const struct lab *const *labs,
                        struct gradebook_work **work)
{
    uint32_t count = 0, room = 0;
    *work = NULL;
    sqlite3_stmt *s = sql_ask(
        b, "tit",
        "SELECT a.source, a.lab FROM attempt AS a WHERE NOT EXISTS (SELECT 1 FROM run AS r WHERE r.source = a.source "
        "AND "
        "r.lab = a.lab AND r.tool = ? AND r.seed = ? AND r.profile = ?) GROUP BY a.source, a.lab ORDER BY min(a.id)",
        k->tool, k->seed, k->profile);
    while (sql_row(b, s)) {
        int wanted = 0;
        for (int i = 0; labs[i]; ++i) wanted |= !strcmp(labs[i]->name, sql_text(s, 1));
        if (!wanted) continue;
        ALLOC_GROW(*work, room, count + 1);
        snprintf((*work)[count].source, sizeof(*work)->source, "%s", sql_text(s, 0));
        snprintf((*work)[count].lab, sizeof(*work)->lab, "%s", sql_text(s, 1));
        ++count;
    }
    return count;
}

int gradebook_has_lab(struct gradebook *b, const struct lab *lab)
{
    sqlite3_stmt *s = sql_ask(b, "t", "SELECT EXISTS (SELECT 1 FROM attempt WHERE lab = ?)", lab->name);
    int there = sql_row(b, s) && sql_int(s, 0);
    sqlite3_finalize(s);
    return there;
}

int gradebook_is_tried(struct gradebook *b, const struct gradebook_key *k, const struct gradebook_work *w,
                       int64_t since)
{
    static const char where[] = "WHERE source = ?1 AND lab = ?2 AND tool = ?3 AND seed = ?4 AND profile = ?5";
    char sql[512];
    snprintf(sql, sizeof sql, "SELECT EXISTS (SELECT 1 FROM run %s) OR EXISTS (SELECT 1 FROM failure %s AND at > ?6)",
             where, where);
    sqlite3_stmt *s = sql_ask(b, "tttiti", sql, w->source, w->lab, k->tool, k->seed, k->profile, since);
    int there = sql_row(b, s) && sql_int(s, 0);
    sqlite3_finalize(s);
    return there;
}

uint32_t gradebook_attempts_of(struct gradebook *b, const struct gradebook_work *w)
{
    uint32_t count = 0;
    sqlite3_stmt *s = sql_ask(b, "tt", "SELECT count(*) FROM attempt WHERE source = ? AND lab = ?", w->source, w->lab);
    while (sql_row(b, s)) count = (uint32_t)sql_int(s, 0);
    return count;
}

void gradebook_source(struct gradebook *b, const char *hash, struct text *text, size_t *bytes)
{
    sqlite3_stmt *s = sql_ask(b, "t", "SELECT text, bytes FROM source WHERE hash = ?", hash);
    if (!sql_row(b, s)) die("the gradebook '%s' has lost the source '%s'", b->path, hash);
    const void *data = sqlite3_column_blob(s, 0);
    text_add(text, data ? data : "", (size_t)sqlite3_column_bytes(s, 0));
    *bytes = (size_t)sql_int(s, 1);
    sqlite3_finalize(s);
}

static void add_column(struct gradebook *b, const char *sql, int64_t id, struct text *out)
{
    sqlite3_stmt *s = sql_ask(b, "i", sql, id);
    while (sql_row(b, s)) sql_unpack(b, s, 0, out);
}

void gradebook_text(struct gradebook *b, int64_t run, struct text *out)
{
    add_column(b, "SELECT text FROM run WHERE id = ?", run, out);
}

void gradebook_html(struct gradebook *b, int64_t run, struct text *out)
{
    add_column(b, "SELECT html FROM run WHERE id = ?", run, out);
}

void gradebook_report(struct gradebook *b, int64_t run, struct text *out)
{
    add_column(b, "SELECT report FROM run WHERE id = ?", run, out);
}

void gradebook_attempt_source(struct gradebook *b, int64_t attempt, struct text *out)
{
    sqlite3_stmt *s = sql_ask(
        b, "i", "SELECT s.text FROM attempt AS a JOIN source AS s ON s.hash = a.source WHERE a.id = ?", attempt);
    while (sql_row(b, s)) text_add(out, sql_text(s, 0), (size_t)sqlite3_column_bytes(s, 0));
}

int gradebook_next_source(struct gradebook *b, const struct lab *lab, int64_t *after, struct text *out)
{
    sqlite3_stmt *s =
        sql_ask(b, "ti",
                "SELECT a.id FROM attempt AS a WHERE a.lab = ? AND a.id > ? AND a.id = (SELECT min(id) FROM "
                "attempt WHERE source = a.source AND lab = a.lab) ORDER BY a.id LIMIT 1",
                lab->name, *after);
    int there = sql_row(b, s);
    if (!there) return 0;
    *after = sql_int(s, 0);
    sqlite3_finalize(s);
    gradebook_attempt_source(b, *after, out);
    return 1;
}

void gradebook_put_failure(struct gradebook *b, const struct gradebook_key *k, const struct gradebook_work *w,
                           const char *message)
{
    sql_do(b, "tttitti",
           "INSERT INTO failure VALUES (?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET "
           "message = excluded.message, tries = tries + 1, at = excluded.at",
           w->source, w->lab, k->tool, k->seed, k->profile, message, timestamp_now());
}

uint32_t gradebook_failures(struct gradebook *b, const struct gradebook_key *k,
                            void (*show)(void *, const char *lab, const char *student, const char *message,
                                         int64_t tries),
                            void *data)
{
    uint32_t count = 0;
    sqlite3_stmt *s =
        sql_ask(b, "tit",
                "SELECT DISTINCT a.lab, s.name, f.message, f.tries FROM failure AS f JOIN attempt AS a ON "
                "a.source = f.source AND a.lab = f.lab JOIN student AS s ON s.key = a.student WHERE "
                "f.tool = ? AND f.seed = ? AND f.profile = ? ORDER BY a.lab, s.name",
                k->tool, k->seed, k->profile);
    for (; sql_row(b, s); ++count) show(data, sql_text(s, 0), sql_text(s, 1), sql_text(s, 2), sql_int(s, 3));
    return count;
}

// ----------------------------------------------------------------------------------------------------------- regrading
int gradebook_get_attempt(struct gradebook *b, int64_t attempt, struct gradebook_attempt *p)
{
    *p = (struct gradebook_attempt){.run = 0};
    sqlite3_stmt *s = sql_ask(
        b, "i",
        "SELECT a.source, a.lab, coalesce(r.id, 0), r.tool, r.seed, r.profile, r.report, r.text, r.ptx, r.html, "
        "a.student, "
        "(SELECT name FROM student WHERE key = a.student) FROM "
        "attempt AS "
        "a LEFT JOIN run AS r ON r.id = (SELECT id FROM run WHERE source = a.source AND lab = a.lab ORDER BY (tool = "
        "(SELECT value FROM setting WHERE name = 'tool') AND seed = (SELECT value FROM setting WHERE name = 'seed') "
        "AND "
        "profile = (SELECT value FROM setting WHERE name = 'profile')) DESC, id DESC LIMIT 1) WHERE a.id = ?",
        attempt);
    if (!sql_row(b, s)) return -1;
    snprintf(p->work.source, sizeof p->work.source, "%s", sql_text(s, 0));
    snprintf(p->work.lab, sizeof p->work.lab, "%s", sql_text(s, 1));
    p->run = sql_int(s, 2);
    snprintf(p->key.tool, sizeof p->key.tool, "%s", sql_text(s, 3));
    p->key.seed = sql_int(s, 4);
    snprintf(p->key.profile, sizeof p->key.profile, "%s", sql_text(s, 5));
    text_puts(&p->report, sql_text(s, 6));
    text_puts(&p->text, sql_text(s, 7));
    sql_unpack(b, s, 8, &p->ptx);
    sql_unpack(b, s, 9, &p->html);
    text_puts(&p->student, sql_text(s, 10));
    text_puts(&p->name, sql_text(s, 11));
    sqlite3_finalize(s);
    return 0;
}

void gradebook_attempt_free(struct gradebook_attempt *p)
{
    text_free(&p->student);
    text_free(&p->name);
    text_free(&p->report);
    text_free(&p->text);
    text_free(&p->html);
    text_free(&p->ptx);
}

void gradebook_override(struct gradebook *b, const char *student, const char *lab, double points, const char *who,
                        const char *why)
{
    int none = isnan(points);
    sql_do(b, none ? "ttttin" : "ttttir",
           "INSERT INTO override (student, lab, who, why, at, points) VALUES (?, ?, ?, ?, ?, ?)", student, lab, who,
           why, timestamp_now(), points);
}

// Dies if a lab's speed was measured on two kinds of graphics card with the same thresholds. A speedup threshold is
// valid for one kind of card only, so the instructor must calibrate each kind.
static void refuse_mixed_cards(struct gradebook *b)
{
    sqlite3_stmt *s = sql_ask(
        b, "",
        "SELECT r.lab, min(m.profile), max(m.profile) FROM measured AS m JOIN run AS r ON r.id = m.run GROUP BY "
        "r.lab, json_extract(m.speed, '$.minimum'), json_extract(m.speed, '$.full') HAVING min(m.profile) < "
        "max(m.profile) LIMIT 1");
    if (sql_row(b, s))
        die("%s was measured on '%s' and on '%s' by the same thresholds: take one kind of card for a lab, or calibrate "
            "each ('./grade calibrate')",
            sql_text(s, 0), sql_text(s, 1), sql_text(s, 2));
}

// Two runs of the grader with the same source, lab and seed judge the same kernel. If the grader has run on one kernel
// both with a simulated speed and with a speed measured on a graphics card, gradebook_merge() adds the measured speed
// to the simulated run.
uint32_t gradebook_merge(struct gradebook *b, const char *other)
{
    struct rubric_file rubric;
    if (other) seal_attach(b, other);
    sql_begin(b);
    char sql[1024];
    snprintf(
        sql, sizeof sql,
        "INSERT OR REPLACE INTO measured SELECT r.id, json_extract(c.report, '$.speed'), c.tool, c.profile, c.at, '' "
        "FROM run AS r JOIN %s.run AS c ON c.source = r.source AND c.lab = r.lab AND c.seed = r.seed WHERE "
        "json_extract(r.report, '$.speed.model') = 1 AND json_extract(r.report, '$.speed.measured') = 1 AND "
        "json_extract(c.report, '$.speed.model') = 0 AND NOT EXISTS "
        "(SELECT 1 FROM measured AS m WHERE m.run = r.id AND m.at >= c.at) ORDER BY c.at",
        other ? "later" : "main");
    int merged = sql_do(b, "", sql);
    refuse_mixed_cards(b);
    gradebook_get_rubric(b, &rubric);
    gradebook_score_all(b, &rubric, 1);
    rubric_free(&rubric);
    sql_commit(b);
    return (uint32_t)merged;
}

// -------------------------------------------------------------------------------------------------------------- scores
static void put_score(struct gradebook *b, int64_t run, const char *report, const char *measured, const char *lab,
                      const struct rubric_file *rubric)
{
    struct rubric_score s;
    rubric_score(rubric, lab, report, measured, &s);
    sql_do(b, "itiiiiiiiit", "INSERT OR REPLACE INTO score VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')", run,
           rubric->hash, (int64_t)s.points[ROW_BUILDS], (int64_t)s.points[ROW_CORRECT], (int64_t)s.points[ROW_SAFE],
           (int64_t)s.points[ROW_TECHNIQUE], (int64_t)s.points[ROW_SPEED], (int64_t)s.total, (int64_t)s.most,
           (int64_t)s.passed, s.reasons.data);
    text_free(&s.reasons);
}

void gradebook_put_run(struct gradebook *b, const struct gradebook_key *k, const struct gradebook_work *w,
                       const struct gradebook_run *r)
{
    char hash[BATCH_HASH];
    struct rubric_file rubric;
    SHA256Data((const uint8_t *)(r->ptx->data ? r->ptx->data : ""), r->ptx->length, hash);
    gradebook_get_rubric(b, &rubric);
    sql_begin(b);
    int fresh =
        sql_do(b, "tttitttzztir",
               "INSERT INTO run (source, lab, tool, seed, profile, report, text, html, ptx, ptx_hash, at, seconds) "
               "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
               w->source, w->lab, k->tool, k->seed, k->profile, r->report, r->text, r->html, r->ptx, hash,
               timestamp_now(), r->seconds);
    if (fresh) put_score(b, sqlite3_last_insert_rowid(b->db), r->report, NULL, w->lab, &rubric);
    sql_do(b, "tttit", "DELETE FROM failure WHERE source = ? AND lab = ? AND tool = ? AND seed = ? AND profile = ?",
           w->source, w->lab, k->tool, k->seed, k->profile);
    sql_commit(b);
    rubric_free(&rubric);
}

uint32_t gradebook_score_all(struct gradebook *b, const struct rubric_file *rubric, int anew)
{
    uint32_t count = 0;
    sqlite3_stmt *s =
        sql_ask(b, "ti",
                "SELECT r.id, r.report, m.speed, r.lab FROM run AS r LEFT JOIN measured AS m ON "
                "m.run = r.id WHERE ?2 OR NOT EXISTS (SELECT 1 FROM score WHERE run = r.id AND rubric = ?1)",
                rubric->hash, (int64_t)anew);
    for (; sql_row(b, s); ++count) {
        const char *measured = sql_text(s, 2);
        put_score(b, sql_int(s, 0), sql_text(s, 1), *measured ? measured : NULL, sql_text(s, 3), rubric);
    }
    return count;
}

void gradebook_put_rubric(struct gradebook *b, const struct rubric_file *r)
{
    sql_do(b, "ttti", "INSERT INTO rubric VALUES (?, ?, ?, ?, '') ON CONFLICT DO NOTHING", r->hash, r->name,
           r->text.data ? r->text.data : "", timestamp_now());
    gradebook_set(b, "rubric", r->hash);
}

void gradebook_get_rubric(struct gradebook *b, struct rubric_file *r)
{
    struct text why = {0};
    sqlite3_stmt *s =
        sql_ask(b, "", "SELECT text FROM rubric WHERE hash = (SELECT value FROM setting WHERE name = 'rubric')");
    const char *text = sql_row(b, s) ? sql_text(s, 0) : NULL;
    if (rubric_parse(r, text ? text : "", text ? strlen(text) : 0, &why))
        die("the rubric in the gradebook '%s': %s", b->path, why.data);
    if (text) sqlite3_finalize(s);
}
