// Finds the place of each source variable in the stack frame of its function. In unoptimised PTX, one .local variable,
// the stack frame, contains all source variables of a function. The debug data in the PTX text describe the position of
// each source variable in the .local variable that is the function's stack frame. With the positions of the source
// variables, the simulator can report an index beyond the end of an array, even if the address is still inside the
// frame. The debug data are DWARF, written in blocks of .b8 to .b64 after the code. For example, the location
// "DW_OP_addr __local_depot0, DW_OP_plus_uconst 16" means offset 16 in the .local variable __local_depot0.
//
// Technique. The code in this file reads only the sections .debug_abbrev and .debug_info. From .debug_abbrev and
// .debug_info, the code reads only the sizes of types, and locations of the form DW_OP_addr, DW_OP_plus_uconst. Debug
// data other than the sizes of types and the locations of variables, such as line tables, are skipped. If the debug
// data are invalid, reading stops without an error, and the positions of the source variables that were not read stay
// unknown. All lengths in the debug data are checked. References from a type to another type, and dimensions of arrays,
// are followed a bounded number of times.
//
// The formats are specified in the DWARF Debugging Information Format, version 4, section 7.5, and in PTX ISA 11.5
// (debugging directives).
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

enum { ATTRIBUTES = 64, TYPES_OF_TYPES = 32, DIMENSIONS = 16, HEADER = 11 };
enum { TAG_ARRAY = 0x01, TAG_PARAMETER = 0x05, TAG_POINTER = 0x0f, TAG_REFERENCE = 0x10, TAG_TYPEDEF = 0x16 };
enum { TAG_SUBRANGE = 0x21, TAG_CONST = 0x26, TAG_VARIABLE = 0x34, TAG_VOLATILE = 0x35, TAG_RESTRICT = 0x37 };
enum { AT_LOCATION = 0x02, AT_NAME = 0x03, AT_BYTE_SIZE = 0x0b, AT_UPPER_BOUND = 0x2f, AT_ORIGIN = 0x31 };
enum { AT_COUNT = 0x37, AT_TYPE = 0x49 };
enum { OP_ADDR = 0x03, OP_PLUS_UCONST = 0x23 };

// Holds a symbol name that a debug section contains in place of a number, and the offset of that number in the section.
struct reference {
    size_t at;
    struct token name;
};

struct data {
    struct parser *p;
    const uint8_t *byte; // bytes of the section .debug_info
    size_t bytes;
    const uint8_t *abbrev;
    size_t abbrevs;
    size_t unit;   // start of the compilation unit; references are relative to this offset
    size_t *shape; // [shapes]; shape[i]: where the attributes of abbreviation i + 1 are listed, an offset in `abbrev`
    size_t shapes, all; // number of valid elements of `shape`, and capacity of `shape`
    int bad;
};

struct entry { // a debugging information entry, with only the attributes that this file uses
    uint32_t tag;
    size_t next;         // offset of the next entry in .debug_info
    size_t type, origin; // offsets of the type and of the abstract origin; 0: none
    uint64_t size, count;
    int has_count;
    const char *name;
    size_t name_length;
    size_t location, location_bytes;
};

// ---------------------------------------------------------------- text

// Converts the text of a debug section to bytes. If the text has a symbol name in place of a number, read_bytes()
// records the name in `reference`. For a term such as `name+16` in the text, `byte` receives the number 16 (0 if no
// number is added to the name).
static void read_bytes(struct parser *p, struct parser_section *s, struct buffer *byte, struct buffer *reference)
{
    struct token_source source = {.at = s->at, .end = s->end, .line_start = s->at, .line = 1};
    struct token t, before = {0};
    uint32_t width = 0;
    for (t = token_next(&source); t.kind != TOKEN_END; before = t, t = token_next(&source)) {
        struct token_source ahead = source;
        uint64_t value = 0;
        int is_name =
            t.kind == TOKEN_WORD || (t.kind == TOKEN_DOT && width && t.length > 5 && !memcmp(t.text, "debug", 5));
        if (t.kind == TOKEN_DOT && !is_name) {
            width = t.text[0] == 'b' ? (uint32_t)strtoul(t.text + 1, NULL, 10) / 8 : 0;
            if (width != 1 && width != 2 && width != 4 && width != 8) return;
        } else if (t.kind == TOKEN_NUMBER && width && before.kind == '+' && byte->count >= width) {
            value = strtoull(t.text, NULL, 0);
            byte->count -= width;
        } else if (t.kind == TOKEN_NUMBER && width) {
            value = strtoull(t.text, NULL, 0);
            if (before.kind == '-') value = -value;
        } else if (is_name && width && before.kind != '-' && token_next(&ahead).kind != ':') {
            if (reference)
                *(struct reference *)parser_push(p, reference, sizeof(struct reference)) =
                    (struct reference){byte->count, t};
        } else {
            continue;
        }
        for (uint32_t b = 0; b < width && !(t.kind == TOKEN_DOT && !is_name); ++b)
            *(uint8_t *)parser_push(p, byte, 1) = (uint8_t)(value >> 8 * b);
    }
}

// ---------------------------------------------------------------- numbers

static uint64_t fixed(struct data *d, const uint8_t *byte, size_t bytes, size_t *at, uint32_t width)
{
    uint64_t value = 0;
    if (*at > bytes || bytes - *at < width) {
        d->bad = 1;
        return 0;
    }
    for (uint32_t b = 0; b < width; ++b) value |= (uint64_t)byte[*at + b] << 8 * b;
    *at += width;
    return value;
}

static uint64_t leb(struct data *d, const uint8_t *byte, size_t bytes, size_t *at)
{
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        uint64_t next = fixed(d, byte, bytes, at, 1);
        value |= (next & 127) << shift;
        if (next < 128) return value;
    }
    d->bad = 1;
    return 0;
}

static uint64_t number(struct data *d, size_t *at, uint32_t width)
{
    return fixed(d, d->byte, d->bytes, at, width);
}

static uint64_t shape_number(struct data *d, size_t *at)
{
    return leb(d, d->abbrev, d->abbrevs, at);
}

// ---------------------------------------------------------------- entries

// Reads the DWARF abbreviations of a compilation unit. The abbreviations must be numbered 1, 2, ..., as in the output
// of compilers.
static void read_shapes(struct data *d, size_t at)
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
        fixed(d, d->abbrev, d->abbrevs, &at, 1);
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
static uint64_t read_form(struct data *d, uint64_t form, size_t *at, size_t *block, size_t *block_bytes)
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
        uint64_t bytes = blocks[i].width ? number(d, at, blocks[i].width) : leb(d, d->byte, d->bytes, at);
        if (d->bad || bytes > d->bytes - *at) {
            d->bad = 1;
            return 0;
        }
        *block = *at;
        *block_bytes = (size_t)bytes;
        *at += (size_t)bytes;
        return 0;
    }
    if (form == 0x0d || form == 0x0f || form == 0x15) return leb(d, d->byte, d->bytes, at);
    if (form != 0x08) { // form 0x08 is a string; other forms are unknown
        d->bad = 1;
        return 0;
    }
    const uint8_t *end = *at < d->bytes ? memchr(d->byte + *at, 0, d->bytes - *at) : NULL;
    *block = *at;
    *block_bytes = end ? (size_t)(end - d->byte) - *at : 0;
    d->bad |= !end;
    *at += *block_bytes + 1;
    return 0;
}

static void take(struct data *d, struct entry *e, uint64_t attribute, uint64_t form, uint64_t value, size_t block,
                 size_t bytes)
{
    int is_number = !block || form == 0x0d || form == 0x0f;
    if (attribute == AT_NAME && form == 0x08) {
        e->name = (const char *)d->byte + block;
        e->name_length = bytes;
    }
    if (attribute == AT_LOCATION && block) {
        e->location = block;
        e->location_bytes = bytes;
    }
    if (attribute == AT_TYPE && is_number) e->type = d->unit + value;
    if (attribute == AT_ORIGIN && is_number) e->origin = d->unit + value;
    if (attribute == AT_BYTE_SIZE && is_number) e->size = value;
    if ((attribute == AT_COUNT || attribute == AT_UPPER_BOUND) && is_number) {
        e->count = value + (attribute == AT_UPPER_BOUND);
        e->has_count = 1;
    }
}

// Reads the DWARF debugging information entry at offset `at` of .debug_info. A DWARF entry with tag 0 ends a list of
// children.
static struct entry read_entry(struct data *d, size_t at)
{
    struct entry e = {0};
    uint64_t code = leb(d, d->byte, d->bytes, &at);
    if (code > d->shapes) d->bad = 1;
    if (code && !d->bad) {
        size_t shape = d->shape[code - 1];
        e.tag = (uint32_t)shape_number(d, &shape);
        fixed(d, d->abbrev, d->abbrevs, &shape, 1);
        while (!d->bad) {
            uint64_t attribute = shape_number(d, &shape), form = shape_number(d, &shape);
            size_t block = 0, bytes = 0;
            if (!attribute && !form) break;
            uint64_t value = read_form(d, form, &at, &block, &bytes);
            if (!d->bad) take(d, &e, attribute, form, value, block, bytes);
        }
    }
    e.next = at;
    return e;
}

// ---------------------------------------------------------------- sizes

// Returns the size in bytes of the DWARF type at offset `at` of .debug_info, or 0 if the size is unknown.
static uint64_t type_bytes(struct data *d, size_t at)
{
    uint64_t times = 1;
    for (int depth = 0; depth < TYPES_OF_TYPES && at && !d->bad; ++depth) {
        struct entry e = read_entry(d, at);
        if (d->bad) return 0;
        if (e.tag == TAG_ARRAY) {
            size_t next = e.next;
            for (int n = 0; n < DIMENSIONS; ++n) {
                struct entry range = read_entry(d, next);
                if (d->bad || range.tag != TAG_SUBRANGE) break;
                if (!range.has_count || !range.count || range.count > UINT32_MAX) return 0;
                times *= range.count;
                if (times > UINT32_MAX) return 0;
                next = range.next;
            }
        } else if (e.tag != TAG_TYPEDEF && e.tag != TAG_CONST && e.tag != TAG_VOLATILE && e.tag != TAG_RESTRICT) {
            uint64_t size = e.size || (e.tag != TAG_POINTER && e.tag != TAG_REFERENCE) ? e.size : 8;
            return size > UINT32_MAX ? 0 : size * times;
        }
        at = e.type;
    }
    return 0;
}

// ---------------------------------------------------------------- variables

struct found {
    uint32_t var;
    struct ptx_frame_part part;
};

// Returns the index of the .local variable that the entry's location names, and stores the offset in this variable in
// *from. Returns -1 if the location has another form.
static int location(struct data *d, const struct hash_map *locals, const struct buffer *references,
                    const struct entry *e, uint64_t *from)
{
    size_t at = e->location;
    if (e->location_bytes < 1 + 8 || number(d, &at, 1) != OP_ADDR) return -1;
    size_t low = 0, high = references->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (AT(*references, struct reference, middle)->at < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == references->count || AT(*references, struct reference, low)->at != at) return -1;
    const struct token *name = &AT(*references, struct reference, low)->name;
    at += 8;
    size_t end = e->location + e->location_bytes;
    *from = 0;
    if (at < end && number(d, &at, 1) == OP_PLUS_UCONST) *from = leb(d, d->byte, d->bytes, &at);
    return d->bad ? -1 : hash_map_get(locals, name->text, name->length);
}

static void add_variable(struct data *d, const struct hash_map *locals, const struct buffer *references,
                         const struct entry *e, struct buffer *found)
{
    struct entry origin = {0};
    uint64_t from;
    int var = location(d, locals, references, e, &from);
    if (var < 0 || var >= (int)d->p->module->nvars) return;
    if (e->origin) origin = read_entry(d, e->origin);
    uint64_t bytes = d->bad ? 0 : type_bytes(d, e->type ? e->type : origin.type);
    uint64_t room = d->p->module->var[var].bytes;
    if (d->bad || !bytes || from >= room || bytes > room - from) return;
    struct found *f = parser_push(d->p, found, sizeof *f);
    const char *name = e->name ? e->name : origin.name;
    f->var = (uint32_t)var;
    f->part = (struct ptx_frame_part){
        .name = parser_name(d->p, name ? name : "", name ? (e->name ? e->name_length : origin.name_length) : 0),
        .from = from,
        .to = from + bytes};
}

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->var != y->var) return x->var < y->var ? -1 : 1;
    return x->part.from < y->part.from ? -1 : x->part.from > y->part.from;
}

// Stores in each .local variable (a function's stack frame) which source variables lie at which bytes, and merges the
// places of source variables whose bytes overlap. `found` lists the source variables that debug.c has found in the
// debug data. Source variables overlap in a stack frame if the compiler gives the same place to variables that are not
// used at the same time.
static void keep_found(struct parser *p, struct buffer *found)
{
    struct found *f = found->data;
    if (found->count) qsort(f, found->count, sizeof *f, compare_found);
    for (size_t i = 0, end; i < found->count; i = end) {
        struct ptx_var *v = &p->module->var[f[i].var];
        for (end = i; end < found->count && f[end].var == f[i].var;) ++end;
        v->part = parser_alloc(p, end - i, sizeof *v->part);
        for (size_t k = i; k < end; ++k) {
            struct ptx_frame_part *last = v->nparts ? &v->part[v->nparts - 1] : NULL;
            if (!last || f[k].part.from >= last->to)
                v->part[v->nparts++] = f[k].part;
            else if (f[k].part.to > last->to)
                last->to = f[k].part.to;
        }
    }
}

static void read_units(struct data *d, const struct hash_map *locals, const struct buffer *references,
                       struct buffer *found)
{
    for (size_t at = 0; at < d->bytes && d->bytes - at > HEADER && !d->bad;) {
        d->unit = at;
        uint64_t length = number(d, &at, 4);
        size_t end = length > d->bytes - at ? d->bytes : at + (size_t)length;
        uint64_t version = number(d, &at, 2), shapes = number(d, &at, 4), address = number(d, &at, 1);
        if (version < 2 || version > 4 || address != 8 || shapes > d->abbrevs) return;
        read_shapes(d, (size_t)shapes);
        while (at < end && !d->bad) {
            struct entry e = read_entry(d, at);
            if (d->bad) return;
            if ((e.tag == TAG_VARIABLE || e.tag == TAG_PARAMETER) && e.location)
                add_variable(d, locals, references, &e, found);
            at = e.next;
        }
    }
}

void debug_read(struct parser *p)
{
    struct parser_debug *s = &p->debug;
    if (!s->info.at || !s->abbrev.at) return;
    const struct ptx_module *m = p->module;
    for (uint32_t i = 0; i < m->nvars; ++i) {
        if (m->var[i].space != PTX_LOCAL) continue;
        // If two .local variables have the same name, the places of source variables in these .local variables stay
        // unknown.
        size_t length = strlen(m->var[i].name);
        int known = hash_map_get(&s->locals, m->var[i].name, length);
        hash_map_put(&s->locals, m->var[i].name, length, known < 0 ? (int)i : (int)m->nvars);
    }
    if (s->locals.count) {
        read_bytes(p, &s->info, &s->byte, &s->reference);
        read_bytes(p, &s->abbrev, &s->abbreviation, NULL);
        struct data d = {.p = p,
                         .byte = s->byte.data,
                         .bytes = s->byte.count,
                         .abbrev = s->abbreviation.data,
                         .abbrevs = s->abbreviation.count,
                         .all = s->abbreviation.count};
        d.shape = parser_alloc(p, d.all + 1, sizeof *d.shape);
        read_units(&d, &s->locals, &s->reference, &s->found);
        keep_found(p, &s->found);
    }
}
