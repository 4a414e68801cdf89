// Theory of operation
//
// The function compile_source() checks the source, and writes the source as student.cu, together with the submission's
// headers, into a private directory (copy.c). For each image, a compiler starts in a sandbox (box.h). In the sandbox,
// the compiler can write only its image's file and temporary files. The compiler can read only the source, the
// autograder's headers (grader/kit), its own installation and the system's files. The compilers run in parallel, and
// each compiler takes half a second. Each compiler writes its image to a file in the private directory. The grader
// reads the image's file without following links. After the compilers have ended, ptxas tells how many registers the
// optimised image needs (registers.c).
//
//   source ──▶ directory/student.cu ──▶ compiler -O3 (box) ──▶ directory/optimised.ptx   ──▶ image[0]
//                                   └─▶ compiler -G  (box) ──▶ directory/unoptimised.ptx ──▶ image[1]
//
// Cause of a failure: if an error message names the source, the error is the student's. A compiler may also fail
// without an error message that names the source: by a crash, a timeout, a lack of memory or an output that is no error
// message. If the compiler fails without an error message that names the source, the grader compiles a test kernel,
// known to be correct, under the same conditions. If the test kernel compiles, the student's source caused the
// compiler's failure. If the test kernel does not compile, the machine caused the compiler's failure.
//
// No code in this folder parses an image, because an image may be hostile. Only the runner, a sandboxed process that
// executes kernels, parses images.
#define _GNU_SOURCE
#include "compile/compile.h"
#include "base/alloc.h"
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "base/utf8.h"
#include "box/box.h"
#include "compile/invocation.h"

enum {
    MESSAGES_MOST = 64 << 10,
    IMAGE_MOST = 32 << 20,    // maximum bytes of PTX; the labs' images have at most 50 KiB
    PROCESSOR_S = 20,         // processor seconds of a compiler process; usual sources take 0.5 s, sources with CUB 7 s
    WALL_S = 120,             // seconds; a compiler that gets no processor for so long is the machine's fault
    SCRATCH_MOST = 128 << 20, // maximum bytes of temporary files
};
static const uint64_t MEMORY_MOST = 3ull << 29; // maximum bytes for each image; cicc reserves much but uses 100 MiB

const char *const compile_image_name[IMAGES] = {"optimised", "unoptimised", "card"};
static const char *const image_file[IMAGES] = {"optimised.ptx", "unoptimised.ptx", "card.cubin"};

static const char PREPROCESSED[] = "student.cui";

struct work { // a compilation in progress
    const struct compiler *compiler;
    enum compile_stage stage; // STAGE_PREPROCESSED: the images are made of the file PREPROCESSED
    char directory[PATH_MAX], kit[PATH_MAX];
    struct compile_homes homes;
    struct compile_copies copies;
    struct box box[IMAGES];
    unsigned plain;      // images that nvcc makes without options for more than its usual language (plain.c)
    struct text refused; // what nvcc said of an image in `plain` that it refused for that reason alone; owned
};

static void reject(struct compile_result *result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    result->status = COMPILE_REJECTED;
    text_vsay(&result->messages, format, args);
    va_end(args);
}

static int is_blank(const char *source, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && strchr(" \t\r\n\v\f", source[i])) ++i;
    return i == bytes;
}

static void name_place(const char *source, size_t offset, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset; ++i) {
        *column = source[i] == '\n' ? 1 : *column + 1;
        *line += source[i] == '\n';
    }
}

// Checks a source before the source is compiled. Returns 1 if the source may be compiled. Returns 0 and stores a
// message in the result if the source may not be compiled.
static int check_source(const char *source, size_t bytes, const char *shown, struct compile_result *result)
{
    unsigned line, column;
    size_t bad;
    if (bytes > COMPILE_MOST) {
        reject(result, "%s:1:1: error: the file has %zu bytes, and %d are the most that is accepted\n", shown, bytes,
               COMPILE_MOST);
    } else if (bytes && memchr(source, '\0', bytes)) {
        reject(result, "%s:1:1: error: the file has NUL bytes: this is not a source file\n", shown);
    } else if ((bad = utf8_invalid(source, bytes)) < bytes) {
        struct text path = {0};
        name_place(source, bad, &line, &column);
        line = bundle_place(&(struct bundle){shown, source, bytes}, line, &path);
        reject(result, "%s:%u:%u: error: the byte 0x%02x here is not UTF-8: save the file in that encoding\n",
               path.data, line, column, (unsigned char)source[bad]);
        text_free(&path);
    } else if (is_blank(source, bytes)) {
        reject(result, "%s:1:1: error: the file is empty\n", shown);
    } else {
        return 1;
    }
    return 0;
}

// Makes an empty file that the compiler may write. Returns 0, or a nonzero value if the file cannot be made.
static int make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    int failed = fchmod(fd, 0666); // the directory is closed to other users
    return close(fd) || failed ? -1 : 0;
}

unsigned compile_ptx_for(const struct compiler *compiler, enum compile_image image)
{
    return image == IMAGE_CARD && compiler->capability < COMPILE_PTX ? compiler->capability : COMPILE_PTX;
}

// Starts a compiler that reads `source` and writes `output`, both in the private directory. Returns 0, or -1 and a
// sentence in *why.
static int start(struct work *work, const struct invocation *call, const char *source, const char *output,
                 struct box *box, struct text *why)
{
    char from[PATH_MAX + 16], to[PATH_MAX + 16];
    snprintf(from, sizeof from, "%s/%s", work->directory, source);
    snprintf(to, sizeof to, "%s/%s", work->directory, output);
    const char *readable[BUNDLE_HEADERS + 5] = {from, work->kit};
    unsigned count = 2;
    for (unsigned i = 0; i < work->copies.headers; ++i) readable[count++] = work->copies.header[i];
    if (work->homes.compiler[0]) readable[count++] = work->homes.compiler;
    if (work->homes.host[0]) readable[count++] = work->homes.host;
    const char *const writable[] = {to, NULL};
    unlink(to);
    if (make_file(to)) {
        text_say(why, "cannot write '%s': %s", to, strerror(errno));
        return -1;
    }
    struct box_spec spec = {
        .argv = call->argv,
        .directory = work->directory,
        .scratch = SCRATCH_MOST,
        .readable = readable,
        .writable = writable,
        .output = MESSAGES_MOST,
        .wall_s = WALL_S,
        .cpu_s = PROCESSOR_S,
        .address_space = MEMORY_MOST,
        .file_size = IMAGE_MOST,
    };
    return box_start(&spec, box, why);
}

static int start_image(struct work *work, enum compile_image image, struct text *why)
{
    struct invocation *call = alloc_zeroed(1, sizeof *call);
    const char *source = work->stage == STAGE_PREPROCESSED ? PREPROCESSED : COMPILE_SOURCE;
    if (work->compiler->kind == COMPILE_NVCC)
        compile_nvcc_invocation(call, work->compiler, work->kit, image, work->plain >> image & 1, image_file[image]);
    else
        compile_clang_invocation(call, work->compiler, work->kit, image, work->stage, source, image_file[image]);
    int failed = start(work, call, source, image_file[image], &work->box[image], why);
    free(call);
    return failed;
}

// Starts a compiler for each image and waits until all compilers have ended. Returns 0. If the machine fails, returns
// -1 and stores a sentence in *why.
static int run_compilers(struct work *work, unsigned images, struct text *why)
{
    struct box *running[IMAGES];
    unsigned count = 0;
    int failed = 0;
    for (int image = 0; image < IMAGES && !failed; ++image) {
        if (!(images & 1u << image)) continue;
        failed = start_image(work, (enum compile_image)image, why);
        running[count++] = &work->box[image];
    }
    if (!failed) box_wait(running, count);
    return failed;
}

// Preprocesses the source with clang and writes the file PREPROCESSED, rewritten so that clang accepts what nvcc
// accepts. Returns 0. If not the source but the machine causes an error, returns -1 and stores a sentence in *why.
static int preprocess(struct work *work, struct text *why)
{
    struct invocation *call = alloc_zeroed(1, sizeof *call);
    struct box box, *const running[] = {&box};
    char path[PATH_MAX + 16];
    compile_clang_invocation(call, work->compiler, work->kit, IMAGE_OPTIMISED, STAGE_PREPROCESS, COMPILE_SOURCE,
                             PREPROCESSED);
    int failed = start(work, call, COMPILE_SOURCE, PREPROCESSED, &box, why);
    free(call);
    if (failed) return -1;
    box_wait(running, 1);
    box_free(&box);
    snprintf(path, sizeof path, "%s/%s", work->directory, PREPROCESSED);
    int error = compile_rewrite_file(path);
    if (error) text_say(why, "cannot write '%s': %s", path, strerror(error));
    return error ? -1 : 0;
}

// Returns the position where the output starts to describe a crash of the compiler, or NULL if there is no such
// description. A description of a crash does not help a student.
static const char *find_crash(const struct text *output)
{
    static const char *const mark[] = {"PLEASE submit a bug report", "Stack dump:", "LLVM ERROR:", "nvcc error   :",
                                       "Segmentation fault",         "Aborted",     "Killed"};
    const char *first = NULL;
    for (size_t i = 0; output->data && i < sizeof mark / sizeof *mark; ++i) {
        const char *at = strstr(output->data, mark[i]);
        if (at && (!first || at < first)) first = at;
    }
    return first;
}

static int names_source(const struct text *output)
{
    return output->data && strstr(output->data, COMPILE_SOURCE) && strstr(output->data, "error");
}

// Returns 1 if a compiler ended without an error message about the source, although it had not used up its processor
// time. The cause may be the source or a passing shortage of the machine, such as too little memory.
static int gave_up(const struct work *work, unsigned images)
{
    for (int image = 0; image < IMAGES; ++image) {
        const struct box *box = &work->box[image];
        if (!(images & 1u << image) || box->cpu_s >= PROCESSOR_S - 1) continue;
        int abnormal = box->end == BOX_SIGNALLED || (box->end == BOX_EXITED && box->code);
        if (abnormal && (!names_source(&box->output) || find_crash(&box->output))) return 1;
    }
    return 0;
}

static void forget_boxes(struct work *work, unsigned images)
{
    for (int image = 0; image < IMAGES; ++image) {
        if (!(images & 1u << image)) continue;
        if (work->box[image].start_ns) box_free(&work->box[image]);
        work->box[image] = (struct box){0};
    }
}

// Compiles the unoptimised image with all options, if nvcc refused it only for want of them. Returns as
// run_compilers().
static int retry_plain(struct work *work, struct text *why)
{
    const struct box *box = &work->box[IMAGE_UNOPTIMISED];
    if (!work->plain || !box->code || !compile_plain_refuses(&box->output)) return 0;
    text_add(&work->refused, box->output.data, box->output.length);
    forget_boxes(work, work->plain);
    unsigned again = work->plain;
    work->plain = 0;
    return run_compilers(work, again, why);
}

// Makes all images. If a compiler gave up, makes the images a second time, because only what happens twice may be held
// against the source. If clang refuses code that nvcc accepts, makes the images again from rewritten code. Returns 0.
// If not the source but the machine causes an error, returns -1 and stores a sentence in *why.
static int make_images(struct work *work, unsigned images, struct text *why)
{
    const unsigned both = 1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED;
    int refused = 0;
    if (work->compiler->kind == COMPILE_NVCC && (images & both) == both) work->plain = 1u << IMAGE_UNOPTIMISED;
    if (run_compilers(work, images, why)) return -1;
    if (gave_up(work, images)) {
        forget_boxes(work, images);
        if (run_compilers(work, images, why)) return -1;
    }
    if (retry_plain(work, why)) return -1;
    for (int image = 0; image < IMAGES && work->compiler->kind == COMPILE_CLANG; ++image)
        refused |= compile_rewrite_wanted(&work->box[image].output);
    if (!refused) return 0;
    forget_boxes(work, images);
    work->stage = STAGE_PREPROCESSED;
    return preprocess(work, why) || run_compilers(work, images, why) ? -1 : 0;
}

// Reads an image, that is, one compiled output of the submission's source, into `out`. Returns 0, or -1 if the compiler
// wrote no image, whatever the compiler's exit status is.
static int read_image(const struct work *work, enum compile_image image, struct text *out)
{
    char path[PATH_MAX + 16];
    struct text raw = {0};
    snprintf(path, sizeof path, "%s/%s", work->directory, image_file[image]);
    int error = text_read_file(&raw, path, IMAGE_MOST - 1); // a file of IMAGE_MOST bytes was cut off by the sandbox
    if (!error && image == IMAGE_CARD) text_add(out, raw.data, raw.length);
    if (raw.length && image == IMAGE_OPTIMISED)
        compile_registers_count(work->compiler, work->directory, image_file[image], work->homes.compiler, out);
    if (!error && image != IMAGE_CARD) compile_paths_rewrite_image(out, &raw, work->directory, work->kit);
    text_free(&raw);
    return error || !out->length ? -1 : 0;
}

// Lists the folders of the autograder's headers and of the compiler, which the compiler in the sandbox must be able to
// read. Returns 0, or -1 and a sentence in *why.
static int place(struct work *work, const struct compiler *compiler, const char *kit, struct text *why)
{
    char made[BOX_PATH];
    work->compiler = compiler;
    if (!realpath(kit, work->kit)) {
        text_say(why, "the kit's headers are not in '%s': %s", kit, strerror(errno));
        return -1;
    }
    if (box_directory_make(made, why)) return -1;
    if (!realpath(made, work->directory)) die("cannot resolve '%s': %s", made, strerror(errno));
    compile_find_homes(compiler, &work->homes);
    return 0;
}

static void clear(struct work *work)
{
    for (int image = 0; image < IMAGES; ++image)
        if (work->box[image].start_ns) box_free(&work->box[image]);
    if (work->directory[0]) box_directory_remove(work->directory);
    text_free(&work->refused);
}

// Compiles a test kernel, known to be correct, under the same conditions as the student's source. Returns 1 if the test
// kernel compiles.
static int compiler_works(const struct compiler *compiler, const char *kit, struct text *why)
{
    static const char good[] = "extern \"C\" __global__ void copy(const float *in, float *out) "
                               "{ out[threadIdx.x] = in[threadIdx.x]; }\n";
    struct work *work = alloc_zeroed(1, sizeof *work);
    struct text image = {0};
    int works = !place(work, compiler, kit, why) &&
                !compile_copy_bundle(work->directory, work->kit, good, sizeof good - 1, &work->copies) &&
                !run_compilers(work, 1u << IMAGE_OPTIMISED, why) && !read_image(work, IMAGE_OPTIMISED, &image) &&
                work->box[0].end == BOX_EXITED && !work->box[0].code;
    if (!works && !why->length && work->box[0].output.length) {
        struct text said = {0};
        compile_paths_rewrite_messages(&said, &work->box[0].output, work->directory, work->kit,
                                       &(struct bundle){_("a test kernel"), NULL, 0});
        const char *first = said.data ? strstr(said.data, "error") : NULL; // the line with the first error
        while (first && first > said.data && first[-1] != '\n') --first;
        if (!first) first = said.data ? said.data : "";
        text_printf(why, "%.*s", (int)strcspn(first, "\n"), first);
        text_free(&said);
    }
    text_free(&image);
    clear(work);
    free(work);
    return works;
}

static void fail(struct compile_result *result, const struct compiler *compiler, const struct text *why)
{
    result->status = COMPILE_FAILED;
    text_free(&result->messages);
    text_say(&result->messages, "%s ('%s') does not work here: %s", compiler->version, compiler->path,
             why->length ? why->data : _("it made no image of a kernel known to be good"));
}

// Writes a message to the student about a compiler that the source caused to stop or crash.
static void say_abnormal(const struct box *box, const char *shown, struct compile_result *result)
{
    switch (box->end) {
    case BOX_TIMEOUT:
        reject(result, "%s:1:1: error: the compiler was stopped after %d s\n", shown, WALL_S);
        break;
    case BOX_FLOODED:
        reject(result, "%s:1:1: error: the compiler printed more than %d KiB and was stopped\n", shown,
               MESSAGES_MOST >> 10);
        break;
    case BOX_RUNNING:
    case BOX_EXITED:
    case BOX_ASLEEP:
    case BOX_CROWDED:
    case BOX_SIGNALLED: {
        int too_long = box->cpu_s >= PROCESSOR_S - 1;
        if (too_long)
            reject(result, "%s:1:1: error: the compiler was stopped after %d s\n", shown, PROCESSOR_S);
        else
            reject(result, "%s:1:1: error: the compiler gave up on this source: it ran out of memory, or crashed\n",
                   shown);
        break;
    }
    }
}

// Fills in the compile_result from the exit states of all compilers.
static void judge(struct work *work, unsigned images, const struct bundle *shown, const char *kit,
                  struct compile_result *result)
{
    const struct box *bad = NULL;
    const struct box *first = NULL;
    for (int image = 0; image < IMAGES; ++image) {
        if (!(images & 1u << image)) continue;
        const struct box *box = &work->box[image];
        first = first ? first : box;
        if (box->level < result->level) result->level = box->level;
        result->cpu_s += box->cpu_s;
        int good =
            box->end == BOX_EXITED && !box->code && !read_image(work, (enum compile_image)image, &result->image[image]);
        if (!good && !bad) bad = box;
    }
    const struct box *speaks = bad ? bad : first;
    if (speaks) compile_paths_rewrite_messages(&result->messages, &speaks->output, work->directory, work->kit, shown);
    result->status = COMPILED;
    if (work->refused.length) {
        struct text said = {0};
        compile_paths_rewrite_messages(&said, &work->refused, work->directory, work->kit, shown);
        compile_plain_warn(&result->messages, &said);
        text_free(&said);
    }
    if (!bad) return;
    result->status = COMPILE_REJECTED;
    const char *crash = find_crash(&result->messages);
    if (bad->end == BOX_EXITED && names_source(&bad->output) && !crash) {
        compile_explain(&result->messages, work->compiler->version, 1);
        return;
    }
    if (crash) result->messages.length = (size_t)(crash - result->messages.data);
    struct text why = {0};
    int busy = bad->end == BOX_TIMEOUT && bad->cpu_s < PROCESSOR_S / 2;
    if (busy) text_say(&why, "it had only %.0f of %d s of a processor: the machine is too busy", bad->cpu_s, WALL_S);
    if (!busy && compiler_works(work->compiler, kit, &why))
        say_abnormal(bad, shown->shown, result);
    else
        fail(result, work->compiler, &why);
    text_free(&why);
}

void compile_source(const struct compiler *compiler, const char *source, size_t bytes, const char *shown,
                    const char *kit, unsigned images, struct compile_result *result)
{
    *result = (struct compile_result){.status = COMPILED, .level = box_level_here()};
    if (!check_source(source, bytes, shown, result)) return;
    struct work *work = alloc_zeroed(1, sizeof *work);
    struct text why = {0};
    int failed = place(work, compiler, kit, &why);
    if (!failed && compile_copy_bundle(work->directory, work->kit, source, bytes, &work->copies)) {
        text_say(&why, "cannot write to '%s': %s", work->directory, strerror(errno));
        failed = 1;
    }
    if (!failed) failed = make_images(work, images, &why);
    if (failed)
        fail(result, compiler, &why);
    else
        judge(work, images, &(struct bundle){shown, source, bytes}, kit, result);
    if (result->status != COMPILED)
        for (int image = 0; image < IMAGES; ++image) text_free(&result->image[image]);
    clear(work);
    free(work);
    text_free(&why);
}

void compile_result_free(struct compile_result *result)
{
    for (int image = 0; image < IMAGES; ++image) text_free(&result->image[image]);
    text_free(&result->messages);
}
