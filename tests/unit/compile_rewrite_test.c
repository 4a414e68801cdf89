// Code that nvcc accepts and clang refuses, before and after it was rewritten.
#include "base/text.h"
#include "compile/invocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void rewrites(const char *from, const char *to)
{
    struct text text = {0};
    compile_rewrite(&text, from);
    assert_string_equal(text.data ? text.data : "", to);
    text_free(&text);
}

static void percents_of_inline_ptx(void **state)
{
    (void)state;
    rewrites("asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));", "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));");
    rewrites("asm volatile (\"a %%tid.x, %0;\"\n  \"%_b\" :: \"r\"(1));",
             "asm volatile (\"a %%tid.x, %0;\"\n  \"%%_b\" :: \"r\"(1));");
    rewrites("__asm__ __volatile__(\"%[x] %clock\":);", "__asm__ __volatile__(\"%[x] %%clock\":);");
    rewrites("asm(\"mov.u32 %r1, %laneid;\");", "asm(\"mov.u32 %r1, %laneid;\");"); // without operands
    rewrites("printf(\"%d asm(\\\"%x\\\" :)\", 'a'); wasm(\"%x\" :);",
             "printf(\"%d asm(\\\"%x\\\" :)\", 'a'); wasm(\"%x\" :);");
    rewrites("R\"(asm(\"%x\" :))\" asm(\"%y\":)", "R\"(asm(\"%x\" :))\" asm(\"%%y\":)");
    rewrites("asm(", "asm(");
    rewrites("asm(\"%x", "asm(\"%x");
    rewrites("'\"' R\"", "'\"' R\"");
    rewrites("", "");
}

#define SHARED "__attribute__((shared))"
#define BARE " __attribute__((loader_uninitialized))"
static void shared_variables(void **state)
{
    (void)state;
    rewrites("{ " SHARED " T x; }", "{ static " SHARED BARE " T x; }");
    rewrites("static " SHARED " T x;", "static " SHARED BARE " T x;");
    rewrites(SHARED " static T x;", SHARED BARE " static T x;");
    rewrites("extern " SHARED " float x[];", "extern " SHARED " float x[];");
    rewrites(SHARED " extern float x[];", SHARED " extern float x[];");
    rewrites("extern int y; " SHARED " T x;", "extern int y; static " SHARED BARE " T x;");
    rewrites("extern \"C\" void k() { " SHARED " T x; }", "extern \"C\" void k() { static " SHARED BARE " T x; }");
}

static void other_rules(void **state)
{
    (void)state;
    rewrites(SHARED " alignas(16) T x; struct alignas(8) S;",
             "static " SHARED BARE " _Alignas(16) T x; struct alignas(8) S;");
    rewrites("int \xed\x95\x9c_1 = f(\"\xed\x95\x9c\");", "int _xed_x95_x9c_1 = f(\"\xed\x95\x9c\");");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percents_of_inline_ptx),
        cmocka_unit_test(shared_variables),
        cmocka_unit_test(other_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
