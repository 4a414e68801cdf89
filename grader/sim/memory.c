// Buffers and variables of the simulated device: made, filled, read back, copied aside. What a warp does to them is in
// access.c.
//
// A buffer is one host allocation with a guard on both sides; kernels never touch the guards (access.c refuses them),
// so what the judge poisons there stays. Variables are regions like buffers, initialised from the module.
#include "sim/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "sim/conflict.h"
#include "sim/handover.h"
#include "sim/program.h"
#include "sim/race.h"
#include "sim/region.h"

enum { ALIGNMENT = 256, CONSTANT_GAP = 64, PADDING = 64 };
#define VARIABLE_BYTES_MAX ((uint64_t)256 << 20)

static void *zeroed(uint64_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) die("out of memory (%llu bytes of device memory)", (unsigned long long)bytes);
    return memory;
}

static uint64_t words_of(uint64_t bytes)
{
    return (bytes + 3) / 4;
}

static void region_open(struct sim_memory *m, uint32_t slot, uint64_t bytes, uint32_t element)
{
    struct sim_region *r = &m->region[slot];
    memset(r, 0, sizeof *r);
    r->base = (uint64_t)(slot + 1) << 36;
    r->bytes = bytes;
    r->element = element ? element : 1;
    r->buffer = r->var = -1;
    r->alive = 1;
    r->block = zeroed(bytes + 2 * ENGINE_GUARD + ALIGNMENT + PADDING);
    r->data = (uint8_t *)(((uintptr_t)r->block + ENGINE_GUARD + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    r->written = zeroed(words_of(bytes) + PADDING);
    if (slot >= m->nregions) m->nregions = slot + 1;
}

static void region_close(struct sim_region *r)
{
    conflict_map_free(r->conflict);
    race_map_free(r->race);
    free(r->block);
    free(r->written);
    memset(r, 0, sizeof *r);
}

// The whole region counts as written from now on.
static void region_all_written(struct sim_region *r)
{
    r->all_written = 1;
    free(r->written);
    r->written = NULL;
}

static void mark_written(struct sim_region *r, uint64_t from, uint64_t bytes)
{
    if (r->all_written || !bytes) return;
    if (from == 0 && bytes == r->bytes) {
        region_all_written(r);
        return;
    }
    for (uint64_t at = from, end = from + bytes; at < end;) {
        if (at % 4 == 0 && end - at >= 4) {
            uint64_t words = (end - at) / 4;
            memset(r->written + at / 4, 0xf, words);
            at += words * 4;
        } else {
            r->written[at / 4] |= (uint8_t)(1 << at % 4);
            at++;
        }
    }
}

// Places the module's constants; the offset of each is a multiple of its alignment.
static void place_constants(struct sim_memory *m)
{
    uint64_t at = 0;
    for (uint32_t v = 0; v < m->module->nvars; v++) {
        const struct ptx_var *var = &m->module->var[v];
        if (var->space != PTX_CONST) continue;
        uint64_t align = var->align ? var->align : 1;
        at = (at + align - 1) / align * align;
        m->var_address[v] = at;
        at += var->bytes + CONSTANT_GAP;
    }
    m->constant_bytes = (uint32_t)at;
    m->constant = zeroed(at + PADDING);
}

static uint8_t *var_data(struct sim_memory *m, uint32_t v)
{
    const struct ptx_var *var = &m->module->var[v];
    if (var->space == PTX_CONST) return m->constant + m->var_address[v];
    return region_at(m, m->var_address[v])->data;
}

// The address an initialiser names: of a variable (generic or in its space), or of a function: its index plus one.
static uint64_t reloc_value(const struct sim_memory *m, const struct ptx_reloc *reloc)
{
    if (reloc->is_func) return reloc->symbol + 1 + (uint64_t)reloc->addend;
    uint64_t address = m->var_address[reloc->symbol];
    if (reloc->is_generic && m->module->var[reloc->symbol].space == PTX_CONST) address += SIM_CONST_WINDOW;
    return address + (uint64_t)reloc->addend;
}

static void initialise_var(struct sim_memory *m, uint32_t v)
{
    const struct ptx_var *var = &m->module->var[v];
    uint8_t *data = var_data(m, v);
    memset(data, 0, var->bytes);
    uint64_t init_bytes = var->init_bytes < var->bytes ? var->init_bytes : var->bytes;
    if (var->init) memcpy(data, var->init, init_bytes);
    for (uint32_t i = 0; i < var->nrelocs; i++) {
        if (var->reloc[i].offset + 8 > var->bytes) continue;
        uint64_t value = reloc_value(m, &var->reloc[i]);
        memcpy(data + var->reloc[i].offset, &value, 8);
    }
}

static int is_stored(const struct ptx_var *var)
{
    return var->func == PTX_NO_REG && (var->space == PTX_GLOBAL || var->space == PTX_CONST);
}

static void initialise_vars(struct sim_memory *m)
{
    for (uint32_t v = 0; v < m->module->nvars; v++) {
        if (is_stored(&m->module->var[v])) initialise_var(m, v);
    }
}

// 1 when the module's variables fit the address space and a sane amount of memory.
static int vars_fit(const struct ptx_module *module)
{
    uint64_t globals = 0, bytes = 0, constants = 0;
    for (uint32_t v = 0; v < module->nvars; v++) {
        const struct ptx_var *var = &module->var[v];
        if (!is_stored(var)) continue;
        if (var->bytes > VARIABLE_BYTES_MAX) return 0;
        bytes += var->bytes;
        if (var->space == PTX_GLOBAL) globals++;
        if (var->space == PTX_CONST) constants += var->bytes + var->align + CONSTANT_GAP;
        if (bytes > VARIABLE_BYTES_MAX || globals > REGION_VARS || constants >= SIM_WINDOW_BYTES) return 0;
    }
    return 1;
}

struct sim_memory *sim_memory_new(const struct ptx_module *module)
{
    if (!vars_fit(module)) return NULL;
    struct sim_memory *m = zeroed(sizeof *m);
    m->module = module;
    m->var_address = zeroed((uint64_t)module->nvars * sizeof *m->var_address);
    m->nregions = ENGINE_BUFFERS;
    place_constants(m);
    for (uint32_t v = 0; v < module->nvars; v++) {
        const struct ptx_var *var = &module->var[v];
        if (var->space != PTX_GLOBAL || !is_stored(var)) continue;
        uint32_t slot = m->nregions;
        region_open(m, slot, var->bytes, ptx_type_bytes(var->type));
        m->region[slot].var = (int32_t)v;
        region_all_written(&m->region[slot]); // variables without an initialiser are zero
        m->var_address[v] = m->region[slot].base;
    }
    initialise_vars(m);
    return m;
}

void sim_memory_free(struct sim_memory *m)
{
    if (!m) return;
    for (uint32_t i = 0; i < m->nregions; i++) region_close(&m->region[i]);
    places_free(m->places);
    free(m->extent);
    free(m->constant);
    free(m->var_address);
    free(m);
}

void sim_memory_reset(struct sim_memory *m)
{
    for (uint32_t i = 0; i < ENGINE_BUFFERS; i++) region_close(&m->region[i]);
    initialise_vars(m);
}

int sim_memory_alloc(struct sim_memory *m, uint64_t bytes, uint32_t element)
{
    if (bytes > SIM_BUFFER_STRIDE / 4) return -1;
    for (int i = 0; i < ENGINE_BUFFERS; i++) {
        if (m->region[i].alive) continue;
        region_open(m, (uint32_t)i, bytes, element);
        m->region[i].buffer = i;
        return i;
    }
    return -1;
}

// The buffer's region when [offset, offset + bytes) lies within it and its guards, else NULL.
static struct sim_region *buffer_range(const struct sim_memory *m, int buffer, int64_t offset, uint64_t bytes)
{
    if (buffer < 0 || buffer >= ENGINE_BUFFERS || !m->region[buffer].alive) return NULL;
    const struct sim_region *r = &m->region[buffer];
    if (offset < -ENGINE_GUARD || offset > (int64_t)r->bytes + ENGINE_GUARD) return NULL;
    if (bytes > r->bytes + ENGINE_GUARD - (uint64_t)offset) return NULL;
    return (struct sim_region *)r;
}

int sim_memory_write(struct sim_memory *m, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison)
{
    struct sim_region *r = buffer_range(m, buffer, offset, bytes);
    if (!r) return -1;
    if (bytes) memcpy(r->data + offset, data, bytes);
    int64_t from = offset < 0 ? 0 : offset, to = offset + (int64_t)bytes;
    if (to > (int64_t)r->bytes) to = (int64_t)r->bytes;
    if (!poison && to > from) mark_written(r, (uint64_t)from, (uint64_t)(to - from));
    return 0;
}

int sim_memory_read(const struct sim_memory *m, int buffer, int64_t offset, void *data, uint64_t bytes)
{
    const struct sim_region *r = buffer_range(m, buffer, offset, bytes);
    if (!r) return -1;
    if (bytes) memcpy(data, r->data + offset, bytes);
    return 0;
}

uint64_t sim_memory_address(const struct sim_memory *m, int buffer)
{
    if (buffer < 0 || buffer >= ENGINE_BUFFERS || !m->region[buffer].alive) return 0;
    return m->region[buffer].base;
}

uint64_t sim_memory_bytes_read(const struct sim_memory *m)
{
    uint64_t bytes = 0;
    for (int i = 0; i < ENGINE_BUFFERS; i++) bytes += m->region[i].was_read ? m->region[i].bytes : 0;
    return bytes;
}

uint64_t sim_memory_var_address(const struct sim_memory *m, int var)
{
    BUG_ON(var < 0 || (uint32_t)var >= m->module->nvars);
    return m->var_address[var];
}

int64_t sim_memory_symbol(const struct sim_memory *m, const char *name, void *data, size_t capacity)
{
    int v = ptx_find_var(m->module, name);
    if (v < 0 || !is_stored(&m->module->var[v])) return -1;
    const struct ptx_var *var = &m->module->var[v];
    uint64_t init_bytes = var->init ? var->init_bytes : 0;
    for (uint64_t i = 0; i < var->bytes && i < capacity; i++) {
        ((uint8_t *)data)[i] = i < init_bytes ? var->init[i] : 0;
    }
    return (int64_t)var->bytes;
}

void sim_memory_begin(struct sim_memory *m, const struct sim_launch *launch, int serial)
{
    m->checks = launch->checks;
    m->conflict = 0;
    m->track_conflicts = launch->blocks > 1 && !serial;
    m->race_retry = 0;
    m->serial = (uint32_t)serial;
    places_free(m->places);
    m->places = serial ? places_new() : NULL;
    region_shared_extents(m, launch);
    for (uint32_t i = 0; i < m->nregions; i++) {
        struct sim_region *r = &m->region[i];
        conflict_map_free(r->conflict);
        r->conflict = NULL;
        r->was_read = 0;
        r->unit_shift = m->race_narrow[i] ? 0 : conflict_unit_shift(r->element);
        race_map_free(r->race);
        r->race = NULL;
        r->race_read = r->race_written = 0;
        if (r->alive && (m->checks & CHECK_RACES))
            r->race = race_map_new((r->bytes >> r->unit_shift) + 1, r->unit_shift);
        if (r->alive && m->track_conflicts) r->conflict = conflict_map_new(r->bytes >> r->unit_shift);
    }
}

int sim_memory_retry(const struct sim_memory *m)
{
    return __atomic_load_n(&m->race_retry, __ATOMIC_RELAXED) != 0;
}

void sim_memory_forget(struct sim_memory *m)
{
    memset(m->race_reads, 0, sizeof m->race_reads);
    memset(m->race_narrow, 0, sizeof m->race_narrow);
}

int sim_memory_conflict(const struct sim_memory *m)
{
    return __atomic_load_n(&m->conflict, __ATOMIC_RELAXED) != 0;
}

// The snapshot: for each live region its data and its map of written words, one after the other.
struct snapshot {
    uint64_t bytes;
    uint8_t data[];
};

// Copies between regions and snapshot; with `to` NULL it only measures. One walk, so that the two cannot disagree.
static uint64_t walk_snapshot(const struct sim_memory *m, uint8_t *to, const uint8_t *from)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i < m->nregions; i++) {
        const struct sim_region *r = &m->region[i];
        if (!r->alive) continue;
        if (to) memcpy(to + at, r->data, r->bytes);
        if (from) memcpy(r->data, from + at, r->bytes);
        at += r->bytes;
        if (r->all_written) continue;
        if (to) memcpy(to + at, r->written, words_of(r->bytes));
        if (from) memcpy(r->written, from + at, words_of(r->bytes));
        at += words_of(r->bytes);
    }
    return at;
}

void *sim_memory_snapshot(const struct sim_memory *m)
{
    uint64_t bytes = walk_snapshot(m, NULL, NULL);
    struct snapshot *s = malloc(sizeof *s + bytes + 1);
    if (!s) die("out of memory (%llu bytes for a copy of device memory)", (unsigned long long)bytes);
    s->bytes = bytes;
    walk_snapshot(m, s->data, NULL);
    return s;
}

void sim_memory_restore(struct sim_memory *m, const void *snapshot)
{
    const struct snapshot *s = snapshot;
    BUG_ON(s->bytes != walk_snapshot(m, NULL, NULL));
    walk_snapshot(m, NULL, s->data);
}

void sim_memory_snapshot_free(void *snapshot)
{
    free(snapshot);
}
