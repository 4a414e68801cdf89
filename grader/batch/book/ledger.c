// Stores the ledger in the gradebook's table `input`. Each ledger entry contains the number of its import, which
// distinguishes the entry from those of earlier imports for the same path.
#include "batch/book/ledger.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "batch/book/sql.h"

static const struct fate {
    const char *word, *title;
} fates[LEDGER_FATES] = {
#define FATE(name, word, title) {word, title},
#include "batch/import/fate.def"
#undef FATE
};

int64_t ledger_import(void)
{
    static int64_t number;
    struct timespec now;
    if (!number && !clock_gettime(CLOCK_REALTIME, &now)) number = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    return number;
}

void ledger_put(struct gradebook *b, const struct ledger_entry *e)
{
    sql_do(b, "ti", "DELETE FROM input WHERE path = ? AND import <> ?", e->path, ledger_import());
    sql_do(b, "ttttti",
           "INSERT OR REPLACE INTO input (path, student, lab, fate, why, import) VALUES (?, ?, ?, ?, ?, ?)", e->path,
           e->student, e->lab, fates[e->fate].word, e->why, ledger_import());
}

static enum ledger_fate fate_of(const char *word)
{
    int f = 0;
    while (f < LEDGER_FATES - 1 && strcmp(fates[f].word, word)) ++f;
    return (enum ledger_fate)f;
}

void ledger_print(const struct ledger_entry *e, struct text *out)
{
    struct text line = {0};
    text_printf(&line, "%s: '%s'%s%s: %s%s%s", *e->student ? e->student : "-", e->path, *e->lab ? ", " : "", e->lab,
                _(fates[e->fate].title), *e->why ? ": " : "", e->why);
    utf8_clean_line(out, line.data, line.length);
    text_puts(out, "\n");
    text_free(&line);
}

void ledger_list(struct gradebook *b, struct text *out)
{
    sqlite3_stmt *s = sql_ask(b, "", "SELECT fate, count(DISTINCT path) FROM input GROUP BY fate");
    int64_t count[LEDGER_FATES] = {0}, forgotten = 0;
    while (sql_row(b, s)) count[fate_of(sql_text(s, 0))] = sql_int(s, 1);
    for (int f = 0, any = 0; f < LEDGER_FATES; ++f) {
        if (!count[f]) continue;
        if (!any++) text_say(out, "what was handed in\n");
        text_printf(out, "  %6" PRId64 "  %s\n", count[f], _(fates[f].title));
    }
    s = sql_ask(b, "", "SELECT count(*) FROM forgotten");
    while (sql_row(b, s)) forgotten = sql_int(s, 0);
    if (forgotten) text_say(out, "  %6" PRId64 "  persons were forgotten, with what they handed in\n", forgotten);
    s = sql_ask(b, "",
                "SELECT path, student, lab, why, fate, (SELECT id FROM attempt AS a WHERE a.student = i.student AND "
                "a.lab = i.lab AND a.file = i.path) FROM input AS i WHERE fate <> 'taken' ORDER BY student, path, lab");
    while (sql_row(b, s)) {
        char number[64];
        struct ledger_entry e = {sql_text(s, 0), sql_text(s, 1), sql_text(s, 2), sql_text(s, 3),
                                 fate_of(sql_text(s, 4))};
        message_print(number, sizeof number, "attempt %" PRId64, sql_int(s, 5));
        if (sql_int(s, 5)) e.why = number;
        text_puts(out, "  ");
        ledger_print(&e, out);
    }
}
