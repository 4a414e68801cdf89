// Sends and receives the messages of host/border/iteration.h, which have a fixed size, on a socket that keeps message
// boundaries. The runner process serves a hostile program, so each received message is checked before its use.
#define _GNU_SOURCE
#include "host/border/iteration.h"

#include <sys/socket.h>

#include "wire/channel.h"

int iteration_connect(int pair[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
}

int iteration_send(int socket, const struct iteration_message *message)
{
    return channel_send(socket, message, sizeof *message, -1);
}

int iteration_receive(int socket, struct iteration_message *message, double patience_s, unsigned tries)
{
    char why[OBSERVATION_MESSAGE];
    int answer = channel_receive(socket, message, sizeof *message, patience_s, tries, NULL);
    if (answer) return answer;
    if (message->word >= ITERATION_WORDS || message->why >= VOID_REASONS) return -1;
    if (wire_check_message(message->text, sizeof message->text)) return -1;
    if (message->word == ITERATION_HERE && wire_check_device(&message->device, why)) return -1;
    return message->word == ITERATION_HEALTH && wire_check_health(&message->health, why) ? -1 : 0;
}
