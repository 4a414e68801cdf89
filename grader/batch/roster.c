// Matches submissions to students. A student number or e-mail address in a submission must equal the number or address
// on the class list. If the number in a submission belongs to one student and the name to another, the submission
// matches neither student. Students' names are compared as sets of words, because course systems turn "Jane Doe" into
// "Doe, Jane" or "doejane". A name that two students on the class list share matches neither of the two students.
#define _GNU_SOURCE
#include "batch/roster.h"

#include <ctype.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wctype.h>

#include "base/hash.h"
#include "base/message.h"
#include "batch/csv.h"

enum { WORDS = 12, WORD = 48, NAME = WORDS * WORD };

static const struct column {
    const char *header;
    size_t field;
} columns[] = {
#define COLUMN(field, header) {header, offsetof(struct roster_student, field)},
#include "batch/roster.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char **field(struct roster_student *s, const struct column *c)
{
    return (const char **)(void *)((char *)s + c->field);
}

static const struct column *find_column(const char *header)
{
    while (*header == ' ') ++header;
    for (int i = 0; i < COLUMNS; ++i)
        if (!strcasecmp(columns[i].header, header)) return &columns[i];
    return NULL;
}

static void complete(struct roster *r, struct roster_student *s)
{
    static const char empty[] = "";
    const char **all[] = {&s->name,  &s->first,   &s->last,        &s->canvas, &s->sis, &s->login,
                          &s->email, &s->section, &s->participant, &s->github, &s->root};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (!*all[i]) *all[i] = empty;
    if (!*s->name && (*s->first || *s->last))
        s->name = arena_printf(&r->arena, "%s%s%s", s->first, *s->first && *s->last ? " " : "", s->last);
    const char *const keys[] = {s->sis, s->login, s->canvas, s->email, s->participant, s->github, s->name};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !s->key; ++i)
        if (*keys[i]) s->key = keys[i];
}

// Returns 1 if a row of a Canvas export is not a student. Canvas exports also contain the row "    Points Possible" and
// a test student.
static int is_no_student(const struct roster_student *s)
{
    const char *name = s->name;
    while (*name == ' ') ++name;
    return !s->key || !strcasecmp(name, "points possible") || !strcasecmp(name, "student, test");
}

// Returns 1 if `header` is the title of an assignment's column in Canvas. The title of an assignment's column ends with
// a number in parentheses, such as "Lab 3 (1234)".
static int is_assignment(const char *header)
{
    const char *open = strrchr(header, '(');
    size_t digits = open ? strspn(open + 1, "0123456789") : 0;
    return open && open > header && open[-1] == ' ' && digits && !strcmp(open + 1 + digits, ")");
}

int roster_parse(struct roster *r, const char *data, size_t bytes, struct text *why)
{
    struct csv csv;
    struct hash_map keys = {0};
    const struct column *of[CSV_CELLS] = {0};
    uint32_t known = 0;
    int failed = 0;
    *r = (struct roster){0};
    if (csv_read(&csv, data, bytes, why)) {
        arena_join(&r->arena, &csv.arena);
        return -1;
    }
    r->assignment = ARENA_ARRAY(&r->arena, CSV_CELLS, const char *);
    for (uint32_t i = 0; csv.count && i < csv.row[0].count && i < CSV_CELLS; ++i) {
        of[i] = find_column(csv.row[0].cell[i]);
        known += of[i] != NULL;
        if (!of[i] && is_assignment(csv.row[0].cell[i])) r->assignment[r->assignments++] = csv.row[0].cell[i];
    }
    if (!known) {
        text_puts(why, _("its first line names no column that is known (name, id, email, login …)"));
        failed = -1;
    }
    r->student = ARENA_ARRAY(&r->arena, csv.count + 1, struct roster_student);
    for (uint32_t row = 1; row < csv.count && !failed; ++row) {
        struct roster_student *s = &r->student[r->count];
        *s = (struct roster_student){0};
        for (uint32_t i = 0; i < csv.row[row].count && i < CSV_CELLS; ++i)
            if (of[i] && !(*field(s, of[i]) && **field(s, of[i]))) *field(s, of[i]) = csv.row[row].cell[i];
        complete(r, s);
        if (is_no_student(s)) continue;
        if (hash_map_get(&keys, s->key, strlen(s->key)) >= 0) {
            text_say(why, "line %u: '%.80s' stands there twice", row + 1, s->key);
            failed = -1;
        }
        hash_map_put(&keys, s->key, strlen(s->key), (int)r->count++);
    }
    hash_map_free(&keys);
    arena_join(&r->arena, &csv.arena);
    return failed;
}

void roster_free(struct roster *r)
{
    arena_free(&r->arena);
    *r = (struct roster){0};
}

const struct roster_student *roster_by_key(const struct roster *r, const char *key)
{
    for (uint32_t i = 0; i < r->count; ++i)
        if (!strcmp(r->student[i].key, key)) return &r->student[i];
    return NULL;
}

void roster_student_names(const struct roster_student *s, const char *names[ROSTER_STUDENT_NAMES])
{
    const char *const all[ROSTER_STUDENT_NAMES] = {s->key,   s->sis,    s->login, s->canvas,
                                                   s->email, s->github, s->name,  NULL};
    memcpy(names, all, sizeof all);
}

// ------------------------------------------------------------------------------------------------------------- names
// Converts a name to lower case, in the same way as Canvas, which turns "Özil, Mesut" into "özilmesut". The function
// fold() converts ASCII letters, and letters of two UTF-8 bytes whose lower case also has two bytes. Most alphabets
// with upper and lower case have no letters of more than two UTF-8 bytes.
static void fold(const char *name, char to[NAME])
{
    static locale_t letters;
    if (!letters) letters = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
    size_t n = 0;
    for (; *name && n < NAME - 2; ++name) {
        unsigned char first = (unsigned char)*name, second = (unsigned char)name[1];
        int pair = (first & 0xe0) == 0xc0 && (second & 0xc0) == 0x80;
        if (!pair || !letters) {
            to[n++] = (char)tolower(first);
            continue;
        }
        wint_t lower = towlower_l((wint_t)((first & 0x1f) << 6 | (second & 0x3f)), letters);
        int fits = lower >= 0x80 && lower < 0x800;
        to[n++] = fits ? (char)(0xc0 | lower >> 6) : *name;
        to[n++] = fits ? (char)(0x80 | (lower & 0x3f)) : name[1];
        ++name;
    }
    to[n] = '\0';
}

static int by_word(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Splits a person's name into words and sorts the words. Bytes beyond ASCII count as letters of a word. Returns the
// number of words in the name. Returns 0 if the name has more or longer words than fit, because two such names would be
// the same if they began alike.
static int words_of(const char *name, char word[WORDS][WORD])
{
    int n = 0, length = 0;
    for (; *name; ++name) {
        unsigned char c = (unsigned char)*name;
        int letter = isalnum(c) || c >= 0x80;
        if (letter && (n == WORDS || length == WORD - 1)) return 0;
        if (n == WORDS) continue;
        if (letter) word[n][length++] = *name;
        word[n][length] = '\0';
        if (!letter && length) ++n, length = 0;
    }
    if (length && n < WORDS) ++n;
    qsort(word, (size_t)n, WORD, by_word);
    return n;
}

// Returns 1 if `joined` consists of the words of `name` without blanks between them, in their order or rotated. For
// example, "DoeJane" matches the name "Jane Doe". In file names, Canvas removes all characters except letters and
// digits from a student's name and writes the last name first.
static int is_joined(const char *joined, const char *name)
{
    char all[2 * NAME] = "";
    size_t n = 0, length = strlen(joined);
    for (const char *c = name; *c && n < sizeof all / 2 - 1; ++c)
        if (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80) all[n++] = *c;
    if (n != length || !n) return 0;
    memcpy(all + n, all, n);
    all[2 * n] = '\0';
    int begins = 1; // a rotation may begin only at the start of a word
    size_t at = 0;
    for (const char *c = name; *c; ++c) {
        int letter = isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80;
        if (letter && begins && !strncmp(all + at, joined, length)) return 1;
        at += (size_t)letter;
        begins = !letter;
    }
    return 0;
}

int roster_same_name(const char *a, const char *b)
{
    char x[WORDS][WORD] = {{0}}, y[WORDS][WORD] = {{0}}, one[NAME], other[NAME];
    fold(a, one);
    fold(b, other);
    int n = words_of(one, x), m = words_of(other, y);
    if (n && n == m && !memcmp(x, y, (size_t)n * WORD)) return 1;
    return n == 1 ? is_joined(x[0], other) : m == 1 && is_joined(y[0], one);
}

static int same(const char *a, const char *b)
{
    return *a && *b && !strcasecmp(a, b);
}

static int local_part(const char *email, const char *name)
{
    size_t length = strcspn(email, "@");
    return email[length] && strlen(name) == length && !strncasecmp(email, name, length);
}

// Returns 1 if `name` is the student's login or number, followed by words of the student's name, such as "jdoe Jane
// Doe".
static int has_login(const struct roster_student *s, const char *name)
{
    char first[WORD], one[NAME], other[NAME], word[WORDS][WORD] = {{0}}, own[WORDS][WORD] = {{0}};
    size_t n = strcspn(name, " ");
    snprintf(first, sizeof first, "%.*s", (int)n, name);
    if (!name[n] || !(same(s->login, first) || same(s->sis, first) || same(s->canvas, first))) return 0;
    fold(name + n, one);
    fold(s->name, other);
    int words = words_of(one, word), mine = words_of(other, own), all = words > 0;
    for (int i = 0; i < words; ++i) all = all && bsearch(word[i], own, (size_t)mine, WORD, by_word);
    return all;
}

static int means(const struct roster_student *s, const struct roster_identity *who, int pass)
{
    const char *digits = s->participant + strcspn(s->participant, "0123456789");
    switch (pass) {
    case 0: // compares numbers and addresses
        return same(s->email, who->email) || same(s->sis, who->sis) || same(s->canvas, who->id) ||
               same(s->login, who->login) || same(digits, who->id);
    case 1: // compares the names that a student may have given to a folder
        return same(s->key, who->name) || same(s->login, who->name) || same(s->sis, who->name) ||
               same(s->canvas, who->name) || same(s->github, who->name) || same(s->email, who->name);
    case 2:
        return roster_same_name(s->name, who->name) || local_part(s->email, who->name) || has_login(s, who->name);
    default:
        return 0;
    }
}

// Compares an author's names and numbers with the roster in the passes `first` to `last` of means(), up to the first
// pass that matches a student. Sets *count to the number of students who match in this pass. Returns the matched
// student, or NULL if *count is not 1.
static const struct roster_student *find_only(const struct roster *r, const struct roster_identity *who, int first,
                                              int last, uint32_t *count)
{
    const struct roster_student *found = NULL;
    *count = 0;
    for (int left = 0; left < 2 && !*count; ++left)
        for (int pass = first; pass <= last && !*count; ++pass)
            for (uint32_t i = 0; i < r->count; ++i)
                if (r->student[i].left == left && means(&r->student[i], who, pass)) found = &r->student[i], ++*count;
    return *count == 1 ? found : NULL;
}

uint32_t roster_matches(const struct roster *r, const char *name, const struct roster_student *match[ROSTER_MEMBERS])
{
    struct roster_identity who = {0};
    uint32_t n = 0;
    snprintf(who.name, sizeof who.name, "%s", name);
    for (int left = 0; left < 2 && !n; ++left)
        for (int pass = 0; pass < 3 && !n; ++pass)
            for (uint32_t i = 0; i < r->count && n < ROSTER_MEMBERS; ++i)
                if (r->student[i].left == left && means(&r->student[i], &who, pass)) match[n++] = &r->student[i];
    return n;
}

int roster_contradiction(const struct roster *r, const struct roster_identity *who,
                         const struct roster_student *both[2])
{
    uint32_t count;
    both[0] = find_only(r, who, 0, 0, &count);
    both[1] = find_only(r, who, 1, 2, &count);
    return both[0] && both[1] && both[0] != both[1] && !means(both[0], who, 1) && !means(both[0], who, 2);
}

const struct roster_student *roster_find(const struct roster *r, const struct roster_identity *who)
{
    const struct roster_student *both[2];
    uint32_t count;
    return roster_contradiction(r, who, both) ? NULL : find_only(r, who, 0, 2, &count);
}
