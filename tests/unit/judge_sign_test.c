// The error probability of the sign test, computed exactly and measured on noise: on simulated noise, and on noise of a
// real card from tests/truth/h200_noise.txt. A line of that file is one measurement: lab, kernel, required speedup,
// outcome and measured speedup, then after a bar the ratio of each block of launches.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "judge/card/sign.h"

static const double minimum = 2;

static enum sign_answer run(double (*ratio)(struct prng *, int), struct prng *random, int *blocks)
{
    struct sign_test t = {0};
    enum sign_answer answer;
    *blocks = 0;
    do answer = sign_add(&t, ratio(random, *blocks), minimum);
    while (++*blocks && answer == SIGN_MORE);
    assert_int_equal(t.below + t.above, *blocks);
    return answer;
}

// The chance to be failed when each block falls below with probability p: by the distribution of `below` over all paths
// that are still undecided. Nothing of it is drawn.
static double chance_of_failing(double p)
{
    double at[SIGN_TRIALS_MOST + 2] = {1}, failed = 0;
    for (uint32_t blocks = 1; blocks <= SIGN_TRIALS_MOST; ++blocks) {
        for (uint32_t below = blocks; below > 0; --below) at[below] = at[below] * (1 - p) + at[below - 1] * p;
        at[0] *= 1 - p;
        for (uint32_t below = 0; below <= blocks; ++below) {
            struct sign_test t = {.below = below ? below - 1 : 0, .above = below ? blocks - below : blocks - 1};
            enum sign_answer answer = sign_add(&t, below ? 0 : minimum, minimum);
            if (answer == SIGN_MORE) continue;
            if (answer == SIGN_BELOW) failed += at[below];
            at[below] = 0;
        }
    }
    return failed;
}

static void fails_less_than_one_in_a_thousand(void **state)
{
    (void)state;
    assert_true(chance_of_failing(0.5) < 1e-3);  // the true ratio stands exactly at the bar
    assert_true(chance_of_failing(0.5) > 1e-5);  // and the computation is not empty
    assert_true(chance_of_failing(0.3) < 1e-8);  // just above it
    assert_true(chance_of_failing(0.9) > 0.999); // clearly too slow
}

// Noise as a card shows it: a slow drift of the clock, jitter, and now and then a spike that hits one side.
static double noisy(struct prng *random, double true_ratio, double jitter, double spikes, int block)
{
    double drift = 1 + 0.02 * sin(block * 0.1), r = true_ratio;
    r *= 1 + jitter * (double)(prng_float(random, -1, 1) + prng_float(random, -1, 1));
    if ((double)prng_float(random, 0, 1) < spikes) r *= prng_u32(random) & 1 ? 0.7 : 1.4;
    return r * (1 + (drift - 1) * (double)prng_float(random, -0.2F, 0.2F));
}
static double at_minimum_quiet(struct prng *r, int b)
{
    return noisy(r, 2, 0.005, 0.01, b);
}
static double at_minimum_loud(struct prng *r, int b)
{
    return noisy(r, 2, 0.05, 0.1, b);
}
static double same_kernel(struct prng *r, int b)
{
    return noisy(r, 2, 0.02, 0.05, b);
} // A/A, with T = 1, scaled by 2
static double slow(struct prng *r, int b)
{
    return noisy(r, 1.8, 0.02, 0.05, b);
}
static double fast(struct prng *r, int b)
{
    return noisy(r, 2.4, 0.05, 0.1, b);
}

static void ten_thousand_measurements(void **state)
{
    (void)state;
    static const struct {
        double (*ratio)(struct prng *, int);
        int fails; // 1: it must; 0: it must never
    } kind[] = {{at_minimum_quiet, 0}, {at_minimum_loud, 0}, {same_kernel, 0}, {slow, 1}, {fast, 0}};
    struct prng random = prng_stream(1, "noise");
    for (size_t k = 0; k < sizeof kind / sizeof *kind; ++k) {
        int failed = 0, blocks, all = 0;
        for (int i = 0; i < 10000; ++i) {
            failed += run(kind[k].ratio, &random, &blocks) == SIGN_BELOW;
            all += blocks;
        }
        if (failed != kind[k].fails * 10000) fail_msg("kind %d: %d of 10000 failed", (int)k, failed);
        assert_true(kind[k].fails == 0 || all < 40 * 10000); // and soon
    }
}

// All blocks of one kernel, in the order in which they were measured.
enum { RECORDED = 20000, STRETCH = 8, TIMES = 10000 };
struct recorded {
    char kernel[128];
    double ratio[RECORDED], sorted[RECORDED];
    uint32_t count;
};

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(struct recorded *r)
{
    memcpy(r->sorted, r->ratio, r->count * sizeof *r->ratio);
    qsort(r->sorted, r->count, sizeof *r->sorted, by_number);
    return r->sorted[r->count / 2];
}

// A measurement as it could have been: stretches of blocks that followed each other, each from a place drawn by chance,
// so that what lasts for a while on a card lasts here. `scale` makes the kernel as fast as one likes.
static enum sign_answer replay(const struct recorded *r, struct prng *random, double scale)
{
    struct sign_test t = {0};
    enum sign_answer answer;
    uint32_t at = 0, n = 0;
    do {
        at = n++ % STRETCH ? (at + 1) % r->count : prng_below(random, r->count);
        answer = sign_add(&t, r->ratio[at] * scale, minimum);
    } while (answer == SIGN_MORE);
    return answer;
}

static int failed_of(const struct recorded *r, struct prng *random, double scale)
{
    int failed = 0;
    for (int i = 0; i < TIMES; ++i) failed += replay(r, random, scale) == SIGN_BELOW;
    return failed;
}

static void try_recorded(struct recorded *r, struct prng *random)
{
    double middle = median_of(r);
    int at_minimum = failed_of(r, random, minimum / middle), below = failed_of(r, random, 0.985 * minimum / middle);
    if (at_minimum) fail_msg("%s, as fast as asked: failed %d times of %d", r->kernel, at_minimum, TIMES);
    if (below > TIMES / 1000) fail_msg("%s, half way to the bar: failed %d times of %d", r->kernel, below, TIMES);
    // A kernel against itself, with what the card's memory did to the one and not to the other.
    int itself = strstr(r->kernel, "baseline") ? failed_of(r, random, minimum) : 0;
    if (itself) fail_msg("%s against itself: failed %d times of %d", r->kernel, itself, TIMES);
    // A tenth too slow must be told from noise.
    int slow = failed_of(r, random, 0.9 * SIGN_BAR * minimum / middle);
    if (slow < TIMES * 99 / 100) fail_msg("%s, too slow: failed %d times of %d", r->kernel, slow, TIMES);
}

static void ten_thousand_of_recorded_noise(void **state)
{
    (void)state;
    static struct recorded r;
    static char line[8192];
    struct prng random = prng_stream(1, "recorded noise");
    int kernels = 0;
    FILE *file = fopen("tests/truth/h200_noise.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char kernel[128];
        char *p = strchr(line, '|');
        if (line[0] == '#') continue;
        assert_non_null(p);
        assert_int_equal(sscanf(line, "%*s %127s", kernel), 1);
        if (strcmp(kernel, r.kernel) != 0) {
            if (r.count) try_recorded(&r, &random);
            r.count = 0;
            ++kernels;
            snprintf(r.kernel, sizeof r.kernel, "%s", kernel);
        }
        for (char *end; r.count < RECORDED; p = end) {
            double ratio = strtod(++p, &end);
            if (end == p) break;
            r.ratio[r.count++] = ratio;
        }
    }
    fclose(file);
    try_recorded(&r, &random);
    assert_true(kernels >= 2);
}

static void looks(void **state)
{
    (void)state;
    struct sign_test t = {0};
    for (int i = 0; i < 15; ++i) assert_int_equal(sign_add(&t, 1, minimum), SIGN_MORE);
    assert_int_equal(sign_add(&t, 1, minimum), SIGN_BELOW);
    t = (struct sign_test){0};
    for (int i = 0; i < 15; ++i) assert_int_equal(sign_add(&t, SIGN_BAR * minimum, minimum), SIGN_MORE);
    assert_int_equal(sign_add(&t, SIGN_BAR * minimum, minimum), SIGN_ABOVE);
    t = (struct sign_test){0};
    for (int i = 0; i < SIGN_TRIALS_MOST - 1; ++i) assert_int_equal(sign_add(&t, i % 2 ? 1 : 3, minimum), SIGN_MORE);
    assert_int_equal(sign_add(&t, 1, minimum), SIGN_UNDECIDED);
    t = (struct sign_test){0};
    sign_add(&t, (double)NAN, minimum);
    assert_int_equal(t.below, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_less_than_one_in_a_thousand),
        cmocka_unit_test(ten_thousand_measurements),
        cmocka_unit_test(ten_thousand_of_recorded_noise),
        cmocka_unit_test(looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
