// Stores files in the job's cache folder, and finds the stored files again in later gradings.
//
// The path of a cached file is <cache>/<slug>-<hash>.<suffix>, where <slug> names the lab. The hash in the path covers
// everything on which the content of the cached file depends. Each cached file is written under a temporary name and
// then renamed, so other gradings never read a partly written file. If the cache folder cannot be written, no file is
// stored and the grading goes on.
#include "judge/job/cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/text.h"

// HEADER_MOST is the maximum number of bytes of a source file. NAME_ASIDE is the number of bytes that a path must leave
// free for the temporary name of a file.
enum { HEADER_MOST = 1 << 20, NAME_ASIDE = 32 };

static uint64_t hash_text(uint64_t h, const char *data, size_t length)
{
    return hash_bytes(data, length, h + length);
}

struct text *cache_part(struct cache_recipe *r)
{
    BUG_ON(r->parts == CACHE_PARTS);
    return &r->part[r->parts++];
}

int cache_add_file(struct cache_recipe *r, const char *path)
{
    struct text *part = cache_part(r);
    int error = text_read_file(part, path, HEADER_MOST);
    if (error) text_free(part);
    return error;
}

void cache_add_kit(struct cache_recipe *r, const char *name)
{
    char path[CACHE_PATH];
    snprintf(path, sizeof path, "%s/%s.h", r->job->kit, name);
    cache_add_file(r, path);
}

void cache_recipe_free(struct cache_recipe *r)
{
    for (unsigned i = 0; i < r->parts; ++i) text_free(&r->part[i]);
}

void cache_hash(const struct cache_recipe *r, uint64_t h[2])
{
    for (int i = 0; i < 2; ++i) {
        h[i] = (uint64_t)i + 1;
        for (unsigned k = 0; k < r->parts; ++k)
            h[i] = hash_text(h[i], r->part[k].data ? r->part[k].data : "", r->part[k].length);
        h[i] = hash_text(h[i], r->compiler->path, strlen(r->compiler->path));
        h[i] = hash_text(h[i], r->compiler->version, strlen(r->compiler->version));
    }
}

int cache_path(const struct cache_recipe *r, char path[CACHE_PATH])
{
    const struct judge_job *job = r->job;
    uint64_t h[2];
    if (!job->cache) return -1;
    cache_hash(r, h);
    int length = snprintf(path, CACHE_PATH, "%s/%s-%016" PRIx64 "%016" PRIx64 ".%s", job->cache, job->lab->slug, h[0],
                          h[1], r->suffix);
    return length < CACHE_PATH - NAME_ASIDE ? 0 : -1;
}

int cache_write(const struct judge_job *job, const char *path, const struct text *data, unsigned mode)
{
    mkdir(job->cache, 0777);
    return text_write_file(data, path, mode);
}
