// The order of a function's basic blocks: a join follows both branches, a loop is contiguous, an exit follows its loop.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdlib.h>

#include "base/prng.h"
#include "sim/lower/rank.h"

enum { BLOCKS = 64 };

struct graph {
    uint32_t n, first[BLOCKS + 1], succ[4 * BLOCKS], place[BLOCKS], order[BLOCKS], reached;
};

static void rank(struct graph *g)
{
    struct arena arena = {0};
    struct rank_graph r = {g->n, g->first, g->succ};
    g->reached = rank_blocks(&r, g->order, &arena);
    for (uint32_t b = 0; b < g->n; b++) g->place[b] = UINT32_MAX;
    for (uint32_t i = 0; i < g->reached; i++) g->place[g->order[i]] = i;
    arena_free(&arena);
}

static void diamond(void **state)
{
    (void)state;
    // 0 → 2, 1; 1 → 3; 2 → 3
    struct graph g = {.n = 4, .first = {0, 2, 3, 4, 4}, .succ = {2, 1, 3, 3}};
    rank(&g);
    assert_int_equal(g.reached, 4);
    assert_int_equal(g.place[0], 0);
    assert_int_equal(g.place[1], 1); // what a block falls into comes next
    assert_int_equal(g.place[3], 3);
}

static void loop_with_early_exit(void **state)
{
    (void)state;
    // 0 → 1; 1 → 5, 2 (exit from the head); 2 → 4, 3 (break); 3 → 1; 4 → 5 (behind the break); 5
    struct graph g = {.n = 6, .first = {0, 1, 3, 5, 6, 7, 7}, .succ = {1, 5, 2, 4, 3, 1, 5}};
    rank(&g);
    assert_int_equal(g.place[1], 1);
    assert_true(g.place[2] < 4 && g.place[3] < 4); // the loop 1 2 3 stands together
    assert_true(g.place[4] > g.place[3] && g.place[5] > g.place[4]);
}

static void unreachable(void **state)
{
    (void)state;
    struct graph g = {.n = 3, .first = {0, 1, 2, 2}, .succ = {2, 2}};
    rank(&g);
    assert_int_equal(g.reached, 2);
    assert_int_equal(g.place[1], UINT32_MAX);
}

// Any graph: each block once; an edge to a smaller place closes a circle.
static int reaches(const struct graph *g, uint32_t from, uint32_t to)
{
    uint8_t seen[BLOCKS] = {0};
    uint32_t stack[BLOCKS], n = 0;
    stack[n++] = from;
    seen[from] = 1;
    while (n) {
        uint32_t b = stack[--n];
        if (b == to) return 1;
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++)
            if (!seen[g->succ[e]]) {
                seen[g->succ[e]] = 1;
                stack[n++] = g->succ[e];
            }
    }
    return 0;
}

static void random_graphs(void **state)
{
    (void)state;
    struct prng p = prng_stream(7, "rank");
    for (int round = 0; round < 500; round++) {
        struct graph g = {.n = 1 + prng_below(&p, BLOCKS)};
        uint32_t n = 0;
        for (uint32_t b = 0; b < g.n; b++) {
            g.first[b] = n;
            for (uint32_t e = prng_below(&p, 3); e-- > 0;) g.succ[n++] = prng_below(&p, g.n);
        }
        g.first[g.n] = n;
        rank(&g);
        uint32_t found = 0;
        for (uint32_t b = 0; b < g.n; b++) {
            assert_int_equal(g.place[b] != UINT32_MAX, reaches(&g, 0, b));
            found += g.place[b] != UINT32_MAX;
            for (uint32_t e = g.first[b]; e < g.first[b + 1] && g.place[b] != UINT32_MAX; e++)
                if (g.place[g.succ[e]] <= g.place[b]) assert_true(reaches(&g, g.succ[e], b));
        }
        assert_int_equal(found, g.reached);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(diamond), cmocka_unit_test(loop_with_early_exit),
                                       cmocka_unit_test(unreachable), cmocka_unit_test(random_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
