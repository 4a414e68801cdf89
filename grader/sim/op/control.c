// Executes and lowers control flow: branches, calls, returns, block barriers, fences, waits and pauses. The functions
// that execute ops (handlers) come first in this file, and the functions that lower the PTX instructions follow. The
// handlers of calls are in machine/call.c, and the handlers of barriers in machine/barrier.c.
#include <string.h>

#include "base/message.h"
#include "ptx/opcode.h"
#include "ptx/ptx.h"
#include "sim/core/mbarrier.h"
#include "sim/hazard/copies.h"
#include "sim/hazard/sync.h"
#include "sim/machine/undef.h"
#include "sim/machine/warp.h"
#include "sim/op/lower.h"

// Executes a guarded op for those lanes of `mask` whose guard predicate is true.
void control_guarded(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t on = warp_guard(w, op, mask);
    if (on != mask) w->tally[warp_op_index(w, op)].off += (uint32_t)__builtin_popcount(mask & ~on);
    if (on) op->inner(w, op, on);
}

static inline void jump(struct warp *w, const struct sim_op *op, uint32_t target)
{
    uint32_t here = warp_op_index(w, op);
    if (target <= here) w->last_branch = here;
    w->pc = target;
    w->end = op + 1; // an added jump may follow, for the lanes that fall through to a block placed elsewhere
}

void control_jump(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    (void)mask;
    jump(w, op, op->f);
}

void control_bra(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    (void)mask;
    jump(w, op, op->f);
}

void control_bra_guarded(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t taken = warp_guard(w, op, mask);
    w->tally[warp_op_index(w, op)].taken += (uint32_t)__builtin_popcount(taken);
    if (taken == mask) {
        jump(w, op, op->f);
    } else if (taken) {
        uint32_t here = warp_op_index(w, op);
        w->tally[here].divergent++;
        warp_split(w, mask & ~taken, op->f);
        if (op->f <= here) w->last_branch = here;
    }
}

// Executes a branch through a table (brx). All lanes whose branch index equals that of the first lane jump to the first
// lane's target. Lanes with another branch index than the first lane execute the brx again.
void control_brx(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t here = warp_op_index(w, op), on = warp_guard(w, op, mask), group = 0;
    if (!on) return;
    warp_split(w, on, here + 1);
    const uint32_t *index = warp_row(w, op->a);
    uint32_t first = index[__builtin_ctz(on)];
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (on >> i & 1 && index[i] == first) group |= 1u << i;
    if (group != on) {
        w->tally[here].divergent++;
        warp_split(w, group, here);
    }
    if (first >= op->f) {
        warp_fault(w, FINDING_bad_call, here, (uint32_t)__builtin_ctz(on), N_("branch index outside its table"), first);
        return;
    }
    warp_stop(w, op, w->plan->target[op->side + first]);
    if (w->pc <= here) w->last_branch = here;
}

void control_exit(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t on = warp_guard(w, op, mask);
    if (on) warp_exit(w, op, on);
}

void control_trap(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    warp_fault(w, FINDING_trap, warp_op_index(w, op), (uint32_t)__builtin_ctz(mask), NULL, 0);
}

void control_nop(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    (void)w, (void)op, (void)mask;
}

enum { CLOCKS_PER_INST = 4, SLEEP_MOST = 1000000 }; // SLEEP_MOST: ns, PTX ISA 9.7.19.1

// Returns the value of the warp's clock register: a fixed number of cycles for each executed instruction, plus the
// warp's pauses. The clock register is monotonic and has the same values in every run.
static uint64_t clock_now(struct warp *w, const struct sim_op *op)
{
    uint64_t now = (w->memory.executed + (uint64_t)(op - w->ops) % 64) * CLOCKS_PER_INST + w->slept;
    if (w->block->clock < now) w->block->clock = now;
    return now;
}

static uint64_t clock_khz(const struct warp *w)
{
    return (uint64_t)w->memory.block->worker->launch->device->clock_khz;
}

// Executes nanosleep: pauses the warp for the longest time that a lane asks for, and lets other warps run.
void control_sleep(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const uint32_t *row = warp_row(w, op->a);
    uint32_t most = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (mask >> i & 1 && row[i] > most) most = row[i];
    w->slept += (most < SLEEP_MOST ? most : SLEEP_MOST) * clock_khz(w) / 1000000;
    clock_now(w, op);
    warp_yield(w, op);
}

void control_fence(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    // The simulated memory is sequentially consistent. A fence instruction therefore only tells the race check which
    // accesses are ordered.
    sync_fence(&w->memory, mask, op->mode);
}

void control_copy_commit(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    (void)op;
    copies_commit(&w->memory, mask);
}

void control_copy_wait(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    copies_wait(&w->memory, mask, op->side);
}

void control_clock(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint64_t value = clock_now(w, op);
    if (op->mode >= PTX_SREG_globaltimer) value = (uint64_t)((unsigned __int128)value * 1000000 / clock_khz(w));
    if (op->mode == PTX_SREG_clock_hi || op->mode == PTX_SREG_globaltimer_hi) value >>= 32;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        uint32_t narrow = (uint32_t)value;
        if (op->side)
            memcpy(w->rows + op->d + 8 * i, &value, 8);
        else
            memcpy(w->rows + op->d + 4 * i, &narrow, 4);
    }
}

void control_local_address(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint64_t address = (uint64_t)warp_local_base(w) + op->f;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        memcpy(w->rows + op->d + (op->side ? 8 : 4) * i, &address, op->side ? 8 : 4); // little-endian
    }
}

// Executes alloca, which allocates local memory on the stack of each lane. For each lane, op->a names the register with
// the number of bytes to allocate. The fields op->b and op->e name the register that holds the top of each lane's
// stack, which alloca raises. The register op->d receives the address of each lane's allocated memory.
void control_alloca(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t stride = w->memory.block->worker->launch->local_bytes, *top = warp_row(w, op->b), align = op->f;
    uint32_t width = op->side ? 8 : 4;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(mask >> i & 1)) continue;
        uint64_t bytes = 0, from = ((uint64_t)top[i] + align - 1) / align * align;
        memcpy(&bytes, w->rows + op->a + width * i, width);
        if (from > stride || bytes > stride - from) {
            warp_fault(w, FINDING_bad_call, warp_op_index(w, op), i,
                       N_("the stack overflows: alloca of too many bytes"), bytes);
            return;
        }
        undef_clear_local(w, i, from, bytes);
        top[i] = (uint32_t)(from + bytes);
        memcpy(w->rows + op->d + width * i, &from, width); // little-endian
    }
}

// Reports a division of integers by zero. An integer division by zero has a result in the simulator and on a device,
// but CUDA does not define that result.
void control_check_divisor(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t bytes = op->mode < 4 ? 4 : op->mode;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint64_t divisor = 0;
        memcpy(&divisor, w->rows + op->a + bytes * i, bytes);
        if (op->mode == 2) divisor &= 0xffff;
        if (divisor || !(mask >> i & 1)) continue;
        warp_finding(w, FINDING_arithmetic, warp_op_index(w, op), i, NULL, 0, UINT32_MAX);
        return;
    }
}

// ---------------------------------------------------------------- lowering

static struct ref optional(struct lower *l, const struct ptx_inst *i, uint32_t n, uint32_t width)
{
    if (n >= i->noperands || i->operand[n].kind == PTX_OPERAND_NONE) return (struct ref){0, 0};
    return lower_source(l, &i->operand[n], width);
}

void lower_barrier(struct lower *l, const struct ptx_inst *i)
{
    int red = i->mode == PTX_BAR_RED, first = red ? 1 : 0;
    struct ref src[3] = {lower_source(l, &i->operand[first], 4), optional(l, i, (uint32_t)first + 1, 4), {0, 0}};
    struct ref dst = {0, 0};
    if (red) {
        src[2] = lower_source(l, &i->operand[3], 1);
        dst = lower_dest(l, &i->operand[0], i->boolop == PTX_BOOL_POPC ? 4 : 1, 0);
    }
    struct sim_op *op = lower_emit(l,
                                   i->mode == PTX_BAR_ARRIVE ? barrier_arrive
                                   : red                     ? barrier_red
                                                             : barrier_sync,
                                   src, 3, &dst, red);
    op->role = i->mode == PTX_BAR_ARRIVE ? ROLE_BARRIER_ARRIVE : red ? ROLE_BARRIER_REDUCE : ROLE_NONE;
    op->mode = (uint8_t)(i->boolop << 1 | (i->op == PTX_OP_bar || i->flags & PTX_ALIGNED));
    op->required = REQUIRED_ALL;
}

void lower_branch_table(struct lower *l, const struct ptx_inst *i)
{
    const struct ptx_table *t = &l->f->table[i->operand[1].index];
    struct ref src = lower_source(l, &i->operand[0], 4);
    struct sim_op *op = lower_emit(l, control_brx, &src, 1, NULL, 0);
    op->run = control_brx; // reads the guard itself
    op->role = ROLE_BRANCH_TABLE;
    op->side = l->target.count;
    op->f = t->ntargets;
    op->required = REQUIRED_ALL;
    for (uint32_t k = 0; k < t->ntargets; k++) *LOWER_PUSH(l, &l->target) = t->target[k];
}

// ---------------------------------------------------------------- calls

struct builtin {
    const char *name;
    uint8_t builtin; // enum sim_builtin
    uint8_t args;    // number of arguments
};
static const struct builtin builtins[] = {{"vprintf", BUILTIN_VPRINTF, 2},
                                          {"__assertfail", BUILTIN_ASSERTFAIL, 5},
                                          {"__assert_fail", BUILTIN_ASSERTFAIL, 4},
                                          {"malloc", BUILTIN_MALLOC, 1},
                                          {"free", BUILTIN_FREE, 1}};

// Finds the 32-bit words of one argument or result of a call: the words of a .param variable, or one register. For each
// word of the argument or result, stores in `word` where the register file holds that word for all 32 lanes. Returns
// the number of 32-bit words of the argument or result, or 0 if the simulator does not support the operand.
static uint32_t words_of(struct lower *l, const struct ptx_operand *o, struct ref word[], uint32_t capacity,
                         int is_result)
{
    if (o->kind == PTX_OPERAND_SYMBOL) {
        uint32_t n = (uint32_t)((l->module->var[o->index].bytes + 3) / 4);
        if (!l->var_word[o->index] || n > capacity) {
            lower_refuse(l, "'%s' cannot be passed to a function", l->module->var[o->index].name);
            return 0;
        }
        for (uint32_t k = 0; k < n; k++)
            word[k] = (struct ref){l->var_word[o->index] + k * WARP_LANES * 4, l->var_reg[o->index] + 4 * k};
        return n;
    }
    uint32_t width = o->kind == PTX_OPERAND_REG ? lower_width(l->f->reg[o->index].type) : 4;
    if (width != 4 || (is_result && o->kind != PTX_OPERAND_REG)) {
        lower_refuse(l, "a call passes this operand in a way that is not supported");
        return 0;
    }
    word[0] = is_result ? lower_dest(l, o, 4, 0) : lower_source(l, o, 4);
    return 1;
}

// Lists the copies that pass a call's arguments or results between the caller's and the callee's words in the register
// file. For each 32-bit word of an argument or result, pair_words() appends a struct plan_pair to l->pair with the
// place to copy from and the place to copy to. The callee's words lie one after another in the register file, from
// offset `first` on. Returns the number of 32-bit words of all arguments or results in `list`.
static uint32_t pair_words(struct lower *l, const struct ptx_operand *list, uint32_t first, uint32_t first_reg,
                           uint32_t limit, int is_result)
{
    uint32_t n = 0;
    struct ref word[LOWER_PARAM_MAX / 4];
    for (uint32_t k = 0; k < list->count && !l->failed; k++) {
        uint32_t words = words_of(l, &l->f->element[list->index + k], word, LOWER_PARAM_MAX / 4, is_result);
        for (uint32_t w = 0; w < words; w++, n++) {
            if (n >= limit) {
                lower_refuse(l, "the call's operands do not fit the function's");
                return 0;
            }
            struct plan_pair *p = LOWER_PUSH(l, &l->pair);
            uint32_t row = first + n * WARP_LANES * 4, reg = first_reg + 4 * n;
            uint8_t bytes = l->f->element[list->index + k].kind == PTX_OPERAND_SYMBOL;
            *p = is_result ? (struct plan_pair){row, word[w].row, reg, word[w].reg, 1, bytes}
                           : (struct plan_pair){word[w].row, row, word[w].reg, reg, bytes, 1};
        }
    }
    return n;
}

// Lowers the operands of a call of a built-in function. Built-in functions have no parameters of their own in the
// register file. A built-in function reads the words of its arguments where the caller stored them, without a copy.
static void lower_builtin(struct lower *l, const struct ptx_inst *i, struct sim_call_op *call,
                          const struct builtin *builtin)
{
    const struct ptx_operand *args = &i->operand[2];
    struct ref word[LOWER_PARAM_MAX / 4];
    call->builtin = builtin->builtin;
    call->args = l->pair.count;
    for (uint32_t k = 0; k < args->count && !l->failed; k++) {
        uint32_t n = words_of(l, &l->f->element[args->index + k], word, LOWER_PARAM_MAX / 4, 0);
        if (!n) return;
        // Appends one struct plan_pair for each argument, with the places of the argument's low and high word.
        *LOWER_PUSH(l, &l->pair) = (struct plan_pair){word[0].row, n > 1 ? word[1].row : 0, word[0].reg, 0, 0, 0};
        call->nargs++;
    }
    const struct ptx_operand *results = &i->operand[0];
    call->results = l->pair.count;
    if (results->count) {
        uint32_t n = words_of(l, &l->f->element[results->index], word, LOWER_PARAM_MAX / 4, 1);
        uint8_t results_are_words = l->f->element[results->index].kind == PTX_OPERAND_SYMBOL;
        for (uint32_t k = 0; k < n; k++)
            *LOWER_PUSH(l, &l->pair) = (struct plan_pair){0, word[k].row, 0, word[k].reg, 0, results_are_words};
        call->nresults = n;
    }
    if (call->nargs < builtin->args) lower_refuse(l, "call of a built-in function with too few arguments");
}

void lower_call(struct lower *l, const struct ptx_inst *i)
{
    const struct ptx_operand *target = &i->operand[1];
    struct sim_call_op call = {.func = -1};
    struct ref src = {0, 0};
    if (target->kind == PTX_OPERAND_FUNC) {
        const struct ptx_func *f = &l->module->func[target->index];
        for (size_t k = 0; k < sizeof builtins / sizeof builtins[0] && !f->has_body; k++)
            if (!strcmp(f->name, builtins[k].name)) lower_builtin(l, i, &call, &builtins[k]);
        if (!f->has_body && !call.builtin) {
            l->undefined |= !l->failed;
            lower_refuse(l, "function '%s' has no body", f->name);
            return;
        }
        call.func = (int32_t)target->index;
        if (!call.builtin) {
            const struct plan_func *p = &l->func[target->index];
            call.args = l->pair.count;
            call.nargs = pair_words(l, &i->operand[2], p->param_word, p->param_reg, p->param_words, 0);
            call.results = l->pair.count;
            call.nresults = pair_words(l, &i->operand[0], p->result_word, p->result_reg, p->result_words, 1);
        }
    } else { // by register: the call adds the callee's rows when the callee is known
        src = lower_source(l, target, 8);
        call.args = l->pair.count;
        call.nargs = pair_words(l, &i->operand[2], 0, 0, LOWER_PARAM_MAX / 4, 0);
        call.results = l->pair.count;
        call.nresults = pair_words(l, &i->operand[0], 0, 0, LOWER_PARAM_MAX / 4, 1);
    }
    if (call.nresults > CALL_RESULTS) lower_refuse(l, "a function with so large a result is not supported");
    call.target = src.row;
    *LOWER_PUSH(l, &l->call) = call;
    struct sim_op *op = lower_emit(l, call_enter, &src, 1, NULL, 0);
    op->side = l->call.count - 1;
    op->required = REQUIRED_FIRST;
    if (!call.builtin) op->run = call_enter; // reads the guard itself
    if (call.builtin == BUILTIN_VPRINTF) op->role = ROLE_PRINT;
    if (call.builtin != BUILTIN_MALLOC && call.builtin != BUILTIN_FREE) return;
    op->role = ROLE_ALLOCATE;
    l->allocates = 1;
}

// ---------------------------------------------------------------- the rest

void lower_branch(struct lower *l, const struct ptx_inst *i)
{
    struct sim_op *op = lower_emit(l, control_bra, NULL, 0, NULL, 0);
    op->run = l->guard.reg ? control_bra_guarded : control_bra;
    op->role = ROLE_BRANCH;
    op->required = REQUIRED_GUARD;
    lower_branch_to(l, op, i->operand[0].index);
}

void lower_return(struct lower *l, const struct ptx_inst *i)
{
    if (i->op == PTX_OP_ret) lower_stack_return(l);
    int exits = i->op == PTX_OP_exit || l->f->is_entry;
    struct sim_op *op = lower_emit(l, exits ? control_exit : call_return, NULL, 0, NULL, 0);
    op->run = op->inner; // reads the guard itself
    op->role = exits ? ROLE_EXIT : ROLE_RETURN;
    op->required = REQUIRED_GUARD;
}

void lower_fence(struct lower *l, const struct ptx_inst *i)
{
    struct sim_op *op = lower_emit(l, control_fence, NULL, 0, NULL, 0);
    op->mode = i->scope;
    op->role = ROLE_FENCE;
}

void lower_copy_commit(struct lower *l, const struct ptx_inst *i)
{
    (void)i;
    lower_emit(l, control_copy_commit, NULL, 0, NULL, 0)->role = ROLE_COPY_GROUP;
}

// Lowers cp.async.wait_all and cp.async.wait_group. The instruction cp.async.wait_group waits until at most a given
// number of the thread's latest copy groups is in flight.
void lower_copy_wait(struct lower *l, const struct ptx_inst *i)
{
    uint32_t left = i->noperands ? (uint32_t)i->operand[0].bits : COPIES_ALL;
    struct sim_op *op = lower_emit(l, control_copy_wait, NULL, 0, NULL, 0);
    op->side = left;
    op->role = ROLE_COPY_GROUP;
}

void lower_trap(struct lower *l, const struct ptx_inst *i)
{
    (void)i;
    lower_emit(l, control_trap, NULL, 0, NULL, 0);
}

void lower_sleep(struct lower *l, const struct ptx_inst *i)
{
    struct ref src = lower_source(l, &i->operand[0], 4);
    lower_emit(l, control_sleep, &src, 1, NULL, 0);
}

// Lowers instructions that have no effect in the simulator: cache hints, and ordering among grids or proxies. The
// simulator has only one grid and one proxy at a time.
void lower_nothing(struct lower *l, const struct ptx_inst *i)
{
    (void)i;
    lower_emit(l, control_nop, NULL, 0, NULL, 0)->role = ROLE_NOP;
}

// Lowers createpolicy. Every cache policy is 0, because the simulated caches have no policies.
void lower_policy(struct lower *l, const struct ptx_inst *i)
{
    struct ref src = lower_constant(l, 0, 8), dst = lower_dest(l, &i->operand[0], 8, 0);
    lower_emit(l, lower_find(l, PTX_OP_mov, PTX_U64, VARIANT_PLAIN), &src, 1, &dst, 1);
}
