// Tries repairs of a verdict's first cause, that is, of the first finding that does not follow from another finding.
//
// Theory of operation. A hint that names a change must be right, so the grader makes the change itself. The grader
// compiles the changed source and runs the small visible test cases on the optimised and the unoptimised image, with
// the same limits as in grading. A repair is proven by the results of these cases, not by the silence of one check. It
// works if it cures the submission: each of these cases is right, and nothing is found. If the submission has other
// faults than the cause, a repair also works if
//
//   the finding is gone,
//   each remaining defect was there before,
//   each other fault is still found: a fault whose code is not reached any more is hidden, not repaired, and
//   each of these cases that was right is still right, and more of them are right than before unless all were right, or
//   for a strict repair all of them are right.
//
// A change that removes the finding and leaves the outputs wrong hides a mistake, so the student never hears of it.
// Examples are a barrier between stores to arrays that overlap, and a guard of an index that names a wrong element.
//
// If the finding occurred in no small visible test case, the first visible test case in which it occurred is run, too.
// For a finding that occurred in hidden test cases alone, the visible test cases with wrong outputs stand in: the
// mistake shows there as well. If there are none either, no repair is tried, because no test case would show that the
// mistake is gone.
//
// A changed host program is graded as a whole, on the simulator. A repair that lets the host wait in the middle of its
// work must also leave the lab's technique as it has to be.
//
// Text that a repair inserts has no line feed, so the findings before and after the repair have the same line numbers.
// The advice to the student names the first repair that works. Trials end after a fixed number of compilations, so that
// the advice comes soon after the verdict and is the same on every machine. A submission that takes many times as long
// as others to compile, or to run on the host, gets fewer trials, or none. Hidden test cases do not decide whether a
// repair works, so a repair tells nothing about them. A repair changes only the lab's file, and never a header that was
// handed in with it.
#include "judge/repair/repair.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bundle.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "judge/host/host_grade.h"
#include "judge/job/runner.h"
#include "judge/kernel/kernel.h"

enum {
    AT_ONCE = 2,       // trials that run at the same time
    IMAGES_OF_ONE = 2, // images that are compiled of a kernel, to grade it
    COMPILED_MOST = 8, // images that are compiled for the repairs of a kernel; each takes half a second
    TILES_MOST = 3,    // kinds of larger tiles that are tried for a kernel that is right
    HOST_MOST = 4,     // programs that are compiled for the repairs of a host program; each takes two seconds
};

// All trials together may take about ALL_S seconds of the processor or of sleep, and one of them ONE_S. An ordinary
// submission stays far below: even on a slow machine, its number of trials does not depend on these seconds.
static const double ALL_S = 20, ONE_S = 8;

// Returns the smaller of `most` and the number of images or programs for which there is time.
static unsigned affordable(const struct judge_job *job, const struct verdict *v, unsigned most)
{
    double one = v->price_s / (job->lab->host ? 1 : IMAGES_OF_ONE) / judge_runner_patience();
    if (one > ONE_S) return 0;
    return one * most <= ALL_S ? most : (unsigned)(ALL_S / one);
}

void repair_apply(const struct source *s, const struct repair *r, struct text *out)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < r->nedits; ++i) {
        text_add(out, s->text.data + at, r->edit[i].begin - at);
        text_puts(out, r->edit[i].text);
        at = r->edit[i].end;
    }
    text_add(out, s->text.data + at, s->text.length - at);
}

static int same_lines(const struct finding *a, const struct finding *b)
{
    if (a->at.line == b->at.line && (!a->second || !b->second || a->other.line == b->other.line)) return 1;
    return a->second && b->second && a->at.line == b->other.line && a->other.line == b->at.line;
}

// Returns 1 if the findings `f` and `g` are the same defect. Two races of different kinds between the same source lines
// count as one defect.
static int same_defect(const struct verdict_finding *f, const struct verdict_finding *g)
{
    const char *a = f->array[0] ? f->array : f->finding.symbol, *b = g->array[0] ? g->array : g->finding.symbol;
    if (f->defect != g->defect) return 0;
    int kinds = f->finding.kind == g->finding.kind || (verdict_is_race(&f->finding) && verdict_is_race(&g->finding));
    return kinds && !strcmp(a, b) && same_lines(&f->finding, &g->finding);
}

static int is_defect(const struct verdict_finding *f)
{
    return verdict_info(f)->severity == FINDING_DEFECT;
}

static int has(const struct verdict_findings *list, const struct verdict_finding *f)
{
    for (uint32_t i = 0; i < list->count; ++i)
        if (is_defect(&list->item[i]) && same_defect(&list->item[i], f)) return 1;
    return 0;
}

// Says what the results after a repair prove, by the conditions at the head of repair.c.
enum proof {
    PROOF_NONE,   // the repair does not work
    PROOF_BETTER, // the finding is gone, and more cases are right
    PROOF_RIGHT,  // the finding is gone, and all cases are right, but other findings remain
    PROOF_CURED,  // nothing is found, and all cases are right
};

// Contains the results of the test cases with which a repair is tried, before or after the repair.
struct results {
    const struct verdict_findings *findings;
    uint64_t right; // bit i: the case v->item[i] is right
};

// Returns 1 if the defect `f` is the cause itself, follows from it, or is the same mistake with the same array. The
// list of findings is that of the verdict.
static int belongs_to(const struct verdict_findings *list, const struct verdict_finding *f,
                      const struct verdict_finding *cause)
{
    const struct verdict_finding *root = f;
    while (root->follows) root = &list->item[root->follows - 1];
    const char *a = f->array[0] ? f->array : f->finding.symbol;
    const char *b = cause->array[0] ? cause->array : cause->finding.symbol;
    return same_defect(root, cause) ||
           (a[0] && !strcmp(a, b) && verdict_info(f)->effect == verdict_info(cause)->effect &&
            !strcmp(f->kernel, cause->kernel));
}

// Returns 1 if the submission has a visible defect that does not belong to `cause`, and each of these defects is still
// found after a repair. `cases` are the cases that were run after the repair.
static int others_remain(const struct verdict_findings *before, const struct verdict_findings *after,
                         const struct verdict_finding *cause, uint64_t cases)
{
    int others = 0;
    for (uint32_t i = 0; i < before->count; ++i) {
        const struct verdict_finding *f = &before->item[i];
        if (!is_defect(f) || !(f->cases & cases) || belongs_to(before, f, cause)) continue;
        if (!has(after, f)) return 0;
        others = 1;
    }
    return others;
}

// Returns 1 if `cause` is gone after a repair and no new defect has appeared. A finding about a result does not count
// as new if there were other defects than `cause` before, because the finding may follow from them.
static int is_better(const struct verdict_findings *before, const struct verdict_findings *after,
                     const struct verdict_finding *cause)
{
    int others = verdict_defects(before) > 1;
    if (has(after, cause)) return 0;
    for (uint32_t i = 0; i < after->count; ++i) {
        const struct verdict_finding *f = &after->item[i];
        int comes_from_others = others && verdict_info(f)->effect == EFFECT_RESULT;
        if (is_defect(f) && !comes_from_others && !has(before, f)) return 0;
    }
    return 1;
}

// Returns what the results prove. `cases` are the cases that were run.
static enum proof prove(struct results before, struct results after, const struct verdict_finding *cause,
                        uint64_t cases, int strict)
{
    uint64_t was = before.right & cases, is = after.right & cases;
    if (!verdict_defects(after.findings)) return is == cases ? PROOF_CURED : PROOF_NONE;
    if (!is_better(before.findings, after.findings, cause)) return PROOF_NONE;
    if (was & ~is || (was == is && was != cases) || (strict && is != cases)) return PROOF_NONE;
    if (!others_remain(before.findings, after.findings, cause, cases)) return PROOF_NONE;
    return is == cases ? PROOF_RIGHT : PROOF_BETTER;
}

// Returns the set of test cases with which repairs of the finding `cause` are tried: bit i stands for v->item[i].
// Stores those that show the mistake in *shows. Returns 0 if no visible test case shows it.
static uint64_t cases_to_try(const struct verdict *v, const struct verdict_finding *cause, uint64_t *shows)
{
    uint64_t small = 0, visible = 0, wrong = 0;
    for (uint32_t i = 0; i < v->ncases; ++i) {
        if (v->item[i].which->flags & CASE_HIDDEN) continue;
        visible |= (uint64_t)1 << i;
        if (v->item[i].which->flags & CASE_SMALL) small |= (uint64_t)1 << i;
        if (v->item[i].result != CASE_RIGHT) wrong |= (uint64_t)1 << i;
    }
    *shows = cause->hidden ? wrong : cause->cases & visible;
    return *shows & small ? small : *shows ? small | (*shows & -*shows) : 0;
}

// Returns those of the cases that are run on the unoptimised image as well.
static uint64_t small_cases(const struct verdict *v, uint64_t cases)
{
    for (uint32_t i = 0; i < v->ncases; ++i)
        if (!(v->item[i].which->flags & CASE_SMALL)) cases &= ~((uint64_t)1 << i);
    return cases;
}

static uint64_t right_cases(const struct verdict *v)
{
    uint64_t right = 0;
    for (uint32_t i = 0; i < v->ncases; ++i)
        if (!(v->item[i].which->flags & CASE_HIDDEN)) right |= (uint64_t)(v->item[i].result == CASE_RIGHT) << i;
    return right;
}

// Describes the trial of one repair, on a thread of its own. The trial sets `compiled` and `works`.
struct trial {
    const struct judge_job *job;
    const struct verdict *verdict;
    const struct verdict_finding *cause;
    const struct source *source;
    const struct repair *repair;
    unsigned compiled; // number of images or programs that were compiled
    enum proof proof;
};

// Compiles the changed source to one image and runs test cases of it. Adds their findings to `after` and sets the bits
// of right cases in *right. Returns 0, or -1 if the source does not compile or the image cannot be launched.
static int try_image(struct trial *t, const struct text *changed, enum compile_image kind, uint64_t cases,
                     struct verdict_findings *after, uint64_t *right)
{
    const struct judge_job *job = t->job;
    struct compile_result compiled;
    struct kernel_tried tried = {0};
    uint64_t shows, first;
    shows = small_cases(t->verdict, cases_to_try(t->verdict, t->cause, &shows) & shows);
    first = shows & cases & -(shows & cases);
    compile_source(job->compiler, changed->data, changed->length, job->shown, job->kit, 1u << kind, &compiled);
    t->compiled++;
    int failed = compiled.status != COMPILED;
    // Most repairs that do not work leave the finding in the first case that had it, or the outputs wrong.
    if (!failed && first && kind == IMAGE_UNOPTIMISED) {
        failed = kernel_try(job, kind, &compiled.image[kind], first, after, &tried) || has(after, t->cause) ||
                 (!verdict_defects(after) && !(tried.right & first));
        cases &= ~first;
    }
    failed = failed || kernel_try(job, kind, &compiled.image[kind], cases, after, &tried);
    *right |= tried.right;
    compile_result_free(&compiled);
    return failed ? -1 : 0;
}

static enum proof try_kernel(struct trial *t, const struct text *changed)
{
    const struct verdict *v = t->verdict;
    struct verdict_findings *after = alloc_zeroed(1, sizeof *after);
    uint64_t shows, cases = cases_to_try(v, t->cause, &shows), right = 0;
    int fine = cases != 0;
    for (int kind = IMAGE_UNOPTIMISED; fine && kind >= IMAGE_OPTIMISED; --kind) {
        right = 0;
        fine = !try_image(t, changed, (enum compile_image)kind, cases, after, &right);
        if (fine) verdict_findings_reduce(after);
        fine = fine && is_better(&v->findings, after, t->cause);
    }
    enum proof proof = fine ? prove((struct results){&v->findings, right_cases(v)}, (struct results){after, right},
                                    t->cause, cases, t->repair->strict)
                            : PROOF_NONE;
    free(after);
    return proof;
}

// Removes the findings of hidden cases.
static void keep_visible(struct verdict_findings *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; ++i)
        if (!list->item[i].hidden) list->item[kept++] = list->item[i];
    list->count = kept;
}

// Grades a changed host program on the simulator, and returns what that proves.
static enum proof try_program(struct trial *t, const struct text *changed)
{
    const struct judge_job *job = t->job;
    const struct verdict *v = t->verdict;
    struct verdict *after = alloc_zeroed(1, sizeof *after), *before = alloc_zeroed(1, sizeof *before);
    struct judge_job own = *job;
    struct lab_drawn drawn;
    struct grading g;
    own.source = changed->data;
    own.bytes = changed->length;
    own.step = NULL;
    own.card_runner = NULL;
    own.timing = NULL;
    t->compiled++;
    lab_draw(job->lab, &job->secret, job->seed, &drawn);
    own.lab = &drawn.lab;
    grading_begin(&g, &own, after);
    host_grade(&g);
    grading_end(&g);
    before->findings = v->findings;
    keep_visible(&before->findings);
    keep_visible(&after->findings);
    uint64_t visible = 0;
    for (uint32_t i = 0; i < v->ncases; ++i)
        if (!(v->item[i].which->flags & CASE_HIDDEN)) visible |= (uint64_t)1 << i;
    enum proof proof = PROOF_NONE;
    if (after->stage == STAGE_RUN)
        proof = prove((struct results){&before->findings, right_cases(v)},
                      (struct results){&after->findings, right_cases(after)}, t->cause, visible, t->repair->strict);
    for (uint32_t i = 0; t->repair->pauses && i < after->speed.technique.count; ++i)
        if (!after->speed.technique.item[i].holds) proof = PROOF_NONE;
    verdict_free(after);
    free(after);
    free(before);
    return proof;
}

static int changes_header(const struct judge_job *job, const struct repair *r)
{
    struct bundle_file own = {0};
    bundle_next(&own, job->source, job->bytes);
    return r->edit[r->nedits - 1].end > own.bytes; // the edits are sorted
}

static void *run_trial(void *data)
{
    struct trial *t = data;
    struct stopwatch_lap lap = stopwatch_begin(0);
    struct text changed = {0};
    repair_apply(t->source, t->repair, &changed);
    if (!changes_header(t->job, t->repair))
        t->proof = t->job->lab->host ? try_program(t, &changed) : try_kernel(t, &changed);
    text_free(&changed);
    stopwatch_end(t->job->timing, &lap, 0, "repair", t->proof ? "works" : "does not work");
    return NULL;
}

// Runs trials at the same time, each on its own thread.
static void run_trials(struct trial *trial, uint32_t count)
{
    pthread_t thread[AT_ONCE];
    for (uint32_t i = 0; i < count; ++i) {
        int error = pthread_create(&thread[i], NULL, run_trial, &trial[i]);
        if (error) die("cannot start a thread: %s", strerror(error));
    }
    for (uint32_t i = 0; i < count; ++i) pthread_join(thread[i], NULL);
}

// Tries the `count` repairs in `all`, in their order, as long as fewer than COMPILED_MOST images or HOST_MOST programs
// were compiled and there is time. Returns the first that works, and stores in *proof what its trial proves, or returns
// NULL. Trials that were run beside a trial that works have no effect.
static const struct repair *first_that_works(const struct trial *model, const struct repair *all, uint32_t count,
                                             enum proof *proof)
{
    unsigned compiled = 0, most = model->job->lab->host ? HOST_MOST : COMPILED_MOST;
    most = affordable(model->job, model->verdict, most);
    for (uint32_t i = 0; i < count && compiled < most; i += AT_ONCE) {
        struct trial trial[AT_ONCE];
        uint32_t n = count - i < AT_ONCE ? count - i : AT_ONCE;
        if (n > most - compiled) n = most - compiled;
        for (uint32_t k = 0; k < n; ++k) {
            trial[k] = *model;
            trial[k].repair = &all[i + k];
        }
        run_trials(trial, n);
        for (uint32_t k = 0; k < n && compiled < most; ++k) {
            *proof = trial[k].proof;
            if (*proof) return trial[k].repair;
            compiled += trial[k].compiled;
        }
    }
    return NULL;
}

// Returns 1 if, on each axis on which the tile of `r` has grown, some test case has several blocks of the kernel. A
// single block that covers a whole test case does not show where its tile ends.
static int shows_tile(const struct lab *lab, const struct repair *r, const struct kernel_tried *tried)
{
    for (int k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k) {
        if (strcmp(lab->kernel[k], r->kernel) != 0) continue;
        for (int axis = 0; axis < 3; ++axis)
            if (r->axes >> axis & 1 && tried->grid[k][axis] < 2) return 0;
        return 1;
    }
    return 0;
}

// Compiles the source with a larger tile and runs the visible test cases. Returns 1 if all of them stay right, nothing
// is found, and they show that a block covers the tile.
static int tile_is_right(const struct judge_job *job, const struct verdict *v, const struct source *s,
                         const struct repair *r)
{
    const enum compile_image kind = IMAGE_OPTIMISED;
    struct verdict_findings *after = alloc_zeroed(1, sizeof *after);
    struct kernel_tried tried = {0};
    struct compile_result compiled;
    uint64_t cases = right_cases(v);
    struct text changed = {0};
    repair_apply(s, r, &changed);
    compile_source(job->compiler, changed.data, changed.length, job->shown, job->kit, 1u << kind, &compiled);
    int fine = compiled.status == COMPILED && !changes_header(job, r) &&
               !kernel_try(job, kind, &compiled.image[kind], cases, after, &tried) && tried.right == cases &&
               !verdict_defects(after) && shows_tile(job->lab, r, &tried);
    compile_result_free(&compiled);
    text_free(&changed);
    free(after);
    return fine;
}

// Adds to the advice that LAUNCH's tile is too small, if the kernels are right with a larger one as well. Then each
// element is in the tile of several blocks: some of the blocks do what others have done, or nothing.
static void find_small_tile(const struct judge_job *job, struct verdict *v, const struct source *s)
{
    struct repair *all = alloc_zeroed(REPAIR_CANDIDATES, sizeof *all), best;
    uint32_t count = repair_propose_tiles(s, 2, all), most = affordable(job, v, TILES_MOST), tried = 0, i = 0;
    while (i < count && tried++ < most && !tile_is_right(job, v, s, &all[i])) ++i;
    int found = i < count && tried <= most;
    if (found) best = all[i];
    for (uint32_t factor = 4; found && factor <= 8; factor *= 2) {
        if (repair_propose_tiles(s, factor, all) != count || !tile_is_right(job, v, s, &all[i])) break;
        best = all[i];
    }
    if (found) {
        char old[sizeof v->next];
        memcpy(old, v->next, sizeof old);
        message_print(v->next, sizeof v->next,
                      v->passed
                          ? N_("LAUNCH's .tile is smaller than what a block covers, so blocks do what others have "
                               "done, or nothing: %s (tried: the outputs stay right); %s")
                          : N_("LAUNCH's .tile is smaller than what a block covers, so blocks do what others have "
                               "done, or nothing: %s (tried: the outputs stay right)"),
                      best.sentence, old);
    }
    free(all);
}

void repair_find(const struct judge_job *job, struct verdict *v, struct text *repaired)
{
    struct verdict_finding *cause = v->ndefects ? &v->findings.item[0] : NULL;
    struct source s;
    uint64_t shows;
    if (v->stage != STAGE_RUN || (job->lab->host && (!cause || cause->hidden))) return;
    if (source_split(&s, job->source, job->bytes)) return;
    if (!cause) {
        if (v->nright == v->ncases && v->score[ROW_SPEED] < verdict_rubric[ROW_SPEED].of) find_small_tile(job, v, &s);
        source_free(&s);
        return;
    }
    struct repair *all = alloc_zeroed(REPAIR_CANDIDATES, sizeof *all);
    struct trial model = {.job = job, .verdict = v, .cause = cause, .source = &s};
    uint32_t count = cases_to_try(v, cause, &shows) ? repair_propose(&s, cause, all) : 0;
    enum proof proof = PROOF_NONE;
    const struct repair *r = first_that_works(&model, all, count, &proof);
    struct text suspected = {0};
    static const char *const says[] = {
        [PROOF_BETTER] = N_("%s (tried: the finding is gone, and more cases are right)"),
        [PROOF_RIGHT] = N_("%s (tried: the finding is gone, and the outputs are right; other findings remain)"),
        [PROOF_CURED] = N_("%s (tried: the finding is gone, and the outputs are right)"),
    };
    if (r)
        message_print(v->next, sizeof v->next, says[proof], r->sentence);
    else
        repair_suspect(&s, cause, &suspected);
    if (r && repaired) repair_apply(&s, r, repaired);
    if (suspected.length) snprintf(v->next, sizeof v->next, "%s", suspected.data);
    text_free(&suspected);
    free(all);
    source_free(&s);
}
