// Counts the files that a box has in its shared memory (/dev/shm).
//
// Bubblewrap limits the bytes of a tmpfs, but not the number of its files, and each file takes a kilobyte of the
// kernel's memory. The grader therefore counts the files while the box runs: statfs(2) tells how many inodes of a file
// system are in use, and /proc/PID/root leads to the files that process PID sees. PID is the box's process 1, which
// bubblewrap keeps for itself (box_spec.signals) and which the program cannot end. Until that process has its own root
// directory, it sees the machine's /dev/shm, whose files do not count.
#include <stdio.h>
#include <stdlib.h>

#include <sys/stat.h>
#include <sys/statfs.h>

#include "box/box.h"

static const char SHARED[] = "/dev/shm";

// Returns the process number of the first process that process `pid` started, or 0 if there is none.
static long first_child(long pid)
{
    char path[64];
    long child = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
    FILE *f = fopen(path, "re");
    if (!f) return 0;
    if (fscanf(f, "%ld", &child) != 1) child = 0;
    fclose(f);
    return child;
}

uint64_t box_shared_files(const struct box *box)
{
    char path[64];
    struct stat ours, theirs;
    struct statfs system;
    long first = box->pid && box->shares ? first_child(box->pid) : 0;
    if (!first) return 0;
    snprintf(path, sizeof path, "/proc/%ld/root%s", first, SHARED);
    if (stat(path, &theirs) || (!stat(SHARED, &ours) && ours.st_dev == theirs.st_dev)) return 0;
    if (statfs(path, &system)) return 0;
    return (uint64_t)system.f_files - (uint64_t)system.f_ffree;
}
