// Joins several modules into one module, as the device linker joins relocatable device code (PTX ISA 5.6, linking
// directives: .extern, .visible, .weak, .common).
//
// Each PTX text is first loaded as a module. For each global name, the strongest definition replaces all declarations
// and all weaker definitions. Replaced functions are removed with their variables. The functions and variables that
// were not replaced get new indices, in the order in which link.c sorts a module's functions and variables. All
// operands, initialisers and source positions that refer to a renumbered function or variable get its new number. If
// two modules use the same local name, the name gets the number of its PTX text as a suffix.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/message.h"
#include "ptx/ptx.h"

enum strength { ABSENT, DECLARED, COMMON, WEAK, STRONG };

struct unit {
    struct ptx_module *module;
    uint32_t *var, *func; // new indices of the module's variables and functions in the joined module
    uint8_t *leave_func;  // [functions] 1: removed, because another definition replaces the function
    uint8_t *leave_var;   // [variables] 1: removed, because another definition replaces the variable or its function is
                          // removed
    uint32_t file, loc;   // number added to the module's file and loc indices in the joined module
};

struct definition {
    enum strength strength;
    uint32_t unit, index;
    int is_func;
};

struct join {
    struct unit *unit;
    uint32_t units;
    struct hash_map names; // index into `definition` by name
    struct definition *definition;
    int ndefinitions, capacity;
    struct ptx_error *error;
    struct ptx_module *out;
};

static int fail(struct join *j, uint32_t unit, uint32_t line, uint32_t column, const char *name, const char *what)
{
    *j->error = (struct ptx_error){.unit = unit, .line = line, .column = column};
    message_print(j->error->message, sizeof j->error->message, "'%.120s' %s", name, _(what));
    return -1;
}

static void *array(struct join *j, size_t count, size_t size)
{
    return arena_array(&j->out->arena, count + 1, size);
}

static enum strength strength_of(int is_extern, int visible, int has_body)
{
    if (is_extern || !has_body) return DECLARED;
    return visible == PTX_WEAK_SYMBOL ? WEAK : visible == PTX_COMMON_SYMBOL ? COMMON : STRONG;
}

static int is_module_var(const struct ptx_var *v)
{
    return v->func == PTX_NO_REG;
}

// Returns 1 if `v` is an `extern .shared` array. An `extern .shared` array is the dynamic shared memory of a launch and
// has no definition.
static int is_dynamic(const struct ptx_var *v)
{
    return v->space == PTX_SHARED && v->is_extern;
}

// ---------------------------------------------------------------- names

// Returns the strongest definition of a global name (enum strength) in the modules read so far. If no module has used
// the name yet, adds a definition with the strength ABSENT.
static struct definition *named(struct join *j, const char *name)
{
    int known = hash_map_get(&j->names, name, strlen(name));
    if (known >= 0) return &j->definition[known];
    ALLOC_GROW(j->definition, j->capacity, j->ndefinitions + 1);
    hash_map_put(&j->names, name, strlen(name), j->ndefinitions);
    j->definition[j->ndefinitions] = (struct definition){.strength = ABSENT};
    return &j->definition[j->ndefinitions++];
}

// Compares a definition or declaration of a name with the strongest known definition, and keeps the stronger
// definition. Returns 0, or -1 with an error if the program must not contain both the definition `d` and the strongest
// known definition.
static int weigh(struct join *j, const char *name, const struct definition *d, uint32_t line, uint32_t column)
{
    struct definition *known = named(j, name);
    if (known->strength != ABSENT && known->is_func != d->is_func)
        return fail(j, d->unit, line, column, name, "is a function here and a variable there");
    if (known->strength == STRONG && d->strength == STRONG)
        return fail(j, d->unit, line, column, name, "is defined in two modules");
    int larger = known->strength == COMMON && d->strength == COMMON &&
                 j->unit[d->unit].module->var[d->index].bytes > j->unit[known->unit].module->var[known->index].bytes;
    if (d->strength > known->strength || larger) *known = *d;
    return 0;
}

static int find_names(struct join *j, uint32_t u)
{
    const struct ptx_module *m = j->unit[u].module;
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        const struct ptx_func *f = &m->func[i];
        struct definition d = {strength_of(f->is_extern, f->is_visible, f->has_body), u, i, 1};
        if (!f->is_visible && !f->is_extern) continue;
        if (weigh(j, f->name, &d, f->line, f->column)) return -1;
    }
    for (uint32_t i = 0; i < m->nvars; i++) {
        const struct ptx_var *v = &m->var[i];
        struct definition d = {strength_of(v->is_extern, v->is_visible, 1), u, i, 0};
        if (!is_module_var(v) || is_dynamic(v) || (!v->is_visible && !v->is_extern)) continue;
        if (weigh(j, v->name, &d, v->line, v->column)) return -1;
    }
    return 0;
}

// Marks the items that are removed from a module: weaker definitions, declarations of items that another module
// defines, and variables of removed functions. Returns 0, or -1 with an error if no module defines a declared variable.
static int leave_out(struct join *j, uint32_t u)
{
    struct unit *unit = &j->unit[u];
    const struct ptx_module *m = unit->module;
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        const struct ptx_func *f = &m->func[i];
        if (!f->is_visible && !f->is_extern) continue;
        const struct definition *d = named(j, f->name);
        unit->leave_func[i] = d->unit != u || d->index != i;
    }
    for (uint32_t i = 0; i < m->nvars; i++) {
        const struct ptx_var *v = &m->var[i];
        if (!is_module_var(v)) {
            unit->leave_var[i] = unit->leave_func[v->func];
            continue;
        }
        if (is_dynamic(v) || (!v->is_visible && !v->is_extern)) continue;
        const struct definition *d = named(j, v->name);
        if (d->strength == DECLARED)
            return fail(j, u, v->line, v->column, v->name, "is declared, and no module defines it");
        unit->leave_var[i] = d->unit != u || d->index != i;
    }
    return 0;
}

// ---------------------------------------------------------------- numbers

static void number_funcs(struct join *j)
{
    struct ptx_module *out = j->out;
    for (int entries = 0; entries < 2; entries++)
        for (uint32_t u = 0; u < j->units; u++)
            for (uint32_t i = 0; i < j->unit[u].module->nfuncs; i++) {
                const struct ptx_func *f = &j->unit[u].module->func[i];
                if (f->is_entry != entries || j->unit[u].leave_func[i]) continue;
                j->unit[u].func[i] = out->nfuncs;
                out->func[out->nfuncs++] = *f;
            }
}

static void number_vars_of(struct join *j, uint32_t u, uint32_t owner)
{
    struct unit *unit = &j->unit[u];
    for (uint32_t i = 0; i < unit->module->nvars; i++) {
        const struct ptx_var *v = &unit->module->var[i];
        if (v->func != owner || unit->leave_var[i]) continue;
        unit->var[i] = j->out->nvars;
        j->out->var[j->out->nvars] = *v;
        if (owner != PTX_NO_REG) j->out->var[j->out->nvars].func = unit->func[owner];
        j->out->nvars++;
    }
}

static void number_vars(struct join *j)
{
    for (uint32_t u = 0; u < j->units; u++) number_vars_of(j, u, PTX_NO_REG);
    // Variables of functions follow, in the order of the functions: first .func, then .entry.
    for (int entries = 0; entries < 2; entries++)
        for (uint32_t u = 0; u < j->units; u++)
            for (uint32_t i = 0; i < j->unit[u].module->nfuncs; i++)
                if (j->unit[u].module->func[i].is_entry == entries && !j->unit[u].leave_func[i])
                    number_vars_of(j, u, i);
}

// Gives each removed function or variable the new number of the definition that replaces it.
static void number_left(struct join *j, uint32_t u)
{
    struct unit *unit = &j->unit[u];
    const struct ptx_module *m = unit->module;
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        if (!unit->leave_func[i]) continue;
        const struct definition *d = named(j, m->func[i].name);
        unit->func[i] = j->unit[d->unit].func[d->index];
    }
    for (uint32_t i = 0; i < m->nvars; i++) {
        if (!unit->leave_var[i] || !is_module_var(&m->var[i])) continue;
        const struct definition *d = named(j, m->var[i].name);
        unit->var[i] = j->unit[d->unit].var[d->index];
    }
}

// ---------------------------------------------------------------- renumbering

static void renumber_operand(const struct unit *u, struct ptx_operand *o)
{
    uint8_t kind = o->kind == PTX_OPERAND_ADDRESS ? o->base_kind : o->kind;
    if (kind == PTX_OPERAND_SYMBOL) o->index = u->var[o->index];
    if (kind == PTX_OPERAND_FUNC) o->index = u->func[o->index];
}

static void renumber_func(const struct unit *u, struct ptx_func *f)
{
    for (uint32_t i = 0; i < f->nparams; i++) f->param[i] = u->var[f->param[i]];
    for (uint32_t i = 0; i < f->nresults; i++) f->result[i] = u->var[f->result[i]];
    for (uint32_t i = 0; i < f->nelements; i++) renumber_operand(u, &f->element[i]);
    for (uint32_t i = 0; i < f->ninsts; i++) {
        for (uint32_t k = 0; k < f->inst[i].noperands; k++) renumber_operand(u, &f->inst[i].operand[k]);
        if (f->inst[i].loc) f->inst[i].loc += u->loc;
    }
    for (uint32_t i = 0; i < f->ntables; i++)
        for (uint32_t k = 0; k < f->table[i].ntargets && f->table[i].kind == PTX_CALL_TARGETS; k++)
            f->table[i].target[k] = u->func[f->table[i].target[k]];
}

static void renumber_unit(struct join *j, uint32_t u)
{
    struct unit *unit = &j->unit[u];
    struct ptx_module *m = unit->module, *out = j->out;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (!unit->leave_func[i]) renumber_func(unit, &out->func[unit->func[i]]);
    for (uint32_t i = 0; i < m->nvars; i++)
        for (uint32_t k = 0; k < m->var[i].nrelocs && !unit->leave_var[i]; k++) {
            struct ptx_reloc *r = &m->var[i].reloc[k];
            r->symbol = r->is_func ? unit->func[r->symbol] : unit->var[r->symbol];
        }
    for (uint32_t i = 0; i < m->nfiles; i++) out->file[unit->file + i] = m->file[i];
    for (uint32_t i = 1; i < m->nlocs; i++) {
        struct ptx_loc loc = m->loc[i];
        loc.file += unit->file;
        if (loc.inlined_at) loc.inlined_at += unit->loc;
        out->loc[unit->loc + i] = loc;
    }
}

// Appends the number of the PTX text to each local name that another module also uses.
static void rename_own(struct join *j, uint32_t u)
{
    struct unit *unit = &j->unit[u];
    for (uint32_t i = 0; i < unit->module->nfuncs; i++) {
        struct ptx_func *f = &j->out->func[unit->func[i]];
        if (unit->leave_func[i] || f->is_visible || f->is_extern) continue;
        if (named(j, f->name)->strength != ABSENT) f->name = arena_printf(&j->out->arena, "%s$%u", f->name, u);
        named(j, f->name)->strength = STRONG;
    }
    for (uint32_t i = 0; i < unit->module->nvars; i++) {
        struct ptx_var *v = &j->out->var[unit->var[i]];
        if (unit->leave_var[i] || !is_module_var(v) || v->is_visible || v->is_extern) continue;
        if (named(j, v->name)->strength != ABSENT) v->name = arena_printf(&j->out->arena, "%s$%u", v->name, u);
        named(j, v->name)->strength = STRONG;
    }
}

static int join(struct join *j)
{
    uint32_t vars = 0, funcs = 0, files = 0, locs = 1;
    struct ptx_module *out = j->out;
    for (uint32_t u = 0; u < j->units; u++) {
        struct unit *unit = &j->unit[u];
        const struct ptx_module *m = unit->module;
        unit->var = array(j, m->nvars, sizeof *unit->var);
        unit->func = array(j, m->nfuncs, sizeof *unit->func);
        unit->leave_var = array(j, m->nvars, 1);
        unit->leave_func = array(j, m->nfuncs, 1);
        unit->file = files;
        unit->loc = locs - 1;
        vars += m->nvars;
        funcs += m->nfuncs;
        files += m->nfiles;
        locs += m->nlocs ? m->nlocs - 1 : 0;
        if (m->version > out->version) out->version = m->version;
        if (m->sm > out->sm) out->sm = m->sm;
        out->is_debug |= m->is_debug;
        if (find_names(j, u)) return -1;
    }
    for (uint32_t u = 0; u < j->units; u++)
        if (leave_out(j, u)) return -1;
    out->var = array(j, vars, sizeof *out->var);
    out->func = array(j, funcs, sizeof *out->func);
    out->file = array(j, files, sizeof *out->file);
    out->loc = array(j, locs, sizeof *out->loc);
    out->nfiles = files;
    out->nlocs = locs;
    number_funcs(j);
    number_vars(j);
    for (uint32_t u = 0; u < j->units; u++) number_left(j, u);
    for (uint32_t u = 0; u < j->units; u++) renumber_unit(j, u);
    for (uint32_t u = 0; u < j->units; u++) rename_own(j, u);
    return 0;
}

struct ptx_module *ptx_link(const char *const text[], const size_t bytes[], uint32_t units, struct ptx_error *error)
{
    if (units == 1) return ptx_load(text[0], bytes[0], error);
    struct join j = {.units = units, .error = error};
    j.unit = alloc_zeroed(units + 1, sizeof *j.unit);
    j.out = alloc_zeroed(1, sizeof *j.out);
    *error = (struct ptx_error){0};
    int failed = 0;
    for (uint32_t u = 0; u < units && !failed; u++) {
        j.unit[u].module = ptx_load(text[u], bytes[u], error);
        error->unit = u;
        failed = !j.unit[u].module;
    }
    if (!failed) failed = join(&j);
    if (!failed) *error = (struct ptx_error){0};
    for (uint32_t u = 0; u < units; u++) {
        // The joined module points into the memory of the modules, so its arena takes over that memory.
        if (!failed) arena_join(&j.out->arena, &j.unit[u].module->arena);
        ptx_free(j.unit[u].module);
    }
    hash_map_free(&j.names);
    free(j.definition);
    free(j.unit);
    if (!failed) return j.out;
    ptx_free(j.out);
    return NULL;
}
