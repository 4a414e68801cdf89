// Implements compose.h with the library utf8proc. The library refuses text with malformed bytes as a whole, so each run
// of valid UTF-8 is composed by itself.
#include "batch/unpack/compose.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/utf8.h"

// Appends the NFC of valid UTF-8. utf8proc_map() fails only if memory runs out.
static void add_composed(struct text *out, const char *valid, size_t length)
{
    utf8proc_uint8_t *composed = NULL;
    utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)valid, (utf8proc_ssize_t)length, &composed,
                                      UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (n < 0) alloc_failed(0);
    text_add(out, (const char *)composed, (size_t)n);
    free(composed);
}

void compose_text(struct text *t)
{
    struct text out = {0};
    for (size_t i = 0; i < t->length; ++i) {
        size_t valid = utf8_invalid(t->data + i, t->length - i);
        add_composed(&out, t->data + i, valid);
        i += valid;
        if (i < t->length) text_add(&out, t->data + i, 1);
    }
    text_free(t);
    *t = out;
}

void compose_field(char *field, size_t size)
{
    struct text t = {0};
    text_puts(&t, field);
    compose_text(&t);
    if (t.length < size) memcpy(field, t.data ? t.data : "", t.length + 1);
    text_free(&t);
}
