// Implements the channel between two processes with a sealed memfd and a pair of UNIX sockets; see channel.h.
#define _GNU_SOURCE
#include "wire/channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

enum { TRIES = 20000, CORES_LEAST = 4 };

union control { // room for one descriptor, with the alignment that the kernel requires
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

// ---------------------------------------------------------------- life
static void close_one(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

int channel_make(struct channel *c, const char *name, const struct channel_build *build)
{
    int pair[2] = {-1, -1};
    *c = (struct channel){.doorbell = -1, .theirs = -1};
    c->memory = memory_make_shared(name, build->bytes[0]);
    if (c->memory >= 0) c->shared = memory_shared(c->memory, PROT_READ | PROT_WRITE, &c->bytes);
    if (!c->shared || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
        int error = errno;
        channel_free(c);
        errno = error;
        return -1;
    }
    c->doorbell = pair[0];
    c->theirs = pair[1];
    *c->shared = *build;
    return 0;
}

void channel_started(struct channel *c)
{
    close_one(&c->theirs);
}

int channel_open(struct channel *c, int memory, int doorbell, uint64_t bytes)
{
    *c = (struct channel){.memory = -1, .doorbell = -1, .theirs = -1};
    void *at = memory_shared(memory, PROT_READ | PROT_WRITE, &c->bytes);
    if (at && c->bytes < bytes) munmap(at, c->bytes);
    if (!at || c->bytes < bytes) return -1;
    c->shared = at;
    c->memory = memory;
    c->doorbell = doorbell;
    return 0;
}

void channel_free(struct channel *c)
{
    if (c->shared) munmap(c->shared, c->bytes);
    c->shared = NULL;
    close_one(&c->memory);
    close_one(&c->doorbell);
    close_one(&c->theirs);
}

int channel_same_build(const struct channel_build *there, const struct channel_build *here)
{
    return !memcmp(there, here, sizeof *here);
}

// ---------------------------------------------------------------- messages
int channel_send(int socket, const void *data, size_t bytes, int descriptor)
{
    union control control = {0};
    struct iovec part = {.iov_base = (void *)(uintptr_t)data, .iov_len = bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *h = CMSG_FIRSTHDR(&message);
        *h = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
        memcpy(CMSG_DATA(h), &descriptor, sizeof descriptor);
    }
    for (;;) {
        ssize_t n = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (n == (ssize_t)bytes) return 0;
        if (n >= 0 || errno != EINTR) return -1;
    }
}

// Receives one message. With MSG_DONTWAIT in `flags`, take() does not sleep. Returns 0 if a message came; 1 if there is
// no message yet or a signal interrupted recvmsg(). Returns -1 if the peer has ended or the message has another size
// than `bytes`. If `descriptor` is NULL, the kernel drops the descriptors that a peer sends.
static int take(int socket, void *data, size_t bytes, int flags, int *descriptor)
{
    union control control;
    struct iovec part = {.iov_base = data, .iov_len = bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
    }
    ssize_t n = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 1;
    if (n != (ssize_t)bytes || (message.msg_flags & MSG_TRUNC)) return -1;
    struct cmsghdr *h = descriptor ? CMSG_FIRSTHDR(&message) : NULL;
    if (h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS && h->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(h), sizeof *descriptor);
    return 0;
}

// Sleeps until the socket has a message, at most until the time `deadline_s` on clock_s(). Returns 0, 1 if no message
// came until the deadline, or -1 if poll() failed.
static int sleep_until(int socket, double deadline_s)
{
    for (;;) {
        double left = deadline_s - clock_s();
        struct pollfd p = {.fd = socket, .events = POLLIN};
        int n = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
        if (n < 0 && errno == EINTR) continue;
        return n < 0 ? -1 : !n;
    }
}

int channel_receive(int socket, void *data, size_t bytes, double patience_s, unsigned tries, int *descriptor)
{
    int answer = 1;
    if (descriptor) *descriptor = -1;
    while (answer == 1 && tries--) answer = take(socket, data, bytes, MSG_DONTWAIT, descriptor);
    double deadline_s = answer == 1 && patience_s > 0 ? clock_s() + patience_s : 0;
    while (answer == 1) {
        int asleep = deadline_s > 0 ? sleep_until(socket, deadline_s) : 0;
        if (asleep) return asleep;
        answer = take(socket, data, bytes, deadline_s > 0 ? MSG_DONTWAIT : 0, descriptor);
    }
    return answer;
}

int channel_ring(const struct channel *c, int descriptor)
{
    return channel_send(c->doorbell, "!", 1, descriptor);
}

int channel_wait(const struct channel *c, double patience_s, unsigned tries, int *descriptor)
{
    char byte;
    return channel_receive(c->doorbell, &byte, sizeof byte, patience_s, tries, descriptor);
}

unsigned channel_tries(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN) < CORES_LEAST ? 0 : TRIES;
}
