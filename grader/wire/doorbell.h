// Inside of wire: a byte on a socket says that it is the other side's turn.
#ifndef WIRE_DOORBELL_H
#define WIRE_DOORBELL_H

#include <errno.h>
#include <unistd.h>

// Waits for the bell. 0; or -1: the other side is gone.
static inline int doorbell_wait(int fd)
{
    char byte;
    for (;;) {
        ssize_t n = read(fd, &byte, 1);
        if (n == 1) return 0;
        if (n == 0 || errno != EINTR) return -1;
    }
}

#endif
