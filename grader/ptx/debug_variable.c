// Collects the variables of the source, with their scopes and places.
//
// A scope's start and end, and the start and end of a place in a register, are labels of the code ($L__tmp12). A place
// in a register is DW_OP_regx with a number whose bytes are the register's name: 0x257231 is %r1. A place in memory is
// DW_OP_addr with the name of a variable of the module, and perhaps DW_OP_plus_uconst. A variable that moves has a list
// of places in .debug_loc.
#include "ptx/debug.h"

#include <stdlib.h>
#include <string.h>

enum { OP_ADDR = 0x03, OP_PLUS_UCONST = 0x23, OP_REGX = 0x90 };
enum { PLACES_MOST = 1024 };

// ---------------------------------------------------------------- names

// Returns the label that stands in a section at offset `at` in place of an address, or NULL.
static const struct debug_label *label_at(struct debug *d, const struct debug_section *s, size_t at)
{
    const struct token *name = debug_name_at(s, at);
    int atom = name ? hash_map_get(&d->p->words, name->text, name->length) : -1;
    uint32_t label = atom < 0 ? 0 : AT(d->p->atom, struct atom, atom)->label;
    return label ? AT(d->p->debug.label, struct debug_label, label - 1) : NULL;
}

// Returns the index in func->reg of the register whose name is the bytes of `number`, the first byte highest, or
// PTX_NO_REG.
static uint32_t register_of(struct debug *d, uint32_t func, uint64_t number)
{
    struct parser_debug *s = &d->p->debug;
    const struct ptx_func *f = &d->p->module->func[func];
    char name[8];
    size_t length = 0;
    for (int shift = 56; shift >= 0; shift -= 8)
        if (length || number >> shift & 0xff) name[length++] = (char)(number >> shift & 0xff);
    if (!s->registers.capacity || s->registers_of != func) {
        hash_map_free(&s->registers);
        s->registers = (struct hash_map){0};
        s->registers_of = func;
        for (uint32_t r = 0; r < f->nregs; ++r)
            hash_map_put(&s->registers, f->reg[r].name, strlen(f->reg[r].name), (int)r);
    }
    int r = hash_map_get(&s->registers, name, length);
    return r < 0 ? PTX_NO_REG : (uint32_t)r;
}

// ---------------------------------------------------------------- places

// Reads a location expression, which lies at [at, at + bytes) of the section. Returns 0, or -1 if it has another form.
static int read_place(struct debug *d, const struct debug_section *s, size_t at, size_t bytes, uint32_t func,
                      struct ptx_source_place *place)
{
    size_t end = at + bytes;
    uint64_t op = bytes ? debug_number(d, s, &at, 1) : 0;
    if (op == OP_REGX && func != PTX_NO_REG) {
        place->storage = SOURCE_REGISTER;
        place->index = register_of(d, func, debug_leb(d, s, &at));
        return d->bad || at != end || place->index == PTX_NO_REG ? -1 : 0;
    }
    const struct token *name = op == OP_ADDR ? debug_name_at(s, at) : NULL;
    int var = name ? hash_map_get(&d->p->debug.vars, name->text, name->length) : -1;
    if (var < 0 || var >= (int)d->p->module->nvars) return -1;
    at += 8;
    place->storage = SOURCE_VARIABLE;
    place->index = (uint32_t)var;
    if (at < end && debug_number(d, s, &at, 1) == OP_PLUS_UCONST) place->offset = debug_leb(d, s, &at);
    return d->bad || at != end ? -1 : 0;
}

static void add_place(struct debug *d, const struct ptx_source_place *place)
{
    if (place->from < place->to)
        *(struct ptx_source_place *)parser_push(d->p, &d->p->debug.place, sizeof *place) = *place;
}

// Reads a list of places in .debug_loc.
static void read_list(struct debug *d, size_t at, struct debug_scope scope)
{
    for (int n = 0; n < PLACES_MOST && at < d->loc.bytes && !d->bad; ++n) {
        const struct debug_label *from = label_at(d, &d->loc, at), *to = label_at(d, &d->loc, at + 8);
        if (!from || !to || from->func != scope.func || to->func != scope.func) return;
        at += 16;
        size_t bytes = (size_t)debug_number(d, &d->loc, &at, 2);
        struct ptx_source_place place = {.from = from->inst, .to = to->inst};
        if (!d->bad && !read_place(d, &d->loc, at, bytes, scope.func, &place)) add_place(d, &place);
        at += bytes;
    }
}

// ---------------------------------------------------------------- variables

struct debug_scope debug_scope_of(struct debug *d, const struct debug_entry *e, struct debug_scope outer)
{
    struct debug_scope none = {.func = PTX_NO_REG};
    int code = e->tag == TAG_SUBPROGRAM || e->tag == TAG_LEXICAL_BLOCK || e->tag == TAG_INLINED;
    if (!code || (!e->low && e->tag == TAG_LEXICAL_BLOCK)) return outer;
    const struct debug_label *from = e->low ? label_at(d, &d->info, e->low) : NULL;
    const struct debug_label *to = e->high ? label_at(d, &d->info, e->high) : NULL;
    if (!from || !to || from->func != to->func) return none;
    return (struct debug_scope){from->func, from->inst, to->inst};
}

void debug_add_variable(struct debug *d, const struct debug_entry *e, struct debug_scope scope)
{
    struct parser_debug *s = &d->p->debug;
    struct debug_entry origin = {0};
    size_t first = s->place.count;
    if (e->origin) origin = debug_read_entry(d, e->origin);
    const char *name = e->name ? e->name : origin.name;
    size_t length = e->name ? e->name_length : origin.name_length;
    if (d->bad || (scope.func == PTX_NO_REG && !e->location)) return;
    struct ptx_source_place whole = {.from = scope.from, .to = scope.func == PTX_NO_REG ? 1 : scope.to};
    if (e->has_list)
        read_list(d, (size_t)e->list, scope);
    else if (e->location && !read_place(d, &d->info, e->location, e->location_bytes, scope.func, &whole))
        add_place(d, &whole);
    if (d->bad || s->place.count == first) return;
    struct ptx_source_variable *v = parser_push(d->p, &s->variable, sizeof *v);
    uint64_t file = e->name ? e->file : origin.file, line = e->name ? e->line : origin.line;
    *v = (struct ptx_source_variable){.name = parser_name(d->p, name ? name : "", length),
                                      .type = debug_type(d, e->type ? e->type : origin.type),
                                      .func = scope.func,
                                      .file = file > UINT32_MAX ? 0 : (uint32_t)file,
                                      .line = line > UINT32_MAX ? 0 : (uint32_t)line,
                                      .from = scope.from,
                                      .to = scope.to,
                                      .parameter = e->tag == TAG_PARAMETER,
                                      .nplaces = (uint32_t)(s->place.count - first)};
}

void debug_keep_variables(struct parser *p)
{
    struct ptx_module *m = p->module;
    struct ptx_source_place *place = parser_keep(p, &p->debug.place, sizeof *place);
    m->source = parser_keep(p, &p->debug.variable, sizeof *m->source);
    m->nsources = (uint32_t)p->debug.variable.count;
    for (uint32_t i = 0; i < m->nsources; ++i) {
        m->source[i].place = place;
        place += m->source[i].nplaces;
    }
}
