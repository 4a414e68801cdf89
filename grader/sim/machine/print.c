// Implements the printf function of device code; print.h states the contracts.
//
// The file print.c parses the kernel's format string. The host's snprintf() formats one conversion at a time, with
// bounded width and precision. The CUDA compiler packs the arguments of printf into the kernel's memory. Integer
// arguments of printf take 4 or 8 bytes, and floats are passed as doubles. Each argument of printf is aligned to its
// size.
#include "sim/machine/print.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sim/core/warp.h"
#include "sim/machine/access.h"

enum { STRING_MAX = 4096, FIELD_MAX = 256 };
// Gives the cost of one call of read_bytes(), in warp instructions of the launch's budget. A call of read_bytes() takes
// about as much host time as READ_COSTS warp instructions.
enum { READ_COSTS = 4 };
// Names the values that printf in device code returns instead of the number of arguments (CUDA C++ Programming Guide,
// "Formatted Output").
enum { NO_FORMAT = -1, DROPPED = -2 };

// Reads `bytes` bytes of the kernel's memory at a generic address for one lane. Checks the read of printf's format
// string or arguments like a load of the kernel, but the read changes neither the counters nor the simulated L1.
static void read_bytes(struct warp *w, uint32_t op, uint32_t lane, uint64_t address, uint32_t bytes, void *out)
{
    struct sim_block *block = w->memory.block;
    struct counters counters = block->worker->op[op];
    struct l1 *l1 = block->l1;
    uint64_t row[WARP_LANES] = {0};
    struct sim_access *a = &w->access;
    *a = (struct sim_access){.kind = ACCESS_READ,
                             .bytes = (uint8_t)bytes,
                             .count = 1,
                             .row_bytes = 8,
                             .op = op,
                             .mask = 1u << lane,
                             .symbol = -1};
    a->address[lane] = address;
    block->l1 = NULL;
    access_load(&w->memory, a, (void *const[]){row}, NULL);
    block->l1 = l1;
    block->worker->op[op] = counters;
    memcpy(out, &row[lane], bytes);
    block->extra_work += READ_COSTS;
}

void print_string(struct warp *w, uint32_t op, uint32_t lane, uint64_t address, char *out, uint32_t capacity)
{
    uint32_t n = 0;
    for (; n + 1 < capacity; n++) {
        read_bytes(w, op, lane, address + n, 1, &out[n]);
        if (!out[n]) return;
    }
    out[n] = 0;
}

// Describes one conversion specification of printf's format string, such as "%-08.3lld".
struct conversion {
    char flags[8];
    int width, precision; // in characters; width 0, precision -1: not given
    int is_long;          // 1: the length modifier is l, ll, L, j, z or t, so an integer has 8 bytes
    char letter;
};

// Holds the position of printf's next argument in the kernel's memory.
struct arguments {
    struct warp *warp;
    uint32_t op, lane;
    uint64_t address; // generic address of the next argument, before alignment
    int count;        // arguments printed so far; as on a device, the argument of a '*' is not counted
};

// Reads the next argument of printf, which has 4 or 8 bytes.
static uint64_t next_argument(struct arguments *a, uint32_t bytes)
{
    uint64_t value = 0;
    a->address = (a->address + bytes - 1) & ~(uint64_t)(bytes - 1);
    read_bytes(a->warp, a->op, a->lane, a->address, bytes, &value);
    a->address += bytes;
    return value;
}

// Parses the width or the precision of a conversion specification at p: digits, or '*', which takes the next argument
// of printf. Returns the position in the format string after the parsed number or '*'.
static const char *parse_number(const char *p, struct arguments *a, int *number)
{
    if (*p == '*') {
        *number = (int)(int32_t)next_argument(a, 4);
        return p + 1;
    }
    int n = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        if (n < 10000) n = n * 10 + *p - '0';
    *number = n;
    return p;
}

// Parses a conversion specification of printf; p points to the character after the '%'. Returns the position after the
// conversion letter, or NULL if the specification is invalid.
static const char *parse_conversion(const char *p, struct arguments *a, struct conversion *c)
{
    size_t n = 0;
    memset(c, 0, sizeof *c);
    c->precision = -1;
    for (; *p && strchr("-+ #0", *p); p++)
        if (n < 5 && !strchr(c->flags, *p)) c->flags[n++] = *p;
    p = parse_number(p, a, &c->width);
    if (c->width < 0) { // a negative '*' means left-justified
        if (!strchr(c->flags, '-')) c->flags[n++] = '-';
        c->width = c->width < -FIELD_MAX ? FIELD_MAX : -c->width;
    }
    if (*p == '.') p = parse_number(p + 1, a, &c->precision);
    if (c->width > FIELD_MAX) c->width = FIELD_MAX;
    if (c->precision > FIELD_MAX) c->precision = FIELD_MAX;
    for (; *p && strchr("hlLjzt", *p); p++)
        if (*p != 'h') c->is_long = 1;
    c->letter = *p;
    return *p && strchr("diouxXcsfFeEgGaAp", *p) ? p + 1 : NULL;
}

// Formats one argument of printf as the conversion specification asks, and adds the text to `out`.
static void print_one(struct text *out, const struct conversion *c, struct arguments *a)
{
    char format[32], field[1024], string[STRING_MAX], letter = c->letter;
    int n = 0;
    a->count++;
    char precision[16] = "";
    if (c->precision >= 0) snprintf(precision, sizeof precision, ".%d", c->precision);
    const char *kind = strchr("diouxX", letter) ? "ll" : "";
    snprintf(format, sizeof format, "%%%s%d%s%s%c", c->flags, c->width, precision, kind, letter);
    if (!c->width) snprintf(format, sizeof format, "%%%s%s%s%c", c->flags, precision, kind, letter);
    if (strchr("di", letter)) {
        uint64_t v = next_argument(a, c->is_long ? 8 : 4);
        n = snprintf(field, sizeof field, format, c->is_long ? (long long)v : (long long)(int32_t)v);
    } else if (strchr("ouxX", letter)) {
        n = snprintf(field, sizeof field, format, (unsigned long long)next_argument(a, c->is_long ? 8 : 4));
    } else if (letter == 'c') {
        n = snprintf(field, sizeof field, format, (int)(unsigned char)next_argument(a, 4));
    } else if (letter == 'p') {
        n = snprintf(field, sizeof field, "0x%llx", (unsigned long long)next_argument(a, 8));
    } else if (letter == 's') {
        uint64_t address = next_argument(a, 8);
        if (address)
            print_string(a->warp, a->op, a->lane, address, string, sizeof string);
        else
            snprintf(string, sizeof string, "(null)");
        size_t length = strlen(string);
        if (c->precision >= 0 && length > (size_t)c->precision) length = (size_t)c->precision;
        size_t pad = (size_t)c->width > length ? (size_t)c->width - length : 0;
        int left = strchr(c->flags, '-') != NULL;
        for (size_t i = 0; !left && i < pad; i++) text_add(out, " ", 1);
        text_add(out, string, length);
        for (size_t i = 0; left && i < pad; i++) text_add(out, " ", 1);
        return;
    } else {
        uint64_t bits = next_argument(a, 8);
        double v;
        memcpy(&v, &bits, sizeof v);
        n = snprintf(field, sizeof field, format, v);
    }
    if (n > 0) text_add(out, field, (size_t)n < sizeof field ? (size_t)n : sizeof field - 1);
}

int print_vprintf(struct warp *w, uint32_t op, uint32_t lane, uint64_t format_address, uint64_t args)
{
    char format[STRING_MAX];
    struct text *out = w->memory.block->print;
    struct arguments a = {w, op, lane, args, 0};
    if (!format_address) return NO_FORMAT;
    if (out->length > OBSERVATION_PRINT) return DROPPED; // the report would not include the text
    print_string(w, op, lane, format_address, format, sizeof format);
    for (const char *p = format; *p;) {
        struct conversion c;
        size_t plain = strcspn(p, "%");
        text_add(out, p, plain);
        p += plain;
        if (!*p) break;
        if (p[1] == '%') {
            text_add(out, "%", 1);
            p += 2;
            continue;
        }
        const char *next = parse_conversion(p + 1, &a, &c);
        if (!next) { // as on a device, the rest of the format string is printed unchanged
            text_puts(out, p);
            break;
        }
        print_one(out, &c, &a);
        p = next;
    }
    return a.count;
}
