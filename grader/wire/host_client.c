// The client's half of the host protocol: lives in the process of the host program, as a part of libcudart, or in a
// test. It trusts its runner. No limit is set to its patience: a kernel ends by its budget, and when the runner dies
// the doorbell ends with it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/message.h"
#include "wire/host_shared.h"

static int fail(struct host_client *c, const char *what)
{
    snprintf(c->message, sizeof c->message, "%s: %s", _(what), strerror(errno));
    host_client_free(c);
    return -1;
}

static int map(struct host_client *c)
{
    void *at = mmap(NULL, sizeof *c->shared, PROT_READ | PROT_WRITE, MAP_SHARED, c->memory, 0);
    if (at == MAP_FAILED) return -1;
    c->shared = at;
    c->data = c->shared->data;
    return 0;
}

static void introduce(struct host_shared *s)
{
    s->magic = HOST_MAGIC;
    s->version = HOST_VERSION;
    s->total = sizeof *s;
    s->command_bytes = sizeof s->command;
    s->reply_bytes = sizeof s->reply;
}

// fork() before the first call, or a program that the client started: one at a time holds the line.
static int fail_taken(struct host_client *c)
{
    message_print(c->message, sizeof c->message,
                  "the simulated devices serve one process of a program, and another one has them already");
    host_client_free(c);
    return -1;
}

int host_client_inherit(struct host_client *c)
{
    const char *named = getenv(HOST_ENVIRONMENT);
    *c = (struct host_client){.memory = -1, .doorbell = -1, .theirs = -1, .life = -1};
    if (!named) return 1;
    errno = EINVAL;
    if (sscanf(named, "%d,%d", &c->memory, &c->doorbell) != 2 || fcntl(c->memory, F_SETFD, FD_CLOEXEC) ||
        fcntl(c->doorbell, F_SETFD, FD_CLOEXEC)) {
        c->memory = c->doorbell = -1;
        return errno == EBADF ? fail_taken(c) : fail(c, "'WARPWISE_HOST' names no descriptors");
    }
    if (map(c)) return fail(c, "cannot map the memory shared with the runner");
    if (atomic_exchange(&c->shared->taken, 1)) return fail_taken(c);
    introduce(c->shared);
    return 0;
}

int host_client_make(struct host_client *c)
{
    int pair[2];
    *c = (struct host_client){.memory = -1, .doorbell = -1, .theirs = -1, .life = -1};
    c->memory = memfd_create("warpwise-host", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (c->memory < 0 || ftruncate(c->memory, sizeof *c->shared) ||
        fcntl(c->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) || map(c))
        return fail(c, "cannot make memory to share with the runner");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return fail(c, "cannot make a doorbell");
    c->doorbell = pair[0];
    c->theirs = pair[1];
    introduce(c->shared);
    return 0;
}

static void close_one(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

void host_client_started(struct host_client *c)
{
    close_one(&c->theirs);
}

void host_client_free(struct host_client *c)
{
    char byte;
    if (c->shared) munmap(c->shared, sizeof *c->shared);
    c->shared = NULL;
    c->data = NULL;
    close_one(&c->memory);
    close_one(&c->doorbell);
    close_one(&c->theirs);
    while (c->life >= 0 && read(c->life, &byte, 1) < 0 && errno == EINTR) continue;
    close_one(&c->life);
}

// ---------------------------------------------------------------- a runner of its own
// A program may wait for any child (wait(0) until there is none), count its SIGCHLDs, or wait for the end of a pipe
// that it closed. So the runner is a child's child; that child sends no signal and is not seen by such a wait
// (clone(2): an exit signal of 0), and of the program's descriptors the runner keeps the first three. A program that is
// process 1 of a container, or a subreaper, is given the orphan nevertheless. That the first child stayed instead would
// keep a copy of each page that the program writes from then on.
static long child(int signal)
{
    return syscall(SYS_clone, (unsigned long)signal, NULL, NULL, NULL, NULL);
}

// In the child's child: memory, doorbell and life become 3, 4 and 5, wherever they were.
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
        if (!second) become((const int[]){c->memory, c->theirs, life[1]}, path, argv);
        _exit(second < 0 ? errno : 0);
    }
    int error = errno;
    close(life[1]);
    if (first > 0) {
        while (waitpid((pid_t)first, &status, __WCLONE) < 0 && errno == EINTR) continue;
        error = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
    }
    host_client_started(c);
    errno = error;
    return error ? fail_start(c, path) : 0;
}

static int ring(struct host_client *c)
{
    for (;;) {
        ssize_t n = send(c->doorbell, "!", 1, MSG_NOSIGNAL);
        if (n == 1) return 0;
        if (n < 0 && errno != EINTR) return -1;
    }
}

// Waits for the server's byte and what comes with it.
static int await(struct host_client *c, int *descriptor)
{
    char byte;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
    for (uint32_t left = c->tries;; left -= left > 0) {
        ssize_t n = recvmsg(c->doorbell, &message, MSG_CMSG_CLOEXEC | (left ? MSG_DONTWAIT : 0));
        if (n < 0 && (errno == EINTR || (left && (errno == EAGAIN || errno == EWOULDBLOCK)))) continue;
        if (n != 1) return -1;
        break;
    }
    struct cmsghdr *h = CMSG_FIRSTHDR(&message);
    if (h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS && h->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(h), sizeof *descriptor);
    return 0;
}

int host_call(struct host_client *c, struct host_command *command, struct host_reply *reply, int *descriptor)
{
    int came = -1;
    command->number = ++c->number;
    if (!c->broken) memcpy(&c->shared->command, command, sizeof *command);
    if (c->broken || ring(c) || await(c, &came)) {
        if (!c->broken)
            message_print(c->message, sizeof c->message, "the runner that holds the simulated devices is gone");
        c->broken = 1;
        *reply = (struct host_reply){.result = HOST_UNKNOWN};
        if (descriptor) *descriptor = -1;
        return -1;
    }
    memcpy(reply, &c->shared->reply, sizeof *reply);
    if (descriptor)
        *descriptor = came;
    else if (came >= 0)
        close(came);
    return 0;
}
