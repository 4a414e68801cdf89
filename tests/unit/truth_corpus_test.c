// The kernels that were measured on a card, with small sizes on the simulator with all checks. The correct kernels of
// tests/truth/kernels.cu may have no finding. Each defect in mutants.cu must be found with its line. Outputs must be
// right. tests/truth/corpus.txt lists the launches. The images of both compilers, optimised and not, run under ten
// orders of blocks and warps; five of them also reorder lanes.
#include "truth_rows.h"

#include <math.h>

enum { SEEDS = 10 };

static double expected[ELEMENTS]; // the output of the launch in hand

static void expect_rows(const struct row *r, const struct problem *p)
{
    long n = r->d[1];
    for (long row = 0; row < r->d[0]; ++row) {
        const float *x = p->in + row * n;
        double m = -1e30, s = 0;
        for (long c = 0; c < n; ++c) m = fmax(m, x[c]);
        for (long c = 0; c < n; ++c) s += exp(x[c] - m);
        double sum = 0;
        for (long c = 0; c < n; ++c) expected[row * n + c] = is(r, "sm") ? exp(x[c] - m) / s : (sum += x[c]);
    }
}

static void expect(const struct row *r, const struct problem *p)
{
    const uint32_t *word = (const uint32_t *)p->in;
    long d0 = r->d[0], d1 = r->d[1], d2 = r->d[2];
    memset(expected, 0, sizeof expected);
    if (is(r, "v1")) {
        int twice = strstr(r->kernel, "blocked") || strstr(r->kernel, "cyclic");
        for (long i = 0; i < d0; ++i)
            expected[i] = twice ? 2.0 * p->in[i] + 1 : p->in[strstr(r->kernel, "strided") ? i * 128 % d0 : i];
    } else if (is(r, "mm")) {
        for (long i = 0; i < d0; ++i)
            for (long k = 0; k < d2; ++k)
                for (long j = 0; j < d1; ++j) expected[i * d1 + j] += (double)p->in[i * d2 + k] * p->b[k * d1 + j];
    } else if (is(r, "red")) {
        for (long i = 0; i < d0; ++i) expected[0] += p->in[i];
    } else if (is(r, "hist")) {
        for (long i = 0; i < d0; ++i) ++expected[word[i] & 255];
    } else if (is(r, "cnt")) {
        expected[0] = (double)r->grid[0] * r->block[0];
    } else if (is(r, "tr")) {
        for (long i = 0; i < d0; ++i)
            for (long j = 0; j < d1; ++j)
                expected[strstr(r->kernel, "copy") ? i * d1 + j : j * d0 + i] = p->in[i * d1 + j];
    } else if (is(r, "work")) {
        for (long i = 0; i < d0; ++i)
            for (int k = 0, t = 0; k < 256; ++k) expected[i] = t = (t + (int)word[i] * 5) % 10;
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
    if (is(r, "red")) return fabs(sum - expected[0]) < 1e-3;
    for (uint64_t i = 0; i < p->nout; ++i) {
        if (i == 0 && strstr(r->kernel, "offset1")) continue; // it leaves element 0 alone
        double got = integer ? word[i] : (double)p->out[i];
        if (!(fabs(got - expected[i]) <= 1e-4 * fmax(1, fabs(expected[i])))) return 0;
    }
    return 1;
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
                run(e, r, &problem, seed, 0, &observation);
                expect(r, &problem);
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
