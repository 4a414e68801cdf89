// The registers that the simulator estimates, against those that ptxas gave to the kernels of tests/truth/kernels.cu
// and tests/truth/styles.cu (tests/truth/registers.csv). ptxas itself is not needed. Its PTX may come from another
// version of a compiler than the figures, so the test looks at the share of kernels and not at each of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "../truth/registers.h"
#include "base/text.h"
#include "compile/compile.h"

enum { FIGURES = 512 };

static struct {
    char file[64], kernel[64], compiler[8];
    unsigned registers;
} figure[FIGURES];
static int nfigures;
static const char *file, *compiler_name;
static struct registers_figures figures;
static uint32_t last, last_spilled; // of the kernel that was estimated last

static int load_figures(void **state)
{
    (void)state;
    FILE *f = fopen("tests/truth/registers.csv", "r");
    char line[256];
    assert_non_null(f);
    while (fgets(line, sizeof line, f) && nfigures < FIGURES)
        nfigures +=
            line[0] != '#' && sscanf(line, "%63[^,],%63[^,],%7[^,],%u", figure[nfigures].file, figure[nfigures].kernel,
                                     figure[nfigures].compiler, &figure[nfigures].registers) == 4;
    fclose(f);
    assert_true(nfigures > 200);
    return 0;
}

static void compare(const char *kernel, const struct sim_program *p)
{
    for (int k = 0; k < nfigures; ++k)
        if (!strcmp(figure[k].file, file) && !strcmp(figure[k].kernel, kernel) &&
            !strcmp(figure[k].compiler, compiler_name))
            registers_add(&figures, p->registers, figure[k].registers);
}

static void compare_file(const struct compiler *compiler, const char *path)
{
    struct text source = {0};
    struct compile_result result = {0};
    file = path;
    assert_int_equal(text_read_file(&source, path, 1 << 20), 0);
    compile_source(compiler, source.data, source.length, path, "grader/kit", 1u << IMAGE_OPTIMISED, &result);
    assert_int_equal(result.status, COMPILED);
    registers_estimate(result.image[IMAGE_OPTIMISED].data, compare);
    compile_result_free(&result);
    text_free(&source);
}

// At least `percent` of a compiler's kernels are at most 4 registers apart, and half of them at most 2.
static void check_compiler(int kind, const char *name, uint32_t percent)
{
    struct compiler compiler;
    struct text why = {0};
    int missing = compile_find(kind, &compiler, &why);
    text_free(&why);
    if (missing) skip();
    figures = (struct registers_figures){0};
    compiler_name = name;
    compare_file(&compiler, "tests/truth/kernels.cu");
    compare_file(&compiler, "tests/truth/styles.cu");
    assert_true(figures.count >= 100);
    if (figures.near * 100 < percent * figures.count || registers_quantile(&figures, 500) > 2)
        fail_msg("%u of %u kernels within 4 registers, median %u apart", figures.near, figures.count,
                 registers_quantile(&figures, 500));
}

static void nvccs_kernels_are_near(void **state)
{
    (void)state;
    check_compiler(COMPILE_NVCC, "nvcc", 85);
}

static void clangs_kernels_are_near(void **state)
{
    (void)state;
    check_compiler(COMPILE_CLANG, "clang", 65);
}

static void note(const char *kernel, const struct sim_program *p)
{
    (void)kernel;
    last = p->registers;
    last_spilled = p->spilled_bytes;
}

// A kernel with `values` values that are live at once, and a directive of the kernel.
static uint32_t estimate_live(int values, const char *directive)
{
    struct text t = {0};
    text_printf(&t,
                ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) %s\n{\n"
                ".reg .f32 %%f<200>;\n.reg .b64 %%d<4>;\nld.param.u64 %%d1, [p];\n",
                directive);
    for (int k = 0; k < values; ++k) text_printf(&t, "ld.volatile.global.f32 %%f%d, [%%d1+%d];\n", k, 4 * k);
    for (int k = 0; k < values; ++k) text_printf(&t, "st.volatile.global.f32 [%%d1+%d], %%f%d;\n", 4 * k, k);
    text_printf(&t, "ret;\n}\n");
    registers_estimate(t.data, note);
    text_free(&t);
    return last;
}

// ptxas 13.0.88 gave these numbers, too: values that are stored take the room of pairs until 32 registers are reached.
static void few_values_spread(void **state)
{
    (void)state;
    static const struct {
        int values;
        uint32_t registers;
    } row[] = {{2, 10}, {4, 14}, {8, 22}, {16, 32}, {24, 32}, {32, 40}, {40, 48}, {60, 72}, {80, 96}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k)
        assert_in_range(estimate_live(row[k].values, ""), row[k].registers - 1, row[k].registers + 1);
}

static void directives_limit_the_estimate(void **state)
{
    (void)state;
    assert_int_equal(estimate_live(80, ".maxnreg 48"), 48);
    assert_int_equal(estimate_live(80, ".maxntid 1024, 1, 1"), 64);
    assert_int_equal(estimate_live(80, ".maxntid 256, 1, 1\n.minnctapersm 4"), 64);
}

// ptxas 13.0.88 moved 0, 40, 200, 488, 656 and 1328 bytes. The estimate is less, because ptxas needs some registers for
// the spilling itself, and nothing where the estimated registers exceed the limit by little.
static void values_beyond_the_limit_are_spilled(void **state)
{
    (void)state;
    static const struct {
        int values;
        uint32_t least, most;
    } row[] = {{40, 0, 0}, {46, 0, 40}, {56, 80, 200}, {80, 240, 488}, {120, 500, 656}, {200, 1000, 1328}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) {
        estimate_live(row[k].values, ".maxnreg 48");
        assert_in_range(last_spilled, row[k].least, row[k].most);
        estimate_live(row[k].values, "");
        assert_int_equal(last_spilled, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvccs_kernels_are_near),
        cmocka_unit_test(clangs_kernels_are_near),
        cmocka_unit_test(few_values_spread),
        cmocka_unit_test(directives_limit_the_estimate),
        cmocka_unit_test(values_beyond_the_limit_are_spilled),
    };
    return cmocka_run_group_tests(tests, load_figures, NULL);
}
