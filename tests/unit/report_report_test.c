// Reports of made-up verdicts: every finding has its sentence, the terminal report fits one screen, hidden cases stay
// hidden, JSON matches its schema, and no byte of a student reaches a terminal unfiltered.
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "report/report.h"
#include "report/utf8.h"
#include "report_schema.h"

static struct verdict v;
static struct judge_job job;
static const struct lab_case cases[] = {
    {.name = "one"}, {.name = "two, µ"}, {.name = "secret 4711", .flags = CASE_HIDDEN}};
static const struct lab lab = {.name = "labx", .slug = "labx_test", .title = "A test", .kernel = {"scale"}};
static const char source[] = "// first\nint a;\n\tout[i] = in[i];\n";
static struct text out;

static int prepare(void **state)
{
    (void)state;
    text_free(&out);
    verdict_free(&v);
    memset(&v, 0, sizeof v);
    job = (struct judge_job){.lab = &lab, .shown = "x.cu", .source = source, .bytes = sizeof source - 1, .seed = 1};
    v.job = &job;
    v.stage = STAGE_RUN;
    strcpy(v.compiler, "nvcc 13.0");
    v.device =
        (struct wire_device){.engine = "sim", .name = "h200", .title = "NVIDIA H200", .sms = 132, .dram_mbs = 4450000};
    v.ncases = v.nright = 3;
    for (int i = 0; i < 3; ++i) v.item[i].which = &cases[i];
    v.speed = (struct verdict_speed){.threshold = {.minimum = 1.7, .lesson = 2, .full = 4}};
    verdict_score(&v);
    strcpy(v.next, "go on");
    return 0;
}

static void measure(void)
{
    v.speed.measured = v.speed.model = 1;
    v.speed.speedup = 3;
    v.speed.time_ps = 1000000;
    v.speed.baseline_ps = 3000000;
    v.speed.nkernels = 1;
    v.speed.useful_bytes = 2225000;
    v.speed.student.flop = 66908000;
    v.speed.kernel[0] = (struct verdict_kernel){.name = "scale",
                                                .bound = RESOURCE_DRAM,
                                                .bound_permille = 800,
                                                .next = RESOURCE_L2,
                                                .next_permille = 400,
                                                .next_gain_permille = 1500,
                                                .hot = {{3, 850}, {2, 40}},
                                                .nhot = 2,
                                                .time_ps = 1000000};
    lab_technique(&v.speed.technique, 1, "4.0 sectors");
    verdict_score(&v);
}

static struct verdict_finding finding(enum finding_kind kind)
{
    struct verdict_finding f = {
        .finding = {.kind = (uint16_t)kind,
                    .space = SPACE_SHARED,
                    .second = 1,
                    .at = {.line = 3, .column = 2, .access = ACCESS_READ, .block = {1, 0, 0}, .thread = {3, 0, 0}},
                    .epoch = 1,
                    .other = {.line = 2, .access = ACCESS_WRITE, .block = {1, 0, 0}, .thread = {9, 0, 0}},
                    .buffer = -1,
                    .size = 4,
                    .offset = 272 * 4,
                    .extent = 1024,
                    .value = 3,
                    .count = 5,
                    .symbol = "As"},
        .kernel = "scale",
        .cases = 1,
        .optimised = 1};
    return f;
}

static void add(enum finding_kind kind)
{
    v.findings.item[v.findings.count++] = finding(kind);
    v.ndefects += finding_info[kind].severity == FINDING_DEFECT;
    verdict_score(&v);
}

static const char *terminal(int colour, int utf8)
{
    text_free(&out);
    report_terminal(&v, &(struct report_options){.colour = colour, .utf8 = utf8}, &out);
    return out.data;
}

static void has(const char *text, const char *words)
{
    if (!strstr(text, words)) fail_msg("'%s' is not in\n%s", words, text);
}
static void has_not(const char *text, const char *words)
{
    if (strstr(text, words)) fail_msg("'%s' is in\n%s", words, text);
}

// ---------------------------------------------------------------------------------------------------------- sentences
static void sentence_is(const struct verdict_finding *f, const char *expected)
{
    struct text t = {0};
    report_finding(f, &t);
    assert_string_equal(t.data, expected);
    text_free(&t);
}

static void race_sentence(void **state)
{
    (void)state;
    struct verdict_finding f = finding(FINDING_race_raw);
    sentence_is(&f,
                "thread (3,0,0) of block (1,0,0) reads As[272], which thread (9,0,0) wrote with no barrier in between");
    f.finding.epoch = 1;
    f.finding.before = 22;
    sentence_is(&f, "thread (3,0,0) of block (1,0,0) reads As[272], which thread (9,0,0) wrote with no barrier in "
                    "between, both before the barrier at line 22");
    f.finding.after = 14;
    f.finding.warp = 1;
    sentence_is(&f, "thread (3,0,0) of block (1,0,0) reads As[272], which thread (9,0,0) wrote with no __syncwarp() in "
                    "between, both after the barrier at line 14, before the one at line 22");
    f.finding.after = 22;
    strcpy(f.also, "Bs");
    sentence_is(&f, "thread (3,0,0) of block (1,0,0) reads As[272], which thread (9,0,0) wrote with no __syncwarp() in "
                    "between, both between one passing of the barrier at line 22 and the next; the same of 'Bs'");
    f = finding(FINDING_race_raw);
    f.finding.other.block[0] = 2;
    f.finding.space = SPACE_GLOBAL;
    sentence_is(
        &f, "thread (3,0,0) of block (1,0,0) reads As[272], which thread (9,0,0) of block (2,0,0) wrote in the same "
            "launch: blocks run in any order");
}

static void bounds_sentences(void **state)
{
    (void)state;
    struct verdict_finding f = finding(FINDING_out_of_bounds);
    strcpy(f.array, "in");
    f.element = 4;
    sentence_is(&f, "thread (3,0,0) of block (1,0,0) reads in[272]: 'in' has 256 elements");
    f.finding.offset = -4;
    sentence_is(&f, "thread (3,0,0) of block (1,0,0) reads in[-1], before its first element");
    f.finding.offset = -1; // a byte before it lies in element -1
    sentence_is(&f, "thread (3,0,0) of block (1,0,0) reads in[-1], before its first element");
    f.hidden = 1;
    sentence_is(&f, "a thread reads an element of 'in', outside of it (in a hidden case)");
}

static void other_sentences(void **state)
{
    (void)state;
    struct verdict_finding f = finding(FINDING_barrier_divergent);
    f.finding.value = 0xffff0000;
    sentence_is(&f, "thread (3,0,0) of block (1,0,0) is at this barrier, while 16 others of its warp are elsewhere");
    f = finding(FINDING_never_written);
    f.finding.space = SPACE_REGISTER;
    f.finding.symbol[0] = '\0';
    sentence_is(&f, "thread (3,0,0) of block (1,0,0) uses a local variable, which was never given a value");
    f = finding(FINDING_output_missing);
    strcpy(f.array, "out");
    f.element = 4;
    sentence_is(&f, "out[272] was never written, nor were 4 more of 256");
    f = finding(FINDING_stray_store);
    strcpy(f.array, "out");
    sentence_is(&f, "something was stored behind the last element of 'out'");
    f = finding(FINDING_too_long);
    f.finding.value = 1000;
    sentence_is(&f, "takes more than 1000 warp instructions");
    f = finding(FINDING_deadlock);
    sentence_is(&f, "no thread of the block can go on");
    f.finding.waits = 2;
    f.finding.wait[0] = (struct finding_wait){0, 31, 12};
    f.finding.wait[1] = (struct finding_wait){40, 40, 20};
    sentence_is(&f, "threads 0-31 wait at line 12; thread 40 waits at line 20");
    f = finding(FINDING_assertion);
    strcpy(f.finding.text, "i < n");
    sentence_is(&f, "thread (3,0,0) of block (1,0,0): i < n");
}

static void every_kind_has_a_sentence(void **state)
{
    (void)state;
    for (int kind = 0; kind < FINDING_KINDS; ++kind)
        for (int space = 0; space < SPACES; ++space)
            for (int bits = 0; bits < 8; ++bits) {
                struct verdict_finding f = finding((enum finding_kind)kind);
                struct text t = {0};
                f.finding.space = (uint8_t)space;
                if (bits & 1) f.finding.symbol[0] = '\0';
                f.hidden = bits >> 1 & 1;
                f.finding.second = bits >> 2 & 1;
                report_finding(&f, &t);
                assert_true(t.length > 10);
                if (f.hidden) {
                    has_not(t.data, "272");
                    has_not(t.data, "256");
                }
                text_free(&t);
            }
}

// ------------------------------------------------------------------------------------------------------------ terminal
static void is_one_screen(const char *text)
{
    unsigned lines = 0;
    for (const char *at = text; *at; ++lines) {
        size_t length = strcspn(at, "\n");
        size_t width = utf8_width(at, length);
        int is_for_editors = !strncmp(at, "x.cu:", 5);
        if (width > REPORT_COLUMNS && !is_for_editors) fail_msg("too wide: %.*s", (int)length, at);
        lines += width > REPORT_COLUMNS ? (unsigned)((width - 1) / REPORT_COLUMNS) : 0;
        at += length + (at[length] == '\n');
    }
    if (lines > REPORT_LINES) fail_msg("%u lines:\n%s", lines, text);
}

static void passed_report(void **state)
{
    (void)state;
    measure();
    verdict_hide(&v);
    const char *text = terminal(0, 1);
    has(text, "3 of 3 right");
    has(text, "one · two, µ · hidden cases");
    has(text, "3.00 × the baseline (1.00 µs against 3.00 µs); to pass 1.70 ×, full marks 4.00 ×");
    has(text, "66908 GFLOP/s: 100 % of the device's 66908");
    has(text, "bound by memory bandwidth (80 % of its time alone); without that, L2");
    has(text, "bandwidth would allow 1.5 ×; its time goes to lines 3 (85 %), 2 (4 %)");
    has(text, "ok  4.0 sectors");
    has(text, "builds 5/5 · correct 40/40 · safe 20/20 · technique 15/15 · speed 16/20");
    has(text, "score     96 of 100  passed\n");
    has_not(text, "well done");
    has(text, "go on");
    has_not(text, "4711");
    is_one_screen(text);
    v.speed.student.flop = 0; // a copy: bytes are what counts
    has(terminal(0, 1), "2225 GB/s of what must be read and written: 50 % of the device's 4450");
    v.speed.speedup = 5; // 0.85 of it is more than full marks take
    verdict_score(&v);
    has(terminal(0, 1), "well done: faster than any step that the handouts have taught so far");
    v.speed.threshold.minimum = 0;
    has(terminal(0, 1), "lesson's own kernel reaches 2.00 ×; full marks 4.00 ×");
}

static void wrong_report(void **state)
{
    (void)state;
    v.item[0].result = v.item[2].result = CASE_WRONG;
    v.nright = 1;
    v.item[0].buffer = v.item[2].buffer = "out";
    v.item[0].count = 33;
    v.item[0].comparison =
        (struct lab_comparison){.wrong = 2, .shown = 1, .mismatch[0] = {.index = 7, .got = NAN, .expected = 1.5}};
    v.item[2].comparison =
        (struct lab_comparison){.wrong = 2, .shown = 1, .mismatch[0] = {.index = 4711, .got = 0, .expected = 4711}};
    verdict_hide(&v);
    verdict_score(&v);
    const char *text = terminal(0, 1);
    has(text, "one: out[7] is nan, expected 1.5 (2 of 33 wrong)");
    v.item[0].comparison.mismatch[0].unwritten = 1;
    text = terminal(0, 1);
    has(text, "one: out[7] is never written, expected 1.5 (2 of 33 wrong)");
    has(text, "hidden cases: not all right");
    has_not(text, "4711");
    has(text, "not passed");
    is_one_screen(text);
}

static void a_kernel_alone_is_among_the_failures(void **state)
{
    (void)state;
    v.ncases = 7;
    v.nright = 0;
    for (int i = 0; i < 7; ++i)
        v.item[i] = (struct verdict_case){.which = &cases[i == 5], .result = CASE_STOPPED, .kernels = i == 5 ? 2 : 7};
    const char *text = terminal(0, 1);
    has(text, "two, µ: stopped");
    has(text, "and 3 more");
    is_one_screen(text);
}

static void finding_report(void **state)
{
    (void)state;
    add(FINDING_race_raw);
    const char *text = terminal(0, 1);
    has(text, "x.cu:3:2: error: race: thread (3,0,0)");
    has(text, "    3 |  out[i] = in[i];\n      |  ^\n");
    has(text, "x.cu:2:1: note: the other access, which writes\n    2 | int a;\n");
    has(text, "hint: between two barriers, threads run in any order");
    is_one_screen(text);
}

// Editors take file, line, column and severity from the beginning of a finding's line.
static void editors_read_each_finding(void **state)
{
    (void)state;
    add(FINDING_output_missing);
    v.findings.item[0].finding.at = (struct finding_place){.file = FILE_OTHER};
    v.findings.item[0].definition = 2;
    add(FINDING_race_same_value);
    v.findings.item[1].finding.at.column = 0;
    v.findings.item[1].follows = 1;
    has(terminal(1, 1), "\nx.cu:2:1: error: \033[31moutput never written\033[0m: ");
    has(out.data, "\n    2 | int a;\n");
    has(out.data, "1 more finding follows from this one\n");
    has_not(out.data, "same value twice");
    text_free(&out);
    report_terminal(&v, &(struct report_options){.utf8 = 1, .all = 1}, &out);
    has(out.data, "1 more finding follows from this one\nx.cu:3:2: warning: same value twice: ");
    text_free(&out);
    report_json(&v, &out);
    has(out.data, "\"definition\": true");
}

static void many_findings_stay_one_screen(void **state)
{
    (void)state;
    measure();
    for (int i = 0; i < 40; ++i) add((enum finding_kind)(i % FINDING_KINDS));
    v.speed.measured = 0;
    text_puts(&v.print, "hello\nworld\n\033[31mred\n4\n5\n6\n");
    const char *text = terminal(0, 1);
    is_one_screen(text);
    has(text, "more findings");
    has(text, "printed   hello");
    has_not(text, "\033");
    is_one_screen(terminal(1, 1));
    has(out.data, "\033[31m");
    text_free(&out);
    report_terminal(&v, &(struct report_options){.utf8 = 1, .all = 1}, &out);
    has_not(out.data, "more findings");
}

static void ascii_report(void **state)
{
    (void)state;
    measure();
    for (const char *at = terminal(0, 0); *at; ++at) assert_true((unsigned char)*at < 0x80);
    has(out.data, "3.00 x the baseline (1.00 us");
    is_one_screen(out.data);
}

static void build_and_launch_reports(void **state)
{
    (void)state;
    v.stage = STAGE_BUILD;
    for (int i = 0; i < 200; ++i) text_printf(&v.messages, "x.cu:%d: error: no\033[2J\xff\n", i);
    verdict_score(&v);
    const char *text = terminal(0, 1);
    has(text, "x.cu:0: error: no?[2J?");
    has(text, "--json has all");
    is_one_screen(text);
    v.stage = STAGE_LAUNCH;
    strcpy(v.sentence, "LAUNCH(scale, ...) gives a block of 4096 x 1 x 1 threads");
    verdict_score(&v);
    text = terminal(0, 1);
    has(text, "refused: LAUNCH(scale");
    has(text, "score     0 of 100  not passed");
    is_one_screen(text);
}

// ----------------------------------------------------------------------------------------------------------- coverage
static void covers(void)
{
    v.coverage = calloc(1, sizeof *v.coverage);
    assert_non_null(v.coverage);
    *v.coverage = (struct coverage){
        .nlines = 5,
        .line = {{.line = 3, .threads = 64}, {.line = 5}, {.line = 7}, {.line = 8, .threads = 1}, {.line = 12}},
        .nbranches = 2,
        .branch = {{.line = 3, .taken = 60}, {.line = 5}},
        .nfunctions = 1,
        .function = {{.name = "scale", .line = 2, .threads = 64}}};
}

static void coverage_in_words(void **state)
{
    (void)state;
    has_not(terminal(0, 1), "no case ran");
    covers();
    has(terminal(0, 1), "coverage  no case ran lines 5-7 and 12\n");
    v.coverage->nlines = 2;
    has(terminal(0, 1), "coverage  no case ran line 5\n");
    v.coverage->nlines = 1;
    has_not(terminal(0, 1), "no case ran");
    for (uint32_t i = 0; i < 40; ++i) v.coverage->line[i] = (struct coverage_line){.line = 3 + i, .threads = i % 2};
    v.coverage->nlines = 40;
    has(terminal(0, 1), "no case ran lines 3, 5, 7, 9, 11, 13, 15, 17 and 12 more places\n");
}

static void coverage_as_tracefile(void **state)
{
    (void)state;
    covers();
    struct text t = {0};
    report_lcov(&v, "/x/y.cu", &t);
    assert_string_equal(t.data, "TN:labx\nSF:/x/y.cu\nFN:2,scale\nFNDA:64,scale\nFNF:1\nFNH:1\n"
                                "BRDA:3,0,0,60\nBRDA:3,0,1,0\nBRDA:5,0,0,-\nBRDA:5,0,1,-\nBRF:4\nBRH:1\n"
                                "DA:3,64\nDA:5,0\nDA:7,0\nDA:8,1\nDA:12,0\nLF:5\nLH:2\nend_of_record\n");
    text_free(&t);
}

// --------------------------------------------------------------------------------------------------------------- JSON
static json_t *report(void)
{
    static json_t *schema;
    json_error_t error;
    if (!schema) schema = json_load_file("grader/report/schema.json", 0, &error);
    assert_non_null(schema);
    text_free(&out);
    report_json(&v, &out);
    json_t *root = json_loads(out.data, 0, &error);
    if (!root) fail_msg("%s\n%s", error.text, out.data);
    assert_int_equal(schema_check(root, schema, "the report"), 0);
    return root;
}

static void json_keeps_its_schema(void **state)
{
    (void)state;
    json_decref(report());
    measure();
    covers();
    add(FINDING_race_raw);
    add(FINDING_output_missing);
    v.item[0].result = CASE_WRONG;
    v.item[0].buffer = "out";
    v.item[0].comparison =
        (struct lab_comparison){.wrong = 2, .shown = 2, .mismatch = {{.got = NAN, .expected = INFINITY}, {.got = 0.1}}};
    v.item[1].result = CASE_STOPPED;
    strcpy(v.item[1].message, "stopped \xff");
    strcpy(v.speed.problem, "none");
    text_puts(&v.print, "a\x01\xc3(\n");
    verdict_score(&v);
    json_t *root = report();
    assert_int_equal(json_array_size(json_object_get(root, "findings")), 2);
    json_t *lines = json_object_get(json_object_get(root, "coverage"), "not_run");
    assert_int_equal(json_array_size(lines), 2);
    assert_int_equal(json_integer_value(json_array_get(json_array_get(lines, 0), 1)), 7);
    json_decref(root);
    v.stage = STAGE_LAUNCH;
    strcpy(v.sentence, "no");
    verdict_score(&v);
    json_decref(report());
    v.stage = STAGE_BUILD;
    v.ncases = 0;
    v.device = (struct wire_device){0};
    text_puts(&v.messages, "error\n");
    verdict_score(&v);
    json_decref(report());
}

static void json_hides_what_is_hidden(void **state)
{
    (void)state;
    v.item[2].result = CASE_WRONG;
    v.item[2].buffer = "out";
    v.item[2].comparison = (struct lab_comparison){.wrong = 1, .shown = 1, .mismatch[0] = {.index = 4711}};
    add(FINDING_out_of_bounds);
    v.findings.item[0].hidden = 1;
    verdict_hide(&v);
    json_decref(report());
    has_not(out.data, "4711");
    has_not(out.data, "272");
    has(out.data, "\"hidden cases\"");
}

static void json_is_the_same_each_time(void **state)
{
    (void)state;
    measure();
    json_decref(report());
    struct text first = out;
    out = (struct text){0};
    json_decref(report());
    assert_string_equal(first.data, out.data);
    text_free(&first);
}

#define TEST(name) cmocka_unit_test_setup(name, prepare)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(race_sentence),
        TEST(bounds_sentences),
        TEST(other_sentences),
        TEST(every_kind_has_a_sentence),
        TEST(passed_report),
        TEST(wrong_report),
        TEST(a_kernel_alone_is_among_the_failures),
        TEST(finding_report),
        TEST(editors_read_each_finding),
        TEST(many_findings_stay_one_screen),
        TEST(ascii_report),
        TEST(build_and_launch_reports),
        TEST(coverage_in_words),
        TEST(coverage_as_tracefile),
        TEST(json_keeps_its_schema),
        TEST(json_hides_what_is_hidden),
        TEST(json_is_the_same_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
