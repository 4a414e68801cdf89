// Stores the simulated speed of baselines (the labs' own slow kernels) in the cache folder, for later gradings.
//
// The simulator computes the same speed for a baseline each time. Computing the baseline's speed takes from a fifth to
// two thirds of a grading's time. A speed file stores the simulated speed of one baseline. The path of a speed file is
// <cache>/<slug>-<device>-<seed>.speed, where <slug> names the lab. When kept.c stores a baseline's speed, the new
// speed file replaces an older speed file with the same path. Each speed file begins with a hash of the baseline's
// image, the compiler, the runner program and the grader program. A cached speed is used only if the hash of the
// present baseline's image, compiler, runner program and grader program equals the hash in the speed file.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/die.h"
#include "judge/job/cache.h"
#include "judge/kernel/speed.h"

struct kept_speed { // the beginning of the file; one observation for each kernel of the lab follows
    uint64_t hash[2];
    uint64_t kernel_ps[LAB_KERNELS], time_ps;
    struct counters sum;
    int64_t sampled;
};

static uint32_t launched(const struct lab *lab)
{
    uint32_t n = 0;
    while (n < LAB_KERNELS && lab->kernel[n]) ++n;
    return n;
}

// Adds the device, inode number, size and change time of the executable file at `path` to the struct cache_recipe. A
// new build of an executable file has a new inode number or a new change time. Returns 0, or -1 if there is no file at
// `path`.
static int add_program(struct cache_recipe *r, const char *path)
{
    struct stat s;
    struct text *part = cache_part(r);
    if (stat(path, &s)) return -1;
    const uint64_t what[] = {s.st_dev, s.st_ino, (uint64_t)s.st_size, (uint64_t)s.st_ctim.tv_sec,
                             (uint64_t)s.st_ctim.tv_nsec};
    text_add(part, (const char *)what, sizeof what);
    return 0;
}

// Writes the path of the baseline's speed file, the cached file with the baseline's simulated speed, to `path`. Writes
// the hash with which the baseline's speed file must begin to `hash`. Returns 0, or -1 if the speed cannot be stored in
// the cache.
static int speed_path(const struct judge_job *job, const struct text *image, char path[CACHE_PATH], uint64_t hash[2])
{
    struct cache_recipe r = {.job = job, .compiler = job->compiler, .suffix = "speed"};
    text_add(cache_part(&r), image->data, image->length);
    struct secret key = secret_derive(&job->secret, "samples");
    text_add(cache_part(&r), (const char *)&key, sizeof key);
    int failed = add_program(&r, job->runner[0]) || add_program(&r, "/proc/self/exe");
    cache_hash(&r, hash);
    cache_recipe_free(&r);
    int length = job->cache ? snprintf(path, CACHE_PATH, "%s/%s-%s-%" PRIu64 ".speed", job->cache, job->lab->slug,
                                       job->device ? job->device : "default", job->seed)
                            : CACHE_PATH;
    return failed || length >= CACHE_PATH - 32 || (job->device && strchr(job->device, '/')) ? -1 : 0;
}

int kernel_speed_load(struct kernel_speed *run, const struct judge_job *job, const struct text *image)
{
    char path[CACHE_PATH];
    uint64_t hash[2];
    struct text file = {0};
    struct kept_speed kept;
    if (speed_path(job, image, path, hash)) return 0;
    size_t bytes = sizeof kept + launched(job->lab) * sizeof *run->last[0];
    int there = !text_read_file(&file, path, bytes) && file.length == bytes && !memcmp(file.data, hash, sizeof hash);
    if (there) {
        memcpy(&kept, file.data, sizeof kept);
        *run = (struct kernel_speed){.sum = kept.sum, .time_ps = kept.time_ps, .sampled = (int)kept.sampled};
        memcpy(run->kernel_ps, kept.kernel_ps, sizeof run->kernel_ps);
        for (uint32_t k = 0; k < LAB_KERNELS; ++k) {
            run->last[k] = alloc_zeroed(1, sizeof *run->last[k]);
            if (k < launched(job->lab))
                memcpy(run->last[k], file.data + sizeof kept + k * sizeof *run->last[k], sizeof *run->last[k]);
        }
    }
    text_free(&file);
    return there;
}

void kernel_speed_save(const struct kernel_speed *run, const struct judge_job *job, const struct text *image)
{
    char path[CACHE_PATH];
    struct text file = {0};
    struct kept_speed kept = {.sum = run->sum, .time_ps = run->time_ps, .sampled = run->sampled};
    if (speed_path(job, image, path, kept.hash)) return;
    memcpy(kept.kernel_ps, run->kernel_ps, sizeof kept.kernel_ps);
    text_add(&file, (const char *)&kept, sizeof kept);
    for (uint32_t k = 0; k < launched(job->lab); ++k) text_add(&file, (const char *)run->last[k], sizeof *run->last[k]);
    cache_write(job, path, &file, 0644);
    text_free(&file);
}
