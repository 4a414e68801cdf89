// Private directories: only the user has access, they are removed whatever their contents, and nothing outside is
// removed.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "box/box.h"

static void make(char path[BOX_PATH])
{
    struct text why = {0};
    if (box_directory_make(path, &why)) fail_msg("%s", why.data);
}

static void file(int at, const char *name)
{
    int fd = openat(at, name, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static void is_private(void **state)
{
    (void)state;
    char path[BOX_PATH];
    make(path);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    box_directory_remove(path);
    assert_int_equal(access(path, F_OK), -1);
}

static void honours_tmpdir(void **state)
{
    (void)state;
    char outer[BOX_PATH], inner[BOX_PATH];
    make(outer);
    setenv("TMPDIR", outer, 1);
    make(inner);
    assert_memory_equal(inner, outer, strlen(outer));
    box_directory_remove(inner);
    setenv("TMPDIR", "/nonexistent", 1);
    struct text why = {0};
    assert_int_equal(box_directory_make(inner, &why), -1);
    assert_string_equal(why.data, "cannot make a temporary directory in '/nonexistent': No such file or directory");
    text_free(&why);
    unsetenv("TMPDIR");
    box_directory_remove(outer);
}

static void follows_no_link(void **state)
{
    (void)state;
    char victim[BOX_PATH], path[BOX_PATH], name[BOX_PATH + 16];
    make(victim);
    make(path);
    int at = open(path, O_RDONLY | O_DIRECTORY), there = open(victim, O_RDONLY | O_DIRECTORY);
    file(there, "precious");
    assert_int_equal(symlinkat(victim, at, "link"), 0);
    assert_int_equal(mkdirat(at, "d", 0700), 0);
    int inside = openat(at, "d", O_RDONLY | O_DIRECTORY);
    assert_int_equal(symlinkat(victim, inside, "link"), 0);
    assert_int_equal(symlinkat("..", inside, "up"), 0);
    assert_int_equal(mkfifoat(inside, "fifo", 0600), 0);
    close(inside);
    close(at);
    box_directory_remove(path);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(faccessat(there, "precious", F_OK, 0), 0);
    close(there);
    snprintf(name, sizeof name, "%s.link", victim); // a link in place of the directory itself is left alone
    assert_int_equal(symlink(victim, name), 0);
    box_directory_remove(name);
    there = open(victim, O_RDONLY | O_DIRECTORY);
    assert_int_equal(faccessat(there, "precious", F_OK, 0), 0);
    close(there);
    unlink(name);
    box_directory_remove(victim);
}

static void goes_any_depth(void **state)
{
    (void)state;
    char path[BOX_PATH];
    make(path);
    int at = open(path, O_RDONLY | O_DIRECTORY);
    for (int depth = 0; depth < 2000; ++depth) {
        file(at, "f");
        file(at, ".0"); // the name that a moved entry would get
        assert_int_equal(mkdirat(at, "deeper", 0700), 0);
        int next = openat(at, "deeper", O_RDONLY | O_DIRECTORY);
        close(at);
        at = next;
    }
    close(at);
    box_directory_remove(path);
    assert_int_equal(access(path, F_OK), -1);
}

static void opens_closed_directories(void **state)
{
    (void)state;
    char path[BOX_PATH];
    make(path);
    int at = open(path, O_RDONLY | O_DIRECTORY);
    assert_int_equal(mkdirat(at, "shut", 0700), 0);
    int inside = openat(at, "shut", O_RDONLY | O_DIRECTORY);
    file(inside, "f");
    assert_int_equal(fchmodat(at, "shut", 0, 0), 0);
    close(inside);
    close(at);
    box_directory_remove(path);
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_private),     cmocka_unit_test(honours_tmpdir),           cmocka_unit_test(follows_no_link),
        cmocka_unit_test(goes_any_depth), cmocka_unit_test(opens_closed_directories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
