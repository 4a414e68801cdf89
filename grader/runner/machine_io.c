// Runs a host test (a run of a student's host program on one test case) on simulated devices (wire/host_io.h). For each
// word of the program's outputs, machine_io.c determines who computed the word and how the word came to the host.
//
// The array machine_memory.given records for each word of device memory whether the lab's kernel (the kernel that the
// lab supplies) computed the word's value. The array machine_io.word records for each output word the value that the
// last copy from a device brought. For each output word, the array `origin` of the I/O block says whether the lab's
// kernel computed that value. The machine updates `given`, `word` and `origin` when the program issues an operation,
// because the machine executes the operation at that time. At the end of the host test, the machine compares the
// outputs in the program's memory with the values that copies brought. If the value of an output word differs from the
// value that a copy brought, the program itself wrote the word.
//
// When a program launches a kernel with the name of a lab's kernel, the machine runs the lab's PTX, not the program's.
// A long launch may execute only a sample of its blocks. A lab's kernel has the parameters (in, out, n) and computes
// out[i] from in[i]. Each output word out[i] of a block that was not executed gets the value of in[i]. For output words
// of blocks that were not executed, the grader accepts the value in[i] as well as the value that the kernel would
// compute.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runner/machine.h"
#include "sim/machine/memory.h"
#include "wire/host_io.h"

// Describes the words that a copy brought to an output.
struct brought {
    uint64_t ticket;
    uint32_t buffer;
    uint64_t from, to; // indices of words, `to` not included
};
struct machine_io {
    struct host_io *io;
    struct host_io layout; // a checked copy of the I/O block's struct host_io
    uint64_t address[HOST_IO_BUFFERS];
    uint32_t *word[HOST_IO_BUFFERS]; // outputs: the values that copies brought
    struct brought *brought;
    uint64_t nbrought, capacity;
    uint32_t module;            // the module of the lab's kernels
    int waited;                 // 1: the timed part has ended
    uint64_t processor_free_ps; // when the processor has computed the host's shares so far
    uint32_t gave;              // bit b: all bytes of output b have been handed in
};

static uint8_t *at(const struct machine_io *e, uint64_t offset)
{
    return (uint8_t *)e->io + offset;
}

static uint64_t words(const struct machine_io *e, uint32_t buffer)
{
    return e->layout.buffer[buffer].bytes / HOST_IO_WORD;
}

void machine_io_new(struct machine *m)
{
    struct host_io *io = m->options.io;
    if (!io) return;
    struct machine_io *e = m->io = alloc_zeroed(1, sizeof *e);
    e->io = io;
    e->layout = *io;
    for (uint32_t b = 0; b < e->layout.nbuffers; b++)
        if (host_io_is_output(&e->layout, b)) e->word[b] = alloc_zeroed(words(e, b) + 1, HOST_IO_WORD);
}

void machine_io_free(struct machine *m)
{
    struct machine_io *e = m->io;
    if (!e) return;
    for (uint32_t b = 0; b < HOST_IO_BUFFERS; b++) free(e->word[b]);
    free(e->brought);
    free(e);
    m->io = NULL;
}

// ---------------------------------------------------------------- the lab's kernels

void machine_io_open(struct machine *m)
{
    struct machine_io *e = m->io;
    if (!e || !e->layout.nimage) return;
    ALLOC_GROW(m->module, m->modules_capacity, m->nmodules + 1);
    struct machine_module *module = &m->module[m->nmodules];
    *module = (struct machine_module){.units = 1};
    module->bytes = alloc_zeroed(1, sizeof *module->bytes);
    module->text = alloc_copy(at(e, e->layout.image), e->layout.nimage);
    module->bytes[0] = e->layout.nimage;
    e->module = m->nmodules++;
}

uint32_t machine_io_module(struct machine_call *c, uint32_t module, const char *name)
{
    const struct machine_io *e = c->m->io;
    return e && e->layout.nimage && machine_module_has(c, e->module, name) ? e->module : module;
}

// ---------------------------------------------------------------- the origin of words

static uint8_t *given_of(struct machine *m, int region)
{
    struct machine_memory *a = &m->mem[region];
    if (!a->given) a->given = alloc_zeroed(a->bytes / HOST_IO_WORD + 1, 1);
    return a->given;
}

static int is_ours(const struct machine *m, int region)
{
    return region >= 0 && (uint32_t)region < m->nmem && m->mem[region].kind != HOST_MEMORY_NONE;
}

// Records that bytes [from, to) of a memory region were written. `given` is 1 if the lab's kernel wrote the bytes
// [from, to), or 0 if another kernel, a copy or a fill wrote the bytes.
static void wrote(struct machine *m, int region, uint64_t from, uint64_t to, int given)
{
    if (!is_ours(m, region) || from >= to || (!given && !m->mem[region].given)) return;
    memset(given_of(m, region) + from / HOST_IO_WORD, given, (to - 1) / HOST_IO_WORD - from / HOST_IO_WORD + 1);
}

void machine_io_filled(struct machine *m, int region, uint64_t from, uint64_t to)
{
    if (m->io) wrote(m, region, from, to, 0);
}

// Records the origin (enum host_io_origin) of each output word in host memory that a copied row overwrites.
static void arrive(struct machine *m, const struct machine_io_copy *c, uint64_t address, uint64_t from,
                   const uint8_t *bytes)
{
    struct machine_io *e = m->io;
    const uint8_t *given = is_ours(m, c->from) ? m->mem[c->from].given : NULL;
    for (uint32_t b = 0; b < e->layout.nbuffers; b++) {
        uint64_t first = e->address[b], last = first + words(e, b) * HOST_IO_WORD, row = address + c->q->width;
        uint64_t low = address > first ? address : first, high = row < last ? row : last;
        if (!host_io_is_output(&e->layout, b) || !e->io->begun || low >= high) continue;
        uint8_t *origin = at(e, e->layout.buffer[b].origin);
        uint64_t w = (low - first + HOST_IO_WORD - 1) / HOST_IO_WORD, end = (high - first) / HOST_IO_WORD;
        ALLOC_GROW(e->brought, e->capacity, e->nbrought + 1);
        e->brought[e->nbrought++] = (struct brought){.ticket = c->ticket, .buffer = b, .from = w, .to = end};
        for (; w < end; w++) {
            uint64_t into = first + w * HOST_IO_WORD - address; // offset in the row, in bytes
            int whole = (from + into) % HOST_IO_WORD == 0;
            origin[w] = given && whole && given[(from + into) / HOST_IO_WORD] ? ORIGIN_KERNEL : ORIGIN_COPY;
            memcpy(&e->word[b][w], bytes + into, HOST_IO_WORD);
        }
    }
}

void machine_io_copied(struct machine *m, const struct machine_io_copy *c)
{
    if (!m->io) return;
    const struct host_copy *q = c->q;
    for (uint64_t row = 0; row < q->height * q->depth; row++) {
        uint64_t y = row % q->height, z = row / q->height;
        uint64_t to = y * q->to.pitch + z * q->to.slice, from = y * q->from.pitch + z * q->from.slice;
        const uint8_t *source = is_ours(m, c->from) ? m->mem[c->from].given : NULL;
        uint64_t first = (c->to_at + to) / HOST_IO_WORD, at_source = (c->from_at + from) / HOST_IO_WORD;
        wrote(m, c->to, c->to_at + to, c->to_at + to + q->width, 0);
        if (is_ours(m, c->to) && source && (c->to_at + to) % HOST_IO_WORD == 0 &&
            (c->from_at + from) % HOST_IO_WORD == 0)
            memcpy(given_of(m, c->to) + first, source + at_source, q->width / HOST_IO_WORD);
        if (c->bytes) arrive(m, c, q->to.address + to, c->from_at + from, c->bytes + from);
    }
}

// ---------------------------------------------------------------- launches

// Fills in the output words of blocks that a sampled launch did not execute. Each output word of a block that was not
// executed gets the value of the input word from which the kernel would have computed the output word.
static void complete(struct machine_call *c, const uint8_t *params)
{
    struct machine *m = c->m;
    const struct host_launch *q = &c->command->launch;
    uint64_t in, out, threads = (uint64_t)q->grid[0] * q->block[0];
    int32_t n;
    memcpy(&in, params, sizeof in);
    memcpy(&out, params + 8, sizeof out);
    memcpy(&n, params + 16, sizeof n);
    uint64_t count = n < 0 ? 0 : (uint64_t)n < threads ? (uint64_t)n : threads, bytes = count * HOST_IO_WORD;
    int from = machine_find(m, in, bytes, NULL), to = machine_find(m, out, bytes, NULL);
    if (!is_ours(m, from) || !is_ours(m, to) || in % HOST_IO_WORD || out % HOST_IO_WORD) return;
    uint64_t source = in - m->memory->region[from]->base, target = out - m->memory->region[to]->base;
    for (uint64_t done = 0; done < bytes;) {
        uint64_t low = target + bytes, high = low;
        if (!sim_memory_touched(m->memory, to, 1, target + done, &low, &high) || low > target + bytes)
            low = high = target + bytes;
        if (low > target + done)
            memmove(m->mem[to].data + target + done, m->mem[from].data + source + done, low - target - done);
        done = high - target;
    }
    sim_memory_mark_written(m->memory, to, target, bytes);
    if (m->mem[to].kind == HOST_MEMORY_DEVICE) wrote(m, to, target, target + bytes, 1);
}

uint64_t machine_io_launched(struct machine_call *c, const struct machine_function *f, const uint8_t *params)
{
    struct machine *m = c->m;
    if (!m->io) return 0;
    int given = f->module == m->io->module && m->io->layout.nimage;
    uint64_t host[2] = {0}; // bytes of host memory that the launch read [0] and wrote [1]
    for (uint32_t i = 0; i < m->nmem; i++) {
        int device = m->mem[i].kind == HOST_MEMORY_DEVICE;
        if (m->mem[i].kind == HOST_MEMORY_NONE) continue;
        for (int write = device; write < 2; write++) {
            uint64_t next = 0, from, to;
            while (sim_memory_touched(m->memory, (int)i, write, next, &from, &to)) {
                if (!device) host[write] += to - from;
                if (write) wrote(m, (int)i, from, to, device && given);
                next = to;
            }
        }
    }
    m->io->io->mapped_bytes += host[0] + host[1];
    if (given && m->observation->blocks_run < m->observation->blocks) complete(c, params);
    const struct device_profile *d = m->profile;
    uint64_t read = clock_bytes_ps(host[0], d->host_write_mbs), written = clock_bytes_ps(host[1], d->host_read_mbs);
    return (read > written ? read : written) * 1000 / (uint64_t)(host[0] && host[1] ? d->host_duplex : 1000);
}

// ---------------------------------------------------------------- the commands

uint32_t machine_test(struct machine_call *c)
{
    const struct machine_io *e = c->m->io;
    struct host_test_facts facts;
    if (!e) return HOST_INVALID_VALUE;
    host_io_facts(&e->layout, &facts);
    facts.over = (uint32_t)e->waited;
    memcpy(c->data, &facts, sizeof facts);
    return HOST_SUCCESS;
}

uint32_t machine_test_begin(struct machine_call *c)
{
    struct machine *m = c->m;
    struct machine_io *e = m->io;
    if (!e || e->io->begun) return HOST_INVALID_VALUE;
    memcpy(e->address, c->command->test_begin.address, sizeof e->address);
    clock_gather(m->clock);
    for (uint32_t d = 0; d < m->options.devices; d++) machine_wait_device(m, d);
    e->io->begun = 1;
    e->io->begin_ps = clock_host(m->clock);
    return HOST_SUCCESS;
}

uint32_t machine_test_take(struct machine_call *c)
{
    const struct machine_io *e = c->m->io;
    const struct host_test_take *q = &c->command->test_take;
    if (!e || !e->io->begun || q->buffer >= e->layout.nbuffers || host_io_is_output(&e->layout, q->buffer))
        return HOST_INVALID_VALUE;
    const struct host_io_buffer *b = &e->layout.buffer[q->buffer];
    if (q->bytes > HOST_DATA || q->offset > b->bytes || q->bytes > b->bytes - q->offset) return HOST_INVALID_VALUE;
    memcpy(c->data, at(e, b->at + q->offset), q->bytes);
    c->reply->bytes = q->bytes;
    return HOST_SUCCESS;
}

// Marks output words as late if the program did not wait for their copy, and reports copies that the program did not
// wait for as hazards.
static void find_late(struct machine *m)
{
    struct machine_io *e = m->io;
    for (uint64_t i = 0; i < e->nbrought; i++) {
        const struct brought *b = &e->brought[i];
        const struct machine_op *op = &m->op[b->ticket];
        if (machine_order_has(&m->host, op->stream, op->issued)) continue;
        uint8_t *origin = at(e, e->layout.buffer[b->buffer].origin);
        for (uint64_t w = b->from; w < b->to; w++)
            if (origin[w] == ORIGIN_KERNEL) origin[w] = ORIGIN_LATE;
        if (op->span >= 0)
            machine_hazard_add(m, &(struct host_trace_finding){.hazard = HAZARD_EARLY_READ,
                                                               .place = m->trace->span[op->span].place,
                                                               .stream = m->trace->span[op->span].stream});
    }
}

uint32_t machine_test_end(struct machine_call *c)
{
    struct machine *m = c->m;
    struct machine_io *e = m->io;
    if (!e || !e->io->begun || e->waited) return HOST_INVALID_VALUE;
    find_late(m);
    clock_gather(m->clock);
    for (uint32_t d = 0; d < m->options.devices; d++) machine_wait_device(m, d);
    e->io->end_ps = clock_host(m->clock);
    e->waited = 1;
    return HOST_SUCCESS;
}

uint32_t machine_test_give(struct machine_call *c)
{
    struct machine_io *e = c->m->io;
    const struct host_test_give *q = &c->command->test_give;
    if (!e || !e->waited || q->buffer >= e->layout.nbuffers || !host_io_is_output(&e->layout, q->buffer))
        return HOST_INVALID_VALUE;
    const struct host_io_buffer *b = &e->layout.buffer[q->buffer];
    if (q->bytes > HOST_DATA || q->offset > b->bytes || q->bytes > b->bytes - q->offset || q->offset % HOST_IO_WORD ||
        q->bytes % HOST_IO_WORD)
        return HOST_INVALID_VALUE;
    uint8_t *origin = at(e, b->origin);
    memcpy(at(e, b->at + q->offset), c->data, q->bytes);
    for (uint64_t w = q->offset / HOST_IO_WORD; w < (q->offset + q->bytes) / HOST_IO_WORD; w++) {
        int changed = memcmp(at(e, b->at + w * HOST_IO_WORD), &e->word[q->buffer][w], HOST_IO_WORD) != 0;
        if (changed && origin[w] != ORIGIN_HOST) origin[w] = ORIGIN_PROGRAM;
    }
    if (q->offset + q->bytes == b->bytes) e->gave |= 1u << q->buffer;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < e->layout.nbuffers; i++) missing |= (uint32_t)host_io_is_output(&e->layout, i) << i;
    e->io->ended = !(missing & ~e->gave);
    return HOST_SUCCESS;
}

uint32_t machine_test_work(struct machine_call *c)
{
    struct machine *m = c->m;
    struct machine_io *e = m->io;
    const struct host_test_work *q = &c->command->test_work;
    if (!e || !e->layout.host_ps || !e->io->begun || e->waited) return HOST_INVALID_VALUE;
    uint64_t count = q->bytes / HOST_IO_WORD, offset = 0;
    int b = host_io_find(&e->layout, e->address, 1, q->address, q->bytes, &offset);
    if (b < 0) return HOST_INVALID_VALUE;
    memset(at(e, e->layout.buffer[b].origin) + offset / HOST_IO_WORD, ORIGIN_HOST, count);
    struct host_trace_span span = {.kind = SPAN_HOST, .bytes = q->bytes, .place = c->command->place};
    int32_t index = machine_trace_span(m, &span);
    // The lab states the time of one processor, so several threads take turns with it.
    uint64_t now = clock_host(m->clock), from = now > e->processor_free_ps ? now : e->processor_free_ps;
    e->processor_free_ps = from + count * e->layout.host_ps;
    clock_spend(m->clock, e->processor_free_ps - now);
    if (index >= 0) m->trace->span[index].start_ps = from;
    if (index >= 0) m->trace->span[index].end_ps = clock_host(m->clock);
    e->io->host_words += count;
    return HOST_SUCCESS;
}
