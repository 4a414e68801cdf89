// Measures the speed of a student's kernels on a real GPU, in alternation with the baseline, the lab's own slow version
// of these kernels.
//
// Theory of operation. The baseline and the student's kernels each have their own runner process, and therefore their
// own CUDA context and address space. The judge has a runner process for the baseline (the lab's own slow kernels) and
// one for the student's kernels, and lets only one of them launch kernels at a time. The following diagram shows one
// timed iteration of the baseline or of the student's kernels.
//
//   each iteration:  device variables restored ─▶ a launch on another input set ─▶ [student: words of the set changed]
//                    ─▶ every buffer renewed (fresh address; inputs from one of three sets, outputs poisoned) ─▶ L2
//                    flushed ─▶ event, kernels, event
//   the student's:   outputs read back and compared with the judge's expected values
//
// The code in trials.c decides in which order the baseline and the student's kernels run, and evaluates their times.
// The GPU's clock frequency is not locked, because power limits would override the lock. The baseline and the student's
// kernels run at the same clock frequency, because their iterations alternate.
//
// The measurement prevents several tricks by which a student's kernel could appear faster than it is. A kernel cannot
// reuse old results, because buffers have fresh addresses, device variables are restored, and every output is compared.
// The times of kernels come from CUDA events that the runner process records. A measured time must be below the judge's
// own wall-clock time and above the least time that the GPU's memory allows. A kernel might store results outside its
// buffers, or compute the results in the untimed launch before the timed launch. Stored and precomputed results are
// useless to a kernel, because random words of the inputs change after the untimed launch. The judge chooses at random
// which input words change, so a kernel can find out which input words have changed only by reading all inputs. A
// student's kernel might also slow down the baseline (the lab's own slow kernels), by heat or by data left in the L2
// cache. The baseline is therefore measured alone before any student code runs. The measurement is void if the baseline
// is later more than SLOWED times slower than it was alone.
//
// The judge uses the host processor between kernel launches, never during a launch. Several host threads fill the input
// sets, change used input sets, and compare outputs with expected values.
//
// Other graders on the same machine wait to measure until kernels_measure() releases the GPU's lock (lock.h).
#define _GNU_SOURCE
#include "judge/card/kernels.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "judge/card/lock.h"
#include "judge/card/trials.h"
#include "judge/job/judge_baseline.h"
#include "judge/job/judge_image.h"
#include "judge/job/judge_launch.h"

enum { BASELINE = TRIALS_BASELINE, STUDENT = TRIALS_STUDENT, SIDES = TRIALS_SIDES };
enum { SETS = 3, WORD = 4, SLICES = 4, CHANGES = 32 };
// words of an output that are read back and compared at once; a piece fits in a processor cache
enum { PIECE = 1 << 20 };
// most time of the baseline next to the student, as a multiple of its time alone
static const double SLOWED = 1.25;

struct side {
    struct judge_image image;
    struct arena arena;
    struct lab_plan plan; // the plan's launches and buffers, without data
    int work[LAB_BUFFERS], source[SETS][LAB_BUFFERS];
};
struct kernels {
    const struct judge_job *job;
    const struct lab_case *which;
    struct side side[SIDES];
    struct set {
        struct arena arena;
        struct lab_plan plan; // the same plan with inputs and expected values
        struct prng random;
        struct change { // a word that changed on the host and must still be written to the GPU
            uint32_t buffer, word;
        } change[LAB_BUFFERS * CHANGES];
        uint32_t nchanges;
        int used; // 1: an iteration has used the set since the set's last change
    } set[SETS];
    struct prng random;
    int compared;        // 1: an earlier measurement compared outputs, so later measurements do not
    uint32_t got[PIECE]; // one piece of an output, read back from the GPU
    struct measurement *out;
    uint64_t floor_ps; // least time that the GPU's memory bandwidth allows, in picoseconds
    struct trials trials;
};

static int has_data(const struct lab_buffer *b)
{
    return b->role == LAB_INPUT || b->role == LAB_UPDATE;
}

static int is_compared(const struct lab_buffer *b)
{
    return b->role == LAB_OUTPUT || b->role == LAB_UPDATE;
}

// ---------------------------------------------------------------------------------------------- input sets and buffers
static void *fill_set(void *data)
{
    struct set *s = data;
    s->plan.lab->fill(&s->plan, &s->random);
    s->used = 1;
    return NULL;
}

// Copies random 32-bit words of each input buffer to other indices in the same buffer. The changed inputs keep the
// distribution of values that the lab chose. After changing the inputs, computes the expected outputs for the changed
// inputs.
static void *change_set(void *data)
{
    struct set *s = data;
    s->nchanges = 0;
    for (uint32_t b = 0; b < s->plan.nbuffers; ++b) {
        const struct lab_buffer *buffer = &s->plan.buffer[b];
        if (!has_data(buffer) || !buffer->count) continue;
        BUG_ON(buffer->count > UINT32_MAX);
        for (int i = 0; i < CHANGES; ++i) {
            uint32_t word = prng_below(&s->random, (uint32_t)buffer->count);
            buffer->u32[word] = buffer->u32[prng_below(&s->random, (uint32_t)buffer->count)];
            s->change[s->nchanges++] = (struct change){b, word};
        }
    }
    s->plan.secret = prng_u64(&s->random);
    s->plan.lab->expect(&s->plan);
    s->used = 0;
    return NULL;
}

// Calls `run` for each element of an array, on a separate thread for each element. The array `element` has `count`
// elements of `size` bytes. Waits for all threads.
static void side_by_side(void *(*run)(void *), void *element, size_t size, int count)
{
    pthread_t thread[SLICES];
    BUG_ON(count > SLICES);
    for (int i = 0; i < count; ++i)
        if (pthread_create(&thread[i], NULL, run, (char *)element + (size_t)i * size)) die("cannot start a thread");
    for (int i = 0; i < count; ++i) pthread_join(thread[i], NULL);
}

static void fill_sets(struct kernels *m)
{
    for (int i = 0; i < SETS; ++i) {
        struct set *s = &m->set[i];
        char name[64];
        snprintf(name, sizeof name, "measured set %d", i);
        s->random = prng_stream(m->job->seed, name);
        judge_image_plan(&m->side[STUDENT].image, m->which, &s->plan, &s->arena);
    }
    side_by_side(fill_set, m->set, sizeof *m->set, SETS);
}

// Returns the index of a random input set that no iteration has used since the set's last change. If iterations have
// used all input sets, changes all input sets and then chooses one.
static uint32_t fresh_set(struct kernels *m)
{
    uint32_t fresh[SETS], count = 0;
    for (uint32_t i = 0; i < SETS; ++i)
        if (!m->set[i].used) fresh[count++] = i;
    if (!count) {
        side_by_side(change_set, m->set, sizeof *m->set, SETS);
        for (; count < SETS; ++count) fresh[count] = count;
    }
    uint32_t set = fresh[prng_below(&m->random, count)];
    m->set[set].used = 1;
    return set;
}

static int make_buffer(struct kernels *m, struct side *side, uint64_t bytes, int *buffer)
{
    int answer = wire_alloc(&side->image.runner.wire, bytes, WORD, buffer);
    if (answer == WIRE_NO) return trials_end(m->out, MEASURE_UNRELIABLE, "it has not enough free memory");
    return judge_image_must(&side->image, answer, "a buffer was made");
}

// Allocates the GPU buffers of the baseline or of the student's kernels. Each buffer that the lab declares gets one
// work buffer, on which the kernels run. For each input set, each input also gets a source buffer, whose data is copied
// to the work buffer before a launch. Returns 0, or -1 if the measurement has ended.
static int place(struct kernels *m, struct side *side)
{
    struct wire_client *wire = &side->image.runner.wire;
    for (uint32_t i = 0; i < side->plan.nbuffers; ++i) {
        const struct lab_buffer *b = &side->plan.buffer[i];
        if (make_buffer(m, side, b->count * WORD, &side->work[i])) return -1;
        for (int s = 0; s < SETS; ++s) {
            const struct lab_buffer *data = &m->set[s].plan.buffer[i];
            side->source[s][i] = -1;
            if (!has_data(b)) continue;
            BUG_ON(data->count != b->count);
            if (make_buffer(m, side, b->count * WORD, &side->source[s][i])) return -1;
            judge_image_must(&side->image, wire_write(wire, side->source[s][i], 0, data->data, b->count * WORD, 0),
                             "an input was written");
        }
    }
    return 0;
}

// Returns the least time in picoseconds that an iteration can take at the GPU's peak memory bandwidth. A kernel must
// read each input from memory, because the L2 cache was flushed. A kernel must write each output to memory, except for
// the bytes that the L2 cache can hold back.
static uint64_t floor_of(const struct lab_plan *p, const struct wire_device *card)
{
    uint64_t in = 0, out = 0;
    if (!card->dram_mbs) return 0;
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        const struct lab_buffer *b = &p->buffer[i];
        if (has_data(b)) in += b->count * WORD;
        if (is_compared(b)) out += b->count * WORD;
    }
    out -= out < card->l2_bytes ? out : card->l2_bytes;
    // bytes divided by MB/s gives microseconds, so the factor gives picoseconds
    return (in + out) * 1000000 / card->dram_mbs;
}

// -------------------------------------------------------------------------------------------- launches and comparisons
// Runs all kernel launches of the speed case (the test case whose time is measured) on one input set, with all buffers
// at fresh addresses. Returns 0 with the time in picoseconds in *time_ps, or -1 if the measurement has ended.
static int launch(struct kernels *m, struct side *side, uint32_t set, uint64_t *time_ps)
{
    struct wire_client *wire = &side->image.runner.wire;
    struct observation *o = side->image.observation;
    for (uint32_t i = 0; i < side->plan.nbuffers; ++i) {
        uint32_t poison = prng_u32(&m->random) | 0x7fc00000; // the poison is a quiet NaN of either sign
        judge_image_must(&side->image, wire_renew(wire, side->work[i], side->source[set][i], poison),
                         "a buffer was renewed");
    }
    double start = trials_now_s();
    for (uint32_t s = 0; s < side->plan.nsteps; ++s) {
        struct engine_launch l = judge_image_launch(&side->plan.step[s], side->work);
        l.cold = s == 0;
        l.more = s + 1 < side->plan.nsteps;
        int answer = wire_launch(wire, &l, o);
        if (answer == WIRE_BROKEN && wire->end == WIRE_TIMEOUT)
            return trials_end(m->out, MEASURE_REFUSED, "it did not end in time on the card");
        judge_image_must(&side->image, answer, "a kernel was measured");
        if (o->status != OBSERVED_OK) return trials_end(m->out, MEASURE_REFUSED, o->message);
    }
    *time_ps = o->time_ps;
    if ((double)o->time_ps > (trials_now_s() - start) * 1e12)
        return trials_end(m->out, MEASURE_UNRELIABLE, "the card's clock and the machine's do not agree");
    return 0;
}

// Writes the changed 32-bit words of an input set to the source buffers on the GPU.
static void bring_changes(struct kernels *m, struct side *side, uint32_t set)
{
    const struct set *s = &m->set[set];
    for (uint32_t i = 0; i < s->nchanges; ++i) {
        const struct change *c = &s->change[i];
        judge_image_must(&side->image,
                         wire_write(&side->image.runner.wire, side->source[set][c->buffer], (int64_t)c->word * WORD,
                                    &s->plan.buffer[c->buffer].u32[c->word], WORD, 0),
                         "an input was changed");
    }
}

static int is_checked(const struct kernels *m, int which)
{
    return which == STUDENT && !m->compared;
}

// Runs one timed iteration on one input set. Restores the device variables by loading the image again. The first launch
// after an image is loaded takes tens of microseconds longer than later launches. To keep the delay of a first launch
// out of the measured time, an untimed launch on another input set precedes the timed launch. A kernel cannot use the
// results of the untimed launch in the timed launch, because the two launches have different inputs.
static int launch_restored(struct kernels *m, int which, uint32_t set, uint64_t *time_ps)
{
    struct side *side = &m->side[which];
    uint32_t other = (set + 1 + prng_below(&m->random, SETS - 1)) % SETS;
    judge_image_must(&side->image, wire_restore(&side->image.runner.wire), "the image was restored");
    if (launch(m, side, other, time_ps)) return -1;
    if (is_checked(m, which)) bring_changes(m, side, set);
    return launch(m, side, set, time_ps);
}

struct slice { // a part of a buffer that one thread compares
    struct lab_buffer buffer;
    const void *got;
    struct lab_comparison comparison;
};

static void *compare_slice(void *data)
{
    struct slice *s = data;
    s->comparison = lab_compare(&s->buffer, s->got, NULL);
    return NULL;
}

// Compares the `count` elements in `got`, which were read from an output buffer, with the expected values. The first
// element in `got` has the index `first` in the buffer. Uses SLICES threads. Adds the number of wrong elements and some
// examples to `all`.
static void compare_piece(const struct lab_buffer *b, uint64_t first, uint64_t count, const uint32_t *got,
                          struct lab_comparison *all)
{
    struct slice slice[SLICES];
    uint64_t from[SLICES];
    for (uint64_t i = 0; i < SLICES; ++i) {
        struct lab_buffer part = *b;
        uint64_t at = count * i / SLICES;
        from[i] = first + at;
        part.count = count * (i + 1) / SLICES - at;
        part.expected += from[i];
        if (b->bound) part.bound += from[i];
        if (b->skipped) part.skipped += from[i];
        slice[i] = (struct slice){.buffer = part, .got = got + at};
    }
    side_by_side(compare_slice, slice, sizeof *slice, SLICES);
    for (uint64_t i = 0; i < SLICES; ++i) {
        const struct lab_comparison *c = &slice[i].comparison;
        all->wrong += c->wrong;
        for (uint32_t k = 0; k < c->shown && all->shown < LAB_MISMATCHES; ++k) {
            all->mismatch[all->shown] = c->mismatch[k];
            all->mismatch[all->shown++].index += from[i];
        }
    }
}

static int compare(struct kernels *m, struct side *side, uint32_t set)
{
    struct lab_comparison *all = &m->out->comparison;
    for (uint32_t i = 0; i < side->plan.nbuffers; ++i) {
        const struct lab_buffer *b = &m->set[set].plan.buffer[i];
        *all = (struct lab_comparison){0};
        m->out->buffer = (int)i;
        for (uint64_t first = 0; is_compared(b) && first < b->count; first += PIECE) {
            uint64_t count = b->count - first < PIECE ? b->count - first : PIECE;
            judge_image_must(
                &side->image,
                wire_read(&side->image.runner.wire, side->work[i], (int64_t)first * WORD, m->got, count * WORD),
                "an output was read back");
            compare_piece(b, first, count, m->got, all);
        }
        if (all->wrong) return trials_end(m->out, MEASURE_WRONG, "an output that was timed is wrong");
    }
    return 0;
}

static int iterate(void *self, int which, uint64_t *time_ps)
{
    struct kernels *m = self;
    uint32_t set = is_checked(m, which) ? fresh_set(m) : prng_below(&m->random, SETS);
    if (launch_restored(m, which, set, time_ps)) return -1;
    if (is_checked(m, which) && compare(m, &m->side[which], set)) return -1;
    if (which == STUDENT && *time_ps < m->floor_ps)
        return trials_end(m->out, MEASURE_UNRELIABLE, "the time is below what the card's memory can do");
    return 0;
}

static void health(void *self, struct engine_health *h)
{
    struct judge_image *t = &((struct kernels *)self)->side[STUDENT].image;
    judge_image_must(t, wire_health(&t->runner.wire, h), "the card was asked for its state");
}

static void measure(struct kernels *m, uint32_t times)
{
    m->random = prng_stream(m->job->seed, "measurement");
    fill_sets(m);
    for (int s = 0; s < SIDES; ++s) {
        judge_image_plan(&m->side[s].image, m->which, &m->side[s].plan, &m->side[s].arena);
        if (judge_launch_check_plan(&m->side[s].image.loaded, &m->side[s].plan, m->out->message)) {
            m->out->end = MEASURE_REFUSED;
            return;
        }
        if (place(m, &m->side[s])) return;
    }
    m->floor_ps = floor_of(&m->side[STUDENT].plan, &m->out->card);
    struct trials *b = &m->trials;
    *b = (struct trials){.self = m,
                         .iterate = iterate,
                         .health = health,
                         .minimum = m->job->card_threshold.minimum,
                         .slowed = SLOWED,
                         .random = &m->random,
                         .out = m->out};
    if (trials_alone(b) || trials_warm(b)) return;
    trials_decide(b);
    for (m->compared = 1; m->out->end == MEASURE_DONE && --times; trials_decide(b)) {
        m->out[1].card = m->out->card;
        b->out = ++m->out;
    }
}

void kernels_measure(const struct judge_job *job, const struct text *student, const struct text *baseline,
                     struct measurement *out, uint32_t times)
{
    struct kernels *m = alloc_zeroed(1, sizeof *m);
    memset(out, 0, times * sizeof *out);
    m->job = job;
    m->out = out;
    m->which = lab_speed_case(job->lab);
    int lock = card_lock_take(job->card);
    struct judge_image *ours = &m->side[BASELINE].image, *theirs = &m->side[STUDENT].image;
    if (judge_image_start(ours, job, IMAGE_CARD, baseline))
        die("the card does not take the baseline: %s; nothing was graded", ours->sentence);
    int refused = judge_image_start(theirs, job, IMAGE_CARD, student);
    out->card = theirs->runner.device;
    if (refused)
        trials_end(m->out, MEASURE_REFUSED, theirs->sentence);
    else
        measure(m, times);
    for (int s = 0; s < SIDES; ++s) {
        judge_image_stop(&m->side[s].image);
        arena_free(&m->side[s].arena);
    }
    card_lock_release(lock);
    for (int s = 0; s < SETS; ++s) arena_free(&m->set[s].arena);
    free(m);
}
