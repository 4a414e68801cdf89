// Implements libcudart's side of the host protocol (host.h), in the process of the student's host program. The
// client trusts its runner process, and waits for the runner without a time limit. Each wait for the runner process
// ends: the runner stops a kernel whose instruction budget is spent, and the socket reports the end of a runner.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/message.h"
#include "host/border/host_shared.h"

static int fail(struct host_client *c, const char *what)
{
    snprintf(c->message, sizeof c->message, "%s: %s", _(what), strerror(errno));
    host_client_free(c);
    return -1;
}

// Writes the error that another process of the program already uses the runner, and returns -1. The error for a runner
// process that is already in use occurs if a program forks, or starts another program, and both processes call the CUDA
// Runtime API.
static int fail_taken(struct host_client *c)
{
    message_print(c->message, sizeof c->message,
                  "the simulated devices serve one process of a program, and another one has them already");
    host_client_free(c);
    return -1;
}

// Sets c->shared and c->data to their positions in the channel's memory.
static void find_shared(struct host_client *c)
{
    c->shared = (struct host_shared *)c->channel.shared;
    c->data = c->shared->data;
}

int host_client_inherit(struct host_client *c)
{
    int memory = -1, doorbell = -1;
    const char *named = getenv(HOST_ENVIRONMENT);
    *c = (struct host_client){.channel = {.memory = -1, .doorbell = -1, .theirs = -1}, .life = -1};
    if (!named) return 1;
    errno = EINVAL;
    if (sscanf(named, "%d,%d", &memory, &doorbell) != 2 || fcntl(memory, F_SETFD, FD_CLOEXEC) ||
        fcntl(doorbell, F_SETFD, FD_CLOEXEC) || channel_open(&c->channel, memory, doorbell, sizeof(struct host_shared)))
        return errno == EBADF ? fail_taken(c) : fail(c, "'WARPWISE_HOST' names no descriptors");
    find_shared(c);
    if (atomic_exchange(&c->shared->taken, 1)) return fail_taken(c);
    c->shared->build = HOST_BUILD;
    return 0;
}

int host_client_make(struct host_client *c)
{
    *c = (struct host_client){.life = -1};
    if (channel_make(&c->channel, "warpwise-host", &HOST_BUILD))
        return fail(c, "cannot make a connection to the runner");
    find_shared(c);
    return 0;
}

void host_client_free(struct host_client *c)
{
    char byte;
    channel_free(&c->channel);
    c->shared = NULL;
    c->data = NULL;
    if (c->life < 0) return;
    while (read(c->life, &byte, 1) < 0 && errno == EINTR) continue;
    close(c->life);
    c->life = -1;
}

// ---------------------------------------------------------------- a runner of its own
// The user's program must not notice the runner process that libcudart starts. A runner process that is a child of the
// user's program would disturb a program that waits for all of its children or counts SIGCHLD signals. A runner process
// that holds the write end of a pipe would disturb a program that waits for end of file on the pipe. To hide the runner
// process, libcudart makes a child process that starts the runner and exits at once; the runner is a grandchild of the
// user's program. The child process that starts the runner process is made by clone(2) with an exit signal of 0. A
// child process with this exit signal sends no SIGCHLD to the user's program and is invisible to an ordinary wait().
// The runner process keeps only the first three file descriptors of the user's program. The child process that starts
// the runner process must not stay alive: it shares its pages with the user's program, so the kernel would copy each
// page that the program writes. If the user's program is process 1 of a container or a subreaper, its wait() calls can
// still see the runner process, because the orphaned runner becomes its child.
static long child(int signal)
{
    return syscall(SYS_clone, (unsigned long)signal, NULL, NULL, NULL, NULL);
}

// Runs in the grandchild of the user's program, which becomes the runner. Moves the three descriptors `fd` to the
// numbers 3, 4 and 5, and executes the program at `path`. Does not return.
static void become(const int fd[3], const char *path, char *const argv[])
{
    enum { FIRST = 3, ABOVE = 10 };
    int copy[3];
    for (int i = 0; i < 3; ++i)
        if ((copy[i] = fcntl(fd[i], F_DUPFD, ABOVE)) < 0) _exit(127);
    for (int i = 0; i < 3; ++i)
        if (dup2(copy[i], FIRST + i) < 0) _exit(127);
    descriptor_close_from(FIRST + 3);
    execv(path, argv);
    _exit(127);
}

static int fail_start(struct host_client *c, const char *path)
{
    message_print(c->message, sizeof c->message, "cannot start '%.160s': %s", path, strerror(errno));
    return -1;
}

int host_client_start(struct host_client *c, const char *path, char *const argv[])
{
    int life[2], status = 0;
    if (access(path, X_OK) || pipe2(life, O_CLOEXEC)) return fail_start(c, path);
    c->life = life[0];
    long first = child(0);
    if (!first) {
        long second = child(SIGCHLD);
        if (!second) become((const int[]){c->channel.memory, c->channel.theirs, life[1]}, path, argv);
        _exit(second < 0 ? errno : 0);
    }
    int error = errno;
    close(life[1]);
    if (first > 0) {
        while (waitpid((pid_t)first, &status, __WCLONE) < 0 && errno == EINTR) continue;
        error = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
    }
    channel_started(&c->channel);
    errno = error;
    return error ? fail_start(c, path) : 0;
}

int host_call(struct host_client *c, struct host_command *command, struct host_reply *reply, int *descriptor)
{
    command->number = ++c->number;
    if (descriptor) *descriptor = -1;
    if (!c->broken) {
        memcpy(&c->shared->command, command, sizeof *command);
        c->broken = channel_ring(&c->channel, -1) || channel_wait(&c->channel, 0, c->tries, descriptor);
        if (c->broken)
            message_print(c->message, sizeof c->message, "the runner that holds the simulated devices is gone");
    }
    if (c->broken) {
        *reply = (struct host_reply){.result = HOST_UNKNOWN};
        return -1;
    }
    memcpy(reply, &c->shared->reply, sizeof *reply);
    return 0;
}
