// Theory of operation
//
// Baseline and student each have a runner of their own, and so a process, a context and an address space. The judge
// lets them launch in turn and nobody else:
//
//   each launch:     device variables restored ─▶ a launch on another set ─▶ [student: words of the set changed] ─▶
//                    every buffer renewed (fresh address; inputs from one of a few sets, outputs poisoned) ─▶ L2
//                    flushed ─▶ event, kernels, event
//   the student's:   outputs read back and compared with the judge's own expectation
//
// Who launches when, and what is concluded from the times: blocks.c. Clocks are not locked (power limits would undo
// it): both sides see the same ones.
//
// What a kernel could gain by cheating: nothing by address (fresh ones), nothing by device variables (restored),
// nothing by leaving the work out (every output is compared), nothing by a false clock (events are the runner's, and
// its claim must be below the judge's own wall clock and above what memory can do). Nothing by remembering results in
// memory that is nobody's (the heap, the rest of a page), nor by working them out in the launch before, which is not
// timed: words of the inputs, drawn by chance from all, are changed after it, so that who would know which must read
// them all. And nothing by holding the baseline up (heat, lines that stay in the L2): it is measured alone first,
// before any of the student's code has run, and must not be slower beside it.
//
// Work on the processor stands between launches, never beside one: several threads fill the sets before the first,
// change them when each has been used, and compare an output.
//
// Other graders of this machine wait until it is their turn (turn.h).
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
#include "judge/job/baseline.h"
#include "judge/job/image.h"
#include "judge/job/launch.h"

enum { BASELINE = TRIALS_BASELINE, STUDENT = TRIALS_STUDENT, SIDES = TRIALS_SIDES };
enum { SETS = 3, WORD = 4, SLICES = 4, CHANGES = 32 };
enum { PIECE = 1 << 20 };           // words of an output that are read back and compared at once, while in a cache
static const double HELD_UP = 1.25; // times what it took alone: then something holds the baseline up

struct side {
    struct judge_image image;
    struct arena arena;
    struct lab_plan plan; // of launches and buffers; its data are not filled
    int work[LAB_BUFFERS], source[SETS][LAB_BUFFERS];
};
struct measuring {
    const struct judge_job *job;
    const struct lab_case *which;
    struct side side[SIDES];
    struct set {
        struct arena arena;
        struct lab_plan plan; // inputs and expected values
        struct prng random;
        struct change { // a word that the card does not have yet
            uint32_t buffer, word;
        } change[LAB_BUFFERS * CHANGES];
        uint32_t nchanges;
        int used; // since it was changed
    } set[SETS];
    struct prng random;
    int looked;          // outputs were compared in a measurement before, and need not be again
    uint32_t got[PIECE]; // of an output read back
    struct measurement *out;
    uint64_t floor_ps; // no kernel is faster than memory
    struct trials blocks;
};

static int has_data(const struct lab_buffer *b)
{
    return b->role == LAB_INPUT || b->role == LAB_UPDATE;
}

static int is_compared(const struct lab_buffer *b)
{
    return b->role == LAB_OUTPUT || b->role == LAB_UPDATE;
}

// Ends the measurement. Always -1.
static int end(struct measuring *m, enum measure_end how, const char *message)
{
    return trials_end(m->out, how, message);
}

// ------------------------------------------------------------------------------------------------------------- before
static void *fill_set(void *data)
{
    struct set *s = data;
    s->plan.lab->fill(&s->plan, &s->random);
    s->used = 1;
    return NULL;
}

// Puts words of a buffer in other places of it: inputs stay such as the lab draws them.
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

// Runs `count` threads over as many elements of `size` bytes, and waits for them.
static void side_by_side(void *(*run)(void *), void *element, size_t size, int count)
{
    pthread_t thread[SLICES];
    BUG_ON(count > SLICES);
    for (int i = 0; i < count; ++i)
        if (pthread_create(&thread[i], NULL, run, (char *)element + (size_t)i * size)) die("cannot start a thread");
    for (int i = 0; i < count; ++i) pthread_join(thread[i], NULL);
}

static void fill_sets(struct measuring *m)
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

// A set that was not used since it was changed.
static uint32_t fresh_set(struct measuring *m)
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

static int make_buffer(struct measuring *m, struct side *side, uint64_t bytes, int *buffer)
{
    int answer = wire_alloc(&side->image.runner.wire, bytes, WORD, buffer);
    if (answer == WIRE_NO) return end(m, MEASURE_UNRELIABLE, "it has not enough free memory");
    return judge_image_must(&side->image, answer, "a buffer was made");
}

// The side's buffers: one to work on for each of the plan's, and for inputs one more in each set.
static int place(struct measuring *m, struct side *side)
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

// Each input comes from memory, as the L2 was flushed, and each output goes there, but for what the L2 may hold back.
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
    return (in + out) * 1000000 / card->dram_mbs; // bytes / (MB/s) is microseconds
}

// ------------------------------------------------------------------------------------------------------------ a launch
// All steps of the case on one set, from fresh buffers. 0 with the time, or -1.
static int launch(struct measuring *m, struct side *side, uint32_t set, uint64_t *time_ps)
{
    struct wire_client *wire = &side->image.runner.wire;
    struct observation *o = side->image.observation;
    for (uint32_t i = 0; i < side->plan.nbuffers; ++i) {
        uint32_t poison = prng_u32(&m->random) | 0x7fc00000; // a quiet NaN, either sign
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
            return end(m, MEASURE_REFUSED, "it did not end in time on the card");
        judge_image_must(&side->image, answer, "a kernel was measured");
        if (o->status != OBSERVED_OK) return end(m, MEASURE_REFUSED, o->message);
    }
    *time_ps = o->time_ps;
    if ((double)o->time_ps > (trials_now_s() - start) * 1e12)
        return end(m, MEASURE_UNRELIABLE, "the card's clock and the machine's do not agree");
    return 0;
}

// Brings what was changed in a set to the card.
static void bring_changes(struct measuring *m, struct side *side, uint32_t set)
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

static int is_looked_at(const struct measuring *m, int which)
{
    return which == STUDENT && !m->looked;
}

// A measured launch. Restoring device variables means loading the image anew, and the first launch after that takes
// tens of microseconds more; so one on another set goes before. What it could leave behind is of no use to the next.
static int launch_restored(struct measuring *m, int which, uint32_t set, uint64_t *time_ps)
{
    struct side *side = &m->side[which];
    uint32_t other = (set + 1 + prng_below(&m->random, SETS - 1)) % SETS;
    judge_image_must(&side->image, wire_restore(&side->image.runner.wire), "the image was restored");
    if (launch(m, side, other, time_ps)) return -1;
    if (is_looked_at(m, which)) bring_changes(m, side, set);
    return launch(m, side, set, time_ps);
}

struct slice { // of a buffer that is compared
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

// Of a buffer `count` elements from `first` on, which are in `got`, by several threads; adds to the comparison.
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

static int compare(struct measuring *m, struct side *side, uint32_t set)
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
        if (all->wrong) return end(m, MEASURE_WRONG, "an output that was timed is wrong");
    }
    return 0;
}

static int turn(void *self, int which, uint64_t *time_ps)
{
    struct measuring *m = self;
    uint32_t set = is_looked_at(m, which) ? fresh_set(m) : prng_below(&m->random, SETS);
    if (launch_restored(m, which, set, time_ps)) return -1;
    if (is_looked_at(m, which) && compare(m, &m->side[which], set)) return -1;
    if (which == STUDENT && *time_ps < m->floor_ps)
        return end(m, MEASURE_UNRELIABLE, "the time is below what the card's memory can do");
    return 0;
}

static void health(void *self, struct engine_health *h)
{
    struct judge_image *t = &((struct measuring *)self)->side[STUDENT].image;
    judge_image_must(t, wire_health(&t->runner.wire, h), "the card was asked for its state");
}

static void measure(struct measuring *m, uint32_t times)
{
    m->random = prng_stream(m->job->seed, "measurement");
    fill_sets(m);
    for (int s = 0; s < SIDES; ++s) {
        judge_image_plan(&m->side[s].image, m->which, &m->side[s].plan, &m->side[s].arena);
        if (judge_plan_check(&m->side[s].image.loaded, &m->side[s].plan, m->out->message)) {
            m->out->end = MEASURE_REFUSED;
            return;
        }
        if (place(m, &m->side[s])) return;
    }
    m->floor_ps = floor_of(&m->side[STUDENT].plan, &m->out->card);
    struct trials *b = &m->blocks;
    *b = (struct trials){.self = m,
                         .turn = turn,
                         .health = health,
                         .minimum = m->job->card_full > 0 ? m->job->card_minimum : m->job->lab->minimum,
                         .held_up = HELD_UP,
                         .random = &m->random,
                         .out = m->out};
    if (trials_alone(b) || trials_warm(b)) return;
    trials_decide(b);
    for (m->looked = 1; m->out->end == MEASURE_DONE && --times; trials_decide(b)) {
        m->out[1].card = m->out->card;
        b->out = ++m->out;
    }
}

void kernels_measure(const struct judge_job *job, const struct text *student, const struct text *baseline,
                     struct measurement *out, uint32_t times)
{
    struct measuring *m = alloc_zeroed(1, sizeof *m);
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
        end(m, MEASURE_REFUSED, theirs->sentence);
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
