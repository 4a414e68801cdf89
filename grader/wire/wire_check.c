// Checks data that a runner (the process that runs a student's kernels) sent, before the judge uses the data. In data
// from a runner process, enumerations must be in range, counts must fit their arrays, and strings must end and be
// printable. For example, a finding's thread and block must exist in the launch's grid and block. Data from an intact
// runner process always passes the checks of wire_check.c. A student's kernel that took over the runner process can
// send false data that passes the checks of wire_check.c. False data from a runner process cannot make wrong outputs
// right, because the judge itself compares the outputs with the expected values.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "wire/refuse.h"
#include "wire/wire.h"

enum {
    REGISTERS_MOST = 1 << 20, // large, because unoptimised images count virtual registers
    SHARED_MOST = 1 << 28,
    LINE_MOST = 1 << 24,
    ELEMENT_MOST = 1 << 16,
    BLOCKS_RESIDENT_MOST = 1 << 10,
};
static const uint64_t EXTENT_MOST = UINT64_C(1) << 44;

// ------------------------------------------------------------------------------------------------------------ text
// Replaces unprintable bytes of `text` in place; the replacement never makes the text longer. Returns the new length of
// `text` in bytes.
static size_t clean(char *text, size_t length)
{
    struct text out = {0};
    utf8_clean(&out, text, length);
    length = out.length;
    if (length) memcpy(text, out.data, length);
    text_free(&out);
    return length;
}

int wire_check_text(char *text, size_t capacity)
{
    const char *end = memchr(text, '\0', capacity);
    if (!end) return -1;
    text[clean(text, (size_t)(end - text))] = '\0';
    return 0;
}

int wire_check_message(char *text, size_t capacity)
{
    if (!memchr(text, '\0', capacity)) return -1;
    message_unmarshal(text, capacity, text);
    return wire_check_text(text, capacity);
}

static int is_name(const char *name, size_t capacity)
{
    const char *end = memchr(name, '\0', capacity);
    if (!end || end == name) return 0;
    for (; name < end; ++name)
        if (!isalnum((unsigned char)*name) && !strchr("_$.%", *name)) return 0;
    return 1;
}

// --------------------------------------------------------------------------------------------------- device, image
int wire_check_device(struct wire_device *d, char why[OBSERVATION_MESSAGE])
{
    if (wire_check_text(d->engine, sizeof d->engine) || wire_check_text(d->name, sizeof d->name) ||
        wire_check_text(d->title, sizeof d->title))
        REFUSE("a name has no end");
    if (!d->sms) REFUSE("there are no multiprocessors");
    AT_MOST("the number of multiprocessors", d->sms, 4096);
    AT_MOST("shared memory of a block", d->shared_per_block, SHARED_MOST);
    AT_MOST("the compute capability", d->capability, 999);
    AT_MOST("the driver's version", d->driver, 999999);
    AT_MOST("the capacity of the L2", d->l2_bytes, (uint64_t)1 << 40);
    AT_MOST("the rate of memory", d->dram_mbs, (uint64_t)1 << 40);
    return 0;
}

int wire_check_health(const struct engine_health *h, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("the clock", h->clock_khz, 100000000);
    AT_MOST("the highest clock", h->clock_most_khz, 100000000);
    AT_MOST("the throttling", h->throttled, 1);
    AT_MOST("the number of processes", h->processes, 1 << 20);
    return 0;
}

int wire_check_image(const struct engine_image *image, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("the number of kernels", image->nkernels, ENGINE_KERNELS);
    for (uint32_t i = 0; i < image->nkernels; ++i) {
        const struct engine_kernel *k = &image->kernel[i];
        if (!is_name(k->name, sizeof k->name)) REFUSE("a kernel's name is not valid");
        AT_MOST("the number of registers", k->registers, REGISTERS_MOST);
        AT_MOST("shared memory", k->shared_bytes, SHARED_MOST);
        AT_MOST("local memory", k->local_bytes, 1u << 30);
        // A kernel of an image may have more than ENGINE_ARGS parameters, because an image may contain kernels that no
        // lab launches.
        AT_MOST("the number of parameters", k->params, 4096);
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------------ observation
static int check_counters(const struct counters *c, char why[OBSERVATION_MESSAGE])
{
#define COUNTER(name, metric, meaning) COUNTER_AT_MOST(#name, c->name);
#include "engine/counter.def"
#undef COUNTER
    return 0;
}

static int check_place(const struct finding_place *p, const struct engine_launch *l, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("a finding's file", p->file, FINDING_FILES - 1);
    AT_MOST("a finding's access", p->access, ACCESS_KINDS - 1);
    AT_MOST("a finding's line", p->line, LINE_MOST);
    for (int axis = 0; axis < 3; ++axis) {
        if (p->block[axis] && p->block[axis] >= l->grid[axis]) REFUSE("a finding's block is outside the grid");
        if (p->thread[axis] && p->thread[axis] >= l->block[axis]) REFUSE("a finding's thread is outside the block");
    }
    return 0;
}

int wire_check_finding(struct finding *f, const struct engine_launch *l, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("a finding's kind", f->kind, FINDING_KINDS - 1);
    AT_MOST("a finding's space", f->space, SPACES - 1);
    AT_MOST("a finding's second place", f->second, 1);
    AT_MOST("a finding's step", f->step, INT32_MAX);
    AT_MOST("a finding's image", f->unoptimised, 1);
    AT_MOST("a finding's epoch", f->epoch, 1);
    AT_MOST("a finding's warp", f->warp, 1);
    AT_MOST("a finding's fence", f->fence, 1);
    AT_MOST("a finding's strength", f->strong, 1);
    AT_MOST("a finding's barrier", f->after, LINE_MOST);
    AT_MOST("a finding's next barrier", f->before, LINE_MOST);
    AT_MOST("a finding's element", f->size, ELEMENT_MOST);
    AT_MOST("a finding's extent", f->extent, EXTENT_MOST);
    AT_MOST("a finding's count", f->count, COUNT_MOST);
    AT_MOST("a finding's number of waiting groups", f->waits, FINDING_WAITS);
    for (uint32_t i = 0; i < f->waits; ++i) AT_MOST("a waiting group's line", f->wait[i].line, LINE_MOST);
    if (f->buffer < -1 || f->buffer >= ENGINE_BUFFERS) REFUSE("a finding's buffer is %d", f->buffer);
    if (wire_check_text(f->symbol, sizeof f->symbol) || wire_check_text(f->text, sizeof f->text))
        REFUSE("a finding's text has no end");
    if (check_place(&f->at, l, why)) return -1;
    return f->second ? check_place(&f->other, l, why) : 0;
}

static int check_figures(const struct observation *o, const struct engine_launch *l, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("the time", o->time_ps, TIME_MOST);
    AT_MOST("the bound", o->bound, RESOURCES - 1);
    for (int r = 0; r < RESOURCES; ++r) AT_MOST("a resource's time", o->resource_ps[r], TIME_MOST);
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1];
    if (__builtin_mul_overflow(blocks, l->grid[2], &blocks)) blocks = UINT64_MAX;
    if (o->status == OBSERVED_OK && o->blocks != blocks)
        REFUSE("the grid had %llu blocks", (unsigned long long)o->blocks);
    AT_MOST("the number of blocks", o->blocks, blocks);
    AT_MOST("the number of blocks run", o->blocks_run, o->blocks);
    AT_MOST("the exactness of the sample", o->exact, 1);
    AT_MOST("the number of registers", o->registers, REGISTERS_MOST);
    AT_MOST("shared memory", o->shared_bytes, SHARED_MOST);
    AT_MOST("local memory", o->local_bytes, 1u << 30);
    AT_MOST("spilled registers", o->spilled_bytes, 1u << 30);
    AT_MOST("the number of resident blocks", o->blocks_per_sm, BLOCKS_RESIDENT_MOST);
    AT_MOST("the occupancy", o->occupancy_permille, 1000);
    AT_MOST("a launch's mark of the link", o->linked, 1);
    AT_MOST("the unseen part of the time", o->unseen_permille, 1000);
    AT_MOST("the occupancy's limit", o->occupancy_limit, OCCUPANCY_LIMITS - 1);
    return check_counters(&o->counters, why);
}

static int check_coverage(const struct coverage *c, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("the number of lines covered", c->nlines, COVERAGE_LINES);
    AT_MOST("the number of branches", c->nbranches, COVERAGE_BRANCHES);
    AT_MOST("the number of functions", c->nfunctions, COVERAGE_FUNCTIONS);
    for (uint32_t i = 0; i < c->nlines; ++i) {
        AT_MOST("a covered line's number", c->line[i].line, LINE_MOST);
        AT_MOST("a line's count", c->line[i].threads, COUNT_MOST);
    }
    for (uint32_t i = 0; i < c->nbranches; ++i) {
        AT_MOST("a branch's line", c->branch[i].line, LINE_MOST);
        AT_MOST("a branch's index", c->branch[i].index, COVERAGE_BRANCHES);
        AT_MOST("a branch's count", c->branch[i].taken, COUNT_MOST);
        AT_MOST("a branch's other count", c->branch[i].fallen, COUNT_MOST);
    }
    for (uint32_t i = 0; i < c->nfunctions; ++i) {
        if (!is_name(c->function[i].name, sizeof c->function[i].name)) REFUSE("a function's name is not valid");
        AT_MOST("a function's line", c->function[i].line, LINE_MOST);
        AT_MOST("a function's count", c->function[i].threads, COUNT_MOST);
    }
    return 0;
}

static int check_access(struct line_access *a, const struct engine_launch *l, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("an access's file", a->file, FINDING_FILES - 1);
    AT_MOST("an access's line", a->line, LINE_MOST);
    AT_MOST("an access's kind", a->kind, ACCESS_KINDS - 1);
    AT_MOST("an access's excess", a->excess, 2 * OBSERVATION_LANES);
    AT_MOST("an access's warp", a->warp, 31);
    if (a->space != SPACE_GLOBAL && a->space != SPACE_SHARED) REFUSE("an access's space is %d", a->space);
    if (!a->bytes || a->bytes > 16) REFUSE("an access has %d bytes", a->bytes);
    if (!a->mask) REFUSE("an access has no lanes");
    if (a->buffer < -1 || a->buffer >= ENGINE_BUFFERS) REFUSE("an access's buffer is %d", a->buffer);
    for (int axis = 0; axis < 3; ++axis)
        if (a->block[axis] && a->block[axis] >= l->grid[axis]) REFUSE("an access's block is outside the grid");
    if (wire_check_text(a->symbol, sizeof a->symbol)) REFUSE("an access's name has no end");
    return 0;
}

int wire_check_observation(struct observation *o, const struct engine_launch *l, char why[OBSERVATION_MESSAGE])
{
    AT_MOST("the status", o->status, OBSERVED_STATUSES - 1);
    AT_MOST("the refusal", o->refusal.kind, REFUSALS - 1);
    if (check_figures(o, l, why)) return -1;
    AT_MOST("the number of lines", o->nlines, OBSERVATION_LINES);
    AT_MOST("the number of findings", o->nfindings, OBSERVATION_FINDINGS);
    AT_MOST("the number of accesses", o->naccesses, OBSERVATION_ACCESSES);
    for (uint32_t i = 0; i < o->nlines; ++i) {
        AT_MOST("a line's file", o->line[i].file, FINDING_FILES - 1);
        AT_MOST("a line's number", o->line[i].line, LINE_MOST);
        if (check_counters(&o->line[i].counters, why)) return -1;
    }
    for (uint32_t i = 0; i < o->naccesses; ++i)
        if (check_access(&o->access[i], l, why)) return -1;
    for (uint32_t i = 0; i < o->nfindings; ++i)
        if (wire_check_finding(&o->finding[i], l, why)) return -1;
    if (check_coverage(&o->coverage, why)) return -1;
    AT_MOST("the number of findings dropped", o->findings_dropped, COUNT_MOST);
    AT_MOST("the printed text", o->print_bytes, OBSERVATION_PRINT);
    AT_MOST("the mark of printed text dropped", o->print_dropped, 1);
    o->print_bytes = (uint32_t)clean(o->print, o->print_bytes);
    if (wire_check_message(o->message, sizeof o->message)) REFUSE("the message has no end");
    return 0;
}
