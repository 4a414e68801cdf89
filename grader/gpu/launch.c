// Launches one kernel, or several kernels whose time is measured together.
//
//   flush the L2 ─▶ event ─▶ kernel ─▶ kernel ─▶ … ─▶ event ─▶ wait
//
// The L2 cache is flushed by releasing its persisting lines and then writing memory of twice the cache's size. All
// launches of a measurement wait in a queue until the measurement's last launch arrives. When the last launch has
// arrived, the GPU runs the queued kernels without waiting for the host between two kernels. CUDA events have a
// resolution of half a microsecond (CUDA Driver API, cuEventElapsedTime).
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "gpu/card.h"

static const uint32_t SHARED_UNASKED =
    48 << 10; // maximum bytes of dynamic shared memory without opting in; CUDA C++ Programming Guide

static const struct {
    int error;
    enum finding_kind kind;
} fault[] = {
    {DRIVER_ILLEGAL_ADDRESS, FINDING_out_of_bounds},
    {DRIVER_MISALIGNED, FINDING_misaligned},
    {DRIVER_INVALID_SPACE, FINDING_bad_address},
    {DRIVER_ASSERT, FINDING_assertion},
    {DRIVER_STACK_ERROR, FINDING_bad_call},
    {DRIVER_INVALID_PC, FINDING_bad_call},
    {DRIVER_ILLEGAL_INSTRUCTION, FINDING_trap},
    {DRIVER_LAUNCH_FAILED, FINDING_trap},
    {DRIVER_TIMEOUT, FINDING_too_long},
};

// Records in the observation *o that the CUDA driver stopped the kernel. Sets e->spoilt, because the kernel's fault has
// broken the CUDA context.
static void observe_fault(struct engine *e, int error, struct observation *o)
{
    char words[160];
    e->spoilt = 1;
    driver_error(e->driver, error, words, sizeof words);
    o->status = OBSERVED_FAULT;
    message_print(o->message, sizeof o->message, "the card stopped the kernel: %s", words);
    for (size_t i = 0; i < sizeof fault / sizeof *fault; ++i) {
        if (fault[i].error != error) continue;
        struct finding *f = &o->finding[o->nfindings++];
        f->kind = (uint16_t)fault[i].kind;
        f->at.file = FILE_OTHER;
        f->buffer = -1;
        f->count = 1;
    }
}

static void refuse(struct observation *o, const char *message)
{
    o->status = OBSERVED_BAD_LAUNCH;
    snprintf(o->message, sizeof o->message, "%s", message);
}

static uint32_t fact(const struct engine *e, void *function, enum driver_function_fact which)
{
    int value = 0;
    return e->driver->function_fact(&value, which, function) || value < 0 ? 0 : (uint32_t)value;
}

static void observe_facts(const struct engine *e, void *function, const struct engine_launch *l, struct observation *o)
{
    int blocks = 0;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    o->registers = fact(e, function, FUNCTION_REGISTERS);
    o->shared_bytes = fact(e, function, FUNCTION_SHARED_BYTES) + l->shared;
    o->local_bytes = fact(e, function, FUNCTION_LOCAL_BYTES);
    o->blocks = o->blocks_run = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (!e->driver->resident(&blocks, function, (int)threads, l->shared) && blocks > 0)
        o->blocks_per_sm = (uint32_t)blocks;
}

// Stores the values of the launch's arguments in `value`; the value of a buffer is the buffer's address. Returns 0, or
// -1 if a buffer in the arguments does not exist.
static int find_values(struct engine *e, const struct engine_launch *l, uint64_t value[ENGINE_ARGS])
{
    for (uint32_t i = 0; i < l->nargs && i < ENGINE_ARGS; ++i) {
        const struct engine_arg *a = &l->arg[i];
        value[i] = a->kind == ARG_VALUE ? a->value : 0;
        if (a->kind != ARG_BUFFER || a->buffer < 0) continue;
        if (a->buffer >= ENGINE_BUFFERS || !e->buffer[a->buffer].data) return -1;
        value[i] = e->buffer[a->buffer].data;
    }
    return 0;
}

static int start(struct engine *e, struct gpu_queued *q)
{
    const struct engine_launch *l = &q->launch;
    void *pointer[ENGINE_ARGS];
    for (int i = 0; i < ENGINE_ARGS; ++i) pointer[i] = &q->value[i];
    return e->driver->launch(q->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                             l->shared, NULL, pointer, NULL);
}

// Enqueues all waiting launches of a measurement in the default stream. Returns 0, or an error code of the CUDA driver.
static int start_all(struct engine *e)
{
    const struct driver *d = e->driver;
    int error = 0;
    for (uint32_t i = 0; i < e->queued && !error; ++i)
        if (e->queue[i].launch.shared > SHARED_UNASKED)
            error = d->function_set(e->queue[i].function, FUNCTION_DYNAMIC_SHARED, (int)e->queue[i].launch.shared);
    if (!error && e->queue[0].launch.cold) error = d->reset_l2();
    if (!error && e->queue[0].launch.cold) error = d->fill(e->flush, e->fresh++, e->flush_bytes / 4, NULL);
    if (!error) error = d->record(e->start, NULL);
    for (uint32_t i = 0; i < e->queued && !error; ++i) error = start(e, &e->queue[i]);
    return error ? error : d->record(e->end, NULL);
}

static void run(struct engine *e, struct observation *o)
{
    char words[160];
    float ms = 0;
    int error = start_all(e), started = !error;
    if (started) error = e->driver->synchronize();
    if (!error) error = e->driver->elapsed(&ms, e->start, e->end);
    o->time_ps = (uint64_t)((double)ms * 1e9);
    if (!error) return;
    driver_error(e->driver, error, words, sizeof words);
    if (started || e->driver->synchronize())
        observe_fault(e, error, o);
    else
        refuse(o, words);
}

void gpu_launch(struct engine *e, const struct engine_launch *l, struct observation *o)
{
    struct gpu_queued *q = &e->queue[e->queued];
    char name[ENGINE_NAME + 1] = "";
    memset(o, 0, sizeof *o);
    memcpy(name, l->kernel, ENGINE_NAME);
    q->launch = *l;
    if (e->spoilt) {
        refuse(o, _("an earlier fault ended this process's use of the card"));
    } else if (e->queued + 1 == GPU_QUEUE && l->more) {
        refuse(o, _("too many launches in one measurement"));
    } else if (!e->module || e->driver->function(&q->function, e->module, name)) {
        refuse(o, _("there is no such kernel in the image"));
    } else if (find_values(e, l, q->value)) {
        refuse(o, _("an argument is not a buffer"));
    } else {
        observe_facts(e, q->function, l, o);
        ++e->queued;
        if (l->more) return;
        run(e, o);
    }
    e->queued = 0;
}
