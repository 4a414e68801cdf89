// Loads a text in a test, with the error message as "line:column: sentence".
#ifndef PTX_FIXTURE_H
#define PTX_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../ptx_text/ptx_text.h"
#include "base/text_struct.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

// The module, which the caller frees; fails the test with the loader's message.
static inline struct ptx_module *load(const char *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_load(text, strlen(text), &error);
    if (!m) print_error("%u:%u: %s\n%s\n", error.line, error.column, error.message, text);
    assert_non_null(m);
    assert_int_equal(error.line, 0);
    return m;
}

// The message that refuses it; "loads" if nothing does. Overwritten by the next call.
static inline const char *refusal(const char *text, size_t bytes)
{
    static char message[256];
    struct ptx_error error;
    char *exact = malloc(bytes ? bytes : 1); // no byte behind its end: a sanitizer sees a read there
    memcpy(exact, text, bytes);
    struct ptx_module *m = ptx_load(exact, bytes, &error);
    free(exact);
    snprintf(message, sizeof message, "%u:%u: %.200s", error.line, error.column, error.message);
    if (m) snprintf(message, sizeof message, "loads");
    ptx_free(m);
    return message;
}

// Prints, loads what was printed, compares. The printed text is freed by the caller.
static inline struct text round_trip(const struct ptx_module *m)
{
    struct text printed = {0};
    ptx_print(m, &printed);
    struct ptx_module *again = load(printed.data);
    assert_true(ptx_equal(m, again));
    assert_true(ptx_equal(again, m));
    ptx_free(again);
    return printed;
}

#endif
