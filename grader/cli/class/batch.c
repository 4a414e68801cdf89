// Implements ./grade batch, which imports submissions, grades those without a result, and writes marks and feedback for
// a class. The gradebook, the database of a class's submissions and marks, records each step of ./grade batch before
// the next step begins. The command ./grade batch can therefore be stopped at any time and started again.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "batch/book/attempt.h"
#include "batch/book/doubtful_time.h"
#include "batch/book/ledger.h"
#include "batch/import/import.h"
#include "batch/unpack/compose.h"
#include "batch/unpack/csv.h"
#include "batch/unpack/filename.h"
#include "batch/unpack/names.h"
#include "box/box.h"
#include "cli/class/batch.h"

enum { ROSTER_MOST = 16 << 20 };

struct taking {
    struct gradebook *gradebook;
    const struct roster *roster; // NULL: there is none
    uint32_t fresh, settled;     // new attempts; submissions of nobody on the roster about which a person decided
    struct attempt last;         // attempt that was taken last; its number is 0 if it was not known before
    struct text lines;
    int show; // 1: the entries of the ledger are printed
};

static void take(void *data, const struct import_submission *h)
{
    struct taking *t = data;
    attempt_put(t->gradebook, h, &t->last);
    t->settled += t->last.decided && t->roster && !h->student;
}

// Whoever was forgotten stays so, unless the roster has the person again.
static int forgotten(void *data, const struct import_submission *h)
{
    struct taking *t = data;
    if (!attempt_is_forgotten(t->gradebook, h)) return 0;
    if (!h->student) return 1;
    text_say(&t->lines, "'%s' was forgotten and is on the roster again, so this is taken: '%s'\n", h->key, h->file);
    attempt_remember(t->gradebook, h);
    return 0;
}

// Records the outcome of importing a path in the gradebook's ledger, the list of all imported paths. In a dry run, also
// adds a line about the path to the command's output.
static void saw(void *data, const struct ledger_entry *e)
{
    struct taking *t = data;
    struct ledger_entry shown = *e;
    struct text why = {0};
    char number[64] = "";
    if (attempt_is_forgotten_path(t->gradebook, e->path) && !(t->roster && roster_by_key(t->roster, e->student)))
        return;
    int taken = e->fate == LEDGER_TAKEN || e->fate == LEDGER_UNMATCHED;
    if (taken && t->last.decided) { // a decision by hand comes before what the import says
        shown.fate = *t->last.student ? LEDGER_TAKEN : LEDGER_DROPPED;
        if (*t->last.student) shown.student = t->last.student;
    }
    if (e->fate == LEDGER_SUPERSEDED) attempt_see(t->gradebook, e->path, e->lab, e->student);
    if (taken && t->last.untimed) shown.why = _("the time of hand-in is unknown: not counted late");
    ledger_put(t->gradebook, &shown);
    const char *also = shown.why;
    if (taken && t->last.id) message_print(number, sizeof number, "attempt %" PRId64 ", which is known", t->last.id);
    text_printf(&why, "%s%s%s", *number ? number : _("a new attempt"), *also ? "; " : "", also);
    if (taken) shown.why = why.data;
    if (t->show) ledger_print(&shown, &t->lines);
    text_free(&why);
}

// Stores the title of an assignment's column for the export to Canvas. A roster that Canvas exported contains the
// titles of the assignments' columns.
static void remember_assignment(struct gradebook *gradebook, const char *header)
{
    char title[128], setting[64];
    snprintf(title, sizeof title, "%.*s", (int)(strrchr(header, '(') - header - 1), header);
    for (int i = 0; lab_all[i]; ++i) {
        if (!names_is_lab(title, lab_all[i])) continue;
        snprintf(setting, sizeof setting, "canvas %s", lab_all[i]->name);
        gradebook_set(gradebook, setting, header);
    }
}

// Reads a class list or an alias file into UTF-8, with composed characters.
static void read_table(const char *path, struct text *text)
{
    struct text why = {0};
    int error = text_read_file(text, path, ROSTER_MOST);
    if (error) die("cannot read '%s': %s", path, strerror(error));
    if (csv_to_utf8(text, &why)) die("%s: %s", path, why.data);
    compose_text(text);
    if (!text->data) text_puts(text, "");
}

// Returns 1 if the given class list is a worksheet of Moodle with most of the students who are enrolled already, all of
// them under other keys. It is taken for its times then: enrolling it would give everybody a second key.
static int is_for_times(struct gradebook *gradebook, const struct roster *given, uint32_t times)
{
    struct roster known;
    uint32_t same = 0, others = 0;
    gradebook_roster(gradebook, &known);
    known.count = known.enrolled;
    for (uint32_t i = 0; times && i < given->count; ++i) {
        const struct roster_student *s = &given->student[i];
        struct identity who = {0};
        snprintf(who.name, sizeof who.name, "%s", s->name);
        snprintf(who.email, sizeof who.email, "%s", s->email);
        snprintf(who.sis, sizeof who.sis, "%s", s->sis);
        same += roster_by_key(&known, s->key) != NULL;
        others += roster_find(&known, &who) != NULL;
    }
    roster_free(&known);
    return !same && 2 * others > given->count;
}

// Enrols the class list that the option --roster names, and keeps it in *r. Adds a line for each student who left to
// `lines`. Tells the import the times of hand-in, if the list has them.
static void read_roster(struct cli_gradebook *b, struct roster *r, struct import *in, struct text *lines)
{
    struct roster_time *time;
    struct text text = {0}, why = {0};
    const char *path = b->options->roster;
    read_table(path, &text);
    if (roster_parse(r, text.data, text.length, &why)) die("%s: %s", path, why.data);
    for (uint32_t i = 0; i < r->assignments; ++i) remember_assignment(b->gradebook, r->assignment[i]);
    const char *unknown = roster_times(r, &time, &in->times);
    in->time = time;
    int moodle = 0;
    for (uint32_t i = 0; i < r->count; ++i) moodle |= *r->student[i].participant != '\0';
    if (moodle && !in->times && !unknown)
        text_say(lines, "%s: no time of hand-in in a column 'Last modified (submission)': %s\n", path, r->columns);
    if (is_for_times(b->gradebook, r, in->times))
        text_say(lines, "%s: only its times of hand-in are taken; the class list stays, which has other keys\n", path);
    else
        gradebook_enrol(b->gradebook, r, lines);
    if (unknown)
        text_say(lines,
                 "%s: a time of hand-in has a form that is not known: '%s' (known: 'Friday, 27 November 2026, "
                 "5:34 PM', '2026-11-27 17:34')\n",
                 path, unknown);
    text_free(&text);
}

static void read_aliases(struct cli_gradebook *b)
{
    struct roster r;
    struct text text = {0}, why = {0};
    const char *path = b->options->alias;
    read_table(path, &text);
    gradebook_roster(b->gradebook, &r);
    r.count = r.enrolled + r.left;
    if (!r.count) die("--alias needs a class list: say --roster FILE, too");
    if (roster_read_aliases(&r, text.data, text.length, &why)) die("%s: %s", path, why.data);
    gradebook_put_aliases(b->gradebook, &r);
    roster_free(&r);
    text_free(&text);
}

// Writes what the gradebook knows of an author who was on no roster to `who`. The gradebook's key of the author has the
// number in the course system behind the name (handin.c).
static void stranger(const struct roster_student *s, struct identity *who)
{
    size_t length = strlen(s->name);
    const char *id = *s->canvas ? s->canvas : s->participant + strcspn(s->participant, "0123456789");
    int numbered = !strncmp(s->key + 1, s->name, length) && s->key[1 + length] == '-';
    *who = (struct identity){0};
    snprintf(who->name, sizeof who->name, "%s", s->name);
    snprintf(who->id, sizeof who->id, "%s", *id || !numbered ? id : s->key + 2 + length);
    snprintf(who->login, sizeof who->login, "%s", *id || !numbered ? "" : s->key + 2 + length);
    snprintf(who->sis, sizeof who->sis, "%s", s->sis);
    snprintf(who->email, sizeof who->email, "%s", s->email);
}

// Returns 1 if `alias` fits another author who was on no roster, too. Adds a line about it.
static int fits_another(const struct roster *all, const struct roster *known, uint32_t author, const char *alias,
                        struct text *lines)
{
    for (uint32_t i = known->count; i < all->count; ++i) {
        struct identity who;
        int vague;
        if (i == author || *all->student[i].key != '?') continue;
        stranger(&all->student[i], &who);
        const char *other = roster_alias_of(known, &who, &vague);
        if (!other || !vague || strcasecmp(other, alias) != 0) continue;
        text_say(lines, "the alias '%s' fits '%s' and '%s', so it decides nothing: add the number\n", alias,
                 all->student[author].key + 1, all->student[i].key + 1);
        return 1;
    }
    return 0;
}

// Assigns the submissions of authors who were on no roster to the students whom the newest roster and aliases name.
static void adopt(struct cli_gradebook *b, const struct roster *all, struct import *in, struct text *lines)
{
    const struct roster_student *member[ROSTER_MEMBERS];
    struct roster known = *all;
    known.count = all->enrolled + all->left;
    for (uint32_t i = known.count; known.count && i < all->count; ++i) {
        const struct roster_student *s = &all->student[i];
        struct identity who;
        int vague;
        if (*s->key != '?') continue;
        stranger(s, &who);
        const char *alias = roster_alias_of(&known, &who, &vague);
        if (alias && vague && fits_another(all, &known, i, alias, lines)) {
            ++in->unmatched;
            continue;
        }
        uint32_t count = roster_members(&known, &who, member);
        if (alias && count) hash_map_put(&in->used, alias, strlen(alias), 1);
        for (uint32_t m = 0; m < count; ++m) {
            gradebook_adopt(b->gradebook, s->key, member[m]->key, m + 1 == count);
            text_say(lines, "what '%s' handed in is that of '%s' from now on\n", s->key + 1, member[m]->key);
        }
    }
}

// Adds a line about the aliases that named nobody, if the command line has an alias file. An alias file may serve
// several downloads, so that this is no error.
static void note_unused(const struct cli_gradebook *b, const struct roster *r, const struct import *in,
                        struct text *lines)
{
    enum { SHOWN = 8 };
    struct text names = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; b->options->alias && i < r->aliases; ++i) {
        const char *name = r->alias[i].name;
        if ((i && !strcasecmp(name, r->alias[i - 1].name)) || hash_map_get(&in->used, name, strlen(name)) >= 0)
            continue;
        if (++count <= SHOWN) text_printf(&names, "%s'%s'", count > 1 ? ", " : "", name);
    }
    if (count)
        text_say(lines,
                 "aliases of '%s' that match nothing here: %s%s (%u); import the download that they are for, too\n",
                 b->options->alias, names.data, count > SHOWN ? " …" : "", count);
    text_free(&names);
}

// Adds a line about the sources for labs that the option --lab does not name.
static void note_other_labs(const struct import *in, struct text *lines)
{
    struct text labs = {0};
    uint32_t count = 0;
    for (int i = 0; lab_all[i]; ++i) {
        int sources = hash_map_get(&in->other_labs, lab_all[i]->name, strlen(lab_all[i]->name));
        if (sources <= 0) continue;
        text_printf(&labs, "%s%s", count ? ", " : "", lab_all[i]->name);
        count += (uint32_t)sources;
    }
    if (count) text_say(lines, "%u sources are for other labs than --lab names: %s\n", count, labs.data);
    text_free(&labs);
}

// Prints a text that a student may have written, such as a path, without control characters.
static void print_clean(const char *text)
{
    struct text t = {0};
    utf8_clean(&t, text, strlen(text));
    utf8_clean_log(&t);
    if (t.length) fputs(t.data, stdout);
    text_free(&t);
}

// Adds a line about each lab for which Canvas's gradebook, the roster, has no column.
static void note_columns(const struct cli_gradebook *b, const struct roster *given, struct text *lines)
{
    char setting[64], title[256];
    for (uint32_t i = 0; given->assignments && b->lab[i]; ++i) {
        const struct lab *lab = b->lab[i];
        snprintf(setting, sizeof setting, "canvas %s", lab->name);
        if (course_lab(&b->course, lab)->canvas || !gradebook_has_lab(b->gradebook, lab) ||
            gradebook_get(b->gradebook, setting, title, sizeof title))
            continue;
        text_say(
            lines,
            "%s: no column of '%s' has its name: set \"canvas\" in course.json to the column's title, or Canvas makes "
            "a new assignment\n",
            lab->name, b->options->roster);
    }
}

static void print_counts(const struct import *in, uint32_t fresh)
{
    printf(_("%" PRIu32 " submissions, %" PRIu32 " of them new\n"), in->submissions, fresh);
    if (in->past) printf(_("%" PRIu32 " more are those of persons who were forgotten: not taken\n"), in->past);
    if (in->links) printf(_("%" PRIu32 " links were not followed\n"), in->links);
    if (in->strange)
        printf(_("%" PRIu32 " entries are neither files nor folders, or lead elsewhere: not taken\n"), in->strange);
}

// Imports the submissions in the paths of the command line. Returns the number of problems: authors who are not on the
// roster, paths that could not be read, and sources of no known lab whose author has no other source.
static uint32_t take_in(struct cli_gradebook *b, int argc, char **argv)
{
    struct roster roster, given = {0};
    struct text why = {0};
    struct taking t = {.gradebook = b->gradebook, .show = b->options->dry_run};
    const char *names = b->options->names;
    if (names && !filename_encoding_is_known(names))
        die("--names: there is no encoding '%s'; 'iconv --list' prints all", names);
    struct import in = {.course = &b->course,
                        .labs = b->lab,
                        .only = b->options->labs != NULL,
                        .students = b->options->students,
                        .student = b->options->student,
                        .names = names,
                        .take = take,
                        .forgotten = forgotten,
                        .saw = saw,
                        .data = &t};
    gradebook_begin(b->gradebook);
    attempt_begin(b->gradebook);
    if (b->options->roster) read_roster(b, &given, &in, &t.lines);
    if (b->options->alias) read_aliases(b);
    gradebook_roster(b->gradebook, &roster);
    if (roster.enrolled + roster.left) in.roster = &roster;
    adopt(b, &roster, &in, &t.lines);
    roster.count = roster.enrolled + roster.left; // the others are known only from submissions
    if (roster.count) cli_gradebook_check_names(b);
    if (roster.count) t.roster = &roster;
    if (!b->options->dry_run) cli_gradebook_keep_rules(b);
    for (int i = 0; i < argc; ++i) {
        if (import_path(&in, argv[i], &why)) die("%s", why.data);
        t.fresh += attempt_settle(b->gradebook, argv[i], &t.lines);
        if (b->options->dry_run) continue;
        gradebook_commit(b->gradebook);
        gradebook_begin(b->gradebook);
    }
    note_columns(b, &given, &in.notes);
    doubtful_time_note(b->gradebook, &b->course, in.times > 0, &in.notes);
    if (b->options->dry_run)
        gradebook_undo(b->gradebook);
    else
        gradebook_commit(b->gradebook);
    if (!roster.count) cli_gradebook_check_names(b);
    print_clean(t.lines.data ? t.lines.data : "");
    if (argc) print_counts(&in, t.fresh);
    if (!argc && (b->options->roster || b->options->alias))
        puts(_("attempts follow a corrected list when you import their download again"));
    note_other_labs(&in, &in.notes);
    note_unused(b, &roster, &in, &in.notes);
    if (in.unmatched && given.columns) text_printf(&in.notes, "%s: %s\n", b->options->roster, given.columns);
    print_clean(in.notes.data ? in.notes.data : "");
    uint32_t open = in.unmatched - t.settled + in.unplaced + in.unread;
    import_free(&in);
    roster_free(&roster);
    roster_free(&given);
    text_free(&t.lines);
    return open;
}

static void take_rubric(struct cli_gradebook *b)
{
    struct rubric_file r;
    char known[BATCH_HASH];
    if (!b->options->rubric && gradebook_get(b->gradebook, "rubric", known, sizeof known)) return;
    cli_gradebook_read_rubric(&r, b->options->rubric ? b->options->rubric : "kit");
    gradebook_begin(b->gradebook);
    gradebook_put_rubric(b->gradebook, &r);
    gradebook_score_all(b->gradebook, &r, 0);
    gradebook_commit(b->gradebook);
    rubric_free(&r);
}

static void show_failure(void *data, const char *lab, const char *student, const char *message, int64_t tries)
{
    (void)data;
    struct text t = {0};
    text_say(&t, "not graded: %s of %s (%" PRId64 " %s): %s\n", lab, student, tries, tries == 1 ? "try" : "tries",
             message);
    print_clean(t.data);
    text_free(&t);
}

int cli_batch(const struct cli_options *options, int argc, char **argv)
{
    static struct cli_batch_judging judging;
    struct cli_gradebook b;
    struct text told = {0};
    uint32_t left = 0;
    box_directory_sweep();
    cli_gradebook_open(&b, options, options->dry_run ? CLI_GRADEBOOK_TRY : CLI_GRADEBOOK_MAKE);
    struct batch batch = {.gradebook = b.gradebook, .labs = b.lab};
    if (!options->slurm && !options->dry_run) cli_batch_judging_make(&judging, options);
    if (!options->dry_run) take_rubric(&b);
    uint32_t open = take_in(&b, argc, argv);
    fflush(stdout);
    if (options->dry_run) {
        cli_gradebook_close(&b);
        return open && !options->lenient ? EXIT_NOT_GRADED : 0;
    }
    if (options->slurm) {
        left = cli_cluster(&b, &batch);
    } else {
        judging.pool.job.secret = *gradebook_secret(b.gradebook);
        batch.key = judging.key;
        batch_run(&batch, &judging.pool);
    }
    cli_gradebook_write(&b, &told);
    if (batch.submissions == batch.graded)
        printf(_("%" PRIu32 " graded; gradebooks and feedback are in '%s'\n"), batch.graded, b.out);
    else
        printf(_("%" PRIu32 " graded (%" PRIu32 " different sources); gradebooks and feedback are in '%s'\n"),
               batch.submissions, batch.graded, b.out);
    print_clean(told.data ? told.data : "");
    text_free(&told);
    uint32_t failed = gradebook_failures(b.gradebook, &batch.key, show_failure, NULL);
    if (failed)
        printf(_("%" PRIu32 " could not be graded, by no fault of theirs: start the same command again\n"), failed);
    if (left) printf(_("%" PRIu32 " are not graded yet: start the same command again\n"), left);
    if (open)
        printf(
            _("%" PRIu32
              " were not matched or not readable: './grade report' lists them, and --lenient makes the exit code 0\n"),
            open);
    cli_gradebook_close(&b);
    return failed || left || (open && !options->lenient) ? EXIT_NOT_GRADED : 0;
}
