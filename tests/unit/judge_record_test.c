// The record of a baseline: what is printed is read back, and what is cut off, doubled, unknown or made from something
// else is not used.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "judge/job/record.h"

static const struct lab_case cases[] = {{"33", {33}, "random", .flags = CASE_SMALL},
                                        {"1000", {1000}, "random", .flags = CASE_SPEED}};
static const struct lab lab = {.name = "labx",
                               .slug = "labx_test",
                               .kernel = {"first", "second"},
                               .cases = cases,
                               .ncases = sizeof cases / sizeof *cases};
static char dir[] = "/tmp/warpwise-record-XXXXXX", baseline[64], record_file[64];
static struct compiler compiler = {.version = "nvcc 13.0"};
static struct judge_job job;
static struct text block; // the record of the fixture, for the default device

static void write_file(const char *path, const char *text)
{
    struct text t = {0};
    text_puts(&t, text);
    assert_int_equal(text_write_file(&t, path, 0644), 0);
    text_free(&t);
}

static struct judge_record example(void)
{
    struct judge_record r = {.time_ps = 727123456, .sampled = 1};
    r.kernel[0] = (struct judge_record_kernel){4273625, {.warp_inst = 12345678901234, .dram_st_bytes = 7}};
    r.kernel[1] = (struct judge_record_kernel){722849831, {.flop = 1}};
    return r;
}

static int begin(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(baseline, sizeof baseline, "%s/baseline.cu", dir);
    snprintf(record_file, sizeof record_file, "%s/baseline.record", dir);
    write_file(baseline, "__global__ void first() {}\n");
    job = (struct judge_job){.lab = &lab, .compiler = &compiler, .kit = "grader/kit", .baseline = baseline};
    struct judge_record r = example();
    judge_record_print(&job, &r, &block);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char command[64];
    text_free(&block);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

static enum judge_record_match parse(const char *text, struct judge_record *r)
{
    struct judge_record_key key;
    return judge_record_parse(text, &lab, "h200", r, &key);
}

static void what_is_printed_is_read_back(void **state)
{
    (void)state;
    struct judge_record r, right = example();
    assert_int_equal(parse(block.data, &r), RECORD_MATCHES);
    assert_memory_equal(&r, &right, sizeof r);
    struct counters sum = judge_record_sum(&r);
    assert_true(sum.warp_inst == 12345678901234 && sum.flop == 1 && sum.dram_st_bytes == 7);
}

static void comments_and_other_devices_are_skipped(void **state)
{
    (void)state;
    struct judge_record r;
    struct judge_record_key key;
    struct text t = {0};
    text_printf(&t, "# a comment\n\n%s\n# another\n%s", block.data, block.data);
    memcpy(strstr(t.data, "h200"), "a100", 4);
    assert_int_equal(parse(t.data, &r), RECORD_MATCHES);
    assert_int_equal(judge_record_parse(t.data, &lab, "a100", &r, &key), RECORD_MATCHES);
    assert_int_equal(judge_record_parse(t.data, &lab, "t4", &r, &key), RECORD_MISSING);
    assert_int_equal(parse("", &r), RECORD_MISSING);
    text_free(&t);
}

// However a file is cut, nothing is taken from it.
static void cut_off(void **state)
{
    (void)state;
    struct judge_record r;
    for (size_t length = 1; length < block.length; ++length) {
        char *part = strndup(block.data, length);
        if (parse(part, &r) != RECORD_DAMAGED) fail_msg("%zu characters are taken for a record", length);
        free(part);
    }
}

static void each_line_once_and_in_its_place(void **state)
{
    (void)state;
    struct judge_record r;
    for (const char *line = block.data; *line; line = strchr(line, '\n') + 1) {
        int length = (int)strcspn(line, "\n") + 1, before = (int)(line - block.data);
        struct text doubled = {0}, missing = {0};
        text_printf(&doubled, "%.*s%.*s%s", before, block.data, length, line, line);
        assert_int_equal(parse(doubled.data, &r), RECORD_DAMAGED);
        text_printf(&missing, "%.*s%s", before, block.data, line + length);
        int is_counter = !strncmp(line, "warp_inst", 9) || !strncmp(line, "flop", 4) || !strncmp(line, "dram_st", 7);
        // a counter that is not there is 0
        assert_int_equal(parse(missing.data, &r), is_counter ? RECORD_MATCHES : RECORD_DAMAGED);
        text_free(&doubled);
        text_free(&missing);
    }
}

// Replaces `from` in the fixture's block by `to`.
static struct text changed(const char *from, const char *to)
{
    struct text t = {0};
    const char *at = strstr(block.data, from);
    assert_non_null(at);
    text_printf(&t, "%.*s%s%s", (int)(at - block.data), block.data, to, at + strlen(from));
    return t;
}

static void values_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } bad[] = {
        {"flop 1\n", "flops 1\n"},
        {"flop 1\n", "flop -1\n"},
        {"flop 1\n", "flop 1x\n"},
        {"flop 1\n", "flop \n"},
        {"flop 1\n", "flop\n"},
        {"flop 1\n", "flop  1\n"},
        {"flop 1\n", "flop 18446744073709551616\n"},
        {"flop 1\n", " 1\n"},
        {"flop 1\n", "flop 1\r\n"},
        {"sampled 1", "sampled 2"},
        {"time_ps 727123456", "time_ps 0"},
        {"kernel first", "kernel third"},
        {"end\n", "end 1\n"},
        {"case ", "case 0"},
        {"source ", "source x"},
        {"warp_inst 12345678901234\ndram_st_bytes 7\n", "dram_st_bytes 7\nwarp_inst 12345678901234\n"},
        {"compiler nvcc 13.0",
         "compiler a name that is so long that no compiler has it, not even one whose maker put the date, the host and "
         "the weather into it"},
    };
    struct judge_record r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct text t = changed(bad[i].from, bad[i].to);
        if (parse(t.data, &r) != RECORD_DAMAGED) fail_msg("'%s' is taken", bad[i].to);
        text_free(&t);
    }
    struct text twice = {0};
    text_printf(&twice, "%s%s", block.data, block.data);
    assert_int_equal(parse(twice.data, &r), RECORD_DAMAGED);
    text_free(&twice);
}

static void check(enum judge_record_match match)
{
    struct judge_record r;
    enum judge_record_match got = judge_record_find(&job, &r);
    if (got != match) fail_msg("%s", got ? judge_record_why[got] : "the record matches");
}

// Writes the block with another hash of `name` to the file.
static void spoil(const char *name)
{
    struct text t = changed(name, name);
    char *digit = strstr(t.data, name) + strlen(name) + 1;
    *digit = *digit == '0' ? '1' : '0';
    write_file(record_file, t.data);
    text_free(&t);
}

static void only_a_record_of_the_same_is_used(void **state)
{
    (void)state;
    check(RECORD_MISSING);
    write_file(record_file, block.data);
    check(RECORD_MATCHES);
    spoil("source");
    check(RECORD_SOURCE);
    spoil("case");
    check(RECORD_CASE);
    spoil("profile");
    check(RECORD_PROFILE);
    spoil("model");
    check(RECORD_MODEL);
    write_file(record_file, "baseline h200\n");
    check(RECORD_DAMAGED);
    struct text binary = {0};
    text_add(&binary, block.data, block.length);
    text_add(&binary, "\0", 1);
    assert_int_equal(text_write_file(&binary, record_file, 0644), 0);
    text_free(&binary);
    check(RECORD_DAMAGED);
    write_file(record_file, block.data);
    job.device = "t4";
    check(RECORD_MISSING);
    job.device = "gpu of tomorrow";
    check(RECORD_MISSING);
    job.device = "h200";
    check(RECORD_MATCHES);
    job.seed = 77; // a record holds for every seed and key
    memset(&job.secret, 1, sizeof job.secret);
    check(RECORD_MATCHES);
}

static void a_changed_source_or_case_has_no_record(void **state)
{
    (void)state;
    struct lab other = lab;
    struct lab_case larger[] = {cases[0], cases[1]};
    write_file(record_file, block.data);
    write_file(baseline, "__global__ void first() { }\n");
    check(RECORD_SOURCE);
    unlink(baseline); // in a student's kit, the record was checked when the kit was packed
    check(RECORD_MATCHES);
    larger[1].dim[0] = 2000;
    other.cases = larger;
    job.lab = &other;
    check(RECORD_CASE);
    job.lab = &lab;
    write_file(baseline, "__global__ void first() {}\n");
    check(RECORD_MATCHES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_printed_is_read_back),
        cmocka_unit_test(comments_and_other_devices_are_skipped),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(each_line_once_and_in_its_place),
        cmocka_unit_test(values_that_are_none),
        cmocka_unit_test(only_a_record_of_the_same_is_used),
        cmocka_unit_test(a_changed_source_or_case_has_no_record),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
