// Implements ./grade run, which runs any CUDA program without a GPU.
//
// The program grade starts two sandboxed processes: the runner, which simulates the devices, and the host, which is the
// user's program. The program's libcudart reaches the runner through the file descriptors that the environment variable
// HOST_ENVIRONMENT names (host/border/host.h).
//
//   grade ──▶ host (program + libcudart) ◀── memory, doorbell ──▶ runner ──record──▶ grade
//
// The user's program uses the terminal directly. When the user's program ends, the doorbell socket closes, and the
// runner ends too. After all output of the user's program, grade reports on stderr what the runner recorded.
//
// The exit status of "grade run", which scripts read, is the exit status of the user's program if that status is not 0.
// If the user's program exits with 0 but its run is incomplete, the exit status is EXIT_NOT_GRADED, and the last line
// of the report says why. A run is incomplete if the simulator refused something that a real GPU supports, or stopped a
// kernel that did not end. A run is also incomplete if a launch was refused for the reasons of a real GPU, and the
// program never asked for the launch's error. A program that asks for a launch's error knows that the launch was
// refused, so the refusal does not make its run incomplete. If the user's program exits with 0 and its run is complete,
// the option --error-exitcode gives the exit status for a run with defects, as in compute-sanitizer.
//
// A program that the user started without grade finds no file descriptors in HOST_ENVIRONMENT. In a program that was
// started without grade, libcudart starts "grade run --attached PROGRAM" with the shared memory and the doorbell socket
// as descriptors 3 and 4. When a program that was started without grade ends, libcudart waits for the process "grade
// run --attached". The process "grade run --attached" starts the runner and reports the run on stderr.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "box/box.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/trace.h"
#include "compile/program.h"
#include "compile/word.h"
#include "host/border/host.h"
#include "judge/host/device_runner.h"

enum { ARGUMENTS = 256, ATTACHED_MEMORY = 3, ATTACHED_DOORBELL = 4 };
static const double GRACE_S = 30;    // seconds in which the runner must end after the program
static const double FOREVER_S = 1e9; // seconds; effectively no limit, because a program may run for any time

static int is_source(const char *name)
{
    static const char *const suffix[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    const char *dot = strrchr(name, '.');
    for (unsigned i = 0; dot && i < sizeof suffix / sizeof *suffix; ++i)
        if (!strcmp(dot, suffix[i])) return 1;
    return 0;
}

static void start_runner(const struct cli_options *o, const struct cli_paths *paths, int memory, int doorbell,
                         struct host_devices *devices)
{
    char number[16], threads[16];
    const char *argv[12];
    unsigned count = 0;
    struct text why = {0};
    snprintf(number, sizeof number, "%u", o->devices ? o->devices : 1);
    snprintf(threads, sizeof threads, "%u", o->threads);
    argv[count++] = "--devices";
    argv[count++] = number;
    if (o->device) argv[count++] = "--device";
    if (o->device) argv[count++] = o->device;
    if (o->threads) argv[count++] = "--threads";
    if (o->threads) argv[count++] = threads;
    if (o->check) argv[count++] = "--check";
    if (o->no_time) argv[count++] = "--no-time";
    argv[count] = NULL;
    if (device_runner_start(devices, paths->runner, argv, memory, doorbell, -1, o->no_sandbox, &why))
        die("cannot start the runner: %s", why.data);
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
    int fds[] = {client->channel.memory, client->channel.doorbell};
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
    // closes this process's copy of the doorbell, so that the doorbell closes when the program ends
    host_client_free(client);
}

// Returns the exit code that a shell reports for the program: 128 plus the signal number if a signal ended the program.
static int code_of(const struct box *host)
{
    if (host->end == BOX_EXITED) return host->code;
    fprintf(stderr, _("the program was ended by signal %d (%s)\n"), host->code, strsignal(host->code));
    return 128 + host->code;
}

// Appends the reason why the program's run is incomplete. Appends nothing if the run is complete.
static void say_incomplete(const struct host_trace *trace, struct text *why)
{
    text_puts(why, trace->message);
    for (uint32_t i = 0; i < trace->nfindings && !why->length; ++i)
        if (trace->finding[i].defect == DEFECT_UNCHECKED && trace->finding[i].silent)
            text_say(why, "a launch was refused, and the program never asked for the error (%s)",
                     trace->finding[i].text);
}

static int has_defect(const struct host_trace *trace)
{
    for (uint32_t i = 0; i < trace->nfindings; ++i) {
        const struct host_trace_finding *f = &trace->finding[i];
        enum finding_severity severity =
            f->defect ? host_trace_defect_info[f->defect].severity : finding_info[f->finding.kind].severity;
        if (severity == FINDING_DEFECT) return 1;
    }
    return trace->findings_dropped != 0;
}

// If the simulator could not run the user's program completely, prints the reason. Returns the exit status of "grade
// run".
static int conclude(const struct cli_options *o, const struct cli_trace *telling, const struct host_trace *trace)
{
    struct text why = {0};
    int code = telling->exit_code, status = code;
    say_incomplete(trace, &why);
    if (!code) status = why.length ? EXIT_NOT_GRADED : has_defect(trace) ? (int)o->error_exitcode : 0;
    if (why.length && !code)
        fprintf(stderr, _("%s: incomplete run, exit status %d instead of 0: %s\n"), telling->shown, status, why.data);
    else if (why.length)
        fprintf(stderr, _("%s: incomplete run: %s\n"), telling->shown, why.data);
    text_free(&why);
    return status;
}

// Waits up to `grace` seconds for the runner process after the user's program has ended, and reports the run. Returns
// the exit status.
static int finish(const struct cli_options *o, struct host_devices *devices, struct cli_trace *telling, double grace)
{
    device_runner_end(devices, grace);
    int broken = !devices->trace, status = EXIT_NOT_GRADED;
    if (devices->trace && devices->trace->goodbye && telling->trusted)
        telling->exit_code = (int)devices->trace->exit_code;
    telling->options = o;
    if (broken) {
        message_warn("%s", devices->message);
    } else {
        cli_trace_report(telling, devices->trace);
        status = conclude(o, telling, devices->trace);
    }
    device_runner_free(devices);
    return status;
}

static int run(const struct cli_options *o, const struct cli_paths *paths, const struct program_spec *spec,
               const struct compiler *compiler, const struct program *program, char **arguments)
{
    struct host_client client;
    struct host_devices devices;
    struct box host;
    if (host_client_make(&client)) die("%s", client.message);
    start_runner(o, paths, client.channel.memory, client.channel.theirs, &devices);
    channel_started(&client.channel);
    start_host(o, paths, program, arguments, &client, &host);
    box_wait((struct box *const[]){&host}, 1);
    struct cli_trace telling = {.program = program->path,
                                .shown = spec->file[0],
                                .spec = spec,
                                .exit_code = code_of(&host),
                                .compiler = compiler->version,
                                .arguments = (const char *const *)arguments};
    box_free(&host);
    return finish(o, &devices, &telling, GRACE_S);
}

static int attend(const struct cli_options *o, const struct cli_paths *paths)
{
    struct host_devices devices;
    struct program_spec spec = {.kit = paths->kit, .open = o->no_sandbox};
    char program[CLI_PATH];
    if (!realpath(o->attached, program)) die("there is no program '%s'", o->attached);
    signal(SIGINT, SIG_IGN); // the terminal sends SIGINT to the program too, and this process ends with the program
    start_runner(o, paths, ATTACHED_MEMORY, ATTACHED_DOORBELL, &devices);
    close(ATTACHED_MEMORY);
    close(ATTACHED_DOORBELL);
    const char *name = strrchr(program, '/');
    struct cli_trace telling = {.program = program, .shown = name ? name + 1 : program, .spec = &spec, .trusted = 1};
    return finish(o, &devices, &telling, FOREVER_S);
}

struct operands {
    const char *file[PROGRAM_FILES + 1], *word[PROGRAM_WORDS + 1];
    unsigned files, words;
};

// Returns the number of words at `text` that are one compiler option, or 0 if `text` is no compiler option. On the
// command line, the arguments of the user's program may begin after any source file. After a source file, only options
// that programs rarely have count as compiler options: -I, -D and -std=.
static unsigned words_at(const struct operands *p, const char *text)
{
    unsigned words;
    int common = !strncmp(text, "-D", 2) || !strncmp(text, "-std=", 5);
    if (!strncmp(text, "-I", 2)) return text[2] ? 1 : 2;
    if ((p->files && !common) || compile_word(text, &words) == WORD_UNKNOWN) return 0;
    return words;
}

// Copies the source files and the compiler options from the operands of ./grade run to *p. Returns the number of
// operands of ./grade run that divide() has copied to *p. The remaining operands of ./grade run are the arguments of
// the user's program.
static int divide(struct operands *p, int argc, char **argv)
{
    int at = 0;
    for (; at < argc; ++at) {
        if (is_source(argv[at]) && argv[at][0] != '-') {
            if (p->files == PROGRAM_FILES) die("a program has at most %d files", PROGRAM_FILES);
            p->file[p->files++] = argv[at];
            continue;
        }
        unsigned words = words_at(p, argv[at]);
        if (!words) break;
        if (p->words + words > PROGRAM_WORDS) die("at most %d words for the compiler", PROGRAM_WORDS);
        if (words == 2 && at + 1 == argc) die("'%s' needs a value", argv[at]);
        p->word[p->words++] = argv[at];
        if (words == 2) p->word[p->words++] = argv[++at];
    }
    return at;
}

int cli_run(const struct cli_options *options, int argc, char **argv)
{
    static struct operands operands;
    struct cli_paths paths;
    struct compiler compiler;
    cli_paths_find(&paths);
    if (options->attached) return attend(options, &paths);
    int taken = divide(&operands, argc, argv);
    if (!operands.files) die("which file? ./grade run FILE.cu… [ARGS]");
    if (options->json) cli_output_check(options->json);
    if (options->html) cli_output_check(options->html);
    cli_compiler_find(options, &compiler);
    struct program_spec spec = {.file = operands.file,
                                .files = operands.files,
                                .word = operands.word,
                                .kit = paths.kit,
                                .cudart = paths.cudart,
                                .unoptimised = options->unoptimised || options->check,
                                .open = options->no_sandbox};
    struct program program;
    compile_program(&compiler, &spec, &program);
    int code = 1;
    utf8_clean_log(&program.messages);
    if (program.messages.length)
        fprintf(stderr, program.status == COMPILE_FAILED ? "grade: %s\n" : "%s", program.messages.data);
    if (program.status == COMPILE_FAILED) code = EXIT_NOT_GRADED;
    if (program.status == COMPILED) code = run(options, &paths, &spec, &compiler, &program, argv + taken);
    compile_program_free(&program);
    return code;
}
