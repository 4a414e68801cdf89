// Text of unknown origin: valid and invalid UTF-8, and file names that lead elsewhere.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"
#include "old_kernel.h"

static void assert_clean(const char *bytes, const char *expected)
{
    struct text t = {0};
    utf8_clean(&t, bytes, strlen(bytes));
    assert_string_equal(t.data, expected);
    text_free(&t);
}

static void what_is_no_utf8_becomes_a_question_mark(void **state)
{
    (void)state;
    assert_clean("안녕 naïve µ 𝔘\n\t", "안녕 naïve µ 𝔘\n\t");
    assert_clean("\xc0\xaf \xe0\x80\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xff", "?? ??? ??? ???? ?");
    assert_clean("cut \xe2\x80", "cut ??");
    assert_clean("cut \xf0\x9f\x92", "cut ???");
}

static void terminals_are_told_nothing(void **state)
{
    (void)state;
    assert_clean("\033[2J\033]0;title\a\b\r\x7f", "?[2J?]0;title????");
    assert_clean("\xc2\x9b"
                 "31m",
                 "?31m");
    // Boucher and Anderson: an isolate that hides the end of a comment
    assert_clean("/*\u202e } \u2066if (admin)\u2069 \u2066*/", "/*? } ?if (admin)? ?*/");
    assert_clean("\u200e\u200f\u061c\u2028", "????");
    assert_clean("a\u200bb", "a\u200bb"); // without width, and harmless
}

static void a_line_stays_a_line(void **state)
{
    (void)state;
    struct text t = {0};
    text_puts(&t, "\n");
    utf8_clean_line(&t, "a\nscore 100 of 100\t.cu", 22);
    assert_string_equal(t.data, "\na?score 100 of 100?.cu");
    text_free(&t);
}

static void logs_hold_no_commands(void **state)
{
    (void)state;
    struct text t = {0};
    text_puts(&t,
              "::error::a\n \t::stop-commands::b\nstd::move ::x\n##[error]c ##vso[d] ###teamcity[e] ##x # [f] a##b\n:");
    utf8_clean_log(&t);
    assert_string_equal(
        t.data,
        "?:error::a\n \t?:stop-commands::b\nstd::move ::x\n?#[error]c ?#vso[d] #?#teamcity[e] ##x # [f] a##b\n:");
    text_free(&t);
    // GitHub's runner trims what .NET calls white space before it looks for "::".
    text_puts(&t, "\u00a0::a::\n\u2003 \u3000::b::\r::c::\n\u1680\u202f\u205f::d::\nx\u2000::e::\n\u200b::f::\n\u3000");
    utf8_clean_log(&t);
    assert_string_equal(t.data, "\u00a0?:a::\n\u2003 \u3000?:b::\r?:c::\n\u1680\u202f\u205f?:d::\nx\u2000::e::\n"
                                "\u200b::f::\n\u3000");
    text_free(&t);
}

static void the_first_bad_byte_is_found(void **state)
{
    (void)state;
    assert_int_equal(utf8_invalid("plain", 5), 5);
    assert_int_equal(utf8_invalid("", 0), 0);
    assert_int_equal(utf8_invalid("\xc8\xab\xb3\xe7", 4), 2); // EUC-KR: the first two happen to be a letter
    assert_int_equal(utf8_invalid("ab\xe2\x82", 4), 2);
}

static void only_plain_files_beneath_are_read(void **state)
{
    (void)state;
    char folder[] = "/tmp/warpwise-text-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    int top = open(folder, O_PATH | O_DIRECTORY);
    assert_int_equal(mkdirat(top, "deep", 0700), 0);
    int fd = openat(top, "deep/file", O_WRONLY | O_CREAT, 0600);
    assert_int_equal(write(fd, "hello", 5), 5);
    close(fd);
    assert_int_equal(symlinkat("deep", top, "link"), 0);
    assert_int_equal(symlinkat("deep/file", top, "other"), 0);
    assert_int_equal(symlinkat("/etc/passwd", top, "secret"), 0);
    assert_int_equal(mkfifoat(top, "pipe", 0600), 0);
    struct text t = {0};
    assert_int_equal(text_read_beneath(&t, top, "deep/file", 5), 0);
    assert_string_equal(t.data, "hello");
    assert_int_equal(text_read_beneath(&t, top, "deep/file", 4), EFBIG);
    assert_int_equal(text_read_beneath(&t, top, "link/file", 99), ELOOP);
    assert_int_equal(text_read_beneath(&t, top, "other", 99), ELOOP);
    assert_int_equal(text_read_beneath(&t, top, "secret", 99), ELOOP);
    assert_int_equal(text_read_beneath(&t, top, "/etc/passwd", 9999), EXDEV);
    assert_int_equal(text_read_beneath(&t, top, "../../etc/passwd", 9999), EXDEV);
    assert_int_equal(text_read_beneath(&t, top, "pipe", 99), EINVAL);
    assert_int_equal(text_read_beneath(&t, top, "deep", 99), EISDIR);
    assert_int_equal(text_read_beneath(&t, top, "none", 99), ENOENT);
    assert_int_equal(linkat(top, "deep/file", top, "second", 0), 0);
    assert_int_equal(text_read_beneath(&t, top, "deep/file", 99), EMLINK);
    assert_string_equal(t.data, "hello");
    text_free(&t);
    close(top);
    snprintf(path, sizeof path, "rm -rf %s", folder);
    assert_int_equal(system(path), 0);
}

// Linux before 5.6 and some containers have no openat2().
static void so_without_openat2(void **state)
{
    if (lose_call(SYS_openat2)) skip();
    only_plain_files_beneath_are_read(state);
}

static void a_file_is_written_whole_or_not_at_all(void **state)
{
    (void)state;
    char folder[] = "/tmp/text_XXXXXX", path[64], other[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    struct text t = {0}, back = {0};
    text_puts(&t, "first");
    assert_int_equal(text_write_file(&t, path, 0600), 0);
    text_puts(&t, ", second");
    assert_int_equal(text_write_file(&t, path, 0600), 0);
    assert_int_equal(text_read_file(&back, path, 99), 0);
    assert_string_equal(back.data, "first, second");
    snprintf(other, sizeof other, "%s/none/file", folder);
    assert_int_equal(text_write_file(&t, other, 0600), ENOENT);
    // Onto a folder it cannot go, and nothing is left beside it.
    snprintf(other, sizeof other, "%s/folder", folder);
    assert_int_equal(mkdir(other, 0700), 0);
    assert_int_equal(text_write_file(&t, other, 0600), EISDIR);
    assert_int_equal(rmdir(other), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); // so it was empty
    text_free(&back);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_utf8_becomes_a_question_mark),
        cmocka_unit_test(terminals_are_told_nothing),
        cmocka_unit_test(a_line_stays_a_line),
        cmocka_unit_test(logs_hold_no_commands),
        cmocka_unit_test(the_first_bad_byte_is_found),
        cmocka_unit_test(only_plain_files_beneath_are_read),
        cmocka_unit_test(a_file_is_written_whole_or_not_at_all),
        cmocka_unit_test(so_without_openat2), // the last, since the call is gone then
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
