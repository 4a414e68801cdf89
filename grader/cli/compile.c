// Implements ./grade compile, which compiles a file and shows the compiler's messages. "make lab3" runs this command.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "compile/program.h"

enum { PROGRAM_MOST = 64 << 20 };

// Writes a compiled image to a file, or to standard output if `path` is "-".
static void write_image(const char *path, const struct text *image)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!file) die("cannot write '%s': %s", path, strerror(errno));
    size_t written = fwrite(image->data, 1, image->length, file);
    if ((file == stdout ? fflush(file) : fclose(file)) || written != image->length)
        die("cannot write '%s': %s", path, strerror(errno));
}

static struct cli_submission submission;

// Compiles the source of a kernel lab, or a file that belongs to no lab, to a PTX image. Returns 1 if the file
// compiles.
static int compile_image(const struct cli_options *options, const struct compiler *compiler,
                         const struct cli_paths *paths)
{
    enum compile_image which = options->unoptimised ? IMAGE_UNOPTIMISED : IMAGE_OPTIMISED;
    struct compile_result result;
    compile_source(compiler, submission.source.data ? submission.source.data : "", submission.bytes, submission.shown,
                   paths->kit, 1u << which, &result);
    if (result.status == COMPILE_FAILED) die("%s", result.messages.data);
    utf8_clean_log(&result.messages);
    if (result.messages.length) fputs(result.messages.data, stderr);
    int compiled = result.status == COMPILED;
    if (compiled && options->output) write_image(options->output, &result.image[which]);
    compile_result_free(&result);
    return compiled;
}

// Compiles the source of a host lab, together with the lab's main(), to an executable program. Returns 1 if the source
// compiles.
static int compile_host(const struct cli_options *options, const struct compiler *compiler,
                        const struct cli_paths *paths, const struct lab *lab)
{
    char main[2 * CLI_PATH];
    const char *shown = submission.shown;
    snprintf(main, sizeof main, "%s/labs/%s/main.h", paths->root, lab->slug);
    struct program_spec spec = {.file = &shown,
                                .files = 1,
                                .source = submission.source.data ? submission.source.data : "",
                                .bytes = submission.source.length,
                                .kit = paths->kit,
                                .cudart = paths->cudart,
                                .before = main,
                                .open = options->no_sandbox};
    struct program program;
    if (submission.bytes > COMPILE_MOST) die("'%s' is too large: at most %d bytes are taken", shown, COMPILE_MOST);
    compile_program(compiler, &spec, &program);
    if (program.status == COMPILE_FAILED) die("%s", program.messages.data);
    utf8_clean_log(&program.messages);
    if (program.messages.length) fputs(program.messages.data, stderr);
    int compiled = program.status == COMPILED;
    if (compiled && options->output) {
        struct text binary = {0};
        if (text_read_file(&binary, program.path, PROGRAM_MOST)) die("the program cannot be read");
        write_image(options->output, &binary);
        text_free(&binary);
    }
    compile_program_free(&program);
    return compiled;
}

int cli_compile(const struct cli_options *options, int argc, char **argv)
{
    static const struct lab none = {.name = "a lab", .slug = "lab"};
    struct cli_paths paths;
    struct compiler compiler;
    const struct lab *lab = argc ? lab_find(argv[0]) : NULL;
    if (argc > (lab ? 2 : 1)) die("'%s' is one word too many, see './grade compile --help'", argv[argc - 1]);
    if (!argc) die("which file? ./grade compile FILE");
    cli_paths_find(&paths);
    cli_submission_read(&submission, &paths, lab ? lab : &none, lab ? (argc == 2 ? argv[1] : NULL) : argv[0]);
    cli_compiler_find(options, &compiler);
    int compiled =
        lab && lab->host ? compile_host(options, &compiler, &paths, lab) : compile_image(options, &compiler, &paths);
    if (compiled && lab && !options->output) printf(_("'%s' compiles: now ./grade %s\n"), submission.shown, lab->name);
    text_free(&submission.source);
    return compiled ? 0 : 1;
}
