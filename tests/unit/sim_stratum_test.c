// Strata of a grid: boundaries are found where counters change. If they change everywhere, the stratum is the whole
// grid.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sim/timing/stratum.h"

struct made { // a grid whose blocks' counts are known
    uint32_t grid[3];
    uint32_t (*count)(const uint32_t at[3]);
    uint32_t weighed;
};

static int weigh(void *data, uint64_t block, struct counters *c)
{
    struct made *m = data;
    const uint32_t at[3] = {(uint32_t)(block % m->grid[0]), (uint32_t)(block / m->grid[0] % m->grid[1]),
                            (uint32_t)(block / m->grid[0] / m->grid[1])};
    c->global_ld_requests = m->count(at);
    m->weighed++;
    return 0;
}

static void find(struct made *m, struct strata *strata)
{
    stratum_find(strata, m->grid, &(struct stratum_probe){.weigh = weigh, .data = m, .most = 40});
}

// What the parts' first blocks count, times their sizes, is what all blocks count; and each block is in one part.
static void check_whole(struct made *m, const struct strata *strata)
{
    uint64_t blocks = (uint64_t)m->grid[0] * m->grid[1] * m->grid[2], scaled = 0, whole = 0;
    uint8_t *seen = calloc(blocks, 1);
    for (uint32_t k = 0; k < strata->count; k++) {
        struct counters c = {0};
        weigh(m, stratum_block(&strata->stratum[k], m->grid, 0), &c);
        scaled += c.global_ld_requests * stratum_blocks(&strata->stratum[k]);
        for (uint64_t i = 0; i < stratum_blocks(&strata->stratum[k]); i++)
            seen[stratum_block(&strata->stratum[k], m->grid, i)]++;
        assert_true(stratum_blocks(&strata->stratum[k]) <= stratum_blocks(&strata->stratum[0]));
    }
    for (uint64_t b = 0; b < blocks; b++) {
        struct counters c = {0};
        weigh(m, b, &c);
        whole += c.global_ld_requests;
        assert_int_equal(seen[b], 1);
    }
    assert_int_equal(scaled, whole);
    free(seen);
}

static uint32_t alike(const uint32_t at[3])
{
    (void)at;
    return 8;
}
static uint32_t last_less(const uint32_t at[3])
{
    return at[0] == 999 ? 7 : 8;
}
static uint32_t first_more(const uint32_t at[3])
{
    return at[0] < 64 ? 63 : 62;
}
static uint32_t halo(const uint32_t at[3])
{
    return (at[0] ? 10 : 9) - (at[0] == 36) + (at[1] ? 100 : 50) - (at[1] == 40);
}
static uint32_t data(const uint32_t at[3])
{
    return at[0] * 2654435761u >> 7;
}

static void alike_is_one_part(void **state)
{
    (void)state;
    struct strata strata;
    struct made m = {.grid = {1000, 7, 2}, .count = alike};
    find(&m, &strata);
    assert_int_equal(strata.count, 1);
    assert_int_equal(stratum_blocks(&strata.stratum[0]), 14000);
    assert_int_equal(m.weighed, 9);
}

static void changes_are_found(void **state)
{
    (void)state;
    static const struct {
        uint32_t grid[3];
        uint32_t (*count)(const uint32_t at[3]);
        uint32_t parts;
    } row[] = {
        {{1000, 1, 1}, last_less, 2}, {{1056, 1, 1}, first_more, 2}, {{37, 41, 1}, halo, 9}, {{2, 1, 1}, alike, 1}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct strata strata;
        struct made m = {.count = row[k].count};
        memcpy(m.grid, row[k].grid, sizeof m.grid);
        find(&m, &strata);
        assert_int_equal(strata.count, row[k].parts);
        assert_true(m.weighed < 30);
        check_whole(&m, &strata);
    }
}

static void what_depends_on_data_stays_whole(void **state)
{
    (void)state;
    struct strata strata;
    struct made m = {.grid = {4096, 1, 1}, .count = data};
    find(&m, &strata);
    assert_int_equal(strata.count, 1);
    assert_true(m.weighed <= 40);
}

static int broken(void *nothing, uint64_t block, struct counters *c)
{
    (void)nothing, (void)block, (void)c;
    return -1;
}

static void where_nothing_can_be_weighed_it_stays_whole(void **state)
{
    (void)state;
    struct strata strata;
    uint32_t grid[3] = {100, 100, 1};
    stratum_find(&strata, grid, &(struct stratum_probe){.weigh = broken, .most = 40});
    assert_int_equal(strata.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alike_is_one_part),
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(what_depends_on_data_stays_whole),
        cmocka_unit_test(where_nothing_can_be_weighed_it_stays_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
