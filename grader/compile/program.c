// Theory of operation
//
// A program's PTX is for compute_80, or for the compute capability of an older device, because an older device refuses
// PTX for compute_80. If nvcc no longer supports an old device, the grader reports that the machine lacks a compiler
// for the device, and does not blame the program.
//
// nvcc builds a program with one command. A program that nvcc builds here contains PTX and no machine code. The
// simulator does not need machine code, and making machine code would take most of the time. The program is linked with
// the shared library of the CUDA runtime (libcudart.so). If the program has several files, nvcc also makes relocatable
// device code.
//
// The compiler clang cannot embed PTX in a program without NVIDIA's tools. Clang therefore only compiles each source
// file to PTX and host code, and the code in program.c writes the fat binaries (containers of PTX).
//
//   each file.cu ──clang, device pass──▶ N.ptx ──here──▶ N.fatbin, with all texts ─┐
//   each file.cu ──clang, host pass, with its fat binary──────────────────────────┴─▶ N.o ──clang──▶ program
//
// If there are several files, their PTX texts have the flag FATBIN_RELOCATABLE, and libcudart links texts with this
// flag. Each fat binary contains the PTX of its own source file, and then the PTX of all other source files. A fat
// binary with the PTX of only one source file would not be enough for linking, because clang registers no fat binary
// for a source file without kernels. Clang's option -fgpu-rdc is not used, because -fgpu-rdc gives static kernels and
// variables names that the host pass does not know. Without -fgpu-rdc, all names in the PTX are the names that the host
// code registers. mark_local_names() appends the source file's number to each name in the PTX that is local to the
// source file, such as a static function.
//
// The debug information names the private directory, whose name is random. A build ID would be a checksum of it, so
// programs have none: a stripped program is then the same bytes each time.
//
// Each step of the build runs in a sandbox that can write only to a private directory. If a program has one .cu file as
// its only source, the grader copies that file to the private directory under a fixed name. If a program has several
// source files, or a source file that is not a .cu file, the compiler reads each source file in its own folder. Names
// that a shell would interpret are refused, because nvcc runs its tools in a shell.
#define _GNU_SOURCE
#include "compile/program.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/encoding.h"
#include "base/fatbin.h"
#include "base/message.h"
#include "base/text.h"
#include "compile/invocation.h"
#include "compile/word.h"

enum {
    MESSAGES_MOST = 64 << 10,
    PROCESSOR_S = 60, // processor seconds of a process; headers of the C++ library take 1 to 2 s
    GRADED_S = 20,    // processor seconds of a process for a submission
    GRADED_FILE = 64 << 20,
    WALL_S = 120,
    SOURCE_MOST = 4 << 20,
    ABOVE_MOST = 5, // maximum number of folders above a source that are searched for a folder Common
};
static const uint64_t MEMORY_MOST = 4ull << 30;

struct build {
    unsigned capability; // compute capability of the PTX
    const struct compiler *compiler;
    const struct program_spec *spec;
    struct program *out;
    char source[PROGRAM_FILES][PATH_MAX];         // path of the source for the compiler
    char folder[PROGRAM_FILES][PATH_MAX];         // folder of the source
    char include_folder[PROGRAM_WORDS][PATH_MAX]; // the user's -I folders, and Common of the samples
    unsigned include_folders;
    char kit[PATH_MAX], cudart[PATH_MAX];
    struct compile_homes homes;
    char before[PATH_MAX]; // file to include before each .cu file; empty: none
};
static void reject(struct program *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    out->status = COMPILE_REJECTED;
    text_vsay(&out->messages, format, args);
    va_end(args);
}

static void fail(struct program *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    out->status = COMPILE_FAILED;
    text_free(&out->messages);
    text_vsay(&out->messages, format, args);
    va_end(args);
}

// ------------------------------------------------------------------------------------------------------- running
// Appends the compilers' messages to the program's messages. If the program has a single source file, the compilers
// read a copy of this file. In the compilers' messages, add_messages() replaces the copy's name by the name that the
// user gave the source file.
static void add_messages(struct build *b, const struct text *said)
{
    const char *shown = b->spec->files == 1 ? b->spec->file[0] : COMPILE_SOURCE;
    struct text text = {0};
    compile_paths_rewrite_messages(&text, said, b->out->directory, b->kit,
                                   &(struct bundle){shown, b->spec->source, b->spec->bytes});
    if (text.length) text_add(&b->out->messages, text.data, text.length);
    text_free(&text);
}

// Runs one step of the build. Returns 0, or -1 with b->out->status set if the program cannot be built.
static int run(struct build *b, const struct invocation *w)
{
    struct text why = {0};
    struct box box;
    const char *readable[PROGRAM_FILES + PROGRAM_WORDS + 8] = {b->kit, b->cudart};
    unsigned count = 2;
    if (b->before[0]) readable[count++] = b->before;
    if (b->homes.compiler[0]) readable[count++] = b->homes.compiler;
    if (b->homes.host[0]) readable[count++] = b->homes.host;
    for (unsigned i = 0; i < b->spec->files && !b->spec->source; ++i)
        if (!i || strcmp(b->folder[i], b->folder[i - 1]) != 0) readable[count++] = b->folder[i];
    for (unsigned i = 0; i < b->include_folders; ++i) readable[count++] = b->include_folder[i];
    struct box_spec spec = {.argv = w->argv,
                            .directory = b->out->directory,
                            .readable = readable,
                            .output = MESSAGES_MOST,
                            .wall_s = WALL_S,
                            .cpu_s = b->spec->graded ? GRADED_S : PROCESSOR_S,
                            .address_space = MEMORY_MOST,
                            .file_size = b->spec->graded ? GRADED_FILE : 0,
                            .open = b->spec->open};
    if (box_run(&spec, &box, &why)) {
        fail(b->out, "%s", why.data ? why.data : _("the compiler does not start"));
        text_free(&why);
        return -1;
    }
    if (box.level < b->out->level) b->out->level = box.level;
    b->out->cpu_s += box.cpu_s;
    add_messages(b, &box.output);
    int failed = box.end != BOX_EXITED || box.code;
    if (failed && box.end != BOX_EXITED)
        reject(b->out, "error: the compiler was stopped after %.0f s of at most %d\n", box.wall_s, WALL_S);
    else if (failed)
        b->out->status = COMPILE_REJECTED;
    if (failed && !b->out->messages.length) reject(b->out, "error: the compiler ended with code %d\n", box.code);
    box_free(&box);
    return failed ? -1 : 0;
}

// -------------------------------------------------------------------------------------------------------- sources
static int is_plain(const char *path)
{
    for (; *path; ++path)
        if (!isalnum((unsigned char)*path) && !strchr("/._-+,=@", *path) && !((unsigned char)*path & 0x80)) return 0;
    return 1;
}

static int has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && !strcmp(name + n - m, suffix);
}

static int copy_submission(const struct build *b)
{
    struct compile_copies *copies = alloc_zeroed(1, sizeof *copies);
    int failed = compile_copy_bundle(b->out->directory, b->kit, b->spec->source, b->spec->bytes, copies);
    free(copies);
    return failed;
}

// Copies the only source file of a program to COMPILE_SOURCE in the private directory. Returns 0, or -1 with
// b->out->status set.
static int copy_source(struct build *b)
{
    struct text text = {0};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" COMPILE_SOURCE, b->out->directory);
    int failed, error = b->spec->source ? 0 : text_read_file(&text, b->source[0], SOURCE_MOST);
    if (error) {
        reject(b->out, "%s: error: %s\n", b->spec->file[0], strerror(error));
    } else {
        encoding_to_utf8(&text);
        if (b->spec->source)
            failed = copy_submission(b);
        else
            failed = compile_copy_write(path, text.data ? text.data : "", text.length);
        if (failed) fail(b->out, "cannot write '%s': %s", path, strerror(errno));
    }
    snprintf(b->source[0], sizeof *b->source, COMPILE_SOURCE);
    text_free(&text);
    return b->out->status != COMPILED ? -1 : 0;
}

// Collects the folders that the user's -I options name. A relative folder in an -I option is relative to the user's
// working directory, not to the compiler's. Returns 0, or -1 with b->out->status set if an option is refused or a
// folder is missing.
static int find_includes(struct build *b)
{
    for (const char *const *at = b->spec->word; at && *at; ++at) {
        const char *text = *at, *folder = NULL;
        int include = !strncmp(text, "-I", 2);
        if (include) folder = text[2] ? text + 2 : *++at;
        if (!is_plain(folder ? folder : text)) {
            reject(b->out,
                   "%s: error: compilers start their tools through a shell, to which this word means something\n",
                   text);
            return -1;
        }
        if (!include) continue;
        if (!realpath(folder, b->include_folder[b->include_folders++])) {
            reject(b->out, "%s: error: %s\n", folder, strerror(errno));
            return -1;
        }
    }
    return 0;
}

// Finds the folder Common, which contains the headers of NVIDIA's sample programs. Looks for Common/helper_cuda.h in
// the folder of the source and in the folders above.
static void find_common(struct build *b)
{
    char path[PATH_MAX + 64];
    memcpy(path, b->source[0], PATH_MAX);
    for (int up = 0; up < ABOVE_MOST && b->include_folders < PROGRAM_WORDS; ++up) {
        char *slash = strrchr(path, '/');
        if (!slash) return;
        memcpy(slash, "/Common/helper_cuda.h", sizeof "/Common/helper_cuda.h");
        int found = !access(path, R_OK);
        *slash = '\0';
        if (!found) continue;
        snprintf(b->include_folder[b->include_folders++], PATH_MAX, "%.*s/Common", PATH_MAX - 16, path);
        return;
    }
}

static int find_sources(struct build *b)
{
    if (b->spec->source) return copy_source(b);
    for (unsigned i = 0; i < b->spec->files; ++i) {
        const char *name = b->spec->file[i];
        if (!realpath(name, b->source[i])) {
            reject(b->out, "%s: error: %s\n", name, strerror(errno));
            return -1;
        }
        memcpy(b->folder[i], b->source[i], PATH_MAX);
        *(strrchr(b->folder[i], '/') + 1) = '\0';
        if (!is_plain(b->source[i])) {
            reject(b->out,
                   "%s: error: compilers start their tools through a shell, to which this name means "
                   "something: use letters, digits, '.', '_' and '-' alone\n",
                   b->source[i]);
            return -1;
        }
    }
    find_common(b);
    return b->spec->files == 1 && has_suffix(b->source[0], ".cu") ? copy_source(b) : 0;
}

static int find_folders(struct build *b)
{
    struct text why = {0};
    char made[BOX_PATH];
    if (!realpath(b->spec->kit, b->kit) || !realpath(b->spec->cudart, b->cudart) ||
        (b->spec->before && !realpath(b->spec->before, b->before))) {
        fail(b->out, "the kit is not complete: run 'make'");
        return -1;
    }
    if (box_directory_make(made, &why)) {
        fail(b->out, "%s", why.data);
        text_free(&why);
        return -1;
    }
    memcpy(b->out->directory, made, sizeof made);
    snprintf(b->out->path, sizeof b->out->path, "%s/program", made);
    compile_find_homes(b->compiler, &b->homes);
    return 0;
}

// Appends the user's compiler options for the build step `use`, and those for all compilers. For nvcc, user_words()
// appends the user's options for all build steps at once, because nvcc itself passes each option to the right step.
static void user_words(struct build *b, struct invocation *w, enum word_use use)
{
    unsigned words;
    for (const char *const *at = b->spec->word; at && *at; at += words) {
        enum word_use its = strncmp(*at, "-I", 2) ? compile_word(*at, &words) : WORD_NONE;
        if (!strncmp(*at, "-I", 2)) words = (*at)[2] ? 1 : 2;
        int nvcc = use == WORD_NVCC && its != WORD_NONE && its != WORD_UNKNOWN;
        if (its == WORD_HOST && use == WORD_HOST) // "-Xcompiler -fopenmp" is "-fopenmp" for clang
            invocation_add(w, words == 2 ? at[1] : strchr(*at, '=') + 1);
        else if (nvcc || its == use || (its == WORD_BOTH && use != WORD_LINK))
            for (unsigned i = 0; i < words; ++i) invocation_add(w, at[i]);
    }
}

// Appends -I options for the folders of the sources and of headers.
static void include_words(struct build *b, struct invocation *w)
{
    for (unsigned i = 0; i < b->spec->files; ++i) {
        if (!b->folder[i][0] || (i && !strcmp(b->folder[i], b->folder[i - 1]))) continue;
        invocation_add(w, "-I");
        invocation_add(w, b->folder[i]);
    }
    for (unsigned i = 0; i < b->include_folders; ++i) {
        invocation_add(w, "-I");
        invocation_add(w, b->include_folder[i]);
    }
}

// ----------------------------------------------------------------------------------------------------------- nvcc
static int build_with_nvcc(struct build *b)
{
    struct invocation w = {.count = 0};
    invocation_add(&w, b->compiler->path);
    invocation_add_list(
        &w, (const char *const[]){"-cudart", "shared", "-O2", "-Xcompiler", "-g,-fno-optimize-sibling-calls", NULL});
    char number[16];
    snprintf(number, sizeof number, "%u", b->capability);
    invocation_add(&w, invocation_joined(&w, "-arch=compute_", number));
    invocation_add(&w, invocation_joined(&w, "-code=compute_", number));
    compile_nvcc_language(&w, 0);
    invocation_add(&w, b->spec->unoptimised ? "-G" : "-lineinfo");
    if (b->spec->files > 1)
        invocation_add(&w, "-rdc=true");
    else
        compile_nvcc_seed(&w, b->compiler);
    if (b->spec->graded) invocation_add_list(&w, (const char *const[]){"-Xcompiler", "-fopenmp", NULL});
    invocation_add(&w, "-I");
    invocation_add(&w, b->kit);
    if (b->before[0]) invocation_add_list(&w, (const char *const[]){"-include", b->before, NULL});
    include_words(b, &w);
    user_words(b, &w, WORD_NVCC);
    invocation_add_list(&w, (const char *const[]){"-Xlinker", "--build-id=none", "-o", "program", NULL});
    for (unsigned i = 0; i < b->spec->files; ++i) invocation_add(&w, b->source[i]);
    int failed = run(b, &w);
    if (failed && b->out->messages.length && strstr(b->out->messages.data, "nvcc fatal") &&
        strstr(b->out->messages.data, number))
        fail(b->out, "this nvcc cannot compile for the device, whose compute capability is %u.%u: try --compiler clang",
             b->capability / 10, b->capability % 10);
    return failed;
}

// ---------------------------------------------------------------------------------------------------------- clang
static void clang_words(struct build *b, struct invocation *w, enum word_use use)
{
    invocation_add(w, b->compiler->path);
    compile_clang_language(w, b->kit, b->capability, STAGE_WHOLE);
    include_words(b, w);
    user_words(b, w, use);
    if (b->before[0]) invocation_add_list(w, (const char *const[]){"-include", b->before, NULL});
}

static const char *file_name(struct invocation *w, unsigned i, const char *suffix)
{
    char number[16];
    snprintf(number, sizeof number, "%u", i);
    return invocation_joined(w, number, suffix);
}

// Returns 1 if the program has several .cu files, whose device code must be linked.
static int several_devices(const struct build *b)
{
    unsigned count = 0;
    for (unsigned i = 0; i < b->spec->files; ++i) count += has_suffix(b->source[i], ".cu") != 0;
    return count > 1;
}

// Runs one stage of the device pass over file `i`. Returns 0, or -1 with b->out->status set if the stage fails.
static int device_stage(struct build *b, unsigned i, enum compile_stage stage)
{
    struct invocation *w = alloc_zeroed(1, sizeof *w);
    const char *text = file_name(w, i, ".cui");
    if (stage == STAGE_PREPROCESSED) {
        invocation_add(w, b->compiler->path);
        compile_clang_language(w, b->kit, b->capability, stage);
        user_words(b, w, WORD_BOTH); // -std=… counts in this stage, too
    } else {
        clang_words(b, w, WORD_BOTH);
    }
    compile_clang_device(w, b->compiler, b->spec->unoptimised, stage);
    invocation_add_list(w, (const char *const[]){"-o", stage == STAGE_PREPROCESS ? text : file_name(w, i, ".ptx"),
                                                 stage == STAGE_PREPROCESSED ? text : b->source[i], NULL});
    int failed = run(b, w);
    free(w);
    return failed;
}

// Rewrites the preprocessed text of source file `i` so that clang accepts code that nvcc accepts (rewrite.c). Returns
// 0, or -1 with b->out->status set on an error.
static int rewrite(struct build *b, unsigned i)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%u.cui", b->out->directory, i);
    int error = compile_rewrite_file(path);
    if (error) fail(b->out, "cannot write '%s': %s", path, strerror(error));
    return b->out->status != COMPILED ? -1 : 0;
}

static int clang_device(struct build *b, unsigned i)
{
    int failed = device_stage(b, i, STAGE_WHOLE);
    if (failed && b->out->status == COMPILE_REJECTED && compile_rewrite_wanted(&b->out->messages)) {
        b->out->status = COMPILED;
        b->out->messages.length = 0;
        failed = device_stage(b, i, STAGE_PREPROCESS) || rewrite(b, i) || device_stage(b, i, STAGE_PREPROCESSED);
    }
    if (!failed) b->out->messages.length = 0; // the host pass prints the same messages again
    return failed ? -1 : 0;
}

// Appends the number of source file `i` to all names in the file's PTX that are local to the source file, except in
// strings.
static void mark_local_names(struct text *ptx, unsigned i)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$";
    struct text marked = {0};
    for (const char *at = ptx->data; at && *at;) {
        size_t length = strspn(at, letters);
        if (*at == '"') { // skips to the closing quote
            length = 1 + strcspn(at + 1, "\"\n");
            length += at[length] == '"';
            text_add(&marked, at, length);
        } else if (length) {
            text_add(&marked, at, length);
            if (fatbin_is_local(at, length)) text_printf(&marked, FATBIN_LOCAL "%u", i);
        } else {
            text_add(&marked, at, length = 1);
        }
        at += length;
    }
    text_free(ptx);
    *ptx = marked;
}

// Adds the PTX text of file `i` to a fat binary. Returns 0, or an errno value if the text cannot be read.
static int add_ptx(struct build *b, unsigned i, FILE *to)
{
    static const char nul[8];
    char path[PATH_MAX];
    struct text text = {0};
    snprintf(path, sizeof path, "%s/%u.ptx", b->out->directory, i);
    int error = text_read_file(&text, path, INT_MAX), several = several_devices(b);
    if (several) mark_local_names(&text, i);
    size_t padded = (text.length + 8) / 8 * 8; // at least one NUL follows the text
    struct fatbin_entry entry = {.kind = FATBIN_PTX,
                                 .version = 0x101,
                                 .bytes = sizeof entry,
                                 .payload = padded,
                                 .major = 7,
                                 .minor = 5,
                                 .capability = b->capability,
                                 .name = i,
                                 .flags = FATBIN_64BIT | FATBIN_LINUX | (several ? FATBIN_RELOCATABLE : 0)};
    fwrite(&entry, sizeof entry, 1, to);
    if (!error) fwrite(text.data, 1, text.length, to);
    fwrite(nul, 1, padded - text.length, to);
    text_free(&text);
    return error;
}

// Writes the fat binary of file `own`: first the PTX text of file `own`, then the texts of the other files. Returns 0,
// or -1 with b->out->status set if the fat binary cannot be written.
static int write_fatbin(struct build *b, unsigned own)
{
    char path[PATH_MAX];
    struct fatbin_header header = {FATBIN_MAGIC, 1, sizeof header, 0};
    snprintf(path, sizeof path, "%s/%u.fatbin", b->out->directory, own);
    FILE *file = fopen(path, "wx");
    int failed = !file;
    if (file) {
        fwrite(&header, sizeof header, 1, file);
        failed = add_ptx(b, own, file);
        for (unsigned i = 0; i < b->spec->files && !failed; ++i)
            if (i != own && has_suffix(b->source[i], ".cu")) failed = add_ptx(b, i, file);
        header.payload = (uint64_t)ftell(file) - sizeof header;
        rewind(file);
        fwrite(&header, sizeof header, 1, file);
        failed |= ferror(file) | fclose(file);
    }
    if (failed) fail(b->out, "cannot write '%s'", path);
    return failed ? -1 : 0;
}

// Returns 1 if clang has an OpenMP library, which is a package of its own, else 0. Without an OpenMP library, clang
// ignores OpenMP pragmas.
static int clang_has_openmp(const struct build *b)
{
    char *real = realpath(b->compiler->path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    const char *version = b->compiler->version + strcspn(b->compiler->version, "0123456789");
    struct text beside = {0}, debian = {0};
    text_printf(&beside, "%.*s/../lib/libomp.so", slash ? (int)(slash - real) : 0, real ? real : "");
    text_printf(&debian, "/usr/lib/llvm-%.*s/lib/libomp.so", (int)strcspn(version, "."), version); // behind a wrapper
    int found = !access(beside.data, R_OK) || !access(debian.data, R_OK);
    text_free(&beside);
    text_free(&debian);
    free(real);
    return found;
}

static int clang_host(struct build *b, unsigned i)
{
    struct invocation w = {.count = 0};
    int device = has_suffix(b->source[i], ".cu");
    if (device || !has_suffix(b->source[i], ".c")) { // C++ sources get the runtime's C++ functions, as with nvcc
        clang_words(b, &w, WORD_HOST);
        invocation_add(&w, "--cuda-host-only");
        if (device)
            invocation_add_list(&w, (const char *const[]){"-Xclang", "-fcuda-include-gpubinary", "-Xclang", NULL});
        invocation_add(&w, device ? file_name(&w, i, ".fatbin") : "-DWW_CPP");
    } else {
        invocation_add(&w, b->compiler->path);
        invocation_add(&w, "-I");
        invocation_add(&w, invocation_joined(&w, b->kit, "/runtime"));
        include_words(b, &w);
        user_words(b, &w, WORD_HOST);
    }
    if (b->spec->graded && clang_has_openmp(b)) invocation_add(&w, "-fopenmp");
    invocation_add_list(&w, (const char *const[]){"-O2", "-g", "-fno-optimize-sibling-calls", "-c", "-o", NULL});
    invocation_add(&w, file_name(&w, i, ".o"));
    invocation_add(&w, b->source[i]);
    return run(b, &w);
}

static int clang_link(struct build *b)
{
    char object[PROGRAM_FILES][32];
    struct invocation w = {.count = 0};
    invocation_add_list(&w, (const char *const[]){b->compiler->path, "--driver-mode=g++", "-Wl,--build-id=none", "-o",
                                                  "program", NULL});
    for (unsigned i = 0; i < b->spec->files; ++i) {
        snprintf(object[i], sizeof *object, "%u.o", i);
        invocation_add(&w, object[i]);
    }
    invocation_add(&w, invocation_joined(&w, b->cudart, "/libcudart.so.12"));
    invocation_add(&w, "-pthread");
    if (b->spec->graded && clang_has_openmp(b)) invocation_add(&w, "-fopenmp");
    user_words(b, &w, WORD_HOST);
    user_words(b, &w, WORD_LINK);
    return run(b, &w);
}

static int build_with_clang(struct build *b)
{
    for (unsigned i = 0; i < b->spec->files; ++i)
        if (has_suffix(b->source[i], ".cu") && clang_device(b, i)) return -1;
    for (unsigned i = 0; i < b->spec->files; ++i)
        if (has_suffix(b->source[i], ".cu") && write_fatbin(b, i)) return -1;
    for (unsigned i = 0; i < b->spec->files; ++i)
        if (clang_host(b, i)) return -1;
    return clang_link(b);
}

static void build(const struct compiler *compiler, const struct program_spec *spec, struct program *out)
{
    *out = (struct program){.status = COMPILED, .level = spec->open ? BOX_LIMITS : box_level_here()};
    struct build *b = alloc_zeroed(1, sizeof *b);
    b->capability = compile_ptx_for(compiler, IMAGE_CARD);
    b->compiler = compiler;
    b->spec = spec;
    b->out = out;
    if (!spec->files || spec->files > PROGRAM_FILES)
        reject(out, "error: a program has 1 to %d files\n", PROGRAM_FILES);
    else if (!find_folders(b) && !find_includes(b) && !find_sources(b))
        compiler->kind == COMPILE_NVCC ? build_with_nvcc(b) : build_with_clang(b);
    free(b);
}

// Builds a test program, known to be correct, under the same conditions as a submission. If it cannot be built, the
// machine is the cause and not the submission: stores this in *out.
static void blame_machine(const struct compiler *compiler, const struct program_spec *spec, struct program *out)
{
    static const char good[] = "#include <cuda_runtime.h>\n"
                               "#include <functional>\n"
                               "__global__ void one(int *p) { *p = 1; }\n"
                               "int main() { one<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }\n";
    struct program_spec test = *spec;
    struct program program;
    test.source = good;
    test.bytes = sizeof good - 1;
    test.before = NULL;
    build(compiler, &test, &program);
    if (program.status != COMPILED) {
        const char *said = program.messages.data ? program.messages.data : "", *first = strstr(said, "error");
        struct text line = {0};
        while (first && first > said && first[-1] != '\n') --first;
        text_printf(&line, "%.*s", (int)strcspn(first ? first : said, "\n"), first ? first : said);
        fail(out, "%s ('%s') does not work here: %s", compiler->version, compiler->path, line.data);
        text_free(&line);
    }
    compile_program_free(&program);
}

void compile_program(const struct compiler *compiler, const struct program_spec *spec, struct program *out)
{
    build(compiler, spec, out);
    if (out->status != COMPILE_REJECTED || !out->messages.length) return;
    if (spec->graded && !strstr(out->messages.data, spec->file[0])) blame_machine(compiler, spec, out);
    if (out->status == COMPILE_REJECTED) compile_explain(&out->messages, compiler->version, spec->graded);
}

void compile_program_free(struct program *p)
{
    if (p->directory[0]) box_directory_remove(p->directory);
    text_free(&p->messages);
    *p = (struct program){.status = COMPILED};
}
