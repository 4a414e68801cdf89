// Implements functions that all parts of the parser use for tokens, memory and errors. After an error, parser_fail()
// returns to ptx_load() with longjmp(). The parser or the module's arena owns all memory, so an error leaks no memory.
#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
// Tells AddressSanitizer that longjmp() leaves the stack frames between the error and ptx_load(). In a sandbox without
// /proc, AddressSanitizer does not know the size of the stack and does not unpoison the frames that longjmp() leaves.
// Without clear_frames(), AddressSanitizer would report errors in later calls.
static void __attribute__((noinline)) clear_frames(const struct parser *p)
{
    const char *here = __builtin_frame_address(0);
    ASAN_UNPOISON_MEMORY_REGION(here, (size_t)(p->frame - here));
}
#else
static void clear_frames(const struct parser *p)
{
    (void)p;
}
#endif

static _Noreturn void fail(struct parser *p, uint32_t line, uint32_t column, const char *format, va_list args)
{
    p->error->line = line;
    p->error->column = column;
    p->error->source_line = location_line(p);
    message_vprint(p->error->message, sizeof p->error->message, format, args);
    clear_frames(p);
    longjmp(p->failed, 1);
}

void parser_fail(struct parser *p, uint32_t line, uint32_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(p, line, column, format, args);
}

void parser_fail_at(struct parser *p, struct token at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(p, at.line, at.column, format, args);
}

void parser_next(struct parser *p)
{
    p->tok = token_next(&p->source);
    if (p->tok.kind == TOKEN_BAD) parser_fail_at(p, p->tok, "%s", _(p->source.problem));
}

int parser_take(struct parser *p, int kind)
{
    if (p->tok.kind != kind) return 0;
    parser_next(p);
    return 1;
}

// Returns a token's description for an error message, cut to at most `size` - 1 bytes: the token's text, or "the end of
// the file".
static const char *found(const struct token *t, char *out, size_t size)
{
    if (t->kind == TOKEN_END)
        snprintf(out, size, "%s", _("the end of the file"));
    else
        snprintf(out, size, "'%s%.*s'", t->kind == TOKEN_DOT ? "." : "", (int)(t->length < 40 ? t->length : 40),
                 t->text);
    return out;
}

void parser_expect(struct parser *p, int kind, const char *where)
{
    char text[80];
    if (!parser_take(p, kind))
        parser_fail_at(p, p->tok, "expected '%c' %s, found %s", kind, _(where), found(&p->tok, text, sizeof text));
}

int parser_is_dot(const struct parser *p, const char *word)
{
    return p->tok.kind == TOKEN_DOT && p->tok.length == strlen(word) && !memcmp(p->tok.text, word, p->tok.length);
}

int parser_take_dot(struct parser *p, const char *word)
{
    if (!parser_is_dot(p, word)) return 0;
    parser_next(p);
    return 1;
}

struct token parser_word(struct parser *p, const char *what)
{
    char text[80];
    struct token t = p->tok;
    if (t.kind != TOKEN_WORD) parser_fail_at(p, t, "expected %s, found %s", _(what), found(&t, text, sizeof text));
    parser_next(p);
    return t;
}

uint64_t parser_unsigned(struct parser *p, uint64_t most, const char *what)
{
    char text[80];
    struct token t = p->tok;
    if (t.kind != TOKEN_NUMBER) parser_fail_at(p, t, "expected %s, found %s", _(what), found(&t, text, sizeof text));
    struct constant c = constant_read(p);
    if (c.kind != CONSTANT_INT) parser_fail_at(p, t, "%s must be an integer", _(what));
    if (c.bits > most) parser_fail_at(p, t, "%s is too large: at most %llu", _(what), (unsigned long long)most);
    return c.bits;
}

void *parser_push(struct parser *p, struct buffer *b, size_t size)
{
    if (b->count == b->capacity) {
        size_t capacity = b->capacity ? b->capacity + b->capacity / 2 : 16;
        p->heap_bytes += (capacity - b->capacity) * size;
        if (p->heap_bytes > p->limit || b->count > INT32_MAX / 2) parser_fail_at(p, p->tok, "the module is too large");
        void *data = alloc_resize(b->data, capacity, size);
        b->data = data;
        b->capacity = capacity;
    }
    return memset((char *)b->data + b->count++ * size, 0, size);
}

void *parser_alloc(struct parser *p, size_t count, size_t size)
{
    if (!count) return NULL;
    void *memory = arena_array(&p->module->arena, count, size);
    if (!memory) parser_fail_at(p, p->tok, "the module is too large");
    return memory;
}

void *parser_keep(struct parser *p, const struct buffer *b, size_t size)
{
    void *copy = parser_alloc(p, b->count, size);
    if (copy) memcpy(copy, b->data, b->count * size);
    return copy;
}

const char *parser_name(struct parser *p, const char *text, size_t length)
{
    // Names share blocks of POOL bytes, because the arena rounds each allocation up to a cache line.
    enum { POOL = 4096 };
    if (length + 1 > (size_t)(p->pool_end - p->pool)) {
        size_t size = length + 1 > POOL / 4 ? length + 1 : POOL;
        char *block = parser_alloc(p, size, 1);
        if (size != POOL) return memcpy(block, text, length); // no NUL is written, because the arena's memory is zeroed
        p->pool = block;
        p->pool_end = block + size;
    }
    char *name = p->pool;
    memcpy(name, text, length);
    p->pool += length + 1;
    return name;
}
