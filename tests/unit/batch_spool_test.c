// The spool of a batch and a cluster's tasks: what is read equals what was written, completely or not at all.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "batch/grading/spool.h"

static char folder[] = "/tmp/spool-XXXXXX";
static struct spool spool;
static const struct gradebook_work one = {"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "lab3"};

static int make(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    spool_open(&spool, folder);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static struct text text_of(const char *string)
{
    struct text t = {0};
    text_puts(&t, string);
    return t;
}

static void result_comes_back(void **state)
{
    (void)state;
    struct worker_result in = {.graded = 1, .seconds = 1.5}, out;
    in.report = text_of("{}");
    in.html = text_of("<p>");
    assert_false(spool_has_result(&spool, &one));
    assert_false(spool_get_result(&spool, &one, &out));
    spool_put_result(&spool, &one, &in);
    assert_true(spool_has_result(&spool, &one));
    assert_true(spool_get_result(&spool, &one, &out));
    assert_int_equal(out.graded, 1);
    assert_true(out.seconds == 1.5);
    assert_string_equal(out.report.data, "{}");
    assert_string_equal(out.text.data, "");
    assert_string_equal(out.html.data, "<p>");
    worker_result_free(&in);
    worker_result_free(&out);
}

// Whatever a disk did to the file: cut short at any byte, or longer, it is no result.
static void half_a_result_is_none(void **state)
{
    (void)state;
    struct worker_result in = {.graded = 1}, out;
    char path[4096];
    struct stat whole;
    in.report = text_of("a report");
    spool_put_result(&spool, &one, &in);
    snprintf(path, sizeof path, "%s/result/%s.%s", spool.path, one.source, one.lab);
    assert_int_equal(stat(path, &whole), 0);
    assert_int_equal(truncate(path, whole.st_size + 1), 0);
    for (off_t size = whole.st_size + 1; size >= 0; --size) {
        spool_put_result(&spool, &one, &in);
        assert_int_equal(truncate(path, size), 0);
        if (size != whole.st_size) assert_false(spool_get_result(&spool, &one, &out));
    }
    worker_result_free(&in);
}

// A result that was edited, renamed or sealed with another key is refused and removed.
static void forged_results_are_refused(void **state)
{
    (void)state;
    struct worker_result in = {.graded = 1}, out;
    struct gradebook_work other = one;
    char path[4096], renamed[4096];
    struct stat whole;
    in.report = text_of("a report");
    snprintf(path, sizeof path, "%s/result/%s.%s", spool.path, one.source, one.lab);
    spool_put_result(&spool, &one, &in);
    assert_int_equal(stat(path, &whole), 0);
    for (off_t at = 0; at < whole.st_size; ++at) {
        char byte;
        spool_put_result(&spool, &one, &in);
        int fd = open(path, O_RDWR);
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= 1;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        close(fd);
        assert_false(spool_get_result(&spool, &one, &out));
        assert_false(spool_has_result(&spool, &one));
    }
    spool_put_result(&spool, &one, &in);
    other.source[0] = one.source[0] == '0' ? '1' : '0';
    snprintf(renamed, sizeof renamed, "%s/result/%s.%s", spool.path, other.source, other.lab);
    assert_int_equal(rename(path, renamed), 0);
    assert_false(spool_get_result(&spool, &other, &out));
    spool.secret.word[1] = 7;
    spool_put_result(&spool, &one, &in);
    spool.secret.word[1] = 8;
    assert_false(spool_get_result(&spool, &one, &out));
    spool_put_result(&spool, &one, &in);
    assert_true(spool_get_result(&spool, &one, &out));
    worker_result_free(&out);
    worker_result_free(&in);
    spool_forget(&spool, &one);
    spool.secret.word[1] = 0;
}

static void count(void *data, const struct gradebook_work *w)
{
    *(uint32_t *)data += !strcmp(w->source, one.source) && !strcmp(w->lab, one.lab);
}

static void results_are_listed_and_forgotten(void **state)
{
    (void)state;
    struct worker_result in = {.graded = 0};
    uint32_t there = 0;
    char path[4096];
    spool_put_result(&spool, &one, &in);
    spool_begin(&spool, &one);
    spool_begin(&spool, &one);
    assert_int_equal(spool_begun(&spool, &one), 2);
    snprintf(path, sizeof path, "%s/result/no name", spool.path);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    spool_results(&spool, count, &there);
    assert_int_equal(there, 1);
    spool_forget(&spool, &one);
    assert_int_equal(spool_begun(&spool, &one), 0);
    there = 0;
    spool_results(&spool, count, &there);
    assert_int_equal(there, 0);
}

static void first_key_holds(void **state)
{
    (void)state;
    struct gradebook_key a = {"tool a", "h200, NVIDIA H200", 7}, b = {"tool b", "h200", 7}, read;
    assert_false(spool_get_key(&spool, &read));
    spool_agree_key(&spool, &a);
    spool_agree_key(&spool, &b);
    assert_true(spool_get_key(&spool, &read));
    assert_string_equal(b.tool, "tool a");
    assert_string_equal(read.profile, "h200, NVIDIA H200");
    assert_int_equal(read.seed, 7);
    spool_empty(&spool);
    assert_false(spool_get_key(&spool, &read));
}

// A result of a job with another seed is refused, although the source and the class are the same.
static void results_of_another_job_are_refused(void **state)
{
    (void)state;
    struct gradebook_key first = {"tool a", "h200", 7}, second = {"tool a", "h200", 8};
    struct worker_result in = {.graded = 1}, out;
    char path[4096], kept[4096];
    in.report = text_of("a report");
    snprintf(path, sizeof path, "%s/result/%s.%s", spool.path, one.source, one.lab);
    snprintf(kept, sizeof kept, "%s/kept", spool.path);
    spool_agree_key(&spool, &first);
    spool_put_result(&spool, &one, &in);
    assert_true(spool_get_result(&spool, &one, &out));
    worker_result_free(&out);
    assert_int_equal(rename(path, kept), 0);
    spool_empty(&spool);
    spool_agree_key(&spool, &second);
    assert_int_equal(rename(kept, path), 0);
    assert_false(spool_get_result(&spool, &one, &out));
    spool_empty(&spool);
    worker_result_free(&in);
}

static void list_comes_back(void **state)
{
    (void)state;
    struct spool_item in[2] = {{one, 17}, {{"", "lab8"}, 5000000}}, *out;
    memset(in[1].work.source, 'f', BATCH_HASH - 1);
    spool_set_list(&spool, in, 2);
    assert_int_equal(spool_get_list(&spool, &out), 2);
    for (int i = 0; i < 2; ++i) {
        assert_string_equal(out[i].work.source, in[i].work.source);
        assert_string_equal(out[i].work.lab, in[i].work.lab);
        assert_int_equal(out[i].bytes, in[i].bytes);
    }
    free(out);
    assert_int_equal(spool_get_job(&spool), 0);
    spool_set_job(&spool, 12);
    assert_int_equal(spool_get_job(&spool), 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(result_comes_back),
                                       cmocka_unit_test(half_a_result_is_none),
                                       cmocka_unit_test(forged_results_are_refused),
                                       cmocka_unit_test(results_are_listed_and_forgotten),
                                       cmocka_unit_test(first_key_holds),
                                       cmocka_unit_test(results_of_another_job_are_refused),
                                       cmocka_unit_test(list_comes_back)};
    return cmocka_run_group_tests(tests, make, clean);
}
