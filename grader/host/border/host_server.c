// Implements the runner's side of the host protocol.
//
// The client (the student's program) may be hostile and may write to the shared memory at any time, from many threads.
// Because the client may change the shared memory at any time, the server copies each command out of the shared memory
// once, and then reads only the copy. The server builds the reply in private memory and copies the whole reply into the
// shared memory. Before the server interprets bytes of the data area, it copies these bytes to private memory and
// parses the copy.
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "host/border/host_shared.h"

const char *const host_op_name[HOST_OPS] = {
#define HOST(name, ns, source) #name,
#include "host/border/host.def"
#undef HOST
};

const uint32_t host_op_ns[HOST_OPS] = {
#define HOST(name, ns, source) ns,
#include "host/border/host.def"
#undef HOST
};

int host_serve(int memory, int doorbell, const struct host_handler *handler, char message[HOST_MESSAGE])
{
    struct channel channel;
    if (channel_open(&channel, memory, doorbell, sizeof(struct host_shared))) {
        message_print(message, HOST_MESSAGE, "descriptor %d is not the memory shared with a host program", memory);
        return -1;
    }
    struct host_shared *shared = (struct host_shared *)channel.shared;
    int goodbye = 0;
    while (!goodbye && !channel_wait(&channel, 0, handler->tries, NULL)) {
        if (!channel_same_build(&shared->build, &HOST_BUILD)) {
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
        int lost = channel_ring(&channel, descriptor);
        if (descriptor >= 0 && close_it) close(descriptor);
        if (lost || (handler->over && *handler->over)) break;
    }
    channel_free(&channel);
    return goodbye;
}
