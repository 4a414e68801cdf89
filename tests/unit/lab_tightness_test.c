// How strict each lab's comparison is. The expected values, rounded to the output's type, must be right in every case.
// Each trivial output (zeros, a constant, a copied input, half of the elements, half precision) must be wrong in at
// least one case. No engine is used: the test makes the outputs.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/prng.h"
#include "lab/lab.h"

// The nearest float of half precision (11 bits, largest 65504, multiples of 2^-24 at the small end).
static double to_half(double x)
{
    if (fabs(x) >= 65520) return copysign(INFINITY, x);
    int exponent;
    frexp(x, &exponent);
    double step = ldexp(1, exponent - 11 < -24 ? -24 : exponent - 11);
    return nearbyint(x / step) * step;
}

enum output { RIGHT, ZEROS, CONSTANT, COPY, HALF_OF_IT, HALF_PRECISION, OUTPUTS };
static const char *const word[OUTPUTS] = {"the expected values",  "zeros",         "a constant", "a copied input",
                                          "half of the elements", "half precision"};

// Inputs of the plan's first buffer, over and over; 0 where it has none.
static double copied(const struct lab_plan *p, uint64_t i)
{
    const struct lab_buffer *in = &p->buffer[0];
    if (!in->data || !in->count) return 0;
    return in->type == LAB_F32 ? (double)in->f32[i % in->count] : (double)in->u32[i % in->count];
}

static double made(const struct lab_plan *p, const struct lab_buffer *b, enum output what, uint64_t i)
{
    switch (what) {
    case ZEROS:
        return 0;
    case CONSTANT:
        return b->expected[0];
    case COPY:
        return copied(p, i);
    case HALF_OF_IT:
        return i < b->count / 2 ? b->expected[i] : 0;
    case HALF_PRECISION:
        return to_half(b->expected[i]);
    default:
        return b->expected[i];
    }
}

static uint64_t wrong_elements(const struct lab_plan *p, const struct lab_buffer *b, enum output what)
{
    struct arena arena = {0};
    uint32_t *got = ARENA_ARRAY(&arena, b->count, uint32_t);
    for (uint64_t i = 0; i < b->count; ++i) {
        double value = made(p, b, what, i);
        float single = (float)value;
        if (b->type == LAB_F32)
            memcpy(&got[i], &single, sizeof single);
        else
            got[i] = value >= 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
    }
    uint64_t wrong = lab_compare(b, got, NULL).wrong;
    arena_free(&arena);
    return wrong;
}

// In how many of the lab's cases an output made like this is wrong somewhere.
static int cases_wrong(const struct lab *undrawn, enum output what)
{
    int wrong = 0;
    struct lab_drawn drawn;
    lab_draw(undrawn, &(struct secret){{0}}, 1, &drawn);
    const struct lab *lab = &drawn.lab;
    for (uint32_t c = 0; c < lab->ncases; ++c) {
        if (lab->cases[c].flags & CASE_SPEED) continue;
        struct arena arena = {0};
        struct lab_plan p = {.lab = lab, .which = &lab->cases[c], .dim = lab->cases[c].dim, .sms = 4, .arena = &arena};
        for (int k = 0; k < LAB_KERNELS; ++k) p.shape[k].block[0] = 128;
        lab->plan(&p);
        struct prng random = prng_stream(1, lab->cases[c].name);
        lab->fill(&p, &random);
        lab->expect(&p);
        int here = 0;
        for (uint32_t i = 0; i < p.nbuffers; ++i)
            if (p.buffer[i].expected) here |= wrong_elements(&p, &p.buffer[i], what) != 0;
        if (here && what == RIGHT) print_error("%s, %s: expected values refused\n", lab->name, lab->cases[c].name);
        wrong += here;
        arena_free(&arena);
    }
    return wrong;
}

static int has_float_output(const struct lab *lab)
{
    struct arena arena = {0};
    struct lab_plan p = {.lab = lab, .which = &lab->cases[0], .dim = lab->cases[0].dim, .sms = 4, .arena = &arena};
    for (int k = 0; k < LAB_KERNELS; ++k) p.shape[k].block[0] = 128;
    lab->plan(&p);
    int found = 0;
    for (uint32_t i = 0; i < p.nbuffers; ++i) found |= p.buffer[i].role == LAB_OUTPUT && p.buffer[i].type == LAB_F32;
    arena_free(&arena);
    return found;
}

static void the_expected_values_are_right(void **state)
{
    (void)state;
    for (int l = 0; lab_all[l]; ++l) assert_int_equal(cases_wrong(lab_all[l], RIGHT), 0);
}

static void lazy_outputs_are_wrong(void **state)
{
    (void)state;
    int through = 0;
    for (int l = 0; lab_all[l]; ++l)
        for (enum output what = ZEROS; what < OUTPUTS; ++what) {
            if (what == HALF_PRECISION && !has_float_output(lab_all[l])) continue;
            if (cases_wrong(lab_all[l], what)) continue;
            print_error("%s: %s would pass\n", lab_all[l]->name, word[what]);
            ++through;
        }
    assert_int_equal(through, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_expected_values_are_right),
        cmocka_unit_test(lazy_outputs_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
