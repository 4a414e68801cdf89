// Looks for times of hand-in that cannot be trusted. A file's time is the time of a hand-in only if nothing has written
// the file since: a course system's download, a copy, or a program that unpacked it may have set it.
#include "batch/book/doubtful_time.h"
#include "batch/book/ledger.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/book/sql.h"
#include "batch/unpack/timestamp.h"

// Nearly all of at least FEW submissions are late, and WITHIN_S seconds hold their times: nobody hands in like this.
enum { FEW = 3, WITHIN_S = 600 };
static const double NEARLY = 0.9;

// Counts the attempts that the present import saw, whose origin is `origin`, and whose time is of the kind `clock` and
// is not told otherwise.
static uint32_t count(struct gradebook *b, const char *origin, enum mark_clock clock)
{
    int64_t n = 0;
    sqlite3_stmt *s = sql_ask(b, "iti",
                              "SELECT count(DISTINCT a.id) FROM evidence AS e JOIN attempt AS a ON a.id = e.attempt "
                              "WHERE e.import = ? AND a.origin = ? AND a.clock = ? AND a.late = 0",
                              ledger_import(), origin, (int64_t)clock);
    while (sql_row(b, s)) n = sql_int(s, 0);
    return (uint32_t)n;
}

// Adds notes about a course system whose downloads have no times of hand-in.
static void note_system(struct gradebook *b, const char *origin, int worksheet, struct text *out)
{
    int moodle = !strcmp(origin, "Moodle");
    uint32_t unknown = count(b, origin, CLOCK_NONE), kept = count(b, origin, CLOCK_FILE);
    if (unknown && moodle && worksheet)
        text_say(out,
                 "the grading worksheet has no time of hand-in for %" PRIu32
                 " submissions of Moodle's download: they are not counted late\n",
                 unknown);
    else if (unknown && moodle)
        text_say(out,
                 "Moodle's download has no times of hand-in: nobody is counted late (%" PRIu32
                 " submissions); give Moodle's grading worksheet by --roster\n",
                 unknown);
    else if (unknown)
        text_say(out, "%s's download has no times of hand-in: nobody is counted late (%" PRIu32 " submissions)\n",
                 origin, unknown);
    if (!kept) return;
    text_say(out,
             "%" PRIu32 " submissions of %s's download keep the times of its files, which an earlier version took for "
             "times of hand-in; they are those of the download, and marks still follow them\n",
             kept, origin);
    if (moodle)
        text_say(out, "give Moodle's grading worksheet by --roster with this download: its times replace them\n");
}

static uint32_t read_times(struct gradebook *b, const struct lab *lab, int64_t **time)
{
    uint32_t n = 0, room = 0;
    sqlite3_stmt *s = sql_ask(b, "tii",
                              "SELECT submitted FROM attempt AS a WHERE lab = ? AND clock = ? AND late <> 2 AND EXISTS "
                              "(SELECT 1 FROM evidence WHERE attempt = a.id AND import = ?) ORDER BY submitted",
                              lab->name, (int64_t)CLOCK_FILE, ledger_import());
    *time = NULL;
    while (sql_row(b, s)) {
        ALLOC_GROW(*time, room, n + 1);
        (*time)[n++] = sql_int(s, 0);
    }
    return n;
}

// Adds a note if nearly all submissions of a lab are late by times of files that lie close together.
static void note_lab(struct gradebook *b, const struct course_lab *l, struct text *out)
{
    char when[TIMESTAMP_TEXT];
    int64_t *time;
    uint32_t n = read_times(b, l->lab, &time), late = 0, most = 0;
    for (uint32_t i = 0; i < n; ++i) late += time[i] > l->due + l->grace;
    uint32_t first = n - late; // the times are in their order
    for (uint32_t from = first, to = first; to < n; ++to) {
        while (time[to] - time[from] > WITHIN_S) ++from;
        if (to - from + 1 > most) most = to - from + 1, first = from;
    }
    if (n >= FEW && most >= NEARLY * n) {
        timestamp_print(time[first], when);
        text_say(out,
                 "%s: %" PRIu32 " of %" PRIu32 " submissions are late by the times of their files, which lie within "
                 "%d minutes, from %s on: if a copy or a download set these times, nobody is late by them\n",
                 l->lab->name, most, n, WITHIN_S / 60, when);
    }
    free(time);
}

void doubtful_time_note(struct gradebook *b, const struct course *course, int worksheet, struct text *out)
{
    static const char *const without[] = {"Moodle", "PrairieLearn", "Sakai", NULL}; // download.c
    for (int i = 0; without[i]; ++i) note_system(b, without[i], worksheet, out);
    for (uint32_t i = 0; i < course->labs; ++i)
        if (course->lab[i].due) note_lab(b, &course->lab[i], out);
}
