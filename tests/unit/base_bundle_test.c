// Bundles: the lab's file and the headers beside it in one text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/bundle.h"
#include "base/text.h"

static struct text make(const char *source)
{
    struct text t = {0};
    text_puts(&t, source);
    return t;
}

static void one_file_is_a_bundle(void **state)
{
    static const char source[] = "a\n#line 1 \"x.h\"\nb";
    struct bundle b = {"lab.cu", source, sizeof source - 1};
    struct bundle_file f = {.index = 0};
    char line[BUNDLE_LINE];
    (void)state;
    assert_int_equal(bundle_next(&f, source, sizeof source - 1), 1);
    assert_string_equal(f.name, "");
    assert_int_equal(f.bytes, sizeof source - 1);
    assert_int_equal(bundle_next(&f, source, sizeof source - 1), 0);
    bundle_line(&b, 3, line);
    assert_string_equal(line, "3");
    f = (struct bundle_file){.index = 0};
    assert_int_equal(bundle_next(&f, "", 0), 1);
    assert_int_equal(bundle_next(&f, "", 0), 0);
    bundle_line(&(struct bundle){.shown = ""}, 7, line);
    assert_string_equal(line, "7");
}

static void headers_follow_with_their_lines(void **state)
{
    struct text t = make("one\ntwo"), path = {0};
    struct bundle_file f = {.index = 0};
    char line[BUNDLE_LINE];
    (void)state;
    bundle_add(&t, "a.h", "first\nsecond\n", 13);
    bundle_add(&t, "b-2.cuh", "last", 4);
    struct bundle b = {"some/lab.cu", t.data, t.length};
    static const struct {
        const char *name, *text;
        uint32_t before;
    } of[] = {{"", "one\ntwo\n", 0}, {"a.h", "first\nsecond\n", 3}, {"b-2.cuh", "last", 6}};
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        assert_int_equal(bundle_next(&f, t.data, t.length), 1);
        assert_string_equal(f.name, of[i].name);
        assert_int_equal(f.before, of[i].before);
        assert_int_equal(f.bytes, strlen(of[i].text));
        assert_memory_equal(f.text, of[i].text, f.bytes);
    }
    assert_int_equal(bundle_next(&f, t.data, t.length), 0);
    static const char *const lines[] = {"1", "2", "3", "a.h:1", "a.h:2", "a.h:3", "b-2.cuh:1"};
    for (uint32_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        bundle_line(&b, i + 1, line);
        assert_string_equal(line, lines[i]);
    }
    assert_int_equal(bundle_place(&b, 2, &path), 2);
    assert_string_equal(path.data, "some/lab.cu");
    text_free(&path);
    assert_int_equal(bundle_place(&b, 5, &path), 2);
    assert_string_equal(path.data, "some/a.h");
    text_free(&path);
    bundle_line(&b, 99, line); // behind the last line
    assert_string_equal(line, "99");
    text_free(&t);
}

static void includes_are_found(void **state)
{
    struct text t =
        make("#include <a.h>\n  #  include\t\"b.cuh\" // mine\n//#include \"c.h\"\n#include \"../d.h\"\n"
             "#include \"e.cu\"\n#include \"f.h\n#include \"-g.h\"\n#include \"h i.h\"\n#include \"b.cuh\"\n"
             "#include \"j.hpp\"");
    char name[BUNDLE_NAME];
    size_t at = 0;
    (void)state;
    assert_int_equal(bundle_wants(&t, &at, name), 1);
    assert_string_equal(name, "b.cuh");
    bundle_add(&t, name, "#include \"k.h\"\n", 15);
    assert_int_equal(bundle_wants(&t, &at, name), 1);
    assert_string_equal(name, "j.hpp");
    assert_int_equal(bundle_wants(&t, &at, name), 1);
    assert_string_equal(name, "k.h"); // of the header that was added
    assert_int_equal(bundle_wants(&t, &at, name), 0);
    text_free(&t);
}

static void a_line_begins_at_a_column(void **state)
{
    (void)state;
    static const char source[] = "a\n \t b\n\n  \r\n  c";
    static const uint32_t column[] = {1, 4, 1, 1, 3, 1, 1};
    for (uint32_t i = 0; i < sizeof column / sizeof *column; ++i)
        assert_int_equal(bundle_column(&(struct bundle){"lab.cu", source, sizeof source - 1}, i + 1), column[i]);
    assert_int_equal(bundle_column(&(struct bundle){.shown = "lab.cu"}, 3), 1);
}

static void a_bundle_is_bounded(void **state)
{
    struct text t = {0};
    struct bundle_file f = {.index = 0};
    char name[BUNDLE_NAME];
    uint32_t files = 0, taken = 0;
    (void)state;
    for (int i = 0; i < 2 * BUNDLE_HEADERS; ++i) text_printf(&t, "#include \"h%d.h\"\n", i);
    for (size_t at = 0; bundle_wants(&t, &at, name); ++taken) bundle_add(&t, name, "", 0);
    while (bundle_next(&f, t.data, t.length)) ++files;
    assert_int_equal(taken, BUNDLE_HEADERS);
    assert_int_equal(files, 1 + BUNDLE_HEADERS);
    for (int i = 0; i < 9; ++i) bundle_add(&t, "x.h", "x\n", 2);
    f = (struct bundle_file){.index = 0};
    for (files = 0; bundle_next(&f, t.data, t.length);) ++files;
    assert_int_equal(files, 1 + BUNDLE_HEADERS);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_is_a_bundle), cmocka_unit_test(headers_follow_with_their_lines),
        cmocka_unit_test(includes_are_found),   cmocka_unit_test(a_line_begins_at_a_column),
        cmocka_unit_test(a_bundle_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
