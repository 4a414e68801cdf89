// A CUDA driver for tests: libcuda.so.1 with one card of its own, so that everything between ./grade and a driver runs
// on machines that have neither. Start the grader with LD_LIBRARY_PATH on the folder of this library.
//
// The card's memory is the process's. It knows the two kernels of lab 5, which the processor computes, and takes PTX
// alone (a compiler named clang); of an image it reads which of them are there, the variables' initial bytes, and
// whether there is a block's barrier, which costs time. Its clock goes on by what a launch is said to take and by
// nothing else. What it should be like stands in a file beside the library, card.txt, a word and a value a line:
//
//   title TEXT        the card's name
//   us N              of a kernel without a barrier of the block; one with it takes ten times as long
//   fails N           the CUresult of each launch of a kernel without a barrier
//   driver N          of which CUDA; 0: there is no card
//   capability N      10 * major + minor; PTX for a newer one is refused
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/driver.h"

// Each function by the name that the engine has for it, exported under the driver's.
#define DRIVER(name, symbol, parameters, since) int fake_##name parameters __asm__(symbol);
#include "gpu/driver.def"
#undef DRIVER

enum { KERNELS = 2, INVALID = 1, BARRIER_COSTS = 10 };
static struct {
    char title[64];
    double us;
    int fails, driver, capability;
} card = {"Fake One", 150, 0, 13000, 80};

static void row_sums(void **argument);
static void softmax(void **argument);
static const struct kernel {
    const char *name;
    void (*run)(void **argument);
} known[KERNELS] = {{"row_sums", row_sums}, {"softmax", softmax}};

static struct module {
    char *image;
    int barrier;
} module;
static double now_us;
static int spoilt; // the error that every call answers with from then on

// ------------------------------------------------------------------------------------------------------------- kernels
static void row_sums(void **argument)
{
    const float *in = *(float **)argument[0];
    float *sums = *(float **)argument[1];
    int rows = *(int *)argument[2], cols = *(int *)argument[3];
    for (int row = 0; row < rows; ++row) {
        float sum = 0;
        for (int c = 0; c < cols; ++c) sum += in[(size_t)row * (size_t)cols + (size_t)c];
        sums[row] = sum;
    }
}

static void softmax(void **argument)
{
    const float *in = *(float **)argument[0];
    float *out = *(float **)argument[1];
    int rows = *(int *)argument[2], cols = *(int *)argument[3];
    for (int row = 0; row < rows; ++row, in += cols, out += cols) {
        float most = in[0], sum = 0;
        for (int c = 1; c < cols; ++c) most = in[c] > most ? in[c] : most;
        for (int c = 0; c < cols; ++c) sum += out[c] = expf(in[c] - most);
        for (int c = 0; c < cols; ++c) out[c] /= sum;
    }
}

// -------------------------------------------------------------------------------------------------------- card, memory
static void read_card(void)
{
    Dl_info here;
    char path[4096], line[256], word[32], value[sizeof card.title];
    if (!dladdr(&card, &here)) return;
    snprintf(path, sizeof path, "%s", here.dli_fname);
    snprintf(strrchr(path, '/') + 1, 9, "card.txt");
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%31s %63[^\n]", word, value) != 2) continue;
        if (!strcmp(word, "title")) snprintf(card.title, sizeof card.title, "%s", value);
        if (!strcmp(word, "us")) card.us = strtod(value, NULL);
        if (!strcmp(word, "fails")) card.fails = atoi(value);
        if (!strcmp(word, "driver")) card.driver = atoi(value);
        if (!strcmp(word, "capability")) card.capability = atoi(value);
    }
    if (file) fclose(file);
}

int fake_init(unsigned flags)
{
    read_card();
    return (int)flags;
}

int fake_version(int *version)
{
    *version = card.driver;
    return 0;
}

int fake_error_name(int error, const char **name)
{
    *name = error == DRIVER_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_FAKE";
    return 0;
}

int fake_error_text(int error, const char **text)
{
    *text = error == DRIVER_ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "the fake was told to";
    return 0;
}

int fake_device_count(int *count)
{
    *count = card.driver != 0;
    return 0;
}

int fake_device(int *device, int index)
{
    *device = index;
    return 0;
}

int fake_device_name(char *name, int bytes, int device)
{
    (void)device;
    snprintf(name, (size_t)bytes, "%s", card.title);
    return 0;
}

// The bus moves 128 GB/s.
int fake_device_fact(int *value, int attribute, int device)
{
    const int fact[] = {
        [FACT_CLOCK_KHZ] = 1000000,          [FACT_SMS] = 40,
        [FACT_MEMORY_CLOCK_KHZ] = 1000000,   [FACT_BUS_BITS] = 512,
        [FACT_L2_BYTES] = 4 << 20,           [FACT_MAJOR] = card.capability / 10,
        [FACT_MINOR] = card.capability % 10, [FACT_SHARED_OPTIN] = 64 << 10,
    };
    (void)device;
    *value = attribute < (int)(sizeof fact / sizeof *fact) ? fact[attribute] : 0;
    return 0;
}

int fake_device_memory(size_t *bytes, int device)
{
    *bytes = (size_t)4 << 30;
    return device;
}

int fake_device_bus(char *id, int bytes, int device)
{
    snprintf(id, (size_t)bytes, "00000000:%02X:00.0", device + 1);
    return 0;
}

int fake_retain(void **context, int device)
{
    *context = &card;
    return device;
}

int fake_set_current(void *context)
{
    return context == &card ? 0 : INVALID;
}

int fake_set_limit(int limit, size_t value)
{
    (void)limit, (void)value;
    return 0;
}

int fake_reset_l2(void)
{
    return spoilt;
}

int fake_synchronize(void)
{
    return spoilt;
}

int fake_alloc(uint64_t *address, size_t bytes)
{
    void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    *address = (uint64_t)(uintptr_t)memory;
    return memory ? 0 : DRIVER_NO_MEMORY;
}

int fake_free(uint64_t address)
{
    free((void *)(uintptr_t)address);
    return 0;
}

int fake_copy_in(uint64_t to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return spoilt;
}

int fake_copy_out(void *to, uint64_t from, size_t bytes)
{
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return spoilt;
}

int fake_copy_within(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    (void)stream;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return spoilt;
}

int fake_fill(uint64_t address, unsigned word, size_t words, void *stream)
{
    unsigned *at = (void *)(uintptr_t)address;
    (void)stream;
    for (size_t i = 0; i < words; ++i) at[i] = word;
    return spoilt;
}

// -------------------------------------------------------------------------------------------------------------- images
int fake_load(void **handle, const void *image, unsigned n, int *option, void **value)
{
    (void)n, (void)option, (void)value;
    const char *target = strstr(image, ".target sm_");
    if (memcmp(image, "//", 2) != 0 || !target) return DRIVER_NO_BINARY; // PTX begins with a comment
    if (atoi(target + strlen(".target sm_")) > card.capability) return DRIVER_BAD_PTX;
    module = (struct module){.image = strdup(image), .barrier = strstr(image, "bar.sync") != NULL};
    *handle = &module;
    return spoilt;
}

int fake_unload(void *handle)
{
    free(((struct module *)handle)->image);
    module.image = NULL;
    return 0;
}

int fake_function(void **function, void *handle, const char *name)
{
    (void)handle;
    for (int i = 0; i < KERNELS; ++i) {
        if (strcmp(known[i].name, name) != 0) continue;
        *function = (void *)&known[i];
        return 0;
    }
    return DRIVER_NOT_FOUND;
}

int fake_functions(unsigned *count, void *handle)
{
    (void)handle;
    *count = KERNELS;
    return 0;
}

int fake_list_functions(void **function, unsigned capacity, void *handle)
{
    for (unsigned i = 0; i < capacity && i < KERNELS; ++i) fake_function(&function[i], handle, known[i].name);
    return 0;
}

int fake_function_name(const char **name, void *function)
{
    *name = ((const struct kernel *)function)->name;
    return 0;
}

int fake_function_fact(int *value, int attribute, void *function)
{
    (void)function;
    *value = attribute == FUNCTION_REGISTERS ? 32 : 0;
    return 0;
}

int fake_function_set(void *function, int attribute, int value)
{
    (void)function, (void)attribute, (void)value;
    return 0;
}

// (pointer, pointer, int, int), as both kernels have it
int fake_parameter(void *function, size_t index, size_t *offset, size_t *bytes)
{
    static const size_t at[] = {0, 8, 16, 20, 24};
    (void)function;
    if (index >= sizeof at / sizeof *at - 1) return INVALID;
    *offset = at[index];
    *bytes = at[index + 1] - at[index];
    return 0;
}

// A variable as clang writes it: ".b8 NAME[SIZE] = {1, 2, …};"
int fake_variable(uint64_t *address, size_t *bytes, void *handle, const char *name)
{
    static unsigned char data[4096];
    char head[96];
    int most = snprintf(head, sizeof head, ".b8 %s[", name);
    char *at = strstr(((struct module *)handle)->image, head);
    if (!at) return DRIVER_NOT_FOUND;
    *bytes = strtoul(at + most, &at, 10);
    at = strchr(at, '{');
    for (size_t i = 0; at && i < *bytes && i < sizeof data; ++i) data[i] = (unsigned char)strtoul(at + 1, &at, 10);
    *address = (uint64_t)(uintptr_t)data;
    return at ? 0 : DRIVER_NOT_FOUND;
}

int fake_resident(int *blocks, void *function, int threads, size_t shared)
{
    (void)function, (void)shared;
    *blocks = 2048 / threads;
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------- time
int fake_event(void **event, unsigned flags)
{
    *event = calloc(1, sizeof now_us);
    return (int)flags;
}

int fake_record(void *event, void *stream)
{
    (void)stream;
    *(double *)event = now_us;
    return spoilt;
}

int fake_elapsed(float *ms, void *start, void *end)
{
    *ms = (float)((*(double *)end - *(double *)start) / 1000);
    return spoilt;
}

int fake_launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                unsigned shared, void *stream, void **argument, void **extra)
{
    (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    if (spoilt) return spoilt;
    ((const struct kernel *)function)->run(argument);
    now_us += module.barrier ? BARRIER_COSTS * card.us : card.us;
    if (!module.barrier) spoilt = card.fails;
    return 0;
}
