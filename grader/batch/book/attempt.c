// Derives the table `attempt` from the tables `evidence` and `decision` (schema.sql).
//
// Theory of operation: attempt_put() writes rows of `evidence` with the number of the present import, and lists them in
// the temporary table `seen`. New rows have no attempt yet. When the import of a path ends, attempt_settle() finds the
// rows that are out of date: rows of an earlier import whose path this import gives to somebody else, and rows of a
// file that was renamed. A new row of the same path takes the attempt's number over, so that the attempt moves;
// otherwise the old student loses the attempt. Then each row of `attempt` that follows from the touched evidence is
// computed anew (settle()): the student is that of the newest decision, or else that of the evidence.
//
// A file counts as renamed only if it certainly is the same file: same number in its file system, same bytes, same
// time, and nothing at its old path. Bytes alone prove nothing, because students copy. In this case a line asks the
// instructor.
#define _GNU_SOURCE
#include "batch/book/attempt.h"
#include "batch/book/ledger.h"

#include <errno.h>
#include <inttypes.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/book/sql.h"
#include "batch/unpack/timestamp.h"

// The student of a row `e` of `evidence`: by the newest decision on its attempt, or else by the import.
#define OWNER "coalesce((SELECT student FROM decision WHERE attempt = e.attempt ORDER BY id DESC LIMIT 1), e.student)"

// The rows of `evidence` that the import of the present path wrote.
#define SEEN "(SELECT e.* FROM temp.seen JOIN evidence AS e USING (id))"
// 1 if a decision holds for the attempt of a row `e` of `evidence`.
#define DECIDED "((SELECT student FROM decision WHERE attempt = e.attempt ORDER BY id DESC LIMIT 1) IS NOT NULL)"

enum { KEY = sizeof((struct attempt *)0)->student };

// Names the attempts of one student with one source: what settle() computes anew.
struct owned {
    char student[KEY], lab[32], source[BATCH_HASH];
};
struct owned_list {
    struct owned *item;
    uint32_t count, room;
};

static void add_owned(struct owned_list *l, const char *student, const char *lab, const char *source)
{
    ALLOC_GROW(l->item, l->room, l->count + 1);
    struct owned *o = &l->item[l->count++];
    snprintf(o->student, sizeof o->student, "%s", student);
    snprintf(o->lab, sizeof o->lab, "%s", lab);
    snprintf(o->source, sizeof o->source, "%s", source);
}

// ------------------------------------------------------------------------------------------------------------ settling
static void say_late(const struct owned *o, int64_t id, int64_t late, const char *file, struct text *lines)
{
    if (late == 1)
        text_say(lines, "%s attempt %" PRId64 " of '%s', '%s': late now, by the newest download\n", o->lab, id,
                 o->student, file);
    else
        text_say(lines, "%s attempt %" PRId64 " of '%s', '%s': no longer late, by the newest download\n", o->lab, id,
                 o->student, file);
}

// Says that a course system tells the time of hand-in, for which a file's time stood until now.
static void say_time(struct gradebook *b, const struct owned *o, int64_t id, int64_t was, struct text *lines)
{
    char before[TIMESTAMP_TEXT], now[TIMESTAMP_TEXT];
    sqlite3_stmt *s =
        sql_ask(b, "ii", "SELECT submitted, file FROM attempt WHERE id = ? AND clock = ?", id, (int64_t)CLOCK_SYSTEM);
    timestamp_print(was, before);
    while (sql_row(b, s)) {
        timestamp_print(sql_int(s, 0), now);
        text_say(lines, "%s attempt %" PRId64 " of '%s', '%s': handed in %s by the course system, not %s by the file\n",
                 o->lab, id, o->student, sql_text(s, 1), now, before);
    }
}

// Computes the row of `attempt` of one student and source anew. `lines` may be NULL.
static void settle(struct gradebook *b, const struct owned *o, struct text *lines)
{
    static const char of[] =
        "FROM evidence AS e WHERE e.id IN (SELECT id FROM evidence WHERE student = ?1 AND lab = ?2 AND source = ?3 "
        "UNION SELECT x.id FROM decision AS d JOIN evidence AS x ON x.attempt = d.attempt WHERE d.student = ?1 AND "
        "x.lab = ?2 AND x.source = ?3) AND " OWNER " = ?1";
    char sql[2048];
    int64_t was = 0, id = 0, late = 0, file = 0; // `file`: the time of a file that stood for the time of hand-in
    sqlite3_stmt *s = sql_ask(b, "ttti",
                              "SELECT late, iif(clock = ?4, submitted, 0) FROM attempt WHERE student = ?1 AND lab = ?2 "
                              "AND source = ?3",
                              o->student, o->lab, o->source, (int64_t)CLOCK_FILE);
    while (sql_row(b, s)) was = sql_int(s, 0), file = sql_int(s, 1);
    snprintf(sql, sizeof sql,
             "SELECT min(e.attempt), coalesce((SELECT late FROM (SELECT e.late, e.import, e.id %s) WHERE late <> 0 "
             "ORDER BY import DESC, id DESC LIMIT 1), 0) %s",
             of, of);
    s = sql_ask(b, "ttt", sql, o->student, o->lab, o->source);
    while (sql_row(b, s)) id = sql_int(s, 0), late = sql_int(s, 1);
    sql_do(b, "ttti", "DELETE FROM attempt WHERE (student = ?1 AND lab = ?2 AND source = ?3 AND id <> ?4)", o->student,
           o->lab, o->source, id);
    if (!id) return;
    snprintf(
        sql, sizeof sql,
        "INSERT INTO attempt (id, student, lab, source, submitted, clock, late, origin, file) SELECT ?4, ?1, ?2, "
        "?3, e.submitted, e.clock, ?5, e.origin, e.file %s ORDER BY e.clock DESC, e.submitted, e.import DESC, e.id "
        "LIMIT 1 ON CONFLICT (id) DO UPDATE SET student = excluded.student, submitted = excluded.submitted, "
        "clock = excluded.clock, late = excluded.late, origin = excluded.origin, file = excluded.file WHERE "
        "(student, submitted, clock, late, origin, file) <> (excluded.student, excluded.submitted, "
        "excluded.clock, excluded.late, excluded.origin, excluded.file)",
        of);
    sql_do(b, "tttii", sql, o->student, o->lab, o->source, id, late);
    if (file && lines) say_time(b, o, id, file, lines);
    if (!was || !late || was == late || !lines) return;
    s = sql_ask(b, "i", "SELECT file FROM evidence WHERE attempt = ? ORDER BY import DESC, id DESC LIMIT 1", id);
    if (!sql_row(b, s)) return;
    say_late(o, id, late, sql_text(s, 0), lines);
    sqlite3_finalize(s);
}

static void settle_all(struct gradebook *b, struct owned_list *l, struct text *lines)
{
    for (uint32_t i = 0; i < l->count; ++i)
        if (*l->item[i].student) settle(b, &l->item[i], lines);
    free(l->item);
    *l = (struct owned_list){0};
}

// Numbers the evidence that has no attempt yet.
static void number(struct gradebook *b)
{
    sqlite3_stmt *s = sql_ask(b, "", "SELECT id, student, lab, source FROM evidence WHERE attempt = 0 ORDER BY id");
    struct owned_list l = {0};
    int64_t *row = NULL;
    uint32_t room = 0;
    for (; sql_row(b, s); add_owned(&l, sql_text(s, 1), sql_text(s, 2), sql_text(s, 3))) {
        ALLOC_GROW(row, room, l.count + 1);
        row[l.count] = sql_int(s, 0);
    }
    for (uint32_t i = 0; i < l.count; ++i) {
        const struct owned *o = &l.item[i];
        int known = sql_do(b, "ittt",
                           "UPDATE evidence SET attempt = k.attempt FROM (SELECT attempt FROM evidence WHERE student = "
                           "?2 AND lab = ?3 AND source = ?4 AND attempt <> 0 LIMIT 1) AS k WHERE id = ?1",
                           row[i], o->student, o->lab, o->source);
        if (!known)
            sql_do(b, "i",
                   "UPDATE evidence SET attempt = 1 + max(coalesce((SELECT max(attempt) FROM evidence), 0), "
                   "coalesce((SELECT max(id) FROM attempt), 0), coalesce((SELECT max(attempt) FROM decision), 0)) "
                   "WHERE id = ?",
                   row[i]);
    }
    free(row);
    free(l.item);
}

// ----------------------------------------------------------------------------------------------- evidence out of date
// A row of `evidence` that is perhaps out of date.
struct old {
    int64_t id, attempt;
    char student[KEY], lab[32], source[BATCH_HASH];
    char *file;         // path as it was shown
    char *path, *shown; // path of the new evidence, and as it is shown now
    int renamed;        // 1: the row's file has now another path
};
struct old_list {
    struct old *item;
    uint32_t count, room;
};

static char *copy(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(alloc_bytes(bytes), text, bytes);
}

static void find_old(struct gradebook *b, struct old_list *l)
{
    sqlite3_stmt *s = sql_ask(
        b, "",
        "SELECT r.id, r.attempt, r.student, r.lab, r.source, r.file, r.path, n.file, 0 FROM " SEEN
        " AS n JOIN evidence "
        "AS r ON r.path = n.path AND r.lab = n.lab AND r.source = n.source WHERE r.import <> n.import UNION SELECT "
        "r.id, "
        "r.attempt, r.student, r.lab, r.source, r.file, n.path, n.file, 1 FROM " SEEN " AS n JOIN evidence AS r ON "
        "r.source = n.source AND r.lab = n.lab AND r.node = n.node AND r.submitted = n.submitted AND r.clock = n.clock "
        "WHERE r.path <> n.path AND r.import <> n.import AND n.attempt = 0 AND n.node <> 0 ORDER BY 1");
    while (sql_row(b, s)) {
        ALLOC_GROW(l->item, l->room, l->count + 1);
        struct old *o = &l->item[l->count++];
        *o = (struct old){.id = sql_int(s, 0),
                          .attempt = sql_int(s, 1),
                          .file = copy(sql_text(s, 5)),
                          .path = copy(sql_text(s, 6)),
                          .shown = copy(sql_text(s, 7)),
                          .renamed = (int)sql_int(s, 8)};
        snprintf(o->student, sizeof o->student, "%s", sql_text(s, 2));
        snprintf(o->lab, sizeof o->lab, "%s", sql_text(s, 3));
        snprintf(o->source, sizeof o->source, "%s", sql_text(s, 4));
    }
}

static int is_gone(const char *file)
{
    struct stat status;
    return lstat(file, &status) && errno == ENOENT;
}

static int64_t ask_number(struct gradebook *b, sqlite3_stmt *s)
{
    int64_t value = 0;
    while (sql_row(b, s)) value = sql_int(s, 0);
    return value;
}

// Returns the student who has the evidence's attempt now.
static void owner_of(struct gradebook *b, int64_t evidence, char owner[KEY])
{
    *owner = '\0';
    sqlite3_stmt *s = sql_ask(b, "i", "SELECT " OWNER " FROM evidence AS e WHERE e.id = ?", evidence);
    while (sql_row(b, s)) snprintf(owner, KEY, "%s", sql_text(s, 0));
}

// Removes a row of `evidence` that is out of date, and gives its attempt to the student of a new row `next`, or to
// nobody if `next` is 0. `twin` is the number of the new student's own attempt with these bytes, or 0.
static void replace(struct gradebook *b, const struct old *o, int64_t next, int64_t twin, struct owned_list *touched,
                    struct text *lines)
{
    char from[KEY], to[KEY] = "";
    owner_of(b, o->id, from);
    int64_t others = ask_number(
        b, sql_ask(b, "ii", "SELECT count(*) FROM evidence WHERE attempt = ? AND id <> ?", o->attempt, o->id));
    sql_do(b, "i", "DELETE FROM evidence WHERE id = ?", o->id);
    sql_do(b, "ttti", "DELETE FROM input WHERE path = ? AND student IN (?, ?) AND import <> ?", o->file, o->student,
           from, ledger_import());
    add_owned(touched, from, o->lab, o->source);
    if (others) return; // the student has the attempt by another path, too
    if (next && !twin) sql_do(b, "ii", "UPDATE evidence SET attempt = ? WHERE id = ?", o->attempt, next);
    if (next) owner_of(b, next, to);
    if (!strcmp(from, to)) return;
    if (!next)
        text_say(lines, "%s attempt %" PRId64 ", '%s': no longer that of '%s'\n", o->lab, o->attempt, o->shown, from);
    else if (twin)
        text_say(lines, "%s attempt %" PRId64 ", '%s': from '%s' to '%s', who has these bytes as attempt %" PRId64 "\n",
                 o->lab, o->attempt, o->shown, from, to, twin);
    else
        text_say(lines, "%s attempt %" PRId64 ", '%s': from '%s' to '%s'\n", o->lab, o->attempt, o->shown, from, to);
}

static void follow(struct gradebook *b, const struct old *o, struct owned_list *touched, struct text *lines)
{
    if (o->renamed && !is_gone(o->file)) return;
    int64_t next = ask_number(b, sql_ask(b, "itttt",
                                         "SELECT id FROM evidence WHERE import = ?1 AND attempt = 0 AND path = ?2 AND "
                                         "lab = ?3 AND source = ?4 ORDER BY student <> ?5 DESC, id DESC",
                                         ledger_import(), o->path, o->lab, o->source, o->student));
    int64_t twin = ask_number(b, sql_ask(b, "i",
                                         "SELECT k.attempt FROM evidence AS n JOIN evidence AS k ON k.student = "
                                         "n.student AND k.lab = n.lab AND k.source = n.source AND k.attempt <> 0 WHERE "
                                         "n.id = ? LIMIT 1",
                                         next));
    int64_t decided = ask_number(b, sql_ask(b, "i", "SELECT " DECIDED " FROM evidence AS e WHERE e.id = ?", o->id));
    if (twin == o->attempt) twin = 0; // the same student's
    if (o->renamed && !next) return;
    if (decided && (!next || twin)) return; // the decision has no other evidence to stand on
    replace(b, o, next, twin, touched, lines);
}

// Asks the instructor about new attempts whose bytes are those of another student's path below `root` that is gone.
static void ask_renamed(struct gradebook *b, const char *root, struct text *lines)
{
    size_t n = strlen(root);
    sqlite3_stmt *s = sql_ask(b, "",
                              "SELECT n.file, r.file, a.id, a.student, n.lab FROM " SEEN " AS n JOIN evidence AS r ON "
                              "r.source = n.source AND r.lab = n.lab JOIN attempt AS a ON a.id = r.attempt WHERE "
                              "r.student <> n.student AND r.import <> n.import AND n.attempt = 0 ORDER BY n.id");
    while (sql_row(b, s)) {
        const char *fresh = sql_text(s, 0), *old = sql_text(s, 1);
        if (strncmp(fresh, root, n) || strncmp(old, root, n) || !is_gone(old)) continue;
        text_say(lines,
                 "'%s' has the bytes of %s attempt %" PRId64 " of '%s', whose path '%s' is gone: if it was renamed, "
                 "./grade drop %" PRId64 " --reason TEXT\n",
                 fresh, sql_text(s, 4), sql_int(s, 2), sql_text(s, 3), old, sql_int(s, 2));
    }
}

uint32_t attempt_settle(struct gradebook *b, const char *root, struct text *lines)
{
    struct old_list old = {0};
    struct owned_list touched = {0};
    find_old(b, &old);
    for (uint32_t i = 0; i < old.count; ++i) {
        follow(b, &old.item[i], &touched, lines);
        free(old.item[i].file);
        free(old.item[i].path);
        free(old.item[i].shown);
    }
    free(old.item);
    ask_renamed(b, root, lines);
    number(b);
    int64_t fresh = ask_number(b, sql_ask(b, "",
                                          "SELECT count(DISTINCT e.attempt) FROM " SEEN " AS e WHERE " OWNER
                                          " <> '' AND NOT EXISTS (SELECT 1 "
                                          "FROM attempt AS a WHERE a.id = e.attempt OR (a.student = " OWNER
                                          " AND a.lab = e.lab AND a.source = "
                                          "e.source))"));
    sqlite3_stmt *s =
        sql_ask(b, "", "SELECT " OWNER ", e.lab, e.source FROM " SEEN " AS e GROUP BY 1, 2, 3 ORDER BY min(e.id)");
    while (sql_row(b, s)) add_owned(&touched, sql_text(s, 0), sql_text(s, 1), sql_text(s, 2));
    settle_all(b, &touched, lines);
    sql_do(b, "", "DELETE FROM temp.seen");
    return (uint32_t)fresh;
}

// -------------------------------------------------------------------------------------------------------------- import
void attempt_begin(struct gradebook *b)
{
    sql_do(b, "", "CREATE TEMP TABLE IF NOT EXISTS seen (id INTEGER PRIMARY KEY)");
    sql_do(b, "",
           "INSERT OR IGNORE INTO evidence (student, lab, source, path, attempt, submitted, clock, late, origin, file, "
           "node, import) SELECT student, lab, source, '', id, submitted, clock, late, origin, file, 0, 0 FROM attempt "
           "AS a WHERE NOT EXISTS (SELECT 1 FROM evidence WHERE attempt = a.id) ORDER BY id");
}

static void put_student(struct gradebook *b, const struct import_submission *h)
{
    char participant[sizeof h->who.id + 16] = "";
    if (!strcmp(h->origin, "Moodle") && *h->who.id)
        snprintf(participant, sizeof participant, "Participant %s", h->who.id);
    sql_do(b, "tttttt",
           "INSERT INTO student VALUES (?, ?, '', '', ?, ?, '', ?, '', ?, '', '', 0, '') ON CONFLICT DO UPDATE SET "
           "canvas = iif(canvas = '', excluded.canvas, canvas), "
           "participant = iif(participant = '', excluded.participant, participant)",
           h->key, h->name, strcmp(h->origin, "Canvas") ? "" : h->who.id, h->who.sis, h->who.email, participant);
    if (*participant)
        sql_do(b, "ttt", "INSERT OR REPLACE INTO participant (student, lab, number) VALUES (?, ?, ?)", h->key,
               h->lab->name, participant);
}

static void source_text(const struct import_submission *h, struct text *text)
{
    if (h->data)
        text_add(text, h->data, h->bytes);
    else // a source that is too large to grade: only its size is known
        text_say(text, "%zu bytes", h->bytes);
}

static void put_source(struct gradebook *b, const struct import_submission *h, char hash[BATCH_HASH])
{
    struct text text = {0};
    source_text(h, &text);
    SHA256Data((const uint8_t *)(text.data ? text.data : ""), text.length, hash);
    if (!h->data) text.length = 0;
    sql_do(b, "tib", "INSERT INTO source VALUES (?, ?, ?, '') ON CONFLICT DO NOTHING", hash, (int64_t)h->bytes, &text);
    text_free(&text);
}

// Evidence of an older gradebook gets its path when an import finds it: by the path that was shown, or by the student.
static void name_path(struct gradebook *b, const struct import_submission *h, const char *path, const char *hash)
{
    static const char where[] = "WHERE path = '' AND lab = ?2 AND source = ?3 AND (student = ?4 OR file = ?5)";
    char sql[256];
    snprintf(sql, sizeof sql, "UPDATE OR IGNORE evidence SET path = ?1 %s", where);
    sql_do(b, "ttttt", sql, path, h->lab->name, hash, h->key, h->file);
    snprintf(sql, sizeof sql, "DELETE FROM evidence %s AND ?1 <> ''", where);
    sql_do(b, "ttttt", sql, path, h->lab->name, hash, h->key, h->file);
}

int attempt_put(struct gradebook *b, const struct import_submission *h, struct attempt *a)
{
    char hash[BATCH_HASH];
    const char *path = h->evidence ? h->evidence : h->file;
    put_student(b, h);
    put_source(b, h, hash);
    name_path(b, h, path, hash);
    *a = (struct attempt){.id = 0};
    snprintf(a->lab, sizeof a->lab, "%s", h->lab->name);
    snprintf(a->student, sizeof a->student, "%s", h->key);
    sqlite3_stmt *s = sql_ask(b, "ttt",
                              "SELECT e.attempt, " OWNER ", " DECIDED " "
                              "FROM evidence AS e WHERE student = ? AND lab = ? AND source = ? LIMIT 1",
                              h->key, h->lab->name, hash);
    int known = 0;
    for (; sql_row(b, s); known = 1) {
        a->id = sql_int(s, 0);
        snprintf(a->student, sizeof a->student, "%s", sql_text(s, 1));
        a->decided = (int)sql_int(s, 2);
    }
    sql_do(b, "ttttiiittii",
           "INSERT INTO evidence (student, lab, source, path, attempt, submitted, clock, late, origin, file, node, "
           "import) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (student, lab, source, path) DO UPDATE SET "
           "submitted = iif(excluded.clock > clock OR (excluded.clock = clock AND excluded.submitted < submitted), "
           "excluded.submitted, submitted), clock = max(clock, excluded.clock), late = iif(excluded.late <> 0, "
           "excluded.late, late), origin = excluded.origin, file = excluded.file, node = excluded.node, "
           "import = excluded.import",
           h->key, h->lab->name, hash, path, h->submitted, (int64_t)h->clock, (int64_t)h->late, h->origin, h->file,
           h->node, ledger_import());
    sql_do(
        b, "tttt",
        "INSERT OR IGNORE INTO temp.seen SELECT id FROM evidence WHERE student = ? AND lab = ? AND source = ? AND path "
        "= ?",
        h->key, h->lab->name, hash, path);
    a->untimed = (int)ask_number(
        b, sql_ask(
               b, "ttti",
               "SELECT max(clock) = ?4 AND max(late) = 0 FROM evidence WHERE student = ?1 AND lab = ?2 AND source = ?3",
               h->key, h->lab->name, hash, (int64_t)CLOCK_NONE));
    return !known;
}

void attempt_see(struct gradebook *b, const char *shown, const char *lab, const char *student)
{
    sql_do(
        b, "ttti",
        "INSERT OR IGNORE INTO evidence (student, lab, source, path, attempt, submitted, clock, late, origin, file, "
        "node, import) SELECT ?3, lab, source, path, 0, submitted, clock, late, origin, file, node, ?4 FROM evidence "
        "WHERE file = ?1 AND lab = ?2 AND path <> '' AND import <> ?4 AND EXISTS (SELECT 1 FROM student WHERE key = "
        "?3) AND NOT EXISTS (SELECT 1 FROM evidence WHERE file = ?1 AND lab = ?2 AND student = ?3) GROUP BY path, "
        "source",
        shown, lab, student, ledger_import());
    sql_do(b, "ttti",
           "INSERT OR IGNORE INTO temp.seen SELECT id FROM evidence WHERE file = ? AND lab = ? AND student = ? AND "
           "attempt = 0 AND import = ?",
           shown, lab, student, ledger_import());
}

void attempt_adopt(struct gradebook *b, const char *from, const char *to, int last)
{
    struct owned_list touched = {0};
    sqlite3_stmt *s = sql_ask(b, "t", "SELECT lab, source FROM evidence WHERE student = ? GROUP BY 1, 2", from);
    for (; sql_row(b, s); add_owned(&touched, to, sql_text(s, 0), sql_text(s, 1)))
        add_owned(&touched, from, sql_text(s, 0), sql_text(s, 1));
    if (last) {
        sql_do(b, "tt", "UPDATE OR IGNORE evidence SET student = ?2 WHERE student = ?1", from, to);
        sql_do(b, "t", "DELETE FROM evidence WHERE student = ?", from);
        sql_do(b, "tt", "UPDATE decision SET student = ?2 WHERE student = ?1", from, to);
    } else {
        sql_do(
            b, "tt",
            "INSERT OR IGNORE INTO evidence (student, lab, source, path, attempt, submitted, clock, late, origin, "
            "file, node, import) SELECT ?2, lab, source, path, 0, submitted, clock, late, origin, file, node, import "
            "FROM evidence WHERE student = ?1 ORDER BY id",
            from, to);
        number(b);
    }
    settle_all(b, &touched, NULL);
}

// ----------------------------------------------------------------------------------------------------------- decisions
int attempt_get(struct gradebook *b, int64_t id, struct attempt *a)
{
    *a = (struct attempt){.id = 0};
    sqlite3_stmt *s = sql_ask(b, "i",
                              "SELECT " OWNER ", e.lab, " DECIDED " FROM evidence AS e WHERE e.attempt = ?1 UNION ALL "
                              "SELECT student, lab, 0 FROM attempt WHERE id = ?1 LIMIT 1",
                              id);
    for (; sql_row(b, s); a->id = id) {
        snprintf(a->student, sizeof a->student, "%s", sql_text(s, 0));
        snprintf(a->lab, sizeof a->lab, "%s", sql_text(s, 1));
        a->decided = (int)sql_int(s, 2);
    }
    return a->id ? 0 : -1;
}

int64_t attempt_twin(struct gradebook *b, int64_t id, const char *student)
{
    return ask_number(b, sql_ask(b, "it",
                                 "SELECT a.id FROM attempt AS a JOIN (SELECT lab, source FROM evidence WHERE attempt = "
                                 "?1 LIMIT 1) AS e ON a.lab = e.lab AND a.source = e.source WHERE a.student = ?2 AND "
                                 "a.id <> ?1",
                                 id, student));
}

// Writes the ledger's rows about an attempt anew, after its student changed from `before` to `after`.
static void tell_ledger(struct gradebook *b, int64_t id, const char *before, const char *after, const char *why)
{
    sql_do(b, "it",
           "DELETE FROM input WHERE (path, lab) IN (SELECT file, lab FROM evidence WHERE attempt = ?1) AND (student = "
           "?2 OR student IN (SELECT student FROM evidence WHERE attempt = ?1))",
           id, before);
    sql_do(
        b, "itt",
        "INSERT OR REPLACE INTO input (path, student, lab, fate, why, import) SELECT file, iif(?2 = '', student, ?2), "
        "lab, CASE WHEN ?2 = '' THEN 'dropped' WHEN substr(?2, 1, 1) = '?' THEN 'unmatched' ELSE 'taken' END, ?3, "
        "import FROM evidence WHERE attempt = ?1",
        id, after, why);
}

void attempt_decide(struct gradebook *b, int64_t id, const char *student, const char *who, const char *why)
{
    struct owned_list touched = {0};
    struct attempt before, after;
    attempt_get(b, id, &before);
    sql_do(b, student ? "ittit" : "ittin",
           "INSERT INTO decision (attempt, who, why, at, student) VALUES (?, ?, ?, ?, ?)", id, who, why,
           timestamp_now(), student);
    attempt_get(b, id, &after);
    sqlite3_stmt *s = sql_ask(b, "i", "SELECT lab, source FROM evidence WHERE attempt = ? LIMIT 1", id);
    for (; sql_row(b, s); add_owned(&touched, after.student, sql_text(s, 0), sql_text(s, 1)))
        add_owned(&touched, before.student, sql_text(s, 0), sql_text(s, 1));
    settle_all(b, &touched, NULL);
    tell_ledger(b, id, before.student, after.student, *after.student ? "" : why);
}

// The keyed hash by which a forgotten person's path and source are known.
#define FORGOTTEN(path, source) "seal('forgotten_path', '', " path ", " source ")"

void attempt_forget(struct gradebook *b, const char *student)
{
    static const char *const all[] = {
        // what a person gave to somebody else stays that student's
        "UPDATE OR IGNORE evidence AS e SET student = " OWNER " WHERE student = ?1 AND " OWNER " NOT IN ('', ?1)",
        "INSERT OR IGNORE INTO forgotten_path (hash) SELECT " FORGOTTEN(
            "e.path", "e.source") " FROM evidence AS e WHERE "
                                  "student = ?1 AND NOT EXISTS (SELECT 1 FROM evidence WHERE path = e.path AND source "
                                  "= e.source AND student <> "
                                  "?1)",
        "INSERT OR IGNORE INTO forgotten_path (hash) SELECT " FORGOTTEN(
            "i.path", "''") " FROM input AS i WHERE student "
                            "= ?1 AND NOT EXISTS (SELECT 1 FROM input WHERE path = i.path AND student <> ?1)",
        "DELETE FROM decision WHERE attempt IN (SELECT attempt FROM evidence WHERE student = ?1)",
        "DELETE FROM evidence WHERE student = ?1",
        "UPDATE decision SET student = '', why = '' WHERE student = ?1",
        "DELETE FROM attempt WHERE student = ?1",
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) sql_do(b, "t", all[i], student);
}

static void hash_of(const struct import_submission *h, char hash[BATCH_HASH])
{
    struct text text = {0};
    source_text(h, &text);
    SHA256Data((const uint8_t *)(text.data ? text.data : ""), text.length, hash);
    text_free(&text);
}

static int is_forgotten(struct gradebook *b, const char *path, const char *source)
{
    return ask_number(b, sql_ask(b, "tt",
                                 "SELECT EXISTS (SELECT 1 FROM forgotten_path WHERE hash = " FORGOTTEN("?1", "?2") ")",
                                 path, source)) != 0;
}

int attempt_is_forgotten(struct gradebook *b, const struct import_submission *h)
{
    char hash[BATCH_HASH];
    hash_of(h, hash);
    return is_forgotten(b, h->evidence ? h->evidence : h->file, hash);
}

int attempt_is_forgotten_path(struct gradebook *b, const char *shown)
{
    return is_forgotten(b, shown, "");
}

void attempt_remember(struct gradebook *b, const struct import_submission *h)
{
    char hash[BATCH_HASH];
    hash_of(h, hash);
    sql_do(b, "ttt", "DELETE FROM forgotten_path WHERE hash IN (" FORGOTTEN("?1", "?2") ", " FORGOTTEN("?3", "''") ")",
           h->evidence ? h->evidence : h->file, hash, h->file);
}

// ------------------------------------------------------------------------------------------------------------- listing
static void list_decisions(struct gradebook *b, int64_t id, struct text *out)
{
    char when[TIMESTAMP_TEXT];
    sqlite3_stmt *s = sql_ask(b, "i", "SELECT student, who, why, at FROM decision WHERE attempt = ? ORDER BY id", id);
    while (sql_row(b, s)) {
        timestamp_print(sql_int(s, 3), when);
        const char *to = sql_text(s, 0), *who = sql_text(s, 1), *why = sql_text(s, 2), *colon = *why ? ": " : "";
        text_puts(out, "    ");
        if (sqlite3_column_type(s, 0) == SQLITE_NULL)
            text_say(out, "as the import says again, by %s, %s%s%s\n", who, when, colon, why);
        else if (*to)
            text_say(out, "moved to '%s' by %s, %s%s%s\n", to, who, when, colon, why);
        else
            text_say(out, "dropped by %s, %s%s%s\n", who, when, colon, why);
    }
}

uint32_t attempt_list(struct gradebook *b, const char *student, struct text *out)
{
    char when[TIMESTAMP_TEXT];
    uint32_t count = 0;
    sqlite3_stmt *s = sql_ask(
        b, "t",
        "SELECT a.id, a.lab, a.submitted, a.file, c.total, c.most FROM (SELECT id, lab, source, submitted, file FROM "
        "attempt WHERE student = ?1 UNION SELECT attempt, lab, source, submitted, file FROM evidence AS e WHERE "
        "student = ?1 AND " OWNER " <> ?1 GROUP BY attempt) AS a LEFT JOIN score AS c ON c.rubric = (SELECT value FROM "
        "setting WHERE name = 'rubric') AND c.run = (SELECT id FROM run WHERE source = a.source AND lab = a.lab ORDER "
        "BY (tool = (SELECT value FROM setting WHERE name = 'tool') AND seed = (SELECT value FROM setting WHERE name = "
        "'seed') AND profile = (SELECT value FROM setting WHERE name = 'profile')) DESC, id DESC LIMIT 1) ORDER BY "
        "a.lab, a.id",
        student);
    for (; sql_row(b, s); ++count) {
        timestamp_print(sql_int(s, 2), when);
        text_say(out, "%s attempt %" PRId64 ": ", sql_text(s, 1), sql_int(s, 0));
        if (sqlite3_column_type(s, 4) == SQLITE_NULL)
            text_say(out, "not graded");
        else
            text_say(out, "%d of %d points", (int)sql_int(s, 4), (int)sql_int(s, 5));
        text_printf(out, ", %s%s'%s'\n", sql_int(s, 2) ? when : "", sql_int(s, 2) ? ", " : "", sql_text(s, 3));
        list_decisions(b, sql_int(s, 0), out);
    }
    return count;
}

void attempt_say_dropped(struct gradebook *b, const char *student, const char *lab, struct text *out)
{
    char when[TIMESTAMP_TEXT];
    sqlite3_stmt *s =
        sql_ask(b, "tt",
                "SELECT e.attempt, d.who, d.at, d.why FROM evidence AS e JOIN decision AS d ON d.id = "
                "(SELECT max(id) FROM decision WHERE attempt = e.attempt) WHERE e.student = ? AND e.lab = "
                "? AND d.student = '' GROUP BY e.attempt",
                student, lab);
    while (sql_row(b, s)) {
        timestamp_print(sql_int(s, 2), when);
        text_say(out, "Attempt %" PRId64 " does not count, as %s decided, %s: %s\n", sql_int(s, 0), sql_text(s, 1),
                 when, sql_text(s, 3));
    }
}
