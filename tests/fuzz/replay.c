// Replays the files of a target's folder, then COUNT seeded mutations of them:
//   replay TARGET FOLDER [COUNT [SEED [SECONDS]]]
// A crash or a broken promise aborts and leaves the input; the same seed repeats it. SECONDS of processor time end it
// early. Speaks TAP.
#define _GNU_SOURCE
#include <dirent.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/prng.h"
#include "base/text.h"
#include "target.h"

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

static const struct fuzz_target *const targets[] = {&fuzz_ptx, &fuzz_sim, &fuzz_wire, &fuzz_host};
static const struct fuzz_target *target;
static uint32_t words;

void fuzz_failed(const char *what, const uint8_t *data, size_t size)
{
    FILE *file = fopen("fuzz_failed", "wb");
    if (file) {
        fwrite(data, 1, size, file);
        fclose(file);
    }
    fprintf(stderr, "fuzzing %s: %s; the input is in fuzz_failed\n", target->name, what);
    abort();
}

static void choose(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; ++i)
        if (!strcmp(targets[i]->name, name)) target = targets[i];
    if (!target) die("there is no target '%s'", name);
    while (target->word[words]) ++words;
}

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
    const char *word = target->word[prng_below(p, words)];
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
    target->run(exact, t.length);
    free(exact);
    text_free(&t);
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 6) die("usage: replay TARGET FOLDER [COUNT [SEED [SECONDS]]]");
    uint64_t count = argc > 3 ? strtoull(argv[3], NULL, 10) : DEFAULT_COUNT, done = 0;
    uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    double seconds = argc > 5 ? strtod(argv[5], NULL) : 1e9;
    static struct corpus c;
    choose(argv[1]);
    read_corpus(&c, argv[2]);
    printf("1..2\n");
    fflush(stdout);
    for (uint32_t i = 0; i < c.count; ++i) target->run((const uint8_t *)c.file[i].data, c.file[i].length);
    printf("ok 1 - %s: %u files keep the promise\n", target->name, c.count);
    fflush(stdout);
    struct prng p = prng_stream(seed, target->name);
    for (; done < count && (double)clock() / CLOCKS_PER_SEC < seconds; ++done) mutation(&c, &p);
    printf("ok 2 - %s: %llu mutations of them, seed %llu, keep it\n", target->name, (unsigned long long)done,
           (unsigned long long)seed);
    for (uint32_t i = 0; i < c.count; ++i) text_free(&c.file[i]);
    return 0;
}
