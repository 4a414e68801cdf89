// Matches submissions to students. A student number or e-mail address in a submission must equal the number or address
// on the class list. If the number in a submission belongs to one student and the name to another, the submission
// matches neither student. Students' names are compared as sets of words, because course systems turn "Jane Doe" into
// "Doe, Jane" or "doejane". A name that two students on the class list share matches neither of the two students.
#define _GNU_SOURCE
#include "batch/course/roster.h"

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
#include "base/text.h"
#include "batch/unpack/csv.h"

enum { WORDS = 12, WORD = 48, NAME = WORDS * WORD };

static const struct column {
    const char *header;
    size_t field;
} columns[] = {
#define COLUMN(field, header) {header, offsetof(struct roster_student, field)},
#include "batch/course/roster.def"
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
    size_t n = strlen(header);
    while (n && header[n - 1] == ' ') --n;
    for (int i = 0; i < COLUMNS; ++i)
        if (strlen(columns[i].header) == n && !strncasecmp(columns[i].header, header, n)) return &columns[i];
    return NULL;
}

static void complete(struct roster *r, struct roster_student *s)
{
    static const char empty[] = "";
    const char **all[] = {&s->name,  &s->first,   &s->last,        &s->canvas, &s->sis,  &s->login,
                          &s->email, &s->section, &s->participant, &s->github, &s->root, &s->submitted};
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

// Reads the first line of a class list. Sets of[i] to the column of the table roster.def that cell i names, or to NULL.
// Returns 0, or -1 with an error message in `why` if no cell names a column.
static int read_header(struct roster *r, const struct csv *csv, const struct column *of[CSV_CELLS], struct text *why)
{
    struct text known = {0}, other = {0};
    r->assignment = ARENA_ARRAY(&r->arena, CSV_CELLS, const char *);
    for (uint32_t i = 0; csv->count && i < csv->row[0].count && i < CSV_CELLS; ++i) {
        const char *title = csv->row[0].cell[i];
        of[i] = find_column(title);
        if (!of[i] && is_assignment(title)) r->assignment[r->assignments++] = title;
        struct text *list = of[i] ? &known : &other;
        if (*title) text_printf(list, "%s'%.40s'", list->length ? ", " : "", title);
    }
    int failed = known.length ? 0 : -1;
    if (failed)
        text_say(why, "its first line names no column that is known (name, id, email, login, 이름, 학번 …); it has: %s",
                 other.length ? other.data : "-");
    else
        r->columns = arena_printf(&r->arena,
                                  other.length ? _("columns understood: %s; ignored: %s") : _("columns understood: %s"),
                                  known.data, other.data);
    text_free(&known);
    text_free(&other);
    return failed;
}

// Returns 0, or -1 with an error message in `why` if an earlier row of the class list has a number, login or key of the
// student, too. The map `seen` holds the rows by their numbers, each with the name of its field before it. Addresses
// may occur twice, because a class list may have one address for all who have none.
static int is_twice(struct roster *r, struct hash_map *seen, const struct roster_student *s, uint32_t row,
                    struct text *why)
{
    const char *const number[] = {s->sis, s->login, s->canvas, s->participant, s->github, s->key};
    for (size_t i = 0; i < sizeof number / sizeof *number; ++i) {
        if (!*number[i]) continue;
        char *name = arena_printf(&r->arena, "%zu %s", i, number[i]);
        for (char *c = name; *c; ++c) *c = (char)tolower((unsigned char)*c);
        int before = hash_map_get(seen, name, strlen(name));
        if (before >= 0) {
            text_say(why, "lines %u and %u: '%.80s' stands in both", (unsigned)before, row, number[i]);
            return -1;
        }
        hash_map_put(seen, name, strlen(name), (int)row);
    }
    return 0;
}

int roster_parse(struct roster *r, const char *data, size_t bytes, struct text *why)
{
    struct csv csv;
    struct hash_map seen = {0};
    const struct column *of[CSV_CELLS] = {0};
    *r = (struct roster){0};
    int failed = csv_read(&csv, data, bytes, why) || read_header(r, &csv, of, why) ? -1 : 0;
    r->student = ARENA_ARRAY(&r->arena, csv.count + 1, struct roster_student);
    for (uint32_t row = 1; row < csv.count && !failed; ++row) {
        struct roster_student *s = &r->student[r->count];
        *s = (struct roster_student){0};
        for (uint32_t i = 0; i < csv.row[row].count && i < CSV_CELLS; ++i)
            if (of[i] && !(*field(s, of[i]) && **field(s, of[i]))) *field(s, of[i]) = csv.row[row].cell[i];
        complete(r, s);
        if (is_no_student(s)) continue;
        failed = is_twice(r, &seen, s, row + 1, why);
        ++r->count;
    }
    hash_map_free(&seen);
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

void roster_squeeze(const char *text, char squeezed[ROSTER_LABEL])
{
    char folded[NAME];
    size_t n = 0;
    fold(text, folded);
    for (const char *c = folded; *c && n < ROSTER_LABEL - 1; ++c)
        if (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80) squeezed[n++] = *c;
    squeezed[n] = '\0';
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

// Returns 1 if `name` consists of the student's login or number and a `rest`, in either order, with a blank or another
// separator between them: "jdoe Jane Doe", "2001_Jane Doe", "Jane Doe_2001".
static int has_number(const struct roster_student *s, const char *name, char rest[NAME])
{
    char number[WORD];
    for (const char *at = name; (at = strpbrk(at, " _-.,")) != NULL; ++at)
        for (int last = 0; last < 2; ++last) {
            snprintf(number, sizeof number, "%.*s", last ? WORD - 1 : (int)(at - name), last ? at + 1 : name);
            snprintf(rest, NAME, "%.*s", last ? (int)(at - name) : NAME - 1, last ? name : at + 1);
            if (*rest && (same(s->login, number) || same(s->sis, number) || same(s->canvas, number))) return 1;
        }
    return 0;
}

// Returns 1 if `name` consists of the student's login or number and of words of the student's name.
static int has_login(const struct roster_student *s, const char *name)
{
    char rest[NAME], one[NAME], other[NAME], word[WORDS][WORD] = {{0}}, own[WORDS][WORD] = {{0}};
    if (!has_number(s, name, rest)) return 0;
    if (roster_same_name(rest, s->name)) return 1;
    fold(rest, one);
    fold(s->name, other);
    int words = words_of(one, word), mine = words_of(other, own), all = words > 0;
    for (int i = 0; i < words; ++i) all = all && bsearch(word[i], own, (size_t)mine, WORD, by_word);
    return all;
}

static int means(const struct roster_student *s, const struct identity *who, int pass)
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

int roster_is_called(const struct roster_student *s, const char *name)
{
    struct identity who = {0};
    snprintf(who.name, sizeof who.name, "%s", name);
    return means(s, &who, 1) || means(s, &who, 2);
}

// Compares an author's names and numbers with the roster in the passes `first` to `last` of means(), up to the first
// pass that matches a student. Sets *count to the number of students who match in this pass. Returns the matched
// student, or NULL if *count is not 1.
static const struct roster_student *find_only(const struct roster *r, const struct identity *who, int first, int last,
                                              uint32_t *count)
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
    struct identity who = {0};
    uint32_t n = 0;
    snprintf(who.name, sizeof who.name, "%s", name);
    for (int left = 0; left < 2 && !n; ++left)
        for (int pass = 0; pass < 3 && !n; ++pass)
            for (uint32_t i = 0; i < r->count && n < ROSTER_MEMBERS; ++i)
                if (r->student[i].left == left && means(&r->student[i], &who, pass)) match[n++] = &r->student[i];
    return n;
}

uint32_t roster_namesakes(const struct roster *r, const char *name, struct text *keys)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        const struct roster_student *s = &r->student[i];
        if (s->left || !roster_same_name(s->name, name)) continue;
        if (keys) text_printf(keys, "%s%s", count ? ", " : "", s->key);
        ++count;
    }
    return count;
}

int roster_contradiction(const struct roster *r, const struct identity *who, const struct roster_student *both[2])
{
    uint32_t count;
    both[0] = find_only(r, who, 0, 0, &count);
    both[1] = find_only(r, who, 1, 2, &count);
    if (both[0] || both[1])
        return both[0] && both[1] && both[0] != both[1] && !means(both[0], who, 1) && !means(both[0], who, 2);
    for (uint32_t i = 0; i < r->count && !both[1]; ++i) { // the number may stand in the name
        struct identity named = {0};
        char rest[NAME];
        if (!has_number(both[0] = &r->student[i], who->name, rest)) continue;
        snprintf(named.name, sizeof named.name, "%.255s", rest);
        both[1] = find_only(r, &named, 1, 2, &count);
    }
    return both[1] && both[0] != both[1];
}

const struct roster_student *roster_find(const struct roster *r, const struct identity *who)
{
    const struct roster_student *both[2];
    uint32_t count;
    return roster_contradiction(r, who, both) ? NULL : find_only(r, who, 0, 2, &count);
}
