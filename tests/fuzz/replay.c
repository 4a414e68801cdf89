// Replays the files of a folder through the fuzz target, then COUNT seeded mutations of them, where there is no
// libFuzzer:
//   replay FOLDER [COUNT [SEED]]
// A crash or a broken promise aborts and leaves the input; the same seed repeats it. Speaks TAP.
#define _GNU_SOURCE
#include <dirent.h>

#include "base/die.h"
#include "base/prng.h"

#include "ptx_fuzz.c" // the target: one object, so that make links this like any other test program

enum { MOST_FILES = 256, MOST_EDITS = 6, LARGEST_FILE = 16 << 20, DEFAULT_COUNT = 5000 };

struct corpus {
    struct text file[MOST_FILES];
    uint32_t count;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// All files of the folder, in the order of their names: the same mutations everywhere.
static void read_corpus(struct corpus *c, const char *folder)
{
    char *name[MOST_FILES];
    uint32_t names = 0;
    DIR *dir = opendir(folder);
    if (!dir) die("cannot read '%s'", folder);
    for (struct dirent *e; (e = readdir(dir)) && names < MOST_FILES;)
        if (e->d_name[0] != '.') name[names++] = strdup(e->d_name);
    closedir(dir);
    qsort(name, names, sizeof *name, by_name);
    for (uint32_t i = 0; i < names; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        if (text_read_file(&c->file[c->count], path, LARGEST_FILE)) die("cannot read '%s'", path);
        ++c->count;
        free(name[i]);
    }
    if (!c->count) die("'%s' is empty", folder);
}

static void replace(struct text *t, size_t at, size_t removed, const char *bytes, size_t added)
{
    struct text out = {0};
    text_add(&out, t->data, at);
    text_add(&out, bytes, added);
    text_add(&out, t->data + at + removed, t->length - at - removed);
    text_free(t);
    *t = out;
}

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
};

static size_t word_start(const struct text *t, size_t at)
{
    while (at && (unsigned char)t->data[at - 1] > ' ') --at;
    return at;
}

static size_t word_end(const struct text *t, size_t at)
{
    while (at < t->length && (unsigned char)t->data[at] > ' ') ++at;
    return at;
}

// One edit: of a byte, a word, a stretch, or a splice with another file.
static void edit(struct text *t, const struct corpus *c, struct prng *p)
{
    if (!t->length) return;
    size_t at = prng_below(p, (uint32_t)t->length), length = prng_below(p, 64) + 1;
    if (length > t->length - at) length = t->length - at;
    const struct text *other = &c->file[prng_below(p, c->count)];
    size_t from = prng_below(p, (uint32_t)other->length + 1), taken = prng_below(p, 256);
    if (taken > other->length - from) taken = other->length - from;
    const char *word = words[prng_below(p, sizeof words / sizeof *words)];
    size_t start = word_start(t, at), end = word_end(t, at);
    size_t a = word_start(other, from), b = word_end(other, from);
    char bytes[64] = {(char)prng_below(p, 256)};
    switch (prng_below(p, 8)) {
    case 0:
        replace(t, at, 1, bytes, 1);
        break;
    case 1:
        replace(t, at, length, "", 0);
        break;
    case 2:
        replace(t, at, 0, word, strlen(word));
        break;
    case 3:
        replace(t, start, end - start, word, strlen(word));
        break;
    case 4:
        replace(t, at, 0, other->data + from, taken);
        break;
    case 5:
        t->length = at;
        break;
    case 6:
        replace(t, start, end - start, other->data + a, b - a);
        break;
    default: // a stretch twice
        memcpy(bytes, t->data + at, length);
        replace(t, at, 0, bytes, length);
        break;
    }
}

static void mutation(const struct corpus *c, struct prng *p)
{
    const struct text *origin = &c->file[prng_below(p, c->count)];
    struct text t = {0};
    text_add(&t, origin->data, origin->length);
    for (uint32_t edits = prng_below(p, MOST_EDITS) + 1; edits; --edits) edit(&t, c, p);
    // A copy of exactly its size on the heap: a sanitizer sees a read past the end.
    uint8_t *exact = malloc(t.length ? t.length : 1);
    if (!exact) die("out of memory");
    if (t.length) memcpy(exact, t.data, t.length);
    LLVMFuzzerTestOneInput(exact, t.length);
    free(exact);
    text_free(&t);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4) die("usage: replay FOLDER [COUNT [SEED]]");
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : DEFAULT_COUNT;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    static struct corpus c;
    read_corpus(&c, argv[1]);
    printf("1..2\n");
    fflush(stdout);
    for (uint32_t i = 0; i < c.count; ++i) LLVMFuzzerTestOneInput((const uint8_t *)c.file[i].data, c.file[i].length);
    printf("ok 1 - %u files load or are refused cleanly\n", c.count);
    fflush(stdout);
    struct prng p = prng_stream(seed, "ptx_fuzz");
    for (uint64_t i = 0; i < count; ++i) mutation(&c, &p);
    printf("ok 2 - %llu mutations of them, seed %llu, load or are refused cleanly\n", (unsigned long long)count,
           (unsigned long long)seed);
    for (uint32_t i = 0; i < c.count; ++i) text_free(&c.file[i]);
    return 0;
}
