// Finds the line of the student's source that lanes execute at an op.
//
// Where branches come together, compilers write copies of registers and jumps without a .loc of their own. In the text
// they stand behind other code, such as the last line of an `if`, and seem to belong to its line. Lanes that did not
// execute this line come by there, too. For them, these ops belong to the line of the code behind them.
#include "sim/record/state.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/ptx.h"

enum { JUMPS_MOST = 64 };

static const struct ptx_func *func_of(const struct sim_program *p, uint32_t k)
{
    return &p->module->func[p->info[k].func];
}

// Returns 1 if the instruction only copies a register or jumps.
static int only_joins(const struct ptx_inst *i)
{
    if (i->guard != PTX_NO_REG) return 0;
    return i->op == PTX_OP_bra ||
           (i->op == PTX_OP_mov && i->operand[0].kind == PTX_OPERAND_REG && i->operand[1].kind == PTX_OPERAND_REG);
}

static int compare_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Returns 1 if op k is one of the copies and jumps at the beginning of a block without a .loc. `before`: whether this
// holds for the op before it.
static int is_join(const struct sim_program *p, uint32_t k, int before)
{
    const struct ptx_func *f = func_of(p, k);
    uint32_t at = p->info[k].inst;
    if (!at || !only_joins(&f->inst[at]) || f->inst[at].loc != f->inst[at - 1].loc) return 0;
    return before || (f->nlabels && bsearch(&at, f->label_inst, f->nlabels, sizeof at, compare_index));
}

// Returns the op that is executed after op k, which copies or jumps, or the number of ops if there is none.
static uint32_t op_behind(const struct sim_program *p, uint32_t k)
{
    const struct ptx_inst *inst = &func_of(p, k)->inst[p->info[k].inst];
    uint32_t func = p->info[k].func, to = ptx_is_branch(inst) ? inst->operand[0].index : p->info[k].inst + 1;
    while (k && p->info[k - 1].func == func && p->info[k - 1].inst >= to) k--;
    while (k < p->nops && p->info[k].func == func && p->info[k].inst < to) k++;
    return k < p->nops && p->info[k].func == func ? k : p->nops;
}

void line_list(struct recorder *r)
{
    const struct sim_program *p = r->program;
    uint8_t *join = alloc_zeroed(p->nops, 1);
    r->line = alloc_zeroed(p->nops, sizeof *r->line);
    r->student = alloc_zeroed(p->nops, sizeof *r->student);
    r->behind = alloc_zeroed(p->nops, sizeof *r->behind);
    for (uint32_t k = p->nops; k--;) {
        struct finding_place place = program_op_place(p, k);
        r->student[k] = place.file == FILE_STUDENT;
        r->line[k] = r->student[k] ? place.line : 0;
        // An op that belongs to no line goes with the next one of its function, as in a finding (finding_log.c).
        int next = k + 1 < p->nops && p->info[k + 1].func == p->info[k].func;
        if (r->student[k] && !r->line[k] && next) r->line[k] = r->line[k + 1];
    }
    for (uint32_t k = 0; k < p->nops; k++) join[k] = (uint8_t)is_join(p, k, k && join[k - 1]);
    for (uint32_t k = 0; k < p->nops; k++) {
        uint32_t behind = k;
        for (int n = 0; n < JUMPS_MOST && behind < p->nops && join[behind]; n++) behind = op_behind(p, behind);
        r->behind[k] = behind < p->nops ? r->line[behind] : r->line[k];
    }
    free(join);
}

uint32_t line_at(const struct recorder *r, uint32_t warp, uint32_t mask, uint32_t op)
{
    uint32_t number = r->function[r->program->info[op].func].number;
    for (uint32_t left = r->line[op] == r->behind[op] ? 0 : mask; left; left &= left - 1) {
        const struct lane_state *lane = &r->now.lane[warp][__builtin_ctz(left)];
        if (lane->line != r->line[op] || lane->function != number) return r->behind[op];
    }
    return r->line[op];
}
