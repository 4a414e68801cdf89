// Runs one correctness test case on one image (the optimised or unoptimised kernels) of a submission.
//
//   judge                                       runner
//   guards and poison  ───────────────────────▶ every buffer and the zones around it
//   inputs             ───────────────────────▶ INPUT, UPDATE
//   launches           ───────────────────────▶
//                      ◀─────────────────────── observation (checked by wire)
//                      ◀─────────────────────── every buffer with its guards
//   compare outputs with expected values, which never left the judge; compare inputs and guards with the snapshot
//
// Poison is a random pattern that fills buffers and guard zones before the launches. The poison differs for each seed,
// test case and buffer, and each 32-bit word of the poison is a NaN. An output that the kernels did not write contains
// poison and therefore cannot pass. A kernel cannot guess this random pattern (the poison). The simulator marks
// poisoned memory as never written, so a kernel that reads poison gets a finding.
#include "judge/kernel/kernel_run.h"
#include "base/alloc.h"
#include "base/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/text.h"
#include "judge/job/judge_launch.h"

enum { WORD = 4 };
// BUDGET limits the warp instructions of a launch, and BUDGET_SMALL limits the warp instructions of a launch in a small
// test case. A launch that exceeds its instruction budget is stopped with a finding. Good kernels need at most 5
// million warp instructions in a launch, and at most 2 million in a small test case. Correct but slow kernels need many
// more warp instructions than good kernels. A kernel needs 70 million warp instructions if each of 256 blocks reads a
// million numbers. In a small test case, a kernel needs 20 million warp instructions if all threads of a block repeat
// the work of one thread. After the first launch that was stopped, later test cases get a smaller instruction budget,
// because grading would take minutes otherwise.
static const uint64_t BUDGET = 256 << 20, BUDGET_SMALL = 32 << 20;
// BUDGET_ALL limits the warp instructions of all launches of the correctness test cases together. Without BUDGET_ALL,
// grading a kernel that is slow in every test case would take minutes. If BUDGET_ALL stops a launch,
// the finding states the whole BUDGET_ALL as the limit, not the part of BUDGET_ALL that was left for this launch. After
// a launch that BUDGET_ALL has stopped, later test cases are not run. The reference solutions of the grader's labs stay
// within all instruction budgets. A budget counts instructions, so a slow machine changes no verdict.
static const uint64_t BUDGET_ALL = 128 << 20;
enum { SLOW_DIVISOR = 16, PRINT_MOST = 4 << 10 };

struct snapshot { // the content of a buffer and its guard zones before the launches
    unsigned char *before;
    int engine; // index of the buffer in the engine
    uint64_t bytes;
};
struct case_context { // the state of a case in progress
    struct kernel_run *t;
    struct lab_plan plan;
    struct arena arena;
    struct snapshot snapshot[LAB_BUFFERS];
    uint32_t index;
    struct case_order order;
    struct case_run *out;
};

int kernel_run_start(struct kernel_run *t, const struct judge_job *job, enum compile_image kind,
                     const struct text *image)
{
    *t = (struct kernel_run){.runs = t->runs};
    t->left = BUDGET_ALL;
    t->shown = alloc_zeroed(1, sizeof *t->shown);
    t->unshown = alloc_zeroed(1, sizeof *t->unshown);
    return judge_image_start(&t->image, job, kind, image);
}

void kernel_run_free(struct kernel_run *t)
{
    judge_image_stop(&t->image);
    text_free(&t->print);
    free(t->shown);
    free(t->unshown);
    t->shown = t->unshown = NULL;
    kernel_speed_free(&t->speed);
}

// ----------------------------------------------------------------------------------------------------- before a launch
static void poison(unsigned char *at, uint64_t bytes, struct prng *random)
{
    for (uint64_t i = 0; i + WORD <= bytes; i += WORD) {
        uint32_t word = prng_u32(random) | 0x7fc00000; // the word is a quiet NaN of either sign
        memcpy(at + i, &word, WORD);
    }
}

static void place_buffer(struct case_context *g, uint32_t i)
{
    struct kernel_run *t = g->t;
    const struct lab_buffer *b = &g->plan.buffer[i];
    struct snapshot *h = &g->snapshot[i];
    char name[128];
    snprintf(name, sizeof name, "poison %s %s", g->plan.which->name, b->name);
    struct prng random = prng_stream(t->image.job->seed, name);
    h->bytes = b->count * WORD;
    uint64_t all = h->bytes + 2 * ENGINE_GUARD;
    h->before = alloc_bytes(all);
    poison(h->before, all, &random);
    judge_image_must(&t->image, wire_alloc(&t->image.runner.wire, h->bytes, WORD, &h->engine), "a buffer was made");
    judge_image_must(&t->image, wire_write(&t->image.runner.wire, h->engine, -ENGINE_GUARD, h->before, all, 1),
                     "a buffer was poisoned");
    if (b->role != LAB_INPUT && b->role != LAB_UPDATE) return;
    memcpy(h->before + ENGINE_GUARD, b->data, h->bytes);
    judge_image_must(&t->image, wire_write(&t->image.runner.wire, h->engine, 0, b->data, h->bytes, 0),
                     "an input was written");
}

// ------------------------------------------------------------------------------------------------------ after a launch
static struct verdict_finding describe(const struct kernel_run *t, const struct lab_plan *plan, const struct finding *f,
                                       const char *kernel, int buffer)
{
    uint32_t index = (uint32_t)(plan->which - t->image.job->lab->cases);
    struct verdict_finding v = {.finding = *f,
                                .job = t->image.job,
                                .which = index,
                                .cases = UINT64_C(1) << index,
                                .hidden = (plan->which->flags & CASE_HIDDEN) != 0,
                                .optimised = t->image.kind == IMAGE_OPTIMISED,
                                .unoptimised = t->image.kind == IMAGE_UNOPTIMISED};
    v.finding.unoptimised = (uint8_t)v.unoptimised;
    // file numbers of the two images differ, so findings must not contain file numbers
    v.finding.at.path = v.finding.other.path = 0;
    snprintf(v.kernel, sizeof v.kernel, "%s", kernel);
    if (buffer >= 0) {
        snprintf(v.array, sizeof v.array, "%s", plan->buffer[buffer].name);
        v.element = WORD;
    }
    return v;
}

void kernel_run_add_finding(struct kernel_run *t, const struct lab_plan *plan, const struct finding *f,
                            const char *kernel, int buffer)
{
    struct verdict_finding v = describe(t, plan, f, kernel, buffer);
    verdict_findings_add(&t->findings, &v);
}

void kernel_run_add_buffer(struct kernel_run *t, const struct lab_plan *plan, uint32_t buffer, enum finding_kind kind,
                           int64_t offset, uint64_t count)
{
    struct finding f = {.kind = (uint16_t)kind,
                        .space = SPACE_GLOBAL,
                        .at.access = ACCESS_WRITE,
                        .buffer = (int32_t)buffer,
                        .size = WORD,
                        .offset = offset,
                        .extent = plan->buffer[buffer].count * WORD,
                        .count = count};
    kernel_run_add_finding(t, plan, &f, plan->nsteps == 1 ? plan->step[0].launch.kernel : "", (int)buffer);
}

// Translates `engine`, the number that the engine (the simulator) gives a buffer, to the index of the same buffer in
// the test case's plan (struct lab_plan). Returns -1 if no buffer of the test case's plan has the number `engine`.
static int plan_buffer(const struct case_context *g, int engine)
{
    for (uint32_t i = 0; i < g->plan.nbuffers; ++i)
        if (engine >= 0 && g->snapshot[i].engine == engine) return (int)i;
    return -1;
}

static void take_print(struct kernel_run *t, const struct observation *o, const struct lab_case *which)
{
    if (t->print.length || (which->flags & CASE_HIDDEN) || !o->print_bytes) return;
    text_add(&t->print, o->print, o->print_bytes < PRINT_MOST ? o->print_bytes : PRINT_MOST);
    if (o->print_dropped || o->print_bytes > PRINT_MOST) text_say(&t->print, "\n… (more was printed)\n");
}

// Returns 1 if the launch is to be recorded, and asks for it in the request.
static int ask_for_record(const struct kernel_record *r, struct engine_launch *l)
{
    if (!r || r->found || strcmp(r->kernel, l->kernel) != 0) return 0;
    for (uint32_t i = 0; i < r->nblocks; ++i)
        for (int axis = 0; axis < 3; ++axis)
            if (r->block[i][axis] >= l->grid[axis]) return 0;
    l->record = r->nblocks;
    memcpy(l->record_block, r->block, sizeof l->record_block);
    return 1;
}

// Takes the recording of the launch, unless an earlier one is better.
static void take_record(struct case_context *g, const struct engine_launch *l, const struct observation *o)
{
    struct kernel_record *r = g->t->record;
    for (uint32_t i = 0; i < o->nfindings; ++i) r->found |= o->finding[i].step > 0;
    if (r->bytes.length && !r->found) return;
    r->bytes.length = 0;
    int answer = wire_recording(&g->t->image.runner.wire, &r->bytes);
    if (answer == WIRE_BROKEN) judge_image_must(&g->t->image, answer, "a recording was read");
    memcpy(r->grid, l->grid, sizeof r->grid);
    memcpy(r->threads, l->block, sizeof r->threads);
    r->findings = (struct verdict_findings){.count = 0};
    for (uint32_t i = 0; i < o->nfindings; ++i) {
        struct verdict_finding v =
            describe(g->t, &g->plan, &o->finding[i], l->kernel, plan_buffer(g, o->finding[i].buffer));
        verdict_findings_add(&r->findings, &v);
    }
}

// Runs one kernel launch of the test case's plan. Returns 1 if the next launch may follow, or 0 if the test case must
// stop.
static int launch_step(struct case_context *g, const struct lab_step *s)
{
    struct kernel_run *t = g->t;
    int engine[LAB_BUFFERS];
    for (int i = 0; i < LAB_BUFFERS; ++i) engine[i] = g->snapshot[i].engine;
    struct engine_launch l = judge_image_launch(s, engine);
    l.checks = CHECK_ALL;
    l.schedule_seed = g->order.seed;
    l.jitter = (uint32_t)g->order.jitter;
    l.budget = (g->plan.which->flags & CASE_SMALL ? BUDGET_SMALL : BUDGET) / (t->slow ? SLOW_DIVISOR : 1);
    int last = l.budget > t->left; // 1: the budget of all cases together is the tighter one
    if (last) l.budget = t->left;
    struct observation *o = t->image.observation;
    g->out->result = CASE_STOPPED;
    if (!t->left) {
        message_print(g->out->message, sizeof g->out->message,
                      "not run, because the cases before took more than %" PRIu64 " warp instructions", BUDGET_ALL);
        return 0;
    }
    int recorded = ask_for_record(t->record, &l);
    if (judge_image_must(&t->image, wire_launch(&t->image.runner.wire, &l, o), "a kernel ran")) return 0;
    if (recorded) take_record(g, &l, o);
    g->out->result = CASE_RIGHT;
    uint64_t spent = o->counters.warp_inst;
    for (int axis = 0; axis < 3; ++axis)
        if (l.grid[axis] > g->out->grid[s->kernel][axis]) g->out->grid[s->kernel][axis] = l.grid[axis];
    take_print(t, o, g->plan.which);
    if (!g->order.again && !(g->plan.which->flags & CASE_HIDDEN)) coverage_add(t->shown, &o->coverage);
    g->out->inst += o->counters.warp_inst;
    g->out->launched |= o->status == OBSERVED_OK || o->status == OBSERVED_FAULT;
    for (uint32_t i = 0; i < o->nfindings; ++i) {
        struct finding f = o->finding[i];
        if (f.kind == FINDING_too_long && !f.text[0]) {
            t->slow = 1;
            spent = l.budget;
            if (last) f.value = BUDGET_ALL;
        }
        kernel_run_add_finding(g->t, &g->plan, &f, l.kernel, plan_buffer(g, f.buffer));
    }
    t->left -= spent < t->left ? spent : t->left;
    switch ((enum observation_status)o->status) {
    case OBSERVED_OK:
    case OBSERVED_STATUSES:
        return 1;
    case OBSERVED_UNSUPPORTED:
        judge_image_unsupported(&t->image, o->message, 0);
        g->out->result = CASE_REFUSED;
        return 0;
    case OBSERVED_BAD_LAUNCH:
        snprintf(g->out->message, sizeof g->out->message, "%s", o->message);
        g->out->result = CASE_REFUSED;
        return 0;
    case OBSERVED_FAULT:
        snprintf(g->out->message, sizeof g->out->message, "%s", o->message);
        g->out->result = CASE_STOPPED;
        return 0;
    }
    return 0;
}

static uint64_t first_difference(const unsigned char *a, const unsigned char *b, uint64_t bytes)
{
    uint64_t i = 0;
    while (i < bytes && a[i] == b[i]) ++i;
    return i;
}

static uint64_t first_equal_word(const unsigned char *a, const unsigned char *b, uint64_t bytes)
{
    uint64_t i = 0;
    while (i < bytes && memcmp(a + i, b + i, WORD) != 0) i += WORD;
    return i;
}

// Checks that the kernels changed neither the guard zones of buffer `i` nor, if the buffer is an input, its content.
// `after` is the content of buffer `i` and of its guard zones after the launches. Adds a finding for each change of a
// guard zone or an input.
static void check_untouched(struct case_context *g, uint32_t i, const unsigned char *after)
{
    const struct snapshot *h = &g->snapshot[i];
    uint64_t behind = ENGINE_GUARD + h->bytes;
    uint64_t first = first_difference(h->before, after, ENGINE_GUARD);
    if (first < ENGINE_GUARD)
        kernel_run_add_buffer(g->t, &g->plan, i, FINDING_stray_store, (int64_t)first - ENGINE_GUARD, 1);
    first = first_difference(h->before + behind, after + behind, ENGINE_GUARD);
    if (first < ENGINE_GUARD)
        kernel_run_add_buffer(g->t, &g->plan, i, FINDING_stray_store, (int64_t)(h->bytes + first), 1);
    if (g->plan.buffer[i].role != LAB_INPUT) return;
    first = first_difference(h->before + ENGINE_GUARD, after + ENGINE_GUARD, h->bytes);
    if (first < h->bytes)
        kernel_run_add_buffer(g->t, &g->plan, i, FINDING_input_changed, (int64_t)(first / WORD * WORD), 1);
}

static void check_output(struct case_context *g, uint32_t i, const unsigned char *after)
{
    const struct lab_buffer *b = &g->plan.buffer[i];
    const unsigned char *before = g->snapshot[i].before + ENGINE_GUARD;
    if (b->role != LAB_OUTPUT && b->role != LAB_UPDATE) return;
    g->out->outputs = hash_bytes(after + ENGINE_GUARD, g->snapshot[i].bytes, g->out->outputs);
    const void *poisoned = b->role == LAB_OUTPUT ? before : NULL;
    struct lab_comparison c = lab_compare(b, after + ENGINE_GUARD, poisoned);
    if (!c.wrong) return;
    if (c.poisoned) {
        uint64_t first = first_equal_word(before, after + ENGINE_GUARD, g->snapshot[i].bytes);
        kernel_run_add_buffer(g->t, &g->plan, i, FINDING_output_missing, (int64_t)first, c.poisoned);
    }
    if (g->out->result != CASE_RIGHT) return;
    g->out->result = CASE_WRONG;
    g->out->buffer = (int)i;
    g->out->comparison = c;
}

// Reads all buffers of the test case back from the runner process and checks their contents. After a fault of a kernel,
// outputs are not compared, but guard zones and inputs are checked.
static void take_back(struct case_context *g)
{
    int stopped = g->out->result != CASE_RIGHT;
    for (uint32_t i = 0; i < g->plan.nbuffers; ++i) {
        const struct snapshot *h = &g->snapshot[i];
        uint64_t all = h->bytes + 2 * ENGINE_GUARD;
        unsigned char *after = alloc_bytes(all);
        int answer = wire_read(&g->t->image.runner.wire, h->engine, -ENGINE_GUARD, after, all);
        if (!judge_image_must(&g->t->image, answer, "a buffer was read back")) {
            check_untouched(g, i, after);
            if (!stopped) check_output(g, i, after);
        }
        free(after);
    }
}

void kernel_run_case(struct kernel_run *t, uint32_t index, struct case_order order, struct case_run *out)
{
    const struct lab *lab = t->image.job->lab;
    struct case_context g = {.t = t, .index = index, .order = order, .out = out};
    struct stopwatch_lap lap = judge_image_begin(&t->image);
    *out = (struct case_run){.result = CASE_RIGHT, .buffer = -1};
    for (int i = 0; i < LAB_BUFFERS; ++i) g.snapshot[i].engine = -1;
    judge_image_plan(&t->image, &lab->cases[index], &g.plan, &g.arena);
    if (judge_launch_check_plan(&t->image.loaded, &g.plan, out->message)) {
        out->result = CASE_REFUSED;
    } else {
        struct prng random = prng_stream(t->image.job->seed, g.plan.which->name);
        lab->fill(&g.plan, &random);
        lab->expect(&g.plan);
        judge_image_must(&t->image, wire_reset(&t->image.runner.wire), "a case began");
        for (uint32_t i = 0; i < g.plan.nbuffers; ++i) place_buffer(&g, i);
        int goes_on = 1;
        for (uint32_t s = 0; s < g.plan.nsteps && goes_on; ++s) goes_on = launch_step(&g, &g.plan.step[s]);
        take_back(&g);
    }
    for (int i = 0; i < LAB_BUFFERS; ++i) free(g.snapshot[i].before);
    arena_free(&g.arena);
    char part[64];
    snprintf(part, sizeof part, "case %s", lab->cases[index].name);
    judge_image_end(&t->image, &lap, part, compile_image_name[t->image.kind]);
}
