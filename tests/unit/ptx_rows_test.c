// Every row of isa.def must have a program in tests/ptx that executes it and states the results. A row without a
// program fails by its name. A program counts if it launches, states results, and has the instruction in a function.
#define _GNU_SOURCE
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "ptx/opcode.h"
#include "ptx/ptx.h"

static int programs[PTX_OPS]; // that contain the row
static int files;

static int look_into(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)walk;
    size_t length = strlen(path);
    if (type != FTW_F || length < 4 || strcmp(path + length - 4, ".ptx")) return 0;
    struct text text = {0};
    struct ptx_error error;
    assert_int_equal(text_read_file(&text, path, 64 << 20), 0);
    if (strstr(text.data, "// launch ") && strstr(text.data, "// expect ")) {
        struct ptx_module *module = ptx_load(text.data, text.length, &error);
        if (module) {
            files++;
            int seen[PTX_OPS] = {0};
            for (uint32_t f = 0; f < module->nfuncs; f++)
                for (uint32_t i = 0; i < module->func[f].ninsts; i++) seen[module->func[f].inst[i].op] = 1;
            for (int op = 0; op < PTX_OPS; op++) programs[op] += seen[op];
            ptx_free(module);
        }
    }
    text_free(&text);
    return 0;
}

static void every_row_has_a_program(void **state)
{
    (void)state;
    int missing = 0;
    assert_int_equal(nftw("tests/ptx", look_into, 16, FTW_PHYS), 0);
    assert_true(files > 0);
    for (int op = 0; op < PTX_OPS; op++)
        if (!programs[op]) {
            print_error("# no program in tests/ptx executes '%s'\n", ptx_isa[op].mnemonic);
            missing++;
        }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_has_a_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
