// Describes what a recording contains: the functions, variables and arrays of the student's source.
//
// A variable is divided into scalars, its parts: acc[2], p.x. An array in shared or global memory keeps its dimensions,
// because a page shows it as a grid. An array of structures is shown as words.
#include "sim/record/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/ptx.h"
#include "sim/hazard/demangle.h"

enum { PARTS_OF_VARIABLE = 256, DEPTH_MOST = 16, WORD = 4 };

static void name_of(char out[RECORDING_NAME], const char *name)
{
    snprintf(out, RECORDING_NAME, "%s", name);
}

// ---------------------------------------------------------------- scalars

static int is_scalar(const struct ptx_source_type *t)
{
    int size = t->bytes == 1 || t->bytes == 2 || t->bytes == 4 || t->bytes == 8;
    return size && t->kind != SOURCE_ARRAY && t->kind != SOURCE_STRUCT;
}

static uint8_t kind_of(const struct ptx_source_type *t)
{
    static const uint8_t kind[] = {
        [SOURCE_OTHER] = RECORDING_UNSIGNED, [SOURCE_SIGNED] = RECORDING_SIGNED, [SOURCE_UNSIGNED] = RECORDING_UNSIGNED,
        [SOURCE_FLOAT] = RECORDING_FLOAT,    [SOURCE_BOOL] = RECORDING_BOOL,     [SOURCE_CHAR] = RECORDING_CHAR,
        [SOURCE_POINTER] = RECORDING_POINTER};
    return is_scalar(t) ? kind[t->kind] : RECORDING_UNSIGNED;
}

// The variable whose parts are being listed.
struct listing {
    struct recorder *r;
    char path[RECORDING_NAME];
    uint32_t most; // number of parts with which the list is full
};

// Appends the scalars of a type to the parts of a variable. `offset` is that of the value in the variable.
static void list_parts(struct listing *l, const struct ptx_source_type *t, uint64_t offset, int depth)
{
    struct recording *head = &l->r->head;
    size_t length = strlen(l->path);
    if (depth > DEPTH_MOST || offset > UINT32_MAX || head->nparts >= l->most) return;
    if (is_scalar(t)) {
        struct recording_part *p = &head->part[head->nparts];
        name_of(p->path, l->path);
        p->kind = kind_of(t);
        p->bytes = (uint8_t)t->bytes;
        l->r->part[head->nparts++] = (struct record_part){(uint32_t)offset, (uint32_t)t->bytes};
    }
    for (uint64_t i = 0; t->kind == SOURCE_ARRAY && i < t->count && head->nparts < l->most; i++) {
        snprintf(l->path + length, sizeof l->path - length, "[%llu]", (unsigned long long)i);
        list_parts(l, t->of, offset + i * t->of->bytes, depth + 1);
    }
    for (uint32_t i = 0; t->kind == SOURCE_STRUCT && i < t->nmembers; i++) {
        const char *name = t->member[i].name; // the members of an anonymous union are written as the structure's own
        snprintf(l->path + length, sizeof l->path - length, "%s%s", *name ? "." : "", name);
        list_parts(l, t->member[i].type, offset + t->member[i].offset, depth + 1);
    }
    l->path[length] = 0;
}

// Writes the name of a type, with the dimensions of an array.
static void type_name(char out[RECORDING_NAME], const struct ptx_source_type *t)
{
    int at = snprintf(out, RECORDING_NAME, "%s", t->name);
    for (; t->kind == SOURCE_ARRAY && at >= 0 && at < RECORDING_NAME; t = t->of)
        at += snprintf(out + at, (size_t)(RECORDING_NAME - at), "%s[%llu]", strchr(out, '[') ? "" : " ",
                       (unsigned long long)t->count);
}

// ---------------------------------------------------------------- variables

// Returns 1 if values of the variable are in registers, in local memory or in parameters.
static int has_values(const struct ptx_module *m, const struct ptx_source_variable *v)
{
    for (uint32_t i = 0; i < v->nplaces; i++) {
        int space = v->place[i].storage == SOURCE_VARIABLE ? m->var[v->place[i].index].space : PTX_REG;
        if (space == PTX_REG || space == PTX_LOCAL || space == PTX_PARAM) return 1;
    }
    return 0;
}

// Adds the function to the list of functions, if any of its code comes from the student's source.
static void add_function(struct recorder *r, uint32_t func)
{
    struct record_function *f = &r->function[func];
    f->number = RECORDING_FUNCTIONS;
    int student = 0;
    for (uint32_t k = 0; k < r->program->nops && !student; k++)
        student = r->program->info[k].func == func && r->student[k];
    if (!student || r->head.nfunctions == RECORDING_FUNCTIONS) return;
    char name[FINDING_SYMBOL];
    demangle(name, r->program->module->func[func].name);
    f->number = r->head.nfunctions;
    name_of(r->head.function[r->head.nfunctions++], name);
}

static void add_variable(struct recorder *r, uint32_t func, const struct ptx_source_variable *v)
{
    struct recording *head = &r->head;
    struct listing l = {.r = r, .most = head->nparts + PARTS_OF_VARIABLE};
    uint32_t first = head->nparts;
    if (l.most > RECORDING_PARTS) l.most = RECORDING_PARTS;
    list_parts(&l, v->type, 0, 0);
    if (head->nparts == first || head->nvariables == RECORDING_VARIABLES) {
        head->nparts = first;
        return;
    }
    struct recording_variable *out = &head->variable[head->nvariables];
    name_of(out->name, v->name);
    type_name(out->type, v->type);
    out->function = r->function[func].number;
    out->line = v->line;
    out->first = first;
    out->parts = head->nparts - first;
    r->variable[head->nvariables++] = (struct record_variable){v, first, out->parts};
    r->function[func].variables++;
}

void describe_program(struct recorder *r)
{
    const struct ptx_module *m = r->program->module;
    r->function = alloc_zeroed(m->nfuncs, sizeof *r->function);
    r->variable = alloc_zeroed(RECORDING_VARIABLES, sizeof *r->variable);
    r->part = alloc_zeroed(RECORDING_PARTS, sizeof *r->part);
    r->head.array = alloc_zeroed(RECORDING_ARRAYS, sizeof *r->head.array);
    r->head.function = alloc_zeroed(RECORDING_FUNCTIONS, sizeof *r->head.function);
    r->head.variable = alloc_zeroed(RECORDING_VARIABLES, sizeof *r->head.variable);
    r->head.part = alloc_zeroed(RECORDING_PARTS, sizeof *r->head.part);
    for (uint32_t func = 0; func < m->nfuncs; func++) {
        add_function(r, func);
        r->function[func].first = r->head.nvariables;
        for (uint32_t i = 0; i < m->nsources && r->function[func].number < RECORDING_FUNCTIONS; i++)
            if (m->source[i].func == func && m->source[i].name[0] && has_values(m, &m->source[i]))
                add_variable(r, func, &m->source[i]);
    }
}

// ---------------------------------------------------------------- arrays

// Sets the element and the dimensions of an array that has the type `t` and `bytes` bytes.
static void shape_of(struct recording_array *a, const struct ptx_source_type *t, uint64_t bytes)
{
    a->ndims = 0;
    for (; t && t->kind == SOURCE_ARRAY && a->ndims < RECORDING_DIMS; t = t->of) a->dim[a->ndims++] = t->count;
    int scalar = t && is_scalar(t);
    a->kind = t ? kind_of(t) : RECORDING_UNSIGNED;
    a->bytes = (uint8_t)(scalar ? t->bytes : WORD);
    a->count = bytes / a->bytes;
    if (scalar) name_of(a->type, t->name);
    uint64_t rest = 1;
    for (uint32_t i = 1; i < a->ndims; i++) rest *= a->dim[i] && a->dim[i] < INT32_MAX ? a->dim[i] : 1;
    if (!a->ndims || !scalar || a->count % rest) a->ndims = 1, rest = 1;
    a->dim[0] = a->count / rest;
}

// Returns the source variable of a variable of the module, or NULL.
static const struct ptx_source_variable *source_of(const struct ptx_module *m, uint32_t var)
{
    for (uint32_t i = 0; i < m->nsources; i++) {
        const struct ptx_source_place *p = m->source[i].place;
        if (p->storage == SOURCE_VARIABLE && p->index == var && !p->offset) return &m->source[i];
    }
    return NULL;
}

static struct recording_array *add_array(struct recorder *r, uint64_t base, int32_t buffer)
{
    if (r->head.narrays == RECORDING_ARRAYS) return NULL;
    struct recording_array *a = &r->head.array[r->head.narrays++];
    *a = (struct recording_array){.base = base, .buffer = buffer};
    return a;
}

static void add_shared(struct recorder *r, const struct shared_extent *e)
{
    const struct ptx_module *m = r->program->module;
    if (e->var < 0 || e->hi <= e->lo) return;
    const struct ptx_source_variable *v = source_of(m, (uint32_t)e->var);
    char name[FINDING_SYMBOL];
    demangle(name, m->var[e->var].name);
    struct recording_array *a = add_array(r, SIM_SHARED_WINDOW + e->lo, -1);
    if (!a) return;
    name_of(a->name, v ? v->name : name);
    a->shared = 1;
    shape_of(a, v ? v->type : NULL, e->hi - e->lo);
    r->array_of_var[e->var] = (int32_t)(a - r->head.array);
}

// Adds the buffer that is argument `i` of the kernel. Its elements are what the parameter points to.
static void add_argument(struct recorder *r, uint32_t i)
{
    const struct engine_arg *arg = &r->launch->request->arg[i];
    const struct ptx_module *m = r->program->module;
    const struct ptx_func *f = &m->func[r->program->entry];
    if (arg->kind != ARG_BUFFER || arg->buffer < 0 || arg->buffer >= ENGINE_BUFFERS || i >= f->nparams) return;
    const struct sim_region *region = r->launch->memory->region[arg->buffer];
    if (!region || !region->alive || r->array_of_buffer[arg->buffer] >= 0) return;
    const struct ptx_source_variable *v = NULL;
    uint32_t nth = 0; // the parameters stand first among the variables of their function
    for (uint32_t k = 0; k < m->nsources && !v; k++)
        if (m->source[k].func == r->program->entry && m->source[k].parameter && nth++ == i) v = &m->source[k];
    struct recording_array *a = add_array(r, region->base, arg->buffer);
    if (!a) return;
    name_of(a->name, v ? v->name : "");
    shape_of(a, v && v->type->kind == SOURCE_POINTER ? v->type->of : NULL, region->bytes);
    r->array_of_buffer[arg->buffer] = (int32_t)(a - r->head.array);
}

// Adds the variables of device memory. What LAUNCH of warpwise.h defines is read by the grader alone, and left out.
static void add_device_variables(struct recorder *r)
{
    const struct ptx_module *m = r->program->module;
    for (uint32_t i = 0; i < r->launch->memory->nregions; i++) {
        const struct sim_region *region = r->launch->memory->region[i];
        if (!region || !region->alive || region->var < 0 || region->module != m) continue;
        const struct ptx_source_variable *v = source_of(m, (uint32_t)region->var);
        int launch = v && v->type->kind == SOURCE_STRUCT && !strcmp(v->type->name, "launch");
        struct recording_array *a = v && !launch ? add_array(r, region->base, -1) : NULL;
        if (!a) continue;
        name_of(a->name, v->name);
        shape_of(a, v->type, region->bytes);
        r->array_of_var[region->var] = (int32_t)(a - r->head.array);
    }
}

void describe_arrays(struct recorder *r)
{
    const struct sim_memory *m = r->launch->memory;
    r->head.narrays = 0;
    for (uint32_t i = 0; i < r->program->module->nvars; i++) r->array_of_var[i] = -1;
    for (uint32_t i = 0; i < ENGINE_BUFFERS; i++) r->array_of_buffer[i] = -1;
    for (uint32_t i = 0; i < m->nextents; i++) add_shared(r, &m->extent[i]);
    for (uint32_t i = 0; i < r->launch->request->nargs; i++) add_argument(r, i);
    add_device_variables(r);
    r->cells = 0;
    for (uint32_t i = 0; i < r->head.narrays; i++)
        for (uint32_t b = 0; b < r->head.nblocks; b++) {
            const struct recording_array *a = &r->head.array[i];
            uint32_t *first = &r->first_cell[i * RECORDING_BLOCKS + b];
            int own = a->shared || !b;
            if (!own)
                *first = first[-1];
            else if (a->count > CELLS_MOST - r->cells)
                *first = RECORDING_NO_ARRAY;
            else
                *first = r->cells, r->cells += (uint32_t)a->count;
        }
}
