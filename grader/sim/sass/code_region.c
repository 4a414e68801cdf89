// Builds regions of code (sequences of basic blocks) and orders the instructions of each region, as ptxas does before
// it allocates registers.
//
// A region begins with a basic block. If the first block of a region ends with a branch over a short block without
// barrier, atomic or call, the region also contains the short block and the block behind it. If a branch skips a short
// block, the compiler ptxas executes the instructions of the short block with a predicate, or moves them up. The
// instructions of a region are the nodes of a graph. An edge in the graph of a region means that the second instruction
// needs the result of the first, or must stay behind the first. A load from read-only memory may pass any store. A load
// from writable memory may pass a store only if both addresses have the same root and do not overlap, or if they lie in
// different arrays of shared memory.
//
// code_region_spread() is list scheduling: in each cycle it takes, of the instructions whose operands are ready, the
// one with the longest path to the region's end. The length of a path is the sum of the latencies of its instructions
// (sim/core/instruction.h). List scheduling thereby moves loads to the top of a region. An instruction that only sets a
// constant waits until no other instruction can start. code_region_pack() orders a region's instructions from the last
// to the first, and takes the instruction before which the fewest registers are live.
#include "sim/sass/code_region.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum {
    DEPTH = 8,       // folded values in a chain
    SHORT = 20,      // SASS instructions of a block that a region's branch may skip
    CANDIDATES = 64, // nodes that code_region_pack() compares
    MEMORY = E_LOAD | E_STORE | E_ATOMIC,
    FIXED = E_ORDER | E_BARRIER | E_CONVERGE | E_JUMP | E_CALL | E_END,
};

// ---------------------------------------------------------------- values that a node reads and writes

static void note(struct code_region *g, uint32_t reg)
{
    ALLOC_GROW(g->use, g->use_capacity, g->nuses + 1);
    g->use[g->nuses++] = reg;
}

static void note_sources(struct code_region *g, const struct ptx_inst *i, int depth);

static void note_source(struct code_region *g, uint32_t reg, int depth)
{
    const struct sass *s = g->v->s;
    if (g->v->home[reg] == HOME_REGISTER) note(g, reg);
    if (g->v->home[reg] == HOME_FOLDED && depth < DEPTH) note_sources(g, &s->f->inst[s->def[reg]], depth + 1);
}

static void note_operand(struct code_region *g, const struct ptx_operand *o, int writes, int depth)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        note_operand(g, &g->v->s->f->element[o->index + e], writes, depth);
    int base = o->kind == PTX_OPERAND_ADDRESS && o->base_kind == PTX_OPERAND_REG;
    if (o->kind != PTX_OPERAND_REG && !base) return;
    if (writes)
        note(g, o->index);
    else
        note_source(g, o->index, depth);
}

static void note_sources(struct code_region *g, const struct ptx_inst *i, int depth)
{
    for (uint32_t o = ptx_destinations(i); o < i->noperands; o++) note_operand(g, &i->operand[o], 0, depth);
    if (i->guard != PTX_NO_REG) note_source(g, i->guard, depth);
}

// Lists the values that a node (an instruction of the region) reads and writes. `guard` is the predicate of the branch
// that skips the node's basic block, or PTX_NO_REG. A node with a predicate also reads the old value of a register that
// it writes, if other instructions write this register too.
static void note_node(struct code_region *g, struct region_node *n, uint32_t guard)
{
    const struct sass *s = g->v->s;
    const struct ptx_inst *i = &s->f->inst[n->inst];
    n->first = g->nuses;
    note_sources(g, i, 0);
    if (guard != PTX_NO_REG) note_source(g, guard, 0);
    uint32_t middle = g->nuses;
    for (uint32_t d = 0; d < ptx_destinations(i); d++) note_operand(g, &i->operand[d], 1, 0);
    n->ndefs = g->nuses - middle;
    if (guard != PTX_NO_REG || i->guard != PTX_NO_REG) {
        for (uint32_t d = 0; d < n->ndefs; d++)
            if (s->defs[g->use[middle + d]] > 1) note(g, g->use[middle + d]);
        uint32_t olds = g->nuses - middle - n->ndefs; // they belong before the values that it writes
        for (uint32_t k = 0; k < olds; k++) {
            uint32_t old = g->use[middle + n->ndefs + k];
            memmove(&g->use[middle + 1], &g->use[middle], (n->ndefs + k) * sizeof *g->use);
            g->use[middle++] = old;
        }
    }
    n->nuses = middle - n->first;
}

// ---------------------------------------------------------------- edges

static void join(struct code_region *g, uint32_t from, uint32_t to, uint32_t latency)
{
    if (from == to) return;
    ALLOC_GROW(g->edge, g->edge_capacity, g->nedges + 1);
    struct region_node *a = &g->node[from], *b = &g->node[to];
    g->edge[g->nedges] = (struct region_edge){from, to, latency, a->out, b->into};
    a->out = b->into = ++g->nedges;
    a->nout++;
    b->ninto++;
}

static void join_values(struct code_region *g, uint32_t me)
{
    const struct region_node *n = &g->node[me];
    for (uint32_t u = 0; u < n->nuses; u++) {
        uint32_t reg = g->use[n->first + u], writer = g->writer[reg];
        if (writer) join(g, writer - 1, me, instruction_distance(&g->v->s->f->inst[g->node[writer - 1].inst]));
        ALLOC_GROW(g->read, g->read_capacity, g->nreads + 1);
        g->read[g->nreads].node = me;
        g->read[g->nreads].next = g->reader[reg];
        g->reader[reg] = ++g->nreads;
    }
    for (uint32_t d = 0; d < n->ndefs; d++) {
        uint32_t reg = g->use[n->first + n->nuses + d];
        if (g->writer[reg]) join(g, g->writer[reg] - 1, me, 1);
        for (uint32_t q = g->reader[reg]; q; q = g->read[q - 1].next) join(g, g->read[q - 1].node, me, 0);
        g->reader[reg] = 0;
        g->writer[reg] = me + 1;
    }
}

static int is_fixed(const struct ptx_inst *i)
{
    return instruction_does(i, FIXED) || (instruction_does(i, MEMORY) && i->sem > PTX_WEAK);
}

// Returns 1 if two loads or stores access different bytes whatever the values of the registers are.
static int is_apart(const struct sass *s, const struct ptx_inst *a, const struct ptx_inst *b)
{
    if (!instruction_does(a, E_LOAD | E_STORE) || !instruction_does(b, E_LOAD | E_STORE) || a->space != b->space)
        return 0;
    const struct ptx_operand *x = &a->operand[ptx_destinations(a)], *y = &b->operand[ptx_destinations(b)];
    if (x->kind != PTX_OPERAND_ADDRESS || y->kind != PTX_OPERAND_ADDRESS) return 0;
    struct sass_place p = sass_place(s, x), q = sass_place(s, y);
    if (p.root != q.root) return a->space == PTX_SHARED && p.root & q.root & SASS_SYMBOL;
    if (!(p.root & SASS_SYMBOL) && s->defs[p.root] != 1) return 0;
    int64_t m = ptx_type_bytes((enum ptx_type)a->type[0]) * (a->vec ? a->vec : 1);
    int64_t n = ptx_type_bytes((enum ptx_type)b->type[0]) * (b->vec ? b->vec : 1);
    return p.offset + m <= q.offset || q.offset + n <= p.offset;
}

// Returns 1 if two memory accesses must keep their order, because they may access the same bytes and at least one of
// them writes.
static int conflict(const struct sass *s, const struct ptx_inst *a, const struct ptx_inst *b)
{
    uint32_t constant = 1u << PTX_CONST | 1u << PTX_PARAM;
    if (!instruction_does(a, MEMORY) || !instruction_does(b, MEMORY)) return 0;
    if ((constant >> a->space | constant >> b->space) & 1 || (a->flags | b->flags) & PTX_NC) return 0;
    if (a->space != b->space && a->space != PTX_GENERIC && b->space != PTX_GENERIC) return 0;
    if (!instruction_does(a, E_STORE | E_ATOMIC) && !instruction_does(b, E_STORE | E_ATOMIC)) return 0;
    return !is_apart(s, a, b);
}

static void join_memory(struct code_region *g, uint32_t me)
{
    const struct sass *s = g->v->s;
    const struct ptx_inst *i = &s->f->inst[g->node[me].inst];
    int fixed = is_fixed(i), ends = instruction_does(i, E_JUMP | E_END);
    if (!fixed && !instruction_does(i, MEMORY)) return;
    for (uint32_t q = me; q-- > 0;) {
        const struct ptx_inst *j = &s->f->inst[g->node[q].inst];
        int behind = fixed && (ends || instruction_does(j, MEMORY));
        if (behind || is_fixed(j) || conflict(s, i, j)) join(g, q, me, 0);
        if (!ends && is_fixed(j)) break; // everything before it is ordered already
    }
}

// ---------------------------------------------------------------- blocks

// Returns 1 if basic block b ends with a branch over a short block that has no instruction that must stay in place,
// such as a barrier.
static int skips_short(const struct sass_homes *v, uint32_t b)
{
    const struct sass *s = v->s;
    const struct lower *l = s->l;
    const struct ptx_inst *last = &s->f->inst[l->block[b].inst + l->block[b].ninsts - 1];
    uint32_t next = b + 1, slots = 0;
    if (!ptx_is_branch(last) || last->guard == PTX_NO_REG || next >= l->nblocks || v->preds[next] != 1) return 0;
    if (l->first_succ[b + 1] - l->first_succ[b] != 2 || l->first_succ[next + 1] - l->first_succ[next] != 1) return 0;
    uint32_t target = l->succ[l->first_succ[b]];
    if (l->succ[l->first_succ[next]] != target || target <= next) return 0;
    for (uint32_t k = l->block[next].inst; k < l->block[next].inst + l->block[next].ninsts; k++) {
        const struct ptx_inst *i = &s->f->inst[k];
        if (ptx_is_branch(i)) continue;
        slots += s->inst[k].slots;
        if (instruction_does(i, FIXED | E_ATOMIC | E_EXCHANGE)) return 0;
    }
    return slots <= SHORT;
}

static void add_block(struct code_region *g, uint32_t b, uint32_t guard)
{
    const struct sass *s = g->v->s;
    const struct lower_block *block = &s->l->block[b];
    int inside = guard != PTX_NO_REG || skips_short(g->v, b);
    for (uint32_t k = block->inst; k < block->inst + block->ninsts; k++) {
        const struct ptx_inst *i = &s->f->inst[k];
        if (sass_home_vanishes(g->v, i)) continue;
        if (ptx_is_branch(i) && (inside || !s->inst[k].slots)) continue;
        uint32_t me = g->nnodes++;
        g->node[me] = (struct region_node){.inst = k};
        g->node[me].lazy = instruction_value(i) == VALUE_COPY && i->operand[1].kind == PTX_OPERAND_IMM;
        note_node(g, &g->node[me], guard);
        if (me < REGION_NODES) join_values(g, me);
        if (me < REGION_NODES) join_memory(g, me);
    }
    g->last = b;
}

void code_region_note(struct code_region *g, uint32_t b)
{
    const struct lower_block *block = &g->v->s->l->block[b];
    g->nnodes = g->nuses = 0;
    for (uint32_t k = block->inst; k < block->inst + block->ninsts; k++) {
        if (sass_home_vanishes(g->v, &g->v->s->f->inst[k])) continue;
        struct region_node *n = &g->node[g->nnodes++];
        *n = (struct region_node){.inst = k};
        note_node(g, n, PTX_NO_REG);
    }
}

void code_region_build(struct code_region *g, uint32_t first, uint8_t *taken)
{
    const struct sass *s = g->v->s;
    const struct lower *l = s->l;
    g->nnodes = g->nuses = g->nedges = g->nreads = 0;
    memset(g->writer, 0, s->f->nregs * sizeof *g->writer);
    memset(g->reader, 0, s->f->nregs * sizeof *g->reader);
    add_block(g, first, PTX_NO_REG);
    for (uint32_t b = first; skips_short(g->v, b); b = g->last) {
        uint32_t target = l->succ[l->first_succ[b]];
        add_block(g, b + 1, s->f->inst[l->block[b].inst + l->block[b].ninsts - 1].guard);
        taken[b + 1] = 1;
        if (g->v->preds[target] != 2) break;
        add_block(g, target, PTX_NO_REG);
        taken[target] = 1;
    }
    for (uint32_t k = g->nnodes; k-- > 0;)
        for (uint32_t e = g->node[k].out; e; e = g->edge[e - 1].next) {
            uint32_t height = g->node[g->edge[e - 1].to].height + g->edge[e - 1].latency;
            if (height > g->node[k].height) g->node[k].height = height;
        }
}

// ---------------------------------------------------------------- orders

// Returns 1 if list scheduling takes node a (an instruction) before node b at cycle `now`. All predecessors of both
// nodes must already be placed.
static int comes_first(const struct region_node *a, const struct region_node *b, uint32_t now)
{
    if (a->lazy || b->lazy) return !a->lazy;
    int a_ready = a->ready <= now, b_ready = b->ready <= now;
    if (a_ready != b_ready) return a_ready;
    return a_ready ? a->height > b->height : a->ready < b->ready;
}

void code_region_spread(struct code_region *g)
{
    uint32_t now = 0;
    for (uint32_t done = 0; done < g->nnodes; done++) {
        struct region_node *best = NULL;
        for (uint32_t k = 0; k < g->nnodes; k++) {
            struct region_node *n = &g->node[k];
            if (!n->done && !n->ninto && (!best || comes_first(n, best, now))) best = n;
        }
        best->done = 1;
        if (best->ready > now) now = best->ready;
        g->order[done] = (uint32_t)(best - g->node);
        for (uint32_t e = best->out; e; e = g->edge[e - 1].next) {
            struct region_node *to = &g->node[g->edge[e - 1].to];
            to->ninto--;
            if (now + g->edge[e - 1].latency > to->ready) to->ready = now + g->edge[e - 1].latency;
        }
        now++;
    }
    for (uint32_t k = 0; k < g->nnodes; k++) g->node[k].done = 0;
}

static int is_live(const struct code_region *g, uint32_t reg)
{
    return g->live[reg / 64] >> reg % 64 & 1;
}

// Returns how many more machine registers are live before the node (an instruction) than after it.
static int growth_of(const struct code_region *g, const struct region_node *n)
{
    int growth = 0;
    for (uint32_t u = 0; u < n->nuses; u++)
        if (!is_live(g, g->use[n->first + u])) growth += g->v->packed[g->use[n->first + u]];
    for (uint32_t d = n->nuses; d < n->nuses + n->ndefs; d++)
        if (is_live(g, g->use[n->first + d])) growth -= g->v->packed[g->use[n->first + d]];
    return growth;
}

void code_region_pack(struct code_region *g, const uint64_t *out)
{
    memcpy(g->live, out, g->v->words * sizeof *g->live);
    for (uint32_t left = g->nnodes; left-- > 0;) {
        struct region_node *best = NULL;
        int least = 0, seen = 0;
        for (uint32_t k = g->nnodes; k-- > 0 && seen < CANDIDATES;) {
            struct region_node *n = &g->node[k];
            if (n->done || n->nout) continue;
            int growth = growth_of(g, n);
            seen++;
            if (best && growth >= least) continue;
            best = n;
            least = growth;
        }
        best->done = 1;
        g->order[left] = (uint32_t)(best - g->node);
        for (uint32_t d = best->nuses; d < best->nuses + best->ndefs; d++) {
            uint32_t reg = g->use[best->first + d];
            g->live[reg / 64] &= ~(1ull << reg % 64);
        }
        for (uint32_t u = 0; u < best->nuses; u++) {
            uint32_t reg = g->use[best->first + u];
            g->live[reg / 64] |= 1ull << reg % 64;
        }
        for (uint32_t e = best->into; e; e = g->edge[e - 1].back) g->node[g->edge[e - 1].from].nout--;
    }
    for (uint32_t k = 0; k < g->nnodes; k++) g->node[k].done = 0;
}

void code_region_open(struct code_region *g, const struct sass_homes *v)
{
    const struct ptx_func *f = v->s->f;
    *g = (struct code_region){.v = v};
    g->node = alloc_array(f->ninsts + 1, sizeof *g->node);
    g->order = alloc_array(f->ninsts + 1, sizeof *g->order);
    g->writer = alloc_array(f->nregs + 1, sizeof *g->writer);
    g->reader = alloc_array(f->nregs + 1, sizeof *g->reader);
    g->live = alloc_array(v->words + 1, sizeof *g->live);
}

void code_region_close(struct code_region *g)
{
    free(g->node);
    free(g->order);
    free(g->writer);
    free(g->reader);
    free(g->live);
    free(g->use);
    free(g->edge);
    free(g->read);
}
