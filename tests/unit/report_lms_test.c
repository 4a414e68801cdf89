// The result files of course systems from a made-up verdict. No file contains the name, size or values of a hidden
// case, and the points are the verdict's.
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "report/lms/lms.h"

static struct verdict v;
static struct judge_job job;
static const struct lab_case cases[] = {{.name = "n 31"}, {.name = "secret 4711", .flags = CASE_HIDDEN}};
static const struct lab lab = {.name = "labx", .slug = "labx_test", .title = "A test", .kernel = {"scale"}};
static const char source[] = "int a;\n\tout[i] = in[i];\n";
static const struct lms_about about = {
    "cs", "lab3", "submit/1", "https://c", "https://r", "https://d", "2026-11-21T15:27:00Z"};

static int prepare(void **state)
{
    (void)state;
    memset(&v, 0, sizeof v);
    job = (struct judge_job){.lab = &lab, .shown = "x.cu", .source = source, .bytes = sizeof source - 1, .seed = 1};
    v.job = &job;
    v.stage = STAGE_RUN;
    v.sandbox = BOX_FILTERED;
    v.ncases = 2;
    for (int i = 0; i < 2; ++i) {
        v.item[i] =
            (struct verdict_case){.which = &cases[i], .result = CASE_WRONG, .buffer = "out", .count = i ? 4711 : 31};
        v.item[i].comparison = (struct lab_comparison){
            .wrong = 1,
            .shown = 1,
            .mismatch = {{.index = i ? 4711 : 7, .got = i ? 4712 : 1, .expected = i ? 4713 : 2}}};
    }
    strcpy(v.item[1].message, "4714 elements are wrong");
    v.findings.count = 1;
    v.findings.item[0] =
        (struct verdict_finding){.finding = {.kind = FINDING_out_of_bounds,
                                             .space = SPACE_GLOBAL,
                                             .at = {.line = 2, .access = ACCESS_WRITE, .thread = {47, 0, 0}},
                                             .buffer = -1,
                                             .size = 4,
                                             .offset = 4715,
                                             .extent = 4716},
                                 .hidden = 1,
                                 .cases = 2,
                                 .kernel = "scale",
                                 .array = "out",
                                 .which = 1};
    verdict_hide(&v);
    v.speed = (struct verdict_speed){.threshold = {.minimum = 1.7, .lesson = 2, .full = 4}};
    verdict_score(&v);
    return 0;
}

static void test_hidden_cases_stay_hidden(void **state)
{
    (void)state;
    for (const struct lms *l = lms_all; l->name; ++l) {
        struct text out = {0};
        l->write(&v, &about, &out);
        assert_null(strstr(out.data, "471"));
        assert_null(strstr(out.data, "secret"));
        assert_non_null(strstr(out.data, "hidden cases: not all right"));
        assert_non_null(strstr(out.data, "n 31: wrong output: out[7] is 1, expected is 2"));
        assert_non_null(strstr(out.data, "x.cu:2"));
        text_free(&out);
    }
}

static void test_the_level_of_the_sandbox_is_in_each(void **state)
{
    (void)state;
    for (const struct lms *l = lms_all; l->name; ++l) {
        struct text out = {0};
        l->write(&v, &about, &out);
        assert_non_null(strstr(out.data, box_level_name(BOX_FILTERED)));
        text_free(&out);
    }
}

static void test_a_row_holds_when_nothing_more_is_asked_for(void **state)
{
    (void)state;
    struct lms_row row[RUBRIC_ROWS];
    lms_rows(&v, row);
    assert_true(row[ROW_BUILDS].met);
    for (int i = ROW_CORRECT; i < RUBRIC_ROWS; ++i) assert_false(row[i].met);
    assert_int_equal(lms_most(row), 100);
    lms_rows_free(row);
    // Just fast enough: not all points on the row, and yet passed.
    v.item[0].result = v.item[1].result = CASE_RIGHT;
    v.nright = 2;
    v.ndefects = v.findings.count = 0;
    v.speed.measured = v.speed.model = 1;
    v.speed.speedup = v.speed.threshold.minimum;
    verdict_score(&v);
    lms_rows(&v, row);
    for (int i = 0; i < RUBRIC_ROWS; ++i) assert_true(row[i].met);
    assert_int_equal(row[ROW_SPEED].points, 8);
    lms_rows_free(row);
}

static void test_a_flood_of_messages_is_cut(void **state)
{
    (void)state;
    struct text out = {0};
    v.stage = STAGE_BUILD;
    for (int i = 0; i < 1 << 16; ++i) text_puts(&v.messages, "\xc3\xa9rror: ");
    verdict_score(&v);
    lms_prairielearn(&v, &about, &out);
    assert_true(out.length < 1000000);
    json_t *root = json_loadb(out.data, out.length, 0, NULL);
    assert_non_null(root);
    json_decref(root);
    text_free(&out);
    text_free(&v.messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_hidden_cases_stay_hidden, prepare),
        cmocka_unit_test_setup(test_the_level_of_the_sandbox_is_in_each, prepare),
        cmocka_unit_test_setup(test_a_row_holds_when_nothing_more_is_asked_for, prepare),
        cmocka_unit_test_setup(test_a_flood_of_messages_is_cut, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
