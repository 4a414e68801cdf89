// Runs a program whose output goes to memory files (memfd_create), so that the program never waits for a reader. The
// started program has its own process group, so that its child processes are killed together with the program.
#define _GNU_SOURCE
#include "batch/grading/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"

extern char **environ;
static const struct timespec NAP = {.tv_nsec = 5000000};

void command_last_line(const char *text, struct text *out)
{
    size_t length = strlen(text), from;
    while (length && strchr("\n ", text[length - 1])) --length;
    for (from = length; from && text[from - 1] != '\n';) --from;
    text_add(out, text + from, length - from);
}

static void read_all(int fd, struct text *t)
{
    char buffer[1 << 14];
    ssize_t n;
    off_t at = 0;
    while ((n = pread(fd, buffer, sizeof buffer, at)) > 0) {
        text_add(t, buffer, (size_t)n);
        at += n;
    }
    close(fd);
}

static pid_t start(char *const argv[], int out, int err)
{
    pid_t pid;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(&pid, argv[0], &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    errno = error;
    return error ? -1 : pid;
}

int command_run(char *const argv[], double seconds, struct text *out, struct text *why)
{
    int o = memfd_create("out", MFD_CLOEXEC), e = memfd_create("err", MFD_CLOEXEC), status = -1, late = 0;
    if (o < 0 || e < 0) die("cannot make a memory file: %s", strerror(errno));
    double until = clock_s() + seconds;
    pid_t pid = start(argv, o, e);
    if (pid < 0) text_say(why, "cannot start '%s': %s", argv[0], strerror(errno));
    while (pid > 0 && waitpid(pid, &status, late ? 0 : WNOHANG) != pid) {
        late = clock_s() > until;
        if (late)
            kill(-pid, SIGKILL);
        else
            nanosleep(&NAP, NULL);
    }
    struct text said = {0};
    read_all(o, out);
    read_all(e, &said);
    if (late)
        text_say(why, "'%s' gave no answer within %.0f s", argv[0], seconds);
    else if (pid > 0 && said.length)
        command_last_line(said.data, why);
    else if (pid > 0 && status)
        text_say(why, "'%s' failed and said nothing", argv[0]);
    text_free(&said);
    if (!out->data) text_puts(out, "");
    if (!why->data) text_puts(why, "");
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
