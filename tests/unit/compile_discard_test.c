// Which calls ignore the value that they return.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "compile/discard.h"

static int discards(const char *source, uint32_t line)
{
    return compile_discards(source, strlen(source), line, "cudaFree: cudaErrorInvalidValue");
}

static void a_statement_of_its_own_is_ignored(void **state)
{
    (void)state;
    static const char *const ignored[] = {
        "void f() { cudaFree(p); }",
        "cudaMalloc(&p, 1); cudaFree(p);",
        "if (p) cudaFree(p); else q = p;",
        "if (a) b = 1; else cudaFree(p);",
        "for (int i = 0; i < f(n); ++i) cudaFree(p[i]);",
        "while (g()) cudaFree(p);",
        "do cudaFree(p); while (0);",
        "{ ::cudaFree(p); }",
        "; /* ( */ cudaFree((void *)p) ;",
        "f(\"(\", '('); cudaFree(p);",
        "; cudaFree(p /* ) */);",
    };
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; ++i)
        if (!discards(ignored[i], 1)) fail_msg("is ignored: %s", ignored[i]);
}

static void a_value_that_is_used_is_looked_at(void **state)
{
    (void)state;
    static const char *const used[] = {
        "CHECK(cudaFree(p));",
        "e = cudaFree(p);",
        "if (cudaFree(p)) return;",
        "if (cudaFree(p) != cudaSuccess) return;",
        "return cudaFree(p);",
        "(void)cudaFree(p);",
        "ok = ok && cudaFree(p);",
        "x ? cudaFree(p) : 0;",
        "cudaFree(p) == cudaSuccess || die();",
        "cudaFreeHost(p);",
        "// cudaFree(p);",
        "cudaFree(p); CHECK(cudaFree(q));", // either may be the one that failed
        "auto f = [&] { g(); };",
    };
    for (size_t i = 0; i < sizeof used / sizeof *used; ++i)
        if (discards(used[i], 1)) fail_msg("is looked at: %s", used[i]);
}

static void the_line_may_be_within_the_call(void **state)
{
    (void)state;
    const char *source = "#define F cudaFree(p)\n// \\\n g(\n{ cudaFree(\n  p\n  );\nCHECK(\ncudaFree(p));\n";
    assert_int_equal(discards(source, 1), 0);
    assert_int_equal(discards(source, 4), 1);
    assert_int_equal(discards(source, 5), 1);
    assert_int_equal(discards(source, 6), 1);
    assert_int_equal(discards(source, 8), 0);
    assert_int_equal(discards(source, 9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_statement_of_its_own_is_ignored),
        cmocka_unit_test(a_value_that_is_used_is_looked_at),
        cmocka_unit_test(the_line_may_be_within_the_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
