// Manages the memory of the simulated device; memory.h states the contracts. The file access.c executes the accesses of
// warps.
//
// A buffer is one host allocation with a guard zone on both sides. The file access.c refuses accesses to the guard
// zones, so kernels cannot change the bytes that the judge writes to the guard zones. A .global variable is a region
// like a buffer, and its initial value comes from the module.
#include "sim/machine/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "ptx/ptx.h"
#include "sim/core/layout.h"
#include "sim/core/program.h"
#include "sim/core/region.h"
#include "sim/hazard/heap.h"
#include "sim/hazard/race.h"
#include "sim/hazard/sync.h"
#include "sim/machine/conflict.h"
#include "sim/machine/snapshot.h"

enum { ALIGNMENT = 256, CONSTANT_GAP = 64, PADDING = 64 };
#define VARIABLE_BYTES_MAX ((uint64_t)256 << 20)

static uint64_t words_of(uint64_t bytes)
{
    return (bytes + 3) / 4;
}

// Returns the memory region with the index `index`. Allocates the struct sim_region if it does not exist.
static struct sim_region *region_number(struct sim_memory *m, uint32_t index)
{
    ALLOC_GROW(m->region, m->capacity, index + 1);
    if (!m->region[index]) m->region[index] = alloc_zeroed(1, sizeof **m->region);
    m->region[index]->index = index;
    if (index >= m->nregions) m->nregions = index + 1;
    return m->region[index];
}

// Releases the address slots of the region; an address slot is a range of 4 GiB of device addresses (core/region.h).
static void leave_span(struct sim_memory *m, struct sim_region *r)
{
    for (uint32_t s = r->first; s < r->first + r->slots; s++) m->slot[s] = NULL;
    r->slots = 0;
}

// Makes region r the owner of `slots` address slots (ranges of 4 GiB of device addresses), from slot `first` on. A
// freed region that still owns an address slot given to r loses all its address slots.
static void take_span(struct sim_memory *m, struct sim_region *r, uint32_t first, uint32_t slots)
{
    for (uint32_t s = first; s < first + slots; s++) {
        if (m->slot[s]) leave_span(m, m->slot[s]);
        m->slot[s] = r;
    }
    r->first = first;
    r->slots = slots;
    r->base = (uint64_t)(first + slots / 2) << REGION_SHIFT;
}

// Resets region r, and makes r a live region of `bytes` bytes without host memory. The region owns the device addresses
// of `slots` address slots (4 GiB each), from slot `first` on.
static void region_open(struct sim_memory *m, struct sim_region *r, uint32_t first, uint32_t slots, uint64_t bytes,
                        uint32_t element)
{
    leave_span(m, r);
    *r = (struct sim_region){.index = r->index, .owner = m->owner};
    take_span(m, r, first, slots);
    r->bytes = bytes;
    r->element = element ? element : 1;
    r->buffer = r->var = -1;
    r->alive = 1;
}

// Allocates host memory for the region, with guard zones on both sides, and the region's map of written bytes.
static void region_back(struct sim_region *r)
{
    r->block = alloc_dense(r->bytes + 2 * ENGINE_GUARD + ALIGNMENT + PADDING);
    r->data = (uint8_t *)(((uintptr_t)r->block + ENGINE_GUARD + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    r->written = alloc_zeroed(words_of(r->bytes) + PADDING, 1);
}

// Creates the memory region of the engine's buffer number `index`, at the device addresses that belong to this number.
static struct sim_region *region_numbered(struct sim_memory *m, uint32_t index, uint64_t bytes, uint32_t element)
{
    struct sim_region *r = region_number(m, index);
    region_open(m, r, (index + 1) * REGION_SPAN - REGION_SPAN / 2, REGION_SPAN, bytes, element);
    region_back(r);
    return r;
}

// Frees the region's host memory, and its records of accesses and of written bytes. The freed region keeps its device
// addresses, so that accesses to freed memory are recognised.
static void region_close(struct sim_region *r)
{
    conflict_map_free(r->conflict);
    race_map_free(r->race);
    snapshot_free(r->snapshot);
    heap_free(r->heap);
    for (int k = 0; k < 2; k++) {
        free(r->touched[k]);
        r->touched[k] = NULL;
    }
    free(r->block);
    free(r->written);
    r->conflict = NULL;
    r->race = NULL;
    r->snapshot = NULL;
    r->heap = NULL;
    r->block = r->data = r->written = NULL;
    r->alive = 0;
}

// Marks the whole region as written, and frees its map of written bytes.
static void region_all_written(struct sim_region *r)
{
    r->all_written = 1;
    free(r->written);
    r->written = NULL;
}

// Marks the bytes [from, from + bytes) of the region as written.
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

// Finds `slots` consecutive address slots (ranges of 4 GiB of device addresses), at or after slot `from`, that no live
// region owns. Returns the number of the first free slot found, or REGION_SLOTS if not enough consecutive slots are
// free.
static uint32_t free_span(const struct sim_memory *m, uint32_t from, uint32_t slots)
{
    uint32_t run = 0;
    for (uint32_t s = from ? from : 1; s < REGION_SLOTS; s++) {
        run = m->slot[s] && m->slot[s]->alive ? 0 : run + 1;
        if (run == slots) return s + 1 - slots;
    }
    return REGION_SLOTS;
}

// Opens a memory region of `bytes` bytes at free device addresses, without host memory. open_anywhere() first tries
// addresses that were never used, so that accesses to freed memory are recognised for as long as possible. If no unused
// addresses are left, open_anywhere() tries addresses of freed regions, and finally a smaller distance between regions.
// Returns the region's index, or -1 if no addresses are left.
static int open_anywhere(struct sim_memory *m, uint64_t bytes, uint32_t element)
{
    uint32_t narrow = (uint32_t)(bytes >> REGION_SHIFT) + 2, index = ENGINE_BUFFERS;
    uint32_t wide = 2 * narrow > REGION_SPAN ? 2 * narrow : REGION_SPAN;
    if (bytes >> REGION_SHIFT >= REGION_SLOTS) return -1;
    uint32_t slots = wide, first = free_span(m, m->next, slots);
    if (first == REGION_SLOTS) first = free_span(m, 1, slots);
    if (first == REGION_SLOTS) first = free_span(m, 1, slots = narrow);
    if (first == REGION_SLOTS) return -1;
    while (index < m->nregions && m->region[index] && (m->region[index]->alive || m->region[index]->slots)) index++;
    struct sim_region *r = region_number(m, index);
    region_open(m, r, first, slots, bytes, element);
    m->next = first + slots;
    return (int)index;
}

// ---------------------------------------------------------------- variables

// Returns 1 if a module's variable lies in global or constant memory and is not local to a function.
static int is_stored(const struct ptx_var *var)
{
    return var->func == PTX_NO_REG && (var->space == PTX_GLOBAL || var->space == PTX_CONST);
}

// Allocates the module's .const variables in the constant bank, after the variables of earlier modules. The offset of
// each .const variable in the constant bank is a multiple of the variable's alignment.
static void place_constants(struct sim_memory *m, const struct region_vars *vars)
{
    uint64_t at = m->constant_bytes;
    for (uint32_t v = 0; v < vars->module->nvars; v++) {
        const struct ptx_var *var = &vars->module->var[v];
        if (var->space != PTX_CONST) continue;
        uint64_t align = var->align ? var->align : 1;
        at = (at + align - 1) / align * align;
        vars->address[v] = at;
        at += var->bytes + CONSTANT_GAP;
    }
    uint8_t *bank = alloc_zeroed(at + PADDING, 1);
    if (m->constant) memcpy(bank, m->constant, m->constant_bytes);
    free(m->constant);
    m->constant = bank;
    m->constant_bytes = (uint32_t)at;
}

// Returns the host address of variable v of a module.
static uint8_t *var_data(struct sim_memory *m, const struct region_vars *vars, uint32_t v)
{
    if (vars->module->var[v].space == PTX_CONST) return m->constant + vars->address[v];
    return m->slot[vars->address[v] >> REGION_SHIFT]->data;
}

// Returns the value of an initialiser that refers to a symbol. The value of an initialiser that refers to a symbol is a
// function pointer or the address of a variable (generic or within the variable's memory space).
static uint64_t reloc_value(const struct region_vars *vars, const struct ptx_reloc *reloc)
{
    if (reloc->is_func) return reloc->symbol + 1 + (uint64_t)reloc->addend;
    uint64_t address = vars->address[reloc->symbol];
    if (reloc->is_generic && vars->module->var[reloc->symbol].space == PTX_CONST) address += SIM_CONST_WINDOW;
    return address + (uint64_t)reloc->addend;
}

static void initialise_var(struct sim_memory *m, const struct region_vars *vars, uint32_t v)
{
    const struct ptx_var *var = &vars->module->var[v];
    uint8_t *data = var_data(m, vars, v);
    memset(data, 0, var->bytes);
    uint64_t init_bytes = var->init_bytes < var->bytes ? var->init_bytes : var->bytes;
    if (var->init) memcpy(data, var->init, init_bytes);
    for (uint32_t i = 0; i < var->nrelocs; i++) {
        if (var->reloc[i].offset + 8 > var->bytes) continue;
        uint64_t value = reloc_value(vars, &var->reloc[i]);
        memcpy(data + var->reloc[i].offset, &value, 8);
    }
}

// Stores the addresses of .shared variables in the variables whose initial values contain these addresses. The
// addresses of .shared variables depend on the kernel, so initialise_shared_addresses() is called before each launch.
static void initialise_shared_addresses(struct sim_memory *m, const struct region_vars *vars,
                                        const struct shared_layout *layout)
{
    for (uint32_t v = 0; v < vars->module->nvars; v++) {
        const struct ptx_var *var = &vars->module->var[v];
        for (uint32_t i = 0; i < var->nrelocs && is_stored(var); i++) {
            const struct ptx_reloc *reloc = &var->reloc[i];
            if (reloc->is_func || vars->module->var[reloc->symbol].space != PTX_SHARED) continue;
            uint64_t window = reloc->is_generic ? SIM_SHARED_WINDOW : 0;
            uint64_t value = window + layout->offset[reloc->symbol] + (uint64_t)reloc->addend;
            if (reloc->offset + 8 <= var->bytes) memcpy(var_data(m, vars, v) + reloc->offset, &value, 8);
        }
    }
}

static void initialise_vars(struct sim_memory *m, const struct region_vars *vars)
{
    for (uint32_t v = 0; v < vars->module->nvars; v++) {
        if (is_stored(&vars->module->var[v])) initialise_var(m, vars, v);
    }
}

// Returns 1 if the module's variables are within the limits that memory.h states at sim_memory_add().
static int vars_fit(const struct sim_memory *m, const struct ptx_module *module)
{
    uint64_t globals = 0, bytes = 0, constants = m->constant_bytes;
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

// Creates a memory region for each .global variable of the module.
static void place_globals(struct sim_memory *m, const struct region_vars *vars)
{
    const struct ptx_module *module = vars->module;
    for (uint32_t v = 0; v < module->nvars; v++) {
        const struct ptx_var *var = &module->var[v];
        if (var->space != PTX_GLOBAL || !is_stored(var)) continue;
        int index = open_anywhere(m, var->bytes, ptx_type_bytes(var->type));
        if (index < 0) die("no room for variable '%.80s' in the simulated address space", var->name);
        struct sim_region *r = m->region[index];
        region_back(r);
        r->var = (int32_t)v;
        r->module = module;
        region_all_written(r); // a variable without an initialiser is zero
        vars->address[v] = r->base;
    }
}

int sim_memory_add(struct sim_memory *m, const struct ptx_module *module)
{
    if (!vars_fit(m, module)) return -1;
    m->vars = alloc_resize(m->vars, m->nmodules + 1, sizeof *m->vars);
    struct region_vars *vars = &m->vars[m->nmodules++];
    *vars = (struct region_vars){.module = module, .address = alloc_zeroed(module->nvars, sizeof *vars->address)};
    place_constants(m, vars);
    place_globals(m, vars);
    initialise_vars(m, vars);
    return 0;
}

// Makes the program's module the module of the current launch. sim_memory_add() must have added the module before.
static void bind(struct sim_memory *m, const struct sim_program *program)
{
    for (uint32_t i = 0; i < m->nmodules; i++) {
        if (m->vars[i].module != program->module) continue;
        m->module = program->module;
        m->var_address = m->vars[i].address;
        initialise_shared_addresses(m, &m->vars[i], program->shared);
        return;
    }
    BUG("a module that was not added");
}

// ---------------------------------------------------------------- the memory

struct sim_memory *sim_memory_new(void)
{
    struct sim_memory *m = alloc_zeroed(1, sizeof *m);
    m->owner = -1;
    region_number(m, ENGINE_BUFFERS - 1);
    m->next = ENGINE_BUFFERS * REGION_SPAN + REGION_SPAN / 2;
    return m;
}

void sim_memory_free(struct sim_memory *m)
{
    if (!m) return;
    for (uint32_t i = 0; i < m->nregions; i++) {
        if (m->region[i]) region_close(m->region[i]);
        free(m->region[i]);
    }
    for (uint32_t i = 0; i < m->nmodules; i++) free(m->vars[i].address);
    sync_locations_free(m->places);
    free(m->extent);
    free(m->constant);
    free(m->vars);
    free(m->region);
    free(m);
}

void sim_memory_initialise(struct sim_memory *m)
{
    for (uint32_t i = 0; i < m->nregions; i++)
        if (m->region[i] && m->region[i]->heap) region_close(m->region[i]);
    for (uint32_t i = 0; i < m->nmodules; i++) initialise_vars(m, &m->vars[i]);
}

void sim_memory_reset(struct sim_memory *m)
{
    for (uint32_t i = 0; i < m->nregions && i < ENGINE_BUFFERS; i++)
        if (m->region[i]) region_close(m->region[i]);
    sim_memory_initialise(m);
}

int sim_memory_alloc(struct sim_memory *m, uint64_t bytes, uint32_t element)
{
    if (bytes > SIM_BUFFER_STRIDE / 4) return -1;
    for (int i = 0; i < ENGINE_BUFFERS; i++) {
        if (m->region[i] && m->region[i]->alive) continue;
        region_numbered(m, (uint32_t)i, bytes, element)->buffer = i;
        return i;
    }
    return -1;
}

// ---------------------------------------------------------------- memory of a host program

int sim_memory_map(struct sim_memory *m, uint64_t bytes, uint8_t *data, int owner, int written)
{
    m->owner = owner;
    int index = open_anywhere(m, bytes, 4);
    m->owner = -1;
    if (index < 0) return -1;
    struct sim_region *r = m->region[index];
    r->buffer = index;
    if (!data) r->block = calloc(1, bytes + PADDING);
    r->data = data ? data : r->block;
    r->all_written = (uint8_t)written;
    r->written = written ? NULL : calloc(1, words_of(bytes) + PADDING);
    if (r->data && (written || r->written)) return index;
    region_close(r);
    return -1;
}

void sim_memory_remap(struct sim_memory *m, int region, uint8_t *data)
{
    struct sim_region *r = m->region[region];
    free(r->block);
    r->block = NULL;
    r->data = data;
    r->owner = -1;
}

void sim_memory_unmap(struct sim_memory *m, int region)
{
    region_close(m->region[region]);
}

void sim_memory_mark_written(struct sim_memory *m, int region, uint64_t offset, uint64_t bytes)
{
    mark_written(m->region[region], offset, bytes);
}

void sim_memory_set_visible(struct sim_memory *m, uint32_t devices)
{
    for (uint32_t i = 0; i < m->nregions; i++) {
        struct sim_region *r = m->region[i];
        if (r) r->hidden = r->owner >= 0 && !(devices >> r->owner & 1);
    }
}

void sim_memory_watch(struct sim_memory *m, int on)
{
    m->watch = (uint32_t)on;
}

// Allocates a region's maps of read and written words, or frees the maps if the recording of accesses is switched off.
static void watch(const struct sim_memory *m, struct sim_region *r)
{
    for (int k = 0; k < 2; k++) {
        free(r->touched[k]);
        r->touched[k] = m->watch ? alloc_zeroed(r->bytes / COALESCE_LINE + 2, sizeof(uint32_t)) : NULL;
    }
}

void sim_memory_touch(const struct sim_region *r, uint32_t kind, const struct footprint *words)
{
    for (uint32_t i = 0; i < words->cells; i++) {
        uint64_t line = words->cell[i] - r->base / COALESCE_LINE;
        for (int k = kind == ACCESS_WRITE; k <= (kind != ACCESS_READ); k++) {
            uint32_t *at = &r->touched[k][line];
            if (words->unit[i] & ~__atomic_load_n(at, __ATOMIC_RELAXED))
                __atomic_fetch_or(at, words->unit[i], __ATOMIC_RELAXED);
        }
    }
}

static int is_touched(const uint32_t *map, uint64_t word)
{
    return map[word / 32] >> word % 32 & 1;
}

int sim_memory_touched(const struct sim_memory *m, int region, int write, uint64_t at, uint64_t *from, uint64_t *to)
{
    const struct sim_region *r = m->region[region];
    const uint32_t *map = r->alive ? r->touched[write] : NULL;
    uint64_t word = at / 4, words = words_of(r->bytes);
    if (!map) return 0;
    while (word < words && !is_touched(map, word)) word += map[word / 32] >> word % 32 ? 1 : 32 - word % 32;
    if (word >= words) return 0;
    *from = word * 4;
    while (word < words && is_touched(map, word)) word++;
    *to = word * 4;
    return 1;
}

void sim_memory_set_owner(struct sim_memory *m, int owner)
{
    m->owner = owner;
}

// Returns the buffer's region, or NULL if [offset, offset + bytes) does not lie within the buffer and its guard zones.
static struct sim_region *buffer_range(const struct sim_memory *m, int buffer, int64_t offset, uint64_t bytes)
{
    if (buffer < 0 || buffer >= ENGINE_BUFFERS || !m->region[buffer] || !m->region[buffer]->alive) return NULL;
    struct sim_region *r = m->region[buffer];
    if (offset < -ENGINE_GUARD || offset > (int64_t)r->bytes + ENGINE_GUARD) return NULL;
    if (bytes > r->bytes + ENGINE_GUARD - (uint64_t)offset) return NULL;
    return r;
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

static void fill(uint8_t *at, uint64_t bytes, uint32_t word)
{
    uint32_t piece[256];
    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) piece[i] = word;
    for (uint64_t done = 0; done < bytes; done += sizeof piece)
        memcpy(at + done, piece, bytes - done < sizeof piece ? bytes - done : sizeof piece);
}

int sim_memory_renew(struct sim_memory *m, int buffer, int from, uint32_t word)
{
    struct sim_region *r = buffer_range(m, buffer, 0, 0), *source = from < 0 ? NULL : buffer_range(m, from, 0, 0);
    if (!r || !r->block || (from >= 0 && (!source || source->bytes != r->bytes))) return -1;
    uint64_t all = r->bytes + 2 * ENGINE_GUARD, words = words_of(r->bytes);
    free(r->written);
    r->all_written = source && source->all_written;
    r->written = r->all_written ? NULL : alloc_zeroed(words + PADDING, 1);
    if (source && source->written) memcpy(r->written, source->written, words);
    if (source) memcpy(r->data - ENGINE_GUARD, source->data - ENGINE_GUARD, all);
    if (!source) fill(r->data - ENGINE_GUARD, all, word);
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
    const struct sim_region *r = buffer_range(m, buffer, 0, 0);
    return r ? r->base : 0;
}

uint64_t sim_memory_bytes_read(const struct sim_memory *m)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m->nregions; i++) {
        const struct sim_region *r = m->region[i];
        if (r && r->alive && r->was_read && r->var < 0) bytes += r->bytes;
    }
    return bytes;
}

uint64_t sim_memory_var_address(const struct sim_memory *m, const struct ptx_module *module, uint32_t var)
{
    BUG_ON(var >= module->nvars);
    for (uint32_t i = 0; i < m->nmodules; i++)
        if (m->vars[i].module == module) return m->vars[i].address[var];
    BUG("a module that was not added");
}

int64_t sim_memory_symbol(const struct ptx_module *module, const char *name, void *data, size_t capacity)
{
    int v = ptx_find_var(module, name);
    if (v < 0 || !is_stored(&module->var[v])) return -1;
    const struct ptx_var *var = &module->var[v];
    uint64_t init_bytes = var->init ? var->init_bytes : 0;
    for (uint64_t i = 0; i < var->bytes && i < capacity; i++) {
        ((uint8_t *)data)[i] = i < init_bytes ? var->init[i] : 0;
    }
    return (int64_t)var->bytes;
}

void sim_memory_begin(struct sim_memory *m, const struct sim_launch *launch, int serial)
{
    bind(m, launch->program);
    m->checks = launch->checks;
    m->conflict = m->strong = 0;
    m->track_conflicts = launch->blocks > 1 && !serial;
    m->race_retry = 0;
    m->serial = (uint32_t)serial;
    sync_locations_free(m->places);
    m->places = serial ? sync_locations_new() : NULL;
    layout_extents(m, launch);
    for (uint32_t i = 0; i < m->nregions; i++) {
        struct sim_region *r = m->region[i];
        if (!r || !r->alive) continue;
        conflict_map_free(r->conflict);
        r->conflict = NULL;
        r->was_read = 0;
        r->unit_shift = r->race_narrow ? 0 : conflict_unit_shift(r->element);
        race_map_free(r->race);
        r->race = NULL;
        r->race_read = r->race_written = 0;
        watch(m, r);
        if (r->hidden) continue;
        if (m->checks & CHECK_RACES) r->race = race_map_new((r->bytes >> r->unit_shift) + 1, r->unit_shift);
        if (m->track_conflicts) r->conflict = conflict_map_new(r->bytes >> r->unit_shift);
    }
}

int sim_memory_retry(const struct sim_memory *m)
{
    return __atomic_load_n(&m->race_retry, __ATOMIC_RELAXED) != 0;
}

void sim_memory_forget(struct sim_memory *m)
{
    for (uint32_t i = 0; i < m->nregions; i++)
        if (m->region[i]) m->region[i]->race_reads = m->region[i]->race_narrow = 0;
}

int sim_memory_conflict(const struct sim_memory *m)
{
    return __atomic_load_n(&m->conflict, __ATOMIC_RELAXED) != 0;
}

void sim_memory_snapshot(struct sim_memory *m)
{
    for (uint32_t i = 0; i < m->nregions; i++) {
        struct sim_region *r = m->region[i];
        if (!r || !r->alive || r->hidden) continue;
        r->snapshot = snapshot_new(r);
        if (r->heap) heap_save(r->heap);
    }
}

void sim_memory_restore(struct sim_memory *m)
{
    for (uint32_t i = 0; i < m->nregions; i++) {
        struct sim_region *r = m->region[i];
        if (!r || !r->snapshot) continue;
        snapshot_restore(r->snapshot, r);
        if (r->heap) heap_restore(r->heap);
    }
}

void sim_memory_snapshot_free(struct sim_memory *m)
{
    for (uint32_t i = 0; i < m->nregions; i++) {
        if (!m->region[i]) continue;
        snapshot_free(m->region[i]->snapshot);
        m->region[i]->snapshot = NULL;
        if (m->region[i]->heap) heap_forget(m->region[i]->heap);
    }
}
