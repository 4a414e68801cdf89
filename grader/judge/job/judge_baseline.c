// Compiles the baseline of a lab (its slow kernels or program, with which submissions are compared), or reads the
// compiled baseline from the cache.
//
// The copy of the grader that students get does not contain the source baseline.cu. Instead of baseline.cu, students
// get the compiler's output: baseline.nvcc.ptx or baseline.clang.ptx, which the driver of a GPU compiles, and for host
// labs a program for each processor, such as baseline.x86_64.program.
#include "judge/job/judge_baseline.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "judge/job/cache.h"

// Compiles the grader's own source text `source` to an image (PTX or a cubin), or reads the image from the cache.
// Appends the compiled image to `image`. Calls die() if `source` does not compile.
static void image_of(const struct cache_recipe *r, const struct text *source, const char *shown,
                     enum compile_image which, struct text *image)
{
    char path[CACHE_PATH];
    int kept = !cache_path(r, path);
    if (kept && !text_read_file(image, path, CACHE_FILE_MOST) && image->length) return;
    text_free(image);
    struct compile_result result;
    compile_source(r->compiler, source->data, source->length, shown, r->job->kit, 1u << which, &result);
    if (result.status == COMPILE_FAILED) die("%s", result.messages.data);
    if (result.status != COMPILED) die("'%s' does not compile: %s", shown, result.messages.data);
    text_add(image, result.image[which].data, result.image[which].length);
    compile_result_free(&result);
    if (kept) cache_write(r->job, path, image, 0644);
}

// Writes the path of a compiled baseline, the lab's own slow kernels or program, to `path`. In the copy of the grader
// that students get, the file "<lab>/baseline.<what>" replaces the baseline's source. Calls die() if the path is too
// long.
static void made_path(const struct judge_job *job, const char *what, char path[CACHE_PATH])
{
    const char *dot = strrchr(job->baseline, '.');
    int length = dot ? (int)(dot - job->baseline) : (int)strlen(job->baseline);
    if (snprintf(path, CACHE_PATH, "%.*s.%s", length, job->baseline, what) >= CACHE_PATH)
        die("the path '%.60s…' is too long", path);
}

// Reads the baseline's PTX, which replaces the baseline's source in the copy of the grader that students get. Prefers
// the PTX that was made with the student's compiler, nvcc or clang. If there is no PTX of the student's compiler, reads
// the PTX of the other compiler. Returns 1 if a PTX file was read, else 0.
static int made_image(const struct judge_job *job, const struct compiler *compiler, struct text *image)
{
    static const char *const kind[] = {"clang.ptx", "nvcc.ptx"};
    int first = compiler->kind == COMPILE_NVCC;
    char path[CACHE_PATH];
    for (int i = 0; i < 2; ++i) {
        made_path(job, kind[i ? !first : first], path);
        if (!text_read_file(image, path, CACHE_FILE_MOST) && image->length) return 1;
        text_free(image);
    }
    return 0;
}

void judge_baseline_image(const struct judge_job *job, const struct compiler *compiler, enum compile_image which,
                          struct text *image)
{
    // "card_90": an image for a GPU of compute capability 9.0; "sm_90.ptx": PTX, with register counts for compute
    // capability 9.0
    char target[24];
    struct cache_recipe r = {.job = job, .compiler = compiler, .suffix = target};
    snprintf(target, sizeof target, which == IMAGE_CARD ? "card_%u" : "sm_%u.ptx", compiler->capability);
    int error = cache_add_file(&r, job->baseline);
    if (error == ENOENT && which != IMAGE_UNOPTIMISED && made_image(job, compiler, image)) return;
    if (error) die("cannot read the baseline '%s': %s", job->baseline, strerror(error));
    cache_add_kit(&r, "warpwise");
    image_of(&r, &r.part[0], job->baseline, which, image);
    cache_recipe_free(&r);
}

// ---------------------------------------------------------------------------------------------- baselines of host labs
void judge_baseline_kernel(const struct judge_job *job, struct text *image)
{
    struct cache_recipe r = {.job = job, .compiler = job->compiler, .suffix = "ptx"};
    struct text source = {0};
    char name[64];
    snprintf(name, sizeof name, "%s.h", job->lab->name);
    text_printf(&source, "#include \"%s\"\n", name);
    cache_add_kit(&r, job->lab->name);
    image_of(&r, &source, name, IMAGE_OPTIMISED, image);
    text_free(&source);
    cache_recipe_free(&r);
}

static void make_program(const struct judge_job *job, struct program *program)
{
    struct program_spec spec = {.file = &job->baseline,
                                .files = 1,
                                .kit = job->kit,
                                .cudart = job->cudart,
                                .before = job->main,
                                .open = job->open};
    compile_program(job->compiler, &spec, program);
    if (program->status != COMPILED) die("the baseline does not build: %s", program->messages.data);
}

void judge_baseline_program(const struct judge_job *job, struct judge_baseline *p)
{
    struct utsname here;
    char what[sizeof here.machine + sizeof ".program"];
    struct cache_recipe r = {.job = job, .compiler = job->compiler, .suffix = what};
    struct text binary = {0};
    *p = (struct judge_baseline){.path = ""};
    uname(&here);
    snprintf(what, sizeof what, "%s.program", here.machine);
    int error = cache_add_file(&r, job->baseline);
    if (error == ENOENT) {
        made_path(job, what, p->path);
        if (!access(p->path, X_OK)) return;
    }
    if (error) die("cannot read the baseline '%s': %s", job->baseline, strerror(error));
    cache_add_file(&r, job->main);
    cache_add_kit(&r, job->lab->name);
    int kept = !cache_path(&r, p->path);
    cache_recipe_free(&r);
    if (kept && !access(p->path, X_OK)) return;
    make_program(job, &p->made);
    if (text_read_file(&binary, p->made.path, CACHE_FILE_MOST)) die("the baseline's program cannot be read");
    if (!kept || cache_write(job, p->path, &binary, 0755)) snprintf(p->path, sizeof p->path, "%s", p->made.path);
    text_free(&binary);
}

void judge_baseline_free(struct judge_baseline *p)
{
    compile_program_free(&p->made);
}
