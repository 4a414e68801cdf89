// Implements the launch cache. If an equal launch has run before on equal memory, the launch cache returns the results
// of the earlier launch, and the kernel does not run again.
//
// The result of a launch depends only on the kernel's code, its grid and block shape, its parameters and the contents
// of memory. The time of a launch also depends on what the L2 holds. The launch cache therefore also stores a digest of
// the L2's lines before the launch, and the lines that the launch changed. The clocks that a kernel can read start anew
// with each launch, and the heap of malloc() is part of memory. The launch cache exists because benchmarks launch one
// kernel hundreds of times on the same data. The launch cache stores the result of a launch: the observation, and the
// pieces of memory that the launch changed. Together with the result of a launch, the launch cache stores a digest
// (hash) of all memory before the launch. If a later launch has the same code, shape, parameters, memory digest and L2
// digest, the cache writes the stored result to memory.
//
// The memory digest has 128 bits and is computed over pieces of 64 KiB with multiplications in the manner of wyhash
// (Wang Yi, Diego Barreto Vieira). Two different states of memory have the same digest (128-bit hash) with a
// probability of about 2^-100. A program could construct two states of memory with the same digest, but would deceive
// only itself, because host tests and runs with checks do not use the launch cache. The launch cache does not store the
// results of kernels that print, or in which a check found a defect.
//
// When the result of a launch comes from the launch cache, the changed pieces of memory are not written at once, but
// later, when some code reads memory. For example, if the results of a hundred launches in a row come from the launch
// cache, only the final content of each piece of memory is copied.
//
// Computing a memory digest (a hash of all memory) reads all memory once. For the first launch of a kernel, the launch
// cache computes no digest (hash) of memory. For later launches of the kernel, the launch cache computes a digest of
// memory if the kernel's latest run executed at least one warp instruction per BYTES_PER_INST bytes of memory. If the
// results of MISSES_MOST launches of a kernel in a row were not in the launch cache, the launch cache computes no more
// digests for that kernel. Between consecutive launches the last memory digest stays valid if the host cannot access
// the memory. All decisions of the launch cache depend only on the program's commands, never on the speed of the
// computer.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/hash.h"
#include "host/devices/devices.h"
#include "sim/timing/l2_lines.h"

enum {
    KERNELS = 256, // maximum launches (kernel, shape, parameters) in the cache; a new launch replaces an old one
    RECORDS = 4,   // results stored per launch, for different states of memory
    MISSES_MOST = 6,
    PIECE = 64 << 10,
    BYTES_PER_INST = 32, // a digest is computed up to this many bytes of memory per warp instruction of the launch
};
#define MEMORY_MOST ((uint64_t)512 << 20) // bytes; with more memory the cache computes no digest
#define CHANGES_MOST ((uint64_t)1 << 30)  // maximum bytes stored for all launches together

struct digest {
    uint64_t word[2];
};
struct state { // a state of memory: one digest per piece, and one digest of all pieces
    struct digest *piece, all;
    uint32_t count;
    uint64_t capacity;
};
struct change { // a changed piece, by its index among all pieces; the piece's address may differ at the next launch
    uint32_t piece, count;
    uint8_t *bytes;
};
struct record {
    struct digest found, left;
    struct change *change;
    uint32_t changes;
    uint64_t l2;                     // digest of the L2's lines that the launch found
    struct l2_change *l2_change;     // what the launch changed in the L2; NULL: nothing
    struct observation *observation; // NULL: the record is empty
};
struct kernel {
    uint8_t *key;
    size_t key_bytes;
    uint64_t hash, insts; // hash: of the key; insts: warp instructions of the latest run
    uint32_t misses, next;
    struct record record[RECORDS];
};
struct pending { // the content that a piece of memory should have; `bytes` belongs to a record; NULL: memory is up to
                 // date
    uint8_t *at;
    const uint8_t *bytes;
    uint32_t count;
};
struct devices_cache {
    struct kernel kernel[KERNELS];
    uint32_t next;
    struct state before, after;
    uint64_t kept;
    uint64_t l2;       // digest of the L2 before the launch that is about to run
    struct kernel *at; // the launch whose result will be stored; NULL: no result will be stored
    int is_known;      // 1: `present` is the digest of memory, if memory still has `bytes` bytes
    struct digest present;
    uint64_t bytes; // size of all memory when it was last counted
    struct pending *pending;
    uint64_t pending_capacity;
    uint32_t npending; // number of elements of `pending`; 0: memory is up to date
};

// ---------------------------------------------------------------- digests

static uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static struct digest digest_of(const uint8_t *at, size_t bytes, struct digest d)
{
    static const uint64_t k[4] = {0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3};
    uint64_t w[4];
    for (; bytes; at += sizeof w) {
        size_t n = bytes < sizeof w ? bytes : sizeof w;
        if (n < sizeof w) memset(w, 0, sizeof w);
        memcpy(w, at, n);
        d.word[0] = fold(w[0] ^ k[0] ^ d.word[0], w[1] ^ k[1]) ^ d.word[0];
        d.word[1] = fold(w[2] ^ k[2] ^ d.word[1], w[3] ^ k[3]) ^ d.word[1] ^ w[0];
        bytes -= n;
    }
    return d;
}

// The function each_piece() calls `visit` for each piece of the devices' memory. A piece of memory has at most PIECE
// bytes. The order in which `visit` gets the pieces of memory stays the same while nothing is allocated or freed.
typedef void visitor(void *self, uint64_t name, uint8_t *at, uint32_t bytes);
static void each_piece(const struct devices *m, visitor *visit, void *self)
{
    const struct sim_memory *memory = m->memory;
    for (uint32_t i = 0; i < memory->nregions; i++) {
        struct sim_region *r = memory->region[i];
        if (!r || !r->alive) continue;
        for (uint64_t at = 0; at < r->bytes; at += PIECE)
            visit(self, r->base + at, r->data + at, (uint32_t)(r->bytes - at < PIECE ? r->bytes - at : PIECE));
    }
    if (memory->constant_bytes) visit(self, 0, memory->constant, memory->constant_bytes);
}

static void count_bytes(void *self, uint64_t name, uint8_t *at, uint32_t bytes)
{
    (void)name, (void)at;
    *(uint64_t *)self += bytes;
}

static void digest_piece(void *self, uint64_t name, uint8_t *at, uint32_t bytes)
{
    struct state *s = self;
    ALLOC_GROW(s->piece, s->capacity, s->count + 1);
    struct digest *d = &s->piece[s->count++];
    *d = digest_of(at, bytes, (struct digest){{name, bytes}});
    s->all.word[0] = fold(s->all.word[0] ^ d->word[0], 0xe7037ed1a0b428db ^ d->word[1]) ^ d->word[1];
    s->all.word[1] = fold(s->all.word[1] ^ d->word[1], 0x8ebc6af09c88c6e3 ^ d->word[0]) ^ d->word[0];
}

static void take_state(const struct devices *m, struct state *s)
{
    s->count = 0;
    s->all = (struct digest){{1, 2}};
    each_piece(m, digest_piece, s);
}

static int same(const struct digest *a, const struct digest *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

// ---------------------------------------------------------------- records

static void forget_record(struct devices_cache *cache, struct record *r)
{
    for (uint32_t i = 0; i < r->changes; i++) {
        cache->kept -= r->change[i].count;
        free(r->change[i].bytes);
    }
    free(r->change);
    cache->kept -= l2_lines_change_bytes(r->l2_change);
    l2_lines_change_free(r->l2_change);
    free(r->observation);
    *r = (struct record){.observation = NULL};
}

static void forget_kernel(struct devices_cache *cache, struct kernel *k)
{
    for (uint32_t i = 0; i < RECORDS; i++) forget_record(cache, &k->record[i]);
    free(k->key);
    *k = (struct kernel){.key = NULL};
}

struct keeping { // the argument of keep_piece(), which stores the pieces whose digests differ between two states
    struct devices_cache *cache;
    struct record *record;
    uint32_t piece;
    uint64_t capacity;
};

static void keep_piece(void *self, uint64_t name, uint8_t *at, uint32_t bytes)
{
    struct keeping *k = self;
    uint32_t i = k->piece++;
    (void)name;
    if (same(&k->cache->before.piece[i], &k->cache->after.piece[i])) return;
    ALLOC_GROW(k->record->change, k->capacity, k->record->changes + 1);
    struct change *c = &k->record->change[k->record->changes++];
    *c = (struct change){.piece = i, .count = bytes, .bytes = alloc_copy(at, bytes)};
    k->cache->kept += bytes;
}

struct putting {
    struct devices_cache *cache;
    const struct record *record;
    uint32_t piece, next; // piece: index of the next piece; next: the first change that is not pending yet
};

static void put_piece(void *self, uint64_t name, uint8_t *at, uint32_t bytes)
{
    struct putting *p = self;
    const struct change *c = &p->record->change[p->next];
    uint32_t i = p->piece++;
    (void)name;
    ALLOC_GROW(p->cache->pending, p->cache->pending_capacity, i + 1);
    for (; p->cache->npending <= i; p->cache->npending++)
        p->cache->pending[p->cache->npending] = (struct pending){.bytes = NULL};
    if (p->next == p->record->changes || c->piece != i) return;
    BUG_ON(c->count != bytes);
    p->cache->pending[i] = (struct pending){at, c->bytes, bytes};
    p->next++;
}

// Writes to memory the changed pieces (struct pending) of launches whose results came from the launch cache. A function
// that frees a struct record (the cached result of a launch), or that reads the simulated memory, must first call
// settle(). A launch whose results come from the launch cache runs no kernel, so it needs no call of settle().
static void settle(struct devices_cache *cache)
{
    for (uint32_t i = 0; i < cache->npending; i++)
        if (cache->pending[i].bytes) memcpy(cache->pending[i].at, cache->pending[i].bytes, cache->pending[i].count);
    cache->npending = 0;
}

void devices_cache_flush(struct devices *m)
{
    if (m->cache) settle(m->cache);
}

void devices_cache_free(struct devices *m)
{
    for (uint32_t i = 0; m->cache && i < KERNELS; i++) forget_kernel(m->cache, &m->cache->kernel[i]);
    if (m->cache) free(m->cache->before.piece);
    if (m->cache) free(m->cache->after.piece);
    if (m->cache) free(m->cache->pending);
    free(m->cache);
    m->cache = NULL;
}

// Writes into `key` everything that determines a launch's result, except the contents of memory. Returns the number of
// bytes that write_key() has written into `key`.
static size_t write_key(const struct devices_launching *l, uint8_t key[CACHE_KEY_BYTES])
{
    size_t at = 0;
#define PUT(from, bytes) (memcpy(key + at, from, bytes), at += (bytes))
    PUT(&l->program, sizeof l->program);
    PUT(&l->device, sizeof l->device);
    PUT(l->request->grid, sizeof l->request->grid);
    PUT(l->request->block, sizeof l->request->block);
    PUT(&l->request->shared, sizeof l->request->shared);
    PUT(&l->cooperative, sizeof l->cooperative);
    PUT(l->params, l->program->plan->param_bytes);
#undef PUT
    return at;
}

static struct kernel *kernel_of(struct devices_cache *cache, const struct devices_launching *l)
{
    uint8_t key[CACHE_KEY_BYTES];
    size_t bytes = write_key(l, key);
    uint64_t hash = hash_bytes(key, bytes, 0);
    for (uint32_t i = 0; i < KERNELS; i++) {
        struct kernel *k = &cache->kernel[i];
        if (k->key && k->hash == hash && k->key_bytes == bytes && !memcmp(k->key, key, bytes)) return k;
    }
    struct kernel *k = &cache->kernel[cache->next++ % KERNELS];
    settle(cache);
    forget_kernel(cache, k);
    *k = (struct kernel){.key = alloc_copy(key, bytes), .key_bytes = bytes, .hash = hash};
    return k;
}

// Returns 1 if kernels can access memory that the host can also write at any time.
static int host_takes_part(const struct devices *m)
{
    for (uint32_t i = 0; i < m->nmem; i++)
        if (m->mem[i].kind != HOST_MEMORY_NONE && m->mem[i].kind != HOST_MEMORY_DEVICE) return 1;
    return 0;
}

void devices_cache_command(struct devices *m, uint32_t op)
{
    int elsewhere = op == HOST_OP_launch || op == HOST_OP_collect || op == HOST_OP_read_clock ||
                    op == HOST_OP_device_set || op == HOST_OP_device_sync ||
                    (op >= HOST_OP_stream_create && op <= HOST_OP_event_elapsed);
    int reads = op == HOST_OP_copy || op == HOST_OP_get; // the copy itself reports which memory it changes
    if (!m->cache || elsewhere) return;
    settle(m->cache);
    if (!reads) m->cache->is_known = 0;
}

void devices_cache_invalidate(struct devices *m)
{
    if (m->cache) m->cache->is_known = 0;
}

// Returns the stored result of the launch `k` (a kernel with its shape and parameters) for the present contents of
// memory and the L2 digest `l2`. Returns NULL if the launch cache has no result for them. Computes the digests of the
// present memory and stores them in cache->before, unless the latest memory digest is still valid and the cache has a
// result for it.
static struct record *known(struct devices *m, struct kernel *k, uint64_t l2)
{
    struct devices_cache *cache = m->cache;
    int stands = cache->is_known && !host_takes_part(m);
    for (int pass = stands ? 0 : 1; pass < 2; pass++) {
        if (pass) settle(cache);
        if (pass) take_state(m, &cache->before);
        const struct digest *found = pass ? &cache->before.all : &cache->present;
        for (uint32_t i = 0; i < RECORDS; i++)
            if (k->record[i].observation && k->record[i].l2 == l2 && same(&k->record[i].found, found))
                return &k->record[i];
    }
    return NULL;
}

// Returns the stored result of the launch for the present contents of memory and of the L2, or NULL if the kernel has
// to run.
static const struct record *find_record(struct devices *m, const struct devices_launching *l)
{
    struct kernel *k = m->cache->at = kernel_of(m->cache, l);
    uint64_t bytes = 0, bytes_before = m->cache->bytes;
    if (k->insts && k->misses < MISSES_MOST) each_piece(m, count_bytes, &bytes);
    m->cache->before.count = 0; // the state `before` is not computed yet
    m->cache->bytes = bytes;
    m->cache->is_known &= bytes == bytes_before; // the launch itself may have added a heap
    if (!bytes || bytes > MEMORY_MOST || bytes / BYTES_PER_INST > k->insts) return NULL;
    struct l2_lines *l2 = devices_l2_of(m, l->device);
    m->cache->l2 = l2 ? l2_lines_digest(l2) : 0;
    const struct record *r = known(m, k, m->cache->l2);
    if (r && r->l2_change) l2_lines_apply(l2, r->l2_change);
    k->misses = r ? 0 : k->misses + 1;
    return r;
}

int devices_cache_recall(struct devices *m, const struct devices_launching *l)
{
    if (m->options.checks || m->io || m->options.sample_inst) return 0;
    if (!m->cache) m->cache = alloc_zeroed(1, sizeof *m->cache);
    const struct record *r = find_record(m, l);
    if (r) {
        each_piece(m, put_piece, &(struct putting){.cache = m->cache, .record = r});
        memcpy(m->observation, r->observation, sizeof *m->observation);
        m->cache->present = r->left;
        m->cache->is_known = 1;
    }
    if (!r || host_takes_part(m)) settle(m->cache);
    return r != NULL;
}

void devices_cache_store(struct devices *m, const struct devices_launching *l, int printed)
{
    struct devices_cache *cache = m->cache;
    struct kernel *k = cache ? cache->at : NULL;
    const struct observation *o = m->observation;
    if (!k) return;
    cache->at = NULL;
    cache->is_known = 0;
    k->insts = o->counters.ptx_inst;
    if (!cache->before.count || printed || o->status != OBSERVED_OK || o->nfindings) return;
    struct record *r = &k->record[k->next++ % RECORDS];
    struct keeping keeping = {.cache = cache, .record = r};
    forget_record(cache, r);
    take_state(m, &cache->after);
    each_piece(m, keep_piece, &keeping);
    r->found = cache->before.all;
    r->left = cache->present = cache->after.all;
    cache->is_known = 1;
    struct l2_lines *l2 = devices_l2_of(m, l->device);
    r->l2 = cache->l2;
    if (l2 && l2_lines_digest(l2) != r->l2) r->l2_change = l2_lines_changed(l2);
    cache->kept += l2_lines_change_bytes(r->l2_change);
    r->observation = alloc_copy(o, sizeof *o);
    if (cache->kept > CHANGES_MOST) forget_record(cache, r);
}
