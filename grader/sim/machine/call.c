// Executes calls and returns of device functions: copies parameters and results, and pushes and pops call frames.
//
// Each device function has registers of its own in the warp's register file, so a call copies only parameters. If a
// recursive function calls a recursive function, the call saves the caller's registers in the call frame. When lanes
// return to a recursive caller, the caller's saved registers are restored for these lanes. A call frame does not record
// which lanes made the call. Lanes that diverge inside a call share the call's frame and may return at different times.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "ptx/ptx.h"
#include "sim/core/program.h"
#include "sim/core/warp.h"
#include "sim/machine/allocator.h"
#include "sim/machine/frame.h"
#include "sim/machine/print.h"
#include "sim/machine/undef.h"
#include "sim/machine/warp.h"

// Copies the 32-bit register at offset `from` of the warp's register file to offset `to`, for the lanes in `mask`.
static void copy_words(struct warp *w, uint32_t from, uint32_t to, uint32_t mask)
{
    uint32_t *d = warp_row(w, to), lane[WARP_LANES];
    memcpy(lane, w->rows + from, sizeof lane);
    for (uint32_t i = 0; i < WARP_LANES; i++) d[i] = mask >> i & 1 ? lane[i] : d[i];
}

// Copies the record of which bits are undefined for a 32-bit word that a call passes as a parameter or result. If
// p->from_bytes is 1, the source of the passed word has a register id for each of its four bytes, otherwise one
// register id. If p->to_bytes is 1, the destination of the passed word has a register id for each of its four bytes,
// otherwise one register id.
static void pass_undef(struct warp *w, const struct plan_pair *p, uint32_t from_reg, uint32_t to_reg, uint32_t mask)
{
    uint32_t from = p->from_reg + from_reg, to = p->to_reg + to_reg;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        struct sim_undefined value = {.op = UINT32_MAX, .symbol = -1}, byte;
        for (uint32_t b = 0; from && b < (p->from_bytes ? 4 : 1); b++) {
            uint64_t bits = undef_bits(w, from + b, i);
            if (!bits) continue;
            byte = *undef_value(w, from + b, i);
            byte.bits = value.bits | (p->from_bytes ? (bits & 0xff) << 8 * b : bits);
            value = byte;
        }
        for (uint32_t b = 0; b < (p->to_bytes ? 4 : 1); b++) {
            byte = value;
            if (p->to_bytes) byte.bits = value.bits >> 8 * b & 0xff;
            undef_set_value(w, to ? to + b : 0, i, &byte);
        }
    }
}

static void copy_pair(struct warp *w, const struct plan_pair *p, uint32_t to, uint32_t to_reg, uint32_t mask)
{
    copy_words(w, p->from, p->to + to, mask);
    if (w->nundef) pass_undef(w, p, 0, to_reg, mask);
}

// Returns the device function (or kernel) that contains an op.
static const struct plan_func *function_at(const struct warp *w, uint32_t op)
{
    return &w->plan->func[w->memory.block->worker->launch->program->info[op].func];
}

// ---------------------------------------------------------------- built-in functions

// Returns argument n of a call for one lane. A 64-bit argument occupies two 32-bit registers.
static uint64_t argument(const struct warp *w, const struct sim_call_op *call, uint32_t n, uint32_t lane)
{
    const struct plan_pair *p = &w->plan->pair[call->args + n];
    uint64_t low = warp_row(w, p->from)[lane], high = p->to ? warp_row(w, p->to)[lane] : 0;
    return high << 32 | low;
}

// Gives the cost of one call of printf by a warp, in warp instructions of the launch's budget. The grader's report
// keeps 64 KiB of printed text. The cost of printf allows one debugging print from each of a million threads. If each
// of a million threads prints a thousand times, the launch uses up its budget of instructions and ends.
enum { PRINT_COSTS = 512 };

// Executes one lane's call of a built-in function that returns (malloc(), free() or vprintf()). Returns the function's
// result.
static uint64_t run_lane(struct warp *w, const struct sim_call_op *call, uint32_t op, uint32_t lane)
{
    uint64_t first = argument(w, call, 0, lane);
    if (call->builtin == BUILTIN_MALLOC) return allocator_take(w, op, lane, first);
    if (call->builtin == BUILTIN_VPRINTF)
        return (uint64_t)print_vprintf(w, op, lane, first, argument(w, call, 1, lane));
    allocator_give(w, op, lane, first);
    return 0;
}

// Executes a call of a built-in function of the device for the lanes in `mask`, one lane after the other.
static void run_builtin(struct warp *w, const struct sim_op *op, const struct sim_call_op *call, uint32_t mask)
{
    uint32_t here = warp_op_index(w, op), first = (uint32_t)__builtin_ctz(mask);
    if (call->builtin == BUILTIN_ASSERTFAIL) {
        char condition[120];
        print_string(w, here, first, argument(w, call, 0, first), condition, sizeof condition);
        warp_fault(w, FINDING_assertion, here, first, condition, 0);
        return;
    }
    uint64_t result[WARP_LANES] = {0};
    if (call->builtin == BUILTIN_VPRINTF) w->memory.block->extra_work += PRINT_COSTS;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        result[lane] = run_lane(w, call, here, lane);
    }
    for (uint32_t r = 0; r < call->nresults; r++) {
        const struct plan_pair *p = &w->plan->pair[call->results + r];
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            warp_row(w, p->to)[lane] = (uint32_t)(result[lane] >> 32 * r);
        }
        for (uint32_t b = 0; b < (p->to_bytes ? 4 : 1) && w->nundef; b++) undef_set(w, p->to_reg + b, 0, mask);
    }
}

// ---------------------------------------------------------------- calls and returns

// Returns the index in module->func of the function that an indirect call calls, or -1 if the pointer is not a function
// of the call's type. Reduces *mask to the lanes whose function pointer equals that of the first lane. Lanes with
// another function pointer form a split (group of lanes) of their own, which executes the call again.
static int indirect_target(struct warp *w, const struct sim_op *op, const struct sim_call_op *call, uint32_t *mask)
{
    const uint64_t *target = (const uint64_t *)(const void *)(w->rows + call->target);
    uint64_t first = target[__builtin_ctz(*mask)];
    uint32_t group = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (*mask >> i & 1 && target[i] == first) group |= 1u << i;
    warp_split(w, group, warp_op_index(w, op));
    *mask = group;
    const struct ptx_module *m = w->memory.block->worker->launch->program->module;
    if (!first || first > m->nfuncs) return -1;
    const struct plan_func *f = &w->plan->func[first - 1];
    if (f->entry == PLAN_ABSENT || m->func[first - 1].is_entry) return -1;
    if (f->param_words != call->nargs || f->result_words < call->nresults) return -1;
    return (int)first - 1;
}

void call_enter(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_call_op *call = &w->plan->call[op->side];
    const struct sim_launch *launch = w->memory.block->worker->launch;
    uint32_t here = warp_op_index(w, op);
    if (call->builtin) {
        run_builtin(w, op, call, mask);
        return;
    }
    mask = warp_guard(w, op, mask);
    if (!mask) return;
    warp_split(w, mask, here + 1);
    int func = call->func, indirect = func < 0;
    if (indirect) func = indirect_target(w, op, call, &mask);
    if (func < 0) {
        warp_fault(w, FINDING_bad_call, here, (uint32_t)__builtin_ctz(mask),
                   N_("the pointer is no function's, or one of another type"), 0);
        return;
    }
    const struct plan_func *f = &w->plan->func[func], *caller = function_at(w, here);
    uint32_t base = warp_local_base(w) + caller->frame_bytes, depth = w->frame ? w->frame->depth + 1 : 1;
    if (depth > FRAME_DEPTH_MAX || (uint64_t)base + f->frame_bytes > launch->local_bytes) {
        warp_fault(w, FINDING_bad_call, here, (uint32_t)__builtin_ctz(mask),
                   N_("the stack overflows: the recursion is too deep"), depth);
        return;
    }
    int save = caller->recursive && f->recursive;
    struct frame *frame = frame_new(w, save ? caller->bytes : 0);
    frame->parent = w->frame; // the new frame takes over the split's reference to its parent
    frame->references = 1;
    frame->depth = depth;
    frame->call = here;
    frame->callee = (uint32_t)func;
    frame->local_base = base;
    frame->is_saved = (uint32_t)save;
    if (save) memcpy(frame->saved, w->rows + caller->region, caller->bytes);
    w->split[w->current].frame = w->frame = frame;
    uint32_t row = indirect ? f->param_word : 0, reg = indirect ? f->param_reg : 0;
    for (uint32_t k = 0; k < call->nargs; k++) copy_pair(w, &w->plan->pair[call->args + k], row, reg, mask);
    undef_enter(w, f, base, mask);
    warp_stop(w, op, f->entry);
}

void call_return(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    mask = warp_guard(w, op, mask);
    if (!mask) return;
    if (!w->frame) { // a return from the kernel itself
        warp_exit(w, op, mask);
        return;
    }
    warp_split(w, mask, warp_op_index(w, op) + 1);
    struct frame *frame = w->frame;
    const struct sim_op *at = &w->ops[frame->call];
    const struct sim_call_op *call = &w->plan->call[at->side];
    const struct plan_func *f = &w->plan->func[frame->callee], *caller = function_at(w, frame->call);
    uint32_t result[CALL_RESULTS][WARP_LANES], indirect = call->func < 0;
    for (uint32_t k = 0; k < call->nresults && k < CALL_RESULTS; k++)
        memcpy(result[k], w->rows + w->plan->pair[call->results + k].from + (indirect ? f->result_word : 0),
               sizeof result[k]);
    if (frame->is_saved) frame_copy_lanes(w, caller, w->rows + caller->region, frame->saved, mask);
    for (uint32_t k = 0; k < call->nresults && k < CALL_RESULTS; k++) {
        const struct plan_pair *p = &w->plan->pair[call->results + k];
        uint32_t *d = warp_row(w, p->to);
        for (uint32_t i = 0; i < WARP_LANES; i++) d[i] = mask >> i & 1 ? result[k][i] : d[i];
        if (w->nundef) pass_undef(w, p, indirect ? f->result_reg : 0, 0, mask);
    }
    uint32_t back = frame->call + 1;
    w->split[w->current].frame = w->frame = frame->parent;
    if (frame->parent) frame->parent->references++;
    frame_release(w, frame);
    warp_stop(w, op, back);
}

// ---------------------------------------------------------------- parameters

void call_store_param(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_param_op *p = &w->plan->param[op->side];
    uint32_t *word = warp_row(w, p->word), *high = warp_row(w, p->word + (p->bytes == 8 ? 4 * WARP_LANES : 0));
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        uint64_t value = 0;
        memcpy(&value, w->rows + p->row + (p->wide ? 8 : 4) * i, p->wide ? 8 : 4);
        if (p->bytes < 4) {
            uint32_t keep = (p->bytes == 1 ? 0xffu : 0xffffu) << p->shift;
            word[i] = (word[i] & ~keep) | ((uint32_t)value << p->shift & keep);
        } else {
            word[i] = (uint32_t)value;
            if (p->bytes == 8) high[i] = (uint32_t)(value >> 32);
        }
    }
}

// Copies the first op->mode bytes of a parameter word to the function's local memory. Undefined bits stay undefined.
void call_spill_param(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t stride = w->memory.block->worker->launch->local_bytes, at = warp_local_base(w) + op->f;
    const uint32_t *word = warp_row(w, op->a), *use = &w->plan->use[op->regs + 1];
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        memcpy(w->memory.local + (size_t)i * stride + at, &word[i], op->mode); // the host is little-endian
        for (uint32_t b = 0; b < op->mode && w->memory.local_valid; b++)
            w->memory.local_valid[(size_t)i * stride + at + b] = (uint8_t)~undef_bits(w, use[b], i);
    }
}

// Returns the lowest `bytes` bytes of `value`, sign-extended (if `is_signed` is 1) or zero-extended to 64 bits.
static uint64_t extend(uint64_t value, uint32_t bytes, int is_signed)
{
    uint32_t unused = 64 - 8 * bytes;
    return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

void call_load_param(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_param_op *p = &w->plan->param[op->side];
    const uint32_t *word = warp_row(w, p->word), *high = warp_row(w, p->word + (p->bytes == 8 ? 4 * WARP_LANES : 0));
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        uint64_t value = p->bytes == 8 ? (uint64_t)high[i] << 32 | word[i] : word[i] >> p->shift;
        value = extend(value, p->bytes, p->sign);
        memcpy(w->rows + p->row + (p->wide ? 8 : 4) * i, &value, p->wide ? 8 : 4); // the host is little-endian
    }
}

// Executes ld.param of a kernel parameter whose address is known only at run time. A read beyond the kernel's
// parameters is a finding and returns 0.
void call_load_entry_param(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_memory_op *m = &w->plan->memory[op->side];
    const uint8_t *params = w->block->params;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        uint64_t base = 0;
        memcpy(&base, w->rows + op->a + (m->wide ? 8 : 4) * i, m->wide ? 8 : 4);
        uint64_t address = base + (uint64_t)m->offset;
        if (address >= SIM_PARAM_WINDOW) address -= SIM_PARAM_WINDOW;
        for (uint32_t e = 0; e < m->access.count; e++, address += m->access.bytes) {
            uint64_t value = 0;
            if (address > w->plan->param_bytes || w->plan->param_bytes - address < m->access.bytes)
                warp_finding(w, FINDING_out_of_bounds, warp_op_index(w, op), i, NULL, 0, UINT32_MAX);
            else
                memcpy(&value, params + address, m->access.bytes);
            value = extend(value, m->access.bytes, m->access.sign);
            memcpy(w->rows + m->row[e] + m->access.row_bytes * i, &value, m->access.row_bytes);
        }
    }
}
