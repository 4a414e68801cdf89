// Rewrites preprocessed CUDA code that nvcc accepts and clang refuses. Some of clang's rules are
// stricter than nvcc's.
//
//   - nvcc takes a % that no digit follows for itself, so programs and libcu++ write asm("mov.u64 %0, %globaltimer;" :
//     "=l"(t)). In clang, the % of a PTX register name must be doubled, as in %%globaltimer, if the assembly string has
//     operands.
//   - nvcc never destroys a __shared__ variable, so the variable's class may have a destructor, as cuda::barrier has.
//     In clang, a __shared__ variable whose class has a destructor must be static and must have the attribute
//     loader_uninitialized.
//   - clang refuses `__shared__ alignas(16) float x[8]`, but accepts the word _Alignas there.
//   - clang's assembler refuses letters outside ASCII in names. Each byte of such a letter becomes _xHH, its value in
//     hexadecimal digits. In findings, the simulator's function demangle() replaces each _xHH by the original byte.
//
// The preprocessed code is C++ without comments. In the preprocessed code, __shared__ is expanded to
// `__attribute__((shared))`, and asm is one of the words asm, __asm__ and __asm.
#define _GNU_SOURCE
#include "base/text.h"
#include "compile/invocation.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PREPROCESSED_MOST = 64 << 20 }; // maximum bytes of preprocessed code

int compile_rewrite_wanted(const struct text *messages)
{
    static const char *const refusals[] = {
        "invalid % escape in inline assembly string", "initialization is not supported for __shared__ variables",
        "an attribute list cannot appear here", "Symbol name with unsupported characters"};
    for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        if (messages->data && strstr(messages->data, refusals[i])) return 1;
    return 0;
}

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at)) ++at;
    return at;
}

// Returns the end of the string or character literal that starts at the quote `at`.
static const char *literal_end(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote && *at != '\n') at += *at == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

// Returns the end of the raw string whose quote is at `at`.
static const char *raw_end(const char *at)
{
    char close[20] = ")";
    size_t length = strcspn(at + 1, "(");
    if (length > sizeof close - 3) return literal_end(at);
    memcpy(close + 1, at + 1, length);
    close[length + 1] = '"';
    const char *end = strstr(at, close);
    return end ? end + length + 2 : at + strlen(at);
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') ++n;
    return n;
}

static int is_one_of(const char *at, size_t length, const char *const *words)
{
    for (; *words; ++words)
        if (strlen(*words) == length && !memcmp(at, *words, length)) return 1;
    return 0;
}

// Returns the start of the first string literal of an asm statement with operands, or NULL. `at` points behind the word
// asm. Stores in *end the position after the last string literal of the assembly text.
static const char *strings_of(const char *at, const char **end)
{
    static const char *const qualifiers[] = {"volatile", "__volatile__", "__volatile", "inline", "goto", NULL};
    at = skip_blanks(at);
    for (size_t n; (n = word_length(at)) && is_one_of(at, n, qualifiers);) at = skip_blanks(at + n);
    if (*at != '(') return NULL;
    const char *first = at = skip_blanks(at + 1);
    while (*at == '"') at = skip_blanks(*end = literal_end(at));
    return at != first && *at == ':' ? first : NULL;
}

static void add_doubled(struct text *to, const char *at, const char *end)
{
    for (; at < end; ++at) {
        int pair = at[0] == '%' && at[1] == '%';
        text_add(to, at, pair ? 2 : 1);
        at += pair;
        if (!pair && *at == '%' && (isalpha((unsigned char)at[1]) || at[1] == '_')) text_add(to, "%", 1);
    }
}

// Appends the attributes of a __shared__ variable that clang needs, such as loader_uninitialized. `storage` is 1 if the
// declaration says extern, and 2 if it says static.
static void add_shared(struct text *to, int storage)
{
    static const char *const rewritten[] = {"static __attribute__((shared)) __attribute__((loader_uninitialized))",
                                            "__attribute__((shared))",
                                            "__attribute__((shared)) __attribute__((loader_uninitialized))"};
    text_add(to, rewritten[storage], strlen(rewritten[storage]));
}

// Returns the storage class that the word `at` is: 1 for extern, 2 for static, 0 for another word.
static int storage_of(const char *at)
{
    size_t n = word_length(at);
    return n == 6 && !memcmp(at, "extern", n) ? 1 : n == 6 && !memcmp(at, "static", n) ? 2 : 0;
}

void compile_rewrite(struct text *to, const char *from)
{
    static const char *const keywords[] = {"asm", "__asm__", "__asm", NULL};
    static const char *const align[] = {"alignas", NULL};
    static const char shared[] = "__attribute__((shared))";
    int storage = 0, in_shared = 0; // of the declaration that `at` is in
    for (const char *at = from, *end; *at; at = end) {
        size_t n = word_length(at);
        int raw = n && at[n] == '"' && at[n - 1] == 'R' && n <= 3;
        const char *strings = n && is_one_of(at, n, keywords) ? strings_of(at + n, &end) : NULL;
        if (strings) {
            text_add(to, at, (size_t)(strings - at));
            add_doubled(to, strings, end);
            continue;
        }
        if (!strncmp(at, shared, sizeof shared - 1)) {
            end = at + sizeof shared - 1;
            int behind = storage_of(skip_blanks(end));
            add_shared(to, storage ? storage : behind);
            in_shared = 1;
            continue;
        }
        if (storage_of(at)) storage = storage_of(at);
        if (strchr(";{}", *at)) storage = in_shared = 0;
        end = raw ? raw_end(at + n) : n ? at + n : *at == '"' || *at == '\'' ? literal_end(at) : at + 1;
        if (in_shared && n && is_one_of(at, n, align))
            text_add(to, "_Alignas", strlen("_Alignas"));
        else if (*at & 0x80)
            text_printf(to, "_x%02x", (unsigned char)*at);
        else
            text_add(to, at, (size_t)(end - at));
    }
}

int compile_rewrite_file(const char *path)
{
    struct text raw = {0}, rewritten = {0};
    int error = text_read_file(&raw, path, PREPROCESSED_MOST);
    if (!error) compile_rewrite(&rewritten, raw.data ? raw.data : "");
    if (!error) unlink(path); // the compiler's process may own the file
    FILE *file = error ? NULL : fopen(path, "wx");
    if (!error && !file) error = errno;
    if (file) {
        size_t written = rewritten.length ? fwrite(rewritten.data, 1, rewritten.length, file) : 0;
        fchmod(fileno(file), 0644); // readable by others, because the sandbox may run as another user
        if (fclose(file) || written != rewritten.length) error = EIO;
    }
    text_free(&raw);
    text_free(&rewritten);
    return error;
}
