// Estimates how many registers ptxas gives to a thread, for kernels for which ptxas was not run (compile/registers.c).
//
// Technique. The file home.c decides which values take registers, and a data-flow analysis finds the values that
// are live at the start of each basic block. The compiler ptxas chooses the order of the instructions before it
// allocates registers, so this order determines how many registers a thread needs. The file code_region.c orders each
// region of code in two ways: with loads as early as possible, and with as few live values as possible. For each of the
// two orders, register_need.c computes the largest number of registers that are live at once. The estimate lies
// between the number of registers for the order with few live values and the number for the order with early loads.
//
// The compiler ptxas prefers the order with early loads as long as the additional registers do not reduce the
// occupancy, i.e. up to the next number in the array `step`. If a thread needs more registers than a number in `step`,
// fewer warps fit into each quarter of a multiprocessor (65536 registers, allocated to warps in units of 256). The
// estimate is the number of registers for the order with early loads, within two limits. The lower limit of the
// estimate is the number of registers for the order with few live values. The upper limit of the estimate is the
// smallest number in `step` that is not below the lower limit.
//
// Experiments with small programs showed which registers ptxas adds: two for the debugger, R1 for the stack, R0 where
// only register pairs are live, and the temporaries of divisions and roots. A kernel that calls a function by the ABI
// keeps its values in R16 and above during the call, apart from R20 and R21, which hold the return address.
//
// tests/unit/truth_registers_test.c compares the estimate with ptxas.
#include <string.h>

#include "sim/sass/code_region.h"

enum {
    WORDS_MAX = 1 << 22, // 64-bit words of all sets of live values
    ROUNDS = 1000,
    MOST = 255,
    SPARE = 4,   // registers that ptxas always adds: R0, R1 and two for the debugger
    LOOSE = 1,   // ptxas leaves a register unused where there are plenty
    CALLED = 24, // registers of a kernel that calls a function and keeps up to KEPT registers
    KEPT = 4,
};
static const uint32_t step[] = {32, 40, 48, 56, 64, 72, 80, 96, 128, 168, MOST};

struct measure {
    struct code_region *region;
    uint64_t *set, *out; // values that are live now, and at the region's end
    uint32_t *left;      // [nregs]: nodes that have not read the value yet
    const uint8_t *width;
    uint32_t weight, singles; // registers that are live, and values of one register
};

// ---------------------------------------------------------------- liveness

static void find_loops(struct sass_homes *v)
{
    const struct lower *l = v->s->l;
    uint32_t *place = ARENA_ARRAY(l->arena, l->nblocks + 1, uint32_t);
    for (uint32_t k = 0; k < l->nlayout; k++) place[l->layout[k]] = k;
    for (uint32_t k = 0; k < l->nlayout; k++) {
        uint32_t b = l->layout[k];
        for (uint32_t e = l->first_succ[b]; e < l->first_succ[b + 1]; e++) {
            v->preds[l->succ[e]]++;
            for (uint32_t m = place[l->succ[e]]; m <= k && !v->looped[l->layout[m]]; m++) v->looped[l->layout[m]] = 1;
        }
    }
}

// Sets `set` to the values that are live at the end of a basic block.
static void live_out(const struct sass_homes *v, uint32_t b, uint64_t *set)
{
    const struct lower *l = v->s->l;
    memset(set, 0, v->words * sizeof *set);
    for (uint32_t e = l->first_succ[b]; e < l->first_succ[b + 1]; e++)
        for (uint32_t w = 0; w < v->words; w++) set[w] |= v->in[(size_t)l->succ[e] * v->words + w];
}

// Describes what a basic block does to sets of live values: in = use | (out & ~def).
struct transfer {
    uint64_t *use, *def;
};

static void find_transfer(struct sass_homes *v, struct code_region *g, uint32_t b, struct transfer *t)
{
    code_region_note(g, b);
    for (uint32_t k = g->nnodes; k-- > 0;) {
        const struct region_node *n = &g->node[k];
        int kills = v->s->f->inst[n->inst].guard == PTX_NO_REG;
        for (uint32_t d = n->nuses; d < n->nuses + n->ndefs; d++) {
            uint32_t reg = g->use[n->first + d];
            if (kills || v->s->defs[reg] == 1)
                t->def[reg / 64] |= 1ull << reg % 64, t->use[reg / 64] &= ~(1ull << reg % 64);
        }
        for (uint32_t u = 0; u < n->nuses; u++) t->use[g->use[n->first + u] / 64] |= 1ull << g->use[n->first + u] % 64;
    }
}

// Finds the values that are live at the start of each basic block.
static void find_live(struct sass_homes *v, struct code_region *g)
{
    const struct lower *l = v->s->l;
    struct transfer *t = ARENA_ARRAY(l->arena, l->nblocks, struct transfer);
    for (uint32_t k = 0; k < l->nlayout; k++) {
        struct transfer *of = &t[l->layout[k]];
        of->use = ARENA_ARRAY(l->arena, v->words, uint64_t);
        of->def = ARENA_ARRAY(l->arena, v->words, uint64_t);
        find_transfer(v, g, l->layout[k], of);
    }
    uint64_t *set = ARENA_ARRAY(l->arena, v->words, uint64_t);
    int changed = 1;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = 0;
        for (uint32_t k = l->nlayout; k-- > 0;) {
            uint32_t b = l->layout[k];
            uint64_t *in = &v->in[(size_t)b * v->words];
            live_out(v, b, set);
            for (uint32_t w = 0; w < v->words; w++) {
                uint64_t live = (t[b].use[w] | (set[w] & ~t[b].def[w])) & ~(v->looped[b] ? 0 : v->fresh[w]);
                changed |= live != in[w];
                in[w] = live;
            }
        }
    }
}

// ---------------------------------------------------------------- registers of an order

static void add(struct measure *m, uint32_t reg)
{
    if (m->set[reg / 64] >> reg % 64 & 1) return;
    m->set[reg / 64] |= 1ull << reg % 64;
    m->weight += m->width[reg];
    m->singles += m->width[reg] == 1;
}

static void drop(struct measure *m, uint32_t reg)
{
    if (m->left[reg] || m->out[reg / 64] >> reg % 64 & 1 || !(m->set[reg / 64] >> reg % 64 & 1)) return;
    m->set[reg / 64] &= ~(1ull << reg % 64);
    m->weight -= m->width[reg];
    m->singles -= m->width[reg] == 1;
}

// Returns the number of temporary registers that the machine code of an instruction needs besides its operands.
static uint32_t temporaries_of(const struct ptx_inst *i)
{
    uint32_t type = i->type[0], exact = i->round && !(i->flags & PTX_APPROX);
    int wide = ptx_type_bytes((enum ptx_type)type) == 8, doubles = type == PTX_F64;
    switch (instruction[i->op].slots) {
    case SLOTS_DIVISION:
        if (doubles) return 16;
        return type == PTX_F32 ? exact ? 9 : 0 : wide ? 13 : 6;
    case SLOTS_RECIPROCAL:
        return doubles ? 8 : exact ? 9 : 0;
    case SLOTS_ROOT:
        return doubles ? 14 : exact ? 6 : 0;
    case SLOTS_INVERSE_ROOT:
        return doubles ? 8 : 0;
    case SLOTS_PRODUCT:
        return wide && i->part == PTX_PART_LO ? 5 : wide && i->part == PTX_PART_HI ? 6 : 0;
    default:
        return 0;
    }
}

// Returns the number of registers that a store needs for data that are a constant other than 0 or come from constant
// memory. Returns 0 for any other instruction.
static uint32_t constants_of(const struct sass_homes *v, const struct ptx_inst *i)
{
    const struct ptx_operand *data = &i->operand[1];
    if (!instruction_does(i, E_STORE) || i->noperands < 2) return 0;
    int constant = data->kind == PTX_OPERAND_IMM
                       ? data->bits != 0
                       : data->kind == PTX_OPERAND_REG && v->home[data->index] == HOME_CONSTANT;
    return constant ? 2 : 0;
}

static void raise_to(uint32_t *most, uint32_t registers)
{
    if (registers > *most) *most = registers;
}

// Returns the largest number of registers that are live at once while the node (an instruction) executes, and updates
// the set of live values (m->set).
static uint32_t measure_node(struct measure *m, const struct region_node *n)
{
    const struct code_region *g = m->region;
    const struct ptx_inst *i = &g->v->s->f->inst[n->inst];
    uint32_t temporaries = temporaries_of(i), most = m->weight + constants_of(g->v, i) - (m->singles > 0);
    for (uint32_t u = 0; u < n->nuses; u++) {
        m->left[g->use[n->first + u]]--;
        drop(m, g->use[n->first + u]);
    }
    if (temporaries) raise_to(&most, m->weight + temporaries);
    for (uint32_t d = n->nuses; d < n->nuses + n->ndefs; d++) add(m, g->use[n->first + d]);
    if (instruction_does(i, E_CALL)) raise_to(&most, CALLED - SPARE + (m->weight > KEPT ? m->weight - KEPT : 0));
    raise_to(&most, m->weight - (m->singles > 0));
    for (uint32_t d = n->nuses; d < n->nuses + n->ndefs; d++) drop(m, g->use[n->first + d]);
    return most;
}

// Returns the largest number of registers that are live at once in the region m->region, which begins with basic block
// b. `order` is the order of the region's instructions (NULL: the order of the PTX), and width[r] is the number of
// machine registers that the value of PTX register r takes.
static uint32_t measure(struct measure *m, uint32_t b, const uint32_t *order, const uint8_t *width)
{
    const struct code_region *g = m->region;
    const struct sass_homes *v = g->v;
    const uint64_t *in = &v->in[(size_t)b * v->words];
    memset(m->set, 0, v->words * sizeof *m->set);
    m->weight = m->singles = 0;
    m->width = width;
    for (uint32_t w = 0; w < v->words; w++)
        for (uint64_t rest = in[w]; rest; rest &= rest - 1) add(m, w * 64 + (uint32_t)__builtin_ctzll(rest));
    for (uint32_t k = 0; k < g->nnodes; k++)
        for (uint32_t u = 0; u < g->node[k].nuses; u++) {
            uint32_t reg = g->use[g->node[k].first + u];
            m->left[reg]++;
            if (v->fresh[reg / 64] >> reg % 64 & 1) add(m, reg);
        }
    uint32_t most = m->weight - (m->singles > 0);
    for (uint32_t k = 0; k < g->nnodes; k++) raise_to(&most, measure_node(m, &g->node[order ? order[k] : k]));
    return most;
}

// ---------------------------------------------------------------- the function

static struct sass_need estimate(uint32_t packed, uint32_t spread)
{
    uint32_t k = 0;
    packed += SPARE;
    spread += SPARE + LOOSE;
    while (step[k] < packed && step[k] < MOST) k++;
    if (spread > step[k]) spread = step[k];
    return (struct sass_need){.likely = spread > packed ? spread : packed, .least = packed};
}

static struct sass_need measure_regions(struct sass_homes *v, struct measure *m)
{
    const struct lower *l = v->s->l;
    struct code_region *g = m->region;
    uint8_t *taken = ARENA_ARRAY(l->arena, l->nblocks + 1, uint8_t);
    uint32_t packed = 0, spread = 0;
    for (uint32_t k = 0; k < l->nlayout; k++) {
        uint32_t b = l->layout[k];
        if (taken[b]) continue;
        code_region_build(g, b, taken);
        live_out(v, g->last, m->out);
        uint32_t least = measure(m, b, NULL, v->packed);
        if (g->nnodes <= REGION_NODES) {
            code_region_pack(g, m->out);
            uint32_t other = measure(m, b, g->order, v->packed);
            if (other < least) least = other;
            code_region_spread(g);
            raise_to(&spread, measure(m, b, g->order, v->spread));
        }
        raise_to(&packed, least);
    }
    return estimate(packed, spread);
}

// Tells the schedule of the time model (timing/pressure.h) how many registers each value takes, and how many are live
// at the start of each basic block.
static void tell_schedule(const struct sass_homes *v)
{
    struct lower *l = v->s->l;
    for (uint32_t r = 0; r < v->s->f->nregs; r++)
        if (v->home[r] == HOME_REGISTER && l->reg[r].reg < l->nheld && v->s->f->reg[r].type != PTX_PRED)
            l->held[l->reg[r].reg] = v->packed[r];
    for (uint32_t k = 0; k < l->nlayout; k++) {
        const struct lower_block *block = &l->block[l->layout[k]];
        uint32_t live = 0;
        for (uint32_t w = 0; w < v->words; w++)
            for (uint64_t rest = v->in [(size_t)l->layout[k] * v->words + w]; rest; rest &= rest - 1)
                live += v->packed[w * 64 + (uint32_t)__builtin_ctzll(rest)];
        if (block->nops) l->info.at[block->op].live = (uint8_t)(live < MOST ? live : MOST);
    }
}

struct sass_need sass_registers(struct sass *s)
{
    struct lower *l = s->l;
    struct sass_homes v = {.s = s, .words = (s->f->nregs + 63) / 64};
    if (!v.words) return (struct sass_need){SPARE, SPARE};
    if ((uint64_t)v.words * l->nblocks > WORDS_MAX) return (struct sass_need){MOST, SPARE};
    v.home = ARENA_ARRAY(l->arena, v.words * 64, uint8_t);
    v.packed = ARENA_ARRAY(l->arena, v.words * 64, uint8_t);
    v.spread = ARENA_ARRAY(l->arena, v.words * 64, uint8_t);
    v.fresh = ARENA_ARRAY(l->arena, v.words, uint64_t);
    v.in = ARENA_ARRAY(l->arena, (size_t)v.words * l->nblocks, uint64_t);
    v.looped = ARENA_ARRAY(l->arena, l->nblocks + 1, uint8_t);
    v.preds = ARENA_ARRAY(l->arena, l->nblocks + 1, uint32_t);
    sass_home_values(&v);
    find_loops(&v);
    struct code_region region;
    code_region_open(&region, &v);
    struct measure m = {.region = &region};
    m.set = ARENA_ARRAY(l->arena, v.words, uint64_t);
    m.out = ARENA_ARRAY(l->arena, v.words, uint64_t);
    m.left = ARENA_ARRAY(l->arena, v.words * 64, uint32_t);
    find_live(&v, &region);
    tell_schedule(&v);
    struct sass_need need = measure_regions(&v, &m);
    code_region_close(&region);
    return need;
}
