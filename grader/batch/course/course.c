// Reads course.json. For each type of field, a function reads the value, checks its type and range, and reports the
// field's path if the value is wrong. An unknown field in course.json is an error. If unknown fields were ignored, a
// misspelt "due" would leave a lab without a due date.
#include "batch/course/course.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/course/field.h"
#include "batch/unpack/timestamp.h"

enum { PATH = FIELD_PATH, CAP_MOST = 100000 };

struct reader {
    struct course *course;
    const char *json;
    size_t bytes;
    struct text *why;
    int failed;
};

static void fail(struct reader *r, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void fail(struct reader *r, const char *path, const char *format, ...)
{
    struct text words = {0};
    if (r->failed) return;
    r->failed = 1;
    va_list args;
    va_start(args, format);
    text_vsay(&words, format, args);
    va_end(args);
    field_refuse(r->json, r->bytes, path, words.data, r->why);
    text_free(&words);
}

// Returns 1 if `object` is a JSON object and all its field names are in `known`, a NULL-terminated list. A NULL `known`
// allows every field name.
static int is_object(struct reader *r, const json_t *object, const char *path, const char *const *known)
{
    const char *key;
    json_t *value;
    char at[PATH];
    if (!json_is_object(object)) {
        fail(r, *path ? path : _("the file"), "an object in braces is expected");
        return 0;
    }
    json_object_foreach((json_t *)object, key, value)
    {
        int i = 0;
        while (known && known[i] && strcmp(known[i], key)) ++i;
        if (!known || known[i]) continue;
        field_below(at, path, key);
        struct text all = {0};
        for (i = 0; known[i]; ++i) text_printf(&all, "%s%s", i ? ", " : "", known[i]);
        fail(r, at, "there is no such field; there are: %s", all.data);
        text_free(&all);
    }
    return !r->failed;
}

// ------------------------------------------------------------------------------------------------------------ fields
static const json_t *get(const json_t *object, const char *above, const char *name, char path[PATH])
{
    field_below(path, above, name);
    return json_object_get(object, name);
}

static void take_number(struct reader *r, const json_t *object, const char *above, const char *name, double least,
                        double most, double *to)
{
    char path[PATH];
    const json_t *value = get(object, above, name, path);
    if (!value) return;
    double n = json_number_value(value);
    if (!json_is_number(value) || !(n >= least && n <= most))
        fail(r, path, "a number from %g to %g is expected", least, most);
    else
        *to = n;
}

static void take_string(struct reader *r, const json_t *object, const char *above, const char *name, const char **to)
{
    char path[PATH];
    const json_t *value = get(object, above, name, path);
    if (!value) return;
    if (!json_is_string(value) || !json_string_length(value))
        fail(r, path, "a text is expected");
    else
        *to = arena_strndup(&r->course->arena, json_string_value(value), json_string_length(value));
}

// Parses a duration such as "15m" or "1d" into seconds. Returns 0, or -1 if the text is not a duration.
static int parse_duration(const char *text, int64_t *seconds)
{
    static const struct {
        char letter;
        int64_t seconds;
    } unit[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || n < 0 || n > 1000000 || !end[0] || end[1]) return -1;
    for (size_t i = 0; i < sizeof unit / sizeof *unit; ++i) {
        if (unit[i].letter != *end) continue;
        *seconds = n * unit[i].seconds;
        return 0;
    }
    return -1;
}

static void take_duration(struct reader *r, const json_t *object, const char *above, const char *name, int64_t least,
                          int64_t *to)
{
    char path[PATH];
    const json_t *value = get(object, above, name, path);
    if (!value) return;
    if (!json_is_string(value) || parse_duration(json_string_value(value), to) || *to < least)
        fail(r, path, "a duration such as \"15m\", \"2h\" or \"1d\" is expected");
}

static void take_time(struct reader *r, const json_t *object, const char *above, const char *name, int64_t *to)
{
    char path[PATH];
    const json_t *value = get(object, above, name, path);
    if (!value) return;
    if (!json_is_string(value) || timestamp_parse(json_string_value(value), to))
        fail(r, path, "a time such as \"2026-10-01T23:59:00+09:00\" is expected");
}

static void take_late(struct reader *r, const json_t *object, const char *above, struct course_late *late)
{
    static const char *const known[] = {"percent", "per", "most", "until", NULL};
    char path[PATH];
    const json_t *value = get(object, above, "late", path);
    if (!value || !is_object(r, value, path, known)) return;
    take_number(r, value, path, "percent", 0, 100, &late->percent);
    take_number(r, value, path, "most", 0, 100, &late->most);
    take_duration(r, value, path, "per", 1, &late->per);
    take_duration(r, value, path, "until", 0, &late->until);
}

// Reads the rules "attempts", "cap", "grace" and "late", which course.json may contain for the whole course and for a
// single lab.
static void take_rules(struct reader *r, const json_t *object, const char *above, struct course_lab *l)
{
    const char *policy = NULL;
    char path[PATH];
    double cap = l->cap;
    take_string(r, object, above, "attempts", &policy);
    if (policy && strcmp(policy, "best") && strcmp(policy, "last")) {
        field_below(path, above, "attempts");
        fail(r, path, "\"best\" or \"last\" is expected");
    }
    if (policy) l->policy = strcmp(policy, "last") ? COURSE_BEST : COURSE_LAST;
    take_number(r, object, above, "cap", 1, CAP_MOST, &cap);
    if (cap != floor(cap)) {
        field_below(path, above, "cap");
        fail(r, path, "a whole number is expected");
    }
    l->cap = (uint32_t)cap;
    take_duration(r, object, above, "grace", 0, &l->grace);
    take_late(r, object, above, &l->late);
}

// -------------------------------------------------------------------------------------------------------- the objects
static int64_t extended_to(const struct course_extension *e, int64_t due)
{
    return e->due ? e->due : due + e->more;
}

// Sets the time zone of the course. The time zone must be set before the first time in course.json is read, because
// times without a zone are in this zone.
static void take_zone(struct reader *r, const json_t *root)
{
    char path[PATH];
    take_string(r, root, "", "zone", &r->course->zone);
    field_below(path, "", "zone");
    if (timestamp_set_zone(r->course->zone))
        fail(r, path, "a time zone such as \"Asia/Seoul\", or an offset such as \"+09:00\", is expected");
}

static void take_labs(struct reader *r, const json_t *labs)
{
    static const char *const known[] = {"weight", "points", "due", "canvas", "attempts", "cap", "grace", "late", NULL};
    const char *key;
    json_t *value;
    char path[PATH];
    if (!labs || !is_object(r, labs, "labs", NULL)) return;
    json_object_foreach((json_t *)labs, key, value)
    {
        const struct lab *lab = lab_find(key);
        field_below(path, "labs", key);
        if (!lab) fail(r, path, "there is no such lab");
        if (!lab || !is_object(r, value, path, known)) return;
        struct course_lab *l = (struct course_lab *)course_lab(r->course, lab);
        l->named = 1;
        take_number(r, value, path, "weight", 0, 1000, &l->weight);
        take_number(r, value, path, "points", 0.01, 10000, &l->points);
        take_time(r, value, path, "due", &l->due);
        take_string(r, value, path, "canvas", &l->canvas);
        take_rules(r, value, path, l);
    }
}

// Refuses an extension that does not move a due date, because such a mistake would silently cost the student points.
static void check_extension(struct reader *r, const char *path, const struct course_extension *e)
{
    char when[TIMESTAMP_TEXT];
    int64_t due = 0;
    for (uint32_t i = 0; i < r->course->labs; ++i) {
        const struct course_lab *l = &r->course->lab[i];
        if (!l->due || (e->lab && e->lab != l->lab)) continue;
        due = l->due;
        if (extended_to(e, due) > due) return;
    }
    timestamp_print(due, when);
    if (due)
        fail(r, path, "the extension must end after the due date, %s", when);
    else
        fail(r, path, "there is no due date that this extension could move");
}

static void take_extension(struct reader *r, const char *student, const char *key, const json_t *value,
                           const char *path, struct course_extension *e)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    e->student = arena_strndup(&r->course->arena, student, strlen(student));
    e->line = field_line(r->json, r->bytes, path);
    e->lab = strcmp(key, "*") ? lab_find(key) : NULL;
    if (!e->lab && strcmp(key, "*")) fail(r, path, "there is no such lab (\"*\": every lab)");
    if (parse_duration(text, &e->more) && timestamp_parse(text, &e->due))
        fail(r, path, "a new due time, or a duration such as \"2d\", is expected");
    if (!r->failed) check_extension(r, path, e);
}

static void take_extensions(struct reader *r, const json_t *all)
{
    const char *student, *key;
    json_t *of, *value;
    char person[PATH], path[PATH];
    size_t count = 0, n = 0;
    if (!all || !is_object(r, all, "extensions", NULL)) return;
    json_object_foreach((json_t *)all, student, of) count += json_object_size(of);
    r->course->extension = ARENA_ARRAY(&r->course->arena, count + 1, struct course_extension);
    json_object_foreach((json_t *)all, student, of)
    {
        field_below(person, "extensions", student);
        if (!is_object(r, of, person, NULL)) return;
        json_object_foreach(of, key, value)
        {
            field_below(path, person, key);
            take_extension(r, student, key, value, path, &r->course->extension[n++]);
        }
    }
    r->course->extensions = (uint32_t)n;
}

void course_default(struct course *c)
{
    *c = (struct course){.name = "Warpwise", .zone = "UTC"};
    timestamp_set_zone(c->zone);
    for (; lab_all[c->labs] && c->labs < COURSE_LABS; ++c->labs)
        c->lab[c->labs] =
            (struct course_lab){.lab = lab_all[c->labs], .weight = 1, .late = {.per = 86400, .most = 100}};
}

int course_parse(struct course *c, const char *json, size_t bytes, struct text *why)
{
    static const char *const known[] = {"course", "zone", "attempts",   "cap", "grace",
                                        "late",   "labs", "extensions", NULL};
    json_error_t error;
    struct reader r = {c, json, bytes, why, 0};
    course_default(c);
    json_t *root = json_loadb(json, bytes, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        text_say(why, "line %d: %s", error.line, error.text);
        return -1;
    }
    if (is_object(&r, root, "", known)) {
        struct course_lab all = c->lab[0];
        take_string(&r, root, "", "course", &c->name);
        take_zone(&r, root);
        take_rules(&r, root, "", &all);
        for (uint32_t i = 0; i < c->labs; ++i) {
            all.lab = c->lab[i].lab;
            all.canvas = c->lab[i].canvas;
            c->lab[i] = all;
        }
        take_labs(&r, json_object_get(root, "labs"));
        take_extensions(&r, json_object_get(root, "extensions"));
    }
    json_decref(root);
    return r.failed ? -1 : 0;
}

void course_free(struct course *c)
{
    arena_free(&c->arena);
}

// ----------------------------------------------------------------------------------------------------------- queries
const struct course_lab *course_lab(const struct course *c, const struct lab *lab)
{
    for (uint32_t i = 0; i < c->labs; ++i)
        if (c->lab[i].lab == lab) return &c->lab[i];
    BUG("lab '%s' is not in the course", lab->name);
}

static int is_named(const char *name, const char *const *names)
{
    for (; *names; ++names)
        if (**names && !strcasecmp(name, *names)) return 1;
    return 0;
}

const struct course_extension *course_stranger(const struct course *c, const struct roster *roster)
{
    for (uint32_t i = 0; i < c->extensions; ++i) {
        int known = 0;
        for (uint32_t s = 0; s < roster->count && !known; ++s) {
            const char *names[ROSTER_STUDENT_NAMES];
            roster_student_names(&roster->student[s], names);
            known = is_named(c->extension[i].student, names);
        }
        if (!known) return &c->extension[i];
    }
    return NULL;
}

int64_t course_due(const struct course *c, const struct lab *lab, const char *const *names, int64_t *extended)
{
    int64_t due = course_lab(c, lab)->due, moved = due;
    for (uint32_t i = 0; i < c->extensions && due; ++i) {
        const struct course_extension *e = &c->extension[i];
        if ((e->lab && e->lab != lab) || !is_named(e->student, names)) continue;
        int64_t to = extended_to(e, due);
        if (to > moved) moved = to;
    }
    *extended = moved - due;
    return moved;
}
