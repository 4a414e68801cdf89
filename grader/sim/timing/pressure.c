// Counts registers of loaded values; pressure.h has the theory of operation.
#include "sim/timing/pressure.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/op.h"
#include "sim/core/plan.h"
#include "sim/timing/replay.h"

struct pressure {
    const struct sim_program *program;
    const struct replay_op *cost;
    uint32_t *reads;   // [nregs]: reads of the register by ops of the program
    uint32_t *here;    // [nregs]: the same by ops of the region
    uint32_t *current; // [nregs]: index + 1 of the loaded value that the register holds; 0: it holds none
    struct value {
        uint32_t reg, left; // reads by ops of the region that are not yet placed
        uint8_t weight;     // machine registers
        uint8_t stays;      // 1: ops outside the region may read it, too
    } * value;
    uint32_t nvalues, value_capacity;
    uint32_t *use; // indices of values
    uint32_t nuses, use_capacity;
    struct range {
        uint32_t first, reads, writes; // use[first] on: the loaded values that the op reads, then those that it loads
    } * of;                            // [n]
    uint32_t of_capacity, n;
    uint32_t waiting, room; // registers of loaded values that wait; the most there are
};

static const uint32_t *registers_of(const struct pressure *p, const struct sim_op *op)
{
    return &p->program->plan->use[op->regs];
}

struct pressure *pressure_open(const struct sim_program *program, const struct replay_op *cost)
{
    struct pressure *p = alloc_zeroed(1, sizeof *p);
    uint32_t nregs = program->plan->nregs + 1;
    p->program = program;
    p->cost = cost;
    p->reads = alloc_zeroed(nregs, sizeof *p->reads);
    p->here = alloc_zeroed(nregs, sizeof *p->here);
    p->current = alloc_zeroed(nregs, sizeof *p->current);
    for (uint32_t k = 0; k < program->nops; k++) {
        const struct sim_op *op = &program->op[k];
        for (uint32_t i = 0; i <= op->nsources; i++) p->reads[registers_of(p, op)[i]]++;
    }
    return p;
}

void pressure_close(struct pressure *p)
{
    free(p->reads);
    free(p->here);
    free(p->current);
    free(p->value);
    free(p->use);
    free(p->of);
    free(p);
}

static void note_use(struct pressure *p, uint32_t value)
{
    ALLOC_GROW(p->use, p->use_capacity, p->nuses + 1);
    p->use[p->nuses++] = value;
}

static void note_loaded(struct pressure *p, uint32_t reg)
{
    ALLOC_GROW(p->value, p->value_capacity, p->nvalues + 1);
    p->value[p->nvalues] = (struct value){.reg = reg, .weight = p->program->plan->held[reg]};
    note_use(p, p->nvalues);
    p->current[reg] = ++p->nvalues;
}

static void note_op(struct pressure *p, uint32_t op, struct range *r)
{
    const struct sim_op *o = &p->program->op[op];
    const uint32_t *reg = registers_of(p, o), *to = reg + o->nsources + 1;
    r->first = p->nuses;
    for (uint32_t i = 0; i <= o->nsources; i++) {
        p->here[reg[i]]++;
        if (!p->current[reg[i]]) continue;
        p->value[p->current[reg[i]] - 1].left++;
        note_use(p, p->current[reg[i]] - 1);
    }
    r->reads = p->nuses - r->first;
    for (uint32_t i = 0; i < o->ndests; i++) {
        p->current[to[i]] = 0;
        if (to[i] && p->cost[op].is_load) note_loaded(p, to[i]);
    }
    r->writes = p->nuses - r->first - r->reads;
}

static uint32_t loads(const struct pressure *p, uint32_t i)
{
    const struct range *r = &p->of[i];
    uint32_t sum = 0;
    for (uint32_t k = r->first + r->reads; k < r->first + r->reads + r->writes; k++) sum += p->value[p->use[k]].weight;
    return sum;
}

int pressure_fits(const struct pressure *p, uint32_t i)
{
    return !p->of[i].writes || p->waiting + loads(p, i) <= p->room;
}

void pressure_place(struct pressure *p, uint32_t i)
{
    const struct range *r = &p->of[i];
    for (uint32_t k = r->first; k < r->first + r->reads; k++) {
        struct value *v = &p->value[p->use[k]];
        if (!--v->left && !v->stays) p->waiting -= v->weight;
    }
    p->waiting += loads(p, i);
}

// Returns the most registers of loaded values that wait in the order of the PTX.
static uint32_t most_in_order(struct pressure *p)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        pressure_place(p, i);
        if (p->waiting > most) most = p->waiting;
    }
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = p->of[i].first; k < p->of[i].first + p->of[i].reads; k++) p->value[p->use[k]].left++;
    p->waiting = 0;
    return most;
}

void pressure_region(struct pressure *p, uint32_t start, uint32_t n)
{
    const struct sim_program *program = p->program;
    uint32_t nregs = program->plan->nregs + 1, live = program->info[start].live;
    memset(p->here, 0, nregs * sizeof *p->here);
    memset(p->current, 0, nregs * sizeof *p->current);
    p->nvalues = p->nuses = p->waiting = 0;
    p->n = n;
    ALLOC_GROW(p->of, p->of_capacity, n);
    for (uint32_t i = 0; i < n; i++) note_op(p, start + i, &p->of[i]);
    for (uint32_t k = 0; k < p->nvalues; k++) {
        struct value *v = &p->value[k];
        v->stays = p->current[v->reg] == k + 1 && p->reads[v->reg] > p->here[v->reg];
        if (!v->left && !v->stays) v->weight = 0; // nobody reads it
    }
    uint32_t in_order = most_in_order(p), share = 2 * (program->registers - live) / 3;
    p->room = program->registers < live ? UINT32_MAX : in_order > share ? in_order : share;
}
