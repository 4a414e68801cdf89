// Reads debugging information entries: abbreviations, attributes and their forms.
#include "ptx/debug.h"

#include <string.h>

enum { ATTRIBUTES = 64 };
enum { AT_LOCATION = 0x02, AT_NAME = 0x03, AT_BYTE_SIZE = 0x0b, AT_LOW_PC = 0x11, AT_HIGH_PC = 0x12 };
enum { AT_UPPER_BOUND = 0x2f, AT_ORIGIN = 0x31, AT_COUNT = 0x37, AT_MEMBER_LOCATION = 0x38, AT_DECL_FILE = 0x3a };
enum { AT_DECL_LINE = 0x3b, AT_ENCODING = 0x3e, AT_TYPE = 0x49 };
enum { OP_PLUS_UCONST = 0x23 };

// ---------------------------------------------------------------- numbers

uint64_t debug_number(struct debug *d, const struct debug_section *s, size_t *at, uint32_t width)
{
    uint64_t value = 0;
    if (*at > s->bytes || s->bytes - *at < width) {
        d->bad = 1;
        return 0;
    }
    for (uint32_t b = 0; b < width; ++b) value |= (uint64_t)s->byte[*at + b] << 8 * b;
    *at += width;
    return value;
}

uint64_t debug_leb(struct debug *d, const struct debug_section *s, size_t *at)
{
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        uint64_t next = debug_number(d, s, at, 1);
        value |= (next & 127) << shift;
        if (next < 128) return value;
    }
    d->bad = 1;
    return 0;
}

const struct token *debug_name_at(const struct debug_section *s, size_t at)
{
    size_t low = 0, high = s->reference ? s->reference->count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct debug_reference *r = AT(*s->reference, struct debug_reference, middle);
        if (r->at == at) return &r->name;
        if (r->at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static uint64_t number(struct debug *d, size_t *at, uint32_t width)
{
    return debug_number(d, &d->info, at, width);
}

static uint64_t shape_number(struct debug *d, size_t *at)
{
    const struct debug_section abbrev = {.byte = d->abbrev, .bytes = d->abbrevs};
    return debug_leb(d, &abbrev, at);
}

static uint64_t shape_byte(struct debug *d, size_t *at)
{
    const struct debug_section abbrev = {.byte = d->abbrev, .bytes = d->abbrevs};
    return debug_number(d, &abbrev, at, 1);
}

// ---------------------------------------------------------------- entries

// The abbreviations must be numbered 1, 2, ..., as in the output of compilers.
void debug_read_shapes(struct debug *d, size_t at)
{
    d->shapes = 0;
    while (!d->bad) {
        uint64_t code = shape_number(d, &at);
        if (!code) return;
        if (code != d->shapes + 1) d->bad = 1;
        if (d->bad) return;
        if (d->shapes == d->all) return; // more abbreviations than bytes: the data are invalid
        d->shape[d->shapes++] = at;
        shape_number(d, &at);
        shape_byte(d, &at);
        uint64_t attribute, form;
        int n = 0;
        do {
            attribute = shape_number(d, &at);
            form = shape_number(d, &at);
            if (++n > ATTRIBUTES) d->bad = 1;
        } while ((attribute || form) && !d->bad);
    }
}

// Moves *at behind the value of a DWARF attribute of form `form`. Returns the attribute's value if the value is a
// number, otherwise 0. If the attribute's value is a block or a string, sets *block to the offset and *block_bytes to
// the size of the value.
static uint64_t read_form(struct debug *d, uint64_t form, size_t *at, size_t *block, size_t *block_bytes)
{
    static const struct {
        uint8_t form, width;
    } fixed_forms[] = {{0x01, 8}, {0x05, 2}, {0x06, 4}, {0x07, 8}, {0x0b, 1}, {0x0c, 1}, {0x0e, 4}, {0x10, 8},
                       {0x11, 1}, {0x12, 2}, {0x13, 4}, {0x14, 8}, {0x17, 4}, {0x19, 0}, {0x20, 8}};
    static const struct {
        uint8_t form, width; // width: bytes of the block's length field; 0: the length is a LEB128 number
    } blocks[] = {{0x03, 2}, {0x04, 4}, {0x0a, 1}, {0x09, 0}, {0x18, 0}};
    for (size_t i = 0; i < sizeof fixed_forms / sizeof *fixed_forms; ++i)
        if (form == fixed_forms[i].form) return number(d, at, fixed_forms[i].width);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        if (form != blocks[i].form) continue;
        uint64_t bytes = blocks[i].width ? number(d, at, blocks[i].width) : debug_leb(d, &d->info, at);
        if (d->bad || bytes > d->info.bytes - *at) {
            d->bad = 1;
            return 0;
        }
        *block = *at;
        *block_bytes = (size_t)bytes;
        *at += (size_t)bytes;
        return 0;
    }
    if (form == 0x0d || form == 0x0f || form == 0x15) return debug_leb(d, &d->info, at);
    if (form != 0x08) { // form 0x08 is a string; other forms are unknown
        d->bad = 1;
        return 0;
    }
    const uint8_t *end = *at < d->info.bytes ? memchr(d->info.byte + *at, 0, d->info.bytes - *at) : NULL;
    *block = *at;
    *block_bytes = end ? (size_t)(end - d->info.byte) - *at : 0;
    d->bad |= !end;
    *at += *block_bytes + 1;
    return 0;
}

// Stores in *offset the offset of a structure's member: a number, or the expression DW_OP_plus_uconst.
static void take_member_offset(struct debug *d, uint64_t *offset, uint64_t value, size_t block, size_t bytes)
{
    size_t at = block;
    *offset = value;
    if (block && bytes > 1 && number(d, &at, 1) == OP_PLUS_UCONST) *offset = debug_leb(d, &d->info, &at);
}

// Stores an attribute's number in the entry.
static void take_number(struct debug *d, struct debug_entry *e, uint64_t attribute, uint64_t value)
{
    switch (attribute) {
    case AT_TYPE:
        e->type = d->unit + value;
        break;
    case AT_ORIGIN:
        e->origin = d->unit + value;
        break;
    case AT_BYTE_SIZE:
        e->size = value;
        break;
    case AT_ENCODING:
        e->encoding = value;
        break;
    case AT_DECL_FILE:
        e->file = value;
        break;
    case AT_DECL_LINE:
        e->line = value;
        break;
    case AT_COUNT:
    case AT_UPPER_BOUND:
        e->count = value + (attribute == AT_UPPER_BOUND);
        e->has_count = 1;
        break;
    case AT_LOCATION:
        e->list = value;
        e->has_list = 1;
        break;
    default:
        break;
    }
}

static void take(struct debug *d, struct debug_entry *e, uint64_t attribute, uint64_t form, uint64_t value,
                 size_t before, size_t block, size_t bytes)
{
    int is_number = !block || form == 0x0d || form == 0x0f;
    if (attribute == AT_NAME && form == 0x08) {
        e->name = (const char *)d->info.byte + block;
        e->name_length = bytes;
    } else if (attribute == AT_LOCATION && block) {
        e->location = block;
        e->location_bytes = bytes;
    } else if (attribute == AT_MEMBER_LOCATION) {
        take_member_offset(d, &e->member_offset, value, block, bytes);
    } else if (attribute == AT_LOW_PC && form == 0x01) {
        e->low = before;
    } else if (attribute == AT_HIGH_PC && form == 0x01) {
        e->high = before;
    } else if (is_number) {
        take_number(d, e, attribute, value);
    }
}

struct debug_entry debug_read_entry(struct debug *d, size_t at)
{
    struct debug_entry e = {0};
    uint64_t code = debug_leb(d, &d->info, &at);
    if (code > d->shapes) d->bad = 1;
    if (code && !d->bad) {
        size_t shape = d->shape[code - 1];
        e.tag = (uint32_t)shape_number(d, &shape);
        e.children = shape_byte(d, &shape) != 0;
        while (!d->bad) {
            uint64_t attribute = shape_number(d, &shape), form = shape_number(d, &shape);
            size_t block = 0, bytes = 0, before = at;
            if (!attribute && !form) break;
            uint64_t value = read_form(d, form, &at, &block, &bytes);
            if (!d->bad) take(d, &e, attribute, form, value, before, block, bytes);
        }
    }
    e.next = at;
    return e;
}
