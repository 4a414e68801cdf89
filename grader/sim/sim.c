// The engine's operations: loads an image, lowers its kernels, checks a launch as a device's driver would, runs it.
//
// All kernels are lowered when the image is loaded, so that what is not supported is refused then, with its line.
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/die.h"
#include "base/text.h"
#include "device/occupancy.h"
#include "device/profile.h"
#include "ptx/ptx.h"
#include "sim/grid.h"
#include "sim/memory.h"
#include "sim/observe.h"
#include "sim/plan.h"

#define BUDGET_DEFAULT ((uint64_t)256 << 20) // warp instructions

struct engine {
    const struct device_profile *device;
    uint32_t threads;
    const struct sim_handlers *handlers;
    struct ptx_module *module;
    struct sim_memory *memory;
    struct arena arena; // of the programs
    struct sim_program *program[ENGINE_KERNELS];
    struct engine_image image;
};

static struct engine *sim_open(const struct engine_options *options, char message[OBSERVATION_MESSAGE])
{
    const struct device_profile *device = device_find(options ? options->device : NULL);
    if (!device) {
        snprintf(message, OBSERVATION_MESSAGE, "no device profile '%.64s'", options->device);
        return NULL;
    }
    const char *units = options ? options->units : NULL;
    const struct sim_handlers *handlers = lower_handlers(units);
    if (!handlers) {
        snprintf(message, OBSERVATION_MESSAGE, "this machine has no vector units '%.64s'", units);
        return NULL;
    }
    struct engine *e = calloc(1, sizeof *e);
    if (!e) die("out of memory");
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    e->device = device;
    e->handlers = handlers;
    e->threads = options && options->threads ? options->threads : cores > 0 ? (uint32_t)cores : 1;
    return e;
}

static void unload(struct engine *e)
{
    if (e->memory) sim_memory_free(e->memory);
    arena_free(&e->arena);
    if (e->module) ptx_free(e->module);
    e->memory = NULL;
    e->module = NULL;
    memset(e->program, 0, sizeof e->program);
    memset(&e->image, 0, sizeof e->image);
}

static int describe_kernel(struct engine_kernel *k, const struct ptx_module *m, uint32_t func,
                           const struct sim_program *p, char message[OBSERVATION_MESSAGE])
{
    const struct ptx_func *f = &m->func[func];
    if (strlen(f->name) >= ENGINE_NAME) {
        snprintf(message, OBSERVATION_MESSAGE, "%u:%u: the kernel's name is longer than %d characters", f->line,
                 f->column, ENGINE_NAME - 1);
        return -1;
    }
    memcpy(k->name, f->name, strlen(f->name) + 1);
    k->params = f->nparams;
    for (uint32_t i = 0; i < f->nparams; i++) k->param_bytes[i] = (uint32_t)m->var[f->param[i]].bytes;
    k->registers = p->registers;
    k->shared_bytes = p->shared->charged_bytes;
    k->local_bytes = p->local_bytes;
    return 0;
}

static int lower_all(struct engine *e, char message[OBSERVATION_MESSAGE])
{
    for (uint32_t f = 0; f < e->module->nfuncs; f++) {
        if (!e->module->func[f].is_entry || !e->module->func[f].has_body) continue;
        uint32_t k = e->image.nkernels;
        if (k == ENGINE_KERNELS) {
            snprintf(message, OBSERVATION_MESSAGE, "more than %d kernels in one image", ENGINE_KERNELS);
            return -1;
        }
        e->program[k] = lower_kernel(e->module, f, e->memory, e->handlers, &e->arena, message);
        if (!e->program[k]) return -1;
        if (describe_kernel(&e->image.kernel[k], e->module, f, e->program[k], message)) return -1;
        e->image.nkernels++;
    }
    return 0;
}

static int sim_load_image(struct engine *e, const char *image, size_t bytes, struct engine_image *out,
                          char message[OBSERVATION_MESSAGE])
{
    struct ptx_error error = {0};
    unload(e);
    e->module = ptx_load(image, bytes, &error);
    if (!e->module) {
        snprintf(message, OBSERVATION_MESSAGE, "%u:%u: %s", error.line, error.column, error.message);
        return -1;
    }
    e->memory = sim_memory_new();
    if (sim_memory_add(e->memory, e->module)) {
        snprintf(message, OBSERVATION_MESSAGE, "the image's variables need too much memory");
        unload(e);
        return -1;
    }
    if (lower_all(e, message)) {
        unload(e);
        return -1;
    }
    *out = e->image;
    return 0;
}

static int64_t sim_symbol(struct engine *e, const char *name, void *data, size_t capacity)
{
    return e->module ? sim_memory_symbol(e->module, name, data, capacity) : -1;
}

static int sim_alloc(struct engine *e, uint64_t bytes, uint32_t element)
{
    return e->memory ? sim_memory_alloc(e->memory, bytes, element) : -1;
}

static int sim_write(struct engine *e, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison)
{
    return e->memory ? sim_memory_write(e->memory, buffer, offset, data, bytes, poison) : -1;
}

static int sim_read(struct engine *e, int buffer, int64_t offset, void *data, uint64_t bytes)
{
    return e->memory ? sim_memory_read(e->memory, buffer, offset, data, bytes) : -1;
}

// ---------------------------------------------------------------- launch

static const struct sim_program *find_kernel(const struct engine *e, const char name[ENGINE_NAME])
{
    for (uint32_t k = 0; k < e->image.nkernels; k++)
        if (!strncmp(e->image.kernel[k].name, name, ENGINE_NAME)) return e->program[k];
    return NULL;
}

#define REFUSE(...)                                                                                                    \
    do {                                                                                                               \
        snprintf(o->message, sizeof o->message, __VA_ARGS__);                                                          \
        return -1;                                                                                                     \
    } while (0)

static int check_arguments(struct engine *e, const struct engine_launch *q, const struct sim_program *p,
                           uint8_t *params, struct observation *o)
{
    const struct ptx_func *f = &p->module->func[p->entry];
    if (q->nargs != f->nparams) REFUSE("kernel '%s' takes %u arguments, not %u", f->name, f->nparams, q->nargs);
    for (uint32_t i = 0; i < q->nargs && i < ENGINE_ARGS; i++) {
        const struct engine_arg *a = &q->arg[i];
        uint64_t want = p->module->var[f->param[i]].bytes, have = a->kind == ARG_BUFFER ? 8 : a->bytes,
                 value = a->value;
        if (want != have)
            REFUSE("argument %u of kernel '%s' has %llu bytes, not %llu", i + 1, f->name, (unsigned long long)want,
                   (unsigned long long)have);
        if (have != 4 && have != 8) REFUSE("argument %u of kernel '%s' is neither 4 nor 8 bytes", i + 1, f->name);
        if (a->kind == ARG_BUFFER) value = a->buffer < 0 ? 0 : sim_memory_address(e->memory, a->buffer);
        if (a->kind == ARG_BUFFER && a->buffer >= 0 && !value)
            REFUSE("argument %u of kernel '%s' is no buffer", i + 1, f->name);
        memcpy(params + p->plan->param_offset[i], &value, have);
    }
    return 0;
}

static int check_shape(const struct engine *e, const struct engine_launch *q, const struct sim_program *p,
                       const struct shared_layout *shared, struct observation *o)
{
    static const uint32_t grid_most[3] = {0x7fffffff, 65535, 65535}, block_most[3] = {1024, 1024, 64};
    const struct ptx_func *f = &p->module->func[p->entry];
    uint64_t threads = (uint64_t)q->block[0] * q->block[1] * q->block[2], most = (uint64_t)e->device->threads_per_block;
    if (most > BLOCK_THREADS_MAX) most = BLOCK_THREADS_MAX;
    for (int i = 0; i < 3; i++) {
        if (!q->block[i]) REFUSE("a block of %u x %u x %u has no threads", q->block[0], q->block[1], q->block[2]);
        if (!q->grid[i]) REFUSE("a grid of %u x %u x %u has no blocks", q->grid[0], q->grid[1], q->grid[2]);
        if (q->grid[i] > grid_most[i])
            REFUSE("the grid has %u blocks in %c, more than %u", q->grid[i], "xyz"[i], grid_most[i]);
        if (q->block[i] > block_most[i])
            REFUSE("a block of %u threads in %c: at most %u are possible", q->block[i], "xyz"[i], block_most[i]);
    }
    if (threads > most)
        REFUSE("a block of %llu threads: at most %llu are possible", (unsigned long long)threads,
               (unsigned long long)most);
    uint64_t bound = 1, required = 1;
    for (int i = 0; i < 3; i++) {
        bound *= f->maxntid[i] ? f->maxntid[i] : 1;
        required *= f->reqntid[i] ? f->reqntid[i] : 1;
    }
    if (f->maxntid[0] && threads > bound)
        REFUSE("a block of %llu threads: the kernel's __launch_bounds__ allow %llu", (unsigned long long)threads,
               (unsigned long long)bound);
    if (f->reqntid[0] && threads != required)
        REFUSE("a block of %llu threads: the kernel requires %llu", (unsigned long long)threads,
               (unsigned long long)required);
    if (q->shared > e->device->shared_per_block || shared->charged_bytes > (uint64_t)e->device->shared_per_block)
        REFUSE("%llu bytes of shared memory in a block: the device has %lld",
               (unsigned long long)(q->shared > shared->charged_bytes ? q->shared : shared->charged_bytes),
               (long long)e->device->shared_per_block);
    uint64_t xy = (uint64_t)q->grid[0] * q->grid[1];
    if (xy > UINT64_MAX / q->grid[2] || xy * q->grid[2] > (uint64_t)1 << 40) REFUSE("the grid has too many blocks");
    return 0;
}

// 0 when the device could run it; the rest of the observation's static facts are filled in then.
static int prepare(struct engine *e, const struct engine_launch *q, struct grid *g, struct arena *arena,
                   struct observation *o)
{
    const struct sim_program *p = find_kernel(e, q->kernel);
    if (!p) REFUSE("there is no kernel '%.*s' in the image", ENGINE_NAME - 1, q->kernel);
    struct shared_layout shared = {0};
    if (q->shared <= e->device->shared_per_block) shared = sim_shared_layout(p->module, p->entry, q->shared, arena);
    if (check_shape(e, q, p, &shared, o)) return -1;
    if (check_arguments(e, q, p, g->params, o)) return -1;
    uint32_t threads = q->block[0] * q->block[1] * q->block[2];
    struct occupancy occupancy = occupancy_of(e->device, threads, p->registers, shared.charged_bytes);
    if (!occupancy.blocks)
        REFUSE("not one block fits a multiprocessor: %u registers a thread, %u bytes of shared memory", p->registers,
               shared.charged_bytes);
    o->registers = p->registers;
    o->shared_bytes = shared.charged_bytes;
    o->local_bytes = p->local_bytes;
    o->blocks_per_sm = occupancy.blocks;
    o->occupancy_permille = occupancy.permille;
    o->occupancy_limit = occupancy.limit;
    g->launch = (struct sim_launch){.request = q,
                                    .device = e->device,
                                    .program = p,
                                    .memory = e->memory,
                                    .checks = q->checks,
                                    .threads = threads,
                                    .warps = (threads + WARP_LANES - 1) / WARP_LANES,
                                    .nops = p->nops,
                                    .blocks = (uint64_t)q->grid[0] * q->grid[1] * q->grid[2],
                                    .blocks_per_sm = occupancy.blocks,
                                    .shared_bytes = shared.placed_bytes,
                                    .local_bytes = p->local_bytes};
    g->threads = e->threads;
    g->budget = q->budget ? q->budget : BUDGET_DEFAULT;
    return 0;
}

static void sim_launch_kernel(struct engine *e, const struct engine_launch *q, struct observation *o)
{
    struct grid *g = calloc(1, sizeof *g);
    struct arena arena = {0};
    if (!g) die("out of memory");
    memset(o, 0, sizeof *o);
    if (!e->module) {
        o->status = OBSERVED_BAD_LAUNCH;
        snprintf(o->message, sizeof o->message, "no image is loaded");
    } else if (prepare(e, q, g, &arena, o)) {
        o->status = OBSERVED_BAD_LAUNCH;
    } else {
        grid_run(g);
        observe_grid(g, o);
    }
    grid_free(g);
    arena_free(&arena);
    free(g);
}

static void sim_reset(struct engine *e)
{
    if (e->memory) sim_memory_reset(e->memory);
}

static void sim_close(struct engine *e)
{
    if (!e) return;
    unload(e);
    free(e);
}

const struct engine_ops sim_engine_ops = {
    .name = "sim",
    .open = sim_open,
    .load = sim_load_image,
    .symbol = sim_symbol,
    .alloc = sim_alloc,
    .write = sim_write,
    .read = sim_read,
    .launch = sim_launch_kernel,
    .reset = sim_reset,
    .close = sim_close,
};
