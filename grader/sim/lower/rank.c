// Computes a weak topological order of basic blocks from strongly connected components (see rank.h).
//
// Tarjan's algorithm finds the strongly connected components of a set of basic blocks in reverse topological order. A
// strongly connected component that is a loop is ordered again, without the edges to its head. The head of a loop is
// the basic block by which the loop is entered. Neither Tarjan's algorithm nor the ordering of nested loops uses
// recursion; both keep explicit stacks. Even for a hostile control-flow graph, memory is proportional to the graph's
// size, and time to the graph's size times RANK_DEPTH.
#include "sim/lower/rank.h"

#include <string.h>

// Describes a loop whose basic blocks have not been put in topological order yet. The loop consists of `count` basic
// blocks from order[first] on, and has the head `root` and the nesting depth `level`.
struct rank_job {
    uint32_t root, level, first, count;
};

struct rank_state {
    const struct rank_graph *graph;
    uint32_t *level;  // [nblocks]: depth in loops of the block's current set
    uint32_t *set;    // [nblocks]: number of the block's current set
    uint32_t *number; // [nblocks]: Tarjan's number; 0: not visited
    uint32_t *low;
    uint8_t *on_stack, *is_head;
    uint32_t *stack, nstack;
    struct rank_visit {
        uint32_t block, edge;
    } * visit;
    uint32_t clock;
};

// Orders the basic blocks b with s->set[b] == `set` that can be reached from basic block `root`. The basic blocks of a
// strongly connected component are contiguous in `out`, and components are written from the end of `out` towards its
// start. Appends an entry to `loops` for each strongly connected component that is a loop. Returns the number of
// ordered basic blocks.
static uint32_t tarjan(struct rank_state *s, uint32_t root, uint32_t set, uint32_t *out, uint32_t capacity,
                       struct rank_job *loops, uint32_t *nloops, uint32_t level)
{
    uint32_t depth = 0, at = capacity;
    s->visit[depth++] = (struct rank_visit){root, s->graph->first[root]};
    s->number[root] = s->low[root] = ++s->clock;
    s->stack[s->nstack++] = root;
    s->on_stack[root] = 1;
    while (depth) {
        struct rank_visit *v = &s->visit[depth - 1];
        uint32_t b = v->block;
        if (v->edge < s->graph->first[b + 1]) {
            uint32_t to = s->graph->succ[v->edge++];
            if (s->set[to] != set || s->is_head[to]) continue;
            if (!s->number[to]) {
                s->number[to] = s->low[to] = ++s->clock;
                s->stack[s->nstack++] = to;
                s->on_stack[to] = 1;
                s->visit[depth++] = (struct rank_visit){to, s->graph->first[to]};
            } else if (s->on_stack[to] && s->number[to] < s->low[b]) {
                s->low[b] = s->number[to];
            }
            continue;
        }
        depth--;
        if (depth && s->low[b] < s->low[s->visit[depth - 1].block]) s->low[s->visit[depth - 1].block] = s->low[b];
        if (s->low[b] != s->number[b]) continue;
        uint32_t end = at, member;
        do {
            member = s->stack[--s->nstack];
            s->on_stack[member] = 0;
            out[--at] = member;
        } while (member != b);
        if (end - at > 1) loops[(*nloops)++] = (struct rank_job){b, level + 1, at, end - at};
    }
    return capacity - at;
}

uint32_t rank_blocks(const struct rank_graph *g, uint32_t *order, struct arena *arena)
{
    uint32_t n = g->nblocks, sets = 0, njobs = 0;
    struct rank_state s = {.graph = g};
    s.set = ARENA_ARRAY(arena, n, uint32_t);
    s.number = ARENA_ARRAY(arena, n, uint32_t);
    s.low = ARENA_ARRAY(arena, n, uint32_t);
    s.on_stack = ARENA_ARRAY(arena, n, uint8_t);
    s.is_head = ARENA_ARRAY(arena, n, uint8_t);
    s.stack = ARENA_ARRAY(arena, n, uint32_t);
    s.visit = ARENA_ARRAY(arena, n, struct rank_visit);
    struct rank_job *jobs = ARENA_ARRAY(arena, n + 1, struct rank_job), *found = ARENA_ARRAY(arena, n, struct rank_job);
    uint32_t *out = ARENA_ARRAY(arena, n, uint32_t), nfound = 0;

    uint32_t reached = tarjan(&s, 0, 0, out, n, found, &nfound, 0);
    memcpy(order, out + n - reached, reached * sizeof *order);
    for (uint32_t i = 0; i < nfound; i++) {
        found[i].first -= n - reached;
        jobs[njobs++] = found[i];
    }
    while (njobs) { // a loop: first its head, then the rest without the edges to the head
        struct rank_job job = jobs[--njobs];
        if (job.level > RANK_DEPTH) continue;
        sets++;
        for (uint32_t i = 0; i < job.count; i++) {
            uint32_t b = order[job.first + i];
            s.set[b] = sets;
            s.number[b] = 0;
        }
        s.is_head[job.root] = 1;
        nfound = 0;
        // Every block of the loop is reached from its head.
        tarjan(&s, job.root, sets, out, job.count, found, &nfound, job.level);
        memcpy(order + job.first, out, job.count * sizeof *order);
        for (uint32_t i = 0; i < nfound; i++) {
            found[i].first += job.first;
            jobs[njobs++] = found[i];
        }
    }
    return reached;
}
