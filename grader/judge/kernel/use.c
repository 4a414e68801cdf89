// Measures whether a submission uses the operations that the lab's technique asks for, or only executes them.
//
// Theory of operation. A counter shows that barriers or atomics were executed, not what for. An operation is used if
// results depend on it. The judge therefore runs a few blocks of the speed case twice: as they are, and without the
// operations in question (engine_launch.without). The results that differ depend on the operations. If all these
// operations can be left out and the results stay as they were, the operations are decoration.
//
//   - Which blocks run is decided by the key of the sample, as for the safety of the speed case. Inputs and sizes are
//     those of the speed case. A kernel can therefore not use a technique where it is judged and leave it out where it
//     is timed.
//   - Without barriers, what a thread reads depends on who runs first. Warps run one after the other to their end, in
//     ascending and in descending order. For barriers of a warp, two groups of its lanes run so. If thread B reads what
//     thread A wrote, B runs before A in one of the two orders, and reads something else. Both runs have the same
//     order, so that the order alone changes nothing. A hand-over inside of a warp does not need a barrier of the
//     block; lanes run apart only if the lab accepts barriers of a warp.
//   - Counted are words that both runs wrote: a kernel without its barriers may run endlessly or write elsewhere. A
//   word
//     of an output counts if its bits differ. A word that the blocks update together, such as a bin of a histogram,
//     counts if at least half of what it gained is gone.
//   - If a launch does not run to its end, or no word was written twice, the fraction is unknown and counts as 1. The
//     judge accuses nobody whom it could not observe.
//
// A kernel that uses operations in a few blocks or rows and decorates the others has a small fraction (LAB_USED). The
// method cannot see through a result that was made dependent on purpose, as by adding what a neighbour stored and
// subtracting the same number. Such an operation orders a hand-over that reaches the output.
#include "judge/kernel/use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "judge/verdict/verdict.h"

enum { WORD = 4 };
// The warp instructions after which no further block is started, and the most that a launch may take.
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

// Stores in `before` what the buffers contain before a launch: outputs the poison, updated buffers what the lab filled
// in, and scratch memory what it contains now.
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

// Runs blocks of the launch on buffers that contain `before`, and stores in `after` what they contain then. Returns 0,
// or -1 if the launch did not run to its end.
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

// Returns the fraction of the launch's results that depend on the operations, with the threads in the given order.
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
    // Later launches first: they need the scratch memory that earlier ones left.
    for (uint32_t s = run->plan.nsteps; s-- > 0;)
        for (uint32_t i = 0; i < LAB_USES; ++i)
            if (lab->use[i].without && lab->use[i].kernel == run->plan.step[s].kernel)
                run->used[i] = measure(t, &run->plan.step[s], lab->use[i].without);
}
