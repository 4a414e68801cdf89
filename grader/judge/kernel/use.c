// Measures whether a submission uses the operations that the lab's technique asks for, or only executes them.
//
// Theory of operation. A counter shows how many barriers or atomics were executed, but not whether they were necessary.
// A kernel uses an operation if its results depend on the operation. The judge therefore runs a few blocks of the speed
// case twice: once unchanged, and once without the operations of the technique (engine_launch.without). A result
// depends on the technique's operations (barriers, for example) if the two runs give different results. If all
// operations of the technique can be left out and no result changes, the operations are only decoration.
//
//   - The key of the sample decides which blocks run, as for the safety checks of the speed case. Inputs and sizes are
//     those of the speed case. A kernel can therefore not use a technique where it is judged and leave the technique
//     out where the time is measured.
//   - Without barriers, what a thread reads depends on which thread runs first. The warps of a block therefore run one
//     after the other to their end, once in ascending and once in descending order. To test barriers of a warp
//     (__syncwarp), two groups of the warp's lanes run one after the other, in both orders. If thread B reads what
//     thread A wrote, B runs before A in one of these two orders, and without the barrier B reads another value. The
//     run with the operations and the run without them have the same order of threads, so that the order alone changes
//     no result. A lab may accept barriers of the block alone. In such a lab the lanes of a warp run together,
//     because they may exchange data without a barrier of the block.
//   - Only words that both runs wrote are compared, because a kernel without its barriers may run endlessly or write
//     elsewhere. A word of an output depends on the operations if its bits differ between the two runs. A word that the
//     blocks update together, such as a bin of a histogram, depends on the operations if at least half of its change is
//     missing without them.
//   - If a launch does not run to its end, or no word was written in both runs, the unknown fraction counts as one. The
//     judge accuses no student whose kernel it could not observe.
//
// A kernel that uses the operations in a few blocks or rows, and only executes them in the others, has a small fraction
// of dependent results (LAB_USED). The method cannot recognise a result that was made dependent on purpose, for example
// by adding a number that another thread stored and subtracting the same number. If a thread adds and subtracts a
// number that another thread stored, the barrier between the store and the addition does order an exchange of data that
// reaches the output.
#include "judge/kernel/use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "judge/verdict/verdict.h"

enum { WORD = 4 };
// SAMPLE is the number of executed warp instructions after which no further block of a launch starts. BUDGET is the
// maximum number of warp instructions of a launch.
static const uint64_t SAMPLE = 1 << 15, BUDGET = 64 << 20;

struct content { // of the launch's buffers that are no inputs, by the index in the plan
    uint32_t *words[LAB_BUFFERS];
};

static void content_free(struct content *c)
{
    for (uint32_t i = 0; i < LAB_BUFFERS; ++i) free(c->words[i]);
    *c = (struct content){0};
}

static int is_result(const struct lab_plan *p, const struct lab_step *s, uint32_t i)
{
    return p->buffer[i].role != LAB_INPUT && p->buffer[i].count && kernel_speed_is_argument(s, i);
}

static int content_read(struct kernel_run *t, const struct lab_step *s, struct content *c)
{
    const struct kernel_speed *run = &t->speed;
    int failed = 0;
    for (uint32_t i = 0; i < run->plan.nbuffers && !failed; ++i) {
        if (!is_result(&run->plan, s, i)) continue;
        uint64_t bytes = run->plan.buffer[i].count * WORD;
        c->words[i] = alloc_bytes(bytes);
        failed = judge_image_must(&t->image, wire_read(&t->image.runner.wire, run->engine[i], 0, c->words[i], bytes),
                                  "a result was read back");
    }
    return failed;
}

// Stores in `before` the contents that the launch's buffers shall have before the launch: the poison in outputs, the
// lab's initial values in updated buffers, and the present content of scratch memory.
static int content_prepare(struct kernel_run *t, const struct lab_step *s, struct content *before)
{
    const struct lab_plan *p = &t->speed.plan;
    uint32_t poison = kernel_speed_poison(t);
    if (content_read(t, s, before)) return -1;
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        const struct lab_buffer *b = &p->buffer[i];
        if (!before->words[i]) continue;
        if (b->role == LAB_UPDATE) memcpy(before->words[i], b->data, b->count * WORD);
        for (uint64_t k = 0; b->role == LAB_OUTPUT && k < b->count; ++k) before->words[i][k] = poison;
    }
    return 0;
}

// Runs some blocks of the launch on buffers with the contents `before`, and stores the contents of the buffers after
// the launch in `after`. Returns 0, or -1 if the launch did not run to its end.
static int run_blocks(struct kernel_run *t, const struct lab_step *s, uint32_t without, uint32_t apart,
                      const struct content *before, struct content *after)
{
    const struct kernel_speed *run = &t->speed;
    struct wire_client *wire = &t->image.runner.wire;
    struct engine_launch l = kernel_speed_launch(t, s);
    l.without = without;
    l.apart = apart;
    l.sample_inst = SAMPLE;
    l.budget = BUDGET;
    for (uint32_t i = 0; i < run->plan.nbuffers; ++i) {
        if (!before->words[i]) continue;
        int answer = wire_write(wire, run->engine[i], 0, before->words[i], run->plan.buffer[i].count * WORD, 0);
        if (judge_image_must(&t->image, answer, "a buffer was written")) return -1;
    }
    if (judge_image_must(&t->image, wire_launch(wire, &l, t->image.observation), "some blocks ran")) return -1;
    if (t->image.observation->status != OBSERVED_OK) return -1;
    return content_read(t, s, after);
}

static double value_of(const struct lab_buffer *b, uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return b->type == LAB_F32 ? (double)f : b->type == LAB_I32 ? (double)(int32_t)word : (double)word;
}

static int depends(const struct lab_buffer *b, uint32_t before, uint32_t with, uint32_t without)
{
    if (b->role != LAB_UPDATE) return with != without;
    double gained = value_of(b, with) - value_of(b, before), lost = value_of(b, with) - value_of(b, without);
    return 2 * fabs(lost) >= fabs(gained);
}

static double fraction(const struct lab_plan *p, const struct content *before, const struct content *with,
                       const struct content *without)
{
    uint64_t written = 0, dependent = 0;
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        const struct lab_buffer *b = &p->buffer[i];
        for (uint64_t k = 0; before->words[i] && k < b->count; ++k) {
            uint32_t old = before->words[i][k], x = with->words[i][k], y = without->words[i][k];
            if (x == old || (y == old && b->role != LAB_UPDATE)) continue;
            written += 1;
            dependent += (uint64_t)depends(b, old, x, y);
        }
    }
    return written ? (double)dependent / (double)written : 1;
}

// Returns the fraction of the launch's results that depend on the operations `without`, if the threads run in the order
// `apart`.
static double measure_order(struct kernel_run *t, const struct lab_step *s, uint32_t without, uint32_t apart,
                            const struct content *before)
{
    struct content with = {0}, after = {0};
    double share = 1;
    if (!run_blocks(t, s, 0, apart, before, &with) && !run_blocks(t, s, without, apart, before, &after))
        share = fraction(&t->speed.plan, before, &with, &after);
    content_free(&with);
    content_free(&after);
    return share;
}

static double measure(struct kernel_run *t, const struct lab_step *s, uint32_t without)
{
    static const struct {
        uint32_t apart, needs; // `needs`: one of these operations must be left out
    } orders[] = {{APART_NONE, WITHOUT_SHARED_ATOMICS},
                  {APART_WARPS_BACKWARDS, WITHOUT_BLOCK_BARRIERS},
                  {APART_WARPS, WITHOUT_BLOCK_BARRIERS},
                  {APART_LANES_BACKWARDS, WITHOUT_WARP_BARRIERS},
                  {APART_LANES, WITHOUT_WARP_BARRIERS}};
    struct content before = {0};
    double most = 0;
    int failed = content_prepare(t, s, &before);
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !failed && most < LAB_USED; ++i)
        if (orders[i].needs & without) most = fmax(most, measure_order(t, s, without, orders[i].apart, &before));
    content_free(&before);
    return failed ? 1 : most;
}

void kernel_use_measure(struct kernel_run *t)
{
    struct kernel_speed *run = &t->speed;
    const struct lab *lab = t->image.job->lab;
    for (uint32_t i = 0; i < LAB_USES; ++i) run->used[i] = 1;
    if (run->problem[0] || verdict_defects(&t->findings)) return;
    struct stopwatch_lap lap = judge_image_begin(&t->image);
    // Later launches first: they need the scratch memory that earlier ones left.
    for (uint32_t s = run->plan.nsteps; s-- > 0;)
        for (uint32_t i = 0; i < LAB_USES; ++i)
            if (lab->use[i].without && lab->use[i].kernel == run->plan.step[s].kernel)
                run->used[i] = measure(t, &run->plan.step[s], lab->use[i].without);
    judge_image_end(&t->image, &lap, "technique", NULL);
}
