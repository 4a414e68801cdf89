// The points of the rubric, the reasons, the merging of findings, and the choice of the next step.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "judge/job/judge_launch.h"
#include "judge/judge.h"

static struct verdict v;
static struct judge_job job;
static const struct lab_case cases[] = {{.name = "one"}, {.name = "two"}, {.name = "three", .flags = CASE_HIDDEN}};
static const struct lab lab = {.name = "labx", .kernel = {"scale"}};

static int prepare(void **state)
{
    (void)state;
    memset(&v, 0, sizeof v);
    job = (struct judge_job){.lab = &lab, .shown = "x.cu"};
    v.job = &job;
    v.stage = STAGE_RUN;
    v.ncases = v.nright = 3;
    for (int i = 0; i < 3; ++i) v.item[i].which = &cases[i];
    v.speed = (struct verdict_speed){
        .measured = 1, .model = 1, .speedup = 4, .threshold = {.minimum = 1.7, .lesson = 2, .full = 4}, .nkernels = 1};
    v.speed.kernel[0].name = "scale";
    return 0;
}

static void scores(int builds, int correct, int safe, int technique, int speed)
{
    verdict_score(&v);
    assert_int_equal(v.score[ROW_BUILDS], builds);
    assert_int_equal(v.score[ROW_CORRECT], correct);
    assert_int_equal(v.score[ROW_SAFE], safe);
    assert_int_equal(v.score[ROW_TECHNIQUE], technique);
    assert_int_equal(v.score[ROW_SPEED], speed);
    assert_int_equal(v.total, builds + correct + safe + technique + speed);
}

static void fail_case(uint32_t i, enum case_result result)
{
    v.item[i].result = result;
    --v.nright;
    v.speed.measured = 0;
}

static void find(enum finding_kind kind, uint32_t line)
{
    v.findings.item[v.findings.count++].finding = (struct finding){.kind = (uint16_t)kind, .at.line = line};
    v.ndefects += finding_info[kind].severity == FINDING_DEFECT;
}

static void rubric_adds_up(void **state)
{
    (void)state;
    int of = 0;
    for (int row = 0; row < RUBRIC_ROWS; ++row) of += verdict_rubric[row].of;
    assert_int_equal(of, 100);
    scores(5, 40, 20, 15, 20);
    assert_true(v.passed);
}

static void stages(void **state)
{
    (void)state;
    v.stage = STAGE_BUILD;
    scores(0, 0, 0, 0, 0);
    assert_int_equal(v.reason[0].id, REASON_does_not_build);
    v.stage = STAGE_LAUNCH;
    v.refusal = REASON_bad_launch;
    scores(0, 0, 0, 0, 0);
    assert_int_equal(v.reason[0].id, REASON_bad_launch);
    assert_false(v.passed);
}

static void correct_by_case(void **state)
{
    (void)state;
    fail_case(1, CASE_WRONG);
    scores(5, 26, 0, 0, 0); // 2 of 3, rounded down
    assert_int_equal(v.nreasons, 1);
    fail_case(0, CASE_WRONG);
    fail_case(2, CASE_REFUSED);
    scores(5, 0, 0, 0, 0);
    assert_int_equal(v.nreasons, 2);
}

static void safety_needs_all_correct(void **state)
{
    (void)state;
    find(FINDING_race_raw, 12);
    v.speed.measured = 0;
    scores(5, 40, 0, 0, 0);
    char reason[VERDICT_REASON];
    verdict_reason_print(v.job, &v.reason[0], reason);
    assert_string_equal(reason, "race at line 12");
    fail_case(0, CASE_WRONG);
    scores(5, 26, 0, 0, 0);
    assert_int_equal(v.nreasons, 2);
}

static void notes_cost_nothing(void **state)
{
    (void)state;
    find(FINDING_race_same_value, 3);
    scores(5, 40, 20, 15, 20);
    assert_true(v.passed);
}

static void technique_and_speed(void **state)
{
    (void)state;
    lab_technique(&v.speed.technique, 1, "held");
    lab_technique(&v.speed.technique, 0, "not held");
    scores(5, 40, 20, 0, 0); // speed without the technique earns nothing
    assert_int_equal(v.nreasons, 1);
    assert_int_equal(v.reason[0].id, REASON_technique);
    v.speed.technique.count = 1;
    v.speed.speedup = 1.69;
    scores(5, 40, 20, 15, 0);
    assert_int_equal(v.reason[0].id, REASON_too_slow);
    v.speed.speedup = 1.7;
    scores(5, 40, 20, 15, 8); // just passed
    assert_true(v.passed);
    v.speed.speedup = 2;
    scores(5, 40, 20, 15, 12); // as fast as the lesson's step
    v.speed.speedup = 0.5;
    v.speed.threshold.minimum = 0;
    scores(5, 40, 20, 15, 8); // the lab requires no minimum here
    assert_true(v.passed);
    v.speed.measured = 0;
    scores(5, 40, 20, 0, 0);
    assert_false(v.passed);
}

static void speed_is_a_log_scale(void **state)
{
    (void)state;
    // the minimum, the lesson's step and full marks are factors of 2 and 4 apart
    static const struct lab_threshold t = {.minimum = 2, .lesson = 4, .full = 16};
    assert_int_equal(verdict_speed_points(1.99, &t, 20), 0);
    assert_int_equal(verdict_speed_points(2, &t, 20), 8);
    assert_int_equal(verdict_speed_points(4, &t, 20), 12);
    assert_int_equal(verdict_speed_points(8, &t, 20), 16);
    assert_int_equal(verdict_speed_points(15.99, &t, 20), 19);
    assert_int_equal(verdict_speed_points(16, &t, 20), 20);
    assert_int_equal(verdict_speed_points(1e9, &t, 20), 20);
    assert_int_equal(verdict_speed_points(NAN, &t, 20), 0);
    for (int k = 0; k <= 4; ++k) assert_int_equal(verdict_speed_points(2 * pow(2, k / 4.0), &t, 20), 8 + k);
    for (int k = 0; k <= 8; ++k) assert_int_equal(verdict_speed_points(4 * pow(4, k / 8.0), &t, 20), 12 + k);
    assert_int_equal(verdict_speed_points(4, &t, 50), 30); // a course's own number of points
}

// A lab without a minimum on the device, a course's own minimum above the lesson's step, and full marks that the
// lesson's step reaches.
static void scales_without_a_part(void **state)
{
    (void)state;
    static const struct lab_threshold free = {.lesson = 1.2, .full = 4.8},
                                      course = {.minimum = 3, .lesson = 2, .full = 12},
                                      near = {.minimum = 2, .lesson = 4, .full = 3};
    assert_int_equal(verdict_speed_points(0.1, &free, 20), 8);
    assert_int_equal(verdict_speed_points(LAB_ALLOWANCE * 1.2, &free, 20), 8);
    assert_int_equal(verdict_speed_points(1.2, &free, 20), 12);
    assert_int_equal(verdict_speed_points(2.4, &free, 20), 16);
    assert_int_equal(verdict_speed_points(NAN, &free, 20), 0);
    assert_int_equal(verdict_speed_points(2.9, &course, 20), 0);
    assert_int_equal(verdict_speed_points(3, &course, 20), 8);
    assert_int_equal(verdict_speed_points(6, &course, 20), 14);
    assert_int_equal(verdict_speed_points(2, &near, 20), 8);
    assert_int_equal(verdict_speed_points(3, &near, 20), 20);
}

// ---------------------------------------------------------------------------------------------------------- findings
static struct verdict_finding race(enum finding_kind kind, uint32_t line, uint32_t other, uint32_t which)
{
    return (struct verdict_finding){
        .finding = {.kind = (uint16_t)kind, .second = 1, .at.line = line, .other.line = other, .symbol = "tile"},
        .which = which,
        .cases = UINT64_C(1) << which,
        .optimised = 1};
}

static void one_mistake_is_one_finding(void **state)
{
    (void)state;
    struct verdict_finding f = race(FINDING_race_raw, 5, 9, 0), g = race(FINDING_race_war, 9, 5, 1);
    g.optimised = 0, g.unoptimised = 1;
    verdict_findings_add(&v.findings, &f);
    verdict_findings_add(&v.findings, &g);
    assert_int_equal(v.findings.count, 1);
    assert_int_equal(v.findings.item[0].cases, 3);
    assert_true(v.findings.item[0].optimised && v.findings.item[0].unoptimised);
    assert_int_equal(v.findings.item[0].finding.kind, FINDING_race_raw);
    struct verdict_finding other = race(FINDING_race_raw, 5, 10, 0);
    verdict_findings_add(&v.findings, &other);
    assert_int_equal(v.findings.count, 2);
}

static struct verdict_finding hidden_race(uint32_t line, uint32_t other)
{
    struct verdict_finding f = race(FINDING_race_raw, line, other, 2);
    f.hidden = 1;
    return f;
}

static void visible_and_hidden_are_not_merged(void **state)
{
    (void)state;
    struct verdict_finding f = hidden_race(5, 9), g = race(FINDING_race_raw, 5, 9, 1);
    verdict_findings_add(&v.findings, &f);
    verdict_findings_add(&v.findings, &g);
    assert_int_equal(v.findings.count, 2);
    verdict_findings_reduce(&v.findings);
    assert_int_equal(v.findings.count, 2);
    verdict_findings_sort(&v.findings);
    verdict_hide(&v); // visible cases have this finding, too
    assert_int_equal(v.findings.count, 1);
    assert_int_equal(v.findings.item[0].which, 1);
    assert_int_equal(v.findings.item[0].cases, 2);
    assert_false(v.findings.item[0].hidden);
}

// A finding a bit would tell the sizes of hidden cases.
static void of_hidden_findings_the_worst_remains(void **state)
{
    (void)state;
    struct verdict_finding note = {.finding = {.kind = FINDING_race_same_value, .at.line = 1}, .hidden = 1};
    struct verdict_finding visible = race(FINDING_race_raw, 40, 41, 0);
    verdict_findings_add(&v.findings, &note);
    verdict_findings_add(&v.findings, &visible);
    for (uint32_t line = 10; line < 30; ++line) {
        struct verdict_finding f = hidden_race(line, line + 50);
        verdict_findings_add(&v.findings, &f);
    }
    verdict_findings_sort(&v.findings);
    verdict_hide(&v);
    assert_int_equal(v.findings.count, 2);
    assert_int_equal(v.findings.item[0].finding.at.line, 40); // what the student can see comes first
    assert_int_equal(v.findings.item[1].finding.at.line, 10);
    assert_true(v.findings.item[1].hidden);
    assert_int_equal(v.findings.item[1].cases, 4);
    assert_int_equal(v.ndefects, 2);
}

static void hidden_findings_do_not_displace_visible_ones(void **state)
{
    (void)state;
    for (uint32_t line = 1; line <= 2 * VERDICT_FINDINGS; ++line) {
        struct verdict_finding f = hidden_race(line, line);
        verdict_findings_add(&v.findings, &f);
    }
    assert_int_equal(v.findings.dropped, 0);
    for (uint32_t line = 1001; line <= 1000 + VERDICT_FINDINGS; ++line) {
        struct verdict_finding f = race(FINDING_race_raw, line, line, 0);
        verdict_findings_add(&v.findings, &f);
    }
    assert_int_equal(v.findings.count, VERDICT_FINDINGS);
    assert_int_equal(v.findings.dropped, 0);
    for (uint32_t i = 0; i < v.findings.count; ++i) assert_false(v.findings.item[i].hidden);
}

// Whatever goes wrong in hidden cases, and in how many, the verdict says the same.
static void hidden_cases_count_as_one(void **state)
{
    (void)state;
    static const struct lab_case hidden = {.name = "secret", .flags = CASE_HIDDEN};
    static const enum case_result pattern[][3] = {{CASE_WRONG, CASE_RIGHT, CASE_RIGHT},
                                                  {CASE_RIGHT, CASE_STOPPED, CASE_WRONG},
                                                  {CASE_WRONG, CASE_REFUSED, CASE_STOPPED}};
    static struct verdict first;
    for (size_t k = 0; k < sizeof pattern / sizeof *pattern; ++k) {
        prepare(NULL);
        for (int i = 0; i < 3; ++i)
            v.item[2 + i] = (struct verdict_case){
                .which = &hidden, .result = pattern[k][i], .message = "4711", .count = 4711, .outputs = 4711};
        v.ncases = 5;
        verdict_hide(&v);
        verdict_score(&v);
        assert_int_equal(v.ncases, 3);
        assert_int_equal(v.nright, 2);
        assert_int_equal(v.item[2].outputs, 0);
        assert_int_equal(v.item[2].count, 0);
        assert_string_equal(v.item[2].message, "");
        assert_int_equal(v.score[ROW_CORRECT], 40 * 2 / 3);
        if (!k) memcpy(first.item, v.item, sizeof first.item), first.total = v.total, first.nreasons = v.nreasons;
        assert_memory_equal(&first.item[2], &v.item[2], sizeof v.item[2]);
        assert_int_equal(first.total, v.total);
        assert_int_equal(first.nreasons, v.nreasons);
    }
}

static void worst_first_and_bounded(void **state)
{
    (void)state;
    struct verdict_finding note = {.finding = {.kind = FINDING_race_same_value, .at.line = 1}};
    verdict_findings_add(&v.findings, &note);
    for (uint32_t line = 100; line < 200; ++line) {
        struct verdict_finding f = race(FINDING_race_raw, 300 - line, 1, 0);
        verdict_findings_add(&v.findings, &f);
    }
    assert_int_equal(v.findings.count, VERDICT_FINDINGS);
    assert_int_equal(v.findings.dropped, 101 - VERDICT_FINDINGS);
    verdict_findings_sort(&v.findings);
    assert_int_equal(v.findings.item[VERDICT_FINDINGS - 1].finding.kind, FINDING_race_same_value);
    assert_true(v.findings.item[0].finding.at.line < v.findings.item[1].finding.at.line);
}

// --------------------------------------------------------------------------------------------------------- next step
static void next_has(const char *words)
{
    verdict_score(&v);
    verdict_next(&v);
    if (!strstr(v.next, words)) fail_msg("'%s' has not '%s'", v.next, words);
}

static void next_steps(void **state)
{
    (void)state;
    v.stage = STAGE_BUILD;
    next_has("first error");
    v.stage = STAGE_LAUNCH;
    v.refusal = REASON_bad_launch;
    next_has("LAUNCH");
    v.stage = STAGE_RUN;
    v.speed.speedup = 1;
    v.speed.kernel[0].bound = RESOURCE_DRAM;
    v.speed.kernel[0].hot[0].line = 17;
    v.speed.kernel[0].nhot = 1;
    next_has("line 17");
    v.speed.kernel[0].bound = RESOURCE_LATENCY;
    v.speed.kernel[0].threads = 128;
    next_has("more warps in flight");
    v.speed.kernel[0].blocks = 1;
    next_has("single block of 128 threads, and they wait: give the block more threads (at most 1024)");
    v.speed.kernel[0].threads = 1024;
    next_has("more warps in flight");
    lab_technique(&v.speed.technique, 0, "9 sectors");
    next_has("9 sectors");
    fail_case(2, CASE_WRONG);
    next_has("hidden cases");
    fail_case(1, CASE_WRONG);
    v.item[1].buffer = "out";
    v.item[1].comparison = (struct lab_comparison){.wrong = 1, .shown = 1, .mismatch[0] = {.index = 4, .expected = 3}};
    next_has("out[4]");
    v.item[1].comparison.mismatch[0].unwritten = 1;
    next_has("why no thread stores out[4]: it was never written, and 3 is expected");
    v.item[0] = v.item[1];
    v.item[0].which = &cases[0];
    v.item[0].kernels = v.item[1].kernels = 7;
    next_has("'one'");
    v.item[1].kernels = 2; // a kernel alone tells more than a smaller size
    next_has("'two'");
    find(FINDING_out_of_bounds, 8);
    next_has("line 8");
}

static void next_of_a_program(void **state)
{
    (void)state;
    struct lab_span span[] = {{.engine = LAB_KERNEL, .start_ps = 0, .end_ps = 30},
                              {.engine = LAB_HOST, .start_ps = 20, .end_ps = 80}};
    struct lab_timeline line = {.span = span, .count = 2, .time_ps = 100};
    v.stage = STAGE_RUN;
    v.speed.speedup = 1;
    v.speed.kernel[0].bound = RESOURCE_DISPATCH;
    v.program.timeline = &line;
    next_has("50 % of the time the host's own share");
    span[0].end_ps = span[1].start_ps = 60;
    next_has("60 % of the time a kernel");
    line.time_ps = 200;
    next_has("60 % of the time nothing");
    lab_technique(&v.speed.technique, 0, "1 stream");
    next_has("timeline does not show: 1 stream");
    v.program.timeline = NULL;
}

// ------------------------------------------------------------------------------------------------------------ shapes
static void shapes(void **state)
{
    (void)state;
    char why[OBSERVATION_MESSAGE];
    const struct {
        struct lab_shape shape;
        int accepted;
    } rows[] = {
        {{.block = {1}}, 1},
        {{.block = {1024}}, 1},
        {{.block = {32, 32}}, 1},
        {{.block = {16, 1, 64}}, 1},
        {{.block = {256}, .shared = 49152, .per_sm = 8}, 1},
        {{.block = {256}, .grid = {INT32_MAX, 65535, 65535}}, 1},
        {{.block = {0}}, 0},
        {{.block = {0, 8}}, 0},
        {{.block = {1025}}, 0},
        {{.block = {4096}}, 0},
        {{.block = {33, 32}}, 0},
        {{.block = {1, 1, 65}}, 0},
        {{.block = {65536, 65536}}, 0},
        {{.block = {INT64_MAX, INT64_MAX, INT64_MAX}}, 0},
        {{.block = {INT64_MIN, INT64_MIN, INT64_MIN}}, 0},
        {{.block = {-1, -1}}, 0},
        {{.block = {1, 1, -1}}, 0},
        {{.block = {256}, .tile = {1, -1}}, 0},
        {{.block = {256}, .tile = {UINT64_C(1) << 32}}, 0},
        {{.block = {256}, .shared = 49153}, 0},
        {{.block = {256}, .shared = UINT64_C(1) << 32}, 0},
        {{.block = {256}, .shared = -1}, 0},
        {{.block = {256}, .per_sm = UINT32_MAX}, 0},
        {{.block = {256}, .per_sm = -1}, 0},
        {{.block = {256}, .grid = {UINT32_MAX}}, 0},
        {{.block = {256}, .grid = {-1}}, 0},
        {{.block = {256}, .grid = {1, 65536}}, 0},
        {{.block = {256}, .grid = {1, 1, -1}}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        why[0] = '\0';
        int answer = judge_launch_check(&rows[i].shape, "scale", 49152, why);
        if (answer != rows[i].accepted - 1) fail_msg("shape %zu: '%s'", i, why);
        if (answer) assert_non_null(strstr(why, "scale"));
    }
}

#define TEST(name) cmocka_unit_test_setup(name, prepare)
// ---------------------------------------------------------------------------------------------------------- hints
static struct verdict_finding race_at(enum finding_kind kind, uint32_t at, uint32_t other)
{
    return (struct verdict_finding){.finding = {.kind = (uint16_t)kind,
                                                .space = SPACE_SHARED,
                                                .second = 1,
                                                .epoch = 1,
                                                .at = {.line = at, .access = ACCESS_READ},
                                                .other = {.line = other, .access = ACCESS_WRITE},
                                                .buffer = -1,
                                                .symbol = "As"},
                                    .optimised = 1};
}

static void hint_has(const struct verdict_finding *f, const char *words)
{
    struct text hint = {0};
    verdict_hint(f, &hint);
    if (!strstr(hint.data, words)) fail_msg("no '%s' in '%s'", words, hint.data);
    text_free(&hint);
}

static void a_hint_is_a_rule_without_a_line(void **state)
{
    (void)state;
    struct verdict_finding f = race_at(FINDING_race_raw, 18, 16);
    hint_has(&f, "a barrier, such as __syncthreads(), which all of them reach");
    f.finding.warp = 1;
    hint_has(&f, "a barrier, such as __syncwarp(), which");
    f.finding.warp = 0;
    f.finding.at.line = 16;
    hint_has(&f, "every thread must have read before one writes");
    f.lost_update = 1;
    hint_has(&f, "use atomicAdd()");
    f = race_at(FINDING_race_raw, 18, 16);
    f.finding.fence = 1;
    hint_has(&f, "missing __threadfence() between");
    f.finding.fence = f.finding.epoch = 0;
    hint_has(&f, "blocks run in any order until the kernel ends");
    f.finding.at.line = 16; // bins[b] += v
    hint_has(&f, "several change this element: add with an atomic");
    f.finding.kind = FINDING_deadlock;
    hint_has(&f, finding_info[FINDING_deadlock].hint);
    f.finding = (struct finding){.kind = FINDING_never_written, .space = SPACE_SHARED, .value = 32};
    hint_has(&f, "returned before the barrier");
    f.finding.value = 0;
    hint_has(&f, finding_info[FINDING_never_written].hint);
}

// --------------------------------------------------------------------------------------------------------- causes
static void takes(struct verdict_findings *list, enum finding_kind kind, uint32_t line, const char *kernel)
{
    struct verdict_finding f = race_at(kind, line, line + 1);
    if (!verdict_is_race(&f.finding)) f.finding.second = f.finding.epoch = 0;
    snprintf(f.kernel, sizeof f.kernel, "%s", kernel);
    list->item[list->count++] = f;
}

static void follow(struct verdict_findings *list, const char *causes) // a digit a finding: 0, or 1 + the cause's index
{
    verdict_findings_sort(list);
    verdict_findings_trace(list);
    assert_int_equal(list->count, strlen(causes));
    for (uint32_t i = 0; i < list->count; ++i) assert_int_equal(list->item[i].follows, causes[i] - '0');
}

static void a_missed_barrier_comes_before_what_follows(void **state)
{
    (void)state;
    struct verdict_findings list = {0};
    takes(&list, FINDING_output_missing, 0, "");
    takes(&list, FINDING_race_war, 14, "k");
    takes(&list, FINDING_never_written, 13, "k");
    takes(&list, FINDING_barrier_divergent, 33, "k");
    takes(&list, FINDING_barrier_divergent, 21, "k");
    takes(&list, FINDING_race_war, 50, "other");
    follow(&list, "011011");
    assert_int_equal(list.item[0].finding.at.line, 21);
    assert_int_equal(verdict_followers(&list, 0), 4);
    assert_int_equal(verdict_followers(&list, 1), 0);
}

static void a_wild_access_comes_before_the_race_in_its_line(void **state)
{
    (void)state;
    struct verdict_findings list = {0};
    takes(&list, FINDING_race_waw, 27, "k");
    takes(&list, FINDING_race_waw, 40, "k");
    takes(&list, FINDING_out_of_bounds, 27, "k");
    takes(&list, FINDING_input_changed, 0, "k");
    takes(&list, FINDING_stray_store, 0, "k");
    follow(&list, "01001");
}

static void what_a_visible_case_shows_follows_from_no_hidden_one(void **state)
{
    (void)state;
    struct verdict_findings list = {0};
    takes(&list, FINDING_barrier_divergent, 21, "k");
    takes(&list, FINDING_race_war, 14, "k");
    list.item[0].hidden = 1;
    follow(&list, "00");
    list = (struct verdict_findings){0};
    takes(&list, FINDING_barrier_divergent, 21, "k");
    takes(&list, FINDING_race_war, 14, "k");
    list.item[1].hidden = 1;
    follow(&list, "01");
}

static void a_mask_follows_from_the_mask_that_lanes_ran_ahead_of(void **state)
{
    (void)state;
    struct verdict_findings list = {0};
    takes(&list, FINDING_bad_mask, 28, "k");
    takes(&list, FINDING_bad_mask, 31, "k");
    takes(&list, FINDING_bad_mask, 40, "k");
    list.item[0].finding.second = 1;
    list.item[0].finding.other.line = 31;
    follow(&list, "010");
    list.item[0].finding.second = 0;
    takes(&list, FINDING_barrier_divergent, 50, "k");
    list.item[3].finding.second = 1; // lanes that wait at the mask in line 40 miss the barrier
    list.item[3].finding.other.line = 40;
    follow(&list, "0003");
}

static void one_barrier_is_one_finding(void **state)
{
    (void)state;
    struct verdict_findings list = {.count = 3};
    list.item[0] = race_at(FINDING_race_raw, 18, 15);
    list.item[1] = race_at(FINDING_race_raw, 18, 16);
    strcpy(list.item[1].finding.symbol, "Bs");
    list.item[2] = list.item[1]; // a read that the race lost
    list.item[2].finding.kind = FINDING_never_written;
    list.item[2].finding.second = 0;
    verdict_findings_reduce(&list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.item[0].finding.other.line, 16); // the barrier belongs behind both
    assert_string_equal(list.item[0].finding.symbol, "Bs");
    assert_string_equal(list.item[0].also, "As");
}

static void a_merged_store_keeps_its_line(void **state)
{
    (void)state;
    for (int order = 0; order < 2; ++order) {
        struct verdict_findings list = {.count = 2};
        struct verdict_finding *merged = &list.item[order], *source = &list.item[1 - order];
        *merged = race_at(FINDING_race_raw, 22, 22);
        *source = race_at(FINDING_race_raw, 22, 17);
        source->optimised = 0;
        source->unoptimised = source->finding.unoptimised = 1;
        verdict_findings_reduce(&list);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.item[0].finding.other.line, 17);
        assert_true(list.item[0].optimised && list.item[0].unoptimised && !list.item[0].finding.unoptimised);
    }
}

static void lost_updates_are_one_finding(void **state)
{
    (void)state;
    struct verdict_findings list = {.count = 3};
    list.item[0] = race_at(FINDING_race_raw, 10, 10);
    list.item[1] = race_at(FINDING_race_waw, 10, 10);
    list.item[2] = race_at(FINDING_race_same_value, 10, 10);
    list.item[1].finding.epoch = 0; // between blocks
    verdict_findings_reduce(&list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.item[0].lost_update, 1);
    list = (struct verdict_findings){.count = 2};
    list.item[0] = race_at(FINDING_race_raw, 10, 10);
    list.item[1] = race_at(FINDING_out_of_bounds, 10, 10);
    verdict_findings_reduce(&list);
    assert_int_equal(list.count, 2);
}

static void one_access_of_both_images_is_one_finding(void **state)
{
    (void)state;
    struct verdict_findings list = {.count = 2};
    struct verdict_finding one = {.kernel = "k", .array = "in", .unoptimised = 1};
    one.finding = (struct finding){.kind = FINDING_out_of_bounds, .offset = 1024, .unoptimised = 1};
    one.finding.at = (struct finding_place){.line = 10, .thread = {255}};
    list.item[0] = list.item[1] = one;
    list.item[1].optimised = 1;
    list.item[1].unoptimised = list.item[1].finding.unoptimised = 0;
    list.item[1].finding.at.line = 12;
    struct verdict_findings other = list;
    verdict_findings_reduce(&list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.item[0].finding.at.line, 10); // the source's
    assert_true(list.item[0].optimised && list.item[0].unoptimised && !list.item[0].finding.unoptimised);
    for (int what = 0; what < 4; ++what) { // what differs
        list = other;
        if (what == 0) list.item[1].finding.at.thread[0] = 254;
        if (what == 1) list.item[1].finding.offset = 1028;
        if (what == 2) list.item[1].unoptimised = 1;
        if (what == 3) memcpy(list.item[1].array, "out", 4);
        verdict_findings_reduce(&list);
        assert_int_equal(list.count, 2);
    }
}

static void what_a_wrong_mask_did_not_bring_is_no_finding(void **state)
{
    (void)state;
    struct verdict_findings list = {.count = 2};
    list.item[0].finding = (struct finding){.kind = FINDING_never_written, .at = {.line = 9}};
    list.item[1].finding = (struct finding){.kind = FINDING_bad_mask, .at = {.line = 9}};
    struct verdict_findings before = list;
    verdict_findings_reduce(&list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.item[0].finding.kind, FINDING_bad_mask);
    before.item[0].finding.at.line = 8; // above it
    verdict_findings_reduce(&before);
    assert_int_equal(before.count, 2);
}

static uint32_t walked_line(void)
{
    const struct verdict_finding *f = verdict_walk(&v.findings);
    return f ? f->finding.at.line : 0;
}

static void the_walk_leads_to_a_visible_defect_that_is_a_cause(void **state)
{
    (void)state;
    struct verdict_finding *item = v.findings.item;
    assert_int_equal(walked_line(), 0);
    find(FINDING_race_raw, 1);
    find(FINDING_race_war, 2);
    find(FINDING_order_dependent, 3); // a result has no step
    find(FINDING_race_same_value, 4); // a note
    for (int i = 0; i < 4; ++i) item[i].unoptimised = 1;
    assert_int_equal(walked_line(), 1);
    item[0].follows = 2; // the second is its cause
    assert_int_equal(walked_line(), 2);
    item[1].hidden = 1;
    assert_int_equal(walked_line(), 1);
    item[0].unoptimised = 0; // the walk runs the unoptimised image
    assert_int_equal(walked_line(), 0);
    item[0].unoptimised = 1;
    item[0].finding.at.line = 0;
    assert_null(verdict_walk(&v.findings));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rubric_adds_up),
        TEST(what_a_wrong_mask_did_not_bring_is_no_finding),
        TEST(stages),
        TEST(correct_by_case),
        TEST(safety_needs_all_correct),
        TEST(notes_cost_nothing),
        TEST(technique_and_speed),
        TEST(speed_is_a_log_scale),
        TEST(scales_without_a_part),
        TEST(one_mistake_is_one_finding),
        TEST(visible_and_hidden_are_not_merged),
        TEST(of_hidden_findings_the_worst_remains),
        TEST(hidden_findings_do_not_displace_visible_ones),
        TEST(hidden_cases_count_as_one),
        TEST(worst_first_and_bounded),
        TEST(next_steps),
        TEST(next_of_a_program),
        TEST(shapes),
        TEST(a_hint_is_a_rule_without_a_line),
        TEST(a_missed_barrier_comes_before_what_follows),
        TEST(a_wild_access_comes_before_the_race_in_its_line),
        TEST(what_a_visible_case_shows_follows_from_no_hidden_one),
        TEST(a_mask_follows_from_the_mask_that_lanes_ran_ahead_of),
        TEST(one_barrier_is_one_finding),
        TEST(a_merged_store_keeps_its_line),
        TEST(lost_updates_are_one_finding),
        TEST(one_access_of_both_images_is_one_finding),
        TEST(the_walk_leads_to_a_visible_defect_that_is_a_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
