// A CUDA driver for tests: libcuda.so.1 with one card of its own, so that everything between ./grade and a driver runs
// on machines that have neither. Start the grader with LD_LIBRARY_PATH on the folder of this library.
//
// The card's memory is the process's. It knows the two kernels of lab 5 and the one of labs 6 and 8, which the
// processor computes, and takes PTX alone (a compiler named clang); of an image it reads which of them are there, the
// variables' initial bytes, and whether there is a block's barrier, which costs time. The clock of its events goes on
// by what a launch is said to take and by nothing else. Streams take true time: a copy or a kernel of lab 6 keeps its
// engine busy for as long as its bytes take, and who waits for it sleeps. What the card should be like stands in a file
// beside the library, card.txt, a word and a value a line:
//
//   title TEXT        the card's name
//   cards N           how many there are
//   memory N          bytes of its memory
//   slip N            kernels of lab 6 leave the first number out when they are given fewer than that
//   us N              of a kernel without a barrier of the block; one with it takes ten times as long
//   fails N           the CUresult of each launch of a kernel without a barrier
//   breaks N          a process that has launched N kernels ends, as one does whose driver breaks
//   driver N          of which CUDA; 0: there is no card
//   capability N      10 * major + minor; PTX for a newer one is refused
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu/driver.h"

// Each function by the name that the engine has for it, exported under the driver's.
#define DRIVER(name, symbol, parameters, since) int fake_##name parameters __asm__(symbol);
#include "gpu/driver.def"
#undef DRIVER

enum {
    KERNELS = 3,
    INVALID = 1,
    OPERATING_SYSTEM = 304,
    BARRIER_COSTS = 10,
    CARDS = 2,
    THREADS_PER_BLOCK = 1024,
    MEMO = 1 << 20
};
static struct {
    char title[64];
    double us, memory;
    int fails, breaks, driver, capability, cards, slip;
} card = {"Fake One", 150, (double)((uint64_t)4 << 30), 0, 0, 13000, 80, 1, 0};

static void row_sums(void **argument);
static void softmax(void **argument);
static void work(void **argument);
static const struct kernel {
    const char *name;
    void (*run)(void **argument);
} known[KERNELS] = {{"row_sums", row_sums}, {"softmax", softmax}, {"work", work}};

static struct module {
    char *image;
    int barrier, remainder; // remainder: its work is lab 6's
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

// work_on() of grader/kit/lab6.h and lab8.h: what it made of a word is kept.
static unsigned work_on(unsigned v)
{
    static struct {
        unsigned word, made;
        int known;
    } memo[MEMO], *m;
    unsigned t = v;
    m = &memo[v % MEMO];
    if (m->known && m->word == v) return m->made;
    for (int round = 0; round < (module.remainder ? 224 : 4); ++round)
        t = module.remainder ? (t * 5 + v) % 1000003 : t * 1664525 + (v ^ t >> 15);
    m->word = v;
    m->made = t;
    m->known = 1;
    return t;
}

static void work(void **argument)
{
    const unsigned *in = *(unsigned **)argument[0];
    unsigned *out = *(unsigned **)argument[1];
    int n = *(int *)argument[2];
    for (int i = n < card.slip; i < n; ++i) out[i] = work_on(in[i]);
}

// ------------------------------------------------------------------------------------------------------------- streams
enum { IN, OUT, COMPUTE, ENGINES };
static const double NS_A_BYTE = 5; // long against what the processor does meanwhile
struct stream {
    double until_ns;
};
static struct stream all;                // the default one, and what all others have come to
static double engine_ns[CARDS][ENGINES]; // until when each is busy
static int current;                      // card
static struct {
    char *at;
    size_t bytes;
} pinned[16];

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void keep_busy(void *stream, int engine, size_t bytes)
{
    struct stream *s = stream ? stream : &all;
    double from = now_ns(), *until = &engine_ns[current][engine];
    if (s->until_ns > from) from = s->until_ns;
    if (*until > from) from = *until;
    s->until_ns = *until = from + (double)bytes * NS_A_BYTE;
    if (s->until_ns > all.until_ns) all.until_ns = s->until_ns;
}

static void sleep_until(double ns)
{
    double left = ns - now_ns();
    struct timespec t = {.tv_sec = (time_t)(left / 1e9)};
    t.tv_nsec = (long)(left - (double)t.tv_sec * 1e9);
    if (left > 0) nanosleep(&t, NULL);
}

static int is_pinned(uint64_t address)
{
    const char *at = (const char *)(uintptr_t)address;
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; ++i)
        if (pinned[i].at && at >= pinned[i].at && at < pinned[i].at + pinned[i].bytes) return 1;
    return 0;
}

int fake_pin(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; ++i) {
        if (pinned[i].at) continue;
        pinned[i].at = memory;
        pinned[i].bytes = bytes;
        return 0;
    }
    return INVALID;
}

int fake_unpin(void *memory)
{
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; ++i)
        if (pinned[i].at == memory) pinned[i].at = NULL;
    return 0;
}

int fake_copy(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    keep_busy(stream, is_pinned(from) ? IN : OUT, bytes);
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return spoilt;
}

int fake_fill_bytes(uint64_t address, unsigned char byte, size_t bytes, void *stream)
{
    keep_busy(stream, COMPUTE, bytes);
    memset((void *)(uintptr_t)address, byte, bytes);
    return spoilt;
}

int fake_memory_info(size_t *room, size_t *total)
{
    *room = *total = (size_t)card.memory;
    return spoilt;
}

int fake_stream(void **stream, unsigned flags, int priority)
{
    (void)flags, (void)priority;
    *stream = calloc(1, sizeof(struct stream));
    return spoilt;
}

int fake_stream_destroy(void *stream)
{
    free(stream);
    return spoilt;
}

int fake_stream_sync(void *stream)
{
    sleep_until(stream ? ((struct stream *)stream)->until_ns : all.until_ns);
    return spoilt;
}

int fake_stream_query(void *stream)
{
    return (stream ? ((struct stream *)stream)->until_ns : all.until_ns) > now_ns() ? DRIVER_NOT_READY : spoilt;
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
        if (!strcmp(word, "cards")) card.cards = atoi(value);
        if (!strcmp(word, "memory")) card.memory = strtod(value, NULL);
        if (!strcmp(word, "slip")) card.slip = atoi(value);
        if (!strcmp(word, "us")) card.us = strtod(value, NULL);
        if (!strcmp(word, "fails")) card.fails = atoi(value);
        if (!strcmp(word, "breaks")) card.breaks = atoi(value);
        if (!strcmp(word, "driver")) card.driver = atoi(value);
        if (!strcmp(word, "capability")) card.capability = atoi(value);
    }
    if (file) fclose(file);
}

// Gives the calling thread a name, as the driver does with its threads: by a file that it opens, cuts off and writes.
static int name_thread(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/comm", (long)gettid());
    FILE *file = fopen(path, "w");
    int failed = !file || fputs("cuda-fake", file) < 0;
    if (file) failed |= fclose(file) != 0;
    return failed ? OPERATING_SYSTEM : 0;
}

int fake_init(unsigned flags)
{
    read_card();
    return flags ? (int)flags : name_thread();
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
    *count = card.driver ? card.cards : 0;
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
        [FACT_CLOCK_KHZ] = 1000000,
        [FACT_SMS] = 40,
        [FACT_MEMORY_CLOCK_KHZ] = 1000000,
        [FACT_BUS_BITS] = 512,
        [FACT_L2_BYTES] = 4 << 20,
        [FACT_MAJOR] = card.capability / 10,
        [FACT_MINOR] = card.capability % 10,
        [FACT_SHARED_OPTIN] = 64 << 10,
        [FACT_THREADS_PER_BLOCK] = THREADS_PER_BLOCK,
        [FACT_THREADS_PER_SM] = 2048,
    };
    (void)device;
    *value = attribute < (int)(sizeof fact / sizeof *fact) ? fact[attribute] : 0;
    return 0;
}

int fake_device_memory(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)card.memory;
    return 0;
}

int fake_device_bus(char *id, int bytes, int device)
{
    snprintf(id, (size_t)bytes, "00000000:%02X:00.0", device + 1);
    return 0;
}

int fake_retain(void **context, int device)
{
    *context = &engine_ns[device];
    return 0;
}

int fake_set_current(void *context)
{
    current = (int)((double(*)[ENGINES])context - engine_ns);
    return current >= 0 && current < CARDS ? 0 : INVALID;
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
    sleep_until(all.until_ns);
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
    module = (struct module){.image = strdup(image),
                             .barrier = strstr(image, "bar.sync") != NULL,
                             .remainder = strstr(image, "1000003") != NULL};
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
    *count = KERNELS - 1; // none of lab 5's images has the last
    return 0;
}

int fake_list_functions(void **function, unsigned capacity, void *handle)
{
    for (unsigned i = 0; i < capacity && i < KERNELS - 1; ++i) fake_function(&function[i], handle, known[i].name);
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

// (pointer, pointer, int, int), as the kernels of lab 5 have it
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
struct event {
    double us, until_ns; // of the launches before; of the stream
};

int fake_event(void **event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof(struct event));
    return 0;
}

int fake_record(void *event, void *stream)
{
    *(struct event *)event = (struct event){now_us, stream ? ((struct stream *)stream)->until_ns : all.until_ns};
    return spoilt;
}

int fake_elapsed(float *ms, void *start, void *end)
{
    *ms = (float)((((struct event *)end)->us - ((struct event *)start)->us) / 1000);
    return spoilt;
}

int fake_stream_wait(void *stream, void *event, unsigned flags)
{
    double until = ((struct event *)event)->until_ns;
    struct stream *s = stream ? stream : &all;
    if (s->until_ns < until) s->until_ns = until;
    return (int)flags;
}

int fake_event_sync(void *event)
{
    sleep_until(((struct event *)event)->until_ns);
    return spoilt;
}

int fake_event_query(void *event)
{
    return ((struct event *)event)->until_ns > now_ns() ? DRIVER_NOT_READY : spoilt;
}

int fake_event_destroy(void *event)
{
    free(event);
    return spoilt;
}

int fake_launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                unsigned shared, void *stream, void **argument, void **extra)
{
    static int launches;
    (void)gx, (void)gy, (void)gz, (void)shared, (void)extra;
    if (card.breaks && ++launches > card.breaks) _exit(1);
    if (spoilt) return spoilt;
    if ((uint64_t)bx * by * bz > THREADS_PER_BLOCK) return INVALID;
    if (((const struct kernel *)function)->run == work) keep_busy(stream, COMPUTE, *(unsigned *)argument[2] * 4UL);
    ((const struct kernel *)function)->run(argument);
    now_us += module.barrier ? BARRIER_COSTS * card.us : card.us;
    if (!module.barrier) spoilt = card.fails;
    return 0;
}
