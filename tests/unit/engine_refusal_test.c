// The sentences of refusal.def accept all numbers that observation_say() passes to them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/observation.h"

static struct observation o;

static void numbers_stand_in_their_order(void **state)
{
    (void)state;
    assert_int_equal(observation_refuse(&o, REFUSAL_no_room, 255, UINT64_MAX, 0), -1);
    assert_string_equal(o.message, "not one block fits a multiprocessor: 255 registers a thread, 18446744073709551615 "
                                   "bytes of shared memory");
}

static void another_reason_stays_as_it_is(void **state)
{
    (void)state;
    o = (struct observation){.message = "the card refuses it"};
    observation_say(&o);
    assert_string_equal(o.message, "the card refuses it");
}

static const char *const sentence[] = {
#define REFUSAL(id, sentence) sentence,
#include "engine/refusal.def"
#undef REFUSAL
};

static void sentences_take_numbers_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sentence / sizeof *sentence; ++i) {
        int numbers = 0;
        for (const char *at = sentence[i]; (at = strchr(at, '%')); at += 4, ++numbers)
            assert_memory_equal(at, "%llu", 4);
        assert_in_range(numbers, 0, REFUSAL_NUMBERS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stand_in_their_order),
        cmocka_unit_test(another_reason_stays_as_it_is),
        cmocka_unit_test(sentences_take_numbers_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
