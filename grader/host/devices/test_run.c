// Runs a host test (a run of a student's host program on one test case) on simulated devices (host/border/host_io.h).
// For each word of the program's outputs, test_run.c determines who computed the word and how the word came to the
// host.
//
// A word of device memory is *given* while its last writer is the lab's kernel (the kernel that the lab supplies), in a
// launch of the timed part. The array devices_memory.given has a mark for each word, which names the device that ran
// the kernel. A copy within a device or between devices also copies the marks of the words; every other write to a word
// removes the word's mark. All device memory has marks: allocations, memory of pools, and variables of device code.
// Memory that the program's process can write has no marks, because the runner does not see the writes of that
// process. Memory without marks is pageable, page-locked, registered and managed memory. A word that any other kernel
// writes is not *given*, even if that kernel computes the word from given words.
//
// An output word counts only if a copy brings it to the host from a *given* word of device memory, a word that the
// lab's kernel wrote. The array devices_io.word holds for each output word the value that the last copy brought to the
// host. The array `origin` of the I/O block says whether the brought value of an output word came from a *given* word.
// The runner updates the arrays `given`, `word` and `origin` when the program issues an operation, because the runner
// executes the operation at that time. At the end of the host test, the runner compares the outputs in the program's
// memory with the values that copies brought. If an output word in the program's memory has another value than the last
// copy to this word brought, the program's host code wrote the word.
//
// Launches, copies and the host's own work count only in the timed part, from `test_begin` to `test_end`. The program
// can send commands after `test_end` and before it hands in its outputs, but no word becomes *given* or arrives then.
//
// Managed memory lies in the host's memory during a host test. A kernel that uses managed memory, and a copy between
// managed and device memory, take as long as if the bytes crossed the bus. If only a sample of a launch's blocks was
// executed, the bytes that its kernel reads and writes in the host's memory are those of the sample times the share of
// blocks, at most all bytes of each allocation.
//
// When a program launches a kernel with the name of a lab's kernel, the runner runs the lab's PTX, not the program's.
// A long launch may execute only a sample of its blocks. A lab's kernel has the parameters (in, out, n) and computes
// out[i] from in[i]. Each output word out[i] of a block that was not executed gets the value of in[i]. For output words
// of blocks that were not executed, the grader accepts the value in[i] as well as the value that the kernel would
// compute.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/border/host_io.h"
#include "host/devices/devices.h"
#include "sim/machine/memory.h"

enum { WORK_MOST = 1 << 30 }; // most numbers that the host computes at once

// Describes the words of one output that one copy has written in host memory.
struct brought {
    uint64_t ticket;
    uint32_t buffer;
    uint64_t from, to; // indices of words, `to` not included
};
struct devices_io {
    struct host_io *io;
    struct host_io layout; // a checked copy of the I/O block's struct host_io
    uint64_t address[HOST_IO_BUFFERS];
    uint32_t *word[HOST_IO_BUFFERS]; // outputs: the values that copies brought
    uint8_t *by[HOST_IO_BUFFERS];    // outputs: the marks of these values, as devices_memory.given
    struct brought *brought;
    uint64_t nbrought, capacity;
    uint32_t module;            // the module of the lab's kernels
    int waited;                 // 1: the timed part has ended
    uint64_t processor_free_ps; // when the processor has computed the host's shares so far
    uint32_t gave;              // bit b: all bytes of output b have been handed in
};

// Returns 1 in the timed part of the host test.
static int is_timed(const struct devices_io *e)
{
    return e->io->begun && !e->waited;
}

static uint8_t *at(const struct devices_io *e, uint64_t offset)
{
    return (uint8_t *)e->io + offset;
}

static uint64_t words(const struct devices_io *e, uint32_t buffer)
{
    return e->layout.buffer[buffer].bytes / HOST_IO_WORD;
}

void devices_io_new(struct devices *m)
{
    struct host_io *io = m->options.io;
    if (!io) return;
    struct devices_io *e = m->io = alloc_zeroed(1, sizeof *e);
    e->io = io;
    e->layout = *io;
    for (uint32_t b = 0; b < e->layout.nbuffers; b++)
        if (host_io_is_output(&e->layout, b)) {
            e->word[b] = alloc_zeroed(words(e, b) + 1, HOST_IO_WORD);
            e->by[b] = alloc_zeroed(words(e, b) + 1, 1);
        }
}

void devices_io_free(struct devices *m)
{
    struct devices_io *e = m->io;
    if (!e) return;
    for (uint32_t b = 0; b < HOST_IO_BUFFERS; b++) {
        free(e->word[b]);
        free(e->by[b]);
    }
    free(e->brought);
    free(e);
    m->io = NULL;
}

// ---------------------------------------------------------------- the lab's kernels

void devices_io_open(struct devices *m)
{
    struct devices_io *e = m->io;
    if (!e || !e->layout.nimage) return;
    ALLOC_GROW(m->module, m->modules_capacity, m->nmodules + 1);
    struct devices_module *module = &m->module[m->nmodules];
    *module = (struct devices_module){.units = 1};
    module->bytes = alloc_zeroed(1, sizeof *module->bytes);
    module->text = alloc_copy(at(e, e->layout.image), e->layout.nimage);
    module->bytes[0] = e->layout.nimage;
    e->module = m->nmodules++;
}

uint32_t devices_io_module(struct devices_call *c, uint32_t module, const char *name)
{
    const struct devices_io *e = c->m->io;
    return e && e->layout.nimage && devices_module_has(c, e->module, name) ? e->module : module;
}

// ---------------------------------------------------------------- the origin of words

// Returns the struct devices_memory that describes a memory region, or NULL if the region does not lie in device
// memory.
static struct devices_memory *device_memory(struct devices *m, int region)
{
    struct devices_memory *a = region < 0 ? NULL : devices_memory_of(m, region);
    return a && (a->kind == HOST_MEMORY_DEVICE || a->kind == HOST_MEMORY_NONE) ? a : NULL; // NONE: a variable
}

// Returns the array of the marks of a region's words (devices_memory.given), or NULL if the region has no marks. If
// `make` is 1 and the region lies in device memory without marks, creates the array.
static uint8_t *marks_of(struct devices *m, int region, int make)
{
    struct devices_memory *a = device_memory(m, region);
    if (a && !a->given && make) a->given = alloc_zeroed(m->memory->region[region]->bytes / HOST_IO_WORD + 1, 1);
    return a ? a->given : NULL;
}

// Records that bytes [from, to) of a region were written, by giving their words the mark `mark`. `mark` is 1 plus the
// number of the device on which the lab's kernel wrote the bytes, or 0 if anything else wrote them. Does nothing if the
// region does not lie in device memory.
static void wrote(struct devices *m, int region, uint64_t from, uint64_t to, uint8_t mark)
{
    devices_use_wrote(m, region, from, to, 0);
    uint8_t *given = from < to ? marks_of(m, region, mark != 0) : NULL;
    if (given) memset(given + from / HOST_IO_WORD, mark, (to - 1) / HOST_IO_WORD - from / HOST_IO_WORD + 1);
}

void devices_io_filled(struct devices *m, int region, uint64_t from, uint64_t to)
{
    if (m->io) wrote(m, region, from, to, 0);
}

// Records the origin (enum host_io_origin) of each output word in host memory that one row of a copy overwrites.
static void arrive(struct devices *m, const struct devices_io_copy *c, uint64_t address, uint64_t from,
                   const uint8_t *bytes)
{
    struct devices_io *e = m->io;
    const uint8_t *given = marks_of(m, c->from, 0);
    for (uint32_t b = 0; b < e->layout.nbuffers; b++) {
        uint64_t first = e->address[b], last = first + words(e, b) * HOST_IO_WORD, row = address + c->q->width;
        uint64_t low = address > first ? address : first, high = row < last ? row : last;
        if (!host_io_is_output(&e->layout, b) || !is_timed(e) || low >= high) continue;
        uint8_t *origin = at(e, e->layout.buffer[b].origin);
        uint64_t w = (low - first + HOST_IO_WORD - 1) / HOST_IO_WORD, end = (high - first) / HOST_IO_WORD;
        ALLOC_GROW(e->brought, e->capacity, e->nbrought + 1);
        e->brought[e->nbrought++] = (struct brought){.ticket = c->ticket, .buffer = b, .from = w, .to = end};
        for (; w < end; w++) {
            uint64_t into = first + w * HOST_IO_WORD - address; // offset in the row, in bytes
            int whole = (from + into) % HOST_IO_WORD == 0;
            e->by[b][w] = given && whole ? given[(from + into) / HOST_IO_WORD] : 0;
            origin[w] = e->by[b][w] ? ORIGIN_KERNEL : ORIGIN_COPY;
            memcpy(&e->word[b][w], bytes + into, HOST_IO_WORD);
        }
    }
}

// Computes where row number `row` of a copy begins: stores the byte offset in the destination's region in *to, and the
// byte offset in the source's region in *from.
static void row_at(const struct devices_io_copy *c, uint64_t row, uint64_t *to, uint64_t *from)
{
    const struct host_copy *q = c->q;
    uint64_t y = row % q->height, z = row / q->height;
    *to = c->to_at + y * q->to.pitch + z * q->to.slice;
    *from = c->from_at + y * q->from.pitch + z * q->from.slice;
}

// Copies the marks of the words that a copy reads to the words that the copy writes. All marks are read before the
// first mark is written, like the bytes of a copy, because source and destination may overlap.
static void carry(struct devices *m, const struct devices_io_copy *c)
{
    const uint8_t *given = marks_of(m, c->from, 0);
    uint64_t rows = c->q->height * c->q->depth, count = given ? c->q->width / HOST_IO_WORD : 0, to, from;
    uint8_t *mark = alloc_zeroed(rows * count + 1, 1);
    for (uint64_t row = 0; row < rows && count; row++) {
        row_at(c, row, &to, &from);
        if (to % HOST_IO_WORD || from % HOST_IO_WORD) continue;
        memcpy(mark + row * count, given + from / HOST_IO_WORD, count);
    }
    for (uint64_t row = 0; row < rows; row++) {
        row_at(c, row, &to, &from);
        wrote(m, c->to, to, to + c->q->width, 0);
        if (count) memcpy(marks_of(m, c->to, 1) + to / HOST_IO_WORD, mark + row * count, count);
    }
    free(mark);
}

// Records for used_operations.c what a copy of the timed part reads (`write` is 0) or writes (`write` is 1).
static void use_rows(struct devices *m, const struct devices_io_copy *c, int write)
{
    uint64_t rows = c->q->height * c->q->depth, to, from;
    if (!is_timed(m->io)) return;
    if (!write) devices_use_begins(m, c->ticket, rows * c->q->width);
    for (uint64_t row = 0; row < rows && device_memory(m, write ? c->to : c->from); row++) {
        row_at(c, row, &to, &from);
        if (write)
            devices_use_wrote(m, c->to, to, to + c->q->width, c->ticket);
        else
            devices_use_read(m, c->from, from, from + c->q->width, c->ticket);
    }
}

void devices_io_copied(struct devices *m, const struct devices_io_copy *c)
{
    if (!m->io) return;
    for (uint64_t row = 0; row < c->q->height * c->q->depth && c->to_host && c->bytes; row++) {
        uint64_t to, from;
        row_at(c, row, &to, &from);
        arrive(m, c, c->q->to.address + (to - c->to_at), from, c->bytes + (from - c->from_at));
    }
    use_rows(m, c, 0);
    if (device_memory(m, c->to)) carry(m, c);
    use_rows(m, c, 1);
}

// ---------------------------------------------------------------- launches

// Describes what a launch of the lab's kernel reads and writes by its parameters: `bytes` bytes from the offset
// `source` of the region `from`, and as many at the offset `target` of the region `to`. A region is -1 if there is
// none.
struct arguments {
    int from, to;
    uint64_t source, target, bytes;
};

static struct arguments arguments_of(const struct devices_call *c, const uint8_t *params)
{
    const struct host_launch *q = &c->command->launch;
    uint64_t in, out, threads = (uint64_t)q->grid[0] * q->block[0];
    int32_t n;
    memcpy(&in, params, sizeof in);
    memcpy(&out, params + 8, sizeof out);
    memcpy(&n, params + 16, sizeof n);
    uint64_t count = n < 0 ? 0 : (uint64_t)n < threads ? (uint64_t)n : threads, bytes = count * HOST_IO_WORD;
    struct arguments a = {devices_find(c->m, in, bytes, NULL), devices_find(c->m, out, bytes, NULL), 0, 0, bytes};
    if (in % HOST_IO_WORD || out % HOST_IO_WORD) a.from = a.to = -1;
    if (a.from >= 0) a.source = in - c->m->memory->region[a.from]->base;
    if (a.to >= 0) a.target = out - c->m->memory->region[a.to]->base;
    return a;
}

// Fills in the output words of blocks that a sampled launch did not execute. Each output word of a block that was not
// executed gets the value of the input word from which the kernel would have computed the output word. All output words
// of the launch get the mark `mark` by wrote().
static void complete(struct devices_call *c, const uint8_t *params, uint8_t mark)
{
    struct devices *m = c->m;
    struct arguments a = arguments_of(c, params);
    if (a.from < 0 || a.to < 0) return;
    int to = a.to;
    uint8_t *target_data = m->memory->region[to]->data, *source_data = m->memory->region[a.from]->data;
    uint64_t source = a.source, target = a.target, bytes = a.bytes;
    for (uint64_t done = 0; done < bytes;) {
        uint64_t low = target + bytes, high = low;
        if (!sim_memory_touched(m->memory, to, 1, target + done, &low, &high) || low > target + bytes)
            low = high = target + bytes;
        if (low > target + done) memmove(target_data + target + done, source_data + source + done, low - target - done);
        done = high - target;
    }
    sim_memory_mark_written(m->memory, to, target, bytes);
    wrote(m, to, target, target + bytes, mark);
}

// Returns the bytes that all blocks of the latest launch access in a region of host memory, of which the executed
// blocks access `bytes`.
static uint64_t of_all_blocks(const struct devices *m, int region, uint64_t bytes)
{
    const struct observation *o = m->observation;
    uint64_t most = m->memory->region[region]->bytes;
    if (!o->blocks_run || o->blocks_run >= o->blocks) return bytes;
    unsigned __int128 all = (unsigned __int128)bytes * o->blocks / o->blocks_run;
    return all < most ? (uint64_t)all : most;
}

void devices_io_launched(struct devices_call *c, const struct devices_function *f, const uint8_t *params,
                         uint64_t host[2])
{
    struct devices *m = c->m;
    host[0] = host[1] = 0;
    if (!m->io) return;
    int own = f->module == m->io->module && m->io->layout.nimage;
    uint8_t mark = own && is_timed(m->io) ? (uint8_t)(c->command->device + 1) : 0;
    struct arguments a = mark ? arguments_of(c, params) : (struct arguments){-1, -1, 0, 0, 0};
    uint64_t ticket = m->nops + 1; // the launch is submitted next
    if (a.to >= 0) devices_use_begins(m, ticket, a.bytes);
    if (a.to >= 0) devices_use_read(m, a.from, a.source, a.source + a.bytes, ticket);
    for (int i = 0; i < (int)m->memory->nregions; i++) {
        if (!m->memory->region[i]) continue;
        int device = device_memory(m, i) != NULL;
        for (int write = device; write < 2; write++) {
            uint64_t next = 0, from, to, bytes = 0;
            while (sim_memory_touched(m->memory, i, write, next, &from, &to)) {
                bytes += to - from;
                if (write) wrote(m, i, from, to, mark);
                next = to;
            }
            if (!device) host[write] += of_all_blocks(m, i, bytes);
        }
    }
    m->io->io->mapped_bytes += host[0] + host[1];
    if (own && m->observation->blocks_run < m->observation->blocks) complete(c, params, mark);
    devices_use_wrote(m, a.to, a.target, a.target + a.bytes, ticket);
}

// ---------------------------------------------------------------- the commands

uint32_t devices_test(struct devices_call *c)
{
    const struct devices_io *e = c->m->io;
    struct host_test_facts facts;
    if (!e) return HOST_INVALID_VALUE;
    host_io_facts(&e->layout, &facts);
    facts.over = (uint32_t)e->waited;
    memcpy(c->data, &facts, sizeof facts);
    return HOST_SUCCESS;
}

uint32_t devices_test_begin(struct devices_call *c)
{
    struct devices *m = c->m;
    struct devices_io *e = m->io;
    if (!e || e->io->begun) return HOST_INVALID_VALUE;
    memcpy(e->address, c->command->test_begin.address, sizeof e->address);
    virtual_clock_gather(m->clock);
    for (uint32_t d = 0; d < m->options.devices; d++) devices_wait_device(m, d);
    e->io->begun = 1;
    e->io->begin_ps = virtual_clock_host(m->clock);
    return HOST_SUCCESS;
}

uint32_t devices_test_take(struct devices_call *c)
{
    const struct devices_io *e = c->m->io;
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
// wait for as defects.
static void find_late(struct devices *m)
{
    struct devices_io *e = m->io;
    for (uint64_t i = 0; i < e->nbrought; i++) {
        const struct brought *b = &e->brought[i];
        const struct devices_op *op = &m->op[b->ticket];
        if (devices_order_host_has(m, b->ticket)) continue;
        uint8_t *origin = at(e, e->layout.buffer[b->buffer].origin);
        for (uint64_t w = b->from; w < b->to; w++)
            if (origin[w] == ORIGIN_KERNEL) origin[w] = ORIGIN_LATE;
        if (op->span >= 0)
            devices_defect_add(m, &(struct host_trace_finding){.defect = DEFECT_EARLY_READ,
                                                               .place = m->trace->span[op->span].place,
                                                               .stream = m->trace->span[op->span].stream});
    }
}

uint32_t devices_test_end(struct devices_call *c)
{
    struct devices *m = c->m;
    struct devices_io *e = m->io;
    if (!e || !e->io->begun || e->waited) return HOST_INVALID_VALUE;
    find_late(m);
    virtual_clock_gather(m->clock);
    for (uint32_t d = 0; d < m->options.devices; d++) devices_wait_device(m, d);
    e->io->end_ps = virtual_clock_host(m->clock);
    e->waited = 1;
    return HOST_SUCCESS;
}

// Counts which device computed how many words of the outputs, and how many words the host computed.
static void count_words(struct devices_io *e)
{
    memset(e->io->device_words, 0, sizeof e->io->device_words);
    e->io->host_words = 0;
    for (uint32_t b = 0; b < e->layout.nbuffers; b++) {
        if (!host_io_is_output(&e->layout, b)) continue;
        const uint8_t *origin = at(e, e->layout.buffer[b].origin);
        for (uint64_t w = 0; w < words(e, b); w++) {
            if (origin[w] == ORIGIN_KERNEL) e->io->device_words[e->by[b][w] - 1]++;
            if (origin[w] == ORIGIN_HOST) e->io->host_words++;
        }
    }
}

// Finds the operations that the outputs come from. The last copy of a word brought it.
static void find_used(struct devices *m)
{
    struct devices_io *e = m->io;
    uint64_t *used = alloc_zeroed(m->nops + 1, sizeof *used);
    uint8_t *seen[HOST_IO_BUFFERS] = {NULL};
    for (uint64_t i = e->nbrought; i-- > 0;) {
        const struct brought *b = &e->brought[i];
        const uint8_t *origin = at(e, e->layout.buffer[b->buffer].origin);
        if (!seen[b->buffer]) seen[b->buffer] = alloc_zeroed(words(e, b->buffer) + 1, 1);
        for (uint64_t w = b->from; w < b->to; w++) {
            if (origin[w] == ORIGIN_KERNEL && !seen[b->buffer][w]) used[b->ticket] += HOST_IO_WORD;
            seen[b->buffer][w] = 1;
        }
    }
    devices_use_end(m, used);
    for (int b = 0; b < HOST_IO_BUFFERS; b++) free(seen[b]);
    free(used);
}

uint32_t devices_test_give(struct devices_call *c)
{
    struct devices_io *e = c->m->io;
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
    if (e->io->ended) count_words(e);
    if (e->io->ended) find_used(c->m);
    return HOST_SUCCESS;
}

// Records that the host itself computed the numbers in a range of memory (test_work), and adds the time that the lab
// states for this computation. The host may compute numbers at any time and in any memory, for example to warm up or to
// measure its own speed. Only words of an output that the host computes in the timed part get the origin ORIGIN_HOST
// and count as results.
uint32_t devices_test_work(struct devices_call *c)
{
    struct devices *m = c->m;
    struct devices_io *e = m->io;
    const struct host_test_work *q = &c->command->test_work;
    uint64_t count = q->bytes / HOST_IO_WORD, offset = 0;
    if (!e || !e->layout.host_ps || count > WORK_MOST) return HOST_INVALID_VALUE;
    int b = is_timed(e) ? host_io_find(&e->layout, e->address, 1, q->address, q->bytes, &offset) : -1;
    if (b >= 0) memset(at(e, e->layout.buffer[b].origin) + offset / HOST_IO_WORD, ORIGIN_HOST, count);
    struct host_trace_span span = {.kind = SPAN_HOST, .bytes = q->bytes, .place = c->command->place};
    int32_t index = devices_trace_span(m, &span);
    // The lab states the time of one processor, so several threads take turns with it.
    uint64_t now = virtual_clock_host(m->clock), from = now > e->processor_free_ps ? now : e->processor_free_ps;
    e->processor_free_ps = from + count * e->layout.host_ps;
    virtual_clock_spend(m->clock, e->processor_free_ps - now);
    if (index >= 0) m->trace->span[index].start_ps = from;
    if (index >= 0) m->trace->span[index].end_ps = virtual_clock_host(m->clock);
    return HOST_SUCCESS;
}
