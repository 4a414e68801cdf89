// One submission and one seed give the same bytes: each launch of the corpus, the racy ones too, leaves the same
// observation and the same output whatever the number of host threads and whatever the processor's vector units.
#include "truth_rows.h"

// The first is what the others are compared with. Units that this machine lacks are skipped.
static const struct engine_options hosts[] = {
    {.threads = 1, .units = "base"},
    {.threads = 1, .units = "v3"},
    {.threads = 1, .units = "v4"},
    {.threads = 2},
    {.threads = 3},
};
enum { HOSTS = sizeof hosts / sizeof hosts[0], SEEDS = 2 };

// Byte at which the two differ, or -1.
static long first_difference(const void *a, const void *b, size_t bytes)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < bytes; ++i)
        if (x[i] != y[i]) return (long)i;
    return -1;
}

static int check_file(int compiler, int file, int image)
{
    static struct problem problem[2];
    static struct observation observation[2];
    static struct engine_image facts;
    const struct text *ptx = &compiled[compiler][file].image[image];
    struct engine *e[HOSTS];
    char message[OBSERVATION_MESSAGE];
    int failures = 0;
    for (int h = 0; h < HOSTS; ++h) {
        e[h] = sim_engine_ops.open(&hosts[h], message);
        if (e[h] && sim_engine_ops.load(e[h], ptx->data, ptx->length, &facts, message)) fail_msg("%s", message);
    }
    for (int i = 0; i < nrows; ++i) {
        if ((rows[i].kernel[0] == 'm') != file) continue;
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            for (int h = 0; h < HOSTS; ++h) {
                int other = h > 0;
                if (!e[h]) continue;
                run(e[h], &rows[i], &problem[other], seed, 1, &observation[other]);
                long at = first_difference(&observation[0], &observation[other], sizeof observation[0]),
                     out = first_difference(problem[0].out, problem[other].out, sizeof problem[0].out);
                if (!other || (at < 0 && out < 0)) continue;
                ++failures;
                print_error(
                    "%s, %s, %s, seed %u: %u threads, units %s: byte %ld of the observation, %ld of the output\n",
                    compilers[compiler].version, image == IMAGE_OPTIMISED ? "optimised" : "unoptimised", rows[i].kernel,
                    (unsigned)seed, hosts[h].threads, hosts[h].units ? hosts[h].units : "best", at, out);
            }
        }
    }
    for (int h = 0; h < HOSTS; ++h)
        if (e[h]) sim_engine_ops.close(e[h]);
    return failures;
}

static void same_bytes(void **state)
{
    (void)state;
    int failures = 0;
    for (int c = 0; c < ncompilers; ++c)
        for (int file = 0; file < 2; ++file)
            for (int image = IMAGE_OPTIMISED; image <= IMAGE_UNOPTIMISED; ++image)
                failures += check_file(c, file, image);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes)};
    return cmocka_run_group_tests(tests, compile_all, free_all);
}
