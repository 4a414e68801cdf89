// The page's glossary has a row for every word that a report can print.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
// after the above
#include <cmocka.h>

#include "device/occupancy.h"
#include "host/border/host_trace.h"
#include "report/explain.h"
#include "report/report.h"

static const char *const known[] = {
#define WORD(word, meaning) word,
#include "report/page/word.def"
#undef WORD
};
enum { KNOWN = sizeof known / sizeof *known };

static void is_known(const char *word)
{
    for (int i = 0; i < KNOWN; ++i)
        if (!strcmp(known[i], word)) return;
    fail_msg("word.def lacks '%s'", word);
}

static void words_of_tables_have_a_row(void **state)
{
    (void)state;
    for (int k = 0; k < FINDING_KINDS; ++k) is_known(finding_info[k].word);
    for (int h = DEFECT_NONE + 1; h < HOST_TRACE_DEFECTS; ++h) is_known(host_trace_defect_info[h].word);
    for (int r = 0; r < RESOURCES; ++r) is_known(observation_resource_name[r]);
    for (int l = 0; l < OCCUPANCY_LIMITS; ++l) is_known(occupancy_limit_name[l]);
    for (int r = 0; r < RUBRIC_ROWS; ++r) is_known(verdict_rubric[r].name);
    for (int e = 0; e < LAB_ENGINES; ++e) is_known(explain_engine[e]);
}

static void no_word_stands_twice(void **state)
{
    (void)state;
    for (int i = 0; i < KNOWN; ++i)
        for (int k = i + 1; k < KNOWN; ++k) assert_string_not_equal(known[i], known[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_tables_have_a_row),
        cmocka_unit_test(no_word_stands_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
