// ./grade compile: compiles a file and shows the compiler's words, as a compiler would. "make lab3" is this.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "cli/cli.h"

// To standard output where the path is "-".
static void write_image(const char *path, const struct text *image)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!file) die("cannot write '%s': %s", path, strerror(errno));
    size_t written = fwrite(image->data, 1, image->length, file);
    if ((file == stdout ? fflush(file) : fclose(file)) || written != image->length)
        die("cannot write '%s': %s", path, strerror(errno));
}

int cli_compile(const struct cli_options *options, int argc, char **argv)
{
    static const struct lab none = {.name = "a lab", .slug = "lab"};
    struct cli_paths paths;
    struct cli_submission s;
    struct compiler compiler;
    struct text why = {0};
    const struct lab *lab = argc ? lab_find(argv[0]) : NULL;
    if (argc > (lab ? 2 : 1)) die("'%s' is one word too many, see './grade compile --help'", argv[argc - 1]);
    if (!argc) die("which file? ./grade compile FILE");
    cli_paths_find(&paths);
    cli_submission_read(&s, &paths, lab ? lab : &none, lab ? (argc == 2 ? argv[1] : NULL) : argv[0]);
    if (compile_find(options->compiler, &compiler, &why)) die("%s", why.data);
    enum compile_image which = options->unoptimised ? IMAGE_UNOPTIMISED : IMAGE_OPTIMISED;
    struct compile_result result;
    compile_source(&compiler, s.source.data ? s.source.data : "", s.bytes, s.shown, paths.kit, 1u << which, &result);
    if (result.status == COMPILE_FAILED) die("%s", result.messages.data);
    if (result.messages.length) fputs(result.messages.data, stderr);
    int compiled = result.status == COMPILED;
    if (compiled && options->output) write_image(options->output, &result.image[which]);
    if (compiled && lab && !options->output) printf(_("'%s' compiles: now ./grade %s\n"), s.shown, lab->name);
    compile_result_free(&result);
    text_free(&s.source);
    return compiled ? 0 : 1;
}
