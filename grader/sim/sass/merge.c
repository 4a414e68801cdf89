// Models how ptxas merges neighbouring accesses to shared memory into one wider access.
//
// The rules by which ptxas merges shared-memory accesses come from experiments: ptxas compiled small programs with 2 to
// 8 accesses, each written for one question. An address is the sum of a root, which is a register or a variable, and a
// constant. A 16-byte group is the 16 bytes from the address root + n on, where `root` is a register or variable and n
// is a constant multiple of 16.
//
//   - ptxas merges loads of 32-bit or wider words at [root + constant] in one basic block if the words lie in one
//     16-byte group. If at least three of the four words of a 16-byte group are loaded, the loads become one LDS.128.
//     If fewer than three words of a 16-byte group are loaded, the loads of an aligned pair of words become one LDS.64.
//     Neither the order nor the distance of the loads in the basic block matters for merging. Constants that are added
//     to an address register count as part of the constant offset.
//   - ptxas merges stores like loads if all four words of a 16-byte group, or both words of a pair, are stored.
//   - ptxas merges three or four words of a 16-byte group only if the root of the address is known to be a multiple of
//     16. If the root of the address is only known to be a multiple of 8, only pairs of words are merged. If the root
//     of the address is only known to be a multiple of 4, nothing is merged, whatever the constants are. The alignment
//     of a shared array follows from the array's offset in the kernel's shared memory.
//   - A load of words that were just loaded is not executed again.
//   - Shared-memory accesses are not merged across a store to shared memory (even to another array), an atomic on
//     shared memory, a barrier, a fence or a call. Two stores to shared memory are not merged if a load from shared
//     memory stands between them. Accesses to global memory, shuffles and arithmetic may stand between the merged
//     accesses to shared memory.
//   - Volatile and atomic accesses, words of 8 and 16 bits, and accesses of global memory are not merged. A pointer
//     passed to the kernel has no known alignment; arrays in global memory were not merged either.
#include "sim/core/access.h"
#include "sim/sass/sass.h"

enum { GROUPS = 256, MEMBERS = 8, GROUP_BYTES = 16, WORDS = 4 };

// Holds the accesses of one basic block, either loads or stores, to one aligned group of 16 bytes in shared memory.
struct group {
    struct sass_place place; // the group's first byte
    uint32_t version;        // definitions of the root in this block before the accesses
    uint32_t store, count;
    struct {
        uint32_t inst, words; // bit w: the access has word w of the group
    } member[MEMBERS];
};

struct merge {
    struct sass *s;
    struct group group[GROUPS];
    uint32_t ngroups;
    uint32_t *version, *seen; // [nregs]: definitions in the current block; number of that block plus one
    uint32_t block;
};

// Merges the accesses to an aligned 16-byte group of shared memory that touch only the words in the bit mask `words`.
// Merges nothing if fewer than two accesses touch words in `words`, or if these accesses touch fewer than `enough`
// different words. Merges nothing if one access touches words both inside and outside the bit mask `words`. Of several
// accesses that are merged, only the first counts as an instruction. Returns 1 if accesses were merged, otherwise 0.
static int try_join(struct sass *s, const struct group *g, uint32_t words, uint32_t enough)
{
    uint32_t found = 0, members = 0;
    for (uint32_t m = 0; m < g->count; m++) {
        if (!(g->member[m].words & words)) continue;
        if (g->member[m].words & ~words) return 0;
        found |= g->member[m].words;
        members++;
    }
    if (members < 2 || (uint32_t)__builtin_popcount(found) < enough) return 0;
    uint32_t counts = 4 * (uint32_t)__builtin_popcount(words);
    for (uint32_t m = 0; m < g->count; m++) {
        if (!(g->member[m].words & words)) continue;
        s->inst[g->member[m].inst].merged = (uint8_t)counts;
        counts = SIM_MERGED_AWAY;
    }
    return 1;
}

// Returns 1 if access number `m` to a 16-byte group of shared memory loads the same words as an earlier load of the
// same basic block. A device does not execute a second load of the same words.
static int is_repeated(const struct group *g, uint32_t m)
{
    for (uint32_t n = 0; n < m; n++)
        if (g->member[n].words == g->member[m].words) return !g->store;
    return 0;
}

// Decides how the accesses to one aligned 16-byte group of shared memory are merged.
static void close_group(struct sass *s, const struct group *g)
{
    uint32_t zeros = sass_root_zeros(s, g->place.root);
    if (zeros >= 4 && try_join(s, g, 15, g->store ? WORDS : WORDS - 1)) return;
    if (zeros >= 3) {
        try_join(s, g, 3, 2);
        try_join(s, g, 12, 2);
    }
    for (uint32_t m = 1; m < g->count; m++)
        if (is_repeated(g, m)) s->inst[g->member[m].inst].merged = SIM_MERGED_AWAY;
}

// Decides how the accesses to all 16-byte groups in m->group are merged, and empties m->group.
static void close_all(struct merge *m)
{
    for (uint32_t g = 0; g < m->ngroups; g++) close_group(m->s, &m->group[g]);
    m->ngroups = 0;
}

static void close_kind(struct merge *m, int store)
{
    uint32_t kept = 0;
    for (uint32_t g = 0; g < m->ngroups; g++) {
        if (m->group[g].store == (uint32_t)store)
            close_group(m->s, &m->group[g]);
        else
            m->group[kept++] = m->group[g];
    }
    m->ngroups = kept;
}

static uint32_t version_of(const struct merge *m, uint32_t root)
{
    return root & SASS_SYMBOL || m->seen[root] != m->block + 1 ? 0 : m->version[root];
}

static void note_defs(struct merge *m, const struct ptx_operand *o)
{
    for (uint32_t e = 0; o->kind == PTX_OPERAND_VECTOR && e < o->count; e++)
        note_defs(m, &m->s->f->element[o->index + e]);
    if (o->kind != PTX_OPERAND_REG) return;
    if (m->seen[o->index] != m->block + 1) m->version[o->index] = 0;
    m->seen[o->index] = m->block + 1;
    m->version[o->index]++;
}

static void add_access(struct merge *m, uint32_t inst, const struct ptx_operand *address, uint32_t bytes, int store)
{
    struct sass_place p = sass_place(m->s, address);
    uint32_t inside = (uint32_t)(p.offset & (GROUP_BYTES - 1)), version = version_of(m, p.root), g = 0;
    p.offset -= inside;
    close_kind(m, !store);
    // All groups of stores in m->group have addresses that start from one root, a register or variable. A store whose
    // address starts from another register or variable may write to the same place.
    if (store && m->ngroups && (m->group[0].place.root != p.root || m->group[0].version != version)) close_all(m);
    if (inside % 4 || bytes % 4 || inside + bytes > GROUP_BYTES) return;
    while (g < m->ngroups && (m->group[g].place.root != p.root || m->group[g].place.offset != p.offset ||
                              m->group[g].version != version || m->group[g].count == MEMBERS))
        g++;
    if (g == GROUPS) {
        close_all(m);
        g = 0;
    }
    if (g == m->ngroups)
        m->group[m->ngroups++] = (struct group){.place = p, .version = version, .store = (uint32_t)store};
    struct group *at = &m->group[g];
    at->member[at->count].inst = inst;
    at->member[at->count++].words = ((1u << bytes / 4) - 1) << inside / 4;
}

static int may_be_shared(uint32_t space)
{
    return space == PTX_SHARED || space == PTX_GENERIC;
}

// Adds a plain load or store of shared memory to the accesses of its aligned 16-byte group. Merges and forgets the
// accesses collected so far if the instruction is a barrier, an atomic or another instruction across which ptxas merges
// no accesses.
static void visit(struct merge *m, uint32_t inst)
{
    const struct ptx_inst *i = &m->s->f->inst[inst];
    int load = instruction_does(i, E_LOAD), store = instruction_does(i, E_STORE);
    const struct ptx_operand *address = &i->operand[load], *value = &i->operand[store];
    uint32_t count = value->kind == PTX_OPERAND_VECTOR ? value->count : 1;
    int plain = i->space == PTX_SHARED && i->guard == PTX_NO_REG && i->sem < PTX_VOLATILE &&
                address->kind == PTX_OPERAND_ADDRESS && address->base_kind != PTX_OPERAND_IMM;
    if ((load || store) && plain)
        add_access(m, inst, address, count * ptx_type_bytes((enum ptx_type)i->type[0]), store);
    else if (instruction_does(i, E_ORDER | E_CALL) ||
             ((load || store || instruction_does(i, E_ATOMIC)) && may_be_shared(i->space)))
        close_all(m);
    for (uint32_t o = 0; o < ptx_destinations(i) && o < i->noperands; o++) note_defs(m, &i->operand[o]);
}

void sass_merge(struct sass *s)
{
    struct lower *l = s->l;
    struct merge *m = ARENA_NEW(l->arena, struct merge);
    *m = (struct merge){.s = s};
    m->version = ARENA_ARRAY(l->arena, s->f->nregs + 1, uint32_t);
    m->seen = ARENA_ARRAY(l->arena, s->f->nregs + 1, uint32_t);
    for (m->block = 0; m->block < l->nblocks; m->block++) {
        const struct lower_block *b = &l->block[m->block];
        for (uint32_t k = 0; k < b->ninsts; k++) visit(m, b->inst + k);
        close_all(m);
    }
}
