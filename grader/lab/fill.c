// Generates input values in ways that several labs share. The functions of this file do not use libm, so a seed gives
// the same input bits on every machine.
#include <string.h>

#include "base/die.h"
#include "lab/lab.h"

// Returns a random number of either sign with a magnitude from 1e-6 to 1e6. All twelve decades of magnitudes, such as
// 1e-6 to 1e-5, are equally likely.
static float draw_range(struct prng *r)
{
    static const float power[] = {1e-6f, 1e-5f, 1e-4f, 1e-3f, 1e-2f, 1e-1f, 1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f};
    float value = power[prng_below(r, sizeof power / sizeof *power)] * prng_float(r, 1, 10);
    return prng_below(r, 2) ? value : -value;
}

static float draw_denormal(struct prng *r)
{
    uint32_t bits = 1 + prng_below(r, 0x7fffff);
    bits |= prng_below(r, 2) << 31;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float draw_random(struct prng *r)
{
    return prng_float(r, -1, 1);
}

static float draw_integer(struct prng *r)
{
    return (float)prng_below(r, 17) - 8;
}

static float draw_equal(struct prng *r)
{
    (void)r;
    return 1.5f;
}

static float draw_one(struct prng *r)
{
    (void)r;
    return 1;
}

static float draw_zero(struct prng *r)
{
    (void)r;
    return 0;
}

void lab_fill_f32(float *data, uint64_t count, const char *values, struct prng *r)
{
    static const struct {
        const char *word;
        float (*draw)(struct prng *);
    } way[] = {{"random", draw_random}, {"equal", draw_equal}, {"range", draw_range},     {"denormal", draw_denormal},
               {"zero", draw_zero},     {"ones", draw_one},    {"integers", draw_integer}};
    for (size_t w = 0; w < sizeof way / sizeof *way; ++w) {
        if (strcmp(values, way[w].word)) continue;
        for (uint64_t i = 0; i < count; ++i) data[i] = way[w].draw(r);
        return;
    }
    BUG("a lab draws its inputs as '%s'", values);
}
