// An engine for tests of judge and wire. It computes nothing. It holds buffers and changes them as its mode says, so
// that every answer of a runner can be tested. Its only kernel is scale(in, out, n): out = 2 in + 1. Modes that begin
// with "card" also measure; their times are shorter than the message exchange itself, as those of a real card are.
#ifndef TESTS_UNIT_FAKE_ENGINE_H
#define TESTS_UNIT_FAKE_ENGINE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "lab/lab.h"
#include "wire/wire.h"

// The word in an image that makes the fake be the baseline: right and slow, whatever its mode.
#define FAKE_BASELINE "the_baseline"

static const char *fake_mode = "right";

struct fake_buffer {
    unsigned char *bytes; // guards included
    uint64_t size;
};
struct engine {
    struct fake_buffer buffer[ENGINE_BUFFERS];
    int count, baseline;
    float *memo;                 // card-memo: the first output, until the image is restored
    float *hoard[64], known[64]; // card-hoard: outputs, each under its input's first word, in memory that is nobody's
    uint32_t launches;
};

static int fake_is(const char *mode)
{
    return !strcmp(fake_mode, mode);
}

static void fake_reset(struct engine *e)
{
    for (int i = 0; i < e->count; ++i) free(e->buffer[i].bytes);
    e->count = 0;
}

static struct engine *fake_open(const struct engine_options *options, char message[OBSERVATION_MESSAGE])
{
    (void)options;
    if (!fake_is("no-open")) return calloc(1, sizeof(struct engine));
    snprintf(message, OBSERVATION_MESSAGE, "the fake does not open");
    return NULL;
}

static int fake_load(struct engine *e, const char *image, size_t bytes, struct engine_image *facts,
                     char message[OBSERVATION_MESSAGE])
{
    e->baseline = memmem(image, bytes, FAKE_BASELINE, strlen(FAKE_BASELINE)) != NULL;
    if (fake_is("bad-load") && !e->baseline) {
        snprintf(message, OBSERVATION_MESSAGE, "3:1: unknown instruction 'foo'");
        return -1;
    }
    facts->nkernels = 1;
    facts->kernel[0] =
        (struct engine_kernel){.params = 3, .param_bytes = {8, 8, fake_is("bad-params") && !e->baseline ? 8 : 4}};
    const char *name = fake_is("decorated") ? "_Z5scalePKfPfi" : fake_is("other-name") ? "skale" : "scale";
    snprintf(facts->kernel[0].name, sizeof facts->kernel[0].name, "%s", e->baseline ? "scale" : name);
    return 0;
}

static int64_t fake_symbol(struct engine *e, const char *name, void *data, size_t capacity)
{
    struct lab_shape shape = {.block = {64}};
    if (strcmp(name, "scale_launch") != 0 || capacity < sizeof shape) return -1;
    if (!e->baseline) {
        if (fake_is("no-launch")) return -1;
        if (fake_is("odd-launch")) return 8;
        if (fake_is("block-0")) shape.block[0] = 0;
        if (fake_is("block-4096")) shape.block[0] = 4096;
        if (fake_is("shared-1M")) shape.shared = 1 << 20;
        if (fake_is("per-sm")) shape.per_sm = 1 << 30;
        if (fake_is("grid")) shape.grid[0] = shape.grid[1] = 65535;
        if (fake_is("grid-y")) shape.grid[1] = 1 << 20;
    }
    memcpy(data, &shape, sizeof shape);
    return sizeof shape;
}

static int fake_alloc(struct engine *e, uint64_t bytes, uint32_t element)
{
    (void)element;
    if (e->count == ENGINE_BUFFERS || (fake_is("card-full") && e->count == 2)) return -1;
    e->buffer[e->count] = (struct fake_buffer){calloc(1, bytes + 2 * ENGINE_GUARD), bytes};
    return e->count++;
}

static unsigned char *fake_at(struct engine *e, int buffer, int64_t offset, uint64_t bytes)
{
    if (buffer < 0 || buffer >= e->count || offset < -ENGINE_GUARD) return NULL;
    if ((uint64_t)(offset + ENGINE_GUARD) + bytes > e->buffer[buffer].size + 2 * ENGINE_GUARD) return NULL;
    return e->buffer[buffer].bytes + ENGINE_GUARD + offset;
}

static int fake_write(struct engine *e, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison)
{
    (void)poison;
    unsigned char *at = fake_at(e, buffer, offset, bytes);
    if (at) memcpy(at, data, bytes);
    return at ? 0 : -1;
}

static int fake_read(struct engine *e, int buffer, int64_t offset, void *data, uint64_t bytes)
{
    const unsigned char *at = fake_at(e, buffer, offset, bytes);
    if (at) memcpy(data, at, bytes);
    return at ? 0 : -1;
}

static void fake_find(struct observation *o, enum finding_kind kind, uint32_t line)
{
    o->finding[o->nfindings++] = (struct finding){.kind = (uint16_t)kind,
                                                  .space = SPACE_GLOBAL,
                                                  .at = {.line = line, .column = 3, .access = ACCESS_WRITE},
                                                  .buffer = 1,
                                                  .size = 4,
                                                  .extent = 64,
                                                  .count = 1};
}

// Of n elements, those that are done where it is timed.
static uint64_t fake_part(uint64_t n)
{
    return fake_is("sampled-less") ? n / 4 : strncmp(fake_mode, "sampled", 7) && !fake_is("timed-half") ? n : n / 2;
}

// The speed case once more, whole: "sampled-more" stores more than the sample did, "sampled-near" as much more as a
// correct kernel may.
static void fake_whole(const struct engine_launch *l, struct observation *o)
{
    if (l->cold || l->checks != CHECK_BOUNDS) return;
    if (fake_is("sampled-near")) o->counters.global_st_bytes += o->counters.global_st_bytes / 12;
    if (fake_is("sampled-more")) o->counters.global_st_bytes += o->counters.global_st_bytes / 8;
}

// Half of the blocks are run where it is timed.
static void fake_timed(const struct engine_launch *l, struct observation *o)
{
    if (!l->cold || strncmp(fake_mode, "sampled", 7) != 0) return;
    o->blocks_run = o->blocks / 2;
    o->written_words = 2 * fake_part(l->arg[2].value);
    o->exact = 1;
}

static void fake_scale(struct engine *e, const struct engine_launch *l)
{
    uint64_t n = l->arg[2].value;
    float *in = (float *)fake_at(e, l->arg[0].buffer, 0, 0), *out = (float *)fake_at(e, l->arg[1].buffer, 0, 0);
    uint64_t most = fake_is("lazy") ? 0 : fake_is("half") ? n / 2 : l->cold ? fake_part(n) : n;
    for (uint64_t i = 0; i < most; ++i) out[i] = 2 * in[i] + 1;
    if (n && (fake_is("wrong") || (l->cold && fake_is("sampled-wrong")))) out[most - 1] += 1;
    if (fake_is("order") && n && l->schedule_seed) out[0] += 1;
    if (fake_is("input") && n) in[0] += 1;
    if (fake_is("stray")) fake_at(e, l->arg[1].buffer, (int64_t)n * 4, 0)[5] ^= 1;
}

static int fake_renew(struct engine *e, int buffer, int from, uint32_t word)
{
    if (buffer < 0 || buffer >= e->count || from >= e->count) return -1;
    struct fake_buffer *b = &e->buffer[buffer];
    unsigned char *fresh = malloc(b->size + 2 * ENGINE_GUARD);
    for (uint64_t i = 0; i + sizeof word <= b->size + 2 * ENGINE_GUARD; i += sizeof word)
        memcpy(fresh + i, &word, sizeof word);
    if (from >= 0) memcpy(fresh + ENGINE_GUARD, e->buffer[from].bytes + ENGINE_GUARD, b->size);
    free(b->bytes);
    b->bytes = fresh;
    return 0;
}

static int fake_restore(struct engine *e)
{
    free(e->memo);
    e->memo = NULL;
    return 0;
}

static void fake_health(struct engine *e, struct engine_health *h)
{
    (void)e;
    *h = (struct engine_health){.clock_khz = 1980000, .clock_most_khz = 1980000, .processes = 2};
    if (fake_is("card-busy")) h->processes = 3;
    if (fake_is("card-hot")) h->throttled = 1;
}

// A kernel that keeps its first output and gives it again.
static void fake_remember(struct engine *e, const struct engine_launch *l)
{
    uint64_t bytes = l->arg[2].value * sizeof(float);
    unsigned char *out = fake_at(e, l->arg[1].buffer, 0, 0);
    if (e->memo) memcpy(out, e->memo, bytes);
    if (!e->memo) memcpy(e->memo = malloc(bytes), out, bytes);
}

// A kernel that keeps every output and gives it again when the input begins with the same word.
static void fake_hoard(struct engine *e, const struct engine_launch *l)
{
    uint64_t bytes = l->arg[2].value * sizeof(float);
    unsigned char *out = fake_at(e, l->arg[1].buffer, 0, 0);
    float word = *(float *)fake_at(e, l->arg[0].buffer, 0, 0);
    for (int i = 0; i < 64; ++i) {
        if (e->hoard[i] && e->known[i] != word) continue;
        if (e->hoard[i]) {
            memcpy(out, e->hoard[i], bytes);
        } else {
            memcpy(e->hoard[i] = malloc(bytes), out, bytes);
            e->known[i] = word;
        }
        return;
    }
}

static void fake_measure(struct engine *e, const struct engine_launch *l, struct observation *o)
{
    ++e->launches;
    // An odd sequence: evenly spread, but never the same for two launches.
    double spread =
        fake_is("card-noise") ? 0.5 + (double)(e->launches * (e->baseline ? 7919U : 6101U) % 1009) / 1009 : 1;
    double ns = e->baseline || fake_is("card-same") ? 1000 : fake_is("card-slow") ? 600 : 200;
    if (fake_is("card-noise") && !e->baseline) ns = 1000 / (2 * 0.97); // at the bar of a minimum of 2
    if (fake_is("card-liar")) ns *= 1e9;
    if (fake_is("card-hinders") && e->baseline && e->launches > 50) ns *= 2; // when the other runs beside it
    o->time_ps = (uint64_t)(ns * spread * 1000);
    if (!e->baseline && fake_is("card-memo")) fake_remember(e, l);
    if (!e->baseline && fake_is("card-hoard")) fake_hoard(e, l);
    if (!e->baseline && fake_is("card-wrong")) *(float *)fake_at(e, l->arg[1].buffer, 0, 0) += 1;
    if (!e->baseline && fake_is("card-fault")) {
        o->status = OBSERVED_FAULT;
        snprintf(o->message, sizeof o->message, "an illegal address");
    }
}

static void fake_launch(struct engine *e, const struct engine_launch *l, struct observation *o)
{
    memset(o, 0, sizeof *o);
    o->blocks = o->blocks_run = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    o->time_ps = e->baseline ? 1000000000 : fake_is("slow") ? 900000000 : 100000000;
    o->bound = RESOURCE_DRAM;
    o->resource_ps[RESOURCE_DRAM] = o->time_ps / 2;
    if (!strncmp(fake_mode, "card", 4)) {
        fake_scale(e, l);
        fake_measure(e, l, o);
        return;
    }
    // Of 1000 floats, read and stored: 125 sectors of 32 bytes, 4000 bytes.
    o->counters.global_ld_sectors = !e->baseline && fake_is("no-technique") ? 1000000 : 125;
    o->counters.global_st_bytes = 4000;
    if (fake_is("all-die")) _exit(3);
    if (fake_is("all-crash")) abort();
    if (fake_is("no-baseline") && e->baseline) _exit(3);
    if (e->baseline) return;
    fake_timed(l, o);
    fake_whole(l, o);
    fake_scale(e, l);
    if (fake_is("race")) fake_find(o, FINDING_race_waw, 7);
    if (fake_is("note")) fake_find(o, FINDING_race_same_value, 7);
    if (fake_is("refuse") && l->arg[2].value > 40) {
        o->status = OBSERVED_BAD_LAUNCH;
        snprintf(o->message, sizeof o->message, "too many registers");
    }
    if (fake_is("deadlock")) {
        o->status = OBSERVED_FAULT;
        fake_find(o, FINDING_deadlock, 9);
    }
    if (fake_is("endless")) {
        o->status = OBSERVED_FAULT;
        fake_find(o, FINDING_too_long, 9);
        o->finding[0].value = l->budget;
    }
    if (fake_is("long")) { // one launch uses up most of the budget of all cases together
        o->counters.warp_inst = 110000000;
        if (l->budget < 30000000) {
            o->status = OBSERVED_FAULT;
            fake_find(o, FINDING_too_long, 9);
            o->finding[0].value = l->budget;
        }
    }
    if (fake_is("printf")) o->print_bytes = (uint32_t)snprintf(o->print, sizeof o->print, "hello %d\n", 42);
    if (fake_is("die")) _exit(3);
    if (fake_is("crash")) abort();
    if (fake_is("hang")) pause();
    if (fake_is("nonsense")) o->status = 99;
    if (fake_is("unsupported")) o->status = OBSERVED_UNSUPPORTED;
}

static void fake_close(struct engine *e)
{
    fake_reset(e);
    free(e->memo);
    for (int i = 0; i < 64; ++i) free(e->hoard[i]);
    free(e);
}

static const struct engine_ops fake_engine_ops = {
    .name = "fake",
    .open = fake_open,
    .load = fake_load,
    .symbol = fake_symbol,
    .alloc = fake_alloc,
    .write = fake_write,
    .read = fake_read,
    .launch = fake_launch,
    .renew = fake_renew,
    .restore = fake_restore,
    .health = fake_health,
    .reset = fake_reset,
    .close = fake_close,
};

static int fake_describe(const char *name, struct wire_device *d)
{
    if (*name && strcmp(name, "fake") != 0) return -1;
    snprintf(d->name, sizeof d->name, "fake");
    snprintf(d->title, sizeof d->title, "Fake One");
    d->sms = 4;
    d->capability = 80;
    d->shared_per_block = 48 << 10;
    return 0;
}

#endif
