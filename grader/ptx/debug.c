// Reads the debug data of unoptimised PTX: where the values of source variables are (source.h), and the place of each
// source variable in the stack frame of its function. In unoptimised PTX, one .local variable, the stack frame,
// contains source variables of a function. With the positions of the source variables, the simulator can report an
// index beyond the end of an array, even if the address is still inside the frame. For example, the location
// "DW_OP_addr __local_depot0, DW_OP_plus_uconst 16" means offset 16 in the .local variable __local_depot0.
//
// Technique. The code reads only the sections .debug_abbrev, .debug_info and .debug_loc. They are turned into bytes,
// and the names of symbols that stand in them in place of numbers are kept aside. The entries form a tree, of which the
// scopes around the present entry are kept. Other debug data, such as line tables, are skipped.
#include "ptx/debug.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 11, SCOPES = 64 };

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
                *(struct debug_reference *)parser_push(p, reference, sizeof(struct debug_reference)) =
                    (struct debug_reference){byte->count, t};
        } else {
            continue;
        }
        for (uint32_t b = 0; b < width && !(t.kind == TOKEN_DOT && !is_name); ++b)
            *(uint8_t *)parser_push(p, byte, 1) = (uint8_t)(value >> 8 * b);
    }
}

// ---------------------------------------------------------------- stack frames

struct found {
    uint32_t var;
    struct ptx_frame_part part;
};

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->var != y->var) return x->var < y->var ? -1 : 1;
    return x->part.from < y->part.from ? -1 : x->part.from > y->part.from;
}

// Adds to `found` each source variable that lies in a .local variable, and whose size is known.
static void find_parts(struct parser *p, struct buffer *found)
{
    const struct ptx_module *m = p->module;
    for (uint32_t i = 0; i < m->nsources; ++i) {
        const struct ptx_source_variable *v = &m->source[i];
        const struct ptx_source_place *place = v->place;
        const struct ptx_var *frame = place->storage == SOURCE_VARIABLE ? &m->var[place->index] : NULL;
        uint64_t bytes = v->type->bytes;
        if (v->nplaces != 1 || !frame || frame->space != PTX_LOCAL || !bytes) continue;
        if (place->offset >= frame->bytes || bytes > frame->bytes - place->offset) continue;
        *(struct found *)parser_push(p, found, sizeof(struct found)) =
            (struct found){place->index, {.name = v->name, .from = place->offset, .to = place->offset + bytes}};
    }
}

// Stores in each .local variable (a function's stack frame) which source variables lie at which bytes, and merges the
// places of source variables whose bytes overlap. Source variables overlap in a stack frame if the compiler gives the
// same place to variables that are not used at the same time.
static void keep_parts(struct parser *p, struct buffer *found)
{
    find_parts(p, found);
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

// ---------------------------------------------------------------- units

// Reads the entries of a compilation unit, from `at` up to before `end`.
static void read_unit(struct debug *d, size_t at, size_t end)
{
    struct debug_scope scope[SCOPES] = {{.func = PTX_NO_REG}};
    size_t depth = 0; // of the next entry in the tree; deeper scopes than SCOPES - 1 are not told apart
    while (at < end) {
        struct debug_entry e = debug_read_entry(d, at);
        if (d->bad) return;
        struct debug_scope *here = &scope[depth < SCOPES ? depth : SCOPES - 1];
        if (e.tag == TAG_VARIABLE || e.tag == TAG_PARAMETER) debug_add_variable(d, &e, *here);
        if (e.children && ++depth < SCOPES) here[1] = debug_scope_of(d, &e, *here);
        if (!e.tag && depth) depth--;
        at = e.next;
    }
}

static void read_units(struct debug *d)
{
    const struct debug_section *info = &d->info;
    for (size_t at = 0; at < info->bytes && info->bytes - at > HEADER && !d->bad;) {
        d->unit = at;
        uint64_t length = debug_number(d, info, &at, 4);
        size_t end = length > info->bytes - at ? info->bytes : at + (size_t)length;
        uint64_t version = debug_number(d, info, &at, 2), shapes = debug_number(d, info, &at, 4);
        uint64_t address = debug_number(d, info, &at, 1);
        if (version < 2 || version > 4 || address != 8 || shapes > d->abbrevs) return;
        debug_read_shapes(d, (size_t)shapes);
        read_unit(d, at, end);
        at = end;
    }
}

void debug_read(struct parser *p)
{
    struct parser_debug *s = &p->debug;
    if (!s->info.at || !s->abbrev.at) return;
    const struct ptx_module *m = p->module;
    for (uint32_t i = 0; i < m->nvars; ++i) {
        // If two variables have the same name, what lies in them stays unknown.
        size_t length = strlen(m->var[i].name);
        int known = hash_map_get(&s->vars, m->var[i].name, length);
        hash_map_put(&s->vars, m->var[i].name, length, known < 0 ? (int)i : (int)m->nvars);
    }
    read_bytes(p, &s->info, &s->byte, &s->reference);
    read_bytes(p, &s->abbrev, &s->abbreviation, NULL);
    if (s->loc.at) read_bytes(p, &s->loc, &s->list, &s->list_reference);
    struct debug d = {.p = p,
                      .info = {s->byte.data, s->byte.count, &s->reference},
                      .loc = {s->list.data, s->list.count, &s->list_reference},
                      .abbrev = s->abbreviation.data,
                      .abbrevs = s->abbreviation.count,
                      .all = s->abbreviation.count};
    d.shape = parser_alloc(p, d.all + 1, sizeof *d.shape);
    read_units(&d);
    debug_keep_variables(p);
    keep_parts(p, &s->found);
}
