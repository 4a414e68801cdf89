// Computes the overview of a class in one lab: marks, lost points, speedups and similar sources. Each student counts
// once in the overview, with the attempt that the student's mark comes from.
#define _GNU_SOURCE
#include "batch/export/overview.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "box/box.h"
#include "compile/compile.h"

enum { PATH = 4096, RUNGS = 32, EARLIER_MOST = 20000 };
// Two sources whose similarity is at least SIMILAR belong to one group.
static const double SIMILAR = 0.8;

// ----------------------------------------------------------------------------------------------------------- counting
static void count(struct overview_counts *c, const char *what)
{
    uint32_t i = 0;
    char name[sizeof c->item[0].what];
    snprintf(name, sizeof name, "%s", what);
    while (i < c->count && strcmp(c->item[i].what, name)) ++i;
    if (i == OVERVIEW_COUNTS) return;
    if (i == c->count) c->item[c->count++] = (struct overview_count){.students = 0};
    memcpy(c->item[i].what, name, sizeof name);
    ++c->item[i].students;
}

static int by_count(const void *a, const void *b)
{
    const struct overview_count *x = a, *y = b;
    return x->students != y->students ? (x->students < y->students) - (x->students > y->students)
                                      : strcmp(x->what, y->what);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const double *sorted, uint32_t n, double share)
{
    return n ? sorted[(uint32_t)(share * (double)(n - 1) + 0.5)] : 0;
}

// Copies a reason for lost points without its line number. Without line numbers, the reasons "race at line 18" and
// "race at line 20" are counted together.
static void without_line(const char *text, char what[80])
{
    const char *at = strstr(text, " at line ");
    snprintf(what, 80, "%.*s", at ? (int)(at - text) : 79, text);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

// Counts the values of the field `key` in the objects of a JSON array. Skips findings whose severity is "note". A NULL
// `key` means that the array contains strings, which are counted. A value that occurs several times in one array is
// counted once.
static void count_all(struct overview_counts *c, const json_t *array, const char *key)
{
    char seen[OVERVIEW_COUNTS][80];
    uint32_t n = 0;
    for (size_t i = 0; i < json_array_size(array) && n < OVERVIEW_COUNTS; ++i) {
        const json_t *one = json_array_get(array, i);
        const char *text = key ? text_of(one, key) : json_string_value(one);
        uint32_t k = 0;
        if (key && !strcmp(text_of(one, "severity"), "note")) continue;
        without_line(text ? text : "", seen[n]);
        while (strcmp(seen[k], seen[n])) ++k;
        if (k == n) count(c, seen[n++]);
    }
}

static void count_unusual(struct overview *o, const json_t *report)
{
    const json_t *speed = json_object_get(report, "speed"), *card = json_object_get(speed, "card");
    const char *level = text_of(json_object_get(report, "tools"), "sandbox");
    if (!strcmp(text_of(card, "answer"), "undecided"))
        count(&o->unusual, N_("speed undecided, counted for the student"));
    if (card && !strcmp(text_of(card, "end"), "unreliable"))
        count(&o->unusual, N_("the card was busy: the model's speed"));
    if (*text_of(speed, "problem")) count(&o->unusual, N_("speed case not run to its end"));
    // the sandbox has namespaces, with or without a control group
    if (!strncmp(level, "namespaces", strlen("namespaces"))) return;
    struct text what = {0};
    text_say(&what, "sandbox: %.60s", *level ? _(level) : "");
    count(&o->unusual, what.data);
    text_free(&what);
}

static void count_speed(struct overview *o, const json_t *report, double *speedup)
{
    const json_t *speed = json_object_get(report, "speed");
    o->minimum = json_number_value(json_object_get(speed, "needed"));
    o->most = json_number_value(json_object_get(speed, "full"));
    if (!json_is_true(json_object_get(speed, "measured"))) return;
    double s = json_number_value(json_object_get(speed, "speedup"));
    speedup[o->measured++] = s;
    if (s < o->minimum)
        ++o->below;
    else if (s < o->most)
        ++o->between;
    else
        ++o->full;
}

static void count_student(struct overview *o, const struct results *all, const struct results_lab *l,
                          struct gradebook *gradebook, double *percent, double *speedup)
{
    const struct rubric_lab *r = all->rubric.lab;
    while (r->lab != o->lab) ++r;
    ++o->handed_in;
    if (!l->mark.there) count(&o->unusual, N_("not graded yet"));
    if (l->by_hand) count(&o->unusual, N_("mark set by hand"));
    if (!l->run) return;
    struct text text = {0};
    gradebook_report(gradebook, l->run, &text);
    json_t *report = json_loads(text.data, 0, NULL);
    text_free(&text);
    double share = l->mark.of > 0 ? l->mark.points / l->mark.of : 0;
    percent[o->graded++] = 100 * share;
    ++o->bar[share >= 1 ? OVERVIEW_BARS - 1 : (int)(10 * share)];
    o->passed += (uint32_t)l->passed;
    for (int row = 0; row < RUBRIC_ROWS; ++row)
        if (l->points[row] < r->rubric.of[row]) count(&o->rows, verdict_rubric[row].name);
    count_all(&o->reasons, json_object_get(report, "refused"), NULL);
    count_all(&o->findings, json_object_get(report, "findings"), "word");
    count_unusual(o, report);
    count_speed(o, report, speedup);
    json_decref(report);
}

// ---------------------------------------------------------------------------------------------------------- similarity
static void read_likeness(struct similarity *l, const char *path, const struct similarity *common)
{
    struct text text = {0};
    if (text_read_file(&text, path, COMPILE_MOST)) text_free(&text);
    similarity_make(l, text.data ? text.data : "", text.length);
    if (common) similarity_subtract(l, common);
    text_free(&text);
}

// Holds the fingerprints of known sources with which submissions are compared. The known sources are the template, the
// reference solution, the example kernels in reference/ladder, and the sources of an earlier class.
struct known {
    struct similarity stub, reference, rung[RUNGS], *earlier;
    uint32_t rungs, earliers;
};

static void read_known(struct known *k, const struct lab *lab, const struct overview_sources *from)
{
    char path[PATH], folder[PATH];
    struct dirent **entry;
    snprintf(path, sizeof path, "%s/student_template/%s.cu", from->root, lab->slug);
    read_likeness(&k->stub, path, NULL);
    snprintf(path, sizeof path, "%s/reference/%s.cu", from->root, lab->slug);
    read_likeness(&k->reference, path, &k->stub);
    snprintf(folder, sizeof folder, "%s/reference/ladder/%s", from->root, lab->slug);
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; free(entry[i++])) {
        if (!strstr(entry[i]->d_name, ".cu") || k->rungs == RUNGS) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name) < (int)sizeof path)
            read_likeness(&k->rung[k->rungs++], path, &k->stub);
    }
    if (n >= 0) free(entry);
    if (!from->earlier) return;
    struct text text = {0};
    k->earlier = alloc_zeroed(EARLIER_MOST, sizeof *k->earlier);
    for (int64_t after = 0; k->earliers < EARLIER_MOST && gradebook_next_source(from->earlier, lab, &after, &text);
         text.length = 0) {
        similarity_make(&k->earlier[k->earliers], text.data ? text.data : "", text.length);
        similarity_subtract(&k->earlier[k->earliers++], &k->stub);
    }
    text_free(&text);
}

static void free_known(struct known *k)
{
    similarity_free(&k->stub);
    similarity_free(&k->reference);
    for (uint32_t i = 0; i < k->rungs; ++i) similarity_free(&k->rung[i]);
    for (uint32_t i = 0; i < k->earliers; ++i) similarity_free(&k->earlier[i]);
    free(k->earlier);
}

static uint32_t first_of(uint32_t *group, uint32_t i)
{
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
}

// Records the similarity `share` of the sources of students i and j. A group is a set of students whose sources are
// similar. If `share` is at least SIMILAR, merges the groups of students i and j. A group's number is the index of the
// group's first student.
static void join(struct overview *o, uint32_t i, uint32_t j, double share)
{
    uint32_t a = first_of(o->group, i), b = first_of(o->group, j);
    if (share > o->classmate[i]) o->classmate[i] = share;
    if (share > o->classmate[j]) o->classmate[j] = share;
    if (share >= SIMILAR) o->group[a > b ? a : b] = a < b ? a : b;
}

static double nearest(const struct similarity *l, const struct similarity *to, uint32_t count)
{
    double best = 0;
    for (uint32_t i = 0; i < count; ++i) {
        double share = similarity_of(l, &to[i]);
        if (share > best) best = share;
    }
    return best;
}

static void compare(struct overview *o, struct results *all, struct gradebook *gradebook, uint32_t lab,
                    const struct overview_sources *from)
{
    struct known known = {0};
    struct similarity *own = alloc_zeroed(all->count + 1, sizeof *own);
    read_known(&known, o->lab, from);
    o->reference = ARENA_ARRAY(&all->arena, all->count + 1, double);
    o->rung = ARENA_ARRAY(&all->arena, all->count + 1, double);
    o->classmate = ARENA_ARRAY(&all->arena, all->count + 1, double);
    o->group = ARENA_ARRAY(&all->arena, all->count + 1, uint32_t);
    for (uint32_t i = 0; i < all->count; ++i) o->group[i] = i;
    o->earlier = known.earlier ? ARENA_ARRAY(&all->arena, all->count + 1, double) : NULL;
    for (uint32_t i = 0; i < all->count; ++i) {
        struct text text = {0};
        if (!all->item[i].lab[lab].attempt) continue;
        gradebook_attempt_source(gradebook, all->item[i].lab[lab].attempt, &text);
        similarity_make(&own[i], text.data ? text.data : "", text.length);
        similarity_subtract(&own[i], &known.stub);
        text_free(&text);
        o->reference[i] = similarity_of(&own[i], &known.reference);
        o->rung[i] = nearest(&own[i], known.rung, known.rungs);
        if (o->earlier) o->earlier[i] = nearest(&own[i], known.earlier, known.earliers);
        for (uint32_t j = 0; j < i; ++j) join(o, i, j, similarity_of(&own[i], &own[j]));
    }
    for (uint32_t i = 0; i < all->count; ++i) o->group[i] = first_of(o->group, i);
    for (uint32_t i = 0; i < all->count; ++i) similarity_free(&own[i]);
    free(own);
    free_known(&known);
}

// -------------------------------------------------------------------------------------------------------- the overview
void overview_make(struct overview *o, struct results *all, struct gradebook *gradebook, uint32_t lab,
                   const struct overview_sources *from)
{
    double *percent = alloc_zeroed(all->count + 1, sizeof *percent),
           *speedup = alloc_zeroed(all->count + 1, sizeof *speedup);
    uint32_t missing = 0;
    *o = (struct overview){.lab = all->lab[lab]};
    o->missing = ARENA_ARRAY(&all->arena, all->count + 1, const char *);
    for (uint32_t i = 0; i < all->count; ++i) {
        const struct results_student *x = &all->item[i];
        if (x->student.left || (!x->enrolled && !x->lab[lab].attempts)) continue;
        ++o->students;
        if (x->lab[lab].attempts)
            count_student(o, all, &x->lab[lab], gradebook, percent, speedup);
        else
            o->missing[missing++] = x->student.name;
    }
    qsort(percent, o->graded, sizeof *percent, by_value);
    qsort(speedup, o->measured, sizeof *speedup, by_value);
    for (uint32_t i = 0; i < o->graded; ++i) o->mean += percent[i] / o->graded;
    o->median = median_of(percent, o->graded, 0.5);
    for (int q = 0; q < 3; ++q) o->quartile[q] = median_of(speedup, o->measured, 0.25 * (q + 1));
    struct overview_counts *const all_counts[] = {&o->rows, &o->reasons, &o->findings, &o->unusual};
    for (int i = 0; i < 4; ++i)
        qsort(all_counts[i]->item, all_counts[i]->count, sizeof all_counts[i]->item[0], by_count);
    compare(o, all, gradebook, lab, from);
    free(percent);
    free(speedup);
}
