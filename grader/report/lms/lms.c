// Composes the texts of the rubric's rows (builds, correct, safe, technique, speed) for course systems. Each row of the
// rubric is one test in a course system, so the points of the tests add up to the total. The text for each row of the
// rubric has the same wording as the terminal report.
#include "report/lms/lms.h"

#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/report.h"

const struct lms lms_all[] = {
#define LMS(name, path) {#name, path, lms_##name},
#include "report/lms/lms.def"
#undef LMS
    {0}};

const struct lms *lms_find(const char *name)
{
    for (const struct lms *l = lms_all; l->name; ++l)
        if (!strcmp(l->name, name)) return l;
    return NULL;
}

static void say_builds(const struct verdict *v, struct lms_row *row)
{
    row->met = v->stage == STAGE_RUN;
    text_say(&row->text, "compiled by %s; confined by: %s\n", v->compiler, box_level_name(v->sandbox));
    if (v->sentence[0]) text_printf(&row->text, "%s\n", v->sentence);
    if (v->messages.length)
        text_add(&row->text, v->messages.data, v->messages.length < LMS_TEXT_MOST ? v->messages.length : LMS_TEXT_MOST);
}

static void say_case(const struct verdict *v, uint32_t index, struct text *said)
{
    static const char *const what[CASE_RESULTS] = {N_("right"), N_("wrong output"), N_("stopped"),
                                                   N_("the launch was refused")};
    const struct verdict_case *c = &v->item[index];
    const struct lab_mismatch *first = c->comparison.mismatch;
    int hidden = (c->which->flags & CASE_HIDDEN) != 0;
    text_printf(said, "%s: %s", _(c->which->name), hidden ? _("not all right") : _(what[c->result]));
    if (c->message[0]) text_printf(said, ": %s", c->message);
    if (c->result == CASE_WRONG && c->comparison.shown && first->unwritten)
        text_say(said, ": %s[%llu] was never written, expected is %.9g", c->buffer, (unsigned long long)first->index,
                 first->expected);
    else if (c->result == CASE_WRONG && c->comparison.shown)
        text_say(said, ": %s[%llu] is %.9g, expected is %.9g", c->buffer, (unsigned long long)first->index, first->got,
                 first->expected);
    text_puts(said, "\n");
}

static void say_correct(const struct verdict *v, struct lms_row *row)
{
    row->met = v->stage == STAGE_RUN && v->nright == v->ncases;
    if (v->stage == STAGE_RUN) text_say(&row->text, "%u of %u cases right\n", v->nright, v->ncases);
    for (uint32_t i = 0; i < v->ncases; ++i)
        if (v->item[i].result != CASE_RIGHT) say_case(v, i, &row->text);
}

static void say_safe(const struct verdict *v, struct lms_row *row)
{
    struct bundle source = judge_job_bundle(v->job);
    int right = v->stage == STAGE_RUN && v->nright == v->ncases;
    row->met = right && !v->ndefects;
    for (uint32_t i = 0; i < v->findings.count; ++i) {
        const struct verdict_finding *f = &v->findings.item[i];
        struct finding_place at = verdict_place(f);
        report_place(&at, &source, &row->text);
        text_printf(&row->text, ": %s: ", _(verdict_info(f)->word));
        report_finding(f, &row->text);
        text_puts(&row->text, "\n  ");
        verdict_hint(f, &row->text);
        text_puts(&row->text, "\n");
    }
    if (row->met && !v->findings.count) text_puts(&row->text, _("nothing found\n"));
    if (!right) text_puts(&row->text, _("counts when every case is right\n"));
}

static void say_technique(const struct verdict *v, struct lms_row *row)
{
    const struct lab_techniques *t = &v->speed.technique;
    row->met = v->speed.measured;
    for (uint32_t i = 0; i < t->count; ++i) {
        text_printf(&row->text, "%s %s\n", t->item[i].holds ? "+" : "-", t->item[i].text);
        row->met = row->met && t->item[i].holds;
    }
    if (!v->speed.measured) text_printf(&row->text, "%s\n", _("counts when it is right and safe"));
}

static void say_speed(const struct verdict *v, struct lms_row *row)
{
    const struct verdict_speed *s = &v->speed;
    struct text asked = {0};
    report_threshold(&s->threshold, &asked);
    row->met = s->measured;
    for (uint32_t i = 0; i < v->nreasons; ++i)
        if (v->reason[i].id == REASON_too_slow || v->reason[i].id == REASON_time_unknown) row->met = 0;
    if (s->measured)
        text_say(&row->text, "%.2f × the baseline; %s", s->speedup, asked.data);
    else
        text_puts(&row->text, s->problem[0] ? s->problem : _("counts when it is right and safe"));
    text_puts(&row->text, "\n");
    if (s->measured && s->model) text_puts(&row->text, _("the times are a model's, no card measured them\n"));
    text_free(&asked);
}

void lms_rows(const struct verdict *v, struct lms_row row[RUBRIC_ROWS])
{
    static void (*const say[RUBRIC_ROWS])(const struct verdict *, struct lms_row *) = {
        [ROW_BUILDS] = say_builds,       [ROW_CORRECT] = say_correct, [ROW_SAFE] = say_safe,
        [ROW_TECHNIQUE] = say_technique, [ROW_SPEED] = say_speed,
    };
    for (int i = 0; i < RUBRIC_ROWS; ++i) {
        int of = v->rubric ? v->rubric->of[i] : verdict_rubric[i].of;
        row[i] = (struct lms_row){.name = verdict_rubric[i].name, .points = v->score[i], .of = of};
        say[i](v, &row[i]);
        if (row[i].text.length > LMS_TEXT_MOST) row[i].text.data[row[i].text.length = LMS_TEXT_MOST] = '\0';
    }
}

void lms_rows_free(struct lms_row row[RUBRIC_ROWS])
{
    for (int i = 0; i < RUBRIC_ROWS; ++i) text_free(&row[i].text);
}

int lms_most(const struct lms_row row[RUBRIC_ROWS])
{
    int most = 0;
    for (int i = 0; i < RUBRIC_ROWS; ++i) most += row[i].of;
    return most;
}
