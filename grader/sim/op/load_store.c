// Executes loads, stores and atomics of 32 lanes. The handlers in this file compute the addresses, and machine/access.c
// executes the access. This file also has the table of all handlers that are compiled for one level of host vector
// instructions. The file load_store.c is compiled once for each level of host vector instructions (op/exec.h).
//
// An address in shared, local, constant or parameter memory has 32 bits, even if its register has 64 bits. The compiler
// ptxas keeps the lower half of a 64-bit address register and adds the offset modulo 2^32. Addresses therefore wrap
// around at 2^32. The compiler nvcc relies on addresses that wrap around in ld.shared.f32 %f1, [%r4+68] with a negative
// %r4. The compiler clang relies on addresses that wrap around if a 64-bit address register holds a 32-bit difference.
#include "base/hostile.h"
#include "sim/core/vector_level.h"
#include "sim/machine/access.h"
#include "sim/machine/frame.h"
#include "sim/machine/undef.h"
#include "sim/op/exec.h"
#include "sim/timing/sample.h"

struct sim_access *exec_access(struct warp *w, const struct sim_memory_op *m, uint32_t base, uint32_t mask)
{
    struct sim_access *a = &w->access;
    memcpy(a, &m->access, offsetof(struct sim_access, address));
    a->mask = mask;
    if (w->frame) a->op = frame_site(w, a->op);
    uint64_t offset = (uint64_t)m->offset, bits = exec_address_bits(a->space);
    if (m->local) offset += warp_local_base(w);
    if (a->part) {
        a->lo += warp_local_base(w);
        a->hi += warp_local_base(w);
    }
    if (m->wide) {
        const row_u64 *r = ROW(u64, base);
        LANES_LOOP a->address[i] = (r[i] + offset) & bits;
    } else {
        const row_u32 *r = ROW(u32, base);
        LANES_LOOP a->address[i] = (r[i] + offset) & bits;
    }
    struct sample_set *samples = w->memory.block->samples;
    if (samples) sample_take(samples, &w->memory, (uint32_t)(m - w->plan->memory), a);
    return a;
}

struct pattern *exec_new_pattern(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    struct pattern *s = &w->pattern[op->side];
    const struct sim_access *a = &w->plan->memory[op->side].access;
    pattern_flush(s, a, &w->memory.block->worker->op[a->op]);
    if (w->memory.block->samples) exec_access(w, &w->plan->memory[op->side], op->a, mask);
    if (HOSTILE_BUILD) return NULL;
    return pattern_learn(s, w->rows + op->a, op->mode, mask, a) ? s : NULL;
}

void exec_load(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_memory_op *m = &w->plan->memory[op->side];
    struct sim_access *a = exec_access(w, m, op->a, mask);
    void *row[8];
    for (uint32_t e = 0; e < a->count; e++) row[e] = w->rows + m->row[e];
    if (a->cache == PTX_CV) warp_poll(w, op);
    if (!(w->memory.block->worker->launch->checks & CHECK_WRITTEN)) {
        access_load(&w->memory, a, row, NULL);
        return;
    }
    struct sim_validity valid;
    uint32_t before = w->nundef;
    access_load(&w->memory, a, row, &valid);
    for (uint32_t e = 0; e < a->count; e++)
        for (uint32_t left = valid.lanes[e]; left; left &= left - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(left);
            undef_set_value(w, m->reg[e], l, &valid.value[e][l]);
        }
    if (w->nundef && !before) warp_stop(w, op, warp_op_index(w, op) + 1); // the next ops are to be looked at
}

void exec_store(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_memory_op *m = &w->plan->memory[op->side];
    struct sim_access *a = exec_access(w, m, op->a, mask);
    const void *row[8];
    for (uint32_t e = 0; e < a->count; e++) row[e] = w->rows + m->row[e];
    if (!w->nundef) {
        access_store(&w->memory, a, row, NULL);
        return;
    }
    struct sim_validity valid;
    for (uint32_t e = 0; e < a->count; e++) {
        valid.lanes[e] = m->reg[e] ? w->undef[m->reg[e]] & mask : 0;
        for (uint32_t left = valid.lanes[e]; left; left &= left - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(left);
            valid.value[e][l] = *undef_value(w, m->reg[e], l);
        }
    }
    access_store(&w->memory, a, row, &valid);
}

enum { ATOMIC_LANE = 2 }; // simulation cost of returning an atomic's old value to one lane, in instructions

// Executes an atomic. The field op->a names the register with the addresses, op->b the register with the operands, and
// op->d the register that receives the old values (0: none). For a compare-and-swap, op->c names the register with the
// values to compare with.
static void atom_NONE_PLAIN(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_memory_op *m = &w->plan->memory[op->side];
    struct sim_access *a = exec_access(w, m, op->a, mask);
    access_atomic(&w->memory, a, op->d ? w->rows + op->d : NULL, w->rows + op->b,
                  m->access.atom == PTX_ATOM_CAS ? w->rows + op->c : NULL);
    if (!op->d) return;
    w->memory.block->extra_work += ATOMIC_LANE * (uint32_t)__builtin_popcount(mask);
    warp_poll(w, op);
}

// Executes cp.async. The field op->a of a cp.async names the register with the shared-memory addresses, and op->b the
// register with the global addresses. The field op->c names the register with the number of bytes to copy (0: copy
// all). For cp.async, the element op->side of plan->memory describes the store, and the next element the load.
// Destination bytes of cp.async that are not copied become zero. The asynchronous copy is executed at once, which is
// one of the allowed orders.
static void cp_async_NONE_PLAIN(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_memory_op *store = &w->plan->memory[op->side], *load = store + 1;
    uint32_t words[4][WARP_LANES] __attribute__((aligned(64))), enough = mask;
    void *row[4] = {words[0], words[1], words[2], words[3]};
    const void *from[4] = {words[0], words[1], words[2], words[3]};
    memset(words, 0, sizeof words);
    if (op->c) {
        const row_u32 *size = ROW(u32, op->c);
        uint32_t whole = (uint32_t)load->access.count * load->access.bytes;
        for (int i = 0; i < WARP_LANES; i++)
            if (LANE_ON(mask, i) && size[i] < whole) enough &= ~(1u << i);
        for (int i = 0; i < WARP_LANES; i++) { // the rare lanes that copy less, one word at a time
            if (!LANE_ON(mask & ~enough, i)) continue;
            for (uint32_t word = 0; 4 * word + 4 <= size[i] && word < 4; word++) {
                struct sim_access *a = exec_access(w, load, op->b, 1u << i);
                a->count = 1;
                a->bytes = 4;
                a->address[i] += 4 * word;
                access_load(&w->memory, a, row + word, NULL);
            }
        }
    }
    if (enough) access_load(&w->memory, exec_access(w, load, op->b, enough), row, NULL);
    access_store(&w->memory, exec_access(w, store, op->a, mask), from, NULL);
}

#define ld_NONE_PLAIN exec_load
#define st_NONE_PLAIN exec_store
static const struct sim_handler_row memory_rows[] = {ROWENTRY(ld, NONE, PLAIN) ROWENTRY(st, NONE, PLAIN) ROWENTRY(
    atom, NONE, PLAIN) ROWENTRY(cp_async, NONE, PLAIN){0, NULL}};

#define MEMORY_TEXT2(x) #x
#define MEMORY_TEXT(x) MEMORY_TEXT2(x)
static const struct sim_handler_row *const all_rows[] = {memory_rows,
                                                         SIM_NAME(exec_word_shared),
                                                         SIM_NAME(exec_word_global),
                                                         SIM_NAME(exec_integer),
                                                         SIM_NAME(exec_float),
                                                         SIM_NAME(exec_convert),
                                                         SIM_NAME(exec_half),
                                                         SIM_NAME(exec_logic),
                                                         SIM_NAME(exec_video),
                                                         NULL};
const struct sim_handlers SIM_NAME(op_handlers) = {MEMORY_TEXT(SIM_ISA), all_rows};
