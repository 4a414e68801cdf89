// Compiler messages and images name the student's file and no path of the grader.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "base/text.h"
#include "compile/invocation.h"

static void message(const char *said, const char *expected)
{
    struct text in = {0}, out = {0};
    text_puts(&in, said);
    static const char bundle[] = "one\n#line 1 \"b.h\" // handed in beside the lab's file\ntwo\nthree\n";
    compile_paths_rewrite_messages(&out, &in, "/tmp/box-1", "/opt/kit",
                                   &(struct bundle){"my lab/a.cu", bundle, sizeof bundle - 1});
    assert_string_equal(out.data ? out.data : "", expected);
    text_free(&in);
    text_free(&out);
}

static void image(const char *said, const char *expected)
{
    struct text in = {0}, out = {0};
    text_puts(&in, said);
    compile_paths_rewrite_image(&out, &in, "/tmp/box-1", "/opt/kit");
    assert_string_equal(out.data ? out.data : "", expected);
    text_free(&in);
    text_free(&out);
}

static void messages_speak_of_the_students_file(void **state)
{
    (void)state;
    message("", "");
    message("student.cu(1): error: no\n    x y\n      ^\n\n", "my lab/a.cu:1:5: error: no\n    x y\n      ^\n");
    message("student.cu(2): error: no,\n            because\n    x\n    ^\n\nstudent.cu(3): b\n",
            "my lab/a.cu:2:3: error: no,\n            because\n    x\n    ^\n\nmy lab/b.h:1:1: b\n");
    message("at student.cu(1), a\n     ^\n", "at my lab/a.cu:1, a\n     ^\n");
    message("student.cu:1:7: error: no\n", "my lab/a.cu:1:7: error: no\n");
    message("student.cu:9:7: error: no\n", "my lab/a.cu:9:7: error: no\n");
    message("student.cu:4:7: error: no\n", "my lab/b.h:2:7: error: no\n");
    message("./student.cu(3): error: no\n", "my lab/b.h:1:1: error: no\n");
    message("In file included from /tmp/box-1/student.cu:1:\n", "In file included from my lab/a.cu:1:\n");
    message("in \"student.cu\".\n", "in \"my lab/a.cu\".\n");
    message("mystudent.cu other-student.cu student.cut\n", "mystudent.cu other-student.cu student.cut\n");
    message("from ./././student.cu:1:\nfrom ././././student.cu:1:\nx\n", "from my lab/a.cu:1:\nx\n");
    message("student.cu(x) student.cu(12 student.cu\n", "my lab/a.cu(x) my lab/a.cu(12 my lab/a.cu\n");
}

static void paths_of_ours_vanish(void **state)
{
    (void)state;
    message("/opt/kit/warpwise.h(7): error: a\n/opt/kit/clang/cuda.h:3: b\n", "warpwise.h(7): error: a\ncuda.h:3: b\n");
    message("/opt/kitchen/x /tmp/box-12/y\n", "/opt/kitchen/x /tmp/box-12/y\n");
    message("2 errors generated when compiling for sm_80.\n", "2 errors generated.\n");
    message("x\nclang: error: unable to remove file: Device or resource busy\n", "x\n");
    message("w\n\nRemark: The warnings can be suppressed with \"x\"\n\nv\n", "w\n\nv\n");
}

static void control_characters_vanish(void **state)
{
    (void)state;
    message("a\x1b[31mb\rc\td\x7f\xc3\xa9\n", "a[31mbc\td\xc3\xa9\n");
}

static void images_carry_no_path(void **state)
{
    (void)state;
    image("\t.file\t1 \"/tmp/box-1/student.cu\"\n", "\t.file\t1 \"student.cu\"\n");
    image("\t.file\t1 \"./student.cu\"\n", "\t.file\t1 \"student.cu\"\n");
    image("\t.file\t2 \"/opt/kit/warpwise.h\"", "\t.file\t2 \"warpwise.h\"");
    image(".b8 1,47,116,109,112,47,98,111,120,45,49\n.b8 0\n", ".b8 1,46,46,46,46,46,46,46,46,46,46\n.b8 0\n");
    image("mov.u32 %r1, 7; // /tmp/box-1/x\n", "mov.u32 %r1, 7; // /tmp/box-1/x\n");
}

// __maxnreg__(32) through clang is ".maxntid" with 0x1000000 + 32 threads.
static void bounds_of_registers_get_their_directive(void **state)
{
    (void)state;
    image(".maxntid 16777248, 1, 1\n{\n", ".maxnreg 32\n{\n");
    image(".maxntid 256, 1, 1\n", ".maxntid 256, 1, 1\n");
    image(".maxntid 16777216\n", ".maxntid 16777216\n");
}

static void debug_sections_are_dropped(void **state)
{
    (void)state;
    image("a\n\t.section\t.debug_line\n\t{\n.b8 1\n\t}\nb\n", "a\nb\n");
    image("a\n\t.section\t.debug_macinfo\n\t{\n.b8 1\n\t}\nb\n", "a\nb\n");
    image("\t.section\t.debug_pubnames\t{\t}\nb\n", "b\n");
    image("\t.section\t.debug_loc\t{\t}\nb\n", "\t.section\t.debug_loc\t{\t}\nb\n");
    image("\t.section\t.debug_str\n\t{\n.b8 1\n\t}\nb\n", "\t.section\t.debug_str\n\t{\n.b8 1\n\t}\nb\n");
    image("a\n\t.section\t.debug_ranges\n\t{\n.b8 1", "a\n"); // cut short
    image("\t.section\t.debug_info\n\t{\n.b8 1\n\t}\nb\n", "\t.section\t.debug_info\n\t{\n.b8 1\n\t}\nb\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_speak_of_the_students_file),
        cmocka_unit_test(paths_of_ours_vanish),
        cmocka_unit_test(control_characters_vanish),
        cmocka_unit_test(images_carry_no_path),
        cmocka_unit_test(control_characters_vanish),
        cmocka_unit_test(bounds_of_registers_get_their_directive),
        cmocka_unit_test(debug_sections_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
