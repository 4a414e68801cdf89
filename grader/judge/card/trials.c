// Runs paired trials of the baseline (the lab's own slow version) and the student's submission on a GPU.
//
//   trial:  A B B A  or  B A A B, by coin flip          A = baseline, B = student
//   ratio of the trial = (A1 + A2) / (B1 + B2)  ─▶ sign test (sign.h)
//
// The order of a trial's iterations, A B B A or B A A B, cancels a drift that is linear in time. The random choice
// between the orders A B B A and B A A B makes trials independent, as the sign test requires. If the GPU was throttled
// or busy with other processes during the trials, all trials are repeated, twice at most.
#define _GNU_SOURCE
#include "judge/card/trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/message.h"

enum { BASELINE = TRIALS_BASELINE, STUDENT = TRIALS_STUDENT, SIDES = TRIALS_SIDES, OURS = SIDES, TRIES = 3 };
enum { ALONE_LEAST = 4, ALONE_MOST = 16 }; // least and most iterations of the baseline before student code runs
// duration in seconds of the iterations of the baseline alone, and of the uncounted iterations before the first trial
static const double WARM_S = 0.1;

double trials_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int trials_end(struct measurement *out, enum measure_end how, const char *message)
{
    out->end = how;
    message_print(out->message, sizeof out->message, "%s", _(message));
    return -1;
}

static int iterate(struct trials *b, int which, uint64_t *sum)
{
    uint64_t time_ps;
    if (b->iterate(b->self, which, &time_ps)) return -1;
    b->side[which].time_ps[b->side[which].iterations++ % (2 * SIGN_TRIALS_MOST)] = time_ps;
    *sum += time_ps;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median_ps(struct trials *b, int which)
{
    uint32_t count = b->side[which].iterations;
    BUG_ON(!count || count > 2 * SIGN_TRIALS_MOST);
    qsort(b->side[which].time_ps, count, sizeof(uint64_t), by_time);
    return b->side[which].time_ps[count / 2];
}

int trials_alone(struct trials *b)
{
    double start = trials_now_s();
    uint64_t unused = 0;
    for (int i = 0; i < ALONE_LEAST || (i < ALONE_MOST && trials_now_s() - start < WARM_S); ++i)
        if (iterate(b, BASELINE, &unused)) return -1;
    b->alone_ps = median_ps(b, BASELINE);
    return 0;
}

int trials_warm(struct trials *b)
{
    double start = trials_now_s();
    uint64_t unused = 0;
    do
        for (int s = 0; s < SIDES; ++s)
            if (iterate(b, s, &unused)) return -1;
    while (trials_now_s() - start < WARM_S);
    return 0;
}

// Returns 1 if the GPU was throttled or used by other processes, else 0. If the GPU was disturbed, stores a message
// about the disturbance in b->out.
static int is_disturbed(struct trials *b)
{
    struct engine_health *h = &b->out->health;
    b->health(b->self, h);
    if (h->throttled) trials_end(b->out, MEASURE_UNRELIABLE, "heat or power held the card's clock down");
    if (h->processes > OURS) trials_end(b->out, MEASURE_UNRELIABLE, "others computed on the card at the same time");
    return h->throttled || h->processes > OURS;
}

// Returns 1 and stores a message in b->out if the baseline's median time in the trials exceeds b->slowed times its time
// before the student's submission ran. Returns 0 otherwise.
static int is_slowed(struct trials *b)
{
    if ((double)median_ps(b, BASELINE) <= b->slowed * (double)b->alone_ps) return 0;
    trials_end(b->out, MEASURE_UNRELIABLE, "the baseline was slower than before the submission ran");
    return 1;
}

// Runs paired trials until the sign test has an answer. Returns 0, or -1 if an iteration ended the measurement.
static int run_trials(struct trials *b)
{
    struct measurement *out = b->out;
    struct sign_test test = {0};
    b->side[BASELINE].iterations = b->side[STUDENT].iterations = out->trials = 0;
    do {
        static const int order[2][4] = {{BASELINE, STUDENT, STUDENT, BASELINE}, {STUDENT, BASELINE, BASELINE, STUDENT}};
        const int *sides = order[prng_below(b->random, 2)];
        uint64_t sum[SIDES] = {0};
        for (int i = 0; i < 4; ++i)
            if (iterate(b, sides[i], &sum[sides[i]])) return -1;
        double ratio = sum[STUDENT] ? (double)sum[BASELINE] / (double)sum[STUDENT] : 0;
        out->ratio_of[out->trials++] = ratio;
        out->answer = sign_add(&test, ratio, b->minimum);
    } while (out->answer == SIGN_MORE);
    out->test = test;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void conclude(struct trials *b)
{
    struct measurement *out = b->out;
    double sorted[SIGN_TRIALS_MOST];
    memcpy(sorted, out->ratio_of, out->trials * sizeof *sorted);
    qsort(sorted, out->trials, sizeof *sorted, by_number);
    out->ratio = (sorted[(out->trials - 1) / 2] + sorted[out->trials / 2]) / 2;
    out->ratio_low = sorted[out->trials / 20];
    out->ratio_high = sorted[out->trials - 1 - out->trials / 20];
    out->student_ps = median_ps(b, STUDENT);
    out->baseline_ps = median_ps(b, BASELINE);
    out->end = MEASURE_DONE;
    out->message[0] = '\0';
}

void trials_decide(struct trials *b)
{
    for (b->out->tries = 1; b->out->tries <= TRIES; ++b->out->tries) {
        if (is_disturbed(b)) continue;
        if (run_trials(b)) return;
        if (!is_disturbed(b) && !is_slowed(b)) {
            conclude(b);
            return;
        }
    }
    b->out->tries = TRIES;
}
