// Fuzzing of the PTX loader. Whatever the bytes, ptx_load gives a module or an error with line and column; and a module
// it gives prints as a text that loads as an equal one.
//
//   clang -fsanitize=fuzzer,address,undefined -Igrader tests/fuzz/ptx_fuzz.c grader/ptx/*.c
//   grader/base/{arena,die,hash,text}.c
//   ./a.out tests/fuzz/corpus
// replay.c runs it bounded and without libFuzzer.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What went wrong, and the input, for whoever repeats it.
static _Noreturn void report(const char *what, const uint8_t *data, size_t size)
{
    FILE *file = fopen("ptx_fuzz_failed.ptx", "wb");
    if (file) {
        fwrite(data, 1, size, file);
        fclose(file);
    }
    fprintf(stderr, "ptx_fuzz: %s; the input is in ptx_fuzz_failed.ptx\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_error error;
    struct ptx_module *module = ptx_load((const char *)data, size, &error);
    if (!module) {
        if (!error.line || !error.column || !error.message[0]) report("an error without its place", data, size);
        return 0;
    }
    struct text printed = {0};
    ptx_print(module, &printed);
    struct ptx_module *again = ptx_load(printed.data, printed.length, &error);
    if (!again) {
        fprintf(stderr, "%s\n%u:%u: %s\n", printed.data, error.line, error.column, error.message);
        report("a printed module does not load", data, size);
    }
    if (!ptx_equal(module, again)) report("a printed module loads as another one", data, size);
    ptx_free(again);
    ptx_free(module);
    text_free(&printed);
    return 0;
}
