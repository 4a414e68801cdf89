// A baseline's image lies in <cache>/<slug>-<hash>.<ptx or sm_NN>. The hash is of everything that it depends on:
// source, headers of the kit, compiler, version. A file appears whole or not at all (written aside, then renamed), so
// runs side by side do no harm; a folder that cannot be written costs time and nothing else.
//
// What the simulator says of a baseline's speed is the same each time, and costs from a fifth to two thirds of a
// grading: it lies in <cache>/<slug>-<device>-<seed>.speed, one file whatever else changes, with a hash of that inside.
//
// A kit for students has no baseline.cu but what was made of it: baseline.nvcc.ptx or baseline.clang.ptx, for host labs
// baseline.program.
#define _GNU_SOURCE
#include "judge/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/hash.h"

enum { PATH = 4096, KEPT_MOST = 32 << 20, HEADER_MOST = 1 << 20, PARTS = 4 };

// What is kept: made by one compiler from some texts. `suffix`: "ptx", "card_90".
struct recipe {
    const struct judge_job *job;
    const struct compiler *compiler;
    const char *suffix;
    struct text part[PARTS];
    unsigned parts;
};

static uint64_t hash_text(uint64_t h, const char *data, size_t length)
{
    return hash_bytes(data, length, h + length);
}

// A text that the result depends on; one that is not there counts as empty. Errno, or 0.
static int add_part(struct recipe *r, const char *path)
{
    BUG_ON(r->parts == PARTS);
    struct text *part = &r->part[r->parts++];
    int error = text_read_file(part, path, HEADER_MOST);
    if (error) text_free(part);
    return error;
}

static void add_kit(struct recipe *r, const char *name)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s.h", r->job->kit, name);
    add_part(r, path);
}

static void recipe_free(struct recipe *r)
{
    for (unsigned i = 0; i < r->parts; ++i) text_free(&r->part[i]);
}

static void recipe_hash(const struct recipe *r, uint64_t h[2])
{
    for (int i = 0; i < 2; ++i) {
        h[i] = (uint64_t)i + 1;
        for (unsigned k = 0; k < r->parts; ++k)
            h[i] = hash_text(h[i], r->part[k].data ? r->part[k].data : "", r->part[k].length);
        h[i] = hash_text(h[i], r->compiler->path, strlen(r->compiler->path));
        h[i] = hash_text(h[i], r->compiler->version, strlen(r->compiler->version));
    }
}

// Where it is kept. 0; or -1: nowhere.
static int path_of(const struct recipe *r, char path[PATH])
{
    const struct judge_job *job = r->job;
    uint64_t h[2];
    if (!job->cache) return -1;
    recipe_hash(r, h);
    int length = snprintf(path, PATH, "%s/%s-%016" PRIx64 "%016" PRIx64 ".%s", job->cache, job->lab->slug, h[0], h[1],
                          r->suffix);
    return length < PATH - 32 ? 0 : -1;
}

static int keep(const struct judge_job *job, const char *path, const struct text *data, unsigned mode)
{
    mkdir(job->cache, 0777);
    return text_write_file(data, path, mode);
}

// Compiles one text of ours to an image, or takes what was kept.
static void image_of(const struct recipe *r, const struct text *source, const char *shown, enum compile_image which,
                     struct text *image)
{
    char path[PATH];
    int kept = !path_of(r, path);
    if (kept && !text_read_file(image, path, KEPT_MOST) && image->length) return;
    text_free(image);
    struct compile_result result;
    compile_source(r->compiler, source->data, source->length, shown, r->job->kit, 1u << which, &result);
    if (result.status == COMPILE_FAILED) die("%s", result.messages.data);
    if (result.status != COMPILED) die("'%s' does not compile: %s", shown, result.messages.data);
    text_add(image, result.image[which].data, result.image[which].length);
    compile_result_free(&result);
    if (kept) keep(r->job, path, image, 0644);
}

// The path of what a kit has in place of the baseline's source: "<lab>/baseline.<what>".
static void made_path(const struct judge_job *job, const char *what, char path[PATH])
{
    const char *dot = strrchr(job->baseline, '.');
    int length = dot ? (int)(dot - job->baseline) : (int)strlen(job->baseline);
    if (snprintf(path, PATH, "%.*s.%s", length, job->baseline, what) >= PATH)
        die("the path '%.60s…' is too long", path);
}

// The baseline's PTX as the kit has it: the student's compiler's, else the other's. 1: it is there.
static int made_image(const struct judge_job *job, const struct compiler *compiler, struct text *image)
{
    static const char *const kind[] = {"clang.ptx", "nvcc.ptx"};
    int first = compiler->kind == COMPILE_NVCC;
    char path[PATH];
    for (int i = 0; i < 2; ++i) {
        made_path(job, kind[i ? !first : first], path);
        if (!text_read_file(image, path, KEPT_MOST) && image->length) return 1;
        text_free(image);
    }
    return 0;
}

void judge_baseline_image(const struct judge_job *job, const struct compiler *compiler, enum compile_image which,
                          struct text *image)
{
    char target[24]; // "card_90": for a card of that capability; "sm_90.ptx": with the registers that it takes there
    struct recipe r = {.job = job, .compiler = compiler, .suffix = target};
    snprintf(target, sizeof target, which == IMAGE_CARD ? "card_%u" : "sm_%u.ptx", compiler->capability);
    int error = add_part(&r, job->baseline);
    if (error == ENOENT && which == IMAGE_OPTIMISED && made_image(job, compiler, image)) return;
    if (error) die("cannot read the baseline '%s': %s", job->baseline, strerror(error));
    add_kit(&r, "warpwise");
    image_of(&r, &r.part[0], job->baseline, which, image);
    recipe_free(&r);
}

// -------------------------------------------------------------------------------------------------- a baseline's speed
struct kept_speed { // the file; as many observations follow as kernels were launched, in order
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

// Which file a program is: a build's output is a new file, or changed at another time. 0; or -1.
static int add_program(struct recipe *r, const char *path)
{
    struct stat s;
    struct text *part = &r->part[r->parts++];
    if (stat(path, &s)) return -1;
    const uint64_t what[] = {s.st_dev, s.st_ino, (uint64_t)s.st_size, (uint64_t)s.st_ctim.tv_sec,
                             (uint64_t)s.st_ctim.tv_nsec};
    text_add(part, (const char *)what, sizeof what);
    return 0;
}

// 0 with the file's path and what it must begin with; or -1: nothing is kept.
static int speed_path(const struct judge_job *job, const struct text *image, char path[PATH], uint64_t hash[2])
{
    struct recipe r = {.job = job, .compiler = job->compiler, .suffix = "speed"};
    text_add(&r.part[r.parts++], image->data, image->length);
    int failed = add_program(&r, job->runner[0]) || add_program(&r, "/proc/self/exe");
    recipe_hash(&r, hash);
    recipe_free(&r);
    int length = job->cache ? snprintf(path, PATH, "%s/%s-%s-%" PRIu64 ".speed", job->cache, job->lab->slug,
                                       job->device ? job->device : "default", job->seed)
                            : PATH;
    return failed || length >= PATH - 32 || (job->device && strchr(job->device, '/')) ? -1 : 0;
}

int judge_kept_speed(const struct judge_job *job, const struct text *image, struct speed_run *run)
{
    char path[PATH];
    uint64_t hash[2];
    struct text file = {0};
    struct kept_speed kept;
    if (speed_path(job, image, path, hash)) return 0;
    size_t bytes = sizeof kept + launched(job->lab) * sizeof *run->last[0];
    int there = !text_read_file(&file, path, bytes) && file.length == bytes && !memcmp(file.data, hash, sizeof hash);
    if (there) {
        memcpy(&kept, file.data, sizeof kept);
        *run = (struct speed_run){.sum = kept.sum, .time_ps = kept.time_ps, .sampled = (int)kept.sampled};
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

void judge_keep_speed(const struct judge_job *job, const struct text *image, const struct speed_run *run)
{
    char path[PATH];
    struct text file = {0};
    struct kept_speed kept = {.sum = run->sum, .time_ps = run->time_ps, .sampled = run->sampled};
    if (speed_path(job, image, path, kept.hash)) return;
    memcpy(kept.kernel_ps, run->kernel_ps, sizeof kept.kernel_ps);
    text_add(&file, (const char *)&kept, sizeof kept);
    for (uint32_t k = 0; k < launched(job->lab); ++k) text_add(&file, (const char *)run->last[k], sizeof *run->last[k]);
    keep(job, path, &file, 0644);
    text_free(&file);
}

// ----------------------------------------------------------------------------------------------------------- host labs
void judge_given_image(const struct judge_job *job, struct text *image)
{
    struct recipe r = {.job = job, .compiler = job->compiler, .suffix = "ptx"};
    struct text source = {0};
    char name[64];
    snprintf(name, sizeof name, "%s.h", job->lab->name);
    text_printf(&source, "#include \"%s\"\n", name);
    add_kit(&r, job->lab->name);
    image_of(&r, &source, name, IMAGE_OPTIMISED, image);
    text_free(&source);
    recipe_free(&r);
}

static void make_program(const struct judge_job *job, struct program *program)
{
    struct program_spec spec = {.file = &job->baseline,
                                .files = 1,
                                .kit = job->kit,
                                .include = job->include,
                                .cudart = job->cudart,
                                .before = job->main,
                                .open = job->open};
    compile_program(job->compiler, &spec, program);
    if (program->status != COMPILED) die("the baseline does not build: %s", program->messages.data);
}

void judge_baseline_program(const struct judge_job *job, struct judge_program *p)
{
    struct recipe r = {.job = job, .compiler = job->compiler, .suffix = "program"};
    struct text binary = {0};
    *p = (struct judge_program){.path = ""};
    int error = add_part(&r, job->baseline);
    if (error == ENOENT) {
        made_path(job, "program", p->path);
        if (!access(p->path, X_OK)) return;
    }
    if (error) die("cannot read the baseline '%s': %s", job->baseline, strerror(error));
    add_part(&r, job->main);
    add_kit(&r, job->lab->name);
    int kept = !path_of(&r, p->path);
    recipe_free(&r);
    if (kept && !access(p->path, X_OK)) return;
    make_program(job, &p->made);
    if (text_read_file(&binary, p->made.path, KEPT_MOST)) die("the baseline's program cannot be read");
    if (!kept || keep(job, p->path, &binary, 0755)) snprintf(p->path, sizeof p->path, "%s", p->made.path);
    text_free(&binary);
}

void judge_program_free(struct judge_program *p)
{
    compile_program_free(&p->made);
}
