// A baseline's image lies in <cache>/<slug>-<hash>.<ptx or sm_NN>. The hash is of everything that it depends on:
// source, header of the kit, compiler, version. A file appears whole or not at all (written aside, then renamed), so
// runs side by side do no harm; a folder that cannot be written costs time and nothing else.
#define _GNU_SOURCE
#include "judge/cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hash.h"

enum { PATH = 4096, IMAGE_MOST = 32 << 20, HEADER_MOST = 1 << 20 };

static uint64_t hash_text(uint64_t h, const char *data, size_t length)
{
    return hash_bytes(data, length, h + length);
}

static int cache_path(const struct judge_job *job, const struct compiler *compiler, enum compile_image which,
                      const struct text *source, char path[PATH])
{
    if (!job->cache) return -1;
    struct text header = {0};
    char name[PATH];
    snprintf(name, sizeof name, "%s/warpwise.h", job->kit);
    if (text_read_file(&header, name, HEADER_MOST)) text_free(&header);
    uint64_t h[2] = {1, 2};
    for (int i = 0; i < 2; ++i) {
        h[i] = hash_text(h[i], source->data, source->length);
        h[i] = hash_text(h[i], header.data ? header.data : "", header.length);
        h[i] = hash_text(h[i], compiler->path, strlen(compiler->path));
        h[i] = hash_text(h[i], compiler->version, strlen(compiler->version));
    }
    text_free(&header);
    char target[16] = "ptx"; // "sm_90": for a card
    if (which == IMAGE_CARD) snprintf(target, sizeof target, "sm_%u", compiler->capability);
    int length =
        snprintf(path, PATH, "%s/%s-%016" PRIx64 "%016" PRIx64 ".%s", job->cache, job->lab->slug, h[0], h[1], target);
    return length < PATH - 32 ? 0 : -1;
}

static void keep(const struct judge_job *job, const char *path, const struct text *image)
{
    char aside[PATH + 32];
    snprintf(aside, sizeof aside, "%s.%d", path, (int)getpid());
    mkdir(job->cache, 0777);
    FILE *file = fopen(aside, "wx");
    if (!file) return;
    size_t written = fwrite(image->data, 1, image->length, file);
    if (fclose(file) || written != image->length || rename(aside, path)) unlink(aside);
}

void judge_baseline_image(const struct judge_job *job, const struct compiler *compiler, enum compile_image which,
                          struct text *image)
{
    struct text source = {0};
    char path[PATH];
    int error = text_read_file(&source, job->baseline, COMPILE_MOST);
    if (error) die("cannot read the baseline '%s': %s", job->baseline, strerror(error));
    int cached = !cache_path(job, compiler, which, &source, path);
    if (cached && !text_read_file(image, path, IMAGE_MOST) && image->length) {
        text_free(&source);
        return;
    }
    text_free(image);
    struct compile_result result;
    compile_source(compiler, source.data, source.length, job->baseline, job->kit, 1u << which, &result);
    if (result.status == COMPILE_FAILED) die("%s", result.messages.data);
    if (result.status != COMPILED) die("the baseline does not compile: %s", result.messages.data);
    text_add(image, result.image[which].data, result.image[which].length);
    compile_result_free(&result);
    text_free(&source);
    if (cached) keep(job, path, image);
}
