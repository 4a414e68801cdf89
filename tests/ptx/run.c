// ptx_run: runs PTX programs on the simulator and compares memory, findings and print with what their comments say.
// The format is described in README.md beside this file. A parser of lines: each comment that opens with a known word
// fills a struct test; a test runs when the next begins or the file ends. It runs on all vector units of the machine.
//
// With --card as the first word each program runs on the first card as well, which must leave the same bits in memory.
// What has no meaning there is passed over: a launch in which the simulator finds a defect or that it refuses. Each
// file has a process of its own, because a fault ends a process's use of the card.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/text.h"
#include "engine/engine.h"
#include "gpu/gpu.h"
#include "sim/sim.h"

enum { EXPECTS = 256, VALUES = 4096, NAME = 64 };
enum { CARD_PATIENCE_S = 30, MISMATCHES = 40 }; // for one file; shown of a buffer

struct type {
    const char *name;
    uint32_t bytes;
    int is_float;
};
static const struct type types[] = {{"u8", 1, 0},  {"s8", 1, 0},  {"b8", 1, 0},  {"u16", 2, 0}, {"s16", 2, 0},
                                    {"b16", 2, 0}, {"u32", 4, 0}, {"s32", 4, 0}, {"b32", 4, 0}, {"u64", 8, 0},
                                    {"s64", 8, 0}, {"b64", 8, 0}, {"f16", 2, 0}, {"f32", 4, 1}, {"f64", 8, 1}};

struct arg {
    char name[NAME];
    const struct type *type;
    uint64_t count;
    int is_value, is_null, written;
    uint64_t value;
    uint8_t *init; // count * bytes
    int buffer;
};
enum expect_kind {
    EXPECT_MEMORY,
    EXPECT_FINDING,
    EXPECT_PRINT,
    EXPECT_STATUS,
    EXPECT_MESSAGE,
    EXPECT_COUNTER,
    EXPECT_DIFFERS
};
struct expect {
    enum expect_kind kind;
    int line; // in the test file
    char name[NAME];
    uint64_t first, count;
    uint64_t *value; // count of them; NULL where is_nan says so
    uint8_t *is_nan;
    uint64_t ulp;
    char text[1024];
    uint64_t number;
    int met;
};
struct test {
    int line; // 0: none open
    struct engine_launch launch;
    uint32_t threads;
    struct arg arg[ENGINE_ARGS];
    struct expect expect[EXPECTS];
    int nexpects;
};

static const char *file_name;
static int failures_in_file;
static const struct engine_ops *ops = &sim_engine_ops; // what runs the test
static int with_card, launches_on_card;
static int sim_only; // 1: a line "sim" says that ptxas refuses the file

__attribute__((format(printf, 2, 3))) static void fail(int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("# %s:%d: ", file_name, line);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    failures_in_file++;
}

static const struct type *find_type(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strlen(types[i].name) == length && !strncmp(types[i].name, word, length)) return &types[i];
    return NULL;
}

static void *zeroed(uint64_t count, uint64_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) die("out of memory");
    return memory;
}

static const char *skip(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

// The next word of at most NAME - 1 characters; the place behind it.
static const char *word(const char *p, char out[NAME])
{
    size_t n = 0;
    p = skip(p);
    while (*p && !isspace((unsigned char)*p) && n < NAME - 1) out[n++] = *p++;
    out[n] = 0;
    return p;
}

static int parse_value(const char *text, const struct type *type, uint64_t *bits, uint8_t *is_nan)
{
    char *end;
    *is_nan = 0;
    if (text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D')) {
        *bits = strtoull(text + 2, &end, 16);
        return *end ? -1 : 0;
    }
    int hex = !strncmp(text, "0x", 2) || !strncmp(text, "-0x", 3);
    if (type->is_float && !hex) {
        double v = strtod(text, &end);
        *is_nan = v != v;
        if (type->bytes == 8) {
            memcpy(bits, &v, 8);
        } else {
            float f = strtof(text, &end);
            uint32_t b;
            memcpy(&b, &f, 4);
            *bits = b;
        }
        return *end || end == text ? -1 : 0;
    }
    *bits = text[0] == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    if (type->bytes < 8) *bits &= (1ull << type->bytes * 8) - 1;
    return *end || end == text ? -1 : 0;
}

static void parse_launch(struct test *t, int line, const char *p)
{
    char w[NAME], v[NAME];
    memset(t, 0, sizeof *t);
    t->line = line;
    t->launch.checks = CHECK_ALL;
    t->launch.cold = 1;
    p = word(p, t->launch.kernel);
    for (p = word(p, w); w[0]; p = word(p, w)) {
        p = word(p, v);
        uint32_t *three = !strcmp(w, "grid") ? t->launch.grid : !strcmp(w, "block") ? t->launch.block : NULL;
        if (three) {
            three[0] = three[1] = three[2] = 1;
            if (sscanf(v, "%u,%u,%u", three, three + 1, three + 2) < 1) fail(line, "bad size '%s'", v);
        } else if (!strcmp(w, "shared")) {
            t->launch.shared = (uint32_t)strtoul(v, NULL, 0);
        } else if (!strcmp(w, "seed")) {
            t->launch.schedule_seed = strtoull(v, NULL, 0);
        } else if (!strcmp(w, "budget")) {
            t->launch.budget = strtoull(v, NULL, 0);
        } else if (!strcmp(w, "sample")) {
            t->launch.sample_inst = strtoull(v, NULL, 0);
        } else if (!strcmp(w, "threads")) {
            t->threads = (uint32_t)strtoul(v, NULL, 0);
        } else if (!strcmp(w, "checks") && !strcmp(v, "none")) {
            t->launch.checks = 0;
        } else {
            fail(line, "unknown word '%s'", w);
        }
    }
}

static void parse_arg(struct test *t, int line, const char *p)
{
    char w[NAME];
    if (t->launch.nargs >= ENGINE_ARGS) {
        fail(line, "too many arguments");
        return;
    }
    struct arg *a = &t->arg[t->launch.nargs++];
    a->buffer = -1;
    p = word(p, a->name);
    p = word(p, w);
    if (!strcmp(w, "null")) {
        a->is_null = 1;
        return;
    }
    char *bracket = strchr(w, '[');
    size_t length = bracket ? (size_t)(bracket - w) : strlen(w);
    a->type = find_type(w, length);
    if (!a->type) {
        a->is_null = 1;
        fail(line, "unknown type '%s'", w);
        return;
    }
    if (!bracket) {
        uint8_t nan;
        a->is_value = 1;
        p = word(p, w);
        p = word(p, w);
        if (parse_value(w, a->type, &a->value, &nan)) fail(line, "bad value '%s'", w);
        return;
    }
    a->count = strtoull(bracket + 1, NULL, 0);
    if (a->count > 1 << 24) {
        fail(line, "buffer too large");
        a->count = 1;
    }
    a->init = zeroed(a->count, a->type->bytes);
    p = word(p, w);
    if (strcmp(w, "=")) return;
    a->written = 1;
    uint64_t n = 0, bits = 0;
    uint8_t nan;
    for (p = word(p, w); w[0]; p = word(p, w)) {
        int fill = !strcmp(w, "...");
        if (!fill && parse_value(w, a->type, &bits, &nan)) fail(line, "bad value '%s'", w);
        do {
            if (n < a->count) memcpy(a->init + n * a->type->bytes, &bits, a->type->bytes);
            n++;
        } while (fill && n < a->count);
    }
}

static void parse_string(const char *p, char *out, size_t capacity)
{
    size_t n = 0;
    p = strchr(p, '"');
    if (p)
        for (p++; *p && *p != '"' && n < capacity - 1; p++) {
            char c = *p;
            if (c == '\\' && p[1]) {
                p++;
                c = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
            }
            out[n++] = c;
        }
    out[n] = 0;
}

static const struct arg *find_arg(const struct test *t, const char *name)
{
    for (uint32_t i = 0; i < t->launch.nargs; i++)
        if (!strcmp(t->arg[i].name, name)) return &t->arg[i];
    return NULL;
}

static void parse_expect_memory(struct test *t, struct expect *e, const char *p)
{
    char w[NAME];
    p = word(p, w);
    char *bracket = strchr(w, '['), *dots = strstr(w, "..");
    if (!bracket) {
        fail(e->line, "'%s' has no index", w);
        return;
    }
    *bracket = 0;
    strcpy(e->name, w);
    const struct arg *a = find_arg(t, e->name);
    if (!a || !a->type || a->is_value) {
        fail(e->line, "no buffer '%s'", e->name);
        return;
    }
    e->first = strtoull(bracket + 1, NULL, 0);
    uint64_t last = dots ? strtoull(dots + 2, NULL, 0) : e->first;
    p = word(p, w);
    int near = !strcmp(w, "~");
    e->value = zeroed(VALUES, sizeof *e->value);
    e->is_nan = zeroed(VALUES, 1);
    for (p = word(p, w); w[0] && e->count < VALUES; p = word(p, w)) {
        if (near && !strcmp(w, "ulp")) {
            p = word(p, w);
            e->ulp = strtoull(w, NULL, 0);
            continue;
        }
        if (parse_value(w, a->type, &e->value[e->count], &e->is_nan[e->count])) fail(e->line, "bad value '%s'", w);
        e->count++;
    }
    if (!e->count) fail(e->line, "no value");
    if (dots) { // repeat the list's last value up to the end of the range
        uint64_t n = last - e->first + 1;
        if (last < e->first || n > VALUES) {
            fail(e->line, "bad range");
            return;
        }
        for (; e->count && e->count < n; e->count++) {
            e->value[e->count] = e->value[e->count - 1];
            e->is_nan[e->count] = e->is_nan[e->count - 1];
        }
    }
}

// NAME[I] WHY or NAME[I..J] WHY
static void parse_differs(struct test *t, int line, const char *p)
{
    char w[NAME];
    p = word(p, w);
    char *bracket = strchr(w, '['), *dots = strstr(w, "..");
    if (!bracket || !*skip(p) || t->nexpects >= EXPECTS) {
        fail(line, "'%s' has no index, or no reason", w);
        return;
    }
    struct expect *e = &t->expect[t->nexpects++];
    *bracket = 0;
    *e = (struct expect){.kind = EXPECT_DIFFERS, .line = line, .first = strtoull(bracket + 1, NULL, 0)};
    e->count = (dots ? strtoull(dots + 2, NULL, 0) : e->first) + 1 - e->first;
    memcpy(e->name, w, sizeof e->name);
    if (!find_arg(t, e->name)) fail(line, "no buffer '%s'", e->name);
}

static void parse_expect(struct test *t, int line, const char *p)
{
    char w[NAME];
    if (t->nexpects >= EXPECTS) {
        fail(line, "too many expectations");
        return;
    }
    struct expect *e = &t->expect[t->nexpects++];
    e->line = line;
    const char *rest = word(p, w);
    if (!strcmp(w, "none")) {
        t->nexpects--; // the default, said aloud
    } else if (!strcmp(w, "finding")) {
        e->kind = EXPECT_FINDING;
        rest = word(rest, e->name);
        int known = 0;
        for (int i = 0; i < FINDING_KINDS; i++) known |= !strcmp(finding_info[i].id, e->name);
        if (!known) fail(line, "no kind of finding '%s'", e->name);
        rest = word(rest, w);
        if (!strcmp(w, "line")) e->number = strtoull(rest, NULL, 0);
    } else if (!strcmp(w, "print") || !strcmp(w, "message")) {
        e->kind = w[0] == 'p' ? EXPECT_PRINT : EXPECT_MESSAGE;
        parse_string(rest, e->text, sizeof e->text);
    } else if (!strcmp(w, "status")) {
        static const char *const status[] = {"ok", "fault", "bad_launch", "unsupported"};
        e->kind = EXPECT_STATUS;
        rest = word(rest, w);
        e->number = 99;
        for (unsigned i = 0; i < 4; i++)
            if (!strcmp(w, status[i])) e->number = i;
        if (e->number == 99) fail(line, "unknown status '%s'", w);
    } else if (!strcmp(w, "counter")) {
        e->kind = EXPECT_COUNTER;
        rest = word(rest, e->name);
        rest = word(rest, w);
        e->number = strtoull(rest, NULL, 0);
    } else {
        e->kind = EXPECT_MEMORY;
        parse_expect_memory(t, e, p);
    }
}

static uint64_t ulps(uint64_t a, uint64_t b, uint32_t bytes)
{
    uint64_t sign = 1ull << (bytes * 8 - 1);
    int64_t x = a & sign ? -(int64_t)(a & ~sign) : (int64_t)a, y = b & sign ? -(int64_t)(b & ~sign) : (int64_t)b;
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static int is_nan_bits(uint64_t bits, uint32_t bytes)
{
    return bytes == 8 ? (bits & ~(1ull << 63)) > 0x7ff0000000000000ull : (bits & 0x7fffffff) > 0x7f800000;
}

static void check_memory(struct engine *engine, const struct test *t, const struct expect *e)
{
    const struct arg *a = find_arg(t, e->name);
    if (!a || !e->value) return;
    for (uint64_t i = 0; i < e->count; i++) {
        uint64_t got = 0;
        uint32_t bytes = a->type->bytes;
        if (ops->read(engine, a->buffer, (int64_t)((e->first + i) * bytes), &got, bytes)) {
            fail(e->line, "cannot read %s[%" PRIu64 "]", e->name, e->first + i);
            return;
        }
        int ok = e->is_nan[i] ? is_nan_bits(got, bytes) : got == e->value[i];
        if (!ok && e->ulp && !is_nan_bits(got, bytes)) ok = ulps(got, e->value[i], bytes) <= e->ulp;
        if (!ok)
            fail(e->line, "%s[%" PRIu64 "] is 0x%" PRIx64 ", expected 0x%" PRIx64, e->name, e->first + i, got,
                 e->value[i]);
    }
}

static void check_findings(struct test *t, const struct observation *o)
{
    for (uint32_t i = 0; i < o->nfindings; i++) {
        const struct finding *f = &o->finding[i];
        int expected = 0;
        for (int k = 0; k < t->nexpects; k++) {
            struct expect *e = &t->expect[k];
            if (e->kind != EXPECT_FINDING || strcmp(e->name, finding_info[f->kind].id)) continue;
            if (e->number && e->number != f->at.line) continue;
            e->met = expected = 1;
        }
        if (!expected && finding_info[f->kind].severity == FINDING_DEFECT)
            fail(t->line,
                 "unexpected finding %s at line %u, block %u, thread %u,%u,%u symbol '%s' offset %" PRId64 " text '%s'",
                 finding_info[f->kind].id, f->at.line, f->at.block[0], f->at.thread[0], f->at.thread[1],
                 f->at.thread[2], f->symbol, f->offset, f->text);
    }
    for (int k = 0; k < t->nexpects; k++)
        if (t->expect[k].kind == EXPECT_FINDING && !t->expect[k].met)
            fail(t->expect[k].line, "no finding %s", t->expect[k].name);
}

static void check_test(struct engine *engine, struct test *t, const struct observation *o)
{
    uint64_t status = OBSERVED_OK;
    for (int k = 0; k < t->nexpects; k++) {
        const struct expect *e = &t->expect[k];
        if (e->kind == EXPECT_MEMORY) {
            check_memory(engine, t, e);
        } else if (e->kind == EXPECT_STATUS) {
            status = e->number;
        } else if (e->kind == EXPECT_PRINT) {
            if (o->print_bytes != strlen(e->text) || memcmp(o->print, e->text, o->print_bytes))
                fail(e->line, "printed \"%.*s\"", (int)o->print_bytes, o->print);
        } else if (e->kind == EXPECT_MESSAGE) {
            if (!strstr(o->message, e->text)) fail(e->line, "message is \"%s\"", o->message);
        } else if (e->kind == EXPECT_COUNTER) {
            for (int c = 0; c < counter_count; c++) {
                uint64_t got;
                if (strcmp(counter_info[c].name, e->name)) continue;
                memcpy(&got, (const char *)&o->counters + counter_info[c].offset, 8);
                if (got != e->number) fail(e->line, "%s is %" PRIu64, e->name, got);
            }
        }
    }
    if (o->status != status) fail(t->line, "status %u: %s", o->status, o->message);
    check_findings(t, o);
}

// What a run left behind, for comparison with the same run on other vector units.
struct outcome {
    struct observation observation;
    uint64_t memory; // hash of all buffers
};

static uint64_t hash_memory(struct engine *engine, const struct test *t)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < t->launch.nargs; i++) {
        const struct arg *a = &t->arg[i];
        uint64_t bytes = a->count * a->type->bytes;
        if (a->is_value || a->is_null) continue;
        uint8_t *data = zeroed(bytes, 1);
        ops->read(engine, a->buffer, 0, data, bytes);
        hash = hash_bytes(data, bytes, hash);
        free(data);
    }
    return hash;
}

static void place_arguments(struct engine *engine, struct test *t)
{
    for (uint32_t i = 0; i < t->launch.nargs; i++) {
        struct arg *a = &t->arg[i];
        struct engine_arg *arg = &t->launch.arg[i];
        *arg = (struct engine_arg){.kind = a->is_value ? ARG_VALUE : ARG_BUFFER, .buffer = -1, .value = a->value};
        if (a->is_value) {
            arg->bytes = a->type->bytes < 4 ? 4 : a->type->bytes;
        } else if (!a->is_null) {
            uint64_t bytes = a->count * a->type->bytes;
            arg->buffer = a->buffer = ops->alloc(engine, bytes, a->type->bytes);
            if (a->buffer < 0) die("out of memory");
            // The simulator's memory is zero where nobody wrote, a card's holds what was there before.
            if (a->written || ops != &sim_engine_ops) ops->write(engine, a->buffer, 0, a->init, bytes, 0);
        }
    }
}

// Opens an engine with the program in it. NULL when there is none of that kind here, or the program failed.
static struct engine *open_on(const struct test *t, const struct text *ptx, const char *units)
{
    char message[OBSERVATION_MESSAGE] = "";
    static struct engine_image image;
    struct engine_options options = {.threads = t->threads ? t->threads : 1, .units = units};
    struct engine *engine = ops->open(&options, message);
    if (!engine && ops != &sim_engine_ops) fail(t->line, "%s", message);
    if (!engine || !ops->load(engine, ptx->data, ptx->length, &image, message)) return engine;
    fail(t->line, "%s", message);
    ops->close(engine);
    return NULL;
}

// Runs the test on vector units of that name. 0 when this machine has none.
static int run_on(struct test *t, const struct text *ptx, const char *units, struct outcome *out)
{
    struct engine *engine = open_on(t, ptx, units);
    if (!engine) return 0;
    place_arguments(engine, t);
    memset(out, 0, sizeof *out);
    ops->launch(engine, &t->launch, &out->observation);
    check_test(engine, t, &out->observation);
    out->memory = hash_memory(engine, t);
    ops->close(engine);
    return 1;
}

// ---------------------------------------------------------------- on a card

// 1 when the program says that the element need not be the same on a card.
static int may_differ(const struct test *t, const struct arg *a, uint64_t i)
{
    for (int k = 0; k < t->nexpects; k++) {
        const struct expect *e = &t->expect[k];
        if (e->kind == EXPECT_DIFFERS && !strcmp(e->name, a->name) && i >= e->first && i - e->first < e->count)
            return 1;
    }
    return 0;
}

// A buffer on the card against what the simulator left in it.
static void compare_buffer(struct engine *engine, const struct test *t, const struct arg *a, const uint8_t *expected)
{
    uint64_t size = a->type->bytes, bytes = a->count * size, shown = 0;
    uint8_t *got = zeroed(bytes, 1);
    if (ops->read(engine, a->buffer, 0, got, bytes)) fail(t->line, "cannot read '%s' on the card", a->name);
    for (uint64_t i = 0; i < bytes && shown < MISMATCHES; i += size) {
        uint64_t here = 0, there = 0;
        memcpy(&here, expected + i, size);
        memcpy(&there, got + i, size);
        if (here == there || may_differ(t, a, i / size)) continue;
        shown++;
        fail(t->line, "%s[%" PRIu64 "] is 0x%" PRIx64 " on the card, 0x%" PRIx64 " on the simulator", a->name, i / size,
             there, here);
    }
    free(got);
}

static int has_meaning(const struct observation *o)
{
    for (uint32_t i = 0; i < o->nfindings; i++)
        if (finding_info[o->finding[i].kind].severity == FINDING_DEFECT) return 0;
    return o->status == OBSERVED_OK;
}

// Runs the test on the card; `left` is what the simulator left in each buffer.
static void run_on_card(struct test *t, const struct text *ptx, uint8_t *const left[ENGINE_ARGS])
{
    static struct observation o;
    ops = &gpu_engine_ops;
    struct engine *engine = open_on(t, ptx, NULL);
    if (engine) {
        place_arguments(engine, t);
        ops->launch(engine, &t->launch, &o);
        launches_on_card++;
        if (o.status != OBSERVED_OK) fail(t->line, "on the card: %s", o.message);
        for (uint32_t i = 0; i < t->launch.nargs && o.status == OBSERVED_OK; i++)
            if (left[i]) compare_buffer(engine, t, &t->arg[i], left[i]);
        ops->close(engine);
    }
    ops = &sim_engine_ops;
}

static void run_on_both(struct test *t, const struct text *ptx)
{
    static struct observation o;
    uint8_t *left[ENGINE_ARGS] = {NULL};
    struct engine *engine = open_on(t, ptx, NULL);
    if (!engine) return;
    place_arguments(engine, t);
    ops->launch(engine, &t->launch, &o);
    check_test(engine, t, &o);
    for (uint32_t i = 0; i < t->launch.nargs; i++) {
        const struct arg *a = &t->arg[i];
        uint64_t bytes = a->is_value || a->is_null ? 0 : a->count * a->type->bytes;
        if (!bytes) continue;
        left[i] = zeroed(bytes, 1);
        ops->read(engine, a->buffer, 0, left[i], bytes);
    }
    ops->close(engine);
    if (has_meaning(&o) && !sim_only) run_on_card(t, ptx, left);
    for (int i = 0; i < ENGINE_ARGS; i++) free(left[i]);
}

// In plain C first; what vectors make of it must be the same to the bit.
static void run_test(struct test *t, const struct text *ptx)
{
    static const char *const vectors[] = {"v3", "v4"};
    static struct outcome plain, other;
    if (with_card) {
        run_on_both(t, ptx);
        return;
    }
    if (!run_on(t, ptx, "base", &plain)) return;
    for (int i = 0; i < 2; i++) {
        if (!run_on(t, ptx, vectors[i], &other)) continue;
        if (memcmp(&plain.observation, &other.observation, sizeof plain.observation) || plain.memory != other.memory)
            fail(t->line, "vector units '%s' give another result", vectors[i]);
    }
}

static void close_test(struct test *t, const struct text *ptx)
{
    if (t->line) run_test(t, ptx);
    for (int i = 0; i < ENGINE_ARGS; i++) free(t->arg[i].init);
    for (int i = 0; i < t->nexpects; i++) {
        free(t->expect[i].value);
        free(t->expect[i].is_nan);
    }
    memset(t, 0, sizeof *t);
}

static void run_refuse(int line, const struct text *ptx, const char *p)
{
    char expected[1024], message[OBSERVATION_MESSAGE] = "";
    static struct engine_image image;
    struct engine_options options = {.threads = 1};
    parse_string(p, expected, sizeof expected);
    struct engine *engine = sim_engine_ops.open(&options, message);
    if (!engine) {
        fail(line, "%s", message);
        return;
    }
    if (!sim_engine_ops.load(engine, ptx->data, ptx->length, &image, message))
        fail(line, "was not refused");
    else if (!strstr(message, expected))
        fail(line, "refused with \"%s\"", message);
    sim_engine_ops.close(engine);
}

static void run_file(const char *path)
{
    static struct test t;
    struct text ptx = {0};
    file_name = path;
    failures_in_file = sim_only = 0;
    int error = text_read_file(&ptx, path, 16 << 20), line = 0, tests = 0;
    if (error) fail(0, "%s", strerror(error));
    for (const char *p = ptx.data; p && *p;) {
        const char *end = strchr(p, '\n');
        size_t length = end ? (size_t)(end - p) : strlen(p);
        char w[NAME], *copy = memcpy(zeroed(length, 1), p, length);
        line++;
        p += length + (end != NULL);
        const char *q = skip(copy);
        if (!strncmp(q, "//", 2)) {
            q = word(q + 2, w);
            if (!strcmp(w, "launch")) {
                close_test(&t, &ptx);
                parse_launch(&t, line, q);
                tests++;
            } else if (!strcmp(w, "refuse")) {
                run_refuse(line, &ptx, q);
                tests++;
            } else if (!strcmp(w, "sim")) {
                sim_only = 1;
            } else if (!strcmp(w, "arg") || !strcmp(w, "expect") || !strcmp(w, "differs")) {
                if (!t.line)
                    fail(line, "'%s' before any launch", w);
                else if (w[0] == 'a')
                    parse_arg(&t, line, q);
                else if (w[0] == 'd')
                    parse_differs(&t, line, q);
                else
                    parse_expect(&t, line, q);
            }
        }
        free(copy);
    }
    close_test(&t, &ptx);
    if (!tests) fail(0, "holds no test");
    text_free(&ptx);
}

// One file in a process of its own. 0 when it passed.
static int run_file_apart(const char *path)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(CARD_PATIENCE_S);
        run_file(path);
        if (!failures_in_file && !launches_on_card)
            printf("ok %s # skip no launch of it has a meaning on a card\n", path);
        fflush(stdout);
        _exit(failures_in_file ? 1 : launches_on_card ? 0 : 2);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return printf("not ok %s\n", path), 1;
    if (WIFSIGNALED(status)) printf("# it ended by signal %d\n", WTERMSIG(status));
    int passed = WIFEXITED(status) && WEXITSTATUS(status) != 1;
    if (!passed || WEXITSTATUS(status) == 0) printf("%s %s\n", passed ? "ok" : "not ok", path);
    return !passed;
}

int main(int argc, char **argv)
{
    int passed = 0, failed = 0;
    with_card = argc > 1 && !strcmp(argv[1], "--card");
    for (int i = 1 + with_card; i < argc; i++) {
        int bad;
        if (with_card) {
            bad = run_file_apart(argv[i]);
        } else {
            run_file(argv[i]);
            bad = failures_in_file != 0;
            printf("%s %s\n", bad ? "not ok" : "ok", argv[i]);
        }
        bad ? failed++ : passed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
