// Computes the fingerprints of a source from the source's tokens. Every name that is not in the array `kept` becomes
// the token NAME, and every number becomes the token NUMBER. A string becomes the token STRING, and any other character
// becomes a token of its own. A hash is computed for each sequence of SIMILARITY_TOKENS consecutive tokens. The
// smallest hash in each window of SIMILARITY_WINDOW consecutive hashes is a fingerprint. If several hashes in a window
// are equally small, the rightmost of these hashes is the fingerprint.
#include "batch/export/similarity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

static const char *const kept[] = {
    "if",
    "else",
    "for",
    "while",
    "do",
    "return",
    "break",
    "continue",
    "switch",
    "case",
    "const",
    "int",
    "unsigned",
    "float",
    "double",
    "void",
    "struct",
    "static",
    "extern",
    "__shared__",
    "__global__",
    "__device__",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "atomicAdd",
    "min",
    "max",
    "LAUNCH",
    "float4",
    "uint4",
    "__restrict__",
    "__syncthreads",
    "__syncwarp",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__shfl_up_sync",
};
enum { NAME = 1, NUMBER = 2, STRING = 3 };

struct tokens {
    uint32_t *item;
    size_t count, room;
};

static void add(struct tokens *t, uint32_t token)
{
    ALLOC_GROW(t->item, t->room, t->count + 1);
    t->item[t->count++] = token;
}

static uint32_t name_token(const char *at, size_t length)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
        if (strlen(kept[i]) == length && !memcmp(kept[i], at, length)) return 256 + (uint32_t)i;
    return NAME;
}

// Returns the length of the white space, comment or #include line at `at`. Returns 0 if a token begins at `at`.
static size_t skip(const char *at, const char *end, int first)
{
    size_t left = (size_t)(end - at), n = 0;
    while (n < left && isspace((unsigned char)at[n])) ++n;
    if (n) return n;
    if (left > 1 && at[0] == '/' && at[1] == '*') {
        for (n = 2; n < left && !(at[n] == '/' && at[n - 1] == '*' && n > 2); ++n) continue;
        return n < left ? n + 1 : left;
    }
    if ((left > 1 && at[0] == '/' && at[1] == '/') || (first && at[0] == '#' && left > 8 && !memcmp(at, "#include", 8)))
        while (n < left && at[n] != '\n') ++n;
    return n;
}

static void split(struct tokens *t, const char *at, const char *end)
{
    for (int first = 1; at < end;) {
        size_t n = skip(at, end, first), left = (size_t)(end - at);
        if (n) {
            first |= memchr(at, '\n', n) != NULL;
            at += n;
            continue;
        }
        first = 0;
        unsigned char c = (unsigned char)*at;
        n = 1;
        if (isalpha(c) || c == '_') {
            while (n < left && (isalnum((unsigned char)at[n]) || at[n] == '_')) ++n;
            add(t, name_token(at, n));
        } else if (isdigit(c)) {
            while (n < left && (isalnum((unsigned char)at[n]) || at[n] == '.')) ++n;
            add(t, NUMBER);
        } else if (c == '"' || c == '\'') {
            while (n < left && (unsigned char)at[n] != c && at[n] != '\n') n += at[n] == '\\' && n + 1 < left ? 2 : 1;
            n += n < left;
            add(t, STRING);
        } else {
            add(t, c);
        }
        at += n;
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_once(struct similarity *l)
{
    uint32_t n = 0;
    if (l->count) qsort(l->print, l->count, sizeof *l->print, by_number);
    for (uint32_t i = 0; i < l->count; ++i)
        if (!n || l->print[n - 1] != l->print[i]) l->print[n++] = l->print[i];
    l->count = n;
}

void similarity_make(struct similarity *l, const char *source, size_t bytes)
{
    struct tokens t = {0};
    *l = (struct similarity){0};
    split(&t, source, source + bytes);
    size_t hashes = t.count < SIMILARITY_TOKENS ? 0 : t.count - SIMILARITY_TOKENS + 1;
    size_t windows = hashes < SIMILARITY_WINDOW ? 0 : hashes - SIMILARITY_WINDOW + 1, last = SIZE_MAX;
    uint32_t *hash = alloc_array(hashes + 1, sizeof *hash);
    l->print = alloc_array(windows + 1, sizeof *l->print);
    for (size_t i = 0; i < hashes; ++i)
        hash[i] = (uint32_t)hash_bytes(&t.item[i], SIMILARITY_TOKENS * sizeof *t.item, 1);
    for (size_t w = 0; w < windows; ++w) {
        size_t least = w;
        for (size_t i = w; i < w + SIMILARITY_WINDOW; ++i)
            if (hash[i] <= hash[least]) least = i;
        if (least != last) l->print[l->count++] = hash[least];
        last = least;
    }
    sort_once(l);
    free(hash);
    free(t.item);
}

void similarity_free(struct similarity *l)
{
    free(l->print);
    *l = (struct similarity){0};
}

void similarity_subtract(struct similarity *l, const struct similarity *common)
{
    uint32_t n = 0;
    for (uint32_t i = 0, j = 0; i < l->count; ++i) {
        while (j < common->count && common->print[j] < l->print[i]) ++j;
        if (j == common->count || common->print[j] != l->print[i]) l->print[n++] = l->print[i];
    }
    l->count = n;
}

double similarity_of(const struct similarity *a, const struct similarity *b)
{
    uint32_t shared = 0, least = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
        shared += a->print[i] == b->print[j];
        uint32_t x = a->print[i], y = b->print[j];
        i += x <= y;
        j += y <= x;
    }
    return least < SIMILARITY_LEAST ? 0 : (double)shared / least;
}
