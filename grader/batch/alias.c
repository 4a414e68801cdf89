// Reads alias files, in which an instructor assigns names that match no student on the roster to students, and finds
// the members of groups. A file of groups that Canvas exports is an alias file without any change, because its columns
// are group_name and login_id.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "batch/csv.h"
#include "batch/roster.h"

static const char *const names[] = {"alias", "group_name", "group", NULL};
static const char *const students[] = {"student", "login_id", "login", "user_id", "id", "email", NULL};

// Returns the index of a CSV column that has one of the titles in `title`, or -1 if there is no such column. Titles at
// the beginning of `title` come first.
static int column(const struct csv *csv, const char *const *title)
{
    for (; *title; ++title)
        for (uint32_t i = 0; i < csv->row[0].count; ++i)
            if (!strcasecmp(csv->row[0].cell[i], *title)) return (int)i;
    return -1;
}

static const char *cell(const struct csv *csv, uint32_t row, int column)
{
    return (uint32_t)column < csv->row[row].count ? csv->row[row].cell[column] : "";
}

static int take_row(struct roster *r, const struct csv *csv, uint32_t row, const int at[2], struct text *why)
{
    struct roster_identity who = {0};
    const char *name = cell(csv, row, at[0]), *student = cell(csv, row, at[1]);
    name += *name == '?';              // as the ledger shows who is not on the roster
    if (!*name || !*student) return 0; // in Canvas's export, a student without a group
    snprintf(who.name, sizeof who.name, "%s", student);
    const struct roster_student *s = roster_by_key(r, student);
    if (!s) s = roster_find(r, &who);
    if (!s) {
        text_say(why, "line %u: '%.80s' matches no student on the roster, or more than one", row + 1, student);
        return -1;
    }
    r->alias[r->aliases++] = (struct roster_alias){name, s->key};
    return 0;
}

int roster_read_aliases(struct roster *r, const char *data, size_t bytes, struct text *why)
{
    struct csv csv;
    int at[2] = {-1, -1}, failed = 0;
    csv_parse(&csv, data, bytes);
    if (csv.count) at[0] = column(&csv, names), at[1] = column(&csv, students);
    if (at[0] < 0 || at[1] < 0) {
        text_puts(why, _("its first line must name the columns alias (or group_name) and student (or login_id)"));
        failed = -1;
    }
    r->alias = ARENA_ARRAY(&r->arena, csv.count + 1, struct roster_alias);
    r->aliases = 0;
    for (uint32_t row = 1; row < csv.count && !failed; ++row) failed = take_row(r, &csv, row, at, why);
    arena_join(&r->arena, &csv.arena);
    return failed;
}

// Returns 1 if an alias names the author of a submission. An alias may be the author's name, number, login or address,
// or the name and the number joined by '-' as in the ledger.
static int is_named(const struct roster_alias *a, const struct roster_identity *who)
{
    char both[sizeof who->name + sizeof who->id + 2];
    snprintf(both, sizeof both, "%s-%s", who->name, who->id);
    const char *const all[] = {both, who->name, who->id, who->sis, who->login, who->email};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (*all[i] && !strcasecmp(a->name, all[i])) return 1;
    return 0;
}

uint32_t roster_members(const struct roster *r, const struct roster_identity *who,
                        const struct roster_student *member[ROSTER_MEMBERS])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->aliases && n < ROSTER_MEMBERS; ++i)
        if (is_named(&r->alias[i], who) && (member[n] = roster_by_key(r, r->alias[i].key)) != NULL) ++n;
    if (!n && (member[0] = roster_find(r, who)) != NULL) n = 1;
    return n;
}
