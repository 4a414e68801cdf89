// Lowers a kernel, i.e. translates its PTX to the simulator's ops. Lowering collects the functions that the kernel may
// call. For each PTX register, lowering allocates a row of the warp's register file, an array that holds the PTX
// register for all 32 lanes. When all PTX registers have places in the register file, lowering emits the ops of each
// function, one basic block after the other, callees first.
//
// No two functions of a kernel share a row of the register file (the values of a PTX register), so a call changes no
// base address. Every lane has its own value of each PTX register in the register file, so lanes of a warp in different
// calls of one function do not disturb each other. A call saves the caller's registers only if the caller and the
// callee are recursive (machine/call.c).
#include "sim/lower_kernel.h"

#include <string.h>

#include "base/gcov.h"
#include "base/hash.h"
#include "sim/core/instruction.h"
#include "sim/core/layout.h"
#include "sim/op/lower.h"
#include "sim/sass/sass.h"

enum {
    RECURSION_STACK = 16 << 10, // bytes of local memory per thread if calls recurse
    ALLOCA_STACK = 16 << 10,    // bytes of local memory per thread for alloca
};

static void collect_handlers(struct lower *l)
{
    const struct sim_handlers *h = l->handlers;
    uint32_t n = 0;
    for (uint32_t t = 0; h->table[t]; t++)
        for (const struct sim_handler_row *r = h->table[t]; r->run; r++) n++;
    for (l->capacity = 64; l->capacity < 2 * n; l->capacity *= 2) {
    }
    l->handler = ARENA_ARRAY(l->arena, l->capacity, struct sim_handler_row);
    for (uint32_t t = 0; h->table[t]; t++)
        for (const struct sim_handler_row *r = h->table[t]; r->run; r++) {
            uint32_t at = (uint32_t)hash_bytes(&r->key, sizeof r->key, 0);
            while (l->handler[at & (l->capacity - 1)].run) at++;
            l->handler[at & (l->capacity - 1)] = *r;
        }
}

#ifdef __x86_64__
// Return 1 if the processor has the vector units of x86-64-v3 and v4. GCC 11 does not know these levels by name.
static int has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("lzcnt") &&
           __builtin_cpu_supports("movbe");
}

static int has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

const struct sim_handlers *lower_kernel_handlers(const char *name)
{
    const struct sim_handlers *all[3] = {&op_handlers};
#ifdef __x86_64__
    __builtin_cpu_init();
    if (!GCOV_BUILD && has_v3()) all[1] = &op_handlers_v3;
    if (!GCOV_BUILD && has_v4()) all[2] = &op_handlers_v4;
#endif
    for (int i = 3; i-- > 0;)
        if (all[i] && (!name || !strcmp(name, all[i]->name))) return all[i];
    return NULL;
}

// ---------------------------------------------------------------- the functions of the program

// Describes a function on the stack that order_functions() uses instead of recursion.
struct walk {
    uint32_t func, inst, next; // next: callee to try at an indirect call
};

// Orders the functions that the kernel `entry` may call, callees first, with a depth-first walk over the calls. Marks a
// function as recursive if the function may be called again before it has returned. A call through a register is
// assumed to reach every device function with a body.
static void order_functions(struct lower *l, uint32_t entry)
{
    const struct ptx_module *m = l->module;
    struct walk *stack = ARENA_ARRAY(l->arena, m->nfuncs + 1, struct walk);
    uint8_t *state = ARENA_ARRAY(l->arena, m->nfuncs, uint8_t); // 1: on the stack, 2: done
    uint32_t depth = 0;
    stack[depth++] = (struct walk){entry, 0, 0};
    state[entry] = 1;
    while (depth) {
        struct walk *w = &stack[depth - 1];
        const struct ptx_func *f = &m->func[w->func];
        uint32_t callee = PLAN_ABSENT;
        while (w->inst < f->ninsts && callee == PLAN_ABSENT) {
            const struct ptx_inst *i = &f->inst[w->inst];
            if (instruction_does(i, E_CALL) && i->operand[1].kind == PTX_OPERAND_FUNC) {
                callee = i->operand[1].index;
                w->inst++;
            } else if (instruction_does(i, E_CALL)) {
                while (w->next < m->nfuncs && (m->func[w->next].is_entry || !m->func[w->next].has_body)) w->next++;
                if (w->next < m->nfuncs) {
                    callee = w->next++;
                } else {
                    w->next = 0;
                    w->inst++;
                }
            } else {
                w->inst++;
            }
        }
        if (callee == PLAN_ABSENT) {
            state[w->func] = 2;
            l->order[l->norder++] = w->func;
            depth--;
        } else if (state[callee] == 1) { // a cycle: each of its functions may be entered again
            for (uint32_t d = depth; d-- > 0;) {
                l->func[stack[d].func].recursive = 1;
                if (stack[d].func == callee) break;
            }
        } else if (!state[callee] && m->func[callee].has_body) {
            state[callee] = 1;
            stack[depth++] = (struct walk){callee, 0, 0};
        }
    }
}

// Marks all functions except the kernel as recursive if one function is recursive. Because order_functions() visits
// each function only once, it may miss some of several cycles of calls that share a function. Marking too many
// functions as recursive is safe, because calls of these functions only save more registers than necessary.
static void mark_recursion(struct lower *l)
{
    int any = 0;
    for (uint32_t k = 0; k < l->norder; k++) any |= l->func[l->order[k]].recursive;
    for (uint32_t k = 0; any && k < l->norder; k++)
        if (!l->module->func[l->order[k]].is_entry) l->func[l->order[k]].recursive = 1;
}

// ---------------------------------------------------------------- rows

static uint32_t allocate_words(struct lower *l, uint32_t var)
{
    const struct ptx_var *v = &l->module->var[var];
    if (v->bytes > LOWER_PARAM_MAX) {
        lower_refuse(l, "parameter '%s' is too large", v->name);
        return 0;
    }
    uint32_t words = (uint32_t)((v->bytes + 3) / 4);
    for (uint32_t w = 0; w < words; w++) {
        struct ref r = lower_new_reg(l, 4);
        l->nregs += 3; // an id for each byte: parts of a structure may be undefined
        if (w == 0) {
            l->var_word[var] = r.row;
            l->var_reg[var] = r.reg;
        }
    }
    return words;
}

// Allocates places in the warp's register file for a function's registers and parameters. All registers of a function
// are contiguous in the register file, so that a call can save them all at once.
static void allocate_rows(struct lower *l, uint32_t index, struct ref **regs)
{
    const struct ptx_func *f = &l->module->func[index];
    struct plan_func *p = &l->func[index];
    l->file = (l->file + 63) / 64 * 64;
    p->region = l->file;
    p->first_reg = l->nregs + 1;
    p->first_span = l->span.count;
    regs[index] = ARENA_ARRAY(l->arena, f->nregs + 1, struct ref);
    p->span_of = ARENA_ARRAY(l->arena, f->nregs + 1, uint32_t);
    for (uint32_t r = 0; r < f->nregs && !l->failed; r++) {
        uint32_t width = lower_width(f->reg[r].type);
        if (f->reg[r].type == PTX_B128) width = 8;
        p->span_of[r] = width ? l->span.count : PLAN_ABSENT;
        if (width) regs[index][r] = lower_new_reg(l, width);
        if (f->reg[r].type == PTX_B128) lower_new_reg(l, width); // see lower_halves
    }
    lower_stack_rows(l, index);
    if (!f->is_entry) {
        for (uint32_t k = 0; k < f->nparams; k++) {
            uint32_t words = allocate_words(l, f->param[k]);
            if (!p->param_words) p->param_word = l->var_word[f->param[k]];
            if (!p->param_words) p->param_reg = l->var_reg[f->param[k]];
            p->param_words += words;
        }
        for (uint32_t k = 0; k < f->nresults; k++) {
            uint32_t words = allocate_words(l, f->result[k]);
            if (!p->result_words) p->result_word = l->var_word[f->result[k]];
            if (!p->result_words) p->result_reg = l->var_reg[f->result[k]];
            p->result_words += words;
        }
    }
}

// Allocates the variables that a function declares: .param variables in the warp's register file, and .local variables
// in the function's stack frame.
static void allocate_variables(struct lower *l, uint32_t index)
{
    struct plan_func *p = &l->func[index];
    uint64_t frame = 0;
    for (uint32_t v = 0; v < l->module->nvars && !l->failed; v++) {
        const struct ptx_var *var = &l->module->var[v];
        if (var->func != index) continue;
        if (var->space == PTX_PARAM && !l->var_word[v] && l->param_offset[v] == PLAN_ABSENT) allocate_words(l, v);
        if (var->space == PTX_PARAM && !l->f->is_entry) l->spilled[v] = (uint8_t)lower_takes_address(l, v);
        if (var->space != PTX_LOCAL && !l->spilled[v]) continue;
        uint64_t align = var->align ? var->align : 1;
        if (var->bytes > (512 << 10) || align > 4096) {
            lower_refuse(l, "local variable '%s' is too large", var->name);
            return;
        }
        frame = (frame + align - 1) / align * align;
        l->local_offset[v] = frame;
        frame += var->bytes;
        if (frame > (512 << 10)) lower_refuse(l, "too much local memory");
    }
    p->frame_bytes = (uint32_t)((frame + 15) / 16 * 16);
    p->nspans = l->span.count - p->first_span;
    p->bytes = l->file - p->region;
    p->nregs = l->nregs + 1 - p->first_reg;
}

static void place_kernel_params(struct lower *l, uint32_t entry, struct sim_plan *plan)
{
    const struct ptx_func *f = &l->module->func[entry];
    uint64_t offset = 0;
    for (uint32_t v = 0; v < l->module->nvars; v++) l->param_offset[v] = PLAN_ABSENT;
    for (uint32_t k = 0; k < f->nparams && !l->failed; k++) {
        const struct ptx_var *v = &l->module->var[f->param[k]];
        uint64_t align = v->align ? v->align : 1;
        if (v->bytes > LOWER_PARAM_MAX || align > 256) {
            lower_refuse(l, "parameter '%s' is too large", v->name);
            return;
        }
        offset = (offset + align - 1) / align * align;
        l->param_offset[f->param[k]] = (uint32_t)offset;
        if (k < ENGINE_ARGS) plan->param_offset[k] = (uint32_t)offset;
        offset += v->bytes;
    }
    if (offset > LOWER_PARAM_MAX) lower_refuse(l, "the parameters of kernel '%s' are too large", f->name);
    plan->nparams = f->nparams;
    plan->param_bytes = (uint32_t)offset;
}

// ---------------------------------------------------------------- ops

static void emit_block(struct lower *l, uint32_t place)
{
    uint32_t b = l->layout[place];
    struct lower_block *block = &l->block[b];
    block->op = l->op.count;
    if (!place) lower_prologue(l);
    l->inst_op[block->inst] = l->op.count;
    for (uint32_t k = 0; k < block->ninsts && !l->failed; k++) {
        const struct ptx_inst *i = &l->f->inst[block->inst + k];
        l->inst = i;
        l->guard = i->guard == PTX_NO_REG ? (struct ref){0, 0} : l->reg[i->guard];
        l->ntemp1 = l->ntemp4 = l->ntemp8 = l->npending = 0;
        l->hidden = i->folded;
        lower_inst(l, i);
    }
    uint32_t last = block->inst + block->ninsts - 1;
    const struct ptx_inst *i = &l->f->inst[last];
    int ends = instruction_does(i, E_JUMP | E_END);
    if (!(ends && i->guard == PTX_NO_REG)) { // control falls through to the next block of the source
        int adjacent = place + 1 < l->nlayout && l->block[l->layout[place + 1]].inst == last + 1;
        if (!adjacent && last + 1 < l->f->ninsts) {
            l->guard = (struct ref){0, 0};
            l->hidden = 1;
            struct sim_op *jump = lower_emit(l, control_jump, NULL, 0, NULL, 0);
            jump->role = ROLE_BRANCH;
            lower_branch_to(l, jump, last + 1);
            l->hidden = 0;
        }
    }
    block->nops = l->op.count - block->op;
    for (uint32_t k = 0; k < block->nops; k++) {
        uint32_t left = block->nops - k;
        // A branch before an added jump ends the block for the lanes that take it.
        if (left == 2 && ends && l->op.at[block->op + block->nops - 1].run == control_jump) left = 1;
        l->op.at[block->op + k].length = (uint16_t)(left > 60000 ? 60000 : left);
    }
}

static void lower_function(struct lower *l, uint32_t index, struct ref *regs, struct sass_need *need)
{
    l->index = index;
    l->f = &l->module->func[index];
    l->plan = &l->func[index];
    l->reg = regs;
    l->inst = NULL;
    l->npatch = 0;
    l->carry = (struct ref){0, 0};
    uint32_t first_target = l->target.count;
    if (!l->f->ninsts) {
        lower_refuse(l, "function '%s' is empty", l->f->name);
        return;
    }
    lower_symbols(l);
    lower_blocks(l);
    l->inst_op = ARENA_ARRAY(l->arena, l->f->ninsts + 1, uint32_t);
    l->plan->entry = l->op.count;
    for (uint32_t place = 0; place < l->nlayout && !l->failed; place++) emit_block(l, place);
    if (l->failed) return;
    l->inst = NULL;
    for (uint32_t k = 0; k < l->npatch; k++) l->op.at[l->patch[k].op].f = l->inst_op[l->patch[k].inst];
    for (uint32_t k = first_target; k < l->target.count; k++) l->target.at[k] = l->inst_op[l->target.at[k]];
    sass_mark(l, need);
    lower_liveness(l);
}

// Returns an upper bound of the bytes of local memory that the deepest chain of calls needs for stack frames.
static uint32_t deepest_frames(const struct lower *l)
{
    uint64_t sum = 0;
    int recursive = 0;
    for (uint32_t k = 0; k < l->norder; k++) {
        sum += l->func[l->order[k]].frame_bytes;
        recursive |= l->func[l->order[k]].recursive;
    }
    if (recursive) sum += RECURSION_STACK;
    return (uint32_t)sum; // every function once: no chain without recursion is deeper
}

static uint32_t count_insts(const struct lower *l)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < l->norder; k++) n += l->module->func[l->order[k]].ninsts;
    return n > (1u << 24) ? 1u << 24 : (uint32_t)n;
}

enum { REGISTERS_SM = 65536, REGISTERS_MOST = 255, GRANULE = 8 };

// Returns the most registers that ptxas may give to a thread of the kernel. The directives .maxnreg, .maxntid (threads
// per block) and .minnctapersm (blocks per SM) limit the number of registers that ptxas gives to a thread.
static uint32_t register_limit(const struct ptx_func *f)
{
    uint64_t threads = f->minnctapersm ? f->minnctapersm : 1, most = REGISTERS_MOST;
    for (int i = 0; i < 3; i++) threads *= f->maxntid[i] ? f->maxntid[i] : 1;
    if (f->maxntid[0] && REGISTERS_SM / threads < most) most = REGISTERS_SM / threads / GRANULE * GRANULE;
    if (f->maxnreg && f->maxnreg < most) most = f->maxnreg;
    return most < GRANULE ? GRANULE : (uint32_t)most;
}

// Returns the number of registers that a thread of the kernel gets. If ptxas was run, returns the number that ptxas
// stated; otherwise returns `estimated`, but at most register_limit().
static uint32_t register_count(const struct ptx_func *f, uint32_t estimated)
{
    uint32_t most = register_limit(f);
    if (f->registers) return f->registers < REGISTERS_MOST ? f->registers : REGISTERS_MOST;
    return estimated > most ? most : estimated;
}

// Returns the number of bytes that the loads and stores of spilled registers move if each of them is executed once. If
// ptxas was run, the result is the number that ptxas stated. If ptxas was not run, the result is estimated from
// `least`, the number of registers with which nothing would be spilled. Each of the `least` registers beyond
// register_limit() is stored once and loaded once. Because the estimate `least` may be too large by UNSURE registers,
// the result is 0 unless `least` exceeds register_limit() by more than UNSURE.
static uint32_t spilled_bytes(const struct ptx_func *f, uint32_t least)
{
    enum { UNSURE = 8, MOVED = 2 * 4 };
    uint32_t most = register_limit(f);
    if (f->registers) return f->spilled;
    return least > most + UNSURE ? (least - most) * MOVED : 0;
}

static struct sim_program *finish(struct lower *l, struct sim_plan *plan, uint32_t entry, const struct sass_need *need)
{
    struct sim_program *p = ARENA_NEW(l->arena, struct sim_program);
    plan->memory = l->access.at;
    plan->nmemory = l->access.count;
    plan->param = l->param.at;
    plan->call = l->call.at;
    plan->exchange = l->exchange.at;
    plan->pair = l->pair.at;
    plan->use = l->use.at;
    plan->target = l->target.at;
    plan->local_offset = l->local_offset;
    plan->row = l->row.at;
    plan->span = l->span.at;
    plan->nrows = l->row.count;
    plan->func = l->func;
    plan->nregs = l->nregs + 1;
    plan->width = ARENA_ARRAY(l->arena, plan->nregs, uint8_t);
    plan->held = ARENA_ARRAY(l->arena, plan->nregs + 1, uint8_t);
    memcpy(plan->held, l->held, l->nheld);
    for (uint32_t k = 0; k < l->span.count; k++) plan->width[l->span.at[k].reg] = (uint8_t)l->span.at[k].width;
    plan->file_bytes = (l->file + 255) / 256 * 256;
    plan->order_sensitive = l->order_sensitive;
    plan->takes_turns = l->takes_turns;
    plan->allocates = l->allocates;
    plan->entry_op = l->func[entry].entry;
    *p = (struct sim_program){.module = l->module,
                              .entry = entry,
                              .op = l->op.at,
                              .info = l->info.at,
                              .nops = l->op.count,
                              .row_words = plan->file_bytes / (4 * WARP_LANES),
                              .registers = register_count(&l->module->func[entry], need->likely),
                              .spilled_bytes = spilled_bytes(&l->module->func[entry], need->least),
                              .local_bytes = l->stack_base + (l->stack.row ? ALLOCA_STACK : 0),
                              .shared = l->shared,
                              .plan = plan};
    return p;
}

struct sim_program *lower_kernel(const struct ptx_module *m, uint32_t entry, const struct sim_memory *memory,
                                 const struct sim_handlers *handlers, struct arena *arena,
                                 char message[OBSERVATION_MESSAGE], int *undefined)
{
    struct lower *l = ARENA_NEW(arena, struct lower);
    struct sim_plan *plan = ARENA_NEW(arena, struct sim_plan);
    *l = (struct lower){.module = m,
                        .memory = memory,
                        .handlers = handlers,
                        .arena = arena,
                        .message = message,
                        .entry = entry,
                        .file = 512};
    l->func = ARENA_ARRAY(arena, m->nfuncs, struct plan_func);
    l->order = ARENA_ARRAY(arena, m->nfuncs, uint32_t);
    l->var_word = ARENA_ARRAY(arena, m->nvars + 1, uint32_t);
    l->var_reg = ARENA_ARRAY(arena, m->nvars + 1, uint32_t);
    l->param_offset = ARENA_ARRAY(arena, m->nvars + 1, uint32_t);
    l->local_offset = ARENA_ARRAY(arena, m->nvars + 1, uint64_t);
    l->spilled = ARENA_ARRAY(arena, m->nvars + 1, uint8_t);
    l->stack_kept = ARENA_ARRAY(arena, m->nfuncs + 1, struct ref);
    l->shared = ARENA_NEW(arena, struct shared_layout);
    *l->shared = layout_shared(m, entry, 0, arena);
    for (uint32_t f = 0; f < m->nfuncs; f++) l->func[f].entry = PLAN_ABSENT;
    collect_handlers(l);
    order_functions(l, entry);
    mark_recursion(l);
    uint32_t insts = count_insts(l);
    for (l->constants = 1024; l->constants < 4 * insts; l->constants *= 2) {
    }
    l->constant = ARENA_ARRAY(arena, l->constants, uint32_t);
    place_kernel_params(l, entry, plan);
    plan->scratch = lower_row(l, 5 * PLAN_SCRATCH_ROW);
    struct ref **regs = ARENA_ARRAY(arena, m->nfuncs, struct ref *);
    for (uint32_t k = 0; k < l->norder && !l->failed; k++) {
        l->f = &m->func[l->order[k]];
        allocate_rows(l, l->order[k], regs);
        allocate_variables(l, l->order[k]);
    }
    l->nheld = l->nregs + 1;
    l->held = ARENA_ARRAY(arena, l->nheld, uint8_t);
    lower_flags(l);
    lower_cas_seeds(l);
    struct sass_need need = {0, 0}; // of the function that needs most
    l->stack_base = deepest_frames(l);
    for (uint32_t k = 0; k < l->norder && !l->failed; k++) {
        lower_function(l, l->order[k], regs[l->order[k]], &need);
    }
    *undefined = l->undefined;
    if (l->failed) return NULL;
    return finish(l, plan, entry, &need);
}
