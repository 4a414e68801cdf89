// Reads alias files, in which an instructor assigns names that match no student on the roster to students, and finds
// the members of groups. A file of groups that Canvas exports is an alias file without any change, because its columns
// are group_name and login_id.
//
// An alias names a hand-in or a person. It names one hand-in if it has the hand-in's number, login or address, or is
// the hand-in's whole name in the download. Such an alias counts before one that is only the name of a person or group.
// Two persons may have one name, so an alias that is only a name does not decide between them.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "base/text.h"
#include "batch/course/roster.h"
#include "batch/import/download.h"
#include "batch/unpack/csv.h"
#include "batch/unpack/names.h"

static const char *const names[] = {"alias", "group_name", "group", NULL};
// "sis_id" and the columns before it are Canvas's. A roster may lack one of these numbers, so all of them are tried.
static const char *const students[] = {"student",        "login_id", "login", "user_id", "sis_id",
                                       "canvas_user_id", "id",       "email", "name",    NULL};
enum { TITLES = sizeof students / sizeof *students };

// Writes the indices of the CSV columns that have one of the titles in `title` to `at`, in the order of `title`.
// Returns their number.
static int columns(const struct csv *csv, const char *const *title, int at[TITLES])
{
    int n = 0;
    for (; *title && csv->count; ++title)
        for (uint32_t i = 0; i < csv->row[0].count; ++i) {
            if (strcasecmp(csv->row[0].cell[i], *title) != 0) continue;
            at[n++] = (int)i;
            break;
        }
    return n;
}

static const char *cell(const struct csv *csv, uint32_t row, int column)
{
    return (uint32_t)column < csv->row[row].count ? csv->row[row].cell[column] : "";
}

// Returns the student whom the cells of a row name, or NULL with an error message in `why`. All cells must name the
// same student. A cell that names nobody does not count if another one names a student.
static const struct roster_student *find_student(struct roster *r, const struct csv *csv, uint32_t row, const int *at,
                                                 int count, struct text *why)
{
    const struct roster_student *found = NULL;
    const char *first = "";
    struct text keys = {0};
    for (int i = 0; i < count; ++i) {
        struct identity who = {0};
        const char *student = cell(csv, row, at[i]);
        if (!*student) continue;
        if (!*first) first = student;
        snprintf(who.name, sizeof who.name, "%s", student);
        const struct roster_student *s = roster_by_key(r, student);
        if (!s) s = roster_find(r, &who);
        if (s && found && s != found) {
            text_say(why, "line %u: '%.80s' is the student '%s', and not '%s'", row + 1, student, s->key, found->key);
            return NULL;
        }
        if (s) found = s;
    }
    uint32_t namesakes = found ? 0 : roster_namesakes(r, first, &keys);
    if (namesakes > 1)
        text_say(why, "line %u: %u students are called '%.80s': %s; name one of them by the number", row + 1, namesakes,
                 first, keys.data);
    else if (!found)
        text_say(why, "line %u: '%.80s' matches no student on the roster", row + 1, first);
    text_free(&keys);
    return found;
}

int roster_read_aliases(struct roster *r, const char *data, size_t bytes, struct text *why)
{
    struct csv csv;
    int name[TITLES], student[TITLES], failed = 0;
    csv_parse(&csv, data, bytes);
    int named = columns(&csv, names, name), count = columns(&csv, students, student);
    if (!named || !count) {
        text_puts(why, _("its first line must name the columns alias (or group_name) and student (or login_id)"));
        failed = -1;
    }
    r->alias = ARENA_ARRAY(&r->arena, csv.count + 1, struct roster_alias);
    r->aliases = 0;
    for (uint32_t row = 1; row < csv.count && !failed; ++row) {
        const char *alias = cell(&csv, row, *name);
        int empty = 1;
        alias += *alias == '?'; // as the ledger shows who is not on the roster
        for (int i = 0; i < count; ++i) empty = empty && !*cell(&csv, row, student[i]);
        if (!*alias || empty) continue; // in Canvas's export, a student without a group
        const struct roster_student *s = find_student(r, &csv, row, student, count, why);
        if (s)
            r->alias[r->aliases++] = (struct roster_alias){alias, s->key};
        else
            failed = -1;
    }
    arena_join(&r->arena, &csv.arena);
    return failed;
}

// ------------------------------------------------------------------------------------------------------------ matching
void roster_label(const struct identity *who, char label[ROSTER_LABEL])
{
    const char *name = *who->sis ? who->sis : *who->name ? who->name : *who->email ? who->email : who->id;
    const char *number = name != who->name ? "" : roster_number(who);
    snprintf(label, ROSTER_LABEL, "%s%s%s", name, *number ? "_" : "", number);
}

const char *roster_number(const struct identity *who)
{
    return *who->id ? who->id : *who->login ? who->login : strcmp(who->email, who->name) != 0 ? who->email : "";
}

// Holds the words by which an alias may call the author of a submission.
struct words {
    const struct identity *who;
    char label[ROSTER_LABEL], dashed[ROSTER_LABEL]; // `dashed`: as the ledger joins name and number
    char squeezed[2][ROSTER_LABEL];                 // the label's and the name's letters and digits
};
static void find_words(const struct identity *who, struct words *w)
{
    size_t length = strlen(who->name);
    w->who = who;
    roster_label(who, w->label);
    memcpy(w->dashed, w->label, sizeof w->dashed);
    if (w->dashed[length] == '_' && !strncmp(w->dashed, who->name, length)) w->dashed[length] = '-';
    roster_squeeze(w->label, w->squeezed[0]);
    roster_squeeze(who->name, w->squeezed[1]);
}

// Returns 1 if `part` is one of the numbers in `numbers`, which '-' joins.
static int is_number_of(const char *part, const char *numbers)
{
    size_t length = strlen(part);
    for (const char *at = numbers; *at; at += strcspn(at, "-"), at += *at == '-')
        if (strcspn(at, "-") == length && !strncmp(at, part, length)) return 1;
    return 0;
}

// What an alias says of a submission, from the weakest to the strongest. "Loosely" means by letters and digits alone,
// because Canvas leaves out all other characters of a group's name: "Team One" becomes "teamone".
enum meaning { OTHER, PERSON_LOOSELY, HANDIN_LOOSELY, PERSON, HANDIN };

static enum meaning meaning_of(const char *alias, const struct words *w)
{
    char own[ROSTER_LABEL], bare[ROSTER_LABEL];
    struct download_name d;
    const struct identity *who = w->who;
    const char *const exact[] = {who->id, who->sis, who->login, who->email, w->label, w->dashed};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; ++i)
        if (*exact[i] && !strcasecmp(alias, exact[i])) return HANDIN;
    if (strpbrk(alias, "_(+-") && download_parse(alias, &d)) { // the alias is the submission's name in the download
        roster_label(&d.who, own);
        if (!strcasecmp(own, w->label)) return HANDIN;
    }
    snprintf(bare, sizeof bare, "%s", alias);
    if (strcasestr(alias, "lab")) names_author(alias, bare, sizeof bare);
    if (*who->name && (!strcasecmp(alias, who->name) || !strcasecmp(bare, who->name))) return PERSON;
    if (is_number_of(alias, who->id)) return PERSON;
    roster_squeeze(alias, own);
    if (!*own) return OTHER;
    return !strcmp(own, w->squeezed[0]) ? HANDIN_LOOSELY : !strcmp(own, w->squeezed[1]) ? PERSON_LOOSELY : OTHER;
}

const char *roster_alias_of(const struct roster *r, const struct identity *who, int *vague)
{
    struct words words;
    const struct roster_alias *found = NULL;
    enum meaning best = OTHER;
    int members = 0, several = 0;
    *vague = 0;
    if (r->aliases) find_words(who, &words);
    for (uint32_t i = 0; i < r->aliases; ++i) {
        const struct roster_alias *a = &r->alias[i];
        enum meaning meaning = meaning_of(a->name, &words);
        if (meaning == OTHER || meaning < best) continue;
        if (meaning > best) members = several = 0, found = NULL;
        several |= found && strcasecmp(found->name, a->name) && strcmp(found->key, a->key);
        best = meaning;
        found = a;
        ++members;
    }
    if (!found || several) return NULL; // of two aliases for two students, which one?
    *vague = (best == PERSON || best == PERSON_LOOSELY) && members == 1 && (*who->sis || *roster_number(who));
    return found->name;
}

uint32_t roster_members(const struct roster *r, const struct identity *who,
                        const struct roster_student *member[ROSTER_MEMBERS])
{
    uint32_t n = 0;
    int vague;
    const char *alias = roster_alias_of(r, who, &vague);
    // Which of two namesakes is meant, the alias does not say, because the hand-in has a number that the alias lacks.
    if (alias && vague && roster_namesakes(r, alias, NULL) > 1) alias = NULL;
    for (uint32_t i = 0; alias && i < r->aliases && n < ROSTER_MEMBERS; ++i)
        if (!strcasecmp(alias, r->alias[i].name) && (member[n] = roster_by_key(r, r->alias[i].key)) != NULL) ++n;
    if (!n && (member[0] = roster_find(r, who)) != NULL) n = 1;
    return n;
}
