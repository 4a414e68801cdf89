// Every refused module names its line and column; instructions are tested in ptx_check_test.c. Hostile bytes must not
// cause a crash, a read past their end, a long run or much memory.
#include "base/text.h"
#include "ptx_fixture.h"

static void modules_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "1:1: a module must begin with '.version'"},
        {"\n  x", "2:3: a module must begin with '.version'"},
        {".version 8", "1:10: expected a version such as 7.5"},
        {".version 8.x", "1:10: expected a version such as 7.5"},
        {".version 7.5\n.targets", "2:1: expected '.target'"},
        {".version 7.5\n.target sm_x", "2:9: expected a target such as sm_75"},
        {".version 7.5\n.target map_f64_to_f32", "2:9: target 'map_f64_to_f32' is not supported"},
        {".version 7.5\n.target debug", "2:1: '.target' names no sm_"},
        {".version 7.5\n.target sm_75\n.address_size 32", "3:15: only 64-bit addresses are supported"},
        {HEAD "#", "4:1: a character that PTX does not know"},
        {HEAD "/*", "4:3: a comment does not end"},
        {HEAD ".pragma \"a", "4:9: a string does not end on its line"},
        {HEAD ".section .debug { { }", "4:17: a section does not end"},
        {HEAD ".section .debug ;", "4:17: expected '{' after a section's name"},
        {HEAD "hello", "4:1: expected a directive"},
        {HEAD ".texref t;", "4:1: '.texref' is not supported"},
        {HEAD ".alias a, b;", "4:1: '.alias' is not supported"},
        {HEAD ".param .u32 x;", "4:1: '.param' belongs to a function"},
        {HEAD ".local .u32 x;", "4:1: '.local' belongs to a function"},
        {HEAD ".file 70000 \"a\"", "4:7: a file's number is too large: at most 65535"},
        {HEAD ".file 1 a", "4:9: expected a file's name in quotes"},
        {HEAD ".file 1 \"a\"\n.file 1 \"b\"", "5:7: file 1 is declared twice"},
        {HEAD ".global x;", "4:9: expected a type"},
        {HEAD ".global .pred x;", "4:9: '.pred' is not supported in a declaration"},
        {HEAD ".global .u32 .u64 x;", "4:14: a declaration has two types"},
        {HEAD ".global .align 3 .u32 x;", "4:16: an alignment must be a power of two"},
        {HEAD ".global .align 131072 .u32 x;", "4:16: an alignment is too large: at most 65536"},
        {HEAD ".global .u32 x[1][2][3][4][5][6][7][8];", "4:36: more than 7 dimensions"},
        {HEAD ".global .u32 x[99999999][99999999];", "4:14: 'x' is larger than 1099511627776 bytes"},
        {HEAD ".global .u32 x[-1];", "4:16: an array's length must be an integer of at most 1099511627776"},
        {HEAD ".global .u32 x[1.5];", "4:16: an array's length must be an integer of at most 1099511627776"},
        {HEAD ".global .u32 x[];", "4:14: 'x' has no size"},
        {HEAD ".global .u32 x", "4:15: expected ';' after a variable, found the end of the file"},
        {HEAD ".global .u32 x;\n.global .u32 x;", "5:14: 'x' is declared twice"},
        {HEAD ".global .u32 _;", "4:14: '_' is a word of the language"},
        {HEAD ".shared .u32 x = 1;", "4:16: only .global and .const variables can have initial values"},
        {HEAD ".extern .global .u32 x = 1;", "4:26: an extern variable cannot have initial values"},
        {HEAD ".global .u32 x[2] = {1, 2, 3};", "4:28: more initial values than the variable has room for"},
        {HEAD ".global .u32 x[2] = {{1}, {{2}}};", "4:28: more '{' than the variable has dimensions"},
        {HEAD ".global .u32 x[2] = {1, 2;", "4:26: expected '}' after initial values, found ';'"},
        {HEAD ".global .u32 x = y;", "4:18: an address needs a 64-bit element"},
        {HEAD ".global .u64 x = y;", "4:18: 'y' is not declared"},
        {HEAD ".global .u64 x = generic(y;", "4:27: expected ')' after 'generic(' and a name, found ';'"},
        {HEAD ".global .u8 x[8] = {0xFF(x)};", "4:20: a masked address lacks bytes"},
        {HEAD ".global .u8 x[8] = {0xFF00(x)};", "4:21: the bytes of a masked address must follow each other"},
        {HEAD ".global .u8 x[8] = {0xFF(x), 1};", "4:30: the bytes of a masked address must follow each other"},
        {HEAD ".global .u8 x[8] = {0xF0(x)};", "4:21: only single bytes of an address are supported behind a mask"},
        {HEAD ".global .u32 x = 1 / 0;", "4:20: a constant is divided by zero"},
        {HEAD ".global .u32 x = 1.0;", "4:18: a float constant stands where .u32 is needed"},
        {HEAD ".global .f32 x = 1;", "4:18: an integer constant stands where .f32 needs a float"},
        {HEAD ".global .u32 x = 0x;", "4:18: a number has no digits"},
        {HEAD ".global .u32 x = 09;", "4:18: '09' is not a number"},
        {HEAD ".global .u32 x = 18446744073709551616;", "4:18: '18446744073709551616' does not fit 64 bits"},
        {HEAD ".global .f32 x = 0f123;", "4:18: a 0f constant needs 8 hexadecimal digits"},
        {HEAD ".global .f32 x = 1.5z;", "4:18: '1.5z' is not a number"},
        {HEAD ".global .u32 x = ((((1))", "4:25: expected ')' after a constant expression, found the end of the file"},
        {HEAD ".func f(.reg .u32 a);", "4:9: only .param parameters are supported"},
        {HEAD ".func f(.param .u32 a, .param .u32 a);", "4:36: 'a' is declared twice"},
        {HEAD ".func f(.param .u32 a);\n.func f(.param .u64 a);", "5:7: 'f' is declared with other parameters before"},
        {HEAD ".func f { ret; }\n.func f { ret; }", "5:7: 'f' is defined twice"},
        {HEAD ".func f;\n.entry f;", "5:8: 'f' is declared twice"},
        {HEAD ".extern .func f { ret; }", "4:17: an extern function has no body"},
        {HEAD ".entry k .maxnwarps 3 { }", "4:10: '.maxnwarps' is not supported before a function's body"},
        {HEAD ".entry k { ", "4:12: a function's body does not end"},
        {HEAD ".entry k ret", "4:10: expected ';' or '{' after a function's head, found 'ret'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_string_equal(refusal(cases[i].text, strlen(cases[i].text)), cases[i].message);
}

static void bodies_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *body, *message;
    } cases[] = {
        {".tex x;", "5:1: '.tex' is not supported inside a function"},
        {".global .u32 x;", "5:1: '.global' is not supported inside a function"},
        {".reg .f8 x;", "5:6: expected a register type that is supported"},
        {".reg .b32 %r<16777217>;", "5:14: a number of registers is too large: at most 16777216"},
        {".reg .b32 %r<4;", "5:15: expected '>' after a number of registers, found ';'"},
        {".reg .b32 a, a;", "5:14: 'a' is declared twice"},
        {".reg .b32 %r<4>, %r<5>;", "5:18: '%r<>' is declared twice"},
        {".reg .b32 %tid;", "5:11: '%tid' is a word of the language"},
        {".reg .b32 %envreg<4>;", "5:11: '%envreg' is a word of the language"},
        {".reg .b32 %r<4>; mov.b32 %r4, 1;",
         "5:26: register '%r4' is neither declared nor a special register that is supported"},
        {".reg .b32 %r<4>; mov.b32 %r01, 1;",
         "5:26: register '%r01' is neither declared nor a special register that is supported"},
        {"{ .reg .b32 x; } mov.b32 x, 1;", "5:26: 'x' is not declared"},
        {"{ L: } bra L;", "5:12: label 'L' is not declared"},
        {"L: L: ret;", "5:4: 'L' is declared twice"},
        {".reg .b32 r; t: .branchtargets L; L: bra t;", "5:42: 't' is no label"},
        {".reg .b32 r; L: brx.idx r, L;", "5:28: 'L' is no table"},
        {"L: mov.u64 L, 1;", "5:12: label 'L' cannot stand here"},
        {"p: .callprototype x;", "5:19: a prototype's name must be '_'"},
        {"p: .calltargets x;", "5:17: 'x' is no function"},
        {"p: .shadow x;", "5:4: '.shadow' is not supported inside a function"},
        {"@p ret;", "5:2: 'p' is no predicate register"},
        {"@ ret", "5:3: 'ret' is no predicate register"},
        {".reg .b64 d; call d;", "5:14: 'call': a call through a register needs its prototype or targets"},
        {"call k;", "5:6: 'call': operand 2 is a kernel, which is not called"},
        {"call 5;", "5:6: a call needs a function or a register"},
        {"ret", "6:1: expected ';' after an instruction, found '}'"},
        {"ret; )", "5:6: expected an instruction"},
        {"add.s32", "6:1: expected an operand"},
        {".loc 1 2 3\nret;", "5:6: no '.file' declares file 1"},
        {".loc 1 2 3, inline 3", "5:13: expected 'function_name' or 'inlined_at'"},
        {".pragma nounroll;", "5:9: expected a string after '.pragma'"},
        {".extern .global .u32 x;", "5:1: only '.extern .shared' is supported inside a function"},
        {".reg .b32 a; ld.u32 a, [a", "6:1: expected ']' after an address, found '}'"},
        {".reg .b32 a; ld.u32 a, [k]", "5:25: 'k' cannot be an address"},
        {".reg .b32 a; ld.u32 a, [%tid]", "5:29: expected .x, .y, .z or .w after '%tid'"},
        {".reg .b32 a; mov.b32 a, %envreg32;",
         "5:25: register '%envreg32' is neither declared nor a special register that is supported"},
        {".reg .b32 a; mov.b32 a, ]", "5:25: expected an operand"},
        {"add.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x", "5:52: an instruction has too many suffixes"},
        {"match.any.b32 x, y, z;", "5:1: 'match' needs '.sync'"},
        {"cvt.u32 x, y;", "5:1: 'cvt' needs two types"},
        {"add x, y, z;", "5:1: 'add' needs a type"},
        {"ld.global.L2::cache_hint.u32 a, [b], c;", "5:30: 'a' is not declared"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1024];
        snprintf(text, sizeof text, HEAD ".entry k {\n%s\n}\n", cases[i].body);
        assert_string_equal(refusal(text, strlen(text)), cases[i].message);
    }
}

enum { REPEATED = 200000 };

// head, `piece` many times, tail.
static struct text repeated(const char *head, const char *piece, const char *tail)
{
    struct text t = {0};
    text_puts(&t, head);
    for (int i = 0; i < REPEATED; ++i) text_puts(&t, piece);
    text_puts(&t, tail);
    return t;
}

static void depth_is_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *head, *piece, *message;
    } cases[] = {
        {HEAD ".global .u32 x = ", "(", "4:51: a constant expression is nested deeper than 32"},
        {HEAD ".global .u32 x = ", "-", "4:51: a constant expression is nested deeper than 32"},
        {HEAD ".global .u32 x = {", "{", "4:19: more '{' than the variable has dimensions"},
        {HEAD ".entry k {", "{", "4:73: more than 64 scopes within each other"},
        {HEAD ".section .x {", "{", "4:13: a section does not end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct text t = repeated(cases[i].head, cases[i].piece, "");
        assert_string_equal(refusal(t.data, t.length), cases[i].message);
        text_free(&t);
    }
    struct text t = repeated(HEAD ".file 1 \"a\"\n.entry k {\n.loc 1 1 1\n", ".loc 1 1 1, inlined_at 1 1 1\n", "ret;}");
    assert_string_equal(refusal(t.data, t.length), "263:6: more than 256 calls inlined within each other");
    text_free(&t);
}

static void large_texts_take_memory_in_proportion(void **state)
{
    (void)state;
    static const struct {
        const char *head, *piece, *tail;
    } cases[] = {
        {HEAD ".entry k { .reg .b32 r;\n", "add.s32 r, r, 1;\n", "}"},
        {HEAD ".entry k {\n", "{ .reg .b32 r; mov.u32 r, 1; }\n", "}"},
        {HEAD ".entry k {\n", "{ bra L; L: }\n", "}"},
        {HEAD ".entry k {\n", ".reg .b32 %r<16777216>; mov.u32 %r7, 1; } .entry k$ {", "}"},
        {HEAD ".global .b8 x[] = {", "1,", "1};"},
        {HEAD ".global .u64 x[] = {", "x,", "x};"},
        {HEAD ".global .u32 x = 1", "+1", ";"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct text t = repeated(cases[i].head, cases[i].piece, cases[i].tail);
        struct ptx_error error;
        struct ptx_module *m = ptx_load(t.data, t.length, &error);
        if (i != 3) { // declared twice
            assert_non_null(m);
            assert_true(m->arena.total < (4 << 20) + 48 * t.length);
        } else {
            assert_null(m);
        }
        ptx_free(m);
        text_free(&t);
    }
    struct text t = repeated(HEAD ".global .b8 x[200001][5000000] = {", "{1},", "{1}};");
    assert_string_equal(refusal(t.data, t.length), "4:45: initial values with gaps are too large");
    text_free(&t);
}

static void every_cut_of_a_module_is_refused_or_loads(void **state)
{
    (void)state;
    struct text t = {0};
    assert_int_equal(text_read_file(&t, "tests/fuzz/ptx/forms.ptx", 1 << 20), 0);
    for (size_t length = 0; length < t.length; ++length) assert_non_null(refusal(t.data, length));
    assert_string_equal(refusal(t.data, t.length), "loads");
    text_free(&t);
}

static void the_source_is_named(void **state)
{
    (void)state;
    static const char text[] = HEAD ".file 1 \"a.cu\"\n.visible .entry k()\n{\n.loc 1 12 3\nL:\n"
                                    ".loc 1 40 1, function_name L, inlined_at 1 12 3\nwgmma;\n}\n";
    struct ptx_error error;
    assert_null(ptx_load(text, sizeof text - 1, &error));
    assert_int_equal(error.source_line, 12);
    assert_null(ptx_load("x", 1, &error));
    assert_int_equal(error.source_line, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_are_refused_at_their_place),
        cmocka_unit_test(bodies_are_refused_at_their_place),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(large_texts_take_memory_in_proportion),
        cmocka_unit_test(the_source_is_named),
        cmocka_unit_test(every_cut_of_a_module_is_refused_or_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
