// Implements the functions that a lab's plan(), fill(), expect() and technique() call, and finds labs by name. A plan's
// arena owns all memory that the plan's buffers use.
//
// A plan (struct lab_plan) lists the buffers and kernel launches of a test case. The lab determines the buffers,
// problem sizes and kernel arguments of each test case's plan. The student's image determines the launch shapes, such
// as the block size of each kernel. The lab belongs to the grader, so a lab that exceeds a limit is a BUG(). The launch
// shape belongs to the student, so a launch shape that breaks the lab's contract puts a sentence into plan->rejected.
#include "lab/lab.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"

const struct lab *lab_find(const char *name)
{
    for (int i = 0; lab_all[i]; ++i) {
        const struct lab *lab = lab_all[i];
        if (!strcmp(name, lab->name) || !strcmp(name, lab->slug)) return lab;
        if (!strncmp(lab->name, "lab", 3) && !strcmp(name, lab->name + 3)) return lab;
    }
    return NULL;
}

const struct lab_case *lab_speed_case(const struct lab *lab)
{
    for (uint32_t i = 0; i < lab->ncases; ++i)
        if (lab->cases[i].flags & CASE_SPEED) return &lab->cases[i];
    BUG("'%s' has no speed case", lab->name);
}

int lab_buffer(struct lab_plan *p, const char *name, enum lab_type type, enum lab_role role, uint64_t count)
{
    BUG_ON(p->nbuffers >= LAB_BUFFERS);
    struct lab_buffer *b = &p->buffer[p->nbuffers];
    *b = (struct lab_buffer){.name = name, .type = type, .role = role, .count = count};
    if (role == LAB_INPUT || role == LAB_UPDATE) b->data = arena_array(p->arena, count, sizeof(uint32_t));
    return (int)p->nbuffers++;
}

static uint32_t clamp(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static uint32_t given(int64_t value, uint32_t otherwise)
{
    return value ? clamp((uint64_t)value) : otherwise;
}

void lab_grid(const struct lab_plan *p, uint32_t kernel, const uint64_t extent[3], uint32_t grid[3])
{
    BUG_ON(kernel >= LAB_KERNELS);
    const struct lab_shape *s = &p->shape[kernel];
    int fixed = s->grid[0] || s->grid[1] || s->grid[2];
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t tile = given(s->tile[axis], given(s->block[axis], 1));
        if (fixed)
            grid[axis] = given(s->grid[axis], 1);
        else if (s->per_sm)
            grid[axis] = axis ? 1 : clamp((uint64_t)s->per_sm * given(p->sms, 1));
        else
            grid[axis] = clamp(extent[axis] / tile + (extent[axis] % tile != 0));
    }
}

// Adds a kernel launch, described by a struct lab_step, to the plan of a test case. The problem that the kernel solves
// has x × y × z elements. For a problem of 0 elements, lab_step() adds no launch to the plan, but still returns a
// struct lab_step, so that the caller can add arguments. The next call of lab_step() overwrites the struct lab_step of
// a problem of 0 elements.
struct lab_step *lab_step(struct lab_plan *p, uint32_t kernel, uint64_t x, uint64_t y, uint64_t z)
{
    BUG_ON(p->nsteps >= LAB_STEPS || kernel >= LAB_KERNELS || !p->lab->kernel[kernel]);
    struct lab_step *s = &p->step[p->nsteps];
    *s = (struct lab_step){.kernel = kernel, .extent = {x, y, z}};
    const struct lab_shape *shape = &p->shape[kernel];
    snprintf(s->launch.kernel, sizeof s->launch.kernel, "%s", p->lab->kernel[kernel]);
    lab_grid(p, kernel, s->extent, s->launch.grid);
    for (int axis = 0; axis < 3; ++axis) s->launch.block[axis] = given(shape->block[axis], 1);
    s->launch.shared = (uint32_t)shape->shared;
    if (x && y && z) ++p->nsteps;
    return s;
}

static struct engine_arg *next_arg(struct lab_step *s)
{
    BUG_ON(s->launch.nargs >= ENGINE_ARGS);
    return &s->launch.arg[s->launch.nargs++];
}

void lab_arg_buffer(struct lab_step *s, int buffer)
{
    *next_arg(s) = (struct engine_arg){.kind = ARG_BUFFER, .bytes = 8, .buffer = buffer};
}

void lab_arg_u32(struct lab_step *s, uint32_t value)
{
    *next_arg(s) = (struct engine_arg){.kind = ARG_VALUE, .bytes = 4, .buffer = -1, .value = value};
}

void lab_arg_f32(struct lab_step *s, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    lab_arg_u32(s, bits);
}

void lab_reject(struct lab_plan *p, const char *format, ...)
{
    if (p->rejected[0]) return;
    va_list args;
    va_start(args, format);
    message_vprint(p->rejected, sizeof p->rejected, format, args);
    va_end(args);
}

void lab_expected(struct lab_plan *p, int buffer, int bounded)
{
    BUG_ON(buffer < 0 || (uint32_t)buffer >= p->nbuffers);
    struct lab_buffer *b = &p->buffer[buffer];
    BUG_ON(b->role != LAB_OUTPUT && b->role != LAB_UPDATE);
    if (b->expected)
        memset(b->expected, 0, b->count * sizeof(double));
    else
        b->expected = arena_array(p->arena, b->count, sizeof(double));
    if (bounded && !b->bound) b->bound = arena_array(p->arena, b->count, sizeof(double));
}

void lab_technique(struct lab_techniques *t, int holds, const char *format, ...)
{
    BUG_ON(t->count >= LAB_TECHNIQUES);
    struct lab_technique *item = &t->item[t->count++];
    item->holds = holds != 0;
    va_list args;
    va_start(args, format);
    message_vprint(item->text, sizeof item->text, format, args);
    va_end(args);
}

struct lab_traffic lab_traffic_of(const struct counters *c)
{
    uint64_t sectors = c->global_atom_sectors + c->global_red_sectors, bytes = 8 * c->global_atomic_threads;
    if (bytes > 32 * sectors) bytes = 32 * sectors; // atomics of 4 bytes on neighbouring words
    uint64_t passes = c->shared_atom_wavefronts,
             conflicts = passes > c->shared_atom_inst ? passes - c->shared_atom_inst : 0;
    return (struct lab_traffic){.ld_sectors = c->global_ld_sectors + sectors,
                                .st_sectors = c->global_st_sectors + sectors,
                                .ld_bytes = c->global_ld_bytes + bytes,
                                .st_bytes = c->global_st_bytes + bytes,
                                .shared_ld = c->shared_ld_inst + c->shared_atom_inst,
                                .shared_st = c->shared_st_inst + c->shared_atom_inst,
                                .shared_ld_conflicts = c->shared_ld_conflicts + conflicts,
                                .shared_st_conflicts = c->shared_st_conflicts + conflicts};
}

void lab_advice(struct lab_techniques *t, const char *advice)
{
    BUG_ON(!t->count);
    struct lab_technique *item = &t->item[t->count - 1];
    size_t used = strlen(item->text);
    if (!item->holds) snprintf(item->text + used, sizeof item->text - used, ": %s", _(advice));
}

void lab_use(const struct lab_evidence *e, struct lab_techniques *t, int use, const char *what)
{
    const struct lab *lab = e->plan->lab;
    if (e->used[use] >= LAB_USED) return;
    lab_technique(t, 0, "%.0f %% of the results of %s depend on %s; at least %.0f %% are needed", 100 * e->used[use],
                  lab->kernel[lab->use[use].kernel], _(what), 100 * LAB_USED);
}
