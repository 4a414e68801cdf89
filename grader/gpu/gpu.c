// Implements the gpu engine's functions that find and open a GPU, load an image, and describe the image's kernels.
//
// The image is a cubin for the engine's GPU, or PTX that the CUDA driver compiles. The image comes from the student,
// but only the CUDA driver parses the image. The judge checks the driver's description of the kernels with the
// functions of wire/wire_check.c, like all other data from a runner process.
#include "gpu/gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "gpu/card.h"

enum { PRINTF_BYTES = 1 << 20, CONTEXT_FLUSHES = 2 };

// ---------------------------------------------------------------------------------------------------------------- GPUs
// Derives the short name of a GPU from the GPU's name in the driver: "rtx4070" from "NVIDIA GeForce RTX 4070", "t4"
// from "Tesla T4", "a100sxm440gb" from "NVIDIA A100-SXM4-40GB".
static void short_name(const char *title, char name[32])
{
    static const char *const family[] = {"NVIDIA", "GeForce", "Tesla", "Quadro"};
    size_t length = 0;
    while (*title) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof family / sizeof *family; ++i)
            if (!strncmp(title, family[i], strlen(family[i]))) skip = strlen(family[i]);
        title += skip;
        if (!skip && isalnum((unsigned char)*title) && length < 31)
            name[length++] = (char)tolower((unsigned char)*title);
        title += !skip;
    }
    name[length] = '\0';
}

static uint32_t fact(const struct driver *d, int device, enum driver_device_fact which)
{
    int value = 0;
    return d->device_fact(&value, which, device) || value < 0 ? 0 : (uint32_t)value;
}

static int describe(const struct driver *d, int index, struct gpu_card *card)
{
    int device, version = 0;
    size_t memory = 0;
    memset(card, 0, sizeof *card);
    card->index = index;
    if (d->device(&device, index) || d->device_name(card->title, sizeof card->title, device)) return -1;
    card->title[sizeof card->title - 1] = '\0';
    short_name(card->title, card->name);
    d->version(&version);
    d->device_memory(&memory, device);
    d->device_bus(card->bus, sizeof card->bus, device);
    card->driver = version > 0 ? (uint32_t)version : 0;
    card->memory_bytes = memory;
    card->sms = fact(d, device, FACT_SMS);
    card->shared_per_block = fact(d, device, FACT_SHARED_OPTIN);
    card->capability = 10 * fact(d, device, FACT_MAJOR) + fact(d, device, FACT_MINOR);
    card->l2_bytes = fact(d, device, FACT_L2_BYTES);
    // DRAM transfers data twice per clock; the bus width is in bits.
    card->dram_mbs = 2 * (uint64_t)fact(d, device, FACT_MEMORY_CLOCK_KHZ) * fact(d, device, FACT_BUS_BITS) / 8 / 1000;
    return 0;
}

int gpu_card_find(const char *name, struct gpu_card *card)
{
    char why[OBSERVATION_MESSAGE], *end;
    int count = 0;
    const struct driver *d = driver_open(why, sizeof why);
    if (!d || d->device_count(&count)) return -1;
    long index = strtol(name, &end, 10);
    if (*name && !*end) return index >= 0 && index < count ? describe(d, (int)index, card) : -1;
    for (int i = 0; i < count; ++i)
        if (!describe(d, i, card) && (!*name || !strcmp(card->name, name))) return 0;
    return -1;
}

// ---------------------------------------------------------------------------------------------------------------- life
static void gpu_close(struct engine *e)
{
    if (!e) return;
    // A broken context cannot free memory. The process ends soon, and the driver then frees all memory.
    if (!e->spoilt) {
        gpu_buffer_free_all(e);
        if (e->flush) e->driver->free(e->flush);
        if (e->module) e->driver->unload(e->module);
    }
    text_free(&e->image);
    free(e);
}

static int enter(struct engine *e)
{
    const struct driver *d = e->driver;
    void *context;
    int device, error = d->device(&device, e->card.index);
    if (!error) error = d->retain(&context, device);
    if (!error) error = d->set_current(context);
    if (!error) error = d->set_limit(LIMIT_PRINTF_BYTES, PRINTF_BYTES);
    if (!error) error = d->event(&e->start, 0);
    if (!error) error = d->event(&e->end, 0);
    e->flush_bytes = CONTEXT_FLUSHES * (e->card.l2_bytes ? e->card.l2_bytes : 64 << 20);
    if (!error) error = d->alloc(&e->flush, e->flush_bytes);
    return error;
}

static struct engine *gpu_open(const struct engine_options *options, char message[OBSERVATION_MESSAGE])
{
    const struct driver *d = driver_open(message, OBSERVATION_MESSAGE);
    if (!d) return NULL;
    struct engine *e = alloc_zeroed(1, sizeof *e);
    e->driver = d;
    const char *name = options && options->device ? options->device : "";
    if (gpu_card_find(name, &e->card)) {
        message_print(message, OBSERVATION_MESSAGE, "there is no card '%.60s'", name);
        free(e);
        return NULL;
    }
    int error = enter(e);
    if (!error) return e;
    driver_error(d, error, message, OBSERVATION_MESSAGE);
    gpu_close(e);
    return NULL;
}

// --------------------------------------------------------------------------------------------------------------- image
static uint32_t function_fact(const struct driver *d, void *function, enum driver_function_fact which)
{
    int value = 0;
    return d->function_fact(&value, which, function) || value < 0 ? 0 : (uint32_t)value;
}

static int describe_kernel(const struct driver *d, void *function, struct engine_kernel *k)
{
    const char *name = NULL;
    size_t offset, bytes;
    if (d->function_name(&name, function) || !name || strlen(name) >= ENGINE_NAME) return -1;
    memcpy(k->name, name, strlen(name) + 1);
    while (k->params < 4096 && !d->parameter(function, k->params, &offset, &bytes)) {
        if (k->params < ENGINE_ARGS) k->param_bytes[k->params] = (uint32_t)bytes;
        ++k->params;
    }
    k->registers = function_fact(d, function, FUNCTION_REGISTERS);
    k->shared_bytes = function_fact(d, function, FUNCTION_SHARED_BYTES);
    k->local_bytes = function_fact(d, function, FUNCTION_LOCAL_BYTES);
    return 0;
}

static int describe_image(const struct engine *e, struct engine_image *image, char message[OBSERVATION_MESSAGE])
{
    void *function[ENGINE_KERNELS];
    unsigned count = 0;
    memset(image, 0, sizeof *image);
    if (e->driver->functions(&count, e->module) || count > ENGINE_KERNELS ||
        e->driver->list_functions(function, count, e->module)) {
        message_print(message, OBSERVATION_MESSAGE, "more than %d kernels in one image", ENGINE_KERNELS);
        return -1;
    }
    for (unsigned i = 0; i < count; ++i)
        image->nkernels += !describe_kernel(e->driver, function[i], &image->kernel[image->nkernels]);
    return 0;
}

static int load_module(struct engine *e, char message[OBSERVATION_MESSAGE])
{
    if (e->module) e->driver->unload(e->module);
    e->module = NULL;
    int error = e->driver->load(&e->module, e->image.data, 0, NULL, NULL);
    if (error) driver_error(e->driver, error, message, OBSERVATION_MESSAGE);
    return error ? -1 : 0;
}

static int gpu_load(struct engine *e, const char *image, size_t bytes, struct engine_image *out,
                    char message[OBSERVATION_MESSAGE])
{
    text_free(&e->image);
    text_add(&e->image, image, bytes); // struct text ends with a NUL, which the driver requires after PTX
    return load_module(e, message) || describe_image(e, out, message) ? -1 : 0;
}

static int gpu_restore(struct engine *e)
{
    return e->spoilt || !e->image.data || load_module(e, e->why) ? -1 : 0;
}

static int64_t gpu_symbol(struct engine *e, const char *name, void *data, size_t capacity)
{
    uint64_t address;
    size_t bytes;
    if (!e->module || e->driver->variable(&address, &bytes, e->module, name)) return -1;
    return e->driver->copy_out(data, address, bytes < capacity ? bytes : capacity) ? -1 : (int64_t)bytes;
}

static void gpu_reset(struct engine *e)
{
    if (e->spoilt) return;
    gpu_buffer_free_all(e);
    gpu_restore(e);
}

const struct engine_ops gpu_engine_ops = {
    .name = "gpu",
    .open = gpu_open,
    .load = gpu_load,
    .symbol = gpu_symbol,
    .alloc = gpu_buffer_alloc,
    .write = gpu_buffer_write,
    .read = gpu_buffer_read,
    .launch = gpu_launch,
    .renew = gpu_buffer_renew,
    .restore = gpu_restore,
    .health = gpu_health,
    .reset = gpu_reset,
    .close = gpu_close,
};
