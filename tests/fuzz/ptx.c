// The PTX loader. Whatever the bytes, ptx_load gives a module or an error with line and column; and a module it gives
// prints as a text that loads as an equal one.
#include "target.h"

#include <stdio.h>

#include "../ptx_text/ptx_text.h"
#include "base/text.h"

static const char *const words[] = {
    ".reg",
    ".param",
    ".shared",
    ".global",
    ".align",
    ".b32",
    ".v4",
    ".f16x2",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "|",
    "@!%p1 ",
    "-1",
    "ld",
    "st",
    "mov",
    "call",
    "bra",
    "cvt",
    "setp",
    "atom",
    "bar.sync",
    "shfl.sync",
    "_",
    "\"",
    "/*",
    "//",
    "\n",
    ".loc",
    "4294967296",
    "0x",
    "1e999",
    "generic(",
    ".func",
    ".entry",
    "$L__1",
    ":\n",
    ".section",
    "WARP_SZ",
    "0d",
    "-",
    ".extern",
    "%r<1000000>",
    "<",
    ">",
    ".callprototype",
    ".branchtargets",
    "%tid.x",
    "0f7F800000",
    ".visible",
    "inlined_at 1",
    "[1 << 9]",
    "%r1",
    "0xFF(",
    ".pred",
    "u64",
    ".const",
    NULL,
};

static void run(const uint8_t *data, size_t size)
{
    struct ptx_error error;
    struct ptx_module *module = ptx_load((const char *)data, size, &error);
    if (!module) {
        if (!error.line || !error.column || !error.message[0]) fuzz_failed("an error without its place", data, size);
        return;
    }
    struct text printed = {0};
    ptx_print(module, &printed);
    struct ptx_module *again = ptx_load(printed.data, printed.length, &error);
    if (!again) {
        fprintf(stderr, "%s\n%u:%u: %s\n", printed.data, error.line, error.column, error.message);
        fuzz_failed("a printed module does not load", data, size);
    }
    if (!ptx_equal(module, again)) fuzz_failed("a printed module loads as another one", data, size);
    ptx_free(again);
    ptx_free(module);
    text_free(&printed);
}

const struct fuzz_target fuzz_ptx = {"ptx", run, words};
