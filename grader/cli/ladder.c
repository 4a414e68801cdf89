// Reads a lab's example kernels, and simulates their speedups. The series of example kernels from slow to fast is
// called the lab's ladder, and each example kernel is a rung of the ladder. The rungs of a ladder are the files in
// reference/ladder/<slug>, in the order of their names, which begin with the rung's number. The time of each example
// kernel of a ladder is its simulated time in the test case that measures speed, as in ./grade explain. The baseline's
// time comes from its record, as in a grading. The simulated times of a ladder's example kernels are cached in a file
// under a hash of their sources, the compiler, the device, the simulator and the recorded time.
#define _GNU_SOURCE
#include "cli/ladder.h"

#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/message.h"
#include "base/text.h"
#include "judge/job/record.h"
#include "judge/kernel/kernel_profile.h"
#include "report/json_value.h"

enum { PATH = 2 * CLI_PATH };
// A student's kernel reaches a rung (an example kernel of the lab's ladder) if its speedup is at least ABOUT_AS_FAST
// times the example kernel's speedup. The simulated times of two ways to write the same kernel differ by about the
// factor ABOUT_AS_FAST.
#define ABOUT_AS_FAST 0.98

struct files {
    uint32_t count;
    char path[CLI_LADDER_RUNGS + 1][PATH]; // paths of the baseline, the rungs and the reference
};

static int is_source(const struct dirent *d)
{
    const char *dot = strrchr(d->d_name, '.');
    return d->d_name[0] != '.' && dot && !strcmp(dot, ".cu");
}

// Finds the source files of the lab's baseline (its slow kernels), of the example kernels in reference/ladder/<slug>
// and of the reference solution. Returns 1 if the folder of the example kernels exists and the reference solution is
// readable.
static int find_files(const struct cli_paths *paths, const struct lab *lab, struct files *f)
{
    char folder[PATH];
    struct dirent **list;
    snprintf(folder, sizeof folder, "%s/reference/ladder/%s", paths->root, lab->slug);
    int n = scandir(folder, &list, is_source, alphasort);
    if (n < 0) return 0;
    snprintf(f->path[0], PATH, "%s/labs/%s/baseline.cu", paths->root, lab->slug);
    f->count = 1;
    for (int i = 0; i < n; ++i) {
        if (f->count < CLI_LADDER_RUNGS)
            snprintf(f->path[f->count++], PATH, "%.*s/%.255s", PATH - 300, folder, list[i]->d_name);
        free(list[i]);
    }
    free(list);
    return cli_reference_path(paths, lab, f->path[f->count++], PATH);
}

// Sets the name of an example kernel of the ladder (a rung), such as "2_padded". Sets the rung's field `about` to the
// first sentence after "Rung 2:" in the source of the example kernel.
static void describe(struct cli_ladder_rung *r, const char *path, const char *source, int last)
{
    const char *name = strrchr(path, '/') + 1, *at = strchr(source, ':');
    size_t n = 0;
    snprintf(r->name, sizeof r->name, "%.*s", last ? 9 : (int)strcspn(name, "."), last ? "reference" : name);
    if (!at || strncmp(source, "//", 2) != 0) return;
    for (at += 1 + strspn(at + 1, " "); *at && n + 1 < sizeof r->about; ++at) {
        if (*at == '.' && (at[1] == ' ' || at[1] == '\n')) break;
        if (*at == '\n' && strncmp(at, "\n// ", 4) != 0) break;
        r->about[n++] = *at == '\n' ? ' ' : *at;
        if (*at == '\n') at += 3;
    }
    r->about[n] = '\0';
}

static uint64_t time_of(const struct judge_job *job, const char *path, const struct text *source)
{
    struct judge_job other = *job;
    struct profile profile;
    struct text why = {0};
    uint64_t time = 0;
    other.source = source->data;
    other.bytes = source->length;
    other.shown = path;
    if (kernel_profile(&other, &profile, &why)) die("'%s' does not run: %s", path, why.data);
    for (uint32_t k = 0; k < profile.nkernels; ++k) time += profile.kernel[k].time_ps;
    profile_free(&profile);
    return time;
}

// Returns the baseline's recorded time in picoseconds, or 0 if no record of the baseline matches.
static uint64_t recorded_time(const struct judge_job *job, const char *baseline)
{
    struct judge_job own = *job;
    struct judge_record record;
    own.baseline = baseline;
    return judge_record_find(&own, &record) == RECORD_MATCHES ? record.time_ps : 0;
}

// ------------------------------------------------------------------------------------------------------------- cache
static void cache_path(const struct cli_paths *paths, const struct judge_job *job, const struct text *source,
                       uint32_t n, uint64_t recorded_ps, char path[PATH])
{
    struct stat self;
    uint64_t h[2] = {3, 4};
    memset(&self, 0, sizeof self);
    if (stat(paths->runner, &self)) self.st_size = 0;
    int64_t built[] = {self.st_size, self.st_mtim.tv_sec, self.st_mtim.tv_nsec, (int64_t)recorded_ps};
    for (int i = 0; i < 2; ++i) {
        for (uint32_t k = 0; k < n; ++k) h[i] = hash_bytes(source[k].data, source[k].length, h[i] + source[k].length);
        h[i] = hash_bytes(job->compiler->version, strlen(job->compiler->version), h[i]);
        if (job->device) h[i] = hash_bytes(job->device, strlen(job->device), h[i]);
        h[i] = hash_bytes(built, sizeof built, h[i]);
    }
    snprintf(path, PATH, "%s/ladder-%s-%016" PRIx64 "%016" PRIx64 ".json", paths->cache, job->lab->slug, h[0], h[1]);
}

static int recall(const char *path, uint32_t n, uint64_t *time)
{
    json_t *all = json_load_file(path, 0, NULL);
    int known = json_array_size(all) == n;
    for (uint32_t i = 0; known && i < n; ++i) {
        time[i] = (uint64_t)json_integer_value(json_array_get(all, i));
        known = time[i] > 0;
    }
    json_decref(all);
    return known;
}

static void keep(const char *path, uint32_t n, const uint64_t *time)
{
    struct text file = {0};
    json_t *all = json_array();
    for (uint32_t i = 0; i < n; ++i) json_array_append_new(all, json_integer((json_int_t)time[i]));
    write_json(all, 0, &file);
    text_write_file(&file, path, 0666);
    text_free(&file);
}

// -------------------------------------------------------------------------------------------------- the whole ladder
uint32_t cli_ladder(const struct cli_paths *paths, const struct judge_job *job,
                    struct cli_ladder_rung rung[CLI_LADDER_RUNGS])
{
    static struct files files;
    struct text source[CLI_LADDER_RUNGS + 1] = {{0}};
    uint64_t time[CLI_LADDER_RUNGS + 1] = {0};
    char cached[PATH];
    if (job->lab->host) return 0; // the rungs of a host lab are programs and have no kernel profile
    if (!find_files(paths, job->lab, &files)) return 0;
    uint32_t n = files.count;
    for (uint32_t i = 0; i < n; ++i)
        if (text_read_file(&source[i], files.path[i], COMPILE_MOST)) die("cannot read '%s'", files.path[i]);
    uint64_t recorded_ps = recorded_time(job, files.path[0]);
    cache_path(paths, job, source, n, recorded_ps, cached);
    if (!recall(cached, n, time)) {
        time[0] = recorded_ps ? recorded_ps : time_of(job, files.path[0], &source[0]);
        for (uint32_t i = 1; i < n; ++i) time[i] = time_of(job, files.path[i], &source[i]);
        keep(cached, n, time);
    }
    for (uint32_t i = 1; i < n; ++i) {
        rung[i - 1] = (struct cli_ladder_rung){.speedup = time[i] ? (double)time[0] / (double)time[i] : 0};
        describe(&rung[i - 1], files.path[i], source[i].data, i + 1 == n);
    }
    for (uint32_t i = 0; i < n; ++i) text_free(&source[i]);
    return n - 1;
}

uint32_t cli_ladder_reached(const struct cli_ladder_rung *rung, uint32_t count, double speedup)
{
    uint32_t stand = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (speedup >= rung[i].speedup * ABOUT_AS_FAST) stand = i + 1;
    // Of two rungs that are about as fast, the nearer one.
    while (stand > 1 && rung[stand - 1].speedup - speedup > fabs(speedup - rung[stand - 2].speedup)) --stand;
    return stand;
}

void cli_ladder_describe(const struct cli_ladder_rung *rung, uint32_t count, double speedup, struct text *out)
{
    uint32_t stand = cli_ladder_reached(rung, count, speedup), next = stand;
    if (!count) return;
    if (stand)
        text_say(out, "as fast as rung %" PRIu32 " of %" PRIu32 ", '%s'", stand, count, rung[stand - 1].name);
    else
        text_say(out, "below the first of %" PRIu32 " rungs", count);
    while (next < count && rung[next].speedup <= speedup) ++next;
    if (next < count)
        text_say(out, "; next: '%s', %.2f × the baseline", rung[next].name, rung[next].speedup);
    else
        text_say(out, ": the top");
}
