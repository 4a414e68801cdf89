// The evidence of a submission: the same for the same hand-in, wherever its download lies.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "batch/import/evidence.h"
#include "box/box.h"

static void names_do_not_depend_on_lateness(void **state)
{
    static const struct {
        const char *origin, *base, *naming, *right;
    } rows[] = {
        {"folder", NULL, "jdoe/src/lab3.cu", "jdoe/src/lab3.cu"},
        {"folder", "jdoe.zip", "lab3.cu", "jdoe.zip/lab3.cu"},
        {"git", NULL, "jdoe/", "jdoe"},
        {"Canvas", NULL, "doejane_LATE_1001_555_lab3.cu", "doejane_1001_555_lab3.cu"},
        {"Canvas", NULL, "doejane_1001_555_lab3.cu", "doejane_1001_555_lab3.cu"},
        {"Canvas", NULL, "doejane_LATE_1001_555_hw.zip/a_LATE_b.cu", "doejane_1001_555_hw.zip/a_LATE_b.cu"},
        {"Canvas", NULL, "doejane_1001_555_hw.zip/a_LATE_b.cu", "doejane_1001_555_hw.zip/a_LATE_b.cu"},
        {"folder", NULL, "a_LATE_b/lab3.cu", "a_LATE_b/lab3.cu"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char name[128];
        evidence_name(rows[i].origin, rows[i].base, rows[i].naming, name, sizeof name);
        assert_string_equal(name, rows[i].right);
    }
}

static void a_number_is_that_of_the_file_or_of_its_archive(void **state)
{
    char root[BOX_PATH], path[BOX_PATH + 32], within[BOX_PATH + 64];
    struct text why = {0};
    struct stat status;
    (void)state;
    assert_int_equal(box_directory_make(root, &why), 0);
    snprintf(path, sizeof path, "%s/jdoe.zip", root);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(evidence_node(root, path), (int64_t)status.st_ino);
    snprintf(within, sizeof within, "%s/src/lab3.cu", path);
    assert_int_equal(evidence_node(root, within), (int64_t)status.st_ino);
    assert_int_equal(evidence_node(path, within), 0); // the archive on the command line is a whole class's
    assert_int_equal(evidence_node(root, "nowhere"), 0);
    box_directory_remove(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_do_not_depend_on_lateness),
        cmocka_unit_test(a_number_is_that_of_the_file_or_of_its_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
