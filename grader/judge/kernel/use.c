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
//   - A kernel may end early without the operations, for example by a trap, because it looks whether they worked. If it
//     stores less than half as often as with them, the words that it did not write count as independent: nobody knows
//     their values, and leaving them out shows no exchange of data. Otherwise, if the launch does not run to its end,
//     or no word was written in both runs, the unknown fraction counts as one. What the blocks update together is
//     known after every launch that ran to its end: a bin that nobody changed has kept its number. The judge accuses no
//     student whose kernel it could not observe. A launch with the operations that writes none of its outputs is no
//     such kernel: it wrote them when its time was measured, and has noticed the order of threads.
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

// Holds what the launch's buffers that are no inputs contain before the launch, by the index in the plan. An output is
// full of poison.
struct before {
    uint32_t poison;
    uint32_t *scratch[LAB_BUFFERS]; // NULL: no scratch memory
};
// Lists the words of a buffer that a run changed, in ascending order.
struct changes {
    struct change {
        uint64_t at; // index of the word
        uint32_t old, now;
    } * item;
    size_t count, capacity;
};
struct after {
    struct changes of[LAB_BUFFERS]; // by the index in the plan
    uint64_t stores;                // of warps to global memory, atomics included
    int ended;                      // 1: the launch ran to its end
};

static void before_free(struct before *b)
{
    for (uint32_t i = 0; i < LAB_BUFFERS; ++i) free(b->scratch[i]);
}

static void after_free(struct after *a)
{
    for (uint32_t i = 0; i < LAB_BUFFERS; ++i) free(a->of[i].item);
}

static int is_result(const struct lab_plan *p, const struct lab_step *s, uint32_t i)
{
    return p->buffer[i].role != LAB_INPUT && p->buffer[i].count && kernel_speed_is_argument(s, i);
}

// Stores in `before` the contents that the launch's buffers shall have before the launch: the poison in outputs, the
// lab's initial values in updated buffers, and the present content of scratch memory.
static int before_prepare(struct kernel_run *t, const struct lab_step *s, struct before *before)
{
    const struct kernel_speed *run = &t->speed;
    int failed = 0;
    before->poison = kernel_speed_poison(t);
    for (uint32_t i = 0; i < run->plan.nbuffers && !failed; ++i) {
        const struct lab_buffer *b = &run->plan.buffer[i];
        if (!is_result(&run->plan, s, i) || b->role == LAB_OUTPUT || b->role == LAB_UPDATE) continue;
        before->scratch[i] = alloc_bytes(b->count * WORD);
        int answer = wire_read(&t->image.runner.wire, run->engine[i], 0, before->scratch[i], b->count * WORD);
        failed = judge_image_must(&t->image, answer, "a result was read back");
    }
    return failed;
}

// Returns the words of buffer `i` before the launch; NULL: each word is the poison.
static const uint32_t *words_before(const struct lab_plan *p, const struct before *before, uint32_t i)
{
    const struct lab_buffer *b = &p->buffer[i];
    return b->role == LAB_OUTPUT ? NULL : b->role == LAB_UPDATE ? (const uint32_t *)b->data : before->scratch[i];
}

struct search {
    const uint32_t *before; // NULL: each word was the poison
    uint32_t poison;
    struct changes *found;
};

static int find_changes(void *data, const unsigned char *bytes, uint64_t offset, uint64_t count)
{
    const struct search *s = data;
    struct changes *c = s->found;
    for (uint64_t k = 0; k < count / WORD; ++k) {
        uint64_t at = offset / WORD + k;
        uint32_t old = s->before ? s->before[at] : s->poison, now;
        memcpy(&now, bytes + k * WORD, WORD);
        if (now == old) continue;
        ALLOC_GROW(c->item, c->capacity, c->count + 1);
        c->item[c->count++] = (struct change){at, old, now};
    }
    return 0;
}

// Runs some blocks of the launch on buffers with the contents `before`, and stores what they changed in `after`.
// Returns 0, or -1 if the launch could not be made.
static int run_blocks(struct kernel_run *t, const struct lab_step *s, uint32_t without, uint32_t apart,
                      const struct before *before, struct after *after)
{
    const struct kernel_speed *run = &t->speed;
    const struct lab_plan *p = &run->plan;
    struct wire_client *wire = &t->image.runner.wire;
    struct engine_launch l = kernel_speed_launch(t, s);
    l.without = without;
    l.apart = apart;
    l.sample_inst = SAMPLE;
    l.budget = BUDGET;
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        if (!is_result(p, s, i)) continue;
        const uint32_t *words = words_before(p, before, i);
        int answer = words ? wire_write(wire, run->engine[i], 0, words, p->buffer[i].count * WORD, 0)
                           : wire_renew(wire, run->engine[i], -1, before->poison);
        if (judge_image_must(&t->image, answer, "a buffer was written")) return -1;
    }
    if (judge_image_must(&t->image, wire_launch(wire, &l, t->image.observation), "some blocks ran")) return -1;
    const struct counters *c = &t->image.observation->counters;
    after->ended = t->image.observation->status == OBSERVED_OK;
    after->stores = c->global_st_requests + c->global_atom_requests + c->global_red_requests;
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        struct search search = {words_before(p, before, i), before->poison, &after->of[i]};
        if (!is_result(p, s, i)) continue;
        int answer = wire_scan(wire, run->engine[i], p->buffer[i].count * WORD, find_changes, &search);
        if (judge_image_must(&t->image, answer, "a result was read back")) return -1;
    }
    return 0;
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

// Returns 1 if a launch, all of whose results are outputs, wrote none of them.
static int is_idle(const struct lab_plan *p, const struct lab_step *s, const struct after *after)
{
    for (uint32_t i = 0; i < p->nbuffers; ++i)
        if (is_result(p, s, i) && (p->buffer[i].role != LAB_OUTPUT || after->of[i].count)) return 0;
    return 1;
}

static double fraction(const struct lab_plan *p, const struct lab_step *s, const struct after *with,
                       const struct after *without)
{
    uint64_t written = 0, dependent = 0;
    int is_early = without->stores < with->stores / 2;
    if (!with->ended || (!without->ended && !is_early)) return 1;
    if (is_idle(p, s, with)) return 0;
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        const struct lab_buffer *b = &p->buffer[i];
        const struct changes *x = &with->of[i], *y = &without->of[i];
        for (size_t k = 0, m = 0; k < x->count; ++k) {
            const struct change *c = &x->item[k];
            while (m < y->count && y->item[m].at < c->at) ++m;
            int is_in_both = m < y->count && y->item[m].at == c->at;
            int is_unknown = !is_in_both && (b->role != LAB_UPDATE || !without->ended);
            if (is_unknown && !is_early) continue;
            written += 1;
            if (is_unknown) continue;
            dependent += (uint64_t)depends(b, c->old, c->now, is_in_both ? y->item[m].now : c->old);
        }
    }
    return written ? (double)dependent / (double)written : 1;
}

// Returns the fraction of the launch's results that depend on the operations `without`, if the threads run in the order
// `apart`.
static double measure_order(struct kernel_run *t, const struct lab_step *s, uint32_t without, uint32_t apart,
                            const struct before *before)
{
    struct after *with = alloc_zeroed(1, sizeof *with), *after = alloc_zeroed(1, sizeof *after);
    double share = 1;
    if (!run_blocks(t, s, 0, apart, before, with) && !run_blocks(t, s, without, apart, before, after))
        share = fraction(&t->speed.plan, s, with, after);
    after_free(with);
    after_free(after);
    free(with);
    free(after);
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
    struct before before = {0};
    double most = 0;
    int failed = before_prepare(t, s, &before);
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !failed && most < LAB_USED; ++i)
        if (orders[i].needs & without) most = fmax(most, measure_order(t, s, without, orders[i].apart, &before));
    before_free(&before);
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
                run->used[i] = fmin(run->used[i], measure(t, &run->plan.step[s], lab->use[i].without));
    judge_image_end(&t->image, &lap, "technique", NULL);
}
