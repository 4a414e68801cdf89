// Inside of wire: a byte on a socket says that it is the other side's turn.
#ifndef WIRE_DOORBELL_H
#define WIRE_DOORBELL_H

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

// Waits for the bell, and before that looks for it so often: who is woken comes late. 0; or -1: the other side is gone.
static inline int doorbell_wait(int fd, unsigned tries)
{
    char byte;
    for (unsigned i = 0; i < tries; ++i)
        if (recv(fd, &byte, 1, MSG_DONTWAIT) == 1) return 0;
    for (;;) {
        ssize_t n = read(fd, &byte, 1);
        if (n == 1) return 0;
        if (n == 0 || errno != EINTR) return -1;
    }
}

#endif
