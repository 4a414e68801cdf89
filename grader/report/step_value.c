// Interprets and prints the values of a recording.
#include "report/step_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

uint64_t step_value_low(uint64_t bits, uint32_t bytes)
{
    return bytes < 8 ? bits & ((UINT64_C(1) << 8 * bytes) - 1) : bits;
}

int64_t step_value_signed(uint64_t bits, uint32_t bytes)
{
    uint32_t unused = 64 - 8 * bytes;
    return (int64_t)(bits << unused) >> unused;
}

static double half_value(uint32_t bits)
{
    uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31  ? (fraction ? NAN : INFINITY)
                   : exponent == 0 ? ldexp(fraction, -24)
                                   : ldexp(1024 + fraction, (int)exponent - 25);
    return bits >> 15 & 1 ? -value : value;
}

static double short_float(float value)
{
    char text[32];
    for (int digits = 6; digits <= 9; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtof(text, NULL) == value) break;
    }
    return strtod(text, NULL);
}

double step_value_float(uint64_t bits, uint32_t bytes)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    if (bytes == 2) return half_value(low);
    return bytes == 8 ? wide : isfinite(narrow) ? short_float(narrow) : (double)narrow;
}

void step_value_element(const struct recording_array *a, int64_t element, struct text *out)
{
    text_puts(out, a->name);
    int inside = element >= 0 && (uint64_t)element < a->count;
    uint64_t rest = (uint64_t)element, below = 1;
    for (uint32_t i = 1; i < a->ndims; i++) below *= a->dim[i];
    for (uint32_t i = 0; i < a->ndims && inside; i++) {
        text_printf(out, "[%" PRIu64 "]", rest / below);
        rest %= below;
        if (i + 1 < a->ndims && a->dim[i + 1]) below /= a->dim[i + 1];
    }
    if (!inside) text_printf(out, "[%" PRId64 "]", element);
}

static void put_pointer(const struct recording *r, uint64_t address, struct text *out)
{
    for (uint32_t i = 0; i < r->narrays; i++) {
        const struct recording_array *a = &r->array[i];
        if (address < a->base || address - a->base > a->count * a->bytes) continue;
        text_puts(out, "&");
        step_value_element(a, (int64_t)((address - a->base) / a->bytes), out);
        return;
    }
    if (address)
        text_printf(out, "0x%" PRIx64, address);
    else
        text_puts(out, "null");
}

void step_value(const struct recording *r, uint64_t bits, uint32_t kind, uint32_t bytes, struct text *out)
{
    bits = step_value_low(bits, bytes);
    if (kind == RECORDING_POINTER)
        put_pointer(r, bits, out);
    else if (kind == RECORDING_FLOAT)
        text_printf(out, "%.*g", bytes == 8 ? 17 : 9, step_value_float(bits, bytes));
    else if (kind == RECORDING_BOOL)
        text_puts(out, bits & 0xff ? "true" : "false");
    else if (kind == RECORDING_SIGNED || kind == RECORDING_CHAR)
        text_printf(out, "%" PRId64, step_value_signed(bits, bytes));
    else
        text_printf(out, "%" PRIu64, bits);
}
