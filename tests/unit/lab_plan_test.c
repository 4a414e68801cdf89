// Grids, steps and arguments of a plan, and the functions that fill inputs. Also the rules for every lab of the kit: it
// has cases of its own, its inputs depend on the seed only, and trivial outputs fail.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lab/lab.h"

static const struct lab_case one_case = {.name = "case", .values = "random"};
static const struct lab lab = {.name = "labx", .kernel = {"first", "second"}, .cases = &one_case, .ncases = 1};
static struct arena arena;
static struct lab_plan plan;

static int prepare(void **state)
{
    (void)state;
    arena_free(&arena);
    plan = (struct lab_plan){.lab = &lab, .which = &one_case, .dim = one_case.dim, .sms = 10, .arena = &arena};
    return 0;
}

static void check_grid(struct lab_shape shape, uint64_t x, uint64_t y, uint32_t gx, uint32_t gy)
{
    uint64_t extent[3] = {x, y, 1};
    uint32_t grid[3];
    plan.shape[1] = shape;
    lab_grid(&plan, 1, extent, grid);
    assert_int_equal(grid[0], gx);
    assert_int_equal(grid[1], gy);
    assert_int_equal(grid[2], 1);
}

static void grid_follows_the_shape(void **state)
{
    (void)state;
    check_grid((struct lab_shape){.block = {256}}, 1000, 1, 4, 1);
    check_grid((struct lab_shape){.block = {256}}, 1024, 1, 4, 1);
    check_grid((struct lab_shape){.block = {256}}, 1025, 1, 5, 1);
    check_grid((struct lab_shape){.block = {32, 8}, .tile = {32, 32}}, 33, 64, 2, 2);
    check_grid((struct lab_shape){.block = {32, 8}}, 33, 64, 2, 8);
    check_grid((struct lab_shape){.block = {256}, .grid = {7}}, 1000, 1, 7, 1);
    check_grid((struct lab_shape){.block = {256}, .per_sm = 4}, 1000, 50, 40, 1);
    check_grid((struct lab_shape){.block = {1}}, UINT64_C(1) << 40, 1, UINT32_MAX, 1);
    check_grid((struct lab_shape){.block = {1}, .per_sm = UINT32_MAX}, 1, 1, UINT32_MAX, 1);
}

static void empty_extent_makes_no_launch(void **state)
{
    (void)state;
    plan.shape[0] = plan.shape[1] = (struct lab_shape){.block = {64}};
    lab_arg_u32(lab_step(&plan, 0, 0, 1, 1), 1);
    assert_int_equal(plan.nsteps, 0);
    struct lab_step *s = lab_step(&plan, 1, 65, 1, 1);
    assert_int_equal(plan.nsteps, 1);
    assert_int_equal(s->launch.nargs, 0);
    assert_string_equal(s->launch.kernel, "second");
    assert_int_equal(s->launch.grid[0], 2);
    assert_int_equal(s->launch.block[0], 64);
    assert_int_equal(s->launch.block[1], 1);
}

static void arguments_in_order(void **state)
{
    (void)state;
    struct lab_step *s = lab_step(&plan, 0, 1, 1, 1);
    int out = lab_buffer(&plan, "out", LAB_F32, LAB_OUTPUT, 5), in = lab_buffer(&plan, "in", LAB_F32, LAB_INPUT, 5);
    lab_arg_buffer(s, in);
    lab_arg_buffer(s, out);
    lab_arg_u32(s, 5);
    lab_arg_f32(s, 1.5f);
    assert_int_equal(s->launch.nargs, 4);
    assert_int_equal(s->launch.arg[0].buffer, in);
    assert_int_equal(s->launch.arg[0].bytes, 8);
    assert_int_equal(s->launch.arg[2].value, 5);
    assert_int_equal(s->launch.arg[3].value, 0x3fc00000);
    assert_int_equal(s->launch.arg[3].bytes, 4);
    assert_null(plan.buffer[out].data);
    assert_non_null(plan.buffer[in].data);
}

static void first_rejection_counts(void **state)
{
    (void)state;
    lab_reject(&plan, "first %d", 1);
    lab_reject(&plan, "second");
    assert_string_equal(plan.rejected, "first 1");
}

static void advice_stands_behind_what_fails(void **state)
{
    (void)state;
    struct lab_techniques t = {0};
    lab_technique(&t, 1, "%d passes", 1);
    lab_advice(&t, "pad the rows");
    lab_technique(&t, 0, "%d passes", 32);
    lab_advice(&t, "pad the rows");
    assert_string_equal(t.item[0].text, "1 passes");
    assert_string_equal(t.item[1].text, "32 passes: pad the rows");
}

static void labs_are_found(void **state)
{
    (void)state;
    assert_non_null(lab_all[0]);
    for (int i = 0; lab_all[i]; ++i) {
        assert_ptr_equal(lab_find(lab_all[i]->name), lab_all[i]);
        assert_ptr_equal(lab_find(lab_all[i]->slug), lab_all[i]);
        assert_ptr_equal(lab_find(lab_all[i]->name + 3), lab_all[i]);
    }
    assert_null(lab_find("lab99"));
    assert_null(lab_find(""));
}

static void fills_are_what_they_say(void **state)
{
    (void)state;
    static const char *const words[] = {"random", "equal", "range", "denormal", "zero", "ones", "integers"};
    enum { N = 4096 };
    static float data[N], again[N];
    for (size_t w = 0; w < sizeof words / sizeof *words; ++w) {
        struct prng r = prng_stream(1, words[w]), s = r;
        lab_fill_f32(data, N, words[w], &r);
        lab_fill_f32(again, N, words[w], &s);
        assert_memory_equal(data, again, sizeof data);
        for (int i = 0; i < N; ++i) {
            float x = fabsf(data[i]);
            if (w == 0) assert_true(x <= 1);
            if (w == 1) assert_true(data[i] == 1.5f);
            if (w == 2) assert_true(x >= 0.9e-6f && x <= 1.1e6f);
            if (w == 3) assert_int_equal(fpclassify(data[i]), FP_SUBNORMAL);
            if (w == 4) assert_true(data[i] == 0);
            if (w == 5) assert_true(data[i] == 1);
            if (w == 6) assert_true(x <= 8 && x == floorf(x));
        }
    }
}

static const struct lab_shape usual = {.block = {16, 16}, .tile = {16, 16}, .shared = 2048};

// Makes a lab's plan with a shape that any of them accepts or rejects with a sentence.
static void make_plan(const struct lab *l, const struct lab_case *which, uint64_t seed, struct lab_plan *p,
                      struct arena *a)
{
    *p = (struct lab_plan){.lab = l, .which = which, .dim = which->dim, .sms = 132, .arena = a};
    for (int k = 0; k < LAB_KERNELS; ++k) p->shape[k] = usual;
    l->plan(p);
    struct prng r = prng_stream(seed, which->name);
    l->fill(p, &r);
    if (!(which->flags & CASE_SPEED)) l->expect(p);
}

// Draws the lab's hidden cases for practice with a seed.
static const struct lab *drawn_of(const struct lab *l, uint64_t seed)
{
    static struct lab_drawn drawn;
    lab_draw(l, &(struct secret){{0}}, seed, &drawn);
    return &drawn.lab;
}

static void labs_keep_the_rules(void **state)
{
    (void)state;
    for (int i = 0; lab_all[i]; ++i) {
        const struct lab *l = lab_all[i];
        unsigned speed = 0, small = 0, hidden = 0;
        for (uint32_t c = 0; c < l->ncases; ++c) {
            speed += (l->cases[c].flags & CASE_SPEED) != 0;
            small += (l->cases[c].flags & CASE_SMALL) != 0;
            int is_hidden = (l->cases[c].flags & CASE_HIDDEN) != 0;
            assert_true(is_hidden || !hidden); // hidden cases stand behind the others
            hidden += (unsigned)is_hidden;
            int drawn = 0;
            for (int d = 0; d < LAB_DIMS; ++d) drawn += l->cases[c].draw[d].step != 0;
            assert_int_equal(drawn > 0, is_hidden);
        }
        assert_int_equal(speed, 1);
        assert_true(small >= 3 && hidden >= 1);
        assert_true(l->lesson > 1 && l->furthest > l->lesson);
        for (int h = 0; h < LAB_HINTS; ++h) assert_non_null(l->hint[h]);
    }
}

// A size that is drawn from few numbers, or that visible cases have, is not hidden.
static void hidden_sizes_follow_from_the_key(void **state)
{
    (void)state;
    enum { KEYS = 50 };
    static struct lab_drawn first, again, other;
    for (int i = 0; lab_all[i]; ++i) {
        const struct lab *l = lab_all[i];
        unsigned different[LAB_CASES] = {0};
        lab_draw(l, &(struct secret){{0}}, 1, &first);
        lab_draw(l, &(struct secret){{0}}, 1, &again);
        assert_memory_equal(first.cases, again.cases, l->ncases * sizeof *l->cases);
        for (uint64_t key = 1; key <= KEYS; ++key) {
            lab_draw(l, &(struct secret){{key, 0}}, key % 2, &other);
            for (uint32_t c = 0; c < l->ncases; ++c) {
                different[c] += memcmp(first.cases[c].dim, other.cases[c].dim, sizeof first.cases[c].dim) != 0;
                for (int d = 0; d < LAB_DIMS; ++d) {
                    const struct lab_draw *w = &l->cases[c].draw[d];
                    uint32_t size = other.cases[c].dim[d];
                    if (!w->step) assert_int_equal(size, l->cases[c].dim[d]);
                    if (w->step) assert_true(size >= w->low && size <= w->high && size % w->step == w->rest);
                    for (uint32_t k = 2; w->prime && k * k <= size; ++k) assert_int_not_equal(size % k, 0);
                }
            }
        }
        for (uint32_t c = 0; c < l->ncases; ++c)
            if (l->cases[c].flags & CASE_HIDDEN)
                assert_true(different[c] > KEYS / 2);
            else
                assert_int_equal(different[c], 0);
    }
}

static void same_seed_same_inputs(void **state)
{
    (void)state;
    for (int i = 0; lab_all[i]; ++i) {
        const struct lab_case *which = &lab_all[i]->cases[2];
        struct arena a = {0}, b = {0};
        struct lab_plan p, q;
        make_plan(lab_all[i], which, 3, &p, &a);
        make_plan(lab_all[i], which, 3, &q, &b);
        for (uint32_t k = 0; k < p.nbuffers; ++k)
            if (p.buffer[k].data) assert_memory_equal(p.buffer[k].data, q.buffer[k].data, 4 * p.buffer[k].count);
        arena_free(&a);
        arena_free(&b);
    }
}

// In at least one case of each lab, these must be refused.
static void lazy_outputs_fail_in_every_lab(void **state)
{
    (void)state;
    for (int i = 0; lab_all[i]; ++i) {
        const struct lab *l = drawn_of(lab_all[i], 1);
        int zeros = 0, copied = 0, nans = 0;
        for (uint32_t c = 0; c < l->ncases; ++c) {
            if (l->cases[c].flags & CASE_SPEED || l->cases[c].dim[0] > 5000) continue;
            struct arena a = {0};
            struct lab_plan p;
            make_plan(l, &l->cases[c], 1, &p, &a);
            for (uint32_t k = 0; k < p.nbuffers; ++k) {
                const struct lab_buffer *b = &p.buffer[k];
                if (b->role != LAB_OUTPUT && b->role != LAB_UPDATE) continue;
                float *fake = arena_array(&a, b->count, 4);
                zeros += lab_compare(b, fake, NULL).wrong > 0;
                uint64_t most = b->count < p.buffer[0].count ? b->count : p.buffer[0].count;
                memcpy(fake, p.buffer[0].data, 4 * most);
                copied += lab_compare(b, fake, NULL).wrong > 0;
                for (uint64_t e = 0; e < b->count; ++e) fake[e] = NAN;
                struct lab_comparison all = lab_compare(b, fake, NULL);
                assert_int_equal(all.wrong, b->count);
                nans += b->count > 0;
            }
            arena_free(&a);
        }
        assert_true(zeros > 0 && copied > 0 && nans > 0);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, prepare)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(grid_follows_the_shape),
        TEST(empty_extent_makes_no_launch),
        TEST(arguments_in_order),
        TEST(first_rejection_counts),
        TEST(advice_stands_behind_what_fails),
        TEST(labs_are_found),
        TEST(fills_are_what_they_say),
        TEST(labs_keep_the_rules),
        TEST(hidden_sizes_follow_from_the_key),
        TEST(same_seed_same_inputs),
        TEST(lazy_outputs_fail_in_every_lab),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
