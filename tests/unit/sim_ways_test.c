// The order of a cache set's ways, compared with a plain list, and the marks, compared with the lines that have them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "base/prng.h"
#include "sim/timing/ways.h"

enum { LINES = 40, STEPS = 100000 };

// The same as lists: ways as they were used last, the latest first, and the line in each.
struct naive {
    uint32_t count, order[WAYS];
    uint64_t line[WAYS];
};

static void to_front(struct naive *n, uint32_t place)
{
    uint32_t way = n->order[place];
    memmove(n->order + 1, n->order, place * sizeof *n->order);
    n->order[0] = way;
}

static uint32_t naive_find(const struct naive *n, uint64_t line)
{
    for (uint32_t way = 0; way < n->count; way++)
        if (n->line[way] == line) return way;
    return WAYS;
}

static uint32_t naive_place(const struct naive *n, uint32_t way)
{
    uint32_t place = 0;
    while (n->order[place] != way) place++;
    return place;
}

static void use(struct ways *s, struct naive *n, uint64_t line, uint32_t victim)
{
    uint32_t way = naive_find(n, line), marked = ways_marked(s, ways_hash(line));
    if (way < WAYS) {
        assert_true(marked >> way & 1);
        uint32_t place = naive_place(n, way);
        assert_int_equal(ways_place(s, way), place);
        assert_int_equal(ways_at(s, place), way);
        ways_use(s, place);
        to_front(n, place);
        return;
    }
    if (n->count < WAYS) n->order[victim = n->count] = n->count, n->count++;
    way = n->order[victim];
    n->line[way] = line;
    to_front(n, victim);
    assert_int_equal(ways_take(s, ways_hash(line), victim), way);
}

static void as_a_list(void **state)
{
    (void)state;
    struct ways s = {0};
    struct naive n = {0};
    struct prng p = prng_stream(1, "ways");
    for (uint32_t step = 0; step < STEPS; step++) {
        if (!prng_below(&p, 200)) s.count = n.count = 0;
        uint64_t line = (uint64_t)prng_below(&p, LINES) << prng_below(&p, 2) * 40;
        use(&s, &n, line, prng_below(&p, WAYS));
        assert_int_equal(s.count, n.count);
        for (uint32_t left = ways_marked(&s, ways_hash(line)); left; left &= left - 1)
            assert_true((uint32_t)__builtin_ctz(left) < n.count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
