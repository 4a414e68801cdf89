// Implements the engine's operations with the simulator: loads an image, manages its buffers, and launches kernels with
// the arguments that a request names.
//
// When an image (a compiled CUDA module) is loaded, all its kernels are lowered, i.e. translated to the simulator's
// ops. An unsupported instruction is therefore reported when the image is loaded, with the instruction's line.
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "device/profile.h"
#include "ptx/ptx.h"
#include "sim/core/plan.h"
#include "sim/core/region.h"
#include "sim/image.h"
#include "sim/lower_kernel.h"
#include "sim/machine/allocator.h"
#include "sim/machine/memory.h"
#include "sim/machine/sampling_plan.h"
#include "sim/record/recorder.h"
#include "sim/sim_run.h"

struct engine {
    const struct device_profile *device;
    uint32_t threads;
    const struct sim_handlers *handlers;
    struct sim_image *loaded;
    struct sim_memory *memory;
    const struct sim_program *program[ENGINE_KERNELS];
    struct sampling_memo memo[ENGINE_KERNELS]; // of the latest sampled launch of each kernel
    struct engine_image image;
    struct text recording; // of the latest launch that was recorded
};

static struct engine *sim_open(const struct engine_options *options, char message[OBSERVATION_MESSAGE])
{
    const struct device_profile *device = device_profile_find(options ? options->device : NULL);
    if (!device) {
        message_print(message, OBSERVATION_MESSAGE, "no device profile '%.64s'", options->device);
        return NULL;
    }
    const char *units = options ? options->units : NULL;
    const struct sim_handlers *handlers = lower_kernel_handlers(units);
    if (!handlers) {
        message_print(message, OBSERVATION_MESSAGE, "this machine has no vector units '%.64s'", units);
        return NULL;
    }
    struct engine *e = alloc_zeroed(1, sizeof *e);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    e->device = device;
    e->handlers = handlers;
    e->threads = options && options->threads ? options->threads : cores > 0 ? (uint32_t)cores : 1;
    return e;
}

static void unload(struct engine *e)
{
    sim_memory_free(e->memory);
    sim_image_free(e->loaded);
    e->memory = NULL;
    e->loaded = NULL;
    memset(e->program, 0, sizeof e->program);
    memset(e->memo, 0, sizeof e->memo);
    memset(&e->image, 0, sizeof e->image);
}

static int describe_kernel(struct engine_kernel *k, const struct ptx_module *m, uint32_t func,
                           const struct sim_program *p, char message[OBSERVATION_MESSAGE])
{
    const struct ptx_func *f = &m->func[func];
    if (strlen(f->name) >= ENGINE_NAME) {
        message_print(message, OBSERVATION_MESSAGE, "%u:%u: the kernel's name is longer than %d characters", f->line,
                      f->column, ENGINE_NAME - 1);
        return -1;
    }
    memcpy(k->name, f->name, strlen(f->name) + 1);
    k->params = f->nparams;
    for (uint32_t i = 0; i < f->nparams && i < ENGINE_ARGS; i++)
        k->param_bytes[i] = (uint32_t)m->var[f->param[i]].bytes;
    k->registers = p->registers;
    k->shared_bytes = p->shared->charged_bytes;
    k->local_bytes = p->local_bytes;
    return 0;
}

static int lower_all(struct engine *e, char message[OBSERVATION_MESSAGE])
{
    const struct ptx_module *m = sim_image_module(e->loaded);
    for (uint32_t f = 0; f < m->nfuncs; f++) {
        if (!m->func[f].is_entry || !m->func[f].has_body) continue;
        uint32_t k = e->image.nkernels;
        if (k == ENGINE_KERNELS) {
            message_print(message, OBSERVATION_MESSAGE, "more than %d kernels in one image", ENGINE_KERNELS);
            return -1;
        }
        e->program[k] = sim_image_program(e->loaded, f, message);
        if (!e->program[k]) return -1;
        if (describe_kernel(&e->image.kernel[k], m, f, e->program[k], message)) return -1;
        e->image.nkernels++;
    }
    return 0;
}

static int sim_load_image(struct engine *e, const char *image, size_t bytes, struct engine_image *out,
                          char message[OBSERVATION_MESSAGE])
{
    struct ptx_error error = {0};
    unload(e);
    struct ptx_module *module = ptx_load(image, bytes, &error);
    if (!module) {
        if (error.source_line)
            message_print(message, OBSERVATION_MESSAGE, "%u:%u: %s, which line %u made", error.line, error.column,
                          error.message, error.source_line);
        else
            message_print(message, OBSERVATION_MESSAGE, "%u:%u: %s", error.line, error.column, error.message);
        return -1;
    }
    e->memory = sim_memory_new();
    e->loaded = sim_image_new(module, e->memory, e->handlers, message);
    if (!e->loaded || lower_all(e, message)) {
        int why = e->loaded && sim_image_undefined(e->loaded) ? ENGINE_UNDEFINED : -1;
        unload(e);
        return why;
    }
    *out = e->image;
    return 0;
}

static int64_t sim_symbol(struct engine *e, const char *name, void *data, size_t capacity)
{
    return e->loaded ? sim_memory_symbol(sim_image_module(e->loaded), name, data, capacity) : -1;
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

static int sim_renew(struct engine *e, int buffer, int from, uint32_t word)
{
    return e->memory ? sim_memory_renew(e->memory, buffer, from, word) : -1;
}

static int sim_restore(struct engine *e)
{
    if (e->memory) sim_memory_initialise(e->memory);
    return e->memory ? 0 : -1;
}

// ---------------------------------------------------------------- launch

// Returns the index of a kernel in the image, or -1 if the image has no kernel of this name.
static int find_kernel(const struct engine *e, const char name[ENGINE_NAME])
{
    for (uint32_t k = 0; k < e->image.nkernels; k++)
        if (!strncmp(e->image.kernel[k].name, name, ENGINE_NAME)) return (int)k;
    return -1;
}

#define REFUSE(...)                                                                                                    \
    do {                                                                                                               \
        message_print(o->message, sizeof o->message, __VA_ARGS__);                                                     \
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

static int find_and_check(struct engine *e, const struct engine_launch *q, int *kernel, uint8_t *params,
                          struct observation *o)
{
    if (!e->loaded) REFUSE("no image is loaded");
    *kernel = find_kernel(e, q->kernel);
    if (*kernel < 0) REFUSE("there is no kernel '%.*s' in the image", ENGINE_NAME - 1, q->kernel);
    return check_arguments(e, q, e->program[*kernel], params, o);
}

static void sim_launch_kernel(struct engine *e, const struct engine_launch *q, struct observation *o)
{
    uint8_t params[PLAN_PARAM_BYTES] = {0};
    int kernel = -1;
    memset(o, 0, sizeof *o);
    if (find_and_check(e, q, &kernel, params, o)) {
        o->status = OBSERVED_BAD_LAUNCH;
        return;
    }
    const struct sim_program *program = e->program[kernel];
    if (program->plan->allocates && allocator_open(e->memory, -1, ALLOCATOR_HEAP_BYTES))
        alloc_failed(ALLOCATOR_HEAP_BYTES);
    struct recorder *recorder = q->record ? recorder_new(program, q) : NULL;
    sim_run(
        &(struct sim_run){
            .device = e->device,
            .threads = e->threads,
            .memory = e->memory,
            .program = program,
            .memo = &e->memo[kernel],
            .request = q,
            .params = params,
            .print_bytes = OBSERVATION_PRINT,
            .watcher = recorder ? recorder_watcher(recorder) : NULL,
        },
        o);
    if (recorder) {
        e->recording.length = 0;
        if (o->status == OBSERVED_OK || o->status == OBSERVED_FAULT) recorder_write(recorder, &e->recording);
        recorder_free(recorder);
    }
}

static int64_t sim_recording(struct engine *e, void *data, size_t capacity)
{
    if (!e->recording.length || e->recording.length > capacity) return -1;
    memcpy(data, e->recording.data, e->recording.length);
    return (int64_t)e->recording.length;
}

static void sim_reset(struct engine *e)
{
    if (e->memory) sim_memory_reset(e->memory);
}

static void sim_close(struct engine *e)
{
    if (!e) return;
    unload(e);
    text_free(&e->recording);
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
    .recording = sim_recording,
    .renew = sim_renew,
    .restore = sim_restore,
    .reset = sim_reset,
    .close = sim_close,
};
