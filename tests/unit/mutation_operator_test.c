// The operators of mutation (tests/mutation/operator.def): what each makes of a source with one place for it, and which
// places it leaves alone.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../mutation/operator.h"
#include "base/text.h"

static int skip_none(void *data, uint32_t token)
{
    (void)data, (void)token;
    return 0;
}

// The operator's mutants of the source, as the lines become, joined by " | ".
static void expect(enum operator_id by, const char *body, const char *expected)
{
    char path[] = "/tmp/mutation_operator_XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    assert_non_null(file);
    fputs(body, file);
    assert_int_equal(fclose(file), 0);
    struct source source;
    struct mutants mutants = {0};
    struct text found = {0};
    operator_read(&source, path);
    unlink(path);
    operator_apply(&source, &mutants, skip_none, NULL);
    for (uint32_t i = 0; i < mutants.count; ++i)
        if (mutants.item[i].by == by) text_printf(&found, "%s%s", found.length ? " | " : "", mutants.item[i].label);
    assert_string_equal(found.data ? found.data : "", expected);
    text_free(&found);
    operator_free(&mutants);
    source_free(&source);
}

static void synchronisation_is_removed(void **state)
{
    (void)state;
    expect(OPERATOR_barrier, "void k() {\n__syncthreads();\n}\n", ";");
    expect(OPERATOR_barrier, "void k() {\nn = __syncthreads_or(a[i] > (b));\n}\n", "n = ;");
    expect(OPERATOR_barrier, "void k() {\n// __syncthreads();\nmy__syncthreads();\n}\n", "");
    expect(OPERATOR_warp_barrier, "void k() {\nf(); __syncwarp(mask); g();\n}\n", "f(); ; g();");
    expect(OPERATOR_warp_barrier, "void k() {\n__syncthreads();\n}\n", "");
    expect(OPERATOR_fence, "void k() {\n__threadfence_block();\n__threadfence();\n}\n", "; | ; (2)");
}

static void atomics_become_plain(void **state)
{
    (void)state;
    expect(OPERATOR_atomic, "void k() {\natomicAdd(&n[a(i, j)], x * 2);\n}\n", "(*(&n[a(i, j)]) += ( x * 2));");
    expect(OPERATOR_atomic, "void k() {\natomicExch(lock, 0);\n}\n", "(*(lock) = ( 0));");
    expect(OPERATOR_atomic, "void k() {\natomicCAS(lock, 0, 1);\n}\n", "");
}

static void guards_always_hold(void **state)
{
    (void)state;
    expect(OPERATOR_guard, "void k() {\nif (i < n) f();\n}\n", "if (true) f();");
    expect(OPERATOR_guard, "void k() {\nif (i >= n) return;\n}\n", "if (false) return;");
    expect(OPERATOR_guard, "void k() {\nx = i < n ? a : b;\n}\n", "x = true ? a : b;");
    expect(OPERATOR_guard, "void k() {\nwhile (a && b) f();\n}\n", "while ( b) f(); | while (a ) f();");
}

static void bounds_let_one_more_through(void **state)
{
    (void)state;
    expect(OPERATOR_bound, "void k() {\nwhile (i < n) f();\n}\n", "while (i <= n) f();");
    expect(OPERATOR_bound, "void k() {\nwhile (i >= n) f();\n}\n", "while (i + 1 >= n) f();");
    expect(OPERATOR_bound, "void k() {\nx = min(a, b);\n}\n", "x = (min(a, b) + 1);");
    expect(OPERATOR_bound, "template <int N> void k() {\nf<N>(x);\n}\n", ""); // no comparison
}

static void values_are_lost_or_shifted(void **state)
{
    (void)state;
    expect(OPERATOR_initialisation, "void k() {\nfloat sum = 0.0f;\n}\n", "float sum ;");
    expect(OPERATOR_initialisation, "void k() {\nconst int n = 4;\nfloat x = in[3];\n}\n", "");
    expect(OPERATOR_initialisation, "void k() {\ns[t] = 0;\n}\n", ";");
    expect(OPERATOR_index, "void k() {\nx = in[i * 2];\n}\n", "x = in[(i * 2) + 1];");
    expect(OPERATOR_index, "void k() {\nfloat row[4];\n}\n", ""); // an extent
    expect(OPERATOR_padding, "void k() {\n__shared__ float t[32][32 + 1];\n}\n", "__shared__ float t[32][32 ];");
    expect(OPERATOR_mask, "void k() {\nx = a & 255;\ny = &N;\n}\n", "x = a & (255 / 2);");
    expect(OPERATOR_mask, "void k() {\nf(0xffff);\n}\n", "f((0xffff / 2));");
    expect(OPERATOR_tile, "enum { T = 16 };\nvoid k() {}\n", "enum { T = (16) / 2 };");
    expect(OPERATOR_tile, "#define T 16\nvoid k() {}\n", "#define T ((16) / 2)");
    expect(OPERATOR_tile, "LAUNCH(k, .block = {8, 4}, .per_sm = 2);\n",
           "LAUNCH(k, .block = {(8) / 2, 4}, .per_sm = 2); | LAUNCH(k, .block = {8, (4) / 2}, .per_sm = 2); | "
           "LAUNCH(k, .block = {8, 4}, .per_sm = (2) / 2);");
    expect(OPERATOR_loop, "void k() {\nfor (int i = 0; i < n; i += 4) f();\n}\n",
           "for (int i = (0) + 1; i < n; i += 4) f(); | for (int i = 0; i < n; i += (4) + 1) f();");
    expect(OPERATOR_loop, "void k() {\nfor (; i < n; ++i) f();\n}\n", "for (; i < n; ++i, ++i) f();");
}

static void neighbours_change_places(void **state)
{
    (void)state;
    expect(OPERATOR_swap, "void k() {\ns[t] = x; y = s[t];\n}\n", "y = s[t]; s[t] = x;");
    expect(OPERATOR_swap, "void k() {\ns[t] = x; __syncthreads();\n}\n", "__syncthreads(); s[t] = x;");
    expect(OPERATOR_swap, "void k() {\ns[t] = x; y = z;\n}\n", ""); // strangers
    expect(OPERATOR_swap, "void k() {\ns[t] = x; if (t) y = s[t];\n}\n", "");
}

static void what_reads_the_same_is_numbered(void **state)
{
    (void)state;
    expect(OPERATOR_barrier, "void k() {\n__syncthreads();\n__syncthreads();\n}\n", "; | ; (2)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synchronisation_is_removed),
        cmocka_unit_test(atomics_become_plain),
        cmocka_unit_test(guards_always_hold),
        cmocka_unit_test(bounds_let_one_more_through),
        cmocka_unit_test(values_are_lost_or_shifted),
        cmocka_unit_test(neighbours_change_places),
        cmocka_unit_test(what_reads_the_same_is_numbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
