// The runner's half of the host protocol.
//
// Theory of operation. The client is hostile: it may write to the shared memory at any time, from many threads. So a
// command is copied out once, before anything of it is looked at, and obeyed from the copy; the reply is put together
// aside and copied in whole. The data area is only ever copied from or to, or parsed from a copy. The memory must be
// sealed against shrinking, or a client that cuts it off would end the runner with SIGBUS.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "wire/doorbell.h"
#include "wire/host_shared.h"

const char *const host_op_name[HOST_OPS] = {
#define HOST(name, ns, source) #name,
#include "wire/host.def"
#undef HOST
};

const uint32_t host_op_ns[HOST_OPS] = {
#define HOST(name, ns, source) ns,
#include "wire/host.def"
#undef HOST
};

// Rings back, and sends `descriptor` along unless it is -1.
static int answer(int fd, int descriptor)
{
    char byte = '!';
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        *c = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
        memcpy(CMSG_DATA(c), &descriptor, sizeof descriptor);
    }
    for (;;) {
        ssize_t n = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (n == 1) return 0;
        if (n < 0 && errno != EINTR) return -1;
    }
}

static int same_build(const struct host_shared *s)
{
    return s->magic == HOST_MAGIC && s->version == HOST_VERSION && s->total == sizeof *s &&
           s->command_bytes == sizeof s->command && s->reply_bytes == sizeof s->reply;
}

static struct host_shared *map(int memory, char message[HOST_MESSAGE])
{
    uint64_t bytes = 0;
    void *at = memory_shared(memory, PROT_READ | PROT_WRITE, &bytes);
    if (at && bytes >= sizeof(struct host_shared)) return at;
    message_print(message, HOST_MESSAGE, "descriptor %d is not the memory shared with a host program", memory);
    return NULL;
}

int host_serve(int memory, int doorbell, const struct host_handler *handler, char message[HOST_MESSAGE])
{
    struct host_shared *shared = map(memory, message);
    if (!shared) return -1;
    int goodbye = 0;
    while (!goodbye && !doorbell_wait(doorbell, handler->tries)) {
        if (!same_build(shared)) { // the client has introduced itself before it rings
            message_print(message, HOST_MESSAGE, "runner and libcudart were not built together: run 'make'");
            goodbye = -1;
            break;
        }
        struct host_command command;
        struct host_reply reply = {0};
        int close_it = 0;
        memcpy(&command, &shared->command, sizeof command);
        int descriptor = handler->obey(handler->self, &command, shared->data, &reply, &close_it);
        reply.number = command.number;
        reply.has_descriptor = descriptor >= 0;
        memcpy(&shared->reply, &reply, sizeof reply);
        goodbye = command.op == HOST_OP_goodbye;
        int lost = answer(doorbell, descriptor);
        if (descriptor >= 0 && close_it) close(descriptor);
        if (lost) break;
    }
    munmap(shared, sizeof *shared);
    return goodbye;
}
