// Compares an output of the student's kernel with the expected values. An output element is right only if |element -
// expected value| <= bound, or, without a bound, if the two values are equal. Comparisons with NaN are false, so an
// output element that is NaN is never right. If the error bound of an element is infinite, no value of the element is
// right.
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "lab/lab.h"

static double element(const struct lab_buffer *b, const unsigned char *data, uint64_t i)
{
    uint32_t bits;
    memcpy(&bits, data + i * sizeof bits, sizeof bits);
    if (b->type == LAB_U32) return bits;
    if (b->type == LAB_I32) return (int32_t)bits;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static int right(const struct lab_buffer *b, uint64_t i, double got)
{
    if (!b->bound) return got == b->expected[i];
    return isfinite(b->bound[i]) && fabs(got - b->expected[i]) <= b->bound[i];
}

struct lab_comparison lab_compare(const struct lab_buffer *b, const void *got, const void *poison)
{
    struct lab_comparison c = {0};
    BUG_ON(!b->expected && b->count);
    for (uint64_t i = 0; i < b->count; ++i) {
        double value = element(b, got, i);
        if ((b->skipped && b->skipped[i]) || right(b, i, value)) continue;
        int unwritten = poison && !memcmp((const char *)got + 4 * i, (const char *)poison + 4 * i, 4);
        ++c.wrong;
        c.poisoned += (uint64_t)unwritten;
        if (c.shown < LAB_MISMATCHES)
            c.mismatch[c.shown++] = (struct lab_mismatch){.index = i,
                                                          .got = isnan(value) ? NAN : value, // without its sign
                                                          .expected = b->expected[i],
                                                          .unwritten = unwritten};
    }
    return c;
}
