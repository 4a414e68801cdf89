// Reads the types of source variables.
//
// A type that several variables have is read once (parser.debug.types). A type that contains itself, which only invalid
// data can describe, is SOURCE_OTHER where it is met again.
#include "ptx/debug.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 256, MEMBERS_MOST = 256 };
enum { ENCODING_BOOL = 2, ENCODING_FLOAT = 4, ENCODING_SIGNED = 5, ENCODING_SIGNED_CHAR = 6, ENCODING_UNSIGNED = 7 };
enum { ENCODING_UNSIGNED_CHAR = 8, ENCODING_UTF = 16 };

// A type that has been read, and the offset of its entry, which is its key in the map.
struct typed {
    size_t at;
    struct ptx_source_type type;
};

static int is_qualifier(uint32_t tag)
{
    return tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT;
}

static int is_pointer(uint32_t tag)
{
    return tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE;
}

// ---------------------------------------------------------------- types

static const struct ptx_source_type *read_type(struct debug *, size_t at, int depth);

static enum ptx_source_kind kind_of_base(const struct debug_entry *e)
{
    switch (e->encoding) {
    case ENCODING_BOOL:
        return SOURCE_BOOL;
    case ENCODING_FLOAT:
        return e->size == 4 || e->size == 8 ? SOURCE_FLOAT : SOURCE_OTHER;
    case ENCODING_SIGNED:
        return SOURCE_SIGNED;
    case ENCODING_SIGNED_CHAR:
        return SOURCE_CHAR;
    case ENCODING_UNSIGNED_CHAR:
    case ENCODING_UNSIGNED:
    case ENCODING_UTF:
        return SOURCE_UNSIGNED;
    default:
        return SOURCE_OTHER;
    }
}

// Turns *t, the type of an array's elements, into the array's type. Each dimension is an array of its own.
static void read_array(struct debug *d, const struct debug_entry *e, const struct ptx_source_type *element,
                       struct ptx_source_type *t)
{
    uint64_t count[DEBUG_DIMENSIONS];
    uint32_t dims = 0;
    for (size_t next = e->next; dims < DEBUG_DIMENSIONS;) {
        struct debug_entry range = debug_read_entry(d, next);
        if (d->bad || range.tag != TAG_SUBRANGE) break;
        count[dims++] = range.has_count && range.count <= UINT32_MAX ? range.count : 0;
        next = range.next;
    }
    for (uint32_t i = dims ? dims : 1; i--;) {
        struct ptx_source_type *a = i ? parser_alloc(d->p, 1, sizeof *a) : t;
        uint64_t n = dims ? count[i] : 0;
        *a = (struct ptx_source_type){.name = element->name, .kind = SOURCE_ARRAY, .count = n, .of = element};
        a->bytes = element->bytes && n <= UINT32_MAX / element->bytes ? n * element->bytes : 0;
        element = a;
    }
}

// Returns the next member of a structure whose entries go on at *next, and moves *next behind it. *level is the depth
// of the entry at *next below the structure. Returns an entry with tag 0 if there are no more members. Members of a
// base class are left out.
static struct debug_entry next_member(struct debug *d, size_t *next, uint32_t *level)
{
    for (;;) {
        struct debug_entry e = debug_read_entry(d, *next);
        int member = e.tag == TAG_MEMBER && !*level && e.type;
        if (d->bad || (!e.tag && !*level)) return (struct debug_entry){0};
        *level += e.tag ? (uint32_t)e.children : UINT32_MAX;
        *next = e.next;
        if (member) return e;
    }
}

static void read_members(struct debug *d, const struct debug_entry *e, struct ptx_source_type *t, int depth)
{
    uint32_t count = 0, level = 0;
    size_t next = e->next;
    while (e->children && count < MEMBERS_MOST && next_member(d, &next, &level).tag) count++;
    t->member = parser_alloc(d->p, count, sizeof *t->member);
    level = 0;
    for (next = e->next; t->nmembers < count;) {
        struct debug_entry m = next_member(d, &next, &level);
        t->member[t->nmembers++] =
            (struct ptx_source_member){.name = parser_name(d->p, m.name ? m.name : "", m.name_length),
                                       .offset = m.member_offset,
                                       .type = read_type(d, m.type, depth + 1)};
    }
}

static const char *pointer_name(struct debug *d, const struct debug_entry *e, const struct ptx_source_type *to)
{
    char name[NAME_MOST];
    const char *to_name = to ? to->name : "void";
    int n = snprintf(name, sizeof name, "%s %s", to_name, e->tag == TAG_POINTER ? "*" : "&");
    return n < 0 || n >= (int)sizeof name ? "" : parser_name(d->p, name, (size_t)n);
}

// Fills in the type that entry `e` describes.
static void fill_type(struct debug *d, const struct debug_entry *e, struct ptx_source_type *t, int depth)
{
    if (e->tag == TAG_STRUCT || e->tag == TAG_CLASS || e->tag == TAG_UNION) {
        t->kind = SOURCE_STRUCT;
        read_members(d, e, t, depth);
    } else if (is_pointer(e->tag)) {
        const struct ptx_source_type *to = e->type ? read_type(d, e->type, depth + 1) : NULL;
        t->kind = SOURCE_POINTER;
        t->bytes = 8;
        t->name = pointer_name(d, e, to);
        t->of = to;
    } else if (e->tag == TAG_ARRAY) {
        read_array(d, e, read_type(d, e->type, depth + 1), t);
    } else if (is_qualifier(e->tag)) {
        const char *name = t->name;
        *t = *read_type(d, e->type, depth + 1);
        if (e->tag == TAG_TYPEDEF && *name) t->name = name;
    } else if (e->tag == TAG_BASE) {
        t->kind = (uint8_t)kind_of_base(e);
    } else if (e->tag == TAG_ENUM) {
        t->kind = SOURCE_SIGNED;
    }
    if (t->kind == SOURCE_STRUCT && t->bytes == 2 && !strcmp(t->name, "__half")) t->kind = SOURCE_FLOAT;
}

static const struct ptx_source_type *read_type(struct debug *d, size_t at, int depth)
{
    static const struct ptx_source_type unknown = {.name = ""};
    struct parser_debug *s = &d->p->debug;
    if (!at || d->bad || depth > DEBUG_TYPES_OF_TYPES) return &unknown;
    int known = hash_map_get(&s->types, (const char *)&at, sizeof at);
    if (known >= 0) return &(*AT(s->type, struct typed *, known))->type;
    struct debug_entry e = debug_read_entry(d, at);
    if (d->bad) return &unknown;
    struct typed *t = parser_alloc(d->p, 1, sizeof *t);
    t->at = at;
    t->type.name = parser_name(d->p, e.name ? e.name : "", e.name_length);
    hash_map_put(&s->types, (const char *)&t->at, sizeof t->at, (int)s->type.count);
    *(struct typed **)parser_push(d->p, &s->type, sizeof(struct typed *)) = t;
    struct ptx_source_type type = {.name = t->type.name, .bytes = e.size > UINT32_MAX ? 0 : e.size};
    fill_type(d, &e, &type, depth);
    t->type = type; // not before: until here, the type is unknown to itself
    return &t->type;
}

const struct ptx_source_type *debug_type(struct debug *d, size_t at)
{
    return read_type(d, at, 0);
}
