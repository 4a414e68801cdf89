// A lock on a file of this machine, which the system lets go when its holder ends, however he ends. One file for a card
// as the process sees them: with CUDA_VISIBLE_DEVICES "0" may be another card for another process.
//
// The file lies where everybody may write. It is never written to and links are not followed, so that whoever puts one
// there gains nothing but a place in the queue.
#define _GNU_SOURCE
#include "judge/card/lock.h"

#include <ctype.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

enum { LOOKS = 60000, PAUSE_MS = 10 }; // ten minutes

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
    int lock = open(path, how); // first without O_CREAT, which the system may refuse for another's file
    if (lock < 0) lock = open(path, how | O_CREAT, 0644);
    for (int i = 0; lock >= 0 && i < LOOKS && flock(lock, LOCK_EX | LOCK_NB); ++i) poll(NULL, 0, PAUSE_MS);
    return lock;
}

void card_lock_release(int lock)
{
    if (lock < 0) return;
    flock(lock, LOCK_UN); // a process that was forked meanwhile holds the file, too
    close(lock);
}
