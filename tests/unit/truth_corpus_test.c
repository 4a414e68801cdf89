// The corpus that a card was measured on, run small on the simulator with all checks: nothing may be said against the
// correct kernels of tests/truth/kernels.cu, each defect planted in mutants.cu must be named with its line, and outputs
// must be right. tests/truth/corpus.txt lists the launches; both compilers' images are judged, optimised and not, under
// ten orders of blocks and warps, in half of which lanes stray from each other.
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
#include "compile/compile.h"
#include "sim/sim.h"

enum { ROWS = 128, ELEMENTS = 8192, SEEDS = 10 };

struct row {
    char kernel[ENGINE_NAME], kind[8], verdict[24];
    uint32_t grid[2], block[2], shared, line;
    long d[3];
};

static struct row rows[ROWS];
static int nrows;
static struct compile_result compiled[2][2]; // [compiler][kernels, mutants]
static struct compiler compilers[2];
static int ncompilers;

static int load_table(void **state)
{
    (void)state;
    FILE *f = fopen("tests/truth/corpus.txt", "r");
    assert_non_null(f);
    char text[256];
    while (fgets(text, sizeof text, f) && nrows < ROWS) {
        struct row *r = &rows[nrows];
        if (text[0] != '#' &&
            sscanf(text, "%63s %7s %u %u %u %u %u %ld %ld %ld %23s %u", r->kernel, r->kind, &r->grid[0], &r->grid[1],
                   &r->block[0], &r->block[1], &r->shared, &r->d[0], &r->d[1], &r->d[2], r->verdict, &r->line) >= 11)
            ++nrows;
    }
    fclose(f);
    return 0;
}

static void compile_file(const struct compiler *compiler, const char *path, struct compile_result *result)
{
    struct text source = {0};
    assert_int_equal(text_read_file(&source, path, 1 << 20), 0);
    compile_source(compiler, source.data, source.length, path, "grader/compile/kit",
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, result);
    if (result->status != COMPILED) print_error("%s: %s\n", path, result->messages.data);
    assert_int_equal(result->status, COMPILED);
    text_free(&source);
}

static int compile_all(void **state)
{
    load_table(state);
    for (int kind = COMPILE_NVCC; kind <= COMPILE_CLANG; ++kind) {
        struct text why = {0};
        struct compiler *c = &compilers[ncompilers];
        if (!compile_find(kind, c, &why)) {
            compile_file(c, "tests/truth/kernels.cu", &compiled[ncompilers][0]);
            compile_file(c, "tests/truth/mutants.cu", &compiled[ncompilers][1]);
            ++ncompilers;
        }
        text_free(&why);
    }
    assert_true(ncompilers > 0);
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    for (int c = 0; c < ncompilers; ++c)
        for (int f = 0; f < 2; ++f) compile_result_free(&compiled[c][f]);
    return 0;
}

static int is(const struct row *r, const char *kind)
{
    return !strcmp(r->kind, kind);
}

// One launch's data: at most three buffers, the last one the output; scalars follow.
struct problem {
    float in[ELEMENTS], b[ELEMENTS], out[ELEMENTS];
    double expected[ELEMENTS];
    uint64_t nin, nb, nout;
};

static void sizes(const struct row *r, struct problem *p)
{
    long d0 = r->d[0], d1 = r->d[1], d2 = r->d[2];
    p->nb = 0;
    p->nin = p->nout = (uint64_t)d0;
    if (is(r, "mm")) p->nin = (uint64_t)(d0 * d2), p->nb = (uint64_t)(d2 * d1), p->nout = (uint64_t)(d0 * d1);
    if (is(r, "red")) p->nout = r->grid[0];
    if (is(r, "hist")) p->nout = 256;
    if (is(r, "cnt")) p->nin = 0, p->nout = 1;
    if (is(r, "sm") || is(r, "tr") || is(r, "scan")) p->nin = p->nout = (uint64_t)(d0 * d1);
    assert_true(p->nin <= ELEMENTS && p->nb <= ELEMENTS && p->nout <= ELEMENTS);
}

static void fill(const struct row *r, struct problem *p)
{
    struct prng g = prng_stream(1, r->kernel);
    uint32_t *word = (uint32_t *)p->in;
    for (uint64_t i = 0; i < p->nin; ++i) {
        if (is(r, "hist") || is(r, "work"))
            word[i] = prng_below(&g, is(r, "work") ? 10 : 256);
        else
            p->in[i] = prng_float(&g, -1, 1);
    }
    for (uint64_t i = 0; i < p->nb; ++i) p->b[i] = prng_float(&g, -1, 1);
}

static void expect_rows(const struct row *r, struct problem *p)
{
    long n = r->d[1];
    for (long row = 0; row < r->d[0]; ++row) {
        const float *x = p->in + row * n;
        double m = -1e30, s = 0;
        for (long c = 0; c < n; ++c) m = fmax(m, x[c]);
        for (long c = 0; c < n; ++c) s += exp(x[c] - m);
        double sum = 0;
        for (long c = 0; c < n; ++c) p->expected[row * n + c] = is(r, "sm") ? exp(x[c] - m) / s : (sum += x[c]);
    }
}

static void expect(const struct row *r, struct problem *p)
{
    const uint32_t *word = (const uint32_t *)p->in;
    long d0 = r->d[0], d1 = r->d[1], d2 = r->d[2];
    memset(p->expected, 0, sizeof p->expected);
    if (is(r, "v1")) {
        int twice = strstr(r->kernel, "blocked") || strstr(r->kernel, "cyclic");
        for (long i = 0; i < d0; ++i)
            p->expected[i] = twice ? 2.0 * p->in[i] + 1 : p->in[strstr(r->kernel, "strided") ? i * 128 % d0 : i];
    } else if (is(r, "mm")) {
        for (long i = 0; i < d0; ++i)
            for (long k = 0; k < d2; ++k)
                for (long j = 0; j < d1; ++j) p->expected[i * d1 + j] += (double)p->in[i * d2 + k] * p->b[k * d1 + j];
    } else if (is(r, "red")) {
        for (long i = 0; i < d0; ++i) p->expected[0] += p->in[i];
    } else if (is(r, "hist")) {
        for (long i = 0; i < d0; ++i) ++p->expected[word[i] & 255];
    } else if (is(r, "cnt")) {
        p->expected[0] = (double)r->grid[0] * r->block[0];
    } else if (is(r, "tr")) {
        for (long i = 0; i < d0; ++i)
            for (long j = 0; j < d1; ++j)
                p->expected[strstr(r->kernel, "copy") ? i * d1 + j : j * d0 + i] = p->in[i * d1 + j];
    } else if (is(r, "work")) {
        for (long i = 0; i < d0; ++i)
            for (int k = 0, t = 0; k < 256; ++k) p->expected[i] = t = (t + (int)word[i] * 5) % 10;
    } else {
        expect_rows(r, p);
    }
}

static int right(const struct row *r, const struct problem *p)
{
    const uint32_t *word = (const uint32_t *)p->out;
    int integer = is(r, "hist") || is(r, "cnt") || is(r, "work");
    double sum = 0;
    for (uint64_t i = 0; is(r, "red") && i < p->nout; ++i) sum += p->out[i];
    if (is(r, "red")) return fabs(sum - p->expected[0]) < 1e-3;
    for (uint64_t i = 0; i < p->nout; ++i) {
        if (i == 0 && strstr(r->kernel, "offset1")) continue; // it leaves element 0 alone
        double got = integer ? word[i] : (double)p->out[i];
        if (!(fabs(got - p->expected[i]) <= 1e-4 * fmax(1, fabs(p->expected[i])))) return 0;
    }
    return 1;
}

static void add_value(struct engine_launch *l, long value)
{
    l->arg[l->nargs++] = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4, .buffer = -1, .value = (uint32_t)value};
}

static int add_buffer(struct engine *e, struct engine_launch *l, const void *data, uint64_t elements)
{
    int buffer = sim_engine_ops.alloc(e, elements * 4, 4);
    assert_true(buffer >= 0);
    if (data) assert_int_equal(sim_engine_ops.write(e, buffer, 0, data, elements * 4, 0), 0);
    l->arg[l->nargs++] = (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer};
    return buffer;
}

// Runs one row and fills p->out.
static void run(struct engine *e, const struct row *r, struct problem *p, uint64_t seed, struct observation *o)
{
    struct engine_launch l = {.grid = {r->grid[0], r->grid[1], 1},
                              .block = {r->block[0], r->block[1], 1},
                              .shared = r->shared,
                              .checks = CHECK_ALL,
                              .schedule_seed = seed,
                              .stray = seed % 2};
    memcpy(l.kernel, r->kernel, sizeof l.kernel);
    sizes(r, p);
    fill(r, p);
    expect(r, p);
    sim_engine_ops.reset(e);
    if (p->nin) add_buffer(e, &l, p->in, p->nin);
    if (p->nb) add_buffer(e, &l, p->b, p->nb);
    memset(p->out, 0, sizeof p->out);
    int zeroed = is(r, "hist") || is(r, "cnt");
    int out = add_buffer(e, &l, zeroed ? p->out : NULL, p->nout);
    int vector = r->d[2] == 4 && is(r, "red") ? 4 : 1;
    if (!is(r, "cnt")) add_value(&l, r->d[0] / vector);
    if (is(r, "mm") || is(r, "sm") || is(r, "tr") || is(r, "scan")) add_value(&l, r->d[1]);
    if (is(r, "mm")) add_value(&l, r->d[2]);
    sim_engine_ops.launch(e, &l, o);
    assert_int_equal(sim_engine_ops.read(e, out, 0, p->out, p->nout * 4), 0);
}

static const struct finding *defect(const struct observation *o)
{
    for (uint32_t i = 0; i < o->nfindings; ++i)
        if (finding_info[o->finding[i].kind].severity == FINDING_DEFECT) return &o->finding[i];
    return NULL;
}

static int named(const struct observation *o, const struct row *r)
{
    for (uint32_t i = 0; i < o->nfindings; ++i) {
        const struct finding *f = &o->finding[i];
        const char *id = finding_info[f->kind].id;
        int same = !strcmp(r->verdict, "race") ? !strncmp(id, "race", 4) && f->kind != FINDING_race_same_value
                                               : !strcmp(id, r->verdict);
        if (same && (f->at.line == r->line || (f->second && f->other.line == r->line))) return 1;
    }
    return 0;
}

// What is wrong with the simulator's word on a row, or NULL.
static const char *judge(const struct row *r, const struct problem *p, const struct observation *o)
{
    static char text[256];
    const struct finding *f = defect(o);
    if (!strcmp(r->verdict, "clean") || !strcmp(r->verdict, "wrong")) {
        int wrong = !strcmp(r->verdict, "wrong");
        if (f) {
            snprintf(text, sizeof text, "%s at line %u, where there is no defect", finding_info[f->kind].id,
                     f->at.line);
            return text;
        }
        if (o->status != OBSERVED_OK) return o->message;
        return right(r, p) == !wrong ? NULL : wrong ? "the output is right" : "the output is wrong";
    }
    if (named(o, r)) return NULL;
    snprintf(text, sizeof text, "expected %s at line %u, got %s at line %u", r->verdict, r->line,
             f ? finding_info[f->kind].id : "nothing", f ? f->at.line : 0);
    return text;
}

static void check_image(int compiler, int image)
{
    static struct problem problem;
    static struct observation observation;
    static struct engine_image facts;
    char message[OBSERVATION_MESSAGE];
    int failures = 0;
    for (int file = 0; file < 2; ++file) {
        const struct text *ptx = &compiled[compiler][file].image[image];
        struct engine *e = sim_engine_ops.open(&(struct engine_options){0}, message);
        assert_non_null(e);
        if (sim_engine_ops.load(e, ptx->data, ptx->length, &facts, message)) fail_msg("%s", message);
        for (int i = 0; i < nrows; ++i) {
            const struct row *r = &rows[i];
            if ((r->kernel[0] == 'm') != file) continue;
            for (uint64_t seed = 0; seed < SEEDS; ++seed) {
                run(e, r, &problem, seed, &observation);
                const char *wrong = judge(r, &problem, &observation);
                if (!wrong) continue;
                ++failures;
                print_error("%s, %s, %s, seed %u: %s\n", compilers[compiler].version,
                            image == IMAGE_OPTIMISED ? "optimised" : "unoptimised", r->kernel, (unsigned)seed, wrong);
            }
        }
        sim_engine_ops.close(e);
    }
    assert_int_equal(failures, 0);
}

static void optimised(void **state)
{
    (void)state;
    for (int c = 0; c < ncompilers; ++c) check_image(c, IMAGE_OPTIMISED);
}

static void unoptimised(void **state)
{
    (void)state;
    for (int c = 0; c < ncompilers; ++c) check_image(c, IMAGE_UNOPTIMISED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(optimised), cmocka_unit_test(unoptimised)};
    return cmocka_run_group_tests(tests, compile_all, free_all);
}
