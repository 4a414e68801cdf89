// What a grading has of its own: the sizes of its hidden cases.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "judge/job/job.h"

static void draw(const char *source, uint64_t seed, uint64_t key, struct lab_drawn *drawn)
{
    struct judge_job job = {
        .lab = lab_find("lab0"), .source = source, .bytes = strlen(source), .seed = seed, .secret = {{key, 0}}};
    judge_job_draw(&job, drawn);
}

// Returns 1 if each hidden case has the same sizes in both, 0 if all differ.
static int same(const struct lab_drawn *a, const struct lab_drawn *b)
{
    int equal = 0, hidden = 0;
    for (uint32_t i = 0; i < a->lab.ncases; ++i) {
        int fixed = memcmp(a->cases[i].dim, b->cases[i].dim, sizeof a->cases[i].dim) == 0;
        if (!(a->cases[i].flags & CASE_HIDDEN)) assert_true(fixed);
        hidden += a->cases[i].draw[0].step != 0;
        equal += a->cases[i].draw[0].step != 0 && fixed;
    }
    assert_true(hidden > 1);
    return equal == hidden;
}

// A report may say at which line a hidden case failed, and a source may choose its lines by the size. The next source
// has other sizes.
static void another_source_gets_other_hidden_sizes(void **state)
{
    (void)state;
    struct lab_drawn one, again, other;
    draw("void kernel() {}", 1, 7, &one);
    draw("void kernel() {}", 1, 7, &again);
    assert_true(same(&one, &again));
    draw("void kernel() {} ", 1, 7, &other);
    assert_false(same(&one, &other));
    draw("void kernel() {}", 2, 7, &other);
    assert_false(same(&one, &other));
    draw("void kernel() {}", 1, 8, &other);
    assert_false(same(&one, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(another_source_gets_other_hidden_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
