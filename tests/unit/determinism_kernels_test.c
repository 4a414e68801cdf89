// One submission and one seed give the same bytes, even for kernels that try to prevent this. The kernels of
// tests/determinism/*.cu race, read unwritten memory, and stop when they see what another block did. Observations and
// outputs must not depend on the number of host threads or on the processor's vector units.
#include <glob.h>

#include "base/text.h"
#include "compile/compile.h"
#include "determinism.h"

enum { WORDS = sizeof((struct determinism_result *)0)->memory / 4, GRID = 40, BLOCK = 96, SEEDS = 4 };

static void run(struct engine *e, const char *kernel, uint64_t seed, uint32_t checks, struct determinism_result *r)
{
    static uint32_t in[WORDS], zeros[WORDS];
    struct engine_launch l = {.grid = {GRID, 1, 1},
                              .block = {BLOCK, 1, 1},
                              .nargs = 2,
                              .checks = checks,
                              .cold = 1,
                              .schedule_seed = seed % 2,
                              .jitter = seed / 2,
                              .budget = 1 << 20};
    snprintf(l.kernel, sizeof l.kernel, "%s", kernel);
    for (uint32_t i = 0; i < WORDS; i++) in[i] = i * 2654435761u >> 7;
    sim_engine_ops.reset(e);
    for (int k = 0; k < 2; k++) {
        int buffer = sim_engine_ops.alloc(e, sizeof in, 4);
        assert_int_equal(sim_engine_ops.write(e, buffer, 0, k ? in : zeros, sizeof in, 0), 0);
        l.arg[k] = (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer};
    }
    sim_engine_ops.launch(e, &l, &r->observation);
    assert_int_equal(sim_engine_ops.read(e, l.arg[0].buffer, 0, r->memory, sizeof r->memory), 0);
}

static int check_image(const struct text *ptx, const char *compiler, int image)
{
    static struct determinism_result result[2];
    static struct engine_image facts;
    struct engine *e[DETERMINISM_HOSTS];
    int failures = 0;
    determinism_open(e, ptx, &facts);
    for (uint32_t k = 0; k < facts.nkernels; k++) {
        for (uint64_t seed = 0; seed < 2 * SEEDS; seed++) { // the second half without checks
            for (int h = 0; h < DETERMINISM_HOSTS; h++) {
                if (!e[h]) continue;
                run(e[h], facts.kernel[k].name, seed % SEEDS, seed < SEEDS ? CHECK_ALL : 0, &result[h > 0]);
                if (h)
                    failures += determinism_compare(&result[0], &result[1], h, compiler, image, facts.kernel[k].name,
                                                    seed % SEEDS);
            }
        }
    }
    determinism_close(e);
    return failures;
}

static int check_file(const char *path, const struct compiler *compiler)
{
    struct text source = {0};
    struct compile_result result = {0};
    int failures = 0;
    assert_int_equal(text_read_file(&source, path, 1 << 20), 0);
    compile_source(compiler, source.data, source.length, path, "grader/kit",
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, &result);
    if (result.status != COMPILED) fail_msg("%s: %s", path, result.messages.data);
    for (int image = IMAGE_OPTIMISED; image <= IMAGE_UNOPTIMISED; image++)
        failures += check_image(&result.image[image], compiler->version, image);
    compile_result_free(&result);
    text_free(&source);
    return failures;
}

static void same_bytes(void **state)
{
    (void)state;
    glob_t files;
    int failures = 0, checked = 0;
    assert_int_equal(glob("tests/determinism/*.cu", 0, NULL, &files), 0);
    for (int kind = COMPILE_NVCC; kind <= COMPILE_CLANG; kind++) {
        struct compiler compiler;
        struct text why = {0};
        int missing = compile_find(kind, &compiler, &why);
        for (size_t i = 0; !missing && i < files.gl_pathc; i++, checked++)
            failures += check_file(files.gl_pathv[i], &compiler);
        text_free(&why);
    }
    globfree(&files);
    assert_true(checked > 0);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
