// Launches of the kernels that were measured on a card. tests/truth/corpus.txt lists them with small sizes; the kernels
// are in kernels.cu and mutants.cu. Images of both compilers, optimised and not.
#ifndef TESTS_UNIT_TRUTH_ROWS_H
#define TESTS_UNIT_TRUTH_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "base/text.h"
#include "compile/compile.h"
#include "sim/sim.h"

enum { ROWS = 128, ELEMENTS = 8192 };

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

static inline int load_table(void **state)
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

static inline void compile_file(const struct compiler *compiler, const char *path, struct compile_result *result)
{
    struct text source = {0};
    assert_int_equal(text_read_file(&source, path, 1 << 20), 0);
    compile_source(compiler, source.data, source.length, path, "grader/kit",
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, result);
    if (result->status != COMPILED) print_error("%s: %s\n", path, result->messages.data);
    assert_int_equal(result->status, COMPILED);
    text_free(&source);
}

static inline int compile_all(void **state)
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

static inline int free_all(void **state)
{
    (void)state;
    for (int c = 0; c < ncompilers; ++c)
        for (int f = 0; f < 2; ++f) compile_result_free(&compiled[c][f]);
    return 0;
}

static inline int is(const struct row *r, const char *kind)
{
    return !strcmp(r->kind, kind);
}

// One launch's data: at most three buffers, the last one the output; scalars follow.
struct problem {
    float in[ELEMENTS], b[ELEMENTS], out[ELEMENTS];
    uint64_t nin, nb, nout;
};

static inline void sizes(const struct row *r, struct problem *p)
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

static inline void fill(const struct row *r, struct problem *p)
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

static inline void add_value(struct engine_launch *l, long value)
{
    l->arg[l->nargs++] = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4, .buffer = -1, .value = (uint32_t)value};
}

static inline int add_buffer(struct engine *e, struct engine_launch *l, const void *data, uint64_t elements)
{
    int buffer = sim_engine_ops.alloc(e, elements * 4, 4);
    assert_true(buffer >= 0);
    if (data) assert_int_equal(sim_engine_ops.write(e, buffer, 0, data, elements * 4, 0), 0);
    l->arg[l->nargs++] = (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer};
    return buffer;
}

// Runs one row and fills p->out.
static inline void run(struct engine *e, const struct row *r, struct problem *p, uint64_t seed, uint32_t cold,
                       struct observation *o)
{
    struct engine_launch l = {.grid = {r->grid[0], r->grid[1], 1},
                              .block = {r->block[0], r->block[1], 1},
                              .shared = r->shared,
                              .checks = CHECK_ALL,
                              .cold = cold,
                              .schedule_seed = seed,
                              .jitter = seed % 2};
    memcpy(l.kernel, r->kernel, sizeof l.kernel);
    sizes(r, p);
    fill(r, p);
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

#endif
