// ./grade run: any CUDA program with no GPU.
//
// Theory of operation. Two boxed processes are started: the runner, which holds the simulated devices, and the host,
// which is the program; its libcudart finds the runner by the descriptors that HOST_ENVIRONMENT names (wire/host.h).
//
//   grade ──▶ host (program + libcudart) ◀── memory, doorbell ──▶ runner
//
// The program keeps the terminal and its exit code. The runner ends when the program has: it sees the doorbell close.
// What it found then comes out on stderr, behind all that the program wrote.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "box/box.h"
#include "cli/cli.h"
#include "compile/program.h"
#include "wire/host.h"

enum { SAID_MOST = 1 << 20, ARGUMENTS = 256 };
static const double GRACE_S = 30; // for the runner to say what it found, when the program has ended

static int is_source(const char *name)
{
    static const char *const suffix[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    const char *dot = strrchr(name, '.');
    for (unsigned i = 0; dot && i < sizeof suffix / sizeof *suffix; ++i)
        if (!strcmp(dot, suffix[i])) return 1;
    return 0;
}

static void start_runner(const struct cli_options *o, const struct cli_paths *paths, struct host_client *client,
                         struct box *box)
{
    char devices[16], threads[16];
    const char *argv[12] = {paths->runner, "--host"};
    unsigned count = 2;
    struct text why = {0};
    snprintf(devices, sizeof devices, "%u", o->devices ? o->devices : 1);
    snprintf(threads, sizeof threads, "%u", o->threads);
    argv[count++] = "--devices";
    argv[count++] = devices;
    if (o->device) argv[count++] = "--device";
    if (o->device) argv[count++] = o->device;
    if (o->threads) argv[count++] = "--threads";
    if (o->threads) argv[count++] = threads;
    if (o->check) argv[count++] = "--check";
    const char *const readable[] = {paths->runner, NULL};
    int fds[] = {client->memory, client->theirs};
    struct box_spec spec = {.argv = argv,
                            .readable = readable,
                            .fds = fds,
                            .nfds = 2,
                            .output = SAID_MOST,
                            .single = 1,
                            .open = o->no_sandbox};
    if (box_start(&spec, box, &why)) die("cannot start the runner: %s", why.data);
    host_client_started(client);
}

static void start_host(const struct cli_options *o, const struct cli_paths *paths, const struct program *program,
                       char **arguments, struct host_client *client, struct box *box)
{
    char here[CLI_PATH], library[CLI_PATH + 32];
    const char *argv[ARGUMENTS + 2] = {program->path};
    struct text why = {0};
    for (unsigned i = 0; arguments[i]; ++i) {
        if (i == ARGUMENTS) die("a program gets at most %d arguments", ARGUMENTS);
        argv[i + 1] = arguments[i];
    }
    if (!getcwd(here, sizeof here)) die("the current directory is gone");
    snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s", paths->cudart);
    const char *const env[] = {HOST_ENVIRONMENT "=3,4", library, NULL};
    const char *const readable[] = {program->directory, paths->cudart, NULL};
    int fds[] = {client->memory, client->doorbell};
    struct box_spec spec = {.argv = argv,
                            .env = env,
                            .directory = here,
                            .readable = readable,
                            .fds = fds,
                            .nfds = 2,
                            .own_stdio = 1,
                            .signals = 1,
                            .open = o->no_sandbox};
    if (box_start(&spec, box, &why)) die("cannot start the program: %s", why.data);
    host_client_free(client); // ours: the doorbell closes when the program ends
}

// The program's exit code, as a shell would give it.
static int code_of(const struct box *host)
{
    if (host->end == BOX_EXITED) return host->code;
    fprintf(stderr, "the program was ended by signal %d (%s)\n", host->code, strsignal(host->code));
    return 128 + host->code;
}

static int run(const struct cli_options *o, const struct cli_paths *paths, const struct program *program,
               char **arguments)
{
    struct host_client client;
    struct box runner, host;
    if (host_client_make(&client)) die("%s", client.message);
    start_runner(o, paths, &client, &runner);
    start_host(o, paths, program, arguments, &client, &host);
    box_wait((struct box *const[]){&host}, 1);
    int code = code_of(&host);
    runner.wall_s = (double)(host.start_ns - runner.start_ns) / 1e9 + host.wall_s + GRACE_S;
    box_wait((struct box *const[]){&runner}, 1);
    if (runner.output.length) fwrite(runner.output.data, 1, runner.output.length, stderr);
    int broken = runner.end != BOX_EXITED || runner.code;
    box_free(&runner);
    box_free(&host);
    return broken ? EXIT_NOT_GRADED : code;
}

int cli_run(const struct cli_options *options, int argc, char **argv)
{
    struct cli_paths paths;
    struct compiler compiler;
    struct text why = {0};
    int files = 0;
    while (files < argc && is_source(argv[files])) ++files;
    if (!files) die("which file? ./grade run FILE.cu… [ARGS]");
    cli_paths_find(&paths);
    if (compile_find(options->compiler, &compiler, &why)) die("%s", why.data);
    struct program_spec spec = {.file = (const char *const *)argv,
                                .files = (unsigned)files,
                                .kit = paths.kit,
                                .include = paths.include,
                                .cudart = paths.cudart,
                                .unoptimised = options->unoptimised,
                                .open = options->no_sandbox};
    struct program program;
    compile_program(&compiler, &spec, &program);
    int code = 1;
    if (program.messages.length)
        fprintf(stderr, program.status == COMPILE_FAILED ? "grade: %s\n" : "%s", program.messages.data);
    if (program.status == COMPILE_FAILED) code = EXIT_NOT_GRADED;
    if (program.status == COMPILED) code = run(options, &paths, &program, argv + files);
    compile_program_free(&program);
    return code;
}
