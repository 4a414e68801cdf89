// Scores a report by a rubric. A submission's points depend on the stage that grading reached, on the results of the
// test cases, and on the kinds and lines of the findings. The points for technique depend on whether the simulator's
// counters or timeline fulfil the lab's conditions. The points for speed depend on the submission's speedup. The code
// in rubric.c restores a verdict from the JSON report and calls verdict_score() to compute the points. The rule that
// turns a verdict into points therefore exists only once. For a submission measured on a graphics card, a sign test
// decides whether the submission reaches the minimum speedup (judge/card/sign.h). A rubric may change the minimum
// speedup. The code in rubric.c therefore repeats the sign test with the rubric's minimum speedup and the measured
// ratios in the report.
#include "batch/book/rubric.h"
#include "host/border/host_trace.h"

#include <jansson.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "report/json_value.h"

enum { PATH = 160, POINTS_MOST = 1000 };

// ---------------------------------------------------------------------------------------------------- reading a rubric
static int refuse(struct text *why, const char *path, const char *what)
{
    text_printf(why, "%s: %s", path, _(what));
    return -1;
}

static int take_rows(struct rubric *r, const json_t *rows, const char *path, struct text *why)
{
    const char *key;
    json_t *value;
    char at[PATH];
    if (!json_is_object(rows)) return refuse(why, path, "an object in braces is expected");
    json_object_foreach((json_t *)rows, key, value)
    {
        int row = 0;
        snprintf(at, sizeof at, "%.100s.%.40s", path, key);
        while (row < RUBRIC_ROWS && strcmp(verdict_rubric[row].name, key)) ++row;
        if (row == RUBRIC_ROWS) return refuse(why, at, "there is no such row");
        if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > POINTS_MOST)
            return refuse(why, at, "a whole number of points is expected");
        r->of[row] = (int)json_integer_value(value);
    }
    return 0;
}

static int take_speedup(double *to, const json_t *value, const char *path, const char *name, struct text *why)
{
    char at[PATH];
    snprintf(at, sizeof at, "%s.%s", path, name);
    if (!json_is_number(value) || json_number_value(value) < 0.01 || json_number_value(value) > 1e6)
        return refuse(why, at, "a speedup over the baseline is expected");
    *to = json_number_value(value);
    return 0;
}

static int take_lab(struct rubric_file *f, const char *name, const json_t *lab, struct text *why)
{
    const char *key;
    json_t *value;
    char path[PATH], at[PATH];
    snprintf(path, sizeof path, "labs.%.40s", name);
    struct rubric_lab *l = f->lab;
    while (l < f->lab + f->labs && l->lab != lab_find(name)) ++l;
    if (l == f->lab + f->labs) return refuse(why, path, "there is no such lab");
    if (!json_is_object(lab)) return refuse(why, path, "an object in braces is expected");
    json_object_foreach((json_t *)lab, key, value)
    {
        int failed = 0;
        snprintf(at, sizeof at, "%.100s.%.40s", path, key);
        if (!strcmp(key, "rows"))
            failed = take_rows(&l->rubric, value, at, why);
        else if (!strcmp(key, "minimum"))
            failed = take_speedup(&l->minimum, value, path, key, why);
        else if (!strcmp(key, "full"))
            failed = take_speedup(&l->full, value, path, key, why);
        else
            failed = refuse(why, at, "there is no such field; there are: rows, minimum, full");
        if (failed) return -1;
    }
    double own = lab_threshold_of(l->lab->lesson, l->lab->furthest).minimum;
    if (l->full > 0 && l->full < (l->minimum > 0 ? l->minimum : own)) return refuse(why, path, "full is below minimum");
    return 0;
}

static int take_all(struct rubric_file *f, const json_t *root, struct text *why)
{
    const char *key;
    json_t *value;
    if (!json_is_object(root)) return refuse(why, _("the file"), "an object in braces is expected");
    const json_t *rows = json_object_get(root, "rows"), *labs = json_object_get(root, "labs");
    for (uint32_t i = 0; i < f->labs && rows; ++i)
        if (take_rows(&f->lab[i].rubric, rows, "rows", why)) return -1;
    if (labs && !json_is_object(labs)) return refuse(why, "labs", "an object in braces is expected");
    json_object_foreach((json_t *)labs, key, value) if (take_lab(f, key, value, why)) return -1;
    json_object_foreach((json_t *)root, key, value)
    {
        if (!strcmp(key, "rows") || !strcmp(key, "labs")) continue;
        if (strcmp(key, "name") || !json_is_string(value))
            return refuse(why, key,
                          strcmp(key, "name") ? N_("there is no such field; there are: name, rows, labs")
                                              : N_("a text is expected"));
        snprintf(f->name, sizeof f->name, "%s", json_string_value(value));
    }
    return 0;
}

int rubric_parse(struct rubric_file *f, const char *json, size_t bytes, struct text *why)
{
    json_error_t error;
    memset(f, 0, sizeof *f);
    snprintf(f->name, sizeof f->name, "%s", bytes ? _("the course's") : _("the kit's"));
    SHA256Data((const uint8_t *)json, bytes, f->hash);
    for (; lab_all[f->labs] && f->labs < RUBRIC_LABS; ++f->labs) {
        f->lab[f->labs].lab = lab_all[f->labs];
        for (int row = 0; row < RUBRIC_ROWS; ++row) f->lab[f->labs].rubric.of[row] = verdict_rubric[row].of;
    }
    if (!bytes) return 0;
    text_add(&f->text, json, bytes);
    json_t *root = json_loadb(json, bytes, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        text_say(why, "line %d: %s", error.line, error.text);
        return -1;
    }
    int failed = take_all(f, root, why);
    json_decref(root);
    return failed;
}

void rubric_free(struct rubric_file *f)
{
    text_free(&f->text);
}

// ------------------------------------------------------------------------------------------- a verdict from its report
static int choose(const json_t *word, const char *const *words, int count, const char *what)
{
    for (int i = 0; i < count && json_is_string(word); ++i)
        if (!strcmp(words[i], json_string_value(word))) return i;
    die("a report in the gradebook is damaged: '%s' is '%s'", what,
        json_is_string(word) ? json_string_value(word) : "");
}

static void restore_cases(struct verdict *v, const json_t *cases)
{
    static const char *const result[CASE_RESULTS] = {"right", "wrong", "stopped", "refused"};
    for (size_t i = 0; i < json_array_size(cases) && v->ncases < VERDICT_CASES; ++i) {
        struct verdict_case *c = &v->item[v->ncases++];
        c->result = (enum case_result)choose(json_object_get(json_array_get(cases, i), "result"), result, CASE_RESULTS,
                                             "result");
        v->nright += c->result == CASE_RIGHT;
    }
}

static void restore_place(struct finding_place *p, const json_t *place, const char *shown)
{
    const char *file = json_string_value(json_object_get(place, "file"));
    if (json_is_true(json_object_get(place, "definition"))) return; // the finding has no line of its own
    p->line = (uint32_t)json_integer_value(json_object_get(place, "line"));
    p->file = file && !strcmp(file, shown) ? FILE_STUDENT : FILE_OTHER;
}

static void restore_findings(struct verdict *v, const json_t *findings, const char *shown)
{
    // ids of the findings of kernels, followed by ids of the findings of host programs
    const char *kind[FINDING_KINDS + HOST_TRACE_DEFECTS];
    for (int i = 0; i < FINDING_KINDS; ++i) kind[i] = finding_info[i].id;
    for (uint32_t h = 0; h < HOST_TRACE_DEFECTS; ++h)
        kind[FINDING_KINDS + h] = verdict_info(&(struct verdict_finding){.defect = h})->id;
    for (size_t i = 0; i < json_array_size(findings) && v->findings.count < VERDICT_FINDINGS; ++i) {
        const json_t *one = json_array_get(findings, i), *other = json_object_get(one, "other");
        struct verdict_finding *item = &v->findings.item[v->findings.count++];
        struct finding *f = &item->finding;
        int which = choose(json_object_get(one, "kind"), kind, FINDING_KINDS + HOST_TRACE_DEFECTS, "kind");
        if (which < FINDING_KINDS)
            f->kind = (uint16_t)which;
        else
            item->defect = (uint32_t)(which - FINDING_KINDS);
        restore_place(&f->at, json_object_get(one, "at"), shown);
        f->second = other != NULL;
        if (other) restore_place(&f->other, other, shown);
    }
    v->ndefects = verdict_defects(&v->findings);
}

static void restore_card(struct measurement *m, const json_t *card, double minimum)
{
    static const char *const end[] = {"none", "done", "unreliable", "refused", "wrong"};
    const json_t *ratios = json_object_get(card, "ratios");
    struct sign_test test = {0};
    if (!card) return;
    m->end = (enum measure_end)choose(json_object_get(card, "end"), end, 5, "end");
    m->answer = SIGN_MORE;
    for (size_t i = 0; i < json_array_size(ratios) && m->answer == SIGN_MORE; ++i)
        m->answer = sign_add(&test, json_number_value(json_array_get(ratios, i)), minimum);
    // the measurement ended early because the measurement used a different minimum
    if (m->answer == SIGN_MORE) m->answer = SIGN_UNDECIDED;
}

static void restore_speed(struct verdict_speed *s, const json_t *speed, const struct rubric_lab *l)
{
    s->measured = json_is_true(json_object_get(speed, "measured"));
    s->model = json_is_true(json_object_get(speed, "model"));
    s->speedup = json_number_value(json_object_get(speed, "speedup"));
    s->threshold = (struct lab_threshold){
        .minimum = l->minimum > 0 ? l->minimum : json_number_value(json_object_get(speed, "needed")),
        .lesson = json_number_value(json_object_get(speed, "lesson")), // older reports have none
        .full = l->full > 0 ? l->full : json_number_value(json_object_get(speed, "full"))};
    restore_card(&s->card, json_object_get(speed, "card"), s->threshold.minimum);
}

static void restore(struct verdict *v, const json_t *report, const json_t *speed, const struct rubric_lab *l)
{
    static const char *const stage[] = {"build", "launch", "run"};
    const json_t *technique = json_object_get(report, "technique");
    const char *shown = json_string_value(json_object_get(report, "submission"));
    memset(v, 0, sizeof *v);
    v->rubric = &l->rubric;
    v->stage = (enum verdict_stage)choose(json_object_get(report, "stage"), stage, 3, "stage");
    restore_cases(v, json_object_get(report, "cases"));
    restore_findings(v, json_object_get(report, "findings"), shown ? shown : "");
    restore_speed(&v->speed, speed, l);
    for (size_t i = 0; i < json_array_size(technique) && i < LAB_TECHNIQUES; ++i)
        v->speed.technique.item[v->speed.technique.count++].holds =
            json_is_true(json_object_get(json_array_get(technique, i), "holds"));
}

static void take_score(const struct verdict *v, struct rubric_score *s)
{
    json_t *reasons = json_array();
    memcpy(s->points, v->score, sizeof s->points);
    s->total = v->total;
    s->passed = v->passed;
    s->most = 0;
    for (int row = 0; row < RUBRIC_ROWS; ++row) s->most += v->rubric->of[row];
    for (uint32_t i = 0; i < v->nreasons; ++i) {
        char reason[VERDICT_REASON];
        verdict_reason_print(v->job, &v->reason[i], reason);
        json_array_append_new(reasons, json_string(reason));
    }
    s->reasons.length = 0;
    write_json(reasons, JSON_COMPACT, &s->reasons);
}

void rubric_score(const struct rubric_file *f, const char *lab, const char *report, const char *measured,
                  struct rubric_score *s)
{
    json_t *root = json_loads(report, 0, NULL), *card = measured ? json_loads(measured, 0, NULL) : NULL;
    const struct rubric_lab *l = f->lab;
    struct verdict *v = alloc_bytes(sizeof *v);
    if (!root || (measured && !card)) die("a report in the gradebook is damaged: it is no JSON");
    while (l < f->lab + f->labs && strcmp(l->lab->name, lab)) ++l;
    if (l == f->lab + f->labs) die("the gradebook has a run of '%s', which is no lab of this kit", lab);
    memset(s, 0, sizeof *s);
    restore(v, root, json_object_get(root, "speed"), l);
    verdict_score(v);
    take_score(v, s);
    if (card) {
        int before = v->total;
        restore(v, root, card, l);
        verdict_score(v);
        if (v->total > before) take_score(v, s);
    }
    free(v);
    json_decref(card);
    json_decref(root);
}
