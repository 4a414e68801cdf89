// Implements claims as locks on bytes of a file beside the gradebook (fcntl(2)), which the kernel removes when their
// process ends, and which work on network file systems, too. The byte of a submission follows from a hash. One of the
// first bytes, by process number, says that a batch runs. The file itself stays empty.
//
// A process loses all its locks on a file when it closes any descriptor of this file. Nothing else opens this file, and
// workers do not inherit locks.
#define _GNU_SOURCE
#include "batch/grading/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"

enum { PROCESSES = 1 << 23 }; // bytes that stand for processes; the largest process number is 1 << 22

static struct flock lock_of(short type, off_t start, off_t length)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
}

static off_t byte_of(const struct gradebook_work *w)
{
    char both[sizeof w->source + sizeof w->lab + 1];
    int n = snprintf(both, sizeof both, "%s %s", w->source, w->lab);
    return PROCESSES + (off_t)(hash_bytes(both, (size_t)n, 0) & INT64_C(0xffffffffffff));
}

void claim_open(struct claim *c, const char *book)
{
    char path[4096 + 8];
    snprintf(path, sizeof path, "%s.lock", book);
    c->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock own = lock_of(F_WRLCK, getpid() % PROCESSES, 1);
    if (c->fd < 0 || !fcntl(c->fd, F_SETLK, &own) || errno == EAGAIN || errno == EACCES) return;
    close(c->fd);
    c->fd = -1;
}

void claim_close(struct claim *c)
{
    if (c->fd >= 0) close(c->fd);
}

pid_t claim_other(const struct claim *c)
{
    struct flock other = lock_of(F_WRLCK, 0, PROCESSES);
    if (c->fd < 0 || fcntl(c->fd, F_GETLK, &other) || other.l_type == F_UNLCK) return 0;
    return other.l_pid > 0 ? other.l_pid : -1;
}

int claim_take(const struct claim *c, const struct gradebook_work *w)
{
    struct flock lock = lock_of(F_WRLCK, byte_of(w), 1);
    return c->fd < 0 || !fcntl(c->fd, F_SETLK, &lock) || (errno != EAGAIN && errno != EACCES);
}

void claim_release(const struct claim *c, const struct gradebook_work *w)
{
    struct flock lock = lock_of(F_UNLCK, byte_of(w), 1);
    if (c->fd >= 0) fcntl(c->fd, F_SETLK, &lock);
}
