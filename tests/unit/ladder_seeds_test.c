// Every reference, baseline and rung of the ladders, on the small cases of its lab. Ten seeds shuffle blocks and warps;
// the last STRAY seeds also shuffle lanes. No image may have a finding, and all outputs must be right.
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "compile/compile.h"
#include "lab/lab.h"
#include "sim/sim.h"

// CASES of the small ones for each seed, other ones for the next.
enum { SEEDS = 10, STRAY = 2, CASES = 3, SMS = 132, WORD = 4 };

struct kernel { // one file on the simulator
    const struct lab *lab;
    const char *path, *what;
    struct engine *engine;
    struct lab_shape shape[LAB_KERNELS];
};

static struct compiler compiler;

static int find_compiler(void **state)
{
    (void)state;
    struct text why = {0};
    if (compile_find(COMPILE_AUTO, &compiler, &why)) fail_msg("%s", why.data);
    text_free(&why);
    return 0;
}

static int fails(const struct kernel *k, const struct lab_case *which, uint64_t seed, const char *why, uint32_t line)
{
    print_error("%s, %s, case '%s', seed %u: %s at line %u\n", k->path, k->what, which->name, (unsigned)seed, why,
                line);
    return 1;
}

static int place_buffers(const struct kernel *k, const struct lab_plan *p, int engine[LAB_BUFFERS])
{
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        const struct lab_buffer *b = &p->buffer[i];
        engine[i] = sim_engine_ops.alloc(k->engine, b->count * WORD, WORD);
        if (engine[i] < 0) return -1;
        if (b->data) sim_engine_ops.write(k->engine, engine[i], 0, b->data, b->count * WORD, 0);
    }
    return 0;
}

// The outputs, as they must be.
static int outputs_right(const struct kernel *k, const struct lab_plan *p, const int engine[LAB_BUFFERS])
{
    int right = 1;
    for (uint32_t i = 0; i < p->nbuffers; ++i) {
        const struct lab_buffer *b = &p->buffer[i];
        if (b->role != LAB_OUTPUT && b->role != LAB_UPDATE) continue;
        void *got = malloc(b->count * WORD + 1);
        assert_non_null(got);
        sim_engine_ops.read(k->engine, engine[i], 0, got, b->count * WORD);
        right = right && !lab_compare(b, got, NULL).wrong;
        free(got);
    }
    return right;
}

// One case under one seed: 1 when there is something against it.
static int run_case(const struct kernel *k, const struct lab_case *which, uint64_t seed)
{
    static struct observation o;
    struct arena arena = {0};
    struct lab_plan p = {.lab = k->lab, .which = which, .dim = which->dim, .sms = SMS, .arena = &arena};
    int engine[LAB_BUFFERS] = {0}, failed = 0;
    memcpy(p.shape, k->shape, sizeof p.shape);
    struct prng random = prng_stream(1, which->name);
    k->lab->plan(&p);
    k->lab->fill(&p, &random);
    k->lab->expect(&p);
    sim_engine_ops.reset(k->engine);
    if (p.rejected[0] || place_buffers(k, &p, engine)) failed = fails(k, which, seed, "no plan", 0);
    for (uint32_t s = 0; s < p.nsteps && !failed; ++s) {
        struct engine_launch l = p.step[s].launch;
        l.checks = CHECK_ALL;
        l.schedule_seed = seed;
        l.jitter = seed > SEEDS - STRAY;
        for (uint32_t i = 0; i < l.nargs; ++i)
            if (l.arg[i].kind == ARG_BUFFER && l.arg[i].buffer >= 0) l.arg[i].buffer = engine[l.arg[i].buffer];
        sim_engine_ops.launch(k->engine, &l, &o);
        if (o.status != OBSERVED_OK) failed = fails(k, which, seed, o.message, 0);
        for (uint32_t i = 0; i < o.nfindings && !failed; ++i) {
            const struct finding *f = &o.finding[i];
            if (finding_info[f->kind].severity == FINDING_DEFECT)
                failed = fails(k, which, seed, finding_info[f->kind].id, f->at.line);
        }
    }
    if (!failed && !outputs_right(k, &p, engine)) failed = fails(k, which, seed, "wrong output", 0);
    arena_free(&arena);
    return failed;
}

static int run_cases(const struct kernel *k)
{
    const struct lab_case *small[64];
    uint32_t n = 0;
    int failures = 0;
    for (uint32_t i = 0; i < k->lab->ncases; ++i)
        if (k->lab->cases[i].flags & CASE_SMALL) small[n++] = &k->lab->cases[i];
    assert_true(n >= CASES);
    for (uint32_t i = 0; i < SEEDS * CASES; ++i) failures += run_case(k, small[i % n], 1 + i / CASES);
    return failures;
}

static int run_image(struct kernel *k, const struct text *ptx)
{
    static struct engine_image facts;
    char message[OBSERVATION_MESSAGE], name[2 * ENGINE_NAME];
    k->engine = sim_engine_ops.open(&(struct engine_options){0}, message);
    assert_non_null(k->engine);
    if (sim_engine_ops.load(k->engine, ptx->data, ptx->length, &facts, message)) fail_msg("%s: %s", k->path, message);
    for (int i = 0; i < LAB_KERNELS && k->lab->kernel[i]; ++i) {
        snprintf(name, sizeof name, "%s_launch", k->lab->kernel[i]);
        assert_int_equal(sim_engine_ops.symbol(k->engine, name, &k->shape[i], sizeof k->shape[i]), sizeof k->shape[i]);
    }
    int failures = run_cases(k);
    sim_engine_ops.close(k->engine);
    return failures;
}

static int run_file(const struct lab *undrawn, const char *path)
{
    struct lab_drawn drawn;
    lab_draw(undrawn, &(struct secret){{0}}, 1, &drawn);
    const struct lab *lab = &drawn.lab;
    static const char *const what[IMAGES] = {"optimised", "unoptimised"};
    struct text source = {0};
    struct compile_result result;
    int failures = 0;
    assert_int_equal(text_read_file(&source, path, 1 << 20), 0);
    compile_source(&compiler, source.data, source.length, path, "grader/kit",
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, &result);
    if (result.status != COMPILED) fail_msg("%s", result.messages.data);
    for (int image = IMAGE_OPTIMISED; image <= IMAGE_UNOPTIMISED; ++image) {
        struct kernel k = {.lab = lab, .path = path, .what = what[image]};
        failures += run_image(&k, &result.image[image]);
    }
    compile_result_free(&result);
    text_free(&source);
    return failures;
}

static int run_all(const struct lab *lab, const char *pattern)
{
    glob_t files;
    char path[256];
    int failures = 0;
    if (lab->host) return 0; // a program is no image; its kernel is given
    snprintf(path, sizeof path, pattern, lab->slug);
    assert_int_equal(glob(path, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; ++i) failures += run_file(lab, files.gl_pathv[i]);
    globfree(&files);
    return failures;
}

static void references(void **state)
{
    (void)state;
    int failures = 0;
    for (int i = 0; lab_all[i]; ++i) failures += run_all(lab_all[i], "reference/%s.cu");
    assert_int_equal(failures, 0);
}

static void baselines(void **state)
{
    (void)state;
    int failures = 0;
    for (int i = 0; lab_all[i]; ++i) failures += run_all(lab_all[i], "labs/%s/baseline.cu");
    assert_int_equal(failures, 0);
}

static void ladders(void **state)
{
    (void)state;
    int failures = 0;
    for (int i = 0; lab_all[i]; ++i) failures += run_all(lab_all[i], "reference/ladder/%s/*.cu");
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(references), cmocka_unit_test(baselines),
                                       cmocka_unit_test(ladders)};
    return cmocka_run_group_tests(tests, find_compiler, NULL);
}
