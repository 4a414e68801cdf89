// Messages of fixed size on a socket that keeps their borders. The runner obeys a hostile program, so that nothing of a
// message is believed before it is checked: its size and word here, what it holds by wire_check_device and its like.
#define _GNU_SOURCE
#include "wire/iteration.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TRIES = 20000, CORES_LEAST = 4 }; // some milliseconds

unsigned iteration_tries(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN) < CORES_LEAST ? 0 : TRIES;
}

int iteration_pair(int pair[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
}

int iteration_send(int line, const struct iteration_message *message)
{
    for (;;) {
        ssize_t n = send(line, message, sizeof *message, MSG_NOSIGNAL);
        if (n == (ssize_t)sizeof *message) return 0;
        if (n >= 0 || errno != EINTR) return -1;
    }
}

// What came at once: as iteration_receive.
static int look(int line, struct iteration_message *message)
{
    char why[OBSERVATION_MESSAGE];
    ssize_t n = recv(line, message, sizeof *message, MSG_DONTWAIT | MSG_TRUNC);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 1;
    if (n != (ssize_t)sizeof *message || message->word >= ITERATION_WORDS || message->why >= VOID_REASONS) return -1;
    if (wire_check_message(message->text, sizeof message->text)) return -1;
    if (message->word == ITERATION_HERE && wire_check_device(&message->device, why)) return -1;
    return message->word == ITERATION_HEALTH && wire_check_health(&message->health, why) ? -1 : 0;
}

int iteration_receive(int line, struct iteration_message *message, double patience_s, unsigned tries)
{
    int answer = 1;
    for (unsigned i = 0; i < tries && answer == 1; ++i) answer = look(line, message);
    if (answer != 1) return answer;
    struct pollfd wait = {.fd = line, .events = POLLIN};
    int came = poll(&wait, 1, patience_s > 0 ? (int)(patience_s * 1000) + 1 : -1);
    if (came < 0) return errno == EINTR ? iteration_receive(line, message, patience_s, 0) : -1;
    return came ? look(line, message) : 1;
}
