// Chooses what `./grade step` records, and records it.
//
// The finding. The visible test cases run on the unoptimised image, first in ascending order of blocks and warps, which
// is the easiest to follow, and then, if they show no defect, in the random orders of a verdict. Of the findings in the
// first order that shows any, the first is chosen, by the order of a report. It is recorded in the test case with the
// fewest warp instructions that shows it.
//
// The blocks. The block of the finding's example is recorded and, if another block made the first of the two accesses,
// that block, too. The simulator is deterministic, so the recorded run shows the same finding.
#include "judge/kernel/kernel_step.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "compile/compile.h"
#include "judge/kernel/kernel_run.h"

enum { ORDERS = 3 };
// Without a finding, the smallest test case that executes so many warp instructions is recorded.
static const uint64_t WORTH_SEEING = 1000;

struct search {
    const struct judge_job *job;
    const struct kernel_step_request *request;
    struct kernel_run *run;
    uint64_t inst[VERDICT_CASES];         // warp instructions of each case, by its index in the lab
    struct verdict_findings *findings;    // of all cases in the present order
    uint32_t index;                       // of the chosen case
    struct case_order order;              // the chosen order
    const struct verdict_finding *chosen; // NULL: there is no finding
    struct kernel_record record;
    struct text *why;
};

// Returns 1 if a student may see the case and it runs on the unoptimised image.
static int is_visible(const struct lab_case *c)
{
    return !(c->flags & (CASE_HIDDEN | CASE_SPEED)) && c->flags & CASE_SMALL;
}

// Returns the index of the visible case number `number`, from 1, or -1.
static int case_numbered(const struct lab *lab, uint32_t number)
{
    for (uint32_t i = 0; i < lab->ncases; ++i)
        if (is_visible(&lab->cases[i]) && !--number) return (int)i;
    return -1;
}

// Returns the orders of the threads that are tried: ascending, and those of the unoptimised image in a verdict.
static struct case_order order_at(const struct judge_job *job, int n)
{
    static const int seed[ORDERS] = {0, SEED_UNOPTIMISED, SEED_UNOPTIMISED_AGAIN};
    return (struct case_order){.seed = n ? kernel_run_seed(job, seed[n]) : 0, .jitter = n == 2};
}

// Returns the index of the lab's kernel with this name, or -1.
static int kernel_index(const struct lab *lab, const char *name)
{
    for (int k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k)
        if (!strcmp(lab->kernel[k], name)) return k;
    return -1;
}

// ---------------------------------------------------------------- the finding

// Runs the cases in one order and collects their findings. Returns 0, or -1 if the image cannot be run.
static int run_cases(struct search *s, struct case_order order)
{
    struct case_run out;
    const struct lab *lab = s->job->lab;
    s->findings->count = 0;
    for (uint32_t i = 0; i < lab->ncases; ++i) {
        if (!is_visible(&lab->cases[i])) continue;
        if (s->request->number && (int)i != case_numbered(lab, s->request->number)) continue;
        s->run->findings.count = 0;
        kernel_run_case(s->run, i, order, &out);
        s->inst[i] = out.inst;
        if (s->run->image.sentence[0]) return -1;
        if (out.result == CASE_REFUSED) text_printf(s->why, "%s\n", out.message);
        if (out.result == CASE_REFUSED) return -1;
        for (uint32_t k = 0; k < s->run->findings.count; ++k)
            verdict_findings_add(s->findings, &s->run->findings.item[k]);
    }
    verdict_findings_sort(s->findings);
    verdict_findings_reduce(s->findings);
    return 0;
}

// Chooses the first finding that can be shown, in the requested kernel.
static void choose_finding(struct search *s)
{
    struct verdict_findings *all = s->findings;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; ++i)
        if (!s->request->kernel || !strcmp(s->request->kernel, all->item[i].kernel)) all->item[kept++] = all->item[i];
    all->count = kept;
    verdict_findings_trace(all);
    s->chosen = verdict_walk(all);
}

// Chooses the smallest case that shows the chosen finding. Without a finding, chooses a case that is worth seeing.
static void choose_case(struct search *s)
{
    const struct lab *lab = s->job->lab;
    int best = -1;
    for (uint32_t i = 0; i < lab->ncases; ++i) {
        if (!is_visible(&lab->cases[i]) || (s->chosen && !(s->chosen->cases >> i & 1))) continue;
        uint64_t now = s->inst[i], then = best < 0 ? 0 : s->inst[best];
        int enough = s->chosen || now >= WORTH_SEEING, was = best >= 0 && (s->chosen || then >= WORTH_SEEING);
        if (best < 0 || enough > was || (enough == was && (enough ? now < then : now > then))) best = (int)i;
    }
    s->index = s->request->number ? (uint32_t)case_numbered(lab, s->request->number) : (uint32_t)best;
}

// ---------------------------------------------------------------- the blocks

// Returns the first of the lab's kernels that the case launches.
static const char *first_launched(const struct search *s, const struct case_run *out)
{
    const struct lab *lab = s->job->lab;
    for (int k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k)
        if (out->grid[k][0]) return lab->kernel[k];
    return lab->kernel[0];
}

// Runs the chosen case to find the example of the chosen finding there, and sets the blocks that are recorded.
static void choose_blocks(struct search *s)
{
    struct case_run out;
    struct kernel_record *r = &s->record;
    const struct finding *f = NULL;
    r->nblocks = 1;
    s->run->findings.count = 0;
    kernel_run_case(s->run, s->index, s->order, &out);
    r->kernel = s->request->kernel ? s->request->kernel : s->chosen ? s->chosen->kernel : first_launched(s, &out);
    for (uint32_t i = 0; s->chosen && i < s->run->findings.count && !f; ++i) {
        const struct verdict_finding *v = &s->run->findings.item[i];
        int same = v->finding.kind == s->chosen->finding.kind && v->finding.at.line == s->chosen->finding.at.line;
        if (same && !strcmp(v->kernel, r->kernel)) f = &v->finding;
    }
    if (s->request->has_block) {
        const uint32_t *grid = out.grid[kernel_index(s->job->lab, r->kernel)];
        uint64_t at = s->request->block, x = grid[0] ? grid[0] : 1, y = grid[1] ? grid[1] : 1;
        r->block[0][0] = (uint32_t)(at % x);
        r->block[0][1] = (uint32_t)(at / x % y);
        r->block[0][2] = (uint32_t)(at / x / y > UINT32_MAX ? UINT32_MAX : at / x / y);
    } else if (f) {
        memcpy(r->block[0], f->at.block, sizeof r->block[0]);
        r->nblocks += f->second && memcmp(f->other.block, f->at.block, sizeof f->at.block) != 0;
        if (r->nblocks == 2) memcpy(r->block[1], f->other.block, sizeof r->block[1]);
    }
}

// ---------------------------------------------------------------- recording

// Records the chosen case. Returns 0, or -1 with a sentence in s->why.
static int record(struct search *s, struct verdict_step *out)
{
    struct case_run result;
    s->run->record = &s->record;
    kernel_run_case(s->run, s->index, s->order, &result);
    s->run->record = NULL;
    if (!s->record.bytes.length) {
        text_say(s->why, "nothing was recorded: block %1$llu of kernel '%2$s' does not exist in the case '%3$s'\n",
                 (unsigned long long)s->request->block, s->record.kernel, _(s->job->lab->cases[s->index].name));
        return -1;
    }
    if (recording_open(&out->recording, s->record.bytes.data, s->record.bytes.length))
        die("the simulator's recording is not valid");
    out->bytes = s->record.bytes;
    s->record.bytes = (struct text){0};
    out->job = s->job;
    out->which = s->job->lab->cases[s->index].name;
    out->kernel = s->job->lab->kernel[kernel_index(s->job->lab, s->record.kernel)];
    memcpy(out->grid, s->record.grid, sizeof out->grid);
    memcpy(out->threads, s->record.threads, sizeof out->threads);
    out->findings = s->record.findings;
    verdict_findings_sort(&out->findings);
    verdict_findings_trace(&out->findings);
    verdict_step_show(out);
    return 0;
}

static int search(struct search *s, struct verdict_step *out)
{
    for (int n = 0; n < ORDERS && !s->chosen; ++n) {
        s->order = order_at(s->job, n);
        if (run_cases(s, s->order)) return -1;
        choose_finding(s);
    }
    if (!s->chosen) s->order = order_at(s->job, 0);
    choose_case(s);
    choose_blocks(s);
    return record(s, out);
}

// Returns 0 if the request names a case and a kernel of the lab.
static int check_request(const struct lab *lab, const struct kernel_step_request *q, struct text *why)
{
    if (q->number && case_numbered(lab, q->number) < 0) {
        text_say(why, "%1$s has no case %2$u; its cases are:\n", lab->name, q->number);
        for (uint32_t i = 0, n = 0; i < lab->ncases; ++i)
            if (is_visible(&lab->cases[i])) text_printf(why, "  %" PRIu32 "  %s\n", ++n, _(lab->cases[i].name));
        return -1;
    }
    if (q->kernel && kernel_index(lab, q->kernel) < 0) {
        text_say(why, "%1$s has no kernel '%2$s'; its kernels are:", lab->name, q->kernel);
        for (int k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k) text_printf(why, " %s", lab->kernel[k]);
        text_puts(why, "\n");
        return -1;
    }
    return 0;
}

int kernel_step_image(const struct judge_job *job, const struct text *image, const struct kernel_step_request *q,
                      struct verdict_step *out, struct text *why)
{
    *out = (struct verdict_step){.job = job};
    if (check_request(job->lab, q, why)) return -1;
    struct search s = {.job = job, .request = q, .why = why};
    s.run = alloc_zeroed(1, sizeof *s.run);
    s.findings = alloc_zeroed(1, sizeof *s.findings);
    int failed = kernel_run_start(s.run, job, IMAGE_UNOPTIMISED, image) || search(&s, out);
    if (failed && s.run->image.sentence[0]) text_printf(why, "%s\n", s.run->image.sentence);
    kernel_run_free(s.run);
    text_free(&s.record.bytes);
    free(s.run);
    free(s.findings);
    return failed ? -1 : 0;
}

int kernel_step(const struct judge_job *job, const struct kernel_step_request *q, struct verdict_step *out,
                struct text *why)
{
    struct compile_result compiled;
    *out = (struct verdict_step){.job = job};
    if (check_request(job->lab, q, why)) return -1;
    compile_source(job->compiler, job->source, job->bytes, job->shown, job->kit, 1u << IMAGE_UNOPTIMISED, &compiled);
    if (compiled.status == COMPILE_FAILED) die("%s", compiled.messages.data);
    int failed = compiled.status != COMPILED;
    if (failed)
        text_add(why, compiled.messages.data, compiled.messages.length);
    else
        failed = kernel_step_image(job, &compiled.image[IMAGE_UNOPTIMISED], q, out, why);
    compile_result_free(&compiled);
    return failed ? -1 : 0;
}
