// Locks a card by a file lock, which the system releases when the process ends in any way.
//
// There is one file for each card as the process names it. With CUDA_VISIBLE_DEVICES, "0" may be another card for
// another process, so the file's name contains that variable.
//
// The file lies in /tmp, where every user may create files. The judge never writes to the file and follows no links, so
// a file that another user puts there does no harm.
#define _GNU_SOURCE
#include "judge/card/lock.h"

#include <ctype.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

enum { ATTEMPTS = 60000, PAUSE_MS = 10 }; // ten minutes in all

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
    int lock = open(path, how); // without O_CREAT first: the system may refuse it for another user's file
    if (lock < 0) lock = open(path, how | O_CREAT, 0644);
    for (int i = 0; lock >= 0 && i < ATTEMPTS && flock(lock, LOCK_EX | LOCK_NB); ++i) poll(NULL, 0, PAUSE_MS);
    return lock;
}

void card_lock_release(int lock)
{
    if (lock < 0) return;
    flock(lock, LOCK_UN); // closing is not enough: a process forked meanwhile holds the file as well
    close(lock);
}
