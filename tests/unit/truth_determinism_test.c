// One submission and one seed give the same bytes. Each launch of the corpus, with races or without, gives the same
// observation and output for any number of host threads and for all vector units.
#include "determinism.h"
#include "truth_rows.h"

enum { SEEDS = 2 };

static int check_row(struct engine *e[DETERMINISM_HOSTS], const struct row *r, const char *compiler, int image)
{
    static struct problem problem;
    static struct determinism_result result[2];
    int failures = 0;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        for (int h = 0; h < DETERMINISM_HOSTS; ++h) {
            struct determinism_result *mine = &result[h > 0];
            if (!e[h]) continue;
            run(e[h], r, &problem, seed, 1, &mine->observation);
            memcpy(mine->memory, problem.out, sizeof problem.out);
            if (h) failures += determinism_compare(&result[0], mine, h, compiler, image, r->kernel, seed);
        }
    }
    return failures;
}

static int check_file(int compiler, int file, int image)
{
    static struct engine_image facts;
    struct engine *e[DETERMINISM_HOSTS];
    int failures = 0;
    determinism_open(e, &compiled[compiler][file].image[image], &facts);
    for (int i = 0; i < nrows; ++i)
        if ((rows[i].kernel[0] == 'm') == file) failures += check_row(e, &rows[i], compilers[compiler].version, image);
    determinism_close(e);
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
