// Runs the speed case on the simulator, measures the simulated time, and checks that the kernels did all the work.
//
// If running all blocks of the speed case would take too long, the simulator runs only a sample of the blocks. A kernel
// could recognise the speed case by its size and do less work in the speed case. No correctness test case would show
// that a kernel does less work in the speed case. The outputs of the speed case are therefore checked as well. How the
// outputs of the speed case are checked depends on whether a block uses results of other blocks.
//
// - Independent blocks: one launch writes every output, from inputs alone. The outputs of the sample must be right. The
//   blocks of the sample must also have written everything that they cover: the words that the blocks of each stratum
//   (blocks with equal counters) wrote, scaled to the stratum, must add up to all outputs of the launch. Blocks outside
//   the sample do not matter, because the simulated time is derived from the blocks of the sample, which did their
//   work. If all blocks of a launch ran, every output of the launch must be right.
// - Dependent blocks: launches use each other's results, several blocks update the same elements, or the blocks differ
//   so much that the grid could not be divided into strata and running all of them is cheap. All blocks of the speed
//   case are run again without caches and checks, and all outputs are compared. The run of all blocks must not
//   execute more work than the counters of the sample of blocks predict. If the run of all blocks could execute more
//   work, a kernel could detect that only a sample of its blocks runs, and do less work in the sample.
//
// A kernel could also be unsafe in the speed case alone. Every access of the sample, or of the run of all blocks, is
// checked for its bounds. The judge then runs a few blocks of each launch again, with all checks of the simulator but
// one. The check for reads of memory that was never written is off, because the blocks that write this memory may not
// be in the sample. After all runs of the speed case, its inputs must be unchanged.
//
// The field engine_launch.sample_key chooses the blocks of each sample. The value of sample_key is a hash of the seed,
// the source and the launch with the secret key of the class of students (base/secret.h). A kernel therefore cannot
// know which of its blocks are run, timed or checked.
//
// The time of a launch comes from the warps that the simulator records. If other warps spend time in code that hardly
// any recorded warp executes, the observation contains the fraction of the launch's time in such code
// (unseen_permille). The fraction unseen_permille costs a submission no points, because the limit UNSEEN_MOST in
// score.c is 1000 thousandths.
//
// The outputs of a kernel that is too slow to pass are not checked, because the kernel fails anyway, even if it left
// out work.
//
// If a lab takes too long to compute the expected values of all outputs, it computes those of some outputs that the
// sample wrote. The random number lab_plan.secret selects them. It depends on the source as well, so nobody learns from
// one submission which outputs of another are compared.
#include "judge/kernel/kernel_run.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/secret.h"
#include "judge/job/judge_launch.h"
#include "judge/kernel/runs.h"

enum { WORD = 4 };
// In the speed case, the simulator runs blocks with about SAMPLE warp instructions for each launch, from eight to some
// hundreds of blocks. Running a sample of blocks takes a fraction of a second.
static const uint64_t SAMPLE = 2 << 20;
// The sample of a baseline is larger, so that its time and counters depend on the key by less than 1 %: its record
// holds for all keys. With SAMPLE, the time of lab 1's baseline differs by 5 % between keys.
static const uint64_t SAMPLE_BASELINE = 32 << 20;
static const uint64_t SAMPLE_CHECKED = 1 << 16; // warp instructions of a launch that are run again with all checks
static const uint64_t BUDGET = 256 << 20;       // most warp instructions of a launch, as in kernel_run.c
// WRITTEN_LEAST is the least number of outputs that a sample of blocks, scaled to the grid, must have written, as a
// fraction of all outputs. The limit is below 1 because a sample may represent the blocks at the grid's edges badly,
// where the grid could not be divided into strata. Where it could, every output must be written.
static const double WRITTEN_LEAST = 0.95;
static const uint64_t WHOLE_MOST = 64 << 20; // warp instructions of a grid without strata whose blocks are all run
// WORK_MOST limits each counter of a run of all blocks, as a multiple of the value that the sample of blocks predicts.
// With correct kernels, no counter exceeds 1.02 times its predicted value. RARE is a tolerance for counters of rare
// events, as a fraction of the predicted number of warp instructions.
static const double WORK_MOST = 1.1, RARE = 0.01;

static int say(struct kernel_speed *run, const char *problem)
{
    if (!run->problem[0]) snprintf(run->problem, sizeof run->problem, "%s", problem);
    return -1;
}

int kernel_speed_is_argument(const struct lab_step *s, uint32_t buffer)
{
    for (uint32_t k = 0; k < s->launch.nargs; ++k)
        if (s->launch.arg[k].kind == ARG_BUFFER && s->launch.arg[k].buffer == (int)buffer) return 1;
    return 0;
}

// Returns 1 if the outputs of a block may depend on other blocks, else 0.
static int builds_on_others(const struct lab_plan *p)
{
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        uint32_t steps = 0;
        for (uint32_t s = 0; s < p->nsteps; ++s) steps += (uint32_t)kernel_speed_is_argument(&p->step[s], i);
        if (p->buffer[i].role == LAB_UPDATE || (p->buffer[i].role != LAB_INPUT && steps > 1)) return 1;
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------------------ launches
uint32_t kernel_speed_poison(const struct kernel_run *t)
{
    struct prng random = prng_stream(t->image.job->seed, t->speed.plan.which->name);
    return prng_u32(&random) | 0x7fc00000;
}

// Gives buffer `i` the contents that it has before the first launch: input data, or the poison in an output.
static int fill_buffer(struct kernel_run *t, struct kernel_speed *run, uint32_t i)
{
    const struct lab_buffer *b = &run->plan.buffer[i];
    struct wire_client *wire = &t->image.runner.wire;
    if (b->data)
        return judge_image_must(&t->image, wire_write(wire, run->engine[i], 0, b->data, b->count * WORD, 0),
                                "an input was written");
    uint32_t word = b->role == LAB_OUTPUT ? kernel_speed_poison(t) : 0;
    return judge_image_must(&t->image, wire_renew(wire, run->engine[i], -1, word), "a buffer was poisoned");
}

// Resets the device and allocates the buffers of the speed case. Returns 0, or -1 with a sentence in run->problem.
static int place(struct kernel_run *t, struct kernel_speed *run)
{
    struct wire_client *wire = &t->image.runner.wire;
    int failed = judge_image_must(&t->image, wire_reset(wire), "the speed case began");
    for (uint32_t i = 0; i < run->plan.nbuffers && !failed; ++i) {
        int answer = wire_alloc(wire, run->plan.buffer[i].count * WORD, WORD, &run->engine[i]);
        failed = judge_image_must(&t->image, answer, "a buffer was made") || fill_buffer(t, run, i);
    }
    return failed ? say(run, t->image.sentence) : 0;
}

// Prepares a second run of the launches. Inputs stay as they are: check_input() finds a change of the first run, too.
static int place_again(struct kernel_run *t, struct kernel_speed *run)
{
    int failed = judge_image_must(&t->image, wire_restore(&t->image.runner.wire), "the speed case began");
    for (uint32_t i = 0; i < run->plan.nbuffers && !failed; ++i)
        if (run->plan.buffer[i].role != LAB_INPUT) failed = fill_buffer(t, run, i);
    return failed ? say(run, t->image.sentence) : 0;
}

static int launch(struct kernel_run *t, struct kernel_speed *run, const struct engine_launch *l, struct observation *o)
{
    if (judge_image_must(&t->image, wire_launch(&t->image.runner.wire, l, o), "the speed case ran"))
        return say(run, t->image.sentence);
    if (o->status == OBSERVED_OK) return 0;
    message_print(run->problem, sizeof run->problem, "'%s' did not run to its end in the speed case: %.140s", l->kernel,
                  o->message[0] ? o->message : _("it was stopped"));
    return -1;
}

// Adds the findings of a launch of the speed case to the findings of the image.
static void take_findings(struct kernel_run *t, const struct kernel_speed *run, const char *kernel,
                          const struct observation *o)
{
    for (uint32_t k = 0; k < o->nfindings; ++k) {
        int buffer = -1;
        for (uint32_t i = 0; i < run->plan.nbuffers; ++i)
            if (o->finding[k].buffer >= 0 && run->engine[i] == o->finding[k].buffer) buffer = (int)i;
        kernel_run_add_finding(t, &run->plan, &o->finding[k], kernel, buffer);
    }
}

struct engine_launch kernel_speed_launch(const struct kernel_run *t, const struct lab_step *s)
{
    const struct kernel_speed *run = &t->speed;
    struct engine_launch l = judge_image_launch(s, run->engine);
    const struct judge_job *job = t->image.job;
    struct secret key = secret_derive(&job->secret, "samples");
    uint64_t source = t->is_baseline ? 0 : secret_hash(&key, job->source, job->bytes);
    uint64_t data[] = {job->seed, source, (uint64_t)(s - run->plan.step)};
    l.sample_key = secret_hash(&key, data, sizeof data);
    l.budget = BUDGET;
    return l;
}

static void take_sample(struct kernel_speed *run, const struct lab_step *s, const struct observation *o)
{
    run->sampled = 1;
    run->sample[s - run->plan.step] = (struct kernel_sample){1, (int)o->exact, o->written_words};
}

static void speed_step(struct kernel_run *t, struct kernel_speed *run, const struct lab_step *s)
{
    struct engine_launch l = kernel_speed_launch(t, s);
    struct observation *o = run->last[s->kernel];
    l.cold = s == run->plan.step ? 1 : 2;
    l.sample_inst = t->is_baseline ? SAMPLE_BASELINE : SAMPLE;
    l.checks = builds_on_others(&run->plan) ? 0 : CHECK_BOUNDS;
    int failed = launch(t, run, &l, o);
    take_findings(t, run, l.kernel, o);
    if (failed) return;
    coverage_add(t->unshown, &o->coverage);
    run->time_ps += o->time_ps;
    run->unseen_ps += o->time_ps / 1000 * o->unseen_permille;
    run->kernel_ps[s->kernel] += o->time_ps;
    if (o->blocks_run < o->blocks) take_sample(run, s, o);
    counters_add(&run->sum, &o->counters);
    counters_add(&run->kernel_sum[s->kernel], &o->counters);
}

void kernel_run_speed(struct kernel_run *t)
{
    struct kernel_speed *run = &t->speed;
    const struct lab *lab = t->image.job->lab;
    struct stopwatch_lap lap = judge_image_begin(&t->image);
    *run = (struct kernel_speed){0};
    for (int k = 0; k < LAB_KERNELS; ++k) {
        run->last[k] = alloc_zeroed(1, sizeof *run->last[k]);
    }
    judge_image_plan(&t->image, lab_speed_case(lab), &run->plan, &run->arena);
    if (judge_launch_check_plan(&t->image.loaded, &run->plan, run->problem)) return;
    struct prng random = prng_stream(t->image.job->seed, run->plan.which->name);
    lab->fill(&run->plan, &random);
    place(t, run);
    judge_image_end(&t->image, &lap, "speed case", "inputs");
    lap = judge_image_begin(&t->image);
    for (uint32_t s = 0; s < run->plan.nsteps && !run->problem[0]; ++s) speed_step(t, run, &run->plan.step[s]);
    judge_image_end(&t->image, &lap, "speed case", t->is_baseline ? "baseline" : "");
}

void kernel_speed_free(struct kernel_speed *run)
{
    for (int k = 0; k < LAB_KERNELS; ++k) free(run->last[k]);
    arena_free(&run->arena);
    *run = (struct kernel_speed){0};
}

// ------------------------------------------------------------------------------------------- outputs of the speed case
int kernel_speed_exceeds(const struct counters *whole, const struct counters *expected)
{
    double rare = RARE * (double)expected->warp_inst;
    int more = 0;
#define COUNTER(name, metric, meaning) more |= (double)whole->name > WORK_MOST * (double)expected->name + rare;
#include "engine/counter.def"
#undef COUNTER
    return more;
}

// Runs all blocks of the speed case, and compares the counters with the values that the sample of blocks predicts.
// Returns 0, or -1 with a sentence in run->problem.
static int run_whole(struct kernel_run *t, struct kernel_speed *run)
{
    struct counters sum = {0};
    struct stopwatch_lap lap = judge_image_begin(&t->image);
    if (place_again(t, run)) return -1;
    for (uint32_t s = 0; s < run->plan.nsteps; ++s) {
        struct engine_launch l = kernel_speed_launch(t, &run->plan.step[s]);
        l.checks = CHECK_BOUNDS;
        int failed = launch(t, run, &l, t->image.observation);
        take_findings(t, run, l.kernel, t->image.observation);
        if (failed) return -1;
        counters_add(&sum, &t->image.observation->counters);
    }
    judge_image_end(&t->image, &lap, "speed case", "all blocks");
    if (kernel_speed_exceeds(&sum, &run->sum))
        return say(run, _("in the speed case blocks do less where others were not run"));
    return 0;
}

// Returns 1 if a launch that ran only a sample of its blocks writes buffer `i`.
static int is_sampled(const struct kernel_speed *run, uint32_t i)
{
    for (uint32_t s = 0; s < run->plan.nsteps; ++s)
        if (run->sample[s].sampled && kernel_speed_is_argument(&run->plan.step[s], i)) return 1;
    return 0;
}

// Returns 1 if a sample may miss blocks that do less than others, and all blocks can be run.
static int is_irregular(const struct kernel_speed *run)
{
    int all_exact = 1;
    for (uint32_t s = 0; s < run->plan.nsteps; ++s) all_exact &= !run->sample[s].sampled || run->sample[s].exact;
    return !all_exact && run->sum.warp_inst <= WHOLE_MOST;
}

// Marks the words of output buffer `i` that the sample of blocks did not write, so that the judge does not compare them
// with expected values.
static void leave_out(struct kernel_run *t, struct kernel_speed *run, uint32_t i, const uint32_t *words)
{
    struct lab_buffer *b = &run->plan.buffer[i];
    uint32_t poison = kernel_speed_poison(t);
    b->skipped = ARENA_ARRAY(&run->arena, b->count, uint8_t);
    for (uint64_t k = 0; k < b->count; ++k)
        if (words[k] == poison) b->skipped[k] = LAB_UNWRITTEN;
}

// Sets run->problem if the sampled blocks of a launch, scaled to the grid, did not write every output of the launch.
static void check_written(struct kernel_speed *run)
{
    for (uint32_t s = 0; s < run->plan.nsteps; ++s) {
        const struct kernel_sample *sample = &run->sample[s];
        uint64_t outputs = 0;
        for (uint32_t i = 0; i < run->plan.nbuffers; ++i)
            if (run->plan.buffer[i].role == LAB_OUTPUT && kernel_speed_is_argument(&run->plan.step[s], i))
                outputs += run->plan.buffer[i].count;
        if (sample->sampled && (double)sample->written < (sample->exact ? 1 : WRITTEN_LEAST) * (double)outputs)
            say(run, _("in the speed case the kernels leave work out, or a few blocks do all of it"));
    }
}

// The outputs as they were read back. A thread computes the expected values and compares, while the runner runs some
// blocks again.
struct outputs {
    struct kernel_run *run;
    uint32_t *words[LAB_BUFFERS]; // by the index in the plan; NULL: no output
    int whole;                    // 1: all blocks of every launch ran
    int wrong;                    // 1: an output is wrong
};

static void *compare_outputs(void *data)
{
    struct outputs *o = data;
    struct kernel_speed *run = &o->run->speed;
    for (uint32_t i = 0; i < run->plan.nbuffers; ++i)
        if (o->words[i] && !o->whole && is_sampled(run, i)) leave_out(o->run, run, i, o->words[i]);
    o->run->image.job->lab->expect(&run->plan);
    for (uint32_t i = 0; i < run->plan.nbuffers && !o->wrong; ++i)
        if (o->words[i]) o->wrong = lab_compare(&run->plan.buffer[i], o->words[i], NULL).wrong != 0;
    return NULL;
}

static void read_output(struct kernel_run *t, struct kernel_speed *run, struct outputs *o, uint32_t i)
{
    const struct lab_buffer *b = &run->plan.buffer[i];
    if ((b->role != LAB_OUTPUT && b->role != LAB_UPDATE) || !b->count || run->problem[0]) return;
    o->words[i] = alloc_bytes(b->count * WORD);
    int answer = wire_read(&t->image.runner.wire, run->engine[i], 0, o->words[i], b->count * WORD);
    if (judge_image_must(&t->image, answer, "an output was read back")) say(run, t->image.sentence);
}

static pthread_t begin(void *(*body)(void *), void *data)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, data);
    if (error) die("cannot start a thread: %s", strerror(error));
    return thread;
}

// Checks that the kernels left input buffer `i` as it was.
static void check_input(struct kernel_run *t, struct kernel_speed *run, uint32_t i)
{
    const struct lab_buffer *b = &run->plan.buffer[i];
    if (b->role != LAB_INPUT || !b->count || run->problem[0]) return;
    uint64_t bytes = b->count * WORD, first;
    if (judge_image_must(&t->image, wire_compare(&t->image.runner.wire, run->engine[i], b->data, bytes, &first),
                         "an input was read back"))
        say(run, t->image.sentence);
    else if (first < bytes)
        kernel_run_add_buffer(t, &run->plan, i, FINDING_input_changed, (int64_t)(first / WORD * WORD), 1);
}

// Runs a few blocks of each launch again, and looks for races, barrier errors and accesses out of bounds.
static void check_some_blocks(struct kernel_run *t, struct kernel_speed *run)
{
    struct stopwatch_lap lap = judge_image_begin(&t->image);
    for (uint32_t s = 0; s < run->plan.nsteps && !run->problem[0]; ++s) {
        struct engine_launch l = kernel_speed_launch(t, &run->plan.step[s]);
        l.checks = CHECK_BOUNDS | CHECK_RACES;
        l.sample_inst = SAMPLE_CHECKED;
        launch(t, run, &l, t->image.observation);
        take_findings(t, run, l.kernel, t->image.observation);
    }
    judge_image_end(&t->image, &lap, "speed case", "safety");
}

// Sets the random number by which a lab chooses the elements that it compares.
static void choose_compared(struct kernel_run *t)
{
    const struct judge_job *job = t->image.job;
    struct secret key = secret_derive(&job->secret, "compared elements");
    uint64_t data[] = {job->seed, secret_hash(&key, job->source, job->bytes)};
    t->speed.plan.secret = secret_hash(&key, data, sizeof data) | 1;
}

void kernel_run_work(struct kernel_run *t)
{
    struct kernel_speed *run = &t->speed;
    if (run->problem[0]) return;
    struct outputs o = {.run = t, .whole = run->sampled && (builds_on_others(&run->plan) || is_irregular(run))};
    if (o.whole && run_whole(t, run)) return;
    choose_compared(t);
    struct stopwatch_lap lap = judge_image_begin(&t->image);
    for (uint32_t i = 0; i < run->plan.nbuffers; ++i) read_output(t, run, &o, i);
    if (!o.whole) check_written(run);
    if (!run->problem[0]) {
        pthread_t thread = begin(compare_outputs, &o);
        for (uint32_t i = 0; i < run->plan.nbuffers; ++i) check_input(t, run, i);
        judge_image_end(&t->image, &lap, "speed case", "outputs");
        check_some_blocks(t, run);
        pthread_join(thread, NULL);
        if (o.wrong) say(run, _("in the speed case an output is wrong"));
    }
    for (uint32_t i = 0; i < LAB_BUFFERS; ++i) free(o.words[i]);
}
