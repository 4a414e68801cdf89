// Computes the score of a verdict from the rubric. A submission that builds gets 5 points. Correct test cases earn up
// to 40 points in proportion to their number. A safe submission gets 20 points, but only if all test cases are right.
// The technique earns 15 points, but only if the submission is right and safe. The speed earns up to 20 points, but
// only if the submission also has the technique, because speed without the technique does not show that the lesson was
// learnt.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "judge/verdict/verdict.h"

const struct rubric_info verdict_rubric[RUBRIC_ROWS] = {
    [ROW_BUILDS] = {N_("builds"), 5},        [ROW_CORRECT] = {N_("correct"), 40}, [ROW_SAFE] = {N_("safe"), 20},
    [ROW_TECHNIQUE] = {N_("technique"), 15}, [ROW_SPEED] = {N_("speed"), 20},
};

// MINIMUM_SHARE is the fraction of the points for speed that the minimum speedup earns, 8 of 20 points. LESSON_SHARE is
// the fraction that the speedup of the lesson's own example kernel earns, 12 of 20 points.
static const double MINIMUM_SHARE = 0.4, LESSON_SHARE = 0.6;

// Describes a point of the scale that maps a speedup to a fraction of the points for speed.
struct scale {
    double speedup, share;
};

int verdict_speed_points(double speedup, const struct lab_threshold *t, int of)
{
    // where the lab requires no minimum, the scale begins where the minimum would be
    struct scale below = {t->minimum > 0 ? t->minimum : LAB_ALLOWANCE * t->lesson, MINIMUM_SHARE}, above = {t->full, 1};
    struct scale lesson = {t->lesson, LESSON_SHARE};
    if (!(speedup >= t->minimum)) return 0;
    if (speedup >= t->full) return of;
    if (lesson.speedup > below.speedup && lesson.speedup < above.speedup) {
        if (speedup < lesson.speedup)
            above = lesson;
        else
            below = lesson;
    }
    double between = speedup > below.speedup ? log(speedup / below.speedup) / log(above.speedup / below.speedup) : 0;
    // adding 1e-9 keeps rounding errors from costing a point when the speedup lies exactly on the limit between two
    // scores
    return (int)floor(of * (below.share + between * (above.share - below.share)) + 1e-9);
}

void verdict_reason_print(const struct judge_job *job, const struct verdict_reason *r, char out[VERDICT_REASON])
{
    char line[BUNDLE_LINE];
    if (r->line)
        snprintf(out, VERDICT_REASON, "%s at line %s", r->word, judge_job_line(job, r->line, line));
    else
        snprintf(out, VERDICT_REASON, "%s", r->word);
}

// Adds a reason why the submission does not pass, unless the verdict already has the same reason with the same name and
// line. Two kinds of findings may have the same name, for example "race".
static void add_reason(struct verdict *v, struct verdict_reason reason)
{
    for (uint32_t i = 0; i < v->nreasons; ++i) {
        const struct verdict_reason *r = &v->reason[i];
        if (r->id == reason.id && r->line == reason.line && !strcmp(r->word, reason.word)) return;
    }
    if (v->nreasons < VERDICT_REASONS) v->reason[v->nreasons++] = reason;
}

static void give_reason(struct verdict *v, enum reason id)
{
    add_reason(v, (struct verdict_reason){.id = id, .word = reason_word[id]});
}

static uint32_t line_of(const struct finding_place *p)
{
    return p->file == FILE_STUDENT ? p->line : 0;
}

// Returns 1 if the second source location of a finding takes part in the defect. The second source location of a bad
// mask takes no part in the defect, because lanes only wait there. The second source location of a bad access to the
// heap of malloc() takes no part in the defect, because it is the call that allocated or freed the memory. That of a
// value that a shuffle did not bring takes no part either, because the value is only used there.
static int is_mutual(const struct verdict_finding *f)
{
    if (!f->finding.second || f->defect) return f->finding.second;
    return f->finding.kind != FINDING_bad_mask && f->finding.kind != FINDING_never_written &&
           verdict_info(f)->effect != EFFECT_ADDRESS;
}

static void finding_reasons(struct verdict *v)
{
    for (uint32_t i = 0; i < v->findings.count; ++i) {
        const struct finding *f = &v->findings.item[i].finding;
        const struct finding_info *info = verdict_info(&v->findings.item[i]);
        if (info->severity != FINDING_DEFECT) continue;
        struct verdict_reason r = {.id = REASON_finding, .word = info->word, .line = line_of(&f->at)};
        add_reason(v, r);
        r.line = line_of(&f->other);
        if (r.line && is_mutual(&v->findings.item[i])) add_reason(v, r);
    }
}

static int techniques_hold(const struct lab_techniques *t)
{
    for (uint32_t i = 0; i < t->count; ++i)
        if (!t->item[i].holds) return 0;
    return 1;
}

void verdict_take_card(struct verdict_speed *s, const struct judge_job *job)
{
    const struct measurement *m = &s->card;
    if (m->end != MEASURE_DONE) return;
    s->model = 0;
    s->time_ps = m->student_ps;
    s->baseline_ps = m->baseline_ps;
    s->speedup = m->ratio;
    s->threshold = job->card_threshold;
}

int verdict_card_failed(const struct verdict_speed *s)
{
    return s->card.end == MEASURE_WRONG || s->card.end == MEASURE_REFUSED;
}

// A simulated time does not count if more than UNSEEN_MOST thousandths of it belong to code that the simulator recorded
// far too seldom. The limit UNSEEN_MOST is 1000, so every simulated time counts. A lower limit would be unjust, because
// recorded slices of a warp lie at equal distances. All recorded slices of a loop with two barriers may therefore hold
// the same half of the loop.
enum { UNSEEN_MOST = 1000 };

// Returns 1 if the submission is fast enough to pass, else 0. If the speed was measured on a GPU, the sign test decides
// whether the submission passes, and an undecided sign test passes. If the speed was simulated, the speedup decides
// whether the submission passes.
static int fast_enough(const struct verdict_speed *s)
{
    return s->model ? s->speedup >= s->threshold.minimum : s->card.answer != SIGN_BELOW;
}

static int points_of(const struct verdict *v, enum rubric_row row)
{
    return v->rubric ? v->rubric->of[row] : verdict_rubric[row].of;
}

static void score_run(struct verdict *v)
{
    v->score[ROW_BUILDS] = points_of(v, ROW_BUILDS);
    v->score[ROW_CORRECT] = v->ncases ? points_of(v, ROW_CORRECT) * (int)v->nright / (int)v->ncases : 0;
    int correct = v->nright == v->ncases;
    for (uint32_t i = 0; i < v->ncases; ++i) {
        if (v->item[i].result == CASE_WRONG) give_reason(v, REASON_wrong_output);
        if (v->item[i].result == CASE_REFUSED) give_reason(v, REASON_bad_launch);
        if (v->item[i].result == CASE_STOPPED && !v->ndefects) give_reason(v, REASON_stopped);
    }
    finding_reasons(v);
    if (correct && !v->ndefects) v->score[ROW_SAFE] = points_of(v, ROW_SAFE);
    if (!v->speed.measured) {
        if (correct && !v->ndefects) give_reason(v, REASON_speed_not_run);
        return;
    }
    int technique = techniques_hold(&v->speed.technique);
    if (technique)
        v->score[ROW_TECHNIQUE] = points_of(v, ROW_TECHNIQUE);
    else
        give_reason(v, REASON_technique);
    if (verdict_card_failed(&v->speed))
        give_reason(v, v->speed.card.end == MEASURE_WRONG ? REASON_wrong_output_on_card : REASON_stopped_on_card);
    else if (v->speed.model && v->speed.unseen_permille > UNSEEN_MOST)
        give_reason(v, REASON_time_unknown);
    else if (!fast_enough(&v->speed))
        give_reason(v, REASON_too_slow);
    else if (technique)
        v->score[ROW_SPEED] = verdict_speed_points(fmax(v->speed.speedup, v->speed.threshold.minimum),
                                                   &v->speed.threshold, points_of(v, ROW_SPEED));
}

void verdict_score(struct verdict *v)
{
    memset(v->score, 0, sizeof v->score);
    v->nreasons = 0;
    switch (v->stage) {
    case STAGE_BUILD:
        give_reason(v, REASON_does_not_build);
        break;
    case STAGE_LAUNCH:
        give_reason(v, v->refusal);
        break;
    case STAGE_RUN:
        score_run(v);
        break;
    }
    v->total = 0;
    for (int row = 0; row < RUBRIC_ROWS; ++row) v->total += v->score[row];
    v->passed = v->nreasons == 0;
}
