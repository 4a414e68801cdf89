// Printing: a printed module loads as an equal one, for all available modules. Equality sees every difference.
#define _GNU_SOURCE
#include <dirent.h>

#include "base/text.h"
#include "ptx_fixture.h"

// Round trips of all PTX files of a folder; how many there were.
static int folder(const char *path)
{
    int files = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        size_t length = strlen(e->d_name);
        if (length < 4 || strcmp(e->d_name + length - 4, ".ptx")) continue;
        char name[1024];
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        struct text t = {0};
        assert_int_equal(text_read_file(&t, name, 64 << 20), 0);
        struct ptx_error error;
        struct ptx_module *m = strstr(t.data, "\n// refuse ") ? ptx_load(t.data, t.length, &error) : load(t.data);
        if (!m) { // refused, as it says that it must be
            text_free(&t);
            continue;
        }
        struct text printed = round_trip(m);
        struct ptx_module *again = load(printed.data);
        struct text twice = round_trip(again);
        assert_string_equal(twice.data, printed.data); // printing has settled
        ptx_free(again);
        ptx_free(m);
        text_free(&twice);
        text_free(&printed);
        text_free(&t);
        ++files;
    }
    closedir(dir);
    return files;
}

static void what_compilers_wrote_survives_printing(void **state)
{
    (void)state;
    assert_true(folder("tests/fuzz/ptx") >= 8);
}

static void the_programs_of_all_instructions_survive_printing(void **state)
{
    (void)state;
    assert_true(folder("tests/ptx") > 0);
}

static const char *const text =
    HEAD ".file 1 \"a.cu\"\n.global .b8 g[4] = {1, 2};\n.global .u64 r[2] = {g, generic(g)+1};\n"
         ".extern .func (.param .b32 r) f(.param .b32 a);\n"
         ".visible .entry k(.param .u64 p)\n.maxntid 32\n.maxnreg 8\n{\n.reg .pred %p; .reg .b32 %r<4>; .reg .f32 x;\n"
         ".reg .b64 %rd<3>;\n.param .b32 y; .shared .b8 s[8];\nt: .branchtargets L, M;\nq: .callprototype _ (.param "
         ".b32 _);\n"
         ".loc 1 2 3\nld.param.u64 %rd1, [p];\nL: @%p add.s32 %r1, %r2, 5;\nfma.rn.ftz.f32 x, x, x, 0f3F800000;\n"
         "ld.shared.v2.u32 {%r1, _}, [s+4];\nM: setp.lt.s32 %p, %r1, %r2;\ncall (y), f, (%r1);\nmov.u32 %r3, %tid.x;\n"
         "brx.idx %r3, t;\n}\n";

static char *with(const char *from, const char *to)
{
    static char out[4096];
    const char *at = strstr(text, from);
    assert_non_null(at);
    snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

static void equality_sees_every_difference(void **state)
{
    (void)state;
    static const char *const change[][2] = {
        {"8.0", "7.8"},
        {".version", "// registers 9 k\n.version"},
        {"sm_80", "sm_75"},
        {"sm_80", "sm_80, debug"},
        {"a.cu", "b.cu"},
        {"{1, 2}", "{1, 3}"},
        {"{1, 2}", "{1, 2, 0}"},
        {"g[4]", "g[5]"},
        {".global .b8 g", ".const .b8 g"},
        {".global .b8 g", ".visible .global .b8 g"},
        {".global .b8 g", ".global .align 8 .b8 g"},
        {"generic(g)+1", "generic(g)+2"},
        {"generic(g)+1", "g+1"},
        {"{g, generic", "{r, generic"},
        {".extern .func", ".func"},
        {".param .b32 a)", ".param .b32 a) .noreturn"},
        {".visible .entry", ".entry"},
        {".maxntid 32", ".maxntid 64"},
        {".maxntid 32", ".reqntid 32"},
        {".maxnreg 8", ".maxnreg 9"},
        {".maxnreg 8", ".minnctapersm 8"},
        {".reg .f32 x", ".reg .b32 x"},
        {"s[8]", "s[16]"},
        {"branchtargets L, M", "branchtargets M, L"},
        {"_ (.param .b32 _)", "_ (.param .b64 _)"},
        {".loc 1 2 3", ".loc 1 2 4"},
        {".loc 1 2 3", ".loc 1 5 3\n.loc 1 2 3, inlined_at 1 5 3"},
        {"@%p add", "@!%p add"},
        {"@%p add", "add"},
        {"add.s32", "sub.s32"},
        {"add.s32", "add.u32"},
        {"%r2, 5", "%r2, 6"},
        {"%r2, 5", "%r1, 5"},
        {".ftz", ""},
        {".rn", ".rz"},
        {"{%r1, _}", "{_, %r1}"},
        {"[s+4]", "[s]"},
        {"setp.lt", "setp.le"},
        {"(%r1)", "(%r2)"},
        {"%tid.x", "%tid.y"},
        {"%tid.x", "%ntid.x"},
        {"mov.u32 %r3, %tid.x;", "mov.u32 %r3, %tid.x; ret;"},
    };
    struct ptx_module *m = load(text), *same = load(text);
    assert_true(ptx_equal(m, same));
    for (size_t i = 0; i < sizeof change / sizeof *change; ++i) {
        struct ptx_module *other = load(with(change[i][0], change[i][1]));
        if (ptx_equal(m, other) || ptx_equal(other, m)) print_error("'%s' and '%s'\n", change[i][0], change[i][1]);
        assert_false(ptx_equal(m, other));
        assert_false(ptx_equal(other, m));
        ptx_free(other);
    }
    struct ptx_module *renamed = load(with(".reg .b32 %r<4>;", "  .reg .b32 unused, %r<9>; // no difference\n"));
    assert_true(ptx_equal(m, renamed));
    ptx_free(renamed);
    ptx_free(same);
    ptx_free(m);
}

static void instructions_print_alone(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "setp.lt.and.s32 \t%p1|%p2, %r1, -4, !%p3;",
        "@!%p1 ld.volatile.global.v4.f32 \t{%f1, _, %f2, %f3}, [%rd1+-4];",
        "mad.wide.s32 \t%rd1, %r1, -7, %rd2;",
        "atom.acq_rel.gpu.shared.cas.b32 \t%r1, [s+8], 1, %r2;",
        "fma.rn.ftz.sat.f32 \t%f1, %f2, 0f3F800000, %f3;",
        "mov.b64 \t{%r1, %r2}, %rd1;",
        "mov.f64 \t%d1, 0dBFF8000000000000;",
        "barrier.red.and.aligned.pred \t%p1, 0, 64, !%p2;",
        "cp.async.cg.shared.global \t[s], [%rd1], 16, %r1;",
        "prmt.b32.rc8 \t%r1, %r2, %r3, 2;",
        "min.ftz.NaN.xorsign.abs.f32 \t%f1, %f2, %f3;",
        "match.all.sync.b32 \t%r1|%p1, %r2, 4294967295;",
        "call.uni \t(y), f, (%r1);",
        "mov.u32 \t%r1, %envreg7;",
        "ret;",
    };
    struct text t = {0};
    text_puts(&t,
              HEAD ".func (.param .b32 r) f(.param .b32 a) { ret; }\n.entry k {\n.reg .pred %p<4>; .reg .b32 %r<4>;\n"
                   ".reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .f64 %d<2>; .shared .b8 s[64]; .param .b32 y;\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) text_printf(&t, "%s\n", lines[i]);
    text_puts(&t, "}\n");
    struct ptx_module *m = load(t.data);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        struct text out = {0};
        ptx_print_inst(m, &m->func[1], &m->func[1].inst[i], &out);
        assert_string_equal(out.data, lines[i]);
        text_free(&out);
    }
    ptx_free(m);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_compilers_wrote_survives_printing),
        cmocka_unit_test(the_programs_of_all_instructions_survive_printing),
        cmocka_unit_test(equality_sees_every_difference),
        cmocka_unit_test(instructions_print_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
