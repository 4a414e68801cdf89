// Locks a GPU with a lock on a file. The operating system releases the file lock when the grader's process ends for any
// reason.
//
// There is one lock file for each name that processes use for a GPU. If two processes have different values of
// CUDA_VISIBLE_DEVICES, their name "0" may mean different GPUs. The name of the lock file therefore contains the value
// of CUDA_VISIBLE_DEVICES.
//
// The lock file is in /tmp, where every user may create files. The judge never writes to the lock file and does not
// follow symbolic links. A lock file that another user creates therefore does no harm.
#define _GNU_SOURCE
#include "judge/card/lock.h"

#include <ctype.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

enum { ATTEMPTS = 60000, PAUSE_MS = 10 }; // ATTEMPTS * PAUSE_MS is ten minutes

static void name_of(const char *card, char *path, size_t capacity)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    snprintf(path, capacity, "/tmp/warpwise-card.%.80s.%.40s", visible ? visible : "", card ? card : "");
    for (char *p = path + sizeof "/tmp/" - 1; *p; ++p)
        if (!isalnum((unsigned char)*p) && *p != '-') *p = '.';
}

int card_lock_take(const char *card)
{
    char path[160];
    const int how = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    name_of(card, path, sizeof path);
    // the first attempt has no O_CREAT, because the system may refuse O_CREAT for another user's file
    int lock = open(path, how);
    if (lock < 0) lock = open(path, how | O_CREAT, 0644);
    for (int i = 0; lock >= 0 && i < ATTEMPTS && flock(lock, LOCK_EX | LOCK_NB); ++i) poll(NULL, 0, PAUSE_MS);
    return lock;
}

void card_lock_release(int lock)
{
    if (lock < 0) return;
    // closing is not enough, because a process that was forked meanwhile holds the file too
    flock(lock, LOCK_UN);
    close(lock);
}
