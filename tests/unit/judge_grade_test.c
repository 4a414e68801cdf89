// The judge from source to verdict, with a real compiler and a fake engine; this program is its own runner. Each mode
// of the fake engine must lead to a stated verdict. Faults of the machine or the runner must lead to exit code 2.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/text.h"
#include "fake_engine.h"
#include "judge/job/record.h"
#include "judge/judge.h"
#include "judge/kernel/speed.h"

static const char *self;
static struct compiler compiler;
static char baseline[64], cache[BOX_PATH];
static struct verdict verdict;

// ------------------------------------------------------------------------------------------------------------ the lab
static const struct lab_case cases[] = {
    {"none", {0}, "random", .flags = CASE_SMALL},
    {"33", {33}, "random", .flags = CASE_SMALL},
    {"100", {100}, "random", .flags = 0},
    {"1000", {1000}, "random", .flags = CASE_SPEED},
    {"hidden: odd", {0}, "random", .flags = CASE_SMALL | CASE_HIDDEN, .draw = {LAB_REST(2, 1, 57, 63)}},
};

static void plan_with(struct lab_plan *p, enum lab_role role)
{
    int in = lab_buffer(p, "in", LAB_F32, LAB_INPUT, p->dim[0]);
    int out = lab_buffer(p, "out", LAB_F32, role, p->dim[0]);
    struct lab_step *s = lab_step(p, 0, p->dim[0], 1, 1);
    lab_arg_buffer(s, in);
    lab_arg_buffer(s, out);
    lab_arg_u32(s, p->dim[0]);
}

static void plan(struct lab_plan *p)
{
    plan_with(p, LAB_OUTPUT);
}

static void plan_building(struct lab_plan *p)
{
    plan_with(p, LAB_UPDATE);
}

static void fill(struct lab_plan *p, struct prng *r)
{
    lab_fill_f32(p->buffer[0].f32, p->buffer[0].count, p->which->values, r);
}

static void expect(struct lab_plan *p)
{
    lab_expected(p, 1, 0);
    for (uint64_t i = 0; i < p->buffer[1].count; ++i) p->buffer[1].expected[i] = 2 * p->buffer[0].f32[i] + 1;
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    lab_technique(t, e->student_sum.global_ld_sectors < 1000, "%d sectors", (int)e->student_sum.global_ld_sectors);
}

#define LAB(slug_, plan_)                                                                                              \
    {                                                                                                                  \
        .name = "labx", .slug = slug_, .title = "A test", .kernel = {"scale"}, .cases = cases,                         \
        .ncases = sizeof cases / sizeof *cases, .lesson = 2.36, .furthest = 9.42, .plan = plan_, .fill = fill,         \
        .expect = expect, .technique = technique, .hint = {                                                            \
            "a",                                                                                                       \
            "b",                                                                                                       \
            "c"                                                                                                        \
        }                                                                                                              \
    }
// In the second a block's output may depend on other blocks: where its speed case was sampled, it is run once more.
static const struct lab plain = LAB("labx_test", plan), building = LAB("laby_test", plan_building);
static const struct lab *lab = &plain;

// A lab with visible cases behind the one that uses up the budget.
static struct lab of_long_cases(void)
{
    static const struct lab_case item[] = {{"33", {33}, "random", .flags = CASE_SMALL},
                                           {"100", {100}, "random", .flags = 0},
                                           {"101", {101}, "random", .flags = 0},
                                           {"1000", {1000}, "random", .flags = CASE_SPEED}};
    struct lab l = plain;
    l.cases = item;
    l.ncases = sizeof item / sizeof *item;
    return l;
}

static const char *const good = "#include \"warpwise.h\"\nLAUNCH(scale, .block = {64});\n"
                                "extern \"C\" __global__ void scale(const float *in, float *out, int n)\n"
                                "{ int i = blockIdx.x * 64 + threadIdx.x; if (i < n) out[i] = 2 * in[i] + 1; }\n";

static const char *card_mode; // of the runner that holds a card; NULL: there is none

static void grade_source(const char *mode, const char *source, size_t bytes, uint64_t seed)
{
    static const char *runner[4], *card[4];
    static struct judge_job job;
    runner[0] = self, runner[1] = "serve", runner[2] = mode;
    card[0] = self, card[1] = "serve", card[2] = card_mode;
    job = (struct judge_job){.lab = lab,
                             .source = source,
                             .bytes = bytes,
                             .shown = "mine.cu",
                             .compiler = &compiler,
                             .kit = "grader/kit",
                             .runner = runner,
                             .card_runner = card_mode ? card : NULL,
                             .card_threshold = lab_threshold_of(lab->lesson, lab->furthest),
                             .baseline = baseline,
                             .cache = cache,
                             .seed = seed,
                             .open = 1};
    judge_grade(&job, &verdict);
}

static void grade(const char *mode)
{
    verdict_free(&verdict);
    grade_source(mode, good, strlen(good), 1);
}

static const enum reason PASSED = REASONS; // no reason against it

static int is_refused_for(enum reason reason)
{
    for (uint32_t i = 0; i < verdict.nreasons; ++i)
        if (verdict.reason[i].id == reason) return 1;
    return 0;
}

static void check(const char *mode, int total, enum reason reason)
{
    grade(mode);
    if (verdict.total != total || (reason == PASSED ? verdict.nreasons > 0 : !is_refused_for(reason)))
        fail_msg("%s: %d points instead of %d, refused for '%s'", mode, verdict.total, total,
                 verdict.nreasons ? verdict.reason[0].word : "");
    assert_int_equal(verdict.passed, reason == PASSED);
    assert_true(verdict.next[0] != 0);
}

// The same, where a finding is the reason: "race at line 7".
static void check_finding(const char *mode, int total, const char *finding)
{
    char reason[VERDICT_REASON];
    int found = 0;
    check(mode, total, REASON_finding);
    for (uint32_t i = 0; i < verdict.nreasons; ++i) {
        verdict_reason_print(verdict.job, &verdict.reason[i], reason);
        found |= !strcmp(reason, finding);
    }
    if (!found) fail_msg("%s: no '%s'", mode, finding);
}

// -------------------------------------------------------------------------------------------------------------- tests
static void right_earns_all(void **state)
{
    (void)state;
    check("right", 100, PASSED);
    assert_int_equal(verdict.ncases, 4);
    assert_int_equal(verdict.nright, 4);
    assert_true(verdict.speed.speedup == 10);
    assert_true(verdict.speed.threshold.minimum == 2 && verdict.speed.threshold.full == 8);
    assert_string_equal(verdict.device.title, "Fake One");
}

static void wrong_outputs(void **state)
{
    (void)state;
    check("wrong", 5 + 10, REASON_wrong_output); // the empty case is right
    assert_int_equal(verdict.item[1].result, CASE_WRONG);
    assert_string_equal(verdict.item[1].buffer, "out");
    assert_int_equal(verdict.item[1].comparison.mismatch[0].index, 32);
    assert_int_equal(verdict.speed.measured, 0);
    check_finding("half", 15, "output never written");
    check_finding("lazy", 15, "output never written");
    assert_int_equal(verdict.item[1].comparison.poisoned, 33);
}

static void unsafe_kernels(void **state)
{
    (void)state;
    check_finding("race", 45, "race at line 7");
    assert_int_equal(verdict.findings.count, 1);
    assert_string_equal(verdict.findings.item[0].array, "out");
    assert_true(verdict.findings.item[0].optimised && verdict.findings.item[0].unoptimised);
    check_finding("stray", 45, "store outside");
    check_finding("input", 45, "input changed");
    check_finding("order", 45, "order-dependent output");
    assert_int_equal(verdict.findings.item[0].finding.at.line, 0);
    assert_int_equal(verdict_place(&verdict.findings.item[0]).line, 3); // where the kernel is defined
    check_finding("deadlock", 15, "deadlock at line 9");
    assert_int_equal(verdict.item[1].result, CASE_STOPPED);
    check_finding("endless", 15, "too many instructions at line 9");
    // All cases together take too much: the finding says how much that is, and the cases after it are not run.
    struct lab longer = of_long_cases();
    lab = &longer;
    check_finding("long", 18, "too many instructions at line 9");
    assert_int_equal(verdict.findings.count, 1);
    assert_int_equal(verdict.findings.item[0].finding.value, 128 << 20);
    assert_int_equal(verdict.item[1].result, CASE_STOPPED);
    assert_non_null(strstr(verdict.item[2].message, "not run, because the cases before took more than 134217728"));
    lab = &plain;
    check("note", 100, PASSED); // a note costs nothing
    assert_int_equal(verdict.findings.count, 1);
}

static void slow_or_without_technique(void **state)
{
    (void)state;
    check("slow", 80, REASON_too_slow);
    check("no-technique", 65, REASON_technique);
}

// What was written must be right, and as much as the share of the blocks that ran.
static void work_left_out_when_timed(void **state)
{
    (void)state;
    check("timed-half", 65, REASON_speed_not_run);
    check("sampled", 100, PASSED);
    check("sampled-less", 65, REASON_speed_not_run);
    check("sampled-wrong", 65, REASON_speed_not_run);
}

// A kernel that does less in the sample than where all blocks run is found by whichever counter shows it.
static void every_counter_of_the_whole_case_counts(void **state)
{
    (void)state;
    struct counters sample = {0}, whole;
#define COUNTER(name, metric, meaning) sample.name = 1000000;
#include "engine/counter.def"
#undef COUNTER
    whole = sample;
    assert_int_equal(kernel_speed_exceeds(&whole, &sample), 0);
#define COUNTER(name, metric, meaning)                                                                                 \
    whole.name = 1109000; /* a tenth more, and not quite a hundredth of the instructions */                            \
    if (kernel_speed_exceeds(&whole, &sample)) fail_msg("%s: a little more is too much", #name);                       \
    whole.name = 1111000;                                                                                              \
    if (!kernel_speed_exceeds(&whole, &sample)) fail_msg("%s: nobody sees that there is more", #name);                 \
    whole.name = 0; /* less is no cheat */                                                                             \
    if (kernel_speed_exceeds(&whole, &sample)) fail_msg("%s: less is too much", #name);                                \
    whole.name = sample.name;
#include "engine/counter.def"
#undef COUNTER
    lab = &building;
    check("sampled-near", 100, PASSED);
    check("sampled-more", 65, REASON_speed_not_run);
    assert_non_null(strstr(verdict.speed.problem, "blocks do less where others were not run"));
    lab = &plain;
}

static void contracts(void **state)
{
    (void)state;
    static const char *const modes[] = {"no-launch", "odd-launch", "block-0",    "block-4096", "shared-1M", "per-sm",
                                        "grid",      "grid-y",     "other-name", "decorated",  "bad-params"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        check(modes[i], 0, REASON_bad_launch);
        assert_int_equal(verdict.stage, STAGE_LAUNCH);
        assert_non_null(strstr(verdict.sentence, "scale"));
    }
    check("decorated", 0, REASON_bad_launch);
    assert_non_null(strstr(verdict.sentence, "extern \"C\""));
}

static void refused_in_large_cases(void **state)
{
    (void)state;
    check("refuse", 5 + 20, REASON_bad_launch);
    assert_string_equal(verdict.item[2].message, "too many registers");
}

static void what_is_no_source(void **state)
{
    (void)state;
    static const char binary[] = "\177ELF\0\0\1";
    const struct {
        const char *source;
        size_t bytes;
    } sources[] = {{"", 0}, {binary, sizeof binary}, {"", 10 << 20}, {"__global__ void f( {", 20}};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; ++i) {
        verdict_free(&verdict);
        grade_source("right", sources[i].source, sources[i].bytes, 1);
        assert_int_equal(verdict.stage, STAGE_BUILD);
        assert_int_equal(verdict.total, 0);
        assert_true(is_refused_for(REASON_does_not_build));
        assert_true(verdict.messages.length > 0);
    }
}

static void printf_is_kept(void **state)
{
    (void)state;
    grade("printf");
    assert_string_equal(verdict.print.data, "hello 42\n");
}

static void inline_assembly_is_the_students(void **state)
{
    (void)state;
    static const char source[] = "#include \"warpwise.h\"\nLAUNCH(scale, .block = {64});\nextern \"C\" __global__ void "
                                 "scale(const float *in, float *out, int n) { asm(\"foo;\"); }\n";
    verdict_free(&verdict);
    grade_source("bad-load", source, sizeof source - 1, 1);
    assert_int_equal(verdict.stage, STAGE_LAUNCH);
    assert_non_null(strstr(verdict.sentence, "foo"));
}

// Inputs follow the seed; the verdict does not.
static void seeds(void **state)
{
    (void)state;
    grade("wrong");
    double first = verdict.item[1].comparison.mismatch[0].expected;
    grade("wrong");
    assert_true(first == verdict.item[1].comparison.mismatch[0].expected);
    verdict_free(&verdict);
    grade_source("wrong", good, strlen(good), 2);
    assert_true(first != verdict.item[1].comparison.mismatch[0].expected);
    assert_int_equal(verdict.total, 15);
}

// A crash of the simulator is the grader's fault: exit code 2, and no verdict.
static void a_crash_is_not_graded(void **state)
{
    (void)state;
    int status;
    pid_t child = fork();
    if (!child) {
        grade("crash");
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}

// A kernel that nobody can judge is not passed, and told apart from all others.
static void ends_the_runner(void **state)
{
    (void)state;
    static const char *const ended[] = {"die", "nonsense"}, *const unsupported[] = {"bad-load", "unsupported"};
    for (size_t i = 0; i < sizeof ended / sizeof *ended; ++i) check(ended[i], 0, REASON_runner_ended);
    assert_non_null(strstr(verdict.sentence, "twice"));
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; ++i)
        check(unsupported[i], 0, REASON_not_supported);
}

// Writes a record of the baseline, in which it takes as long as the fake engine says, or removes it.
static void record_baseline(int there)
{
    char path[80];
    struct text t = {0};
    struct judge_job job = {.lab = lab, .compiler = &compiler, .kit = "grader/kit", .baseline = baseline};
    struct judge_record r = {.time_ps = verdict.speed.baseline_ps, .kernel = {{.time_ps = verdict.speed.baseline_ps}}};
    snprintf(path, sizeof path, "%.*s.record", (int)(strrchr(baseline, '.') - baseline), baseline);
    unlink(path);
    if (!there) return;
    judge_record_print(&job, &r, &t);
    assert_int_equal(text_write_file(&t, path, 0600), 0);
    text_free(&t);
}

static void a_recorded_baseline_does_not_run(void **state)
{
    (void)state;
    check("right", 100, PASSED);
    assert_int_equal(verdict.speed.baseline_ran, 1);
    record_baseline(1);
    check("right", 100, PASSED);
    assert_int_equal(verdict.speed.baseline_ran, 0);
    assert_true(verdict.speed.speedup == 10);
    check("no-baseline", 100, PASSED); // in this mode, the baseline ends its runner
    check("die", 0, REASON_runner_ended);
    record_baseline(0);
}

// Where the baseline's runner ends, too: exit code 2, and nothing graded. The baseline then runs although its speed is
// recorded.
static void fault_of_the_machine(void)
{
    static const char *const modes[] = {"all-die", "all-crash", "no-open"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        pid_t pid = fork();
        if (!pid) {
            if (!freopen("/dev/null", "w", stderr)) _exit(99);
            grade(modes[i]);
            _exit(verdict.passed ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 2) fail_msg("%s ends with status %d", modes[i], status);
    }
}

static void not_the_students_fault(void **state)
{
    (void)state;
    check("right", 100, PASSED);
    for (int recorded = 0; recorded < 2; ++recorded) {
        record_baseline(recorded);
        fault_of_the_machine();
    }
    record_baseline(0);
}

// ------------------------------------------------------------------------------------------------------------- a card
static void check_card(const char *mode, enum measure_end end, int total, enum reason reason)
{
    card_mode = mode;
    check("right", total, reason);
    card_mode = NULL;
    if (verdict.speed.card.end != end)
        fail_msg("%s: ended %d (%s)", mode, verdict.speed.card.end, verdict.speed.card.message);
    assert_int_equal(verdict.speed.model, end != MEASURE_DONE);
    assert_int_equal(verdict.nreasons, reason != PASSED);
    assert_true(verdict.speed.predicted == 10);
}

static void a_card_decides_the_speed(void **state)
{
    (void)state;
    check_card("card", MEASURE_DONE, 96, PASSED);
    assert_true(verdict.speed.speedup == 5 && verdict.speed.threshold.minimum == 2);
    assert_int_equal(verdict.speed.card.trials, 16);
    assert_int_equal(verdict.speed.card.answer, SIGN_ABOVE);
    check_card("card-slow", MEASURE_DONE, 80, REASON_too_slow);
    assert_int_equal(verdict.speed.card.answer, SIGN_BELOW);
}

static void who_is_too_close_to_tell_passes(void **state)
{
    (void)state;
    check_card("card-noise", MEASURE_DONE, 88, PASSED); // at the bar: the points of the minimum
    assert_true(verdict.speed.card.trials > 16);
    assert_true(verdict.speed.card.ratio_low < 1.9 && verdict.speed.card.ratio_high > 2.1);
}

static void timed_outputs_are_compared(void **state)
{
    (void)state;
    check_card("card-wrong", MEASURE_WRONG, 80, REASON_wrong_output_on_card);
    check_card("card-memo", MEASURE_WRONG, 80, REASON_wrong_output_on_card);
    check_card("card-hoard", MEASURE_WRONG, 80, REASON_wrong_output_on_card);
    check_card("card-fault", MEASURE_REFUSED, 80, REASON_stopped_on_card);
}

static void a_disturbed_card_leaves_the_model(void **state)
{
    (void)state;
    check_card("card-busy", MEASURE_UNRELIABLE, 100, PASSED);
    check_card("card-hot", MEASURE_UNRELIABLE, 100, PASSED);
    check_card("card-liar", MEASURE_UNRELIABLE, 100, PASSED);
    check_card("card-hinders", MEASURE_UNRELIABLE, 100, PASSED);
    check_card("card-full", MEASURE_UNRELIABLE, 100, PASSED);
    check_card("no-open", MEASURE_NONE, 100, PASSED);
}

// ------------------------------------------------------------------------------------------------------------ set-up
static int prepare(void **state)
{
    (void)state;
    struct text why = {0};
    if (compile_find(COMPILE_AUTO, &compiler, &why) || box_directory_make(cache, &why)) fail_msg("%s", why.data);
    snprintf(baseline, sizeof baseline, "/tmp/warpwise-test-%d.cu", (int)getpid());
    FILE *f = fopen(baseline, "w");
    assert_non_null(f);
    fprintf(f, "%s__device__ int " FAKE_BASELINE " = 1;\n", good);
    return fclose(f);
}

static int clean(void **state)
{
    (void)state;
    verdict_free(&verdict);
    box_directory_remove(cache);
    return unlink(baseline);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "serve")) {
        fake_mode = argv[2];
        return wire_serve(3, 4, &fake_engine_ops, fake_describe);
    }
    static char path[512];
    self = realpath(argv[0], path);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_earns_all),
        cmocka_unit_test(wrong_outputs),
        cmocka_unit_test(unsafe_kernels),
        cmocka_unit_test(slow_or_without_technique),
        cmocka_unit_test(work_left_out_when_timed),
        cmocka_unit_test(every_counter_of_the_whole_case_counts),
        cmocka_unit_test(contracts),
        cmocka_unit_test(refused_in_large_cases),
        cmocka_unit_test(ends_the_runner),
        cmocka_unit_test(a_crash_is_not_graded),
        cmocka_unit_test(what_is_no_source),
        cmocka_unit_test(printf_is_kept),
        cmocka_unit_test(inline_assembly_is_the_students),
        cmocka_unit_test(seeds),
        cmocka_unit_test(a_recorded_baseline_does_not_run),
        cmocka_unit_test(not_the_students_fault),
        cmocka_unit_test(a_card_decides_the_speed),
        cmocka_unit_test(who_is_too_close_to_tell_passes),
        cmocka_unit_test(timed_outputs_are_compared),
        cmocka_unit_test(a_disturbed_card_leaves_the_model),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
